use crate::canvas::Canvas;
use crate::font;
use crate::paint::{Dash, Paint, Stroke};
use crate::palette::Color;
use crate::path::PathData;
use crate::view::Point;
use std::fmt::{self, Write};

/// A picture as SVG. Shapes are in painting order. Prints as the text of an SVG file.
///
/// # Examples
/// ```
/// use surefoot_draw::{Canvas, Palette, Paint, Point, Svg};
///
/// let mut svg = Svg::new(40.0, 30.0, "a dot");
/// svg.circle(Point { x: 20.0, y: 15.0 }, 5.0, &Paint::fill(Palette::NIGHT.marker));
/// assert!(svg.to_string().contains(r##"<circle cx="20" cy="15" r="5" fill="#ffe08a"/>"##));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Svg {
    width: f64,
    height: f64,
    title: String,
    /// The content of the `svg` element, with all tags closed.
    body: String,
    depth: usize,
}

impl Svg {
    /// Creates an empty picture. Sizes are in pixels; viewers show `title` as its name.
    #[must_use]
    pub fn new(width: f64, height: f64, title: &str) -> Svg {
        Svg { width, height, title: title.to_owned(), body: String::new(), depth: 1 }
    }

    /// Returns the width in pixels.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.width
    }

    /// Returns the height in pixels.
    #[must_use]
    pub fn height(&self) -> f64 {
        self.height
    }

    /// Adds a picture in PNG, with sharp pixels.
    #[cfg(any(feature = "png", test))]
    pub(crate) fn embed_png(&mut self, corner: Point, width: f64, height: f64, png: &[u8]) {
        use base64::Engine;
        self.open_tag("image");
        for (name, number) in [("x", corner.x), ("y", corner.y), ("width", width), ("height", height)] {
            append_attribute(&mut self.body, name, &Number(number));
        }
        // Programs that show SVG read the value `pixelated` from a style only.
        append_attribute(&mut self.body, "style", &"image-rendering:pixelated");
        append_attribute(&mut self.body, "preserveAspectRatio", &"none");
        let data = base64::engine::general_purpose::STANDARD.encode(png);
        append_attribute(&mut self.body, "href", &format_args!("data:image/png;base64,{data}"));
        self.body.push_str("/>\n");
    }

    /// Writes the content of a group whose opening tag lacks only `>`, and closes the group.
    fn write_content_and_close_group(&mut self, title: &str, content: impl FnOnce(&mut Svg)) {
        self.body.push_str(">\n");
        self.depth += 1;
        if !title.is_empty() {
            self.open_tag("title");
            append_formatted(&mut self.body, format_args!(">{}</title>\n", Escaped(title)));
        }
        content(self);
        self.depth -= 1;
        self.write_indent();
        self.body.push_str("</g>\n");
    }

    fn write_shape(&mut self, tag: &str, numbers: &[(&str, f64)], paint: &Paint) {
        self.open_tag(tag);
        for &(name, number) in numbers {
            append_attribute(&mut self.body, name, &Number(number));
        }
        write_paint(&mut self.body, paint);
        self.body.push_str("/>\n");
    }

    fn open_tag(&mut self, tag: &str) {
        self.write_indent();
        self.body.push('<');
        self.body.push_str(tag);
    }

    fn write_indent(&mut self) {
        (0..self.depth).for_each(|_| self.body.push(' '));
    }
}

impl Canvas for Svg {
    fn rect(&mut self, corner: Point, width: f64, height: f64, paint: &Paint) {
        let sides = [("x", corner.x), ("y", corner.y), ("width", width), ("height", height)];
        self.write_shape("rect", &sides, paint);
    }

    fn circle(&mut self, centre: Point, radius: f64, paint: &Paint) {
        self.write_shape("circle", &[("cx", centre.x), ("cy", centre.y), ("r", radius)], paint);
    }

    fn path(&mut self, path: &PathData, paint: &Paint) {
        if path.is_empty() {
            return;
        }
        self.open_tag("path");
        append_attribute(&mut self.body, "d", &PathCommands(path));
        write_paint(&mut self.body, paint);
        self.body.push_str("/>\n");
    }

    /// Adds the text as a title of its lines, so that it can be searched and read aloud.
    fn text(&mut self, text: &str, at: Point, height: f64, color: Color) {
        let lines = font::lines(text, at, height);
        let paint = Paint::stroke(color, font::pen(height)).round();
        self.group("label", text, |svg| svg.path(&lines, &paint));
    }

    /// Viewers show the title as a tooltip.
    fn group(&mut self, class: &str, title: &str, content: impl FnOnce(&mut Svg)) {
        self.open_tag("g");
        append_attribute(&mut self.body, "class", &Escaped(class));
        self.write_content_and_close_group(title, content);
    }

    fn clipped(&mut self, name: &str, outline: &PathData, content: impl FnOnce(&mut Svg)) {
        self.open_tag("clipPath");
        append_attribute(&mut self.body, "id", &Escaped(name));
        self.body.push_str("><path");
        append_attribute(&mut self.body, "d", &PathCommands(outline));
        self.body.push_str("/></clipPath>\n");
        self.open_tag("g");
        append_attribute(&mut self.body, "clip-path", &format_args!("url(#{})", Escaped(name)));
        self.write_content_and_close_group("", content);
    }
}

impl fmt::Display for Svg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = (Number(self.width), Number(self.height));
        write!(f, r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" "#)?;
        writeln!(f, r#"viewBox="0 0 {width} {height}">"#)?;
        writeln!(f, " <title>{}</title>", Escaped(&self.title))?;
        writeln!(f, "{}</svg>", self.body)
    }
}

/// Appends formatted text. Writing to a string cannot fail.
fn append_formatted(text: &mut String, what: fmt::Arguments<'_>) {
    let _ = text.write_fmt(what);
}

fn append_attribute(text: &mut String, name: &str, value: &dyn fmt::Display) {
    append_formatted(text, format_args!(r#" {name}="{value}""#));
}

fn write_paint(text: &mut String, paint: &Paint) {
    match paint.fill {
        Some(color) => append_attribute(text, "fill", &color),
        None => append_attribute(text, "fill", &"none"),
    }
    if let Some(Stroke { color, width }) = paint.stroke {
        append_attribute(text, "stroke", &color);
        append_attribute(text, "stroke-width", &Number(width));
    }
    if let Some(Dash { length, gap }) = paint.dash {
        append_attribute(text, "stroke-dasharray", &format_args!("{} {}", Number(length), Number(gap)));
    }
    if paint.round {
        append_attribute(text, "stroke-linecap", &"round");
        append_attribute(text, "stroke-linejoin", &"round");
    }
    if paint.opacity < 1.0 {
        append_attribute(text, "opacity", &Number(paint.opacity));
    }
}

/// Prints a path with the shortest commands: `H` and `V` if the other printed coordinate does not change.
struct PathCommands<'a>(&'a PathData);

impl fmt::Display for PathCommands<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for run in self.0.runs() {
            let mut last: Option<[String; 2]> = None;
            for point in run.points {
                let [x, y] = [Number(point.x).to_string(), Number(point.y).to_string()];
                match &last {
                    None => write!(f, "M{x} {y}")?,
                    Some([before, _]) if *before == x => write!(f, "V{y}")?,
                    Some([_, before]) if *before == y => write!(f, "H{x}")?,
                    Some(_) => write!(f, "L{x} {y}")?,
                }
                last = Some([x, y]);
            }
            if run.closed {
                f.write_char('Z')?;
            }
        }
        Ok(())
    }
}

/// Prints a number with at most four decimals and without trailing zeros. Lattice vertices are at multiples of 1/16
/// pixel if a tile has a whole number of pixels, so they are printed exactly. NaN prints as 0.
#[derive(Clone, Copy)]
struct Number(f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The cast saturates beyond 9e14 pixels, which no picture has. NaN becomes 0.
        let scaled = (self.0 * 1e4).round() as i64;
        let (whole, mut part) = (scaled.unsigned_abs() / 10_000, scaled.unsigned_abs() % 10_000);
        if scaled < 0 {
            f.write_str("-")?;
        }
        write!(f, "{whole}")?;
        let mut digits = 4;
        while part > 0 && part % 10 == 0 {
            (part, digits) = (part / 10, digits - 1);
        }
        if part > 0 { write!(f, ".{part:0digits$}") } else { Ok(()) }
    }
}

/// Prints a text escaped for XML, within an element or between double quotes. Characters that XML forbids become
/// U+FFFD.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                // Escape white space: in attributes a reader would turn it into spaces.
                '\t' | '\n' | '\r' => write!(f, "&#{};", u32::from(character))?,
                '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                _ => f.write_char(character)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::palette::Palette;

    /// A group of a parsed picture.
    pub(crate) struct Group {
        pub(crate) title: String,
        /// The data of all paths directly in the group.
        pub(crate) data: String,
        /// Centres of the circles directly in the group.
        pub(crate) circles: Vec<(f64, f64)>,
    }

    /// Returns all groups of a class.
    pub(crate) fn groups(svg: &Svg, class: &str) -> Vec<Group> {
        let text = svg.to_string();
        let document = resvg::usvg::roxmltree::Document::parse(&text).unwrap();
        let of_class = document.descendants().filter(|node| node.attribute("class") == Some(class));
        let group = of_class.map(|node| {
            let number = |circle: resvg::usvg::roxmltree::Node<'_, '_>, name| circle.attribute(name).unwrap().parse();
            let circles = node.children().filter(|child| child.has_tag_name("circle"));
            Group {
                title: node
                    .children()
                    .find(|child| child.has_tag_name("title"))
                    .and_then(|t| t.text())
                    .unwrap_or("")
                    .into(),
                data: node.children().filter_map(|child| child.attribute("d")).collect(),
                circles: circles.map(|c| (number(c, "cx").unwrap(), number(c, "cy").unwrap())).collect(),
            }
        });
        group.collect()
    }

    #[test]
    fn numbers_have_at_most_four_decimals() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (12.5, "12.5"),
            (-0.0625, "-0.0625"),
            (1.0 / 3.0, "0.3333"),
            (2.0 / 3.0, "0.6667"),
            (100.0, "100"),
            (0.1 + 0.2, "0.3"),
            (1.002, "1.002"),
            (1e-9, "0"),
            (-1e-9, "0"),
            (f64::NAN, "0"),
        ];
        for (number, text) in cases {
            assert_eq!(Number(number).to_string(), text);
        }
    }

    #[test]
    fn every_lattice_step_is_printed_exactly() {
        for pixels in [1, 7, 16, 33, 255] {
            for step in 0..=16 {
                let at = f64::from(pixels * step) / 16.0;
                assert_eq!(Number(at).to_string().parse(), Ok(at));
            }
        }
    }

    #[test]
    fn escaped_text_is_parsed_back() {
        let title = "a<b> & \"c\" 'd' \n\u{1} é";
        let mut svg = Svg::new(10.0, 10.0, title);
        svg.group("a\"&", title, |svg| svg.circle(Point { x: 1.0, y: 1.0 }, 1.0, &Paint::fill(Palette::NIGHT.open)));
        let text = svg.to_string();
        let document = resvg::usvg::roxmltree::Document::parse(&text).unwrap();
        let expected = "a<b> & \"c\" 'd' \n\u{fffd} é";
        let titles: Vec<_> = document.descendants().filter(|node| node.has_tag_name("title")).collect();
        assert_eq!(titles.iter().map(|node| node.text()).collect::<Vec<_>>(), [Some(expected); 2]);
        assert_eq!(titles[1].parent().unwrap().attribute("class"), Some("a\"&"));
    }

    #[test]
    fn paths_use_the_shortest_command() {
        let mut path = PathData::new();
        assert!(path.is_empty());
        path.polygon([(0.0, 0.0), (8.0, 0.0), (8.0, 4.5), (0.0, 4.0)].map(|(x, y)| Point { x, y }));
        assert_eq!(PathCommands(&path).to_string(), "M0 0H8V4.5L0 4Z");
        path.run([(1.0, 1.0), (1.0, 2.0)].map(|(x, y)| Point { x, y }));
        assert_eq!(PathCommands(&path).to_string(), "M0 0H8V4.5L0 4ZM1 1V2");
    }
}

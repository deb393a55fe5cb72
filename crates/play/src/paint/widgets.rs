//! Paints widgets: sheets, labels, sliders, rows of keys.

use crate::panel::Area;
use surefoot_draw::font::width as text_width;
use surefoot_draw::{Canvas, Color, Paint, Palette, Point};

/// Heights of capitals in pixels: secondary text, normal text, headings, the title.
pub(crate) const SMALL_TEXT_HEIGHT: f64 = 8.0;
pub(crate) const NORMAL_TEXT_HEIGHT: f64 = 9.5;
pub(crate) const HEADING_HEIGHT: f64 = 13.0;
pub(crate) const TITLE_HEIGHT: f64 = 30.0;

/// Paints a dark sheet as a background of text. The sheet is opaque: the level must not show through.
pub(crate) fn paint_sheet(canvas: &mut impl Canvas, area: Area, palette: &Palette) {
    let Area { corner, width, height } = area;
    canvas.rect(corner, width, height, &Paint::fill(palette.background));
    canvas.rect(corner, width, height, &Paint::stroke(palette.rim, 1.0));
}

/// Paints a text that ends at a point.
pub(crate) fn paint_text_ending_at(canvas: &mut impl Canvas, text: &str, at: Point, height: f64, color: Color) {
    canvas.text(text, Point { x: (at.x - text_width(text, height)).round(), ..at }, height, color);
}

/// Paints a text centred on a point.
pub(crate) fn paint_text_centred_at(canvas: &mut impl Canvas, text: &str, at: Point, height: f64, color: Color) {
    canvas.text(text, Point { x: (at.x - text_width(text, height) / 2.0).round(), ..at }, height, color);
}

/// Paints a centred text on a plate in a window of that width, with as many lines as needed. The last line is at
/// `bottom`. Returns the `bottom` of a plate above it.
pub(crate) fn paint_plate(
    canvas: &mut impl Canvas,
    text: &str,
    window: f64,
    bottom: f64,
    color: Color,
    palette: &Palette,
) -> f64 {
    const MARGIN_PIXELS: f64 = 12.0;
    const LINE_PIXELS: f64 = 20.0;
    let lines = break_into_lines(text, NORMAL_TEXT_HEIGHT, window - 4.0 * MARGIN_PIXELS);
    let width = lines.iter().map(|line| text_width(line, NORMAL_TEXT_HEIGHT)).fold(0.0, f64::max);
    let top = bottom - LINE_PIXELS * (lines.len() as f64 - 1.0) - NORMAL_TEXT_HEIGHT - MARGIN_PIXELS;
    let corner = Point { x: ((window - width) / 2.0 - MARGIN_PIXELS).round(), y: top };
    paint_sheet(
        canvas,
        Area { corner, width: width + 2.0 * MARGIN_PIXELS, height: bottom + MARGIN_PIXELS - top },
        palette,
    );
    for (i, line) in lines.iter().rev().enumerate() {
        paint_text_centred_at(
            canvas,
            line,
            Point { x: window / 2.0, y: bottom - LINE_PIXELS * i as f64 },
            NORMAL_TEXT_HEIGHT,
            color,
        );
    }
    top - MARGIN_PIXELS - 4.0
}

/// Breaks a text into lines of a maximum width, between words, or within words longer than a line.
pub(crate) fn break_into_lines(text: &str, height: f64, width: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    let fits = |line: &str| text_width(line, height) <= width;
    for word in text.split_whitespace() {
        let Some(line) = lines.last_mut() else { break };
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if fits(&longer) {
            *line = longer;
            continue;
        }
        if !line.is_empty() {
            lines.push(String::new());
        }
        for letter in word.chars() {
            let Some(line) = lines.last_mut() else { break };
            line.push(letter);
            if !fits(line) && line.chars().count() > 1 {
                line.pop();
                lines.push(letter.to_string());
            }
        }
    }
    lines
}

/// Shortens a text to a width, with dots at the end.
pub(crate) fn shorten_to_width(text: &str, height: f64, width: f64) -> String {
    if text_width(text, height) <= width {
        return text.to_owned();
    }
    let mut short = text.to_owned();
    while short.pop().is_some() && text_width(&format!("{short}..."), height) > width {}
    short + "..."
}

/// Paints a bar filled up to `part`, 0 to 1, with a knob.
pub(crate) fn paint_slider(canvas: &mut impl Canvas, area: Area, part: f64, palette: &Palette) {
    let Area { corner, width, height } = area;
    let (y, x) = (corner.y + height / 2.0, corner.x + width * part);
    canvas.rect(Point { x: corner.x, y: y - 2.0 }, width, 4.0, &Paint::fill(palette.solid));
    canvas.rect(Point { x: corner.x, y: y - 2.0 }, width * part, 4.0, &Paint::fill(palette.normal));
    canvas.circle(Point { x, y }, height / 2.0, &Paint::fill(palette.text));
}

/// Distance between two rows of [`paint_key_rows`] in pixels.
pub(crate) const ROW_PIXELS: f64 = 20.0;

/// Paints a list of keys and their actions from its top left corner. `keys`: width of the column of keys. `scale`:
/// factor for all sizes.
pub(crate) fn paint_key_rows(
    canvas: &mut impl Canvas,
    rows: &[(&str, &str)],
    corner: Point,
    keys: f64,
    scale: f64,
    palette: &Palette,
) {
    let height = NORMAL_TEXT_HEIGHT * scale;
    for (i, (key, what)) in rows.iter().enumerate() {
        let y = corner.y + i as f64 * ROW_PIXELS * scale + height;
        paint_text_ending_at(canvas, key, Point { x: corner.x + keys * scale, y }, height, palette.marker);
        canvas.text(what, Point { x: corner.x + (keys + 18.0) * scale, y }, height, palette.text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_broken_into_lines_that_fit_without_losing_words() {
        let text = "the run is saved: /a/folder/with-a-very-long-name-that-no-line-holds/run-1.replay.ron in the end";
        for width in [0.0, 30.0, 120.0, 300.0, 10_000.0] {
            let lines = break_into_lines(text, NORMAL_TEXT_HEIGHT, width);
            for line in &lines {
                assert!(
                    text_width(line, NORMAL_TEXT_HEIGHT) <= width || line.chars().count() == 1,
                    "{width}: {line:?}"
                );
            }
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            assert_eq!(bare(&lines.concat()), bare(text));
        }
        assert_eq!(break_into_lines(text, NORMAL_TEXT_HEIGHT, 10_000.0), [text]);
        // A line has room for `ab c`, but not for the whole text. The word `cd` fits on a line of its own, so it is not
        // broken.
        assert_eq!(break_into_lines("ab cd", NORMAL_TEXT_HEIGHT, text_width("ab c", NORMAL_TEXT_HEIGHT)), ["ab", "cd"]);
        assert_eq!(break_into_lines("", NORMAL_TEXT_HEIGHT, 100.0), [""]);
    }

    #[test]
    fn shortened_texts_fit() {
        let full = text_width("first_steps", NORMAL_TEXT_HEIGHT);
        assert_eq!(shorten_to_width("first_steps", NORMAL_TEXT_HEIGHT, full), "first_steps");
        let short = shorten_to_width("first_steps", NORMAL_TEXT_HEIGHT, full - 1.0);
        assert!(
            short.starts_with("first") && short.ends_with("...") && text_width(&short, NORMAL_TEXT_HEIGHT) < full,
            "{short}"
        );
        assert_eq!(shorten_to_width("first_steps", NORMAL_TEXT_HEIGHT, 0.0), "...");
    }
}

use crate::font;
use crate::paint::Paint;
use crate::palette::Color;
use crate::path::PathData;
use crate::view::Point;

/// What shapes can be painted on: an [`Svg`](crate::Svg), or what a game shows in its window.
///
/// Places are in pixels to the right of and below the top left corner. What is painted later covers what was painted
/// before. Everything that this crate paints is painted through this trait, so that it looks the same on all of them.
///
/// # Examples
/// ```
/// use surefoot_draw::{Canvas, Palette, Paint, Point, Svg};
///
/// fn paint_target(canvas: &mut impl Canvas, at: Point) {
///     canvas.circle(at, 5.0, &Paint::stroke(Palette::NIGHT.marker, 1.0));
///     canvas.circle(at, 1.0, &Paint::fill(Palette::NIGHT.marker));
/// }
///
/// let mut svg = Svg::new(40.0, 30.0, "a target");
/// paint_target(&mut svg, Point { x: 20.0, y: 15.0 });
/// assert_eq!(svg.to_string().matches("<circle").count(), 2);
/// ```
pub trait Canvas: Sized {
    /// A rectangle from its top left corner.
    fn rect(&mut self, corner: Point, width: f64, height: f64, paint: &Paint);

    /// A circle.
    fn circle(&mut self, centre: Point, radius: f64, paint: &Paint);

    /// Straight lines; nothing for a path without a point. What is inside two outlines of the same turn is filled once,
    /// and a line that crosses itself is one shape, too.
    fn path(&mut self, path: &PathData, paint: &Paint);

    /// A text in the crate's own line font, with capitals `height` pixels high, from the left end of its baseline.
    fn text(&mut self, text: &str, at: Point, height: f64, color: Color);

    /// Shapes that belong together: under a class, and with a title unless it is empty. Where neither can be seen, just
    /// the shapes.
    fn group(&mut self, class: &str, title: &str, content: impl FnOnce(&mut Self));

    /// Shapes of which only the part inside an outline is shown. The name has to be used only once in a picture.
    fn clipped(&mut self, name: &str, outline: &PathData, content: impl FnOnce(&mut Self));

    /// A text around the middle of its baseline.
    fn centred_text(&mut self, text: &str, at: Point, height: f64, color: Color) {
        self.text(text, Point { x: at.x - font::width(text, height) / 2.0, ..at }, height, color);
    }
}

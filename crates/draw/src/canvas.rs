use crate::font;
use crate::paint::Paint;
use crate::palette::Color;
use crate::path::PathData;
use crate::view::Point;

/// A surface to paint shapes on: an [`Svg`](crate::Svg), or the window of a game.
///
/// Points are in pixels to the right of and below the top left corner. Later shapes cover earlier ones. This crate
/// paints only through this trait, so its pictures look the same on every canvas.
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
    /// Paints a rectangle. `corner`: its top left corner.
    fn rect(&mut self, corner: Point, width: f64, height: f64, paint: &Paint);

    /// Paints a circle.
    fn circle(&mut self, centre: Point, radius: f64, paint: &Paint);

    /// Paints straight lines; nothing for an empty path.
    ///
    /// The fill follows the nonzero rule: the overlap of two outlines with the same winding is filled once. A stroke
    /// that crosses itself is one shape too.
    fn path(&mut self, path: &PathData, paint: &Paint);

    /// Paints a text in the line font of this crate, with capitals `height` pixels high. `at`: left end of the
    /// baseline.
    fn text(&mut self, text: &str, at: Point, height: f64, color: Color);

    /// Paints shapes that belong together, under a class and a title. A canvas that shows neither just paints the
    /// shapes.
    fn group(&mut self, class: &str, title: &str, content: impl FnOnce(&mut Self));

    /// Paints shapes clipped to an outline. `name` must be unique in the picture.
    fn clipped(&mut self, name: &str, outline: &PathData, content: impl FnOnce(&mut Self));

    /// Paints a text. `at`: middle of the baseline.
    fn centred_text(&mut self, text: &str, at: Point, height: f64, color: Color) {
        self.text(text, Point { x: at.x - font::width(text, height) / 2.0, ..at }, height, color);
    }
}

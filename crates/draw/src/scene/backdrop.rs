//! Paints hills behind the map, which move more slowly than the map.

use crate::scene::camera::Size;
use crate::scene::wave::on_circle;
use crate::{Canvas, Color, Paint, Palette, PathData, Point, View};

/// Ridges of hills from far to near. For each: its motion as a fraction of the map's, the height of its middle as a
/// fraction of the window's, and the share of the solids' colour in its colour.
const RIDGES: [(f64, f64, f64); 3] = [(0.12, 0.42, 0.16), (0.25, 0.58, 0.28), (0.45, 0.76, 0.42)];

/// Waves of a ridge: length and height as fractions of the window's height.
const WAVES: [(f64, f64); 3] = [(1.13, 0.07), (0.47, 0.035), (0.19, 0.012)];

/// Distance between two points of a ridge in pixels.
const SPACING_PIXELS: f64 = 12.0;

/// Paints the hills. `middle`: y of the map's middle, in tiles. When the view is there, the hills are at their normal
/// heights.
pub fn paint(canvas: &mut impl Canvas, size: Size, view: &View, middle: f64, palette: &Palette) {
    let seen = view.top - size.height / view.scale / 2.0;
    for (motion, height, share) in RIDGES {
        let (shift, drop) = (view.left * view.scale * motion, (seen - middle) * view.scale * motion * 0.5);
        // The points are at fixed places of the ridge, so that its outline does not flicker while the view moves.
        let first = (shift / SPACING_PIXELS).floor();
        let count = (size.width / SPACING_PIXELS).ceil() as u32 + 2;
        let mut outline = PathData::new();
        let top = (0..count).map(|i| {
            let along = (first + f64::from(i)) * SPACING_PIXELS;
            let waves: f64 = WAVES
                .iter()
                .map(|(length, height)| height * on_circle(along / (length * size.height) + motion * 7.0).y)
                .sum();
            Point { x: along - shift, y: (size.height * (height + waves) + drop).min(size.height) }
        });
        let right = f64::from(count) * SPACING_PIXELS;
        let bottom = [Point { x: right, y: size.height }, Point { x: -SPACING_PIXELS, y: size.height }];
        outline.polygon(top.chain(bottom));
        canvas.path(&outline, &Paint::fill(mixed(palette.background, palette.solid, share)));
    }
}

/// Returns a colour between two: the first at 0, the second at 1.
pub fn mixed(Color(one): Color, Color(other): Color, share: f64) -> Color {
    let mix = |i: usize| (f64::from(one[i]) + (f64::from(other[i]) - f64::from(one[i])) * share).round() as u8;
    Color([mix(0), mix(1), mix(2)])
}

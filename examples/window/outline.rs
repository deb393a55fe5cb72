//! Fills shapes of any outline, which macroquad cannot do.

use macroquad::prelude::*;

/// Fills an outline, convex or not. Between two heights with corners, the sides are straight and do not cross, so that
/// strip consists of trapezoids.
pub(crate) fn fill(outline: &[Vec2], color: Color) {
    let mut heights: Vec<_> = outline.iter().map(|corner| corner.y).collect();
    heights.sort_by(f32::total_cmp);
    heights.dedup();
    for (low, high) in heights.iter().zip(&heights[1..]) {
        // Each side that crosses the strip, by its positions at both heights.
        let mut sides = Vec::new();
        for (i, b) in outline.iter().enumerate() {
            let a = outline[(i + outline.len() - 1) % outline.len()];
            if a.y.min(b.y) <= *low && *high <= a.y.max(b.y) {
                let at = |y: f32| vec2(a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y), y);
                sides.push((at(*low), at(*high)));
            }
        }
        sides.sort_by(|(a, b), (c, d)| (a.x + b.x).total_cmp(&(c.x + d.x)));
        for pair in sides.chunks_exact(2) {
            let ((a, b), (c, d)) = (pair[0], pair[1]);
            draw_triangle(a, b, c, color);
            draw_triangle(b, d, c, color);
        }
    }
}

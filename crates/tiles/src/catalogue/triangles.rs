//! Cuts the outlines of tile shapes into triangles, for drawing.

use glam::I8Vec2;

/// Returns counter-clockwise triangles that fill a closed outline once. The outline may have either winding, and must
/// not cross itself.
pub(super) fn triangulate(outline: &[I8Vec2]) -> Vec<[I8Vec2; 3]> {
    let mut left = outline.to_vec();
    let area: i32 = (0..left.len()).map(|i| left[i].as_ivec2().perp_dot(left[(i + 1) % left.len()].as_ivec2())).sum();
    if area < 0 {
        left.reverse();
    }
    let mut cut = Vec::new();
    while left.len() >= 3 {
        let n = left.len();
        let corner = |i: usize| [left[(i + n - 1) % n], left[i], left[(i + 1) % n]];
        // Remove corners on a straight side first. Otherwise such a corner would lie on the border of every ear next
        // to it.
        if let Some(flat) = (0..n).find(|&i| twice_signed_area(corner(i)) == 0) {
            left.remove(flat);
            continue;
        }
        let is_ear = |ear: [I8Vec2; 3]| {
            twice_signed_area(ear) > 0 && !left.iter().any(|&point| !ear.contains(&point) && contains(ear, point))
        };
        let Some(ear) = (0..n).find(|&i| is_ear(corner(i))) else { break };
        cut.push(corner(ear));
        left.remove(ear);
    }
    cut
}

/// Returns twice the area of a triangle, positive if the triangle is counter-clockwise.
fn twice_signed_area([a, b, c]: [I8Vec2; 3]) -> i32 {
    (b.as_ivec2() - a.as_ivec2()).perp_dot(c.as_ivec2() - a.as_ivec2())
}

/// Returns whether a point is in a closed counter-clockwise triangle.
fn contains([a, b, c]: [I8Vec2; 3], point: I8Vec2) -> bool {
    twice_signed_area([a, b, point]) >= 0
        && twice_signed_area([b, c, point]) >= 0
        && twice_signed_area([c, a, point]) >= 0
}

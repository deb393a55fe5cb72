//! Cuts closed outlines into triangles by ear clipping.

type Point = (i32, i32);

/// Returns counter-clockwise triangles that fill a simple closed outline of either winding without overlaps.
///
/// # Panics
/// If the outline has no area, or the triangles do not add up to its area because it crosses itself.
pub(crate) fn triangulate(outline: &[Point]) -> Vec<[Point; 3]> {
    let mut left = outline.to_vec();
    let area: i32 = (0..left.len()).map(|i| cross(left[i], left[(i + 1) % left.len()])).sum();
    if area < 0 {
        left.reverse();
    }
    let mut cut = Vec::new();
    while left.len() >= 3 {
        let n = left.len();
        let corner = |i: usize| [left[(i + n - 1) % n], left[i], left[(i + 1) % n]];
        // Remove corners on a straight side first: they would prevent every ear next to them.
        if let Some(flat) = (0..n).find(|&i| doubled_area(corner(i)) == 0) {
            left.remove(flat);
            continue;
        }
        let ear = (0..n).find(|&i| {
            let ear = corner(i);
            doubled_area(ear) > 0 && !left.iter().any(|&p| !ear.contains(&p) && triangle_contains(ear, p))
        });
        let Some(ear) = ear else { break };
        cut.push(corner(ear));
        left.remove(ear);
    }
    let filled: i32 = cut.iter().map(|&triangle| doubled_area(triangle)).sum();
    assert!(area != 0 && filled == area.abs(), "not a simple outline: {outline:?}");
    cut
}

fn cross(a: Point, b: Point) -> i32 {
    a.0 * b.1 - a.1 * b.0
}

/// Returns twice the area of a triangle, positive if the triangle is counter-clockwise.
fn doubled_area([a, b, c]: [Point; 3]) -> i32 {
    cross((b.0 - a.0, b.1 - a.1), (c.0 - a.0, c.1 - a.1))
}

/// Returns whether a point is in a closed counter-clockwise triangle.
fn triangle_contains([a, b, c]: [Point; 3], p: Point) -> bool {
    doubled_area([a, b, p]) >= 0 && doubled_area([b, c, p]) >= 0 && doubled_area([c, a, p]) >= 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brute_force::{OUTLINES, is_inside};

    /// Checks that each point off the triangles' sides is in one triangle if it is inside the outline, else in none.
    fn check(outline: &[Point]) {
        let fine = |(x, y): Point| (x * 101, y * 101);
        let scaled: Vec<_> = outline.iter().copied().map(fine).collect();
        let cut = triangulate(outline);
        for (x, y) in (0..32 * 32).map(|i| (i % 32 * 53 + 7, i / 32 * 53 + 11)) {
            let sides = cut.iter().map(|triangle| triangle.map(fine));
            let count = sides.filter(|&triangle| triangle_contains(triangle, (x, y))).count();
            let on_a_side = cut
                .iter()
                .map(|triangle| triangle.map(fine))
                .any(|[a, b, c]| [[a, b], [b, c], [c, a]].iter().any(|&[p, q]| doubled_area([p, q, (x, y)]) == 0));
            let expected = usize::from(is_inside(&scaled, (x.into(), y.into()), 1));
            assert!(on_a_side || count == expected, "{outline:?} at ({x}, {y}): {count} triangles");
        }
    }

    #[test]
    fn triangles_fill_outlines_once() {
        for outline in OUTLINES {
            check(outline);
            let mut backwards = outline.to_vec();
            backwards.reverse();
            check(&backwards);
            backwards.rotate_left(2);
            check(&backwards);
        }
    }

    #[test]
    fn outlines_may_have_corners_on_a_straight_side() {
        check(&[(0, 0), (8, 0), (16, 0), (16, 5), (16, 16), (0, 16), (0, 8)]);
        assert_eq!(triangulate(&[(0, 0), (8, 0), (16, 0), (8, 8)]).len(), 1);
    }

    #[test]
    #[should_panic(expected = "not a simple outline")]
    fn outlines_that_cross_themselves_are_refused() {
        triangulate(&[(0, 0), (16, 16), (16, 0), (0, 10)]);
    }
}

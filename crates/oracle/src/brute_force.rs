//! Brute force for the tests, without triangles and separating axes.

/// Simple outlines: convex, notched, spiral and star-shaped.
pub(crate) const OUTLINES: &[&[(i32, i32)]] = &[
    &[(0, 16), (16, 16), (16, 0), (0, 0)],
    &[(0, 0), (16, 16), (16, 0)],
    &[(0, 0), (16, 8), (16, 0)],
    &[(0, 16), (8, 16), (8, 8), (16, 8), (16, 0), (0, 0)],
    &[(0, 16), (1, 11), (3, 7), (7, 3), (11, 1), (16, 0), (0, 0)],
    &[(0, 16), (5, 15), (9, 13), (13, 9), (15, 5), (16, 0), (0, 0)],
    &[(8, 16), (10, 10), (16, 8), (10, 6), (8, 0), (6, 6), (0, 8), (6, 10)],
    &[(4, 16), (12, 16), (12, 12), (16, 12), (16, 4), (12, 4), (12, 0), (4, 0), (4, 4), (0, 4), (0, 12), (4, 12)],
    &[(0, 0), (0, 16), (3, 16), (3, 2), (6, 2), (6, 16), (9, 16), (9, 2), (13, 2), (13, 16), (16, 16), (16, 0)],
    &[
        (0, 0),
        (16, 0),
        (16, 16),
        (2, 16),
        (2, 4),
        (12, 4),
        (12, 12),
        (5, 12),
        (6, 11),
        (11, 11),
        (11, 5),
        (3, 5),
        (3, 15),
        (15, 15),
        (15, 1),
        (0, 1),
    ],
];

/// Returns whether a point is inside a closed outline, by counting crossings to its right. `scale` multiplies the
/// outline.
pub(crate) fn is_inside(outline: &[(i32, i32)], (x, y): (i128, i128), scale: i128) -> bool {
    let mut odd = false;
    for i in 0..outline.len() {
        let (a, b) = (outline[i], outline[(i + 1) % outline.len()]);
        let (ax, ay, bx, by) = (scaled(a.0, scale), scaled(a.1, scale), scaled(b.0, scale), scaled(b.1, scale));
        if (ay > y) != (by > y) {
            // At height y the side is at ax + (y - ay) (bx - ax) / (by - ay). Count it if that is to the right of x.
            let right = (ax - x) * (by - ay) + (y - ay) * (bx - ax);
            odd ^= if by > ay { right > 0 } else { right < 0 };
        }
    }
    odd
}

fn scaled(coordinate: i32, scale: i128) -> i128 {
    i128::from(coordinate) * scale
}

/// Returns whether an open box overlaps a segment, by clipping the segment against the four sides of the box.
pub(crate) fn box_overlaps_segment(c: (i128, i128), half: (i128, i128), a: (i128, i128), b: (i128, i128)) -> bool {
    // `from` and `to` are the ends of the part that is strictly inside both strips, as fractions of the segment's
    // length.
    let (mut from, mut to) = ((0, 1), (1, 1));
    for (c, half, a, b) in [(c.0, half.0, a.0, b.0), (c.1, half.1, a.1, b.1)] {
        let (low, high, length) = (c - half - a, c + half - a, b - a);
        if length == 0 {
            if low >= 0 || high <= 0 {
                return false;
            }
            continue;
        }
        let (enter, leave) =
            if length > 0 { ((low, length), (high, length)) } else { ((-high, -length), (-low, -length)) };
        if enter.0 * from.1 > from.0 * enter.1 {
            from = enter;
        }
        if leave.0 * to.1 < to.0 * leave.1 {
            to = leave;
        }
    }
    from.0 * to.1 < to.0 * from.1
}

/// Returns whether an open box overlaps the interior of an outline: a side passes through the box, or the whole box is
/// inside.
pub(crate) fn box_overlaps_outline(c: (i128, i128), half: (i128, i128), outline: &[(i32, i32)], scale: i128) -> bool {
    let point = |p: (i32, i32)| (scaled(p.0, scale), scaled(p.1, scale));
    let sides = || (0..outline.len()).map(|i| (point(outline[i]), point(outline[(i + 1) % outline.len()])));
    sides().any(|(a, b)| box_overlaps_segment(c, half, a, b)) || is_inside(outline, c, scale)
}

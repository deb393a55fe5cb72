//! Approximates circles by polygons.

use crate::scene::tolerance::FLATNESS;
use std::sync::LazyLock;
use surefoot::geometry::DVec2;

/// Unit vectors all around a circle. Each step halves the angles: between two neighbours it inserts their normalized
/// sum.
pub(crate) static AROUND: LazyLock<Vec<DVec2>> = LazyLock::new(|| {
    let mut around = vec![DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y];
    while around.len() < 1024 {
        let next = around.iter().cycle().skip(1);
        around = around.iter().zip(next).flat_map(|(&a, &b)| [a, (a + b).normalize()]).collect();
    }
    around
});

/// Returns unit vectors to the corners of a polygon that approximates a circle of that radius within [`FLATNESS`].
pub(crate) fn circle_directions(radius: f64) -> impl Iterator<Item = DVec2> + Clone {
    // With n corners, the middles of the sides are about r (pi / n)^2 / 2 from the circle; 5 is slightly more than pi^2
    // / 2.
    let mut corners = 8;
    while corners < AROUND.len() && 5.0 * radius > FLATNESS * (corners * corners) as f64 {
        corners *= 2;
    }
    AROUND.iter().copied().step_by(AROUND.len() / corners)
}

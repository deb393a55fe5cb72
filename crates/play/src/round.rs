//! Circles as polygons.

use crate::tolerance::FLATNESS;
use std::sync::LazyLock;
use surefoot::geometry::DVec2;

/// Unit vectors all around. Each time the angles between are halved, by adding neighbours.
pub(crate) static AROUND: LazyLock<Vec<DVec2>> = LazyLock::new(|| {
    let mut around = vec![DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y];
    while around.len() < 1024 {
        let next = around.iter().cycle().skip(1);
        around = around.iter().zip(next).flat_map(|(&a, &b)| [a, (a + b).normalize()]).collect();
    }
    around
});

/// Unit vectors to the corners of a polygon that is as good as a circle of that radius.
pub(crate) fn circle(radius: f64) -> impl Iterator<Item = DVec2> + Clone {
    // Of n corners, the sides' middles are about r (pi / n)^2 / 2 from the circle; 5 is a little more than pi^2 / 2.
    let mut corners = 8;
    while corners < AROUND.len() && 5.0 * radius > FLATNESS * (corners * corners) as f64 {
        corners *= 2;
    }
    AROUND.iter().copied().step_by(AROUND.len() / corners)
}

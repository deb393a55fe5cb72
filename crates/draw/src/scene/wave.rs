//! Periodic motion without trigonometric functions.

use surefoot::geometry::DVec2;

/// Returns the point of the unit circle after `turns` turns from the x axis towards the y axis. The speed along the
/// circle differs by up to a fifth, too little to see on a small ball or foot.
pub fn on_circle(turns: f64) -> DVec2 {
    let quarters = (turns - turns.floor()) * 4.0;
    let (quarter, t) = (quarters.floor(), quarters - quarters.floor());
    // The quarter circle has the points (1 - t^2, 2 t) / (1 + t^2) for t from 0 to 1.
    let point = DVec2::new(1.0 - t * t, 2.0 * t) / (1.0 + t * t);
    (0..quarter as u8).fold(point, |point, _| point.perp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_goes_through_the_axes_on_the_circle() {
        for (turns, expected) in
            [(0.0, DVec2::X), (0.25, DVec2::Y), (0.5, -DVec2::X), (-0.25, -DVec2::Y), (3.25, DVec2::Y)]
        {
            assert!((on_circle(turns) - expected).length() < 1e-12, "{turns}");
        }
        for i in -50..50 {
            let (a, b) = (on_circle(f64::from(i) / 37.0), on_circle((f64::from(i) + 0.1) / 37.0));
            assert!((a.length() - 1.0).abs() < 1e-12 && a.perp_dot(b) > 0.0, "{i}");
        }
    }
}

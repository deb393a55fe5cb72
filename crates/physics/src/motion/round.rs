//! A circle that walks round a corner. Each leg follows two tangents of the arc around the corner, computed without
//! trigonometry.

use super::surface::Surface;
use super::tolerance;
use glam::{DVec2, I64Vec2};
use surefoot_geometry::exact::{tangent, wide_dot};

/// The turn of a circle round a corner in one leg.
pub(super) struct RoundTurn {
    /// Tangent of half of the angle by which the circle turns.
    half_tan: f64,
    /// Direction from the corner to the circle at the end of the leg, if that is along an axis.
    onto: Option<I64Vec2>,
}

impl RoundTurn {
    /// Returns how far the circle turns in one leg. The nearest of these limits counts:
    /// - the length of the walk that is left,
    /// - the end of the corner's cone, which is the range of normals between the two sides of the corner,
    /// - the next axis direction,
    /// - a little beyond `leaves`, the direction in which the circle leaves the corner,
    /// - the maximum angle for which the series below are good to 1e-9.
    #[inline(always)]
    pub(super) fn turn_of_next_leg(
        ground: &Surface,
        start: I64Vec2,
        sign: i64,
        (length, radius): (f64, i64),
        leaves: Option<DVec2>,
    ) -> RoundTurn {
        let radius = radius as f64;
        let mut wanted = tangent_of_half_angle((length / radius).min(2.0 * tolerance::MAX_ARC_HALF_TAN));
        if let Some(leaves) = leaves {
            let to_there = tangent_of_half_turn_to_bound(leaves.perp() * sign as f64, start.as_dvec2());
            wanted = wanted.min(to_there + tolerance::PAST_ARC_UNITS / radius);
        }
        // A circle touches a corner only with certain normals: the corner's cone. `before` and `after` bound the cone.
        // Each is perpendicular to one end of the cone and points into it. If the circle walks to the right, its centre
        // goes clockwise round the corner, so `after` is the bound ahead of it.
        let bound = if sign > 0 { ground.piece.after } else { ground.piece.before }.as_i64vec2();
        let cone_end = -bound.perp() * sign;
        let axis = next_axis_direction(start, sign);
        let ahead = |direction: I64Vec2| direction.perp() * sign;
        // The next axis direction is inside the cone if it does not point against the bound.
        let onto = if axis.dot(bound) >= 0 { axis } else { cone_end };
        let to_end = tangent_of_half_turn_to_bound(ahead(onto).as_dvec2(), start.as_dvec2());
        let is_axis = onto.x == 0 || onto.y == 0;
        if to_end > 0.0 && is_axis && wanted + tolerance::MIN_WALK_UNITS / radius >= to_end {
            return RoundTurn { half_tan: to_end, onto: Some(onto.signum()) };
        }
        // Go a little beyond the end, so that the next face supports the circle.
        RoundTurn { half_tan: wanted.min(to_end + tolerance::PAST_ARC_UNITS / radius), onto: None }
    }

    /// Returns the angle of the turn in radians.
    pub(super) fn angle(&self) -> f64 {
        2.0 * arctangent(self.half_tan)
    }

    /// Returns where the two tangents meet and where the leg ends, relative to the corner.
    #[inline(always)]
    pub(super) fn leg_middle_and_end(&self, start: I64Vec2, sign: i64, radius: i64) -> [I64Vec2; 2] {
        let offset = start.as_dvec2();
        let clockwise = DVec2::new(offset.y, -offset.x) * sign as f64;
        if let Some(onto) = self.onto {
            let (end, way) = (onto * radius, tangent(onto) * sign);
            let (rise, total) = (radius - start.dot(onto), (end - start).dot(way));
            // The leg goes straight from `start` to `middle`, and then along the tangent of the arc at `end`. So
            // `middle` must be as high as `end`, measured along `onto`. `middle` lies as far forward as possible: if it
            // were further forward, the straight part from `start` would lead into the arc.
            let (high, behind) = (start.dot(onto), -start.dot(way));
            let most = i128::from(high) * i128::from(rise.max(0)) / i128::from(behind.max(1));
            let along = i128::from(total).min(most) as i64;
            let middle = if rise > 0 && along > 0 { start + onto * rise + way * along } else { end };
            return [middle, end];
        }
        let first = clockwise * self.half_tan;
        // Turns the offset by twice the angle whose tangent is `half_tan`, without trigonometry.
        let square = self.half_tan * self.half_tan;
        let end = (offset * (1.0 - square) + clockwise * (2.0 * self.half_tan)) / (1.0 + square);
        let end = round_to_radius(end, radius);
        let first = I64Vec2::new(round_out_of_arc(first.x, offset.x), round_out_of_arc(first.y, offset.y));
        [start + first, end]
    }
}

/// Returns the next axis direction that an offset reaches when it turns clockwise (`sign` 1) or counter-clockwise. Its
/// present direction does not count.
fn next_axis_direction(offset: I64Vec2, sign: i64) -> I64Vec2 {
    let ahead = tangent(offset) * sign;
    let (x, y) = (I64Vec2::new(offset.x.signum(), 0), I64Vec2::new(0, offset.y.signum()));
    match (offset.x, offset.y) {
        (0, _) => I64Vec2::new(ahead.x.signum(), 0),
        (_, 0) => I64Vec2::new(0, ahead.y.signum()),
        _ if wide_dot(x, ahead) > 0 => x,
        _ => y,
    }
}

/// Returns the tangent of half the angle by which an offset must turn until its dot product with a bound is 0. For
/// angles up to 90 degrees; 0 beyond the bound.
fn tangent_of_half_turn_to_bound(bound: DVec2, offset: DVec2) -> f64 {
    let (dot, cross) = (bound.dot(offset), bound.perp_dot(offset).abs());
    dot.max(0.0) / (cross + (dot * dot + cross * cross).sqrt())
}

/// Returns the rest of a corner's cone in a walk direction, as the tangent of half the angle.
pub(super) fn half_angle_tangent_to_cone_end(ground: &Surface, offset: I64Vec2, sign: i64) -> f64 {
    tangent_of_half_turn_to_bound(
        if sign > 0 { ground.piece.after } else { ground.piece.before }.as_dvec2(),
        offset.as_dvec2(),
    )
}

/// Returns tan(angle / 2) by its series, for angles up to 1/2.
fn tangent_of_half_angle(angle: f64) -> f64 {
    let x = angle / 2.0;
    let s = x * x;
    x * (1.0 + s * (1.0 / 3.0 + s * (2.0 / 15.0 + s * (17.0 / 315.0 + s * (62.0 / 2835.0 + s * (1382.0 / 155_925.0))))))
}

/// Returns atan(t) by its series, for tangents up to about 1/4.
fn arctangent(t: f64) -> f64 {
    let s = t * t;
    t * (1.0 - s * (1.0 / 3.0 - s * (1.0 / 5.0 - s * (1.0 / 7.0 - s * (1.0 / 9.0 - s * (1.0 / 11.0 - s / 13.0))))))
}

/// Returns an integer offset in that direction that is at least as long as the radius, but at most the radius on each
/// axis.
fn round_to_radius(offset: DVec2, radius: i64) -> I64Vec2 {
    let scaled = offset * (radius as f64 / offset.length());
    let most = I64Vec2::splat(radius);
    let mut whole = I64Vec2::new(round_away_from_zero(scaled.x), round_away_from_zero(scaled.y)).clamp(-most, most);
    let length_sq = |v: I64Vec2| i128::from(v.x) * i128::from(v.x) + i128::from(v.y) * i128::from(v.y);
    while length_sq(whole) < i128::from(radius) * i128::from(radius) {
        whole = (whole + whole.signum()).clamp(-most, most);
    }
    whole
}

fn round_away_from_zero(value: f64) -> i64 {
    if value < 0.0 { value.floor() as i64 } else { value.ceil() as i64 }
}

/// Rounds a component to the side of the offset, so that a tangent points out of the arc rather than into it. Rounds
/// towards zero if the offset is 0.
fn round_out_of_arc(value: f64, offset: f64) -> i64 {
    if offset < 0.0 {
        value.floor() as i64
    } else if offset > 0.0 {
        value.ceil() as i64
    } else {
        value as i64
    }
}

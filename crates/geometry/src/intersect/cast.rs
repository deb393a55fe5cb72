use super::linear::{LineCrossing, Linear};
use super::{round, straight};
use crate::exact_arith::unit;
use crate::shapes::{AnyShape, Extent, Ray};
use crate::sweep::Hit;

/// Returns where a ray first enters a shape.
pub(crate) fn cast_ray(shape: AnyShape<'_>, ray: &Ray) -> Option<Hit> {
    let (core, ray) = (shape.core(), Linear::from(ray));
    match (core.corners.as_slice(), core.radius > 0.0) {
        (&[center], true) => round::cast(ray, center, center, core.radius),
        (&[p, q], true) => round::cast(ray, p, q, core.radius),
        (&[_], false) => None,
        (&[a, b], false) if core.extent == Extent::Bounded => {
            cast_ray_at_line(ray, Linear::side_from_nearer_end(a, b, ray))
        }
        (&[a, b], false) => cast_ray_at_line(ray, Linear { a, b, extent: core.extent }),
        (corners, _) => straight::cast(ray, corners),
    }
}

fn cast_ray_at_line(ray: Linear, obstacle: Linear) -> Option<Hit> {
    let crossed = LineCrossing::new(ray, obstacle).filter(LineCrossing::is_inside_both)?;
    let crossing = crossed.crossing();
    let left = unit((obstacle.b - obstacle.a).perp())?;
    let normal = if crossed.first_starts_left_of_second() { left } else { -left };
    // Adding zero turns -0 into 0.
    Some(Hit { toi: crossing.t, point: crossing.point, normal: normal + glam::DVec2::ZERO })
}

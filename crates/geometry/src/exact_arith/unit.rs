use crate::tolerance::UNIT;
use glam::DVec2;

/// Returns `v` with length 1; `None` for a zero vector, or if both coordinates are NaN. No coordinate may be infinite.
///
/// Along an axis, the result is exact. Swapped or negated coordinates give the swapped or negated result. Coordinates
/// may be as small as f64 gets: they are scaled before they are squared.
pub(crate) fn unit(v: DVec2) -> Option<DVec2> {
    let largest = v.x.abs().max(v.y.abs());
    // Do not write `largest != 0.0`, which NaN fulfils.
    if largest > 0.0 {
        let v = v / largest;
        // Adding zero turns -0 into 0.
        Some(v / (v.x * v.x + v.y * v.y).sqrt() + DVec2::ZERO)
    } else {
        None
    }
}

/// Returns the direction halfway between the outward normals of the two sides at a corner.
///
/// At a very sharp corner, the normals are almost opposite, and their sum is only rounding. There, use the difference
/// of the two directions instead: both point to the corner, so the difference points out of it.
pub(crate) fn halfway_direction(arriving: DVec2, leaving: DVec2) -> Option<DVec2> {
    if arriving.dot(leaving) < 0.0 { unit((arriving - leaving).perp()) } else { unit(arriving + leaving) }
}

/// Returns `v` with length 1. A vector that already has unit length stays the same, bit for bit: so a direction
/// survives writing to a file and reading it back.
pub(crate) fn normalize_unless_unit(v: DVec2) -> Option<DVec2> {
    let is_unit = (v.x * v.x + v.y * v.y - 1.0).abs() <= UNIT;
    if is_unit { Some(v + DVec2::ZERO) } else { unit(v) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec2;

    #[test]
    fn a_direction_is_kept_once_it_is_of_unit_length() {
        for x in -40..=40 {
            for y in -40..=40 {
                let Some(once) = normalize_unless_unit(dvec2(f64::from(x) * 0.3, f64::from(y) * 1e-4)) else {
                    assert_eq!((x, y), (0, 0));
                    continue;
                };
                assert_eq!(normalize_unless_unit(once), Some(once));
            }
        }
    }

    #[test]
    fn the_smallest_vectors_have_a_direction() {
        let tiny = f64::from_bits(1);
        assert_eq!(unit(dvec2(tiny, 0.0)), Some(DVec2::X));
        assert_eq!(unit(dvec2(-tiny, -tiny)), unit(dvec2(-7.0, -7.0)));
        assert_eq!((unit(DVec2::ZERO), unit(DVec2::NAN)), (None, None));
    }
}

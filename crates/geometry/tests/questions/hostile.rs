//! No query panics or returns NaN. Shapes are anything that constructors accept, with all textures mixed in one scene.
//! Vectors are unchecked.

use crate::cases::{Owned, shape, texture, vector};
use crate::run::run;
use proptest::prelude::*;
use proptest::sample::select;
use surefoot_geometry::{
    Aabb, Chord, ChordPoint, Circle, Crossing, DVec2, Ends, Hit, Intersect, Intersection, MAX_COORDINATE, Shape, Sweep,
    dvec2,
};

/// Numbers from a bug, or from a formula that went wrong.
fn hostile() -> BoxedStrategy<DVec2> {
    let number = select(vec![
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        -f64::MAX,
        1e300,
        -1e300,
        f64::MIN_POSITIVE,
        -f64::from_bits(1),
        1e-310,
        -0.0,
        0.0,
        1.0,
        2.0 * MAX_COORDINATE,
        -2.0 * MAX_COORDINATE,
        (2.0 * MAX_COORDINATE).next_up(),
    ]);
    let bad = [number.clone(), number].prop_map(DVec2::from);
    prop_oneof![2 => bad, 1 => texture().prop_flat_map(vector)].boxed()
}

fn is_point(point: DVec2) -> bool {
    !point.is_nan()
}

fn is_hit(hit: Hit, last: f64) -> bool {
    hit.toi >= 0.0 && hit.toi <= last && is_point(hit.point) && hit.normal.is_finite()
}

fn is_sound_sweep(sweep: Sweep) -> bool {
    sweep.hit().is_none_or(|hit| is_hit(hit, 1.0))
}

/// A result of `intersect` that can be checked for NaN.
trait Sound {
    fn is_sound(&self) -> bool;
}

impl Sound for ChordPoint {
    fn is_sound(&self) -> bool {
        is_point(self.point) && !self.t.is_nan()
    }
}

impl Sound for Crossing {
    fn is_sound(&self) -> bool {
        is_point(self.point) && !self.t.is_nan() && !self.u.is_nan()
    }
}

impl Sound for Chord {
    fn is_sound(&self) -> bool {
        match self {
            Chord::None => true,
            Chord::Point(at) => at.is_sound(),
            Chord::Segment(from, to) => from.is_sound() && to.is_sound() && from.t <= to.t,
        }
    }
}

impl Sound for Intersection {
    fn is_sound(&self) -> bool {
        match self {
            Intersection::None | Intersection::Line => true,
            Intersection::Point(at) | Intersection::Ray(at) => at.is_sound(),
            Intersection::Segment(from, to) => from.is_sound() && to.is_sound() && from.t <= to.t,
        }
    }
}

impl Sound for Option<Aabb> {
    fn is_sound(&self) -> bool {
        self.is_none_or(|shared| shared.min().cmple(shared.max()).all())
    }
}

fn intersections_are_sound(a: &Owned, b: &Owned) -> bool {
    macro_rules! with {
        ($a:expr; $($kind:ident)*) => {
            match b {
                $( Owned::$kind(b) => $a.intersect(b).is_sound(), )*
            }
        };
    }
    macro_rules! linear_with {
        ($a:expr) => {
            with!($a; Point Line Ray Segment Circle Aabb Obb Capsule Triangle ConvexPolygon)
        };
    }
    match (a, b) {
        (Owned::Line(a), _) => linear_with!(a),
        (Owned::Ray(a), _) => linear_with!(a),
        (Owned::Segment(a), _) => linear_with!(a),
        (Owned::Aabb(a), Owned::Aabb(b)) => a.intersect(b).is_sound(),
        _ => true,
    }
}

fn sweeps_are_sound(mover: &Owned, motion: DVec2, obstacle: &Owned, carried: DVec2) -> bool {
    macro_rules! against {
        ($mover:expr; $($kind:ident)*) => {
            match obstacle {
                $(
                    Owned::$kind(obstacle) => {
                        is_sound_sweep($mover.sweep(motion, obstacle))
                            && is_sound_sweep($mover.sweep_moving(motion, obstacle, carried))
                    }
                )*
                Owned::Line(_) | Owned::Ray(_) => true,
            }
        };
    }
    let one_sided = |sweep: &dyn Fn(&surefoot_geometry::Segment, Ends) -> Sweep| match obstacle {
        Owned::Segment(edge) => is_sound_sweep(sweep(edge, Ends::BOTH)),
        _ => true,
    };
    let of_circle = |mover: &Circle| {
        against!(mover; Point Segment Circle Aabb Obb Capsule Triangle ConvexPolygon)
            && one_sided(&|edge, ends| mover.sweep_one_sided(motion, edge, ends))
    };
    let of_box = |mover: &Aabb| {
        against!(mover; Point Segment Circle Aabb Obb Capsule Triangle ConvexPolygon)
            && one_sided(&|edge, ends| mover.sweep_one_sided(motion, edge, ends))
    };
    match mover {
        Owned::Circle(mover) => of_circle(mover),
        Owned::Aabb(mover) => of_box(mover),
        _ => true,
    }
}

#[test]
fn nothing_panics_or_is_nan() {
    let scene = (texture(), texture()).prop_flat_map(|(one, other)| (shape(one), shape(other), hostile(), hostile()));
    run(("nothing_panics_or_is_nan", file!()), 6000, scene, |(a, b, raw, other_raw)| {
        let (one, other) = (a.any(), b.any());
        let (distance, distance_sq) = (one.distance(&other), one.distance_sq(&other));
        prop_assert!(distance >= 0.0 && distance.is_finite() && distance_sq >= 0.0 && distance_sq.is_finite());
        let _ = (one.overlaps(&other), one.touches(&other));
        if let Some(contact) = one.contact(&other) {
            prop_assert!(contact.point.is_finite() && contact.normal.is_finite() && contact.depth.is_finite());
            prop_assert!((contact.normal.length_squared() - 1.0).abs() <= 8.0 * f64::EPSILON, "{:?}", contact);
        }
        prop_assert!(intersections_are_sound(&a, &b));
        if let Owned::Ray(ray) = &b {
            let hit = one.cast_ray(ray);
            prop_assert!(hit.is_none_or(|hit| is_hit(hit, f64::INFINITY)), "{:?}", hit);
        }
        prop_assert!(!one.contains(raw) || raw.is_finite());
        prop_assert!(one.closest_point(raw).is_finite());
        prop_assert!(sweeps_are_sound(&a, raw, &b, other_raw));
        prop_assert!(sweeps_are_sound(&a, raw, &b, dvec2(1.0, 0.5)));
        Ok(())
    });
}

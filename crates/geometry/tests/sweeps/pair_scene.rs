//! Pairs of shapes in whole units. One is aimed at the outline of the other, so that touches, grazes and corners on
//! corners are frequent.

use surefoot_geometry::exact::Collider;
use surefoot_geometry::{DVec2, I64Vec2, ONE};
use surefoot_random::Random;

#[derive(Clone, Copy, Debug)]
pub(crate) struct PairScene {
    pub(crate) a: Collider,
    pub(crate) b: Collider,
    pub(crate) offset: I64Vec2,
    pub(crate) motion: I64Vec2,
    pub(crate) up: I64Vec2,
}

/// The longest relative motion on an axis.
const LONGEST: i64 = 1 << 43;

/// The kind of numbers in a scene.
#[derive(Clone, Copy)]
enum Numbers {
    /// A few units, so that most scenes are ties of some kind.
    Few,
    /// Multiples of 1/16.
    Lattice,
    Any,
}

pub(crate) struct PairScenes(pub(crate) Random);

impl PairScenes {
    fn vector(&mut self, reach: i64) -> I64Vec2 {
        I64Vec2::new(self.0.between(-reach, reach), self.0.between(-reach, reach))
    }

    fn size(&mut self, numbers: Numbers) -> i64 {
        match numbers {
            Numbers::Few => self.0.between(1, 6),
            Numbers::Lattice => self.0.between(1, 48) * (ONE / 16),
            Numbers::Any => {
                let largest = self.0.pick(&[500, ONE / 20, ONE, 64 * ONE]);
                // Multiples of five touch exactly in the direction (3, 4).
                if self.0.one_in(2) { self.0.between(1, largest / 5) * 5 } else { self.0.between(1, largest) }
            }
        }
    }

    fn collider(&mut self, numbers: Numbers) -> Collider {
        if self.0.one_in(2) {
            Collider::Circle { radius: self.size(numbers) }
        } else {
            Collider::Aabb { half: I64Vec2::new(self.size(numbers), self.size(numbers)) }
        }
    }

    /// Returns a position of `a` in which it touches or nearly touches `b`, and the direction of the outline there.
    fn touching(&mut self, a: Collider, b: Collider) -> (I64Vec2, DVec2) {
        let parts = |shape| match shape {
            Collider::Circle { radius } => (I64Vec2::ZERO, radius),
            Collider::Aabb { half } => (half, 0),
        };
        let (half, radius) = (parts(a).0 + parts(b).0, parts(a).1 + parts(b).1);
        let side = self.0.pick(&[-1, 1]);
        let corner = half * I64Vec2::new(side, self.0.pick(&[-1, 1]));
        match self.0.between(0, 7) {
            0 => (I64Vec2::new(side * (half.x + radius), self.0.between(-half.y, half.y)), DVec2::Y),
            1 => (I64Vec2::new(self.0.between(-half.x, half.x), side * (half.y + radius)), DVec2::X),
            2 => (corner + I64Vec2::new(corner.x.signum() * radius, 0), DVec2::Y),
            3 => (corner + I64Vec2::new(0, corner.y.signum() * radius), DVec2::X),
            4 | 5 => {
                let fifths = I64Vec2::from(self.0.pick(&[(3, 4), (4, 3), (3, -4), (-4, 3), (-3, -4)]));
                (corner + fifths * (radius / 5), fifths.perp().as_dvec2() / 5.0)
            }
            _ => {
                let along = self.vector(ONE).as_dvec2().normalize_or(DVec2::X);
                (corner + (along.perp() * radius as f64).round().as_i64vec2(), along)
            }
        }
    }

    /// Returns a number of equal steps, and the step.
    fn motion(&mut self, numbers: Numbers, along: DVec2) -> (i64, I64Vec2) {
        let steps = self.0.pick(&[1, 2, 4, 8, 64]);
        let (reach, of) = match numbers {
            Numbers::Few => (self.0.pick(&[1, 3, 12]), 1),
            Numbers::Lattice => (self.0.pick(&[2, 40]), ONE / 16),
            Numbers::Any => (self.0.pick(&[2, ONE / 256, ONE, 80 * ONE, LONGEST]) / steps, 1),
        };
        let random = self.vector(reach.max(1)) * of;
        let step = match self.0.between(0, 8) {
            0 => I64Vec2::new(random.x, 0),
            1 => I64Vec2::new(0, random.y),
            2 => I64Vec2::splat(random.x),
            3 => I64Vec2::new(random.x, -random.x),
            // The step runs along the outline, up to rounding.
            4 | 5 => (along * random.x as f64).round().as_i64vec2(),
            _ => random,
        };
        (steps, step)
    }

    pub(crate) fn scene(&mut self) -> PairScene {
        let numbers = self.0.pick(&[Numbers::Few, Numbers::Lattice, Numbers::Any, Numbers::Any]);
        let (a, b) = (self.collider(numbers), self.collider(numbers));
        let (touching, along) = self.touching(a, b);
        let (steps, step) = self.motion(numbers, along);
        // Most steps move closer.
        let inwards = step.as_dvec2().dot(touching.as_dvec2()) <= 0.0 || self.0.one_in(4);
        let step = if inwards { step } else { -step };
        // A single unit decides between hit and miss, so shift the path by up to one unit. For large shapes, vary the
        // depth of a graze by more.
        let beside = match (self.0.between(0, 5), numbers) {
            (0..=2, _) => I64Vec2::ZERO,
            (3, Numbers::Any) => {
                let depth = 1 << self.0.between(1, 24);
                self.vector(depth)
            }
            _ => self.vector(1),
        };
        let back = self.0.between(0, steps);
        let up = I64Vec2::from(self.0.pick(&[(0, 1), (0, 1), (1, 0), (0, -1), (-1, 0)]));
        PairScene { a, b, offset: touching + beside - step * back, motion: step * steps, up }
    }
}

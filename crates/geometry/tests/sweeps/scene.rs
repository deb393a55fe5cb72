//! Scenes in whole units. A mover is aimed at a part of an edge, so that exact touches, exact corners and misses by one
//! unit are frequent.

use surefoot_geometry::{I64Vec2, ONE};
use surefoot_random::Random;

/// Kind of an end of an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum End {
    /// Cannot be hit: the next edge continues here.
    Joined,
    /// A free end of the f64 sweeps: normals over a quarter turn, including both bounds.
    Rim,
    /// A free end of the exact sweeps: a quarter turn without the tangent, hit only by motion against the normal.
    Free,
    /// A corner, hit with normals up to this one.
    Convex(I64Vec2),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene {
    pub(crate) center: I64Vec2,
    /// Half-extents of a box. For a circle, x is the radius.
    pub(crate) half: I64Vec2,
    pub(crate) motion: I64Vec2,
    pub(crate) a: I64Vec2,
    pub(crate) b: I64Vec2,
    pub(crate) start: End,
    pub(crate) end: End,
}

impl Scene {
    pub(crate) fn tangent(&self) -> I64Vec2 {
        self.b - self.a
    }

    pub(crate) fn normal(&self) -> I64Vec2 {
        self.tangent().perp()
    }
}

/// Generates random scenes and their parts.
pub(crate) struct Scenes(pub(crate) Random);

impl Scenes {
    /// A number in `from..=to`.
    pub(crate) fn range(&mut self, from: i64, to: i64) -> i64 {
        self.0.between(from, to)
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.0.one_in(n)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        self.0.pick(from)
    }

    fn vector(&mut self, reach: i64) -> I64Vec2 {
        I64Vec2::new(self.range(-reach, reach), self.range(-reach, reach))
    }

    /// The start of an edge, its direction in small integers, and its end.
    fn edge(&mut self) -> (I64Vec2, I64Vec2, I64Vec2) {
        let lattice = ONE / 16;
        let reach = self.pick(&[2, 2, 400]);
        let place = self.vector(reach * 16) * lattice;
        let largest = self.pick(&[1, 1, 2, 5, 16, 1000]);
        let mut direction = self.vector(largest);
        while direction == I64Vec2::ZERO {
            direction = self.vector(largest);
        }
        let longest = 64 * 16 / largest;
        let step = if self.one_in(2) { lattice } else { self.range(1, lattice) };
        let a = if self.one_in(2) { place } else { place + self.vector(lattice) };
        (a, direction, a + direction * (self.range(1, longest.max(1)) * step))
    }

    /// A displacement of up to about 100 lengths, as a number of equal steps and the step.
    fn motion(&mut self, direction: I64Vec2) -> (i64, I64Vec2) {
        let steps = self.pick(&[1, 2, 4, 8, 64]);
        let reach = self.pick(&[2, ONE / 256, ONE, 80 * ONE]) / steps + 1;
        let random = self.vector(reach);
        let step = match self.range(0, 7) {
            0 => I64Vec2::new(random.x, 0),
            1 => I64Vec2::new(0, random.y),
            2 => I64Vec2::splat(random.x),
            3 => I64Vec2::new(random.x, -random.x),
            // The motion is along the edge, or nearly so.
            4 | 5 => {
                let longest = direction.abs().max_element();
                let nearly = self.vector(1) * self.range(0, 3);
                direction * (random.x / longest) + nearly
            }
            _ => random,
        };
        (steps, step)
    }

    fn end(&mut self, normal: I64Vec2, outward: I64Vec2, exact: bool) -> End {
        if self.one_in(2) {
            return End::Joined;
        } else if !exact {
            return End::Rim;
        } else if self.one_in(3) {
            return End::Free;
        }
        // Turn the next normal outwards from this one by at most half a turn. Half a turn gives the end of a thin wall.
        let turned = match self.range(0, 5) {
            0 => -normal,
            1 => outward,
            2 => outward - normal,
            _ => normal * self.range(-4, 4) + outward * self.range(1, 4),
        };
        End::Convex(turned)
    }

    /// A box, or a circle of radius `half.x`, aimed at the edge. The ends have the kinds of the exact or of the f64
    /// sweeps.
    pub(crate) fn scene(&mut self, round: bool, exact: bool) -> Scene {
        let (a, direction, b) = self.edge();
        let tangent = b - a;
        let largest = self.pick(&[ONE / 20, ONE, 3 * ONE]);
        let lattice = ONE / 16;
        let extent = |random: &mut Scenes| match random.range(0, 9) {
            0..=3 => (random.range(1, largest / lattice + 1)) * lattice,
            // A multiple of five, so that a circle can touch exactly in the direction (3, 4).
            4 | 5 => random.range(1, largest / 5) * 5,
            _ => random.range(1, largest),
        };
        let half = I64Vec2::new(extent(self), extent(self));
        let target = match self.range(0, 5) {
            0 | 1 => a,
            2 | 3 => b,
            _ => a + tangent / 16 * self.range(0, 16),
        };
        let offset = if round {
            let (x, y) = self.pick(&[(5, 0), (0, 5), (3, 4), (4, 3)]);
            let fifth = I64Vec2::new(x, y) * (half.x / 5 + self.range(0, 1)) * self.pick(&[-1, 1]);
            match self.range(0, 3) {
                0 => fifth,
                1 => -fifth.perp(),
                // This position touches the face.
                _ => (tangent.perp().as_dvec2().normalize() * half.x as f64).ceil().as_i64vec2(),
            }
        } else {
            // Use a corner of the box, or a point on a side.
            let (side, other) = (self.pick(&[-1, 1]), self.pick(&[-1, 1]));
            let slid = I64Vec2::new(self.range(-half.x, half.x), self.range(-half.y, half.y));
            match self.range(0, 4) {
                0..=2 => half * I64Vec2::new(side, other),
                3 => I64Vec2::new(half.x * side, slid.y),
                _ => I64Vec2::new(slid.x, half.y * side),
            }
        };
        // Most scenes start in front of the edge and move closer.
        let faces = |v: I64Vec2, direction: I64Vec2| (v.as_dvec2()).dot(direction.as_dvec2()) >= 0.0;
        let offset = if faces(offset, tangent.perp()) || self.one_in(4) { offset } else { -offset };
        let (steps, step) = self.motion(direction);
        let step = if faces(step, -offset) || self.one_in(4) { step } else { -step };
        let beside = if self.one_in(2) { I64Vec2::ZERO } else { self.vector(1) };
        let back = self.range(0, steps).max(self.range(0, 1));
        let center = target + offset + beside - step * back;
        let normal = tangent.perp();
        let (start, end) = (self.end(normal, -tangent, exact), self.end(normal, tangent, exact));
        Scene { center, half, motion: step * steps, a, b, start, end }
    }
}

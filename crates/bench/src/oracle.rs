//! Counts the faults of every mover with one exact checker, which shares no code with any mover.

use crate::tolerance::DEPTH_STEP;
use surefoot::Map;
use surefoot::catalogue::PatternKind;
use surefoot::geometry::{DVec2, ONE};
use surefoot_oracle as oracle;

/// The shape that a mover moves, around its position, in tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// A circle.
    Circle {
        /// Its radius.
        radius: f64,
    },
    /// An axis-aligned box.
    Box {
        /// Half its width and height.
        half: DVec2,
    },
    /// An upright capsule: circles at both ends of an upright line, and all between them.
    Capsule {
        /// The radius of the circles.
        radius: f64,
        /// Half the length of the line.
        half_line: f64,
    },
}

impl Form {
    /// A circle of that radius.
    #[must_use]
    pub fn circle(radius: f64) -> Form {
        Form::Circle { radius }
    }

    /// A box of those half sizes.
    #[must_use]
    pub fn aabb(x: f64, y: f64) -> Form {
        Form::Box { half: DVec2::new(x, y) }
    }

    /// Returns the greatest possible depth of the shape.
    fn reach(self) -> f64 {
        match self {
            Form::Circle { radius } | Form::Capsule { radius, .. } => radius,
            Form::Box { half } => half.min_element(),
        }
    }
}

/// Closed solids.
#[derive(Clone, Debug, Default)]
pub struct Solids(oracle::Scene);

impl Solids {
    /// Returns the closed solids of a map as their patterns are drawn.
    #[must_use]
    pub fn as_drawn(map: &Map) -> Solids {
        let catalogue = map.catalogue();
        let mut scene = oracle::Scene::new();
        each_tile(map, |tile, variant| {
            let variant = catalogue.variant(variant);
            let pattern = catalogue.pattern(variant.pattern);
            if pattern.kind != PatternKind::Solid {
                return;
            }
            let points = |path: &Vec<_>| path.iter().map(|&(x, y)| (i32::from(x), i32::from(y))).collect();
            let paths: Vec<Vec<(i32, i32)>> = pattern.paths.iter().map(points).collect();
            let placement = variant.placement;
            scene.paint(tile, oracle::Kind::Solid, &paths, placement.mirrored(), placement.turns());
        });
        Solids(scene)
    }

    /// Returns the solids of a map with a full block in every cell that is not empty.
    #[must_use]
    pub fn as_blocks(map: &Map) -> Solids {
        let mut scene = oracle::Scene::new();
        each_tile(map, |tile, _| scene.add_solid(tile, &[(0, 0), (0, 16), (16, 16), (16, 0)]));
        Solids(scene)
    }

    /// Returns the depth of a shape in solids, in tiles: the amount by which it would have to shrink on all sides to be
    /// free.
    /// Whether it is more than 0 is exact.
    #[must_use]
    pub fn depth(&self, form: Form, at: DVec2) -> f64 {
        if !self.overlaps(form, at, 0.0) {
            return 0.0;
        }
        let (mut inside, mut free) = (0.0, form.reach());
        while free - inside > DEPTH_STEP {
            let middle = (inside + free) / 2.0;
            if self.overlaps(form, at, middle) {
                inside = middle;
            } else {
                free = middle;
            }
        }
        free
    }

    /// Returns the greatest depth of a circle on a straight path, in tiles.
    #[must_use]
    pub fn depth_on_way(&self, radius: f64, from: DVec2, to: DVec2) -> f64 {
        self.0.circle_path_depth(unit(radius), units(from), units(to)) / ONE as f64
    }

    /// Returns whether a shape shrunk by `less` on all sides overlaps a solid.
    fn overlaps(&self, form: Form, at: DVec2, less: f64) -> bool {
        match form {
            Form::Circle { radius } => self.meets_circle(radius - less, at),
            Form::Box { half } => self.meets_box(half - less, at),
            Form::Capsule { radius, half_line } => {
                let up = DVec2::new(0.0, half_line);
                self.meets_box(DVec2::new(radius - less, half_line), at)
                    || self.meets_circle(radius - less, at + up)
                    || self.meets_circle(radius - less, at - up)
            }
        }
    }

    fn meets_circle(&self, radius: f64, at: DVec2) -> bool {
        self.0.overlap(&oracle::Shape::Circle { radius: unit(radius).max(1) }, units(at)).is_some()
    }

    fn meets_box(&self, half: DVec2, at: DVec2) -> bool {
        let half = (unit(half.x).max(1), unit(half.y).max(1));
        self.0.overlap(&oracle::Shape::Box { half }, units(at)).is_some()
    }
}

fn each_tile(map: &Map, mut see: impl FnMut((i32, i32), surefoot::prelude::VariantId)) {
    let (width, height) = map.size();
    for tile in (0..height as i32).flat_map(|y| (0..width as i32).map(move |x| (x, y))) {
        if let Some(variant) = map.variant_at(0, tile) {
            see(tile, variant);
        }
    }
}

fn unit(length: f64) -> i64 {
    (length * ONE as f64).round() as i64
}

fn units(at: DVec2) -> (i64, i64) {
    (unit(at.x), unit(at.y))
}

/// A depth that can be seen with the right picture in hand, in tiles: a sixtieth of a pixel where a tile has 16.
pub const FINE: f64 = 0.001;

/// A depth that can be seen, in tiles: a third of a pixel where a tile has 16.
pub const COARSE: f64 = 0.02;

/// The faults found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Faults {
    /// Number of judged body-ticks.
    pub seen: u64,
    /// Body-ticks that ended deeper than [`FINE`].
    pub fine: u64,
    /// Body-ticks that ended deeper than [`COARSE`].
    pub coarse: u64,
    /// The deepest, in tiles.
    pub deepest: f64,
    /// Bodies that were outside of the map, or with their centre inside a solid, at the end.
    pub lost: u64,
}

impl Faults {
    /// Judges the final position of a body in a tick.
    pub fn see(&mut self, solids: &Solids, form: Form, at: DVec2) {
        // A body outside of the map, or without a finite position, counts as lost.
        if !at.is_finite() || at.abs().max_element() > 1e6 {
            return;
        }
        let depth = solids.depth(form, at);
        self.seen += 1;
        self.fine += u64::from(depth > FINE);
        self.coarse += u64::from(depth > COARSE);
        self.deepest = self.deepest.max(depth);
    }

    /// Counts a body as lost if it is outside of a map of that size, or its centre is inside a solid.
    pub fn count_lost(&mut self, solids: &Solids, size: (usize, usize), at: DVec2) {
        let inside = at.x > 0.0 && at.y > 0.0 && at.x < size.0 as f64 && at.y < size.1 as f64;
        let point = 2.0 / ONE as f64;
        self.lost += u64::from(!inside || solids.meets_circle(point, at));
    }
}

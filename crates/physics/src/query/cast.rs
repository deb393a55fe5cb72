//! Shape casts against terrain, platforms and bodies.

use super::hit::Key;
use super::ray::{Crossing, Sink};
use super::way::StraightPath;
use super::{Queries, ShapeHit, Target};
use crate::map::{Map, MapParts};
use crate::motion::{Shape, Surface, each_met, truncated};
use crate::terrain::Terrain;
use glam::I64Vec2;
use smallvec::SmallVec;
use std::sync::OnceLock;
use surefoot_geometry::Position;

/// An empty terrain, for casts that hit platforms only.
pub(super) fn nothing() -> &'static Terrain {
    static NOTHING: OnceLock<Terrain> = OnceLock::new();
    NOTHING.get_or_init(|| {
        let map = Map::from_parts(MapParts::new(1, 1));
        Terrain::bake(&map.unwrap_or_else(|error| panic!("an empty map of one cell: {error}")))
    })
}

/// The body that the shape hits first.
#[derive(Default)]
struct FirstBody {
    toi: Option<f64>,
    entry: u32,
}

impl Sink for FirstBody {
    fn time_limit(&self) -> Option<f64> {
        self.toi
    }

    fn see(&mut self, _: &StraightPath, _: I64Vec2, _: Crossing) {}
}

impl Queries<'_> {
    /// Returns the first hit of a shape of valid size.
    pub(crate) fn first_of_shape(&self, shape: Shape, from: Position, motion: I64Vec2) -> Option<ShapeHit> {
        let mover = self.mover();
        let tile = mover.and_then(|mover| mover.first_tile(shape, from, motion));
        let mut first = FirstBody { toi: tile.map(|hit| hit.toi), entry: u32::MAX };
        if self.filter.bodies && motion != I64Vec2::ZERO {
            let path = StraightPath::of_box(from.units(), motion, shape.half_units());
            self.bodies.for_each_on(&path, &mut first, |first, i, entry| {
                if entry.is_accepted(self.filter)
                    && let Some(toi) = entry.body.met_by(shape, path.from, motion)
                    && first.toi.is_none_or(|known| toi < known || (toi == known && i < first.entry && first.is_body()))
                {
                    (first.toi, first.entry) = (Some(toi), i);
                }
            });
        }
        if !first.is_body() {
            let hit = tile?;
            let (tile, tile_id) = (hit.contact.tile, hit.contact.tile_id);
            let target = match hit.contact.platform {
                Some(platform) => Target::Platform { platform, tile, tile_id },
                None => Target::Terrain { tile, tile_id },
            };
            let (point, normal) = (hit.contact.point, hit.contact.normal);
            return Some(ShapeHit { toi: hit.toi, position: hit.position, point, normal, target });
        }
        let (toi, entry) = (first.toi?, self.bodies.entry(first.entry));
        let position = entry.body.reached_by(mover.as_ref(), shape, from, motion, toi);
        let (point, normal) = entry.body.touched_by(shape, position);
        Some(ShapeHit { toi, position, point, normal, target: Target::Body(entry.id) })
    }
}

impl Queries<'_> {
    /// Adds every hit of a shape of valid size to a list, each tile and each body once, in order.
    pub(crate) fn all_of_shape(&self, shape: Shape, from: Position, motion: I64Vec2, hits: &mut Vec<ShapeHit>) {
        let mut found = SmallVec::<[Met; 16]>::new();
        if let Some(mover) = self.mover() {
            each_met(mover.scene(), shape, from, motion, |toi, surface| {
                found.push(Met { toi, key: self.key_of(surface), what: What::Surface(*surface) });
            });
        }
        if self.filter.bodies && motion != I64Vec2::ZERO {
            let path = StraightPath::of_box(from.units(), motion, shape.half_units());
            // Without a time limit, the grid shows every body on the path.
            self.bodies.for_each_on(&path, &mut FirstBody { toi: None, entry: u32::MAX }, |_, i, entry| {
                if entry.is_accepted(self.filter)
                    && let Some(toi) = entry.body.met_by(shape, path.from, motion)
                {
                    found.push(Met { toi, key: Key::body(i), what: What::Body(i) });
                }
            });
        }
        found.sort_unstable_by(|a, b| a.toi.total_cmp(&b.toi).then_with(|| a.key.cmp(&b.key)));
        let mut known = SmallVec::<[Key; 16]>::new();
        for met in &found {
            if known.contains(&met.key.whole()) {
                continue;
            }
            known.push(met.key.whole());
            hits.push(self.shape_hit(shape, from, motion, met));
        }
    }

    fn shape_hit(&self, shape: Shape, from: Position, motion: I64Vec2, met: &Met) -> ShapeHit {
        let toi = met.toi;
        match &met.what {
            What::Surface(surface) => {
                let position = from + truncated(motion, toi);
                let normal = surface.normal(position).as_dvec2().normalize_or(self.scene.frame.up());
                ShapeHit {
                    toi,
                    position,
                    point: surface.point(shape, position),
                    normal,
                    target: self.target_of(surface),
                }
            }
            What::Body(i) => {
                let entry = self.bodies.entry(*i);
                let position = entry.body.reached_by(None, shape, from, motion, toi);
                let (point, normal) = entry.body.touched_by(shape, position);
                ShapeHit { toi, position, point, normal, target: Target::Body(entry.id) }
            }
        }
    }
}

/// A target that a shape hits.
struct Met {
    toi: f64,
    key: Key,
    what: What,
}

enum What {
    Surface(Surface),
    Body(u32),
}

impl FirstBody {
    fn is_body(&self) -> bool {
        self.entry != u32::MAX
    }
}

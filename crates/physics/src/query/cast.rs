//! Shape casts against terrain, platforms and bodies.

use super::hit::Key;
use super::ray::Sink;
use super::way::StraightPath;
use super::{Queries, ShapeHit, Target};
use crate::motion::{Shape, Surface, for_each_hit, truncated_fraction_of};
use crate::terrain::Terrain;
use glam::I64Vec2;
use smallvec::SmallVec;
use std::sync::OnceLock;
use surefoot_geometry::Position;

/// An empty terrain, for casts that hit platforms only.
pub(super) fn empty_terrain() -> &'static Terrain {
    static NOTHING: OnceLock<Terrain> = OnceLock::new();
    NOTHING.get_or_init(Terrain::empty)
}

/// The body that the shape hits first.
struct FirstBody {
    toi: Option<f64>,
    entry: Option<u32>,
}

impl Sink for FirstBody {
    fn time_limit(&self) -> Option<f64> {
        self.toi
    }
}

impl Queries<'_> {
    /// Returns the first hit of a shape of valid size.
    pub(crate) fn first_hit_of_shape(&self, shape: Shape, from: Position, motion: I64Vec2) -> Option<ShapeHit> {
        let mover = self.mover();
        let tile = mover.and_then(|mover| mover.first_tile_hit(shape, from, motion));
        let mut first = FirstBody { toi: tile.map(|hit| hit.toi), entry: None };
        if self.filter.bodies && motion != I64Vec2::ZERO {
            let path = StraightPath::of_box(from.units(), motion, shape.half_units());
            self.bodies.for_each_on_path(&path, &mut first, |first, i, entry| {
                if entry.is_accepted(self.filter)
                    && let Some(toi) = entry.body.time_of_hit_by(shape, path.from, motion)
                    && first
                        .toi
                        .is_none_or(|known| toi < known || toi == known && first.entry.is_some_and(|entry| i < entry))
                {
                    (first.toi, first.entry) = (Some(toi), Some(i));
                }
            });
        }
        let Some(entry) = first.entry.map(|entry| self.bodies.entry(entry)) else {
            let hit = tile?;
            let (tile, tile_id) = (hit.contact.tile, hit.contact.tile_id);
            let target = match hit.contact.platform {
                Some(platform) => Target::Platform { platform, tile, tile_id },
                None => Target::Terrain { tile, tile_id },
            };
            let (point, normal) = (hit.contact.point, hit.contact.normal);
            return Some(ShapeHit { toi: hit.toi, position: hit.position, point, normal, target });
        };
        let toi = first.toi?;
        let position = entry.body.position_at_hit(mover.as_ref(), shape, from, motion, toi);
        let (point, normal) = entry.body.touch_point_and_direction(shape, position);
        Some(ShapeHit { toi, position, point, normal, target: Target::Body(entry.id) })
    }

    /// Adds every hit of a shape of valid size to a list, each tile and each body once, in order.
    pub(crate) fn all_hits_of_shape(&self, shape: Shape, from: Position, motion: I64Vec2, hits: &mut Vec<ShapeHit>) {
        let mut found = SmallVec::<[Met; 16]>::new();
        if let Some(mover) = self.mover() {
            for_each_hit(mover.scene(), shape, from, motion, |toi, surface| {
                found.push(Met { toi, key: self.sort_key_of_surface(surface), what: What::Surface(*surface) });
            });
        }
        if self.filter.bodies && motion != I64Vec2::ZERO {
            let path = StraightPath::of_box(from.units(), motion, shape.half_units());
            // `&mut ()` sets no time limit, so the grid shows every body on the path.
            self.bodies.for_each_on_path(&path, &mut (), |_, i, entry| {
                if entry.is_accepted(self.filter)
                    && let Some(toi) = entry.body.time_of_hit_by(shape, path.from, motion)
                {
                    found.push(Met { toi, key: Key::of_body(i), what: What::Body(i) });
                }
            });
        }
        found.sort_unstable_by(|a, b| a.toi.total_cmp(&b.toi).then_with(|| a.key.cmp(&b.key)));
        let mut known = SmallVec::<[Key; 16]>::new();
        for met in &found {
            if known.contains(&met.key.of_whole_tile()) {
                continue;
            }
            known.push(met.key.of_whole_tile());
            hits.push(self.shape_hit(shape, from, motion, met));
        }
    }

    fn shape_hit(&self, shape: Shape, from: Position, motion: I64Vec2, met: &Met) -> ShapeHit {
        let toi = met.toi;
        match &met.what {
            What::Surface(surface) => {
                let position = from + truncated_fraction_of(motion, toi);
                let normal = surface.normal(position).as_dvec2().normalize_or(self.scene.frame.up());
                let point = surface.point(shape, position);
                ShapeHit { toi, position, point, normal, target: self.target_of_surface(surface) }
            }
            What::Body(i) => {
                let entry = self.bodies.entry(*i);
                let position = entry.body.position_at_hit(None, shape, from, motion, toi);
                let (point, normal) = entry.body.touch_point_and_direction(shape, position);
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

//! The terrain as peers take it, a convex part for each tile that shows; and a way as they cast along it.

use crate::scene::Scene;
#[cfg(feature = "peers")]
use parry2d::math::{Pose, Vector};
#[cfg(feature = "peers")]
use parry2d::query::ShapeCastOptions;
#[cfg(feature = "peers")]
use parry2d::shape::{Compound, CompoundFlags, SharedShape};
#[cfg(feature = "peers")]
use std::collections::BTreeSet;
#[cfg(feature = "peers")]
use surefoot::geometry::Vec2;

/// Every tile with a side that shows: cuboids for full blocks, convex polygons for slopes. With the flag for edges
/// between parts that parry has for shapes made of tiles.
///
/// # Panics
/// If a tile's outline is not convex.
#[cfg(feature = "peers")]
pub(crate) fn compound(scene: &Scene) -> Compound {
    let tiles: BTreeSet<(i32, i32)> = scene.terrain.exposed_faces().map(|face| face.tile).collect();
    let mut parts = Vec::new();
    for tile in tiles.into_iter().filter(|&tile| scene.is_filled(tile)) {
        let corner = Vector::new(tile.0 as f32, tile.1 as f32);
        for outline in scene.terrain.solid_outlines(tile) {
            let points: Vec<Vector> =
                outline.iter().map(|p| Vector::new(f32::from(p.x), f32::from(p.y)) / 16.0).collect();
            let is_block = points.len() == 4 && points.iter().all(|p| p.x.fract() == 0.0 && p.y.fract() == 0.0);
            parts.push(if is_block {
                (Pose::translation(corner.x + 0.5, corner.y + 0.5), SharedShape::cuboid(0.5, 0.5))
            } else {
                let hull = SharedShape::convex_hull(&points).expect("outlines have an area");
                (Pose::translation(corner.x, corner.y), hull)
            });
        }
    }
    Compound::with_flags(parts, CompoundFlags::FIX_INTERNAL_EDGES, None)
}

/// The lower left corners of all tiles that are not empty.
pub(crate) fn filled(scene: &Scene) -> impl Iterator<Item = (i32, i32)> + '_ {
    let (width, height) = scene.size();
    let tiles = (0..height as i32).flat_map(move |y| (0..width as i32).map(move |x| (x, y)));
    tiles.filter(|&tile| scene.is_filled(tile))
}

/// Where a cast begins, its direction and its length, and how it is cast: with a unit direction, as rapier's controller
/// does it, so that parry's own thresholds on the time of impact are lengths. `None` for no motion.
#[cfg(feature = "peers")]
pub(crate) fn way(from: Vec2, motion: Vec2, skin: f32) -> Option<(Pose, Vector, f32, ShapeCastOptions)> {
    let length = motion.length();
    let direction = motion.try_normalize()?;
    let options = ShapeCastOptions {
        max_time_of_impact: length,
        target_distance: skin,
        stop_at_penetration: false,
        compute_impact_geometry_on_penetration: true,
    };
    Some((Pose::translation(from.x, from.y), Vector::new(direction.x, direction.y), length, options))
}

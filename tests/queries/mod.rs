//! Queries of a world: ray casts, shape casts, overlaps, nearest surfaces, and what is at a point.

mod bodies;
mod drawn;
mod laws;
mod overlaps;
mod rays;
mod shapes;
mod streamed;
mod witness;

use crate::prelude::*;

/// A map of random tiles of every variant, partly empty.
pub fn noise(random: &mut Random, size: (u32, u32), filled: f64, beyond: Border) -> Map {
    let mut parts = MapParts::new(size.0, size.1);
    parts.kinds = TileKind::every_variant(&Catalogue::builtin());
    parts.borders = Borders { left: beyond, right: beyond, bottom: beyond, top: beyond };
    let variants = parts.kinds.len() as u64 - 1;
    for cell in &mut parts.layers[0].cells {
        if random.range(0.0, 1.0) < filled {
            *cell = TileId(1 + random.below(variants) as u16);
        }
    }
    Map::from_parts(parts).expect("it is a map")
}

/// A world on such a map.
pub fn world(map: &Map) -> World {
    World::new(map.clone(), Settings { gravity: surefoot::geometry::DVec2::ZERO, ..Settings::default() })
}

/// A random point between two corners, every second one on the lattice.
pub fn point(random: &mut Random, low: (i64, i64), high: (i64, i64)) -> Position {
    let step = if random.one_in(2) { ONE / 16 } else { 1 };
    let axis = |random: &mut Random, low: i64, high: i64| random.between(low * ONE, high * ONE) / step * step;
    units(axis(random, low.0, high.0), axis(random, low.1, high.1))
}

/// A random motion up to a length: in lattice steps, along an axis, diagonal, or any.
pub fn motion(random: &mut Random, most: i64) -> I64Vec2 {
    let axis = |random: &mut Random, step: i64| random.between(-most * ONE, most * ONE) / step * step;
    let long = axis(random, ONE / 16);
    match random.below(5) {
        0 => I64Vec2::new(long, 0),
        1 => I64Vec2::new(0, long),
        2 => random.pick(&[I64Vec2::new(long, long), I64Vec2::new(long, -long)]),
        3 => I64Vec2::new(long, axis(random, ONE / 16)),
        _ => I64Vec2::new(axis(random, 1), axis(random, 1)),
    }
}

/// Converts a motion to tiles. It has less than 53 bits of units, so nothing is rounded.
pub fn tiles(motion: I64Vec2) -> surefoot::geometry::DVec2 {
    surefoot_geometry::to_lengths(motion)
}

/// Returns the pattern kind of a tile's edges.
pub fn kind_of(map: &Map, tile: (i32, i32)) -> Option<PatternKind> {
    map.variant_at(0, tile).map(|id| map.catalogue().variant(id).kind)
}

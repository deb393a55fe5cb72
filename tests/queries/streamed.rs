//! Loaded chunks of a streamed world do not affect query results.

use super::{motion, point, tiles};
use crate::prelude::*;
use crate::streaming::hash;

/// One tile in a hundred, of every kind.
struct Sparse(u64);

impl TileSource for Sparse {
    fn fill(&self, _layer: usize, chunk: (i32, i32), cells: &mut [TileId; 1024]) {
        for (i, cell) in (0..).zip(cells) {
            let random = hash(chunk.0 * 32 + i % 32, chunk.1 * 32 + i / 32);
            if random.is_multiple_of(100) {
                *cell = TileId((1 + (random >> 32) % self.0) as u16);
            }
        }
    }
}

#[test]
fn loaded_chunks_do_not_affect_results() {
    let mut parts = MapParts::new(1, 1);
    parts.kinds = TileKind::every_variant(&parts.catalogue);
    let kinds = parts.kinds.len() as u64 - 1;
    let template = Map::from_parts(parts).unwrap();
    let start = || World::streamed(template.clone(), Arc::new(Sparse(kinds)), Settings::default());
    let (mut bare, mut loaded) = (start(), start());
    for world in [&mut bare, &mut loaded] {
        world.spawn(Body::new(Shape::circle(0.4)).at((3.5, 4.5))).unwrap();
        world.set_tile(0, (40, 40), TileId(1)).unwrap();
    }
    loaded.keep_loaded(Some(((-400, -400), (400, 400))));
    let mut random = Random(0x57EA);
    let mut hits = 0;
    for i in 0..often(120, 1000) {
        let (from, way) = (point(&mut random, (-200, -200), (200, 200)), tiles(motion(&mut random, 150)));
        let shape = if i % 2 == 0 { Shape::circle(0.4) } else { Shape::aabb(0.3, 0.6) };
        let answers = [&bare, &loaded].map(|world| {
            let filter = Filter::default();
            let (mut all, mut found) = (Vec::new(), Vec::new());
            world.cast_ray_all(from, way, &filter, &mut all);
            world.overlap(&Aabb::from_center(from.to_dvec2(), DVec2::splat(5.0)).unwrap(), &filter, &mut found);
            let to = from + I64Vec2::new(way.x as i64, way.y as i64) * ONE;
            (
                (world.cast_ray(from, way, &filter), all),
                world.cast_shape(shape, from, way, &filter),
                (world.closest_surface(from, 10.0, &filter), world.query_point(from, &filter)),
                (found, world.line_of_sight(from, to, &filter)),
            )
        });
        hits += usize::from(answers[0].0.0.is_some());
        assert_eq!(answers[0], answers[1], "{from:?} by {way}");
        if i % 10 == 0 {
            bare.step();
            loaded.step();
            assert_eq!(bare.checksum(), loaded.checksum());
        }
    }
    assert!(bare.terrain().loaded_chunks() < 30, "queries keep nothing loaded for bodies");
    assert!(hits > 30, "{hits}");
}

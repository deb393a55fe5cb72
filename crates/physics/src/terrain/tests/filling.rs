//! Triangles and joined neighbours, for drawing, against the exact test of points.

use super::*;
use crate::testing::Random;
use glam::{DVec2, I64Vec2};
use surefoot_geometry::{ONE, Position};

fn cross(a: I64Vec2, b: I64Vec2, c: I64Vec2) -> i64 {
    (b - a).perp_dot(c - a)
}

/// The triangles of each variant have the area of its outlines by the shoelace formula, and a point is in one triangle
/// if it is solid, else in none.
#[test]
fn triangles_fill_each_variant_once() {
    let parts = {
        let mut parts = MapParts::new(96, 1);
        parts.kinds = TileKind::every_variant(&parts.catalogue);
        parts.layers[0].cells = (1..=96).map(TileId).collect();
        parts
    };
    let (catalogue, terrain) = (parts.catalogue.clone(), Terrain::bake(&Map::from_parts(parts).unwrap()));
    assert_eq!(catalogue.variants().len(), 96);
    let mut filled = 0;
    for (x, variant) in catalogue.variants().iter().enumerate() {
        let (tile, name) = ((x as i32, 0), catalogue.variant_name(VariantId(x as u16)));
        let corner = I64Vec2::new(x as i64, 0) * ONE;
        // `steps` converts a position to lattice steps in the tile.
        let steps = |at: Position| (at.units() - corner) / (ONE / 16);
        let doubled: i64 = terrain
            .solid_polygons(tile)
            .map(|polygon| {
                let corners: Vec<I64Vec2> = polygon.map(steps).collect();
                // The solid is on the right of the edges, so the polygon runs clockwise and its cross products add up
                // to a negative sum.
                (0..corners.len()).map(|i| -corners[i].perp_dot(corners[(i + 1) % corners.len()])).sum::<i64>()
            })
            .sum();
        let triangles: Vec<_> = terrain.solid_triangles(tile).map(|corners| corners.map(steps)).collect();
        let areas: Vec<i64> = triangles.iter().map(|&[a, b, c]| cross(a, b, c)).collect();
        assert!(areas.iter().all(|&area| area > 0), "{name}: {areas:?}");
        assert_eq!(areas.iter().sum::<i64>(), doubled, "{name}");
        assert_eq!(variant.triangles().len(), triangles.len(), "{name}");
        filled += usize::from(doubled > 0);

        for (i, j) in (0..32 * 32).map(|i| (i % 32, i / 32)) {
            // The test points lie off the lattice. Their unit is 1/101 of a lattice step.
            let point = I64Vec2::new(i * 50 + 7, j * 50 + 11);
            let sides = |[a, b, c]: [I64Vec2; 3]| [(a, b), (b, c), (c, a)].map(|(a, b)| cross(a * 101, b * 101, point));
            if triangles.iter().any(|&triangle| sides(triangle).contains(&0)) {
                continue;
            }
            let count = triangles.iter().filter(|&&triangle| sides(triangle).iter().all(|&side| side > 0)).count();
            let at = Position::try_from(DVec2::new(x as f64, 0.0) + point.as_dvec2() / (16.0 * 101.0)).unwrap();
            assert_eq!(count, usize::from(terrain.is_solid(at)), "{name} at {point}");
        }
    }
    assert!(filled > 60, "{filled} of 96 variants are solid");
}

/// Two tiles join if there are two solid points next to each other on the two sides of their border.
#[test]
fn neighbours_join_where_both_sides_of_the_border_are_solid() {
    let (mut random, mut seen) = (Random(3), [0; 9]);
    for _ in 0..120 {
        let terrain = Terrain::bake(&Map::from_parts(random_map(&mut random, (12, 9), |_| true)).unwrap());
        let (left, bottom) = terrain.origin();
        let (columns, rows) = terrain.size();
        let touches = |from: (i32, i32), (x, y): (i32, i32)| {
            let middle = DVec2::new(f64::from(from.0) + 0.5, f64::from(from.1) + 0.5);
            let (out, along) = (DVec2::new(f64::from(x), f64::from(y)), DVec2::new(f64::from(y), f64::from(x)));
            // Test points lie half a lattice step from each lattice line, and closer to the border than any slope
            // there.
            (0..16).any(|step| {
                let border = middle + out * 0.5 + along * ((f64::from(step) + 0.5) / 16.0 - 0.5);
                [-1e-6, 1e-6].iter().all(|side| terrain.is_solid(Position::try_from(border + out * *side).unwrap()))
            })
        };
        for (x, y) in (0..rows as i32).flat_map(|y| (0..columns as i32).map(move |x| (left + x, bottom + y))) {
            let ways = [(0, 1), (1, 0), (0, -1), (-1, 0)];
            let mut expected = 0_u8;
            for (i, (a, b)) in (0..4).map(|i| (i, (ways[i], ways[(i + 1) % 4]))) {
                let side = touches((x, y), a);
                let diagonal =
                    side && touches((x, y), b) && touches((x + a.0, y + a.1), b) && touches((x + b.0, y + b.1), a);
                expected |= u8::from(side) << (2 * i) | u8::from(diagonal) << (2 * i + 1);
            }
            assert_eq!(terrain.joined_neighbours((x, y)), expected, "at ({x}, {y})");
            (0..8).for_each(|bit| seen[bit] += usize::from(expected >> bit & 1));
            seen[8] += usize::from(expected == 0);
        }
    }
    assert!(seen.iter().all(|&times| times > 20), "{seen:?}");
}

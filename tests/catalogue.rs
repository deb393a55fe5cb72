//! The built-in catalogues: their variants, and that every normal points outwards.

use crate::scene::{catalogues, gentle, variants};
use std::collections::BTreeSet;
use surefoot::Map;
use surefoot::catalogue::{LATTICE, LatticeEdge, Pattern, PatternKind};
use surefoot::prelude::*;

/// Returns the edges of a variant as a set. Their direction counts, their order does not.
fn set(edges: &[LatticeEdge]) -> BTreeSet<[i8; 4]> {
    edges.iter().map(|edge| [edge.a.x, edge.a.y, edge.b.x, edge.b.y]).collect()
}

/// Returns the edges with each end moved, and with the direction kept or reversed.
fn moved(edges: &BTreeSet<[i8; 4]>, mirror: bool) -> BTreeSet<[i8; 4]> {
    edges
        .iter()
        .map(
            |&[ax, ay, bx, by]| {
                if mirror { [LATTICE - bx, by, LATTICE - ax, ay] } else { [ay, LATTICE - ax, by, LATTICE - bx] }
            },
        )
        .collect()
}

/// Returns whether a point is inside a solid variant, by crossings of a ray to the right. The point is in 64ths of a
/// tile and must not be on an edge.
fn inside(paths: &[Vec<(i32, i32)>], (x, y): (i32, i32)) -> bool {
    let crossings = |path: &Vec<(i32, i32)>| {
        (0..path.len())
            .filter(|&i| {
                let ((ax, ay), (bx, by)) = (path[i], path[(i + 1) % path.len()]);
                // The edge spans the ray's height, and crosses it to the right of the point.
                (ay > y) != (by > y)
                    && (i64::from(x - ax) * i64::from(by - ay) < i64::from(y - ay) * i64::from(bx - ax)) == (by > ay)
            })
            .count()
    };
    paths.iter().map(crossings).sum::<usize>() % 2 == 1
}

/// Paths in 64ths of a tile.
fn fine(pattern: &Pattern) -> Vec<Vec<(i32, i32)>> {
    let scale = |&(x, y): &(i8, i8)| (4 * i32::from(x), 4 * i32::from(y));
    pattern.paths.iter().map(|path| path.iter().map(scale).collect()).collect()
}

#[test]
fn the_patterns_are_32_their_orbits_total_96_and_no_two_variants_are_equal() {
    let catalogue = Catalogue::builtin();
    assert_eq!(catalogue.patterns().len(), 32);
    // The numbers are counted in the pictures: 8 patterns have 1 variant, 8 have 2, 14 have 4, and 2 have 8.
    let mut sizes = [0; 9];
    for (index, _) in catalogue.patterns().iter().enumerate() {
        let orbit: BTreeSet<VariantId> = Placement::all()
            .map(|placement| catalogue.place(surefoot::catalogue::PatternId(index as u16), placement))
            .collect();
        sizes[orbit.len()] += 1;
    }
    assert_eq!(sizes, [0, 8, 8, 0, 14, 0, 0, 0, 2]);
    let distinct: BTreeSet<(bool, bool, BTreeSet<[i8; 4]>)> = catalogue
        .variants()
        .iter()
        .map(|v| (v.kind == PatternKind::Solid, v.kind == PatternKind::Wall, set(&v.edges)))
        .collect();
    assert_eq!((catalogue.variants().len(), distinct.len()), (96, 96));
}

#[test]
fn four_tiles_of_a_gentle_slope_are_one_line() {
    let catalogue = gentle();
    // The variants are 1 + 4 + 4 for block, slab and slope, 8 for each of six slopes, 4 + 4 + 4 + 8 + 8 for open
    // patterns, and 2 for walls.
    assert_eq!((catalogue.patterns().len(), catalogue.variants().len()), (15, 9 + 48 + 28 + 2));
    for tile in 0..4_i8 {
        let id = catalogue.find_variant(&format!("quarter_slope_{}", tile + 1)).unwrap();
        let edge = catalogue.variant(id).edges[0];
        assert_eq!((edge.a.to_array(), edge.b.to_array()), ([0, 4 * tile], [16, 4 * tile + 4]));
        assert_eq!(edge.normal().to_array(), [-1, 4]);
    }
    let ledge = catalogue.variant(catalogue.find_variant("half_one_way").unwrap());
    assert_eq!((ledge.kind, ledge.edges[0].a.y, ledge.edges[0].b.y), (PatternKind::Open, 8, 8));
}

#[test]
fn a_map_is_painted_with_a_catalogue_of_its_own() {
    let map = r#"Map(format: 1, tiles: ["...abcd"],
        legend: {'a': "quarter_slope_1", 'b': "quarter_slope_2", 'c': "quarter_slope_3", 'd': "quarter_slope_4"})"#;
    let map = Map::from_ron_with(map, &gentle()).unwrap();
    assert_eq!(map.variant_at(0, (3, 0)), gentle().find_variant("quarter_slope_1").ok());
    let file = Catalogue::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/gentle.ron")).unwrap();
    assert_eq!(file.variants(), gentle().variants());
}

#[test]
fn the_built_in_catalogue_passes_the_checks_of_any_other() {
    let builtin = Catalogue::builtin();
    let again = Catalogue::new(builtin.patterns().to_vec()).unwrap();
    assert_eq!((again.patterns(), again.variants()), (builtin.patterns(), builtin.variants()));
}

#[test]
fn mirrored_twice_and_turned_four_times_every_variant_is_itself() {
    let all = catalogues();
    for (catalogue, variant) in all.iter().flat_map(|all| all.variants().iter().map(move |variant| (all, variant))) {
        let edges = set(&variant.edges);
        assert_eq!(moved(&moved(&edges, true), true), edges);
        assert_eq!((0..4).fold(edges.clone(), |edges, _| moved(&edges, false)), edges);
        // Mirrored or turned once, a variant is the variant that the catalogue names for that.
        for (next, mirror) in [(Placement::new(true, 0), true), (Placement::new(false, 1), false)] {
            let id = catalogue.place(variant.pattern, variant.placement.then(next));
            assert_eq!(set(&catalogue.variant(id).edges), moved(&edges, mirror));
        }
    }
}

#[test]
fn normals_point_out_of_the_solid() {
    let all = catalogues();
    let variants = all.iter().flat_map(|all| all.variants().iter().map(move |variant| (all, variant)));
    for (catalogue, variant) in variants.filter(|(_, v)| v.kind == PatternKind::Solid) {
        let scale = |p: &glam::I8Vec2| (64 * i32::from(p.x), 64 * i32::from(p.y));
        let paths: Vec<Vec<(i32, i32)>> = variant.paths.iter().map(|path| path.iter().map(scale).collect()).collect();
        for edge in &variant.edges {
            let normal = edge.normal();
            // Test a point on either side of the edge, away from its middle so that no ray runs through a vertex.
            let along = |a: i8, b: i8| 64 * i32::from(a) + 29 * (i32::from(b) - i32::from(a)) + 1;
            let (x, y) = (along(edge.a.x, edge.b.x), along(edge.a.y, edge.b.y));
            let (dx, dy) = (3 * i32::from(normal.x), 3 * i32::from(normal.y));
            let name = catalogue.variant_name(catalogue.place(variant.pattern, variant.placement));
            assert!(!inside(&paths, (x + dx, y + dy)), "{name}: solid in front of {edge:?}");
            assert!(inside(&paths, (x - dx, y - dy)), "{name}: air behind {edge:?}");
        }
    }
}

#[test]
fn walls_have_both_sides_and_open_edges_one() {
    for variant in catalogues().iter().flat_map(|all| all.variants()) {
        let edges = set(&variant.edges);
        let opposite = edges.iter().filter(|&&[ax, ay, bx, by]| edges.contains(&[bx, by, ax, ay])).count();
        assert_eq!(opposite, if variant.kind == PatternKind::Wall { edges.len() } else { 0 });
    }
}

#[test]
fn the_sketches_in_the_files_show_the_patterns() {
    let texts = [include_str!("../assets/patterns.ron"), include_str!("../assets/gentle.ron")];
    for (catalogue, text) in catalogues().iter().zip(texts) {
        check_sketches(catalogue, text);
    }
}

fn check_sketches(catalogue: &Catalogue, text: &str) {
    let mut sketch: Vec<&str> = Vec::new();
    let mut checked = 0;
    for line in text.lines().map(str::trim) {
        if let Some(row) = line.strip_prefix("//   ").filter(|row| row.chars().all(|c| "#.*".contains(c))) {
            sketch.push(row);
        }
        let Some(name) = line.strip_prefix("name: \"").and_then(|rest| rest.strip_suffix("\",")) else { continue };
        let pattern = catalogue.pattern(catalogue.find_pattern(name).unwrap());
        let paths = fine(pattern);
        assert_eq!(sketch.len(), 8, "{name}");
        for (row, text) in sketch.iter().enumerate() {
            for (column, drawn) in text.chars().enumerate() {
                // Test the middle of each eighth of a tile. A middle on an edge may be drawn either way.
                let (x, y) = (8 * column as i32 + 4, 8 * (7 - row as i32) + 4);
                let expected = match pattern.kind {
                    PatternKind::Solid => {
                        let around =
                            [(1, 2), (-1, 2), (1, -2), (-1, -2)].map(|(dx, dy)| inside(&paths, (x + dx, y + dy)));
                        if around.iter().any(|&solid| solid != around[0]) {
                            continue;
                        }
                        if around[0] { '#' } else { '.' }
                    }
                    PatternKind::Open | PatternKind::Wall => {
                        if passes(&paths, (x, y)) {
                            '*'
                        } else {
                            '.'
                        }
                    }
                };
                assert_eq!(drawn, expected, "{name}, row {row}, column {column}");
            }
        }
        sketch.clear();
        checked += 1;
    }
    assert_eq!(checked, catalogue.patterns().len());
}

/// Returns whether a run of edges passes through the circle in an eighth of a tile.
fn passes(paths: &[Vec<(i32, i32)>], (x, y): (i32, i32)) -> bool {
    let near = |(ax, ay): (i32, i32), (bx, by): (i32, i32)| {
        // Take 64 steps along the edge. Lengths are in 64ths of a 64th of a tile, so the radius is 4 * 64.
        (0..=64).any(|i| {
            let (dx, dy) = (64 * (ax - x) + i * (bx - ax), 64 * (ay - y) + i * (by - ay));
            dx * dx + dy * dy <= 256 * 256
        })
    };
    paths.iter().any(|path| path.windows(2).any(|ends| near(ends[0], ends[1])))
}

#[test]
fn names_mean_their_canonical_placement() {
    for catalogue in catalogues() {
        for id in variants(&catalogue) {
            assert_eq!(catalogue.find_variant(&catalogue.variant_name(id)), Ok(id));
        }
    }
    let catalogue = Catalogue::builtin();
    // A full block looks the same in every placement, and a mirrored wedge is a rotated wedge.
    assert_eq!(catalogue.find_variant("full_block m r3"), catalogue.find_variant("full_block"));
    assert_eq!(catalogue.find_variant("slope_45 m"), catalogue.find_variant("slope_45 r1"));
    for wrong in ["slop_45", "slope_45 r4", "slope_45 r1 m", "slope_45 m m", ""] {
        assert!(catalogue.find_variant(wrong).is_err(), "{wrong}");
    }
}

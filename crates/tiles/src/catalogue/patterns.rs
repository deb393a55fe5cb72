//! The patterns of `assets/patterns.ron`, written by a test of `builtin.rs`.

use super::PatternKind::{self, Open, Solid, Wall};

/// Name, kind, use and paths of each.
#[rustfmt::skip]
#[allow(clippy::type_complexity)]
pub(super) const PATTERNS: [(&str, PatternKind, &str, &[&[(i8, i8)]]); 32] = [
    ("full_block", Solid, "ordinary solid tile", &[&[(0, 16), (16, 16), (16, 0), (0, 0)]]),
    ("half_slab", Solid, "half-height step, half-width wall, hanging half block", &[&[(0, 8), (16, 8), (16, 0), (0, 0)]]),
    ("thin_slab", Solid, "plank, floor plate, thin solid wall (2/16 thick)", &[&[(0, 2), (16, 2), (16, 0), (0, 0)]]),
    ("quarter_block", Solid, "small step, corner stone; corner-autotile case of one corner", &[&[(0, 8), (8, 8), (8, 0), (0, 0)]]),
    ("three_quarter_block", Solid, "two-step stair, inner corner; corner-autotile case of three corners", &[&[(0, 16), (8, 16), (8, 8), (16, 8), (16, 0), (0, 0)]]),
    ("checker", Solid, "two opposite quarter blocks meeting in a point; corner-autotile saddle, and a test of point contacts", &[&[(0, 8), (8, 8), (8, 0), (0, 0)], &[(8, 16), (16, 16), (16, 8), (8, 8)]]),
    ("slope_45", Solid, "1:1 slope, floor or ceiling", &[&[(0, 0), (16, 16), (16, 0)]]),
    ("half_slope_low", Solid, "lower tile of a 1:2 slope; turned by 90 degrees the tip of a 2:1 slope", &[&[(0, 0), (16, 8), (16, 0)]]),
    ("half_slope_high", Solid, "upper tile of a 1:2 slope; turned by 90 degrees the body of a 2:1 slope", &[&[(0, 8), (16, 16), (16, 0), (0, 0)]]),
    ("corner_wedge", Solid, "small 45-degree fillet in one corner; end of a half-offset slope", &[&[(0, 8), (8, 0), (0, 0)]]),
    ("bevel_block", Solid, "block with one corner cut; other tile of a half-offset slope", &[&[(0, 16), (8, 16), (16, 8), (16, 0), (0, 0)]]),
    ("diagonal_band", Solid, "block with two opposite corners cut (joined saddle of marching squares)", &[&[(0, 8), (8, 16), (16, 16), (16, 8), (8, 0), (0, 0)]]),
    ("wedge_pair", Solid, "two opposite corner wedges (split saddle of marching squares)", &[&[(0, 8), (8, 0), (0, 0)], &[(8, 16), (16, 16), (16, 8)]]),
    ("quarter_pipe", Solid, "concave quarter circle, r = 1 tile, 5 segments: ramps, half pipes, bowls", &[&[(0, 16), (1, 11), (3, 7), (7, 3), (11, 1), (16, 0), (0, 0)]]),
    ("quarter_moon", Solid, "convex quarter disc, r = 1 tile, 5 segments: hill shoulders, round corners", &[&[(0, 16), (5, 15), (9, 13), (13, 9), (15, 5), (16, 0), (0, 0)]]),
    ("disc", Solid, "round boulder or bumper, r = 1/2 tile, 12 segments", &[&[(8, 16), (12, 15), (15, 12), (16, 8), (15, 4), (12, 1), (8, 0), (4, 1), (1, 4), (0, 8), (1, 12), (4, 15)]]),
    ("octagon", Solid, "block with four cut corners; hub whose flat sides match beam ends", &[&[(4, 16), (12, 16), (16, 12), (16, 4), (12, 0), (4, 0), (0, 4), (0, 12)]]),
    ("diamond", Solid, "square standing on its corner: deflector, peg", &[&[(8, 16), (16, 8), (8, 0), (0, 8)]]),
    ("spike", Solid, "one pointed tooth, base on one side", &[&[(0, 0), (8, 16), (16, 0)]]),
    ("caltrop", Solid, "four-pointed star hanging free: spike ball, mine", &[&[(8, 16), (10, 10), (16, 8), (10, 6), (8, 0), (6, 6), (0, 8), (6, 10)]]),
    ("beam", Solid, "half-width pillar or girder through the centre of the tile", &[&[(4, 16), (12, 16), (12, 0), (4, 0)]]),
    ("girder_cross", Solid, "plus-shaped crossing of two beams", &[&[(4, 16), (12, 16), (12, 12), (16, 12), (16, 4), (12, 4), (12, 0), (4, 0), (4, 4), (0, 4), (0, 12), (4, 12)]]),
    ("stud", Solid, "half-size block in the centre of the tile: bolt, stepping stone", &[&[(4, 12), (12, 12), (12, 4), (4, 4)]]),
    ("tunnel", Solid, "two quarter-thick slabs with a passage between: pipe, shaft", &[&[(0, 16), (16, 16), (16, 12), (0, 12)], &[(0, 4), (16, 4), (16, 0), (0, 0)]]),
    ("one_way", Open, "one-way platform or one-way side on a border; also a block with one exposed side", &[&[(0, 16), (16, 16)]]),
    ("one_way_pair", Open, "two opposite one-way faces, passable sideways; also a block with two opposite exposed sides", &[&[(0, 16), (16, 16)], &[(16, 0), (0, 0)]]),
    ("one_way_corner", Open, "two adjacent one-way faces; also a block with two adjacent exposed sides", &[&[(0, 16), (16, 16), (16, 0)]]),
    ("one_way_triple", Open, "three one-way faces (a one-way pocket); also a block with three exposed sides", &[&[(0, 0), (0, 16), (16, 16), (16, 0)]]),
    ("one_way_slope_45", Open, "one-way 1:1 slope; also the bare face of slope_45", &[&[(0, 0), (16, 16)]]),
    ("mid_wall", Wall, "infinitely thin wall or door through the centre", &[&[(8, 0), (8, 16)]]),
    ("diagonal_wall", Wall, "infinitely thin wall from corner to corner", &[&[(0, 0), (16, 16)]]),
    ("wall_cross", Wall, "crossing of two thin walls in the centre", &[&[(8, 0), (8, 8)], &[(8, 8), (8, 16)], &[(0, 8), (8, 8)], &[(8, 8), (16, 8)]]),
];

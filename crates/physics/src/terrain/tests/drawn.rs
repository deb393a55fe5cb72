//! Small placements with what they must become, worked out by hand.

use super::*;

const UP: (i8, i8) = (0, 1);
const DOWN: (i8, i8) = (0, -1);
const LEFT: (i8, i8) = (-1, 0);
const RIGHT: (i8, i8) = (1, 0);
const NONE: (i8, i8) = (0, 0);

/// A face by its ends, its normal and the normals that come before and after it.
type Line = ((i8, i8), (i8, i8), (i8, i8), (i8, i8), (i8, i8));

fn faces(terrain: &Terrain, tile: (i32, i32)) -> Vec<Line> {
    let all = pieces(terrain, tile).into_iter().filter(|piece| piece.role == Role::Face);
    all.map(|p| (p.a.into(), p.b.into(), p.normal.into(), p.before.into(), p.after.into())).collect()
}

/// Vertex pieces by their vertex, direction and the normals before and after; or arcs by their bounds.
fn corners(terrain: &Terrain, tile: (i32, i32), role: Role) -> Vec<Line> {
    let all = pieces(terrain, tile).into_iter().filter(|piece| piece.role == role);
    all.map(|p| match role {
        Role::Arc => (p.a.into(), p.before.into(), p.after.into(), p.gate.into(), p.partner.into()),
        _ => (p.a.into(), p.normal.into(), p.before.into(), p.after.into(), p.gate.into()),
    })
    .collect()
}

#[test]
fn a_block_alone_has_four_faces_and_four_arcs() {
    let t = drawn(&[('#', "full_block")], &["#"]);
    assert_eq!(
        faces(&t, (0, 0)),
        [
            ((0, 16), (16, 16), UP, LEFT, RIGHT),
            ((16, 16), (16, 0), RIGHT, UP, DOWN),
            ((16, 0), (0, 0), DOWN, RIGHT, LEFT),
            ((0, 0), (0, 16), LEFT, DOWN, UP),
        ]
    );
    // Each arc has two bounds: the direction of the edge that arrives at the corner, and the reverse of the leaving
    // one.
    assert_eq!(
        corners(&t, (0, 0), Role::Arc),
        [
            ((16, 16), RIGHT, UP, NONE, NONE),
            ((16, 0), DOWN, RIGHT, NONE, NONE),
            ((0, 0), LEFT, DOWN, NONE, NONE),
            ((0, 16), UP, LEFT, NONE, NONE),
        ]
    );
    assert_eq!(corners(&t, (0, 0), Role::Vertex), []);
}

#[test]
fn two_blocks_in_a_row_are_one_floor() {
    let t = drawn(&[('#', "full_block")], &["##"]);
    assert_eq!(
        faces(&t, (0, 0)),
        [((0, 16), (16, 16), UP, LEFT, NONE), ((16, 0), (0, 0), DOWN, NONE, LEFT), ((0, 0), (0, 16), LEFT, DOWN, UP),]
    );
    assert_eq!(
        faces(&t, (1, 0)),
        [
            ((0, 16), (16, 16), UP, NONE, RIGHT),
            ((16, 16), (16, 0), RIGHT, UP, DOWN),
            ((16, 0), (0, 0), DOWN, RIGHT, NONE),
        ]
    );
    let arcs = |x| corners(&t, (x, 0), Role::Arc).iter().map(|arc| arc.0).collect::<Vec<_>>();
    assert_eq!((arcs(0), arcs(1)), (vec![(0, 0), (0, 16)], vec![(16, 16), (16, 0)]));
}

#[test]
fn blocks_all_round_leave_nothing() {
    let t = drawn(&[('#', "full_block")], &["###", "###", "###"]);
    assert_eq!(pieces(&t, (1, 1)), []);
    assert_eq!(t.tile_at(0, (1, 1)), Some(TileId(1)));
}

#[test]
fn a_slope_runs_flat_into_the_next_and_turns_convex_onto_a_block() {
    // At the crest, the block's upper left corner, the normals are (-1, 1) and (0, 1). No axis direction lies strictly
    // between them.
    let t = drawn(&[('#', "full_block"), ('/', "slope_45")], &["./#", "/##"]);
    assert_eq!(faces(&t, (1, 1)), [((0, 0), (16, 16), (-1, 1), NONE, UP)]);
    assert_eq!(faces(&t, (0, 0)), [((0, 0), (16, 16), (-1, 1), LEFT, NONE), ((16, 0), (0, 0), DOWN, NONE, LEFT),]);
    assert_eq!(corners(&t, (1, 1), Role::Arc), [((16, 16), (1, 1), LEFT, NONE, NONE)]);
    // Foot of the ramp: the normals turn clockwise from down, past left, to (-1, 1).
    assert_eq!(corners(&t, (0, 0), Role::Vertex), [((0, 0), LEFT, DOWN, (-1, 1), NONE)]);
    assert_eq!(faces(&t, (2, 1))[0], ((0, 16), (16, 16), UP, (-1, 1), RIGHT));
    // On a floor, the foot is concave.
    let t = drawn(&[('#', "full_block"), ('/', "slope_45")], &["./", "##"]);
    assert_eq!(faces(&t, (0, 0))[0], ((0, 16), (16, 16), UP, LEFT, NONE));
    assert_eq!(faces(&t, (1, 1))[0], ((0, 0), (16, 16), (-1, 1), NONE, UP));
    // A slope without neighbours. At its upper tip, the normals turn clockwise from (-1, 1), past up, to right.
    let t = drawn(&[('/', "slope_45")], &["/"]);
    assert_eq!(
        corners(&t, (0, 0), Role::Vertex),
        [((16, 16), UP, (-1, 1), RIGHT, NONE), ((0, 0), LEFT, DOWN, (-1, 1), NONE),]
    );
}

#[test]
fn a_quarter_pipe_ends_flush_with_a_block() {
    // The pipe fills the left wall and the floor. At its foot, the last segment, from (11, 1) to (16, 0), joins the
    // floor tile.
    let t = drawn(&[('#', "full_block"), ('(', "quarter_pipe")], &["#(.", "###"]);
    let pipe = faces(&t, (1, 1));
    assert_eq!(pipe.len(), 5, "only the curve shows");
    // At its upper end, the first segment joins the top of the block. The normals there are (0, 1) and (5, 1).
    assert_eq!(pipe[0], ((0, 16), (1, 11), (5, 1), UP, NONE));
    assert_eq!(pipe[4], ((11, 1), (16, 0), (1, 5), NONE, NONE));
    assert_eq!(faces(&t, (0, 1))[0].4, (5, 1));
    assert_eq!(faces(&t, (2, 0))[0], ((0, 16), (16, 16), UP, NONE, RIGHT));
}

#[test]
fn a_slab_beside_a_block_leaves_the_upper_half_of_its_side() {
    let t = drawn(&[('#', "full_block"), ('_', "half_slab")], &["#_"]);
    assert_eq!(faces(&t, (0, 0))[1], ((16, 16), (16, 8), RIGHT, UP, NONE));
    assert_eq!(faces(&t, (1, 0))[0], ((0, 8), (16, 8), UP, NONE, RIGHT));
    assert_eq!(faces(&t, (1, 0)).len(), 3);
}

#[test]
fn a_point_on_a_side_splits_it() {
    // The diamond's right tip touches the middle of the block's left side. It splits that side in two, but covers no
    // part of it.
    let t = drawn(&[('#', "full_block"), ('d', "diamond")], &["d#"]);
    let left: Vec<_> = faces(&t, (1, 0)).into_iter().filter(|face| face.2 == LEFT).collect();
    assert_eq!(left, [((0, 0), (0, 8), LEFT, DOWN, NONE), ((0, 8), (0, 16), LEFT, NONE, UP)]);
    // Above and below the tip, only an eighth of a turn is air. But a box that touches the diamond's side with its
    // corner needs a quarter of a turn: above the tip, the upper right quarter, which is in the block. So no box comes
    // to the tip itself.
    //
    //      \ air |
    //       \    |     # the block, d the diamond
    //     d  \   |  #
    //         \  |
    //          \ |
    //           \|  (16, 8)
    let right: Vec<_> = faces(&t, (0, 0)).into_iter().filter(|face| face.2.0 == 1).collect();
    assert_eq!(right, [((8, 16), (16, 8), (1, 1), UP, (-1, -1)), ((16, 8), (8, 0), (1, -1), (-1, 1), DOWN)]);
    assert!(corners(&t, (0, 0), Role::Arc).iter().all(|arc| arc.0 != (16, 8)), "two notches, no corner");
    // The tip of a thin wall does not split the side of a solid block.
    let t = drawn(&[('#', "full_block"), ('-', "mid_wall r1")], &["-#"]);
    assert!(faces(&t, (1, 0)).contains(&((0, 0), (0, 16), LEFT, DOWN, UP)));
    assert!(faces(&t, (0, 0)).iter().all(|face| face.3 == NONE || face.4 == NONE), "the wall joins the block");
}

#[test]
fn blocks_that_touch_in_a_point_leave_two_notches() {
    // There is air to the upper left and to the lower right of the point. Each has a concave corner there, so nothing
    // passes between the blocks.
    for (names, rows, tiles) in [
        (("full_block", "full_block"), ["..#", ".#."].as_slice(), [(1, 0), (2, 1)]),
        (("full_block", "checker"), ["..x", "..."].as_slice(), [(2, 1), (2, 1)]),
    ] {
        let t = drawn(&[('#', names.0), ('x', names.1)], rows);
        let point = if tiles[0] == tiles[1] { v(8, 8) } else { v(16, 16) };
        let at_point = |tile: (i32, i32)| {
            let corner = v(tile.0 as i8, tile.1 as i8) * 16;
            let first = v(tiles[0].0 as i8, tiles[0].1 as i8) * 16 + point;
            let all = pieces(&t, tile).into_iter();
            all.filter(move |p| corner + p.a == first || corner + p.b == first).collect::<Vec<_>>()
        };
        let mut ends = 0;
        let mut distinct = tiles.to_vec();
        distinct.dedup();
        for tile in distinct {
            for piece in at_point(tile) {
                assert_eq!(piece.role, Role::Face, "no corner stands there");
                ends += usize::from(piece.before == I8Vec2::ZERO) + usize::from(piece.after == I8Vec2::ZERO);
            }
        }
        assert_eq!(ends, 4);
    }
}

#[test]
fn the_tip_of_a_thin_wall_is_a_corner_of_half_a_turn() {
    let t = drawn(&[('|', "mid_wall")], &["|"]);
    // The left side runs up, the right side down.
    assert_eq!(faces(&t, (0, 0)), [((8, 0), (8, 16), LEFT, DOWN, UP), ((8, 16), (8, 0), RIGHT, UP, DOWN),]);
    assert_eq!(corners(&t, (0, 0), Role::Arc), [((8, 16), UP, UP, NONE, NONE), ((8, 0), DOWN, DOWN, NONE, NONE),]);
    assert_eq!(
        corners(&t, (0, 0), Role::Vertex),
        [((8, 16), UP, LEFT, RIGHT, NONE), ((8, 0), DOWN, RIGHT, LEFT, NONE),]
    );
    // If one wall stands on another, each has only one tip.
    let t = drawn(&[('|', "mid_wall")], &["|", "|"]);
    assert_eq!(corners(&t, (0, 0), Role::Arc), [((8, 0), DOWN, DOWN, NONE, NONE)]);
    assert_eq!(corners(&t, (0, 1), Role::Arc), [((8, 16), UP, UP, NONE, NONE)]);
}

#[test]
fn a_wall_on_a_ledge_keeps_its_tip_and_on_a_block_joins_it() {
    let t = drawn(&[('|', "mid_wall"), ('=', "one_way")], &["|", "="]);
    assert_eq!(faces(&t, (0, 1))[0], ((8, 0), (8, 16), LEFT, DOWN, UP));
    // The wall splits the one-way edge in two. Each part continues up along the wall.
    assert_eq!(faces(&t, (0, 0)), [((0, 16), (8, 16), UP, LEFT, NONE), ((8, 16), (16, 16), UP, NONE, RIGHT)]);
    // On a solid block, the wall continues along the block's top, and the top is not split.
    let t = drawn(&[('|', "mid_wall"), ('#', "full_block")], &["|", "#"]);
    assert_eq!(faces(&t, (0, 1))[0], ((8, 0), (8, 16), LEFT, NONE, UP));
    assert_eq!(faces(&t, (0, 0))[0], ((0, 16), (16, 16), UP, LEFT, RIGHT));
}

#[test]
fn a_row_of_ledges_has_two_free_ends() {
    let t = drawn(&[('=', "one_way")], &["=="]);
    assert_eq!(faces(&t, (0, 0)), [((0, 16), (16, 16), UP, LEFT, NONE)]);
    assert_eq!(faces(&t, (1, 0)), [((0, 16), (16, 16), UP, NONE, RIGHT)]);
    assert_eq!(corners(&t, (0, 0), Role::Arc), [((0, 16), UP, LEFT, UP, NONE)]);
    assert_eq!(corners(&t, (1, 0), Role::Arc), [((16, 16), RIGHT, UP, UP, NONE)]);
    assert!([0, 1].iter().all(|x| corners(&t, (*x, 0), Role::Vertex).is_empty()), "no box is blocked sideways");
}

#[test]
fn a_slanted_ledge_blocks_boxes_within_the_quarter() {
    let t = drawn(&[('/', "one_way_slope_45")], &["/"]);
    let n = (-1, 1);
    assert_eq!(faces(&t, (0, 0)), [((0, 0), (16, 16), n, LEFT, UP)]);
    assert_eq!(corners(&t, (0, 0), Role::Vertex), [((0, 0), LEFT, DOWN, n, n), ((16, 16), UP, n, RIGHT, n),]);
    assert_eq!(corners(&t, (0, 0), Role::Arc), [((0, 0), n, (-1, -1), n, NONE), ((16, 16), (1, 1), n, n, NONE),]);
}

#[test]
fn open_edges_in_a_notch_keep_their_free_ends() {
    // A one-way top runs into a one-way left side, which begins above the right end of the top.
    let t = drawn(&[('=', "one_way"), ('[', "one_way r3")], &[".[", "=."]);
    assert_eq!(faces(&t, (0, 0)), [((0, 16), (16, 16), UP, LEFT, RIGHT)]);
    assert_eq!(corners(&t, (0, 0), Role::Arc), [((0, 16), UP, LEFT, UP, NONE), ((16, 16), RIGHT, UP, UP, LEFT),]);
    assert_eq!(faces(&t, (1, 1)), [((0, 0), (0, 16), LEFT, DOWN, UP)]);
    assert_eq!(corners(&t, (1, 1), Role::Arc), [((0, 0), LEFT, DOWN, LEFT, UP), ((0, 16), UP, LEFT, LEFT, NONE),]);
    // If the left side belongs to a solid block, the one-way top just ends there, and the block does not change.
    let t = drawn(&[('=', "one_way"), ('#', "full_block")], &[".#", "=."]);
    assert_eq!(corners(&t, (0, 0), Role::Arc), [((0, 16), UP, LEFT, UP, NONE)]);
    assert!(faces(&t, (1, 1)).contains(&((0, 0), (0, 16), LEFT, DOWN, UP)));
}

#[test]
fn a_ledge_beside_a_block_stands_at_its_corner_from_both_sides() {
    // The one-way edge continues flat into the block's top. The block keeps its own corner.
    let t = drawn(&[('=', "one_way"), ('#', "full_block")], &["=#"]);
    assert_eq!(faces(&t, (0, 0)), [((0, 16), (16, 16), UP, LEFT, NONE)]);
    assert_eq!(faces(&t, (1, 0))[0], ((0, 16), (16, 16), UP, LEFT, RIGHT));
    // On the other side of the block, the one-way edge starts flat at the block's top.
    let t = drawn(&[('=', "one_way"), ('#', "full_block")], &["#="]);
    assert_eq!(faces(&t, (1, 0)), [((0, 16), (16, 16), UP, NONE, RIGHT)]);
}

#[test]
fn sides_painted_by_hand_show_where_those_of_blocks_do() {
    let rows = ["..#..", ".###.", "##.#."];
    let closed = drawn(&[('#', "full_block")], &rows);
    let painted = drawn(
        &[
            ('a', "one_way_triple"),
            ('b', "one_way_corner r3"),
            ('c', "one_way r2"),
            ('d', "one_way_corner"),
            ('e', "one_way_pair"),
            ('f', "one_way_corner r1"),
            ('g', "one_way_triple r2"),
            ('h', "one_way_triple r3"),
            ('i', "one_way_pair r1"),
        ],
        // Which sides show, tile by tile: (2,2) all but the underside; (1,1) top and left; (2,1) underside; (3,1) top
        // and right; (0,0) all but the right; (1,0) right and underside; (3,0) all but the top.
        &["..a..", ".bcd.", "hf.g."],
    );
    let list = |t: &Terrain| {
        let mut all: Vec<_> = t.exposed_faces().map(|f| (f.tile, f.a, f.b, f.normal.to_array())).collect();
        all.sort_unstable();
        all
    };
    assert_eq!(list(&closed), list(&painted));
}

#[test]
fn beyond_a_solid_side_blocks_go_on_without_end() {
    let mut parts = MapParts::new(2, 2);
    parts.borders.bottom = Border::Solid;
    parts.layers[0].origin = (10, 20);
    let t = Terrain::bake(&Map::from_parts(parts).unwrap());
    let floor = vec![((0, 16), (16, 16), UP, NONE, NONE)];
    for x in [-1000, 8, 9, 10, 11, 12, 13, 1_000_000] {
        assert_eq!(faces(&t, (x, 19)), floor, "the corner outside two sides is solid if either is");
        assert_eq!(
            [t.tile_at(0, (x, 19)), t.tile_at(0, (x, -5)), t.tile_at(0, (x, 20))],
            [crate::terrain::OUTSIDE, crate::terrain::OUTSIDE, TileId::EMPTY].map(Some)
        );
        assert_eq!(pieces(&t, (x, 18)), []);
    }
    assert_eq!(t.exposed_faces().count(), 4);
}

#[test]
fn solids_are_closed() {
    let t = drawn(&[('#', "full_block"), ('/', "slope_45"), ('=', "one_way")], &["#/=", "..."]);
    let solid = |x: f64, y: f64| t.is_solid(surefoot_geometry::Position::new(x, y).unwrap());
    let unit = 1.0 / surefoot_geometry::ONE as f64;
    assert!(solid(0.5, 1.5) && solid(0.0, 1.0) && solid(0.5, 1.0) && solid(0.0, 2.0) && solid(1.0, 2.0));
    assert!(!solid(0.5, 1.0 - unit) && !solid(-unit, 1.5) && !solid(0.5, 2.0 + unit));
    assert!(solid(1.5, 1.5) && !solid(1.5, 1.5 + unit) && !solid(1.5 - unit, 1.5) && solid(1.5, 1.0));
    assert!(solid(2.0, 1.5) && !solid(2.0 + unit, 1.5) && !solid(2.5, 2.0), "a ledge is never solid");
}

use super::*;
use crate::catalogue::Placement;

type Side = ((i8, i8), (i8, i8), usize);

fn composed(names: &[&str]) -> Composed {
    let catalogue = Catalogue::builtin();
    let variant = |name: &&str| catalogue.variant(catalogue.find_variant(name).unwrap());
    let parts: Vec<_> = names.iter().map(|name| Part { variant: variant(name), drop_through: false }).collect();
    compose(&parts)
}

/// Ends and part index of every side.
fn sides(names: &[&str]) -> Vec<Side> {
    let composed = composed(names);
    assert!(composed.fault.is_none(), "{:?}", composed.fault);
    composed.sides.iter().map(|side| (side.a.into(), side.b.into(), side.part)).collect()
}

#[test]
fn solids_are_united() {
    // Two slabs cross. Their union is an L, eight steps wide.
    assert_eq!(
        sides(&["half_slab", "half_slab r1"]),
        [
            ((8, 8), (16, 8), 0),
            ((16, 8), (16, 0), 0),
            ((16, 0), (0, 0), 0),
            ((0, 0), (0, 8), 0),
            ((8, 16), (8, 8), 1),
            ((0, 8), (0, 16), 1),
            ((0, 16), (8, 16), 1),
        ]
    );
    // A full block hides the tile inside it. Of two equal blocks, only the sides of the first remain.
    assert_eq!(sides(&["stud", "full_block"]).len(), 4);
    assert!(sides(&["stud", "full_block"]).iter().all(|side| side.2 == 1));
    assert!(sides(&["full_block", "full_block"]).iter().all(|side| side.2 == 0));
    // If two slabs lie side by side, the sides between them disappear.
    assert_eq!(
        sides(&["half_slab", "half_slab r2"]),
        [
            ((16, 8), (16, 0), 0),
            ((16, 0), (0, 0), 0),
            ((0, 0), (0, 8), 0),
            ((0, 8), (0, 16), 1),
            ((0, 16), (16, 16), 1),
            ((16, 16), (16, 8), 1),
        ]
    );
}

#[test]
fn edges_and_walls_inside_a_solid_are_removed() {
    let wall = |names| sides(names).into_iter().filter(|side| side.2 == 1).collect::<Vec<_>>();
    assert_eq!(wall(&["half_slab", "mid_wall"]), [((8, 8), (8, 16), 1), ((8, 16), (8, 8), 1)]);
    assert_eq!(wall(&["half_slab r2", "one_way"]), [], "on its top, facing the same way");
    assert_eq!(wall(&["half_slab", "one_way r2"]), [], "on its underside");
    assert_eq!(wall(&["full_block", "one_way_slope_45"]), []);
    assert_eq!(wall(&["slope_45", "diagonal_wall"]), [], "on its slope, one side facing in");
    assert_eq!(wall(&["slope_45", "one_way_slope_45 r2"]), [], "on its slope, facing in");
}

#[test]
fn edges_that_cross_stay_whole() {
    assert_eq!(sides(&["one_way_slope_45", "one_way_slope_45 r1"]).len(), 2);
    assert_eq!(sides(&["mid_wall", "mid_wall r1"]).len(), 4);
    // Of two edges that lie on each other and face the same way, only one remains.
    assert_eq!(sides(&["one_way", "one_way_pair"]), [((0, 16), (16, 16), 0), ((16, 0), (0, 0), 1)]);
    assert_eq!(sides(&["one_way_slope_45", "diagonal_wall"]).iter().map(|side| side.2).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(sides(&["one_way_slope_45", "one_way_slope_45 r2"]).len(), 2, "back to back both stand");
}

#[test]
fn a_side_ends_inside_the_solid_it_runs_into() {
    // The spike's left side, x = y / 2, touches the slope, y = x, only at (0, 0). Its right side, 2 (16 - x) = y, hits
    // the slope at x = 32/3. Below that point it is inside the slope, so it ends at the next lattice point, (11, 10).
    let composed = composed(&["slope_45", "spike"]);
    let right = composed.sides.iter().find(|side| side.part == 1 && side.edge == 1).unwrap();
    assert_eq!((right.a, right.b), (I8Vec2::new(8, 16), I8Vec2::new(11, 10)));
    assert!(right.buried_b && !right.buried_a);
    // The slope is visible above the hit. So its side begins at the next lattice point below the hit, (10, 10).
    let slope: Vec<_> = composed.sides.iter().filter(|side| side.part == 0 && side.edge == 0).collect();
    assert_eq!(slope.len(), 1);
    assert_eq!((slope[0].a, slope[0].b), (I8Vec2::new(10, 10), I8Vec2::new(16, 16)));
    assert!(slope[0].buried_a && !slope[0].buried_b);
}

#[test]
fn a_single_tile_stays_unchanged() {
    let catalogue = Catalogue::builtin();
    for variant in catalogue.variants() {
        let composed = compose(&[Part { variant, drop_through: false }]);
        let edges: Vec<_> = composed.sides.iter().map(|side| LatticeEdge { a: side.a, b: side.b }).collect();
        assert_eq!(edges, variant.edges);
    }
}

#[test]
fn the_same_pairs_are_refused_in_every_placement_and_order() {
    let catalogue = Catalogue::builtin();
    let mut refused = std::collections::BTreeMap::new();
    for (i, j) in (0..96).flat_map(|i| (0..96).map(move |j| (i, j))) {
        let ids = [VariantId(i), VariantId(j)];
        let fits = catalogue.check_stack(&ids).is_ok();
        for placement in Placement::all() {
            let place = |id: VariantId| {
                let variant = catalogue.variant(id);
                catalogue.place(variant.pattern, variant.placement.then(placement))
            };
            assert_eq!(catalogue.check_stack(&[place(ids[1]), place(ids[0])]).is_ok(), fits, "{ids:?}{placement}");
        }
        if !fits && i < j {
            let name = |id| catalogue.pattern(catalogue.variant(id).pattern).name.clone();
            *refused.entry((name(ids[0]), name(ids[1]))).or_insert(0) += 1;
        }
        assert!(fits || i != j);
    }
    let list: Vec<_> = refused.iter().map(|((a, b), count)| (a.as_str(), b.as_str(), *count)).collect();
    assert_eq!(
        list,
        [
            ("quarter_moon", "caltrop", 4),
            ("quarter_moon", "tunnel", 8),
            ("quarter_pipe", "caltrop", 4),
            ("quarter_pipe", "disc", 4),
            ("quarter_pipe", "octagon", 4),
            ("quarter_pipe", "tunnel", 8),
            ("thin_slab", "caltrop", 4),
            ("thin_slab", "quarter_moon", 8),
            ("thin_slab", "quarter_pipe", 8),
        ]
    );
}

#[test]
fn the_error_names_both_tiles_and_the_point() {
    // The last segment of the quarter moon, from (15, 5) to (16, 0), enters the slab at (15.6, 2). The next lattice
    // point on it is the slab's corner (16, 0). The segment cannot end there, because a box that slides down the slab's
    // side can touch it.
    let catalogue = Catalogue::builtin();
    let (slab, moon) = (catalogue.find_variant("thin_slab").unwrap(), catalogue.find_variant("quarter_moon").unwrap());
    let Err(StackError::OffLattice { first, second, at }) = catalogue.check_stack(&[slab, moon]) else { panic!() };
    assert_eq!((first, second), (moon, slab));
    assert!((at.0 - 15.6).abs() < 1e-12 && at.1 == 2.0);
    // A full block covers every other tile.
    let block = catalogue.find_variant("full_block").unwrap();
    assert_eq!(catalogue.check_stack(&[slab, moon, block]), Ok(()));
    assert_eq!(catalogue.check_stack(&[moon]), Ok(()));
}

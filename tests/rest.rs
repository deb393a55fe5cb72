//! A body that stands on a tile never moves by one unit.

use crate::prelude::*;

/// Ticks in which every dropped body comes to rest.
const SETTLING: u32 = 600;

/// A world in which a dropped body lands on a tile in the middle of a pit 5 wide.
fn pit(catalogue: &Arc<Catalogue>, variant: VariantId) -> World {
    let mut canvas = Canvas::of(catalogue);
    canvas.blocks((-3, -1), (3, -1));
    canvas.blocks((-3, 0), (-3, 4));
    canvas.blocks((3, 0), (3, 4));
    canvas.put((0, 0), variant);
    World::new(canvas.map(Symmetry(Placement::default())), Settings::default())
}

/// Returns whether a body can stand on a tile: one of its edges is a floor of at most 45 degrees.
fn can_be_stood_on(catalogue: &Catalogue, variant: VariantId) -> bool {
    catalogue.variant(variant).edges.iter().any(|edge| {
        let normal = edge.normal();
        normal.y > 0 && normal.x.abs() <= normal.y
    })
}

#[test]
fn a_body_on_a_variant_does_not_move_by_one_unit() {
    for catalogue in catalogues() {
        check(&catalogue);
    }
}

fn check(catalogue: &Arc<Catalogue>) {
    let ticks = often(3600, 36_000);
    let shapes = [Shape::aabb(0.25, 0.375), Shape::circle(0.25), Shape::aabb(0.0625, 0.0625), Shape::circle(0.3)];
    let mut stood_on = 0_usize;
    for variant in variants(catalogue) {
        let mut world = pit(catalogue, variant);
        let mut bodies = vec![];
        for shape in shapes {
            for sixteenth in [1, 3, 6, 8, 11, 14] {
                let at = (f64::from(sixteenth) / 16.0 + 0.01, 1.75);
                for walks in [false, true] {
                    let body = Body::new(shape).at(at).friction(1.0);
                    let body = if walks { body.character(Character::default()) } else { body };
                    bodies.push((world.spawn(body).unwrap(), shape, at, walks));
                }
            }
        }
        (0..SETTLING).for_each(|_| world.step());
        let rests: Vec<Position> = bodies.iter().map(|body| world[body.0].position()).collect();
        let name = catalogue.variant_name(variant);
        let mut on_tile = false;
        for (body, shape, at, walks) in &bodies {
            let what = format!("{name} {shape:?} dropped at {at:?} walks {walks}");
            assert!(world[*body].on_floor(), "{what}: at {} {:?}", world[*body].position(), world[*body].touching());
            assert_eq!(world[*body].velocity(), DVec2::ZERO, "{what} {}", world[*body].position());
            on_tile |= world.contacts(*body).iter().any(|c| c.tile == (0, 0) && c.side == Side::Floor);
        }
        // A body may also stand on a tip.
        assert!(on_tile || !can_be_stood_on(catalogue, variant), "{name}");
        stood_on += usize::from(on_tile);
        for tick in 0..ticks {
            world.step();
            assert!(world.events().is_empty(), "{name} tick {tick}: {:?}", world.events());
            for ((body, shape, at, walks), rest) in bodies.iter().zip(&rests) {
                assert_eq!(
                    world[*body].position(),
                    *rest,
                    "{name} {shape:?} dropped at {at:?} walks {walks} tick {tick}"
                );
            }
        }
    }
    assert!(3 * stood_on > 2 * catalogue.variants().len(), "{stood_on} variants");
}

//! One-way bodies, which collide with other bodies only from above. Results are computed by hand.

use crate::bodies::{ball_at, colliding, crate_at, falling, floating, hero_at, positions, spawn, steps};
use crate::prelude::*;

/// A hovering one-way body, four tiles wide and half a tile high, with its top at y = 2.5. Bodies that land on it push
/// it down a little.
fn shelf() -> Body {
    colliding(Shape::aabb(2.0, 0.25)).at((0.0, 2.25)).gravity_scale(0.0).mass(1e6).friction(0.6).one_way()
}

fn has_event(world: &World, name: &str) -> bool {
    world.events().iter().any(|event| event.kind.name() == name)
}

/// Three tiles up, through a shelf on two posts, and down onto it.
#[test]
fn a_hero_jumps_through_a_one_way_body_and_lands_on_it() {
    let mut world = falling(&[]);
    let post = |x: f64| colliding(Shape::aabb(0.25, 1.0)).at((x, 1.0)).friction(0.6);
    let [shelf, hero, _, _] =
        spawn(&mut world, [shelf().gravity_scale(1.0), hero_at(0.5, 0.45), post(-1.5), post(1.5)]);
    world.set_input(hero, Input { jump: true, ..Input::default() });
    let mut top = 0.0_f32;
    for _ in 0..90 {
        world.step();
        top = top.max(world[hero].position().to_vec2().y);
        assert!(!has_event(&world, "hit_tile"), "its head meets nothing: {:?}", world.events());
    }
    assert!(top > 3.5, "{top}");
    assert!(world[hero].on_floor());
    assert_eq!(positions(&world, [shelf, hero]), [position(0.0, 2.25), position(0.5, 2.95)]);
    // The hero drops through the shelf, once.
    world.set_input(hero, Input { down: true, ..Input::default() });
    steps(&mut world, 60);
    assert_eq!(world[hero].position(), position(0.5, 0.45));
}

/// Bodies at eight tiles per second without gravity, one of them along the middle of the shelf.
#[test]
fn bodies_from_the_side_or_from_below_pass_through() {
    let mut world = floating(&[]);
    let bodies = [
        crate_at(-4.5, 2.25).friction(0.0).velocity((8.0, 0.0)),
        ball_at(0.25, 1.0, 0.5).velocity((0.0, 8.0)),
        // This ball starts above the shelf. It moves diagonally down, past the right end of the shelf and into its
        // side.
        ball_at(0.25, 6.0, 6.0).velocity((-8.0, -8.0)),
    ];
    let [_, by_side, from_below, aslant] = {
        let [a, b, c] = bodies;
        spawn(&mut world, [shelf(), a, b, c])
    };
    steps(&mut world, 40);
    assert_eq!(world[by_side].velocity(), DVec2::new(8.0, 0.0));
    assert_eq!(world[from_below].velocity(), DVec2::new(0.0, 8.0));
    assert_eq!(world[aslant].velocity(), DVec2::new(-8.0, -8.0));
    let at = |id| world[id].position().to_vec2().as_dvec2();
    for (id, expected) in
        [(by_side, (5.0 / 6.0, 2.25)), (from_below, (1.0, 0.5 + 16.0 / 3.0)), (aslant, (2.0 / 3.0, 2.0 / 3.0))]
    {
        assert!((at(id) - DVec2::from(expected)).abs().max_element() < 1e-6, "{:?}", at(id));
    }
}

/// A ball of radius 1/4 hits the corner with a normal that points up by 0.05 if it overlaps the shelf's side by 0.25 *
/// (1 -
/// 0.99875), which is 0.000313. With less overlap the ball passes, straight down. With more, the corner deflects it.
#[test]
fn a_ball_passes_a_corner_that_is_level_with_it_within_3_degrees() {
    for (overlap, passes) in [(0.000_31, true), (0.000_32, false)] {
        for side in [1.0, -1.0] {
            let mut world = floating(&[]);
            let [_, ball] =
                spawn(&mut world, [shelf(), ball_at(0.25, side * (2.25 - overlap), 4.0).velocity((0.0, -8.0))]);
            steps(&mut world, 20);
            assert_eq!(world[ball].velocity() == DVec2::new(0.0, -8.0), passes, "{overlap} {side}");
            assert_eq!(world[ball].velocity().x * side > 0.0, !passes, "{overlap} {side}");
        }
    }
}

/// Crates that fall onto the shelf stay there, at any speed.
#[test]
fn bodies_that_fall_onto_a_one_way_body_land() {
    for speed in [0.0, -60.0, -1000.0] {
        let mut world = falling(&[]);
        let [shelf, low, high] =
            spawn(&mut world, [shelf(), crate_at(-1.0, 3.0), crate_at(-0.75, 20.0).velocity((0.0, speed))]);
        steps(&mut world, 120);
        // The shelf is heavy, but impacts move it, so compare relative positions.
        let above = [low, high].map(|id| world[id].position() - world[shelf].position());
        assert_eq!(above, [(-1.0, 0.75), (-0.75, 1.75)].map(|(x, y)| position(x, y).units()), "{speed}");
        assert!(world[low].on_floor() && world[high].on_floor());
    }
}

/// One-way crates stack on the ground, on crates and on each other. They do not stand on a hero below them.
#[test]
fn one_way_crates_stand_on_others_and_fall_past_heroes() {
    let mut world = falling(&[]);
    let one_way = |x: f64, y: f64| crate_at(x, y).one_way();
    let ids = spawn(
        &mut world,
        [
            one_way(0.0, 1.5),
            one_way(0.25, 3.5),
            crate_at(5.0, 0.5),
            one_way(5.0, 3.0),
            crate_at(5.25, 5.0),
            hero_at(-5.0, 0.45),
            one_way(-5.0, 3.0),
        ],
    );
    steps(&mut world, 120);
    let stands = [(0.0, 0.5), (0.25, 1.5), (5.0, 0.5), (5.0, 1.5), (5.25, 2.5), (-5.0, 0.45), (-5.0, 0.5)];
    assert_eq!(positions(&world, ids), stands.map(|(x, y)| position(x, y)));
    // The hero is inside the crate and walks out of it.
    world.set_input(ids[5], Input { walk: 127, ..Input::default() });
    steps(&mut world, 30);
    assert!(world[ids[5]].position().to_vec2().x > -3.0);
    assert_eq!(world[ids[6]].position(), position(-5.0, 0.5), "it is not pushed");
}

/// A crate rides on a moving one-way body and keeps its position on it.
#[test]
fn a_one_way_body_carries_bodies_on_top() {
    let mut world = floating(&[]);
    let sled = colliding(Shape::aabb(2.0, 0.25)).at((0.0, 2.25)).velocity((3.0, 0.0)).friction(0.6).one_way();
    let [sled, rider] = spawn(&mut world, [sled.gravity_scale(0.0), crate_at(0.5, 3.0).velocity((3.0, 0.0))]);
    let before = world[rider].position() - world[sled].position();
    for _ in 0..60 {
        world.step();
        assert_eq!(world[rider].position() - world[sled].position(), before);
    }
}

/// A ball that flies through the side of a shelf moves as a ball that collides with nothing, to the bit. So does the
/// shelf.
#[test]
fn a_passing_body_moves_as_if_alone() {
    let mut world = floating(&[]);
    let moving = |body: Body| body.velocity((7.3, 0.3));
    let [near, ball] = spawn(&mut world, [shelf().velocity((-0.7, 0.3)), moving(ball_at(0.25, -3.0, 2.2))]);
    let mut other = floating(&[]);
    let far = spawn(&mut other, [shelf().velocity((-0.7, 0.3)), moving(ball_at(0.25, -3.0, 2.2))]);
    for id in far {
        other.set_collision_mask(id, surefoot::map::CollisionLayers::NONE).unwrap();
    }
    let mut overlapped = false;
    for tick in 0..40 {
        world.step();
        other.step();
        for (id, alone) in [near, ball].into_iter().zip(far) {
            assert_eq!(world[id].position(), other[alone].position(), "tick {tick}");
            assert_eq!(world[id].velocity(), other[alone].velocity(), "tick {tick}");
        }
        let off = (world[ball].position() - world[near].position()).abs();
        overlapped |= off.x < world[near].shape().half_units().x && off.y < world[near].shape().half_units().y;
    }
    assert!(overlapped);
}

#[test]
fn a_circle_is_not_one_way() {
    let mut world = falling(&[]);
    let error = world.spawn(ball_at(0.5, 0.0, 3.0).one_way()).unwrap_err();
    assert_eq!(error.to_string(), "a circle cannot be one-way; expected a box");
}

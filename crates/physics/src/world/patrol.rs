use super::{BodyState, World};
use crate::area_overlap::BodyOverlap;
use crate::body::Input;
use crate::event::BodyId;
use surefoot_geometry::Position;

/// Controller of a character that walks to and fro: it turns at walls, at the ends of its floor and at water.
///
/// The direction is that of the body's [`input`](super::BodyState::input), so a `Patrol` has no state of its own, and
/// rewinds and saves need nothing else. A body without a direction begins to the right. To begin to the left, call
/// [`World::set_input`] with `Input::walk(-1.0)` once.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::world::Patrol;
/// use surefoot::{Map, World};
///
/// let mut world = World::new(Map::from_rows(["......#", "====..."])?, Settings::default());
/// let guard = world.spawn(Body::new(Shape::aabb(0.25, 0.5)).at((1.0, 1.5)).character(Character::default()))?;
/// let patrol = Patrol::new(0.25);
/// for _ in 0..600 {
///     let input = patrol.input(&world, guard);
///     world.set_input(guard, input);
///     world.step();
/// }
/// assert!(world[guard].on_floor());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patrol {
    /// Speed as a share of the character's full speed, from 0 to 1.
    pub speed: f32,
    /// Distance of the look-ahead in tiles. It should be more than a tick's walk plus the braking distance. Default
    /// 0.5.
    pub look_ahead: f64,
    /// Whether the character turns at walls. Default `true`.
    pub turn_at_walls: bool,
    /// Whether the character turns where its floor ends. If `false`, it walks off the edge. Default `true`.
    pub turn_at_edges: bool,
    /// Whether the character turns before it enters an area with a [`buoyancy`](crate::area::Effects::buoyancy), in
    /// which it could lose its floor. If it is in such an area, it walks on. Areas whose collision mask leaves out the
    /// character do not count. Priorities of areas make no difference. Default `true`.
    pub turn_at_water: bool,
}

impl Patrol {
    /// Creates a patrol that turns at walls, at edges and at water. `speed` is a share of the character's full speed,
    /// from 0 to 1.
    #[must_use]
    pub const fn new(speed: f32) -> Patrol {
        Patrol { speed, look_ahead: 0.5, turn_at_walls: true, turn_at_edges: true, turn_at_water: true }
    }

    /// Returns the input of `body` for the next tick, for [`World::set_input`].
    ///
    /// The character turns only on a floor, and not because of other bodies: [`World::probe_walk`] sees tiles and
    /// platforms only. A character that can walk to neither side turns in each tick. Returns the empty input if `body`
    /// is not in the world.
    #[must_use]
    pub fn input(&self, world: &World, body: BodyId) -> Input {
        let Some(state) = world.get(body) else { return Input::default() };
        let direction = if state.input().walk < 0 { -1.0 } else { 1.0 };
        if !state.on_floor() {
            return Input::walk(self.speed * direction as f32);
        }
        let next = world.walk_ahead(state, self.look_ahead * direction);
        let touching = next.touching.swapped_if(state.kind.is_flipped);
        let is_wall = if direction > 0.0 { touching.wall_right } else { touching.wall_left };
        let is_in_water = |at| is_in_water(world, (body, state), at);
        let enters_water = || is_in_water(next.position) && !is_in_water(state.position());
        let is_blocked = self.turn_at_walls && is_wall
            || self.turn_at_edges && !touching.floor
            || self.turn_at_water && enters_water();
        let turned = if is_blocked { -direction } else { direction };
        Input::walk(self.speed * turned as f32)
    }
}

/// Returns whether a body would be in water at a position: in an area with a buoyancy that detects the body.
fn is_in_water(world: &World, (id, state): (BodyId, &BodyState), at: Position) -> bool {
    world.areas().any(|(_, area)| {
        area.area().effects.buoyancy.is_some_and(|buoyancy| buoyancy > 0.0)
            && area.detects_body(id, state)
            && area.area().shape.overlaps(state.kind.shape, at.units() - area.position().units())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::Area;
    use crate::body::{Body, Character};
    use crate::map::{CollisionLayers, Map};
    use crate::motion::Shape;
    use crate::world::Settings;

    const ROWS: [&str; 5] = ["..............", "#.............", "#../=\\........", "#==#####......", ".............."];

    fn world_with_guard() -> (World, BodyId) {
        let mut world = World::new(Map::from_rows(ROWS).unwrap(), Settings::default());
        let body = Body::new(Shape::aabb(0.3, 0.45)).character(Character::default()).at((2.5, 2.45));
        let guard = world.spawn(body).unwrap();
        (world, guard)
    }

    /// The wall ends at x = 1, the floor at x = 8: a box of half-width 0.3 stays between 1.3 and 8.3.
    #[test]
    fn a_guard_walks_between_a_wall_and_an_edge() {
        let (mut world, guard) = world_with_guard();
        let (mut turns, mut low, mut high, mut before) = (0, f64::INFINITY, 0.0_f64, 1);
        for _ in 0..3600 {
            let input = Patrol::new(0.25).input(&world, guard);
            turns += u32::from(input.walk.signum() != before);
            before = input.walk.signum();
            world.set_input(guard, input);
            world.step();
            let at = world[guard].position().to_dvec2();
            (low, high) = (low.min(at.x), high.max(at.x));
            assert!(at.y > 2.4, "fell to {at}");
        }
        assert!((1.3..2.0).contains(&low) && (7.0..8.3).contains(&high), "{low} to {high}");
        assert!(turns >= 6, "{turns} turns");
    }

    #[test]
    fn a_guard_that_ignores_edges_walks_off_and_one_that_ignores_walls_stays_there() {
        let ends = |patrol: Patrol, start: f32| {
            let (mut world, guard) = world_with_guard();
            world.set_input(guard, Input::walk(start));
            for _ in 0..1200 {
                let input = patrol.input(&world, guard);
                world.set_input(guard, input);
                world.step();
                if world[guard].position().to_dvec2().y < 1.0 {
                    return None;
                }
            }
            Some(world[guard].position().to_dvec2().x)
        };
        let patrol = Patrol::new(0.25);
        assert_eq!(ends(Patrol { turn_at_edges: false, ..patrol }, 1.0), None);
        let at = ends(Patrol { turn_at_walls: false, ..patrol }, -1.0).unwrap();
        assert!((at - 1.3).abs() < 1e-6, "{at}");
    }

    /// A slope leads from the floor at height 2 down into water that ends at height 1.5, so its edge is at x = 5.5. A
    /// box of half-width 0.3 stands on the slope with its left corner, so it is dry up to x = 5.8. In the water, it
    /// floats to the other side.
    #[test]
    fn a_guard_turns_at_the_beach_of_a_pool() {
        let map = |effects: &str| {
            let text = format!(
                r#"Map(format: 1, tiles: ["=..........=", "=..........=", "=====\\.../==", "============"],
                areas: [(shape: Aabb(3.0, 0.75), at: (7.5, 0.75), effects: ({effects}))])"#
            );
            Map::from_ron(&text).unwrap()
        };
        let highest_x = |effects: &str, collision_mask: CollisionLayers, patrol: Patrol| {
            let mut world = World::new(map(effects), Settings::default());
            let pool = world.areas().next().map(|(id, state)| (id, state.area().clone()));
            let (id, area) = pool.unwrap();
            world.set_area(id, Area { collision_mask, ..area }).unwrap();
            let body = Body::new(Shape::aabb(0.3, 0.45)).character(Character::default()).at((2.5, 2.45));
            let guard = world.spawn(body).unwrap();
            let (mut high, mut turns, mut before) = (0.0_f64, 0, 1);
            for _ in 0..1200 {
                let input = patrol.input(&world, guard);
                turns += u32::from(input.walk.signum() != before);
                before = input.walk.signum();
                world.set_input(guard, input);
                world.step();
                high = high.max(world[guard].position().to_dvec2().x);
            }
            (high, turns)
        };
        let patrol = Patrol::new(0.25);
        let (dry, turns) = highest_x("buoyancy: 1.5", CollisionLayers::ALL, patrol);
        assert!((5.0..5.8).contains(&dry) && turns >= 4, "{dry}, {turns} turns");
        // An area without a buoyancy is not water, an area may leave out the guard, and the patrol may ignore water.
        let (all, none) = (CollisionLayers::ALL, CollisionLayers::NONE);
        for (effects, mask, patrol) in [
            ("buoyancy: 0.0, drag: 1.0", all, patrol),
            ("buoyancy: 1.5", none, patrol),
            ("buoyancy: 1.5", all, Patrol { turn_at_water: false, ..patrol }),
        ] {
            let (wet, _) = highest_x(effects, mask, patrol);
            assert!(wet > 6.0, "{effects}: {wet}");
        }
    }

    /// The pool reaches over the whole floor: the guard walks on instead of turning in each tick.
    #[test]
    fn a_guard_in_water_walks_on() {
        let map = r#"Map(format: 1, tiles: ["=......=", "========"], areas: [(shape: Aabb(4.0, 0.6), at: (4.0, 0.6),
            effects: (buoyancy: 0.1))])"#;
        let mut world = World::new(Map::from_ron(map).unwrap(), Settings::default());
        let body = Body::new(Shape::aabb(0.3, 0.45)).character(Character::default()).at((2.0, 1.45));
        let guard = world.spawn(body).unwrap();
        let mut turns = 0;
        for _ in 0..600 {
            let input = Patrol::new(0.25).input(&world, guard);
            turns += u32::from(input.walk.signum() != world[guard].input().walk.signum());
            world.set_input(guard, input);
            world.step();
        }
        assert!((2..20).contains(&turns), "{turns} turns");
    }

    #[test]
    fn a_body_that_is_gone_gets_no_input() {
        let (mut world, guard) = world_with_guard();
        world.despawn(guard).unwrap();
        assert_eq!(Patrol::new(1.0).input(&world, guard), Input::default());
    }
}

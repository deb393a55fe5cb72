//! Events of jumps, dashes and lasting abilities, and the mode of a character.

use crate::scene::{kinds, map};
use std::collections::BTreeMap;
use surefoot::area::{Area, AreaShape, Effects};
use surefoot::event::{JumpFrom, LandedOn, LastingAbility};
use surefoot::prelude::*;
use surefoot::world::MotionMode;
use surefoot::{Input, World};

const NONE: Input = Input { walk: 0, jump: false, down: false, up: false, dash: false };
const JUMP: Input = Input { jump: true, ..NONE };
const RIGHT: Input = Input { walk: 127, ..NONE };
const UP: Input = Input { up: true, ..NONE };

/// A hall of 12 by 8 tiles between two walls.
fn hall() -> World {
    let row = "#..........#";
    World::new(map(&[row, row, row, row, row, row, row, "############"]), Settings::default())
}

/// A box of one tile by one in the hall, on the floor or higher.
fn hero(world: &mut World, at: (f64, f64), character: Character) -> BodyId {
    let body = Body::new(Shape::aabb(0.5, 0.5)).at(at).character(character);
    let hero = world.spawn(body).unwrap();
    world.step();
    hero
}

/// Steps with these inputs, and returns the events other than hits and left floors, with their ticks.
fn play(world: &mut World, hero: BodyId, inputs: &[(u64, Input)]) -> Vec<(u64, EventKind)> {
    let (start, mut seen) = (world.tick(), Vec::new());
    for &(ticks, input) in inputs {
        for _ in 0..ticks {
            world.set_input(hero, input);
            world.step();
            let is_asked = |kind: &EventKind| {
                !matches!(
                    kind,
                    EventKind::HitTile { .. } | EventKind::LeftFloor | EventKind::Landed { .. } | EventKind::LeftMap
                ) && !matches!(kind, EventKind::AreaEntered { .. } | EventKind::AreaExited { .. })
            };
            seen.extend(kinds(world).into_iter().filter(is_asked).map(|kind| (world.tick() - start, kind)));
        }
    }
    seen
}

fn jumped(from: JumpFrom) -> EventKind {
    EventKind::Jumped { from, buffered: false }
}

fn began(ability: LastingAbility) -> EventKind {
    EventKind::AbilityBegan { ability }
}

fn ended(ability: LastingAbility) -> EventKind {
    EventKind::AbilityEnded { ability }
}

#[test]
fn a_jump_off_the_ground_is_sent_before_the_floor_is_left() {
    let abilities = Character { jump_buffer: 0.1, coyote_time: 0.1, min_jump_height: 0.5, ..Character::default() };
    for character in [Character::default(), abilities] {
        let mut world = hall();
        let hero = hero(&mut world, (5.0, 1.5), character);
        world.set_input(hero, JUMP);
        world.step();
        assert_eq!(kinds(&world), [jumped(JumpFrom::Ground), EventKind::LeftFloor]);
        assert_eq!(world[hero].mode(), MotionMode::Air);
        assert_eq!(play(&mut world, hero, &[(200, JUMP)]), [], "a held button jumps once");
        assert_eq!(world[hero].mode(), MotionMode::Ground);
        // A fall is not a jump, even with the button held.
        world.teleport(hero, (5.0, 3.0)).unwrap();
        assert_eq!(play(&mut world, hero, &[(5, JUMP)]), []);
    }
}

#[test]
fn a_landing_has_its_speed_and_what_the_body_landed_on() {
    let landing = |world: &World, hero| {
        let mut landed =
            world.events().iter().filter(|event| event.body == hero).filter_map(|event| match event.kind {
                EventKind::Landed { speed, on } => Some((speed, on)),
                _ => None,
            });
        landed.next()
    };
    let row = "......";
    let map = surefoot::Map::from_ron(&format!(
        r###"Map(format: 1, legend: {{'i': (tile: "full_block", properties: {{"tag": "ice"}})}},
            tiles: ["{row}", "{row}", "{row}", "{row}", "{row}", "##i###"],
            platforms: [(name: "raft", at: (4, 2), tiles: ["="])])"###
    ))
    .unwrap();
    let (ice, block) = (map.find_tile('i').unwrap(), map.find_tile('=').unwrap());
    let mut world = World::new(map, Settings::default());
    let raft = world.find_platform("raft").unwrap();
    let faller = Body::new(Shape::aabb(0.3, 0.3)).character(Character::default());
    let [on_ice, on_raft] = [2.5, 4.5].map(|x| world.spawn(faller.clone().at((x, 5.3))).unwrap());
    let stone = Body::new(Shape::aabb(0.4, 0.4)).collision_mask(surefoot::map::CollisionLayers::ALL);
    let below = world.spawn(stone.clone().at((0.5, 1.4))).unwrap();
    let on_body = world.spawn(stone.at((0.5, 4.4))).unwrap();
    let mut seen = BTreeMap::new();
    for _ in 0..60 {
        let before = world.clone();
        world.step();
        for hero in [on_ice, on_raft, on_body, below] {
            let Some((speed, on)) = landing(&world, hero) else { continue };
            if hero == on_ice || hero == on_raft {
                // Without the floor, the hero would have this speed at the end of the tick.
                let expected = -before[hero].velocity().y + 40.0 / 60.0;
                assert!((speed - expected).abs() < 1e-9, "{speed}, expected {expected}");
            }
            assert!(seen.insert(hero, (speed, on)).is_none());
        }
        for event in world.events().iter().filter(|event| event.body == on_body) {
            if let EventKind::HitBody { speed, .. } = event.kind {
                assert_eq!(seen[&on_body].0, speed);
            }
        }
    }
    assert_eq!(seen[&on_ice].1, Some(LandedOn::Tile { tile: (2, 0), tile_id: ice, platform: None }));
    assert_eq!(seen[&on_raft].1, Some(LandedOn::Tile { tile: (0, 0), tile_id: block, platform: Some(raft) }));
    assert_eq!(seen[&on_body].1, Some(LandedOn::Body(below)));
    assert!(!seen.contains_key(&below), "it was spawned on the floor");
}

/// Energy gives the speed: the square root of 2 g h at the end of a jump of height h, whether the flight hits the floor
/// within a tick or ends exactly at it.
#[test]
fn every_jump_lands_with_the_speed_of_its_height() {
    let mut landings = 0;
    for steps in 4..=40 {
        let height = f64::from(steps) / 10.0;
        let mut world = World::new(
            surefoot::Map::from_rows(["....", "....", "....", "....", "....", "....", "####"]).unwrap(),
            Settings::default(),
        );
        let character = Character { jump_height: height, fall_gravity_scale: 1.0, ..Character::default() };
        let hero = hero(&mut world, (2.0, 1.5), character);
        let floor = world[hero].position();
        let mut highest = 0.0_f64;
        for _ in 0..200 {
            world.set_input(hero, JUMP);
            world.step();
            highest = highest.max((world[hero].position() - floor).y as f64 / surefoot::geometry::ONE as f64);
            for event in world.events() {
                if let EventKind::Landed { speed, .. } = event.kind {
                    let expected = (2.0 * world.settings().gravity.y.abs() * highest).sqrt();
                    // In one tick, gravity changes the speed by `in_a_tick`, so the landing speed may be off by that.
                    let in_a_tick = world.settings().gravity.y.abs() * world.settings().tick;
                    assert!((speed - expected).abs() <= in_a_tick, "{height}: {speed}, expected {expected}");
                    landings += 1;
                }
            }
        }
    }
    assert_eq!(landings, 37);
}

#[test]
fn a_stored_press_is_a_buffered_jump() {
    let mut world = hall();
    let hero = hero(&mut world, (5.0, 1.5), Character { jump_buffer: 0.2, ..Character::default() });
    // The hero falls by half a tile, which takes 0.158 seconds, or 10 ticks. The press in tick 3 is stored for 12
    // ticks.
    world.teleport(hero, (5.0, 2.0)).unwrap();
    let seen = play(&mut world, hero, &[(2, NONE), (1, JUMP), (20, NONE)]);
    assert_eq!(seen, [(11, EventKind::Jumped { from: JumpFrom::Ground, buffered: true })]);
}

#[test]
fn jumps_in_the_air_say_where_they_begin() {
    let character = Character { coyote_time: 0.2, air_jumps: 1, ..Character::default() };
    let mut world = World::new(map(&["......", "......", "##....", "......", "......", "......"]), Settings::default());
    let hero = hero(&mut world, (1.4, 4.5), character);
    // The hero's centre passes the edge at x = 2 plus half of its width. The first press is a late jump, the second an
    // air jump.
    let seen = play(&mut world, hero, &[(14, RIGHT), (1, JUMP), (3, NONE), (1, JUMP), (9, JUMP)]);
    assert_eq!(seen, [(15, jumped(JumpFrom::Coyote)), (19, jumped(JumpFrom::Air))]);
}

#[test]
fn a_wall_slide_begins_and_ends_and_a_jump_off_the_wall_is_sent() {
    let character = Character { wall_slide_speed: 2.0, wall_jump_speed: 8.0, ..Character::default() };
    let mut world = hall();
    let hero = hero(&mut world, (5.0, 1.5), character);
    // The hero touches the wall and falls.
    world.teleport(hero, (10.5, 6.0)).unwrap();
    let seen = play(&mut world, hero, &[(10, RIGHT)]);
    assert_eq!(seen, [(1, began(LastingAbility::WallSlide))], "the wall is touched since the teleport");
    assert_eq!(world[hero].mode(), MotionMode::WallSlide);
    assert!(world[hero].velocity().y >= -2.0 - 1e-9, "{}", world[hero].velocity());
    assert_eq!(play(&mut world, hero, &[(1, NONE)]), [(1, ended(LastingAbility::WallSlide))]);
    assert_eq!(play(&mut world, hero, &[(1, RIGHT)]), [(1, began(LastingAbility::WallSlide))]);
    let off = Input { jump: true, ..RIGHT };
    assert_eq!(
        play(&mut world, hero, &[(1, off)]),
        [(1, jumped(JumpFrom::Wall)), (1, ended(LastingAbility::WallSlide))]
    );
    assert_eq!(world[hero].mode(), MotionMode::Air);
    // This character has the wall slide, and no wall jump.
    world.set_character(hero, Character { wall_slide_speed: 2.0, ..Character::default() }).unwrap();
    world.teleport(hero, (10.5, 6.0)).unwrap();
    world.set_velocity(hero, (0.0, 0.0)).unwrap();
    assert_eq!(play(&mut world, hero, &[(10, RIGHT)]), [(1, began(LastingAbility::WallSlide))]);
    let seen = play(&mut world, hero, &[(300, RIGHT)]);
    assert_eq!(seen.len(), 1);
    assert_eq!((seen[0].1, world[hero].mode()), (ended(LastingAbility::WallSlide), MotionMode::Ground));
}

#[test]
fn a_dash_is_sent_once() {
    let mut world = hall();
    let character = Character { dash_speed: 12.0, dash_time: 0.1, ..Character::default() };
    let hero = hero(&mut world, (5.0, 1.5), character);
    let dash = Input { dash: true, ..RIGHT };
    let seen = play(&mut world, hero, &[(3, dash)]);
    assert_eq!((seen, world[hero].mode()), (vec![(1, EventKind::Dashed)], MotionMode::Dash));
    assert_eq!(play(&mut world, hero, &[(60, dash)]), []);
}

/// The hall with an area of 2 by 4 tiles above its floor.
fn hall_with(effects: Effects) -> World {
    let mut world = hall();
    let area = Area::new(AreaShape::aabb(1.0, 2.0).unwrap()).at((5.0, 3.0)).effects(effects);
    world.spawn_area(area).unwrap();
    world
}

#[test]
fn a_climb_and_a_swim_begin_and_end() {
    let character = Character { climb_speed: 3.0, ..Character::default() };
    let mut world = hall_with(Effects { climbable: Some(true), ..Effects::default() });
    let climber = hero(&mut world, (5.0, 1.5), character);
    assert_eq!(play(&mut world, climber, &[(30, UP)]), [(1, began(LastingAbility::Climb))]);
    assert_eq!(world[climber].mode(), MotionMode::Climb);
    let seen = play(&mut world, climber, &[(1, JUMP)]);
    assert_eq!(seen, [(1, jumped(JumpFrom::Ladder)), (1, ended(LastingAbility::Climb))]);
    // A command ends the climb.
    assert_eq!(play(&mut world, climber, &[(1, NONE), (1, UP)]), [(2, began(LastingAbility::Climb))]);
    world.set_character(climber, Character::default()).unwrap();
    assert_eq!(play(&mut world, climber, &[(1, NONE)]), [(1, ended(LastingAbility::Climb))]);

    let character = Character { swim_speed: 4.0, swim_time: 0.1, ..Character::default() };
    let mut world = hall_with(Effects { buoyancy: Some(1.0), ..Effects::default() });
    let swimmer = hero(&mut world, (5.0, 4.0), character);
    let seen = play(&mut world, swimmer, &[(120, UP)]);
    assert_eq!(seen.iter().map(|(_, kind)| *kind).collect::<Vec<_>>(), [began(LastingAbility::Swim)]);
    assert_eq!(world[swimmer].mode(), MotionMode::Swim);
    let seen = play(&mut world, swimmer, &[(1, NONE), (1, JUMP)]);
    assert_eq!(seen, [(2, jumped(JumpFrom::Water)), (2, ended(LastingAbility::Swim))]);
}

#[test]
fn a_ledge_hang_begins_and_ends() {
    let mut world = World::new(map(&["......", "......", "...###", "...###", "...###"]), Settings::default());
    let character = Character { ledge_grab: 0.25, ledge_climb_time: 0.1, ..Character::default() };
    // The top of the ledge is at y = 3, and its wall at x = 3.
    let hanger = hero(&mut world, (2.5, 2.6), character);
    let seen = play(&mut world, hanger, &[(10, RIGHT)]);
    assert_eq!(seen.iter().map(|(_, kind)| *kind).collect::<Vec<_>>(), [began(LastingAbility::LedgeHang)]);
    assert_eq!(world[hanger].mode(), MotionMode::LedgeHang);
    let mut jumping = world.clone();
    let seen = play(&mut jumping, hanger, &[(1, JUMP)]);
    assert_eq!(seen, [(1, jumped(JumpFrom::Ledge)), (1, ended(LastingAbility::LedgeHang))]);
    assert_eq!(play(&mut world, hanger, &[(2, UP)]), []);
    assert_eq!(world[hanger].mode(), MotionMode::LedgeClimb);
    let seen = play(&mut world, hanger, &[(30, UP)]);
    assert_eq!(seen.iter().map(|(_, kind)| *kind).collect::<Vec<_>>(), [ended(LastingAbility::LedgeHang)]);
    assert_eq!(world[hanger].mode(), MotionMode::Ground);
}

/// The lasting ability of each character by the events so far.
#[derive(Default)]
pub(crate) struct Reported(BTreeMap<BodyId, LastingAbility>);

impl Reported {
    /// Takes the events of a tick. `before`: the world before the tick. Compares the ability of each character with
    /// what its state says.
    pub(crate) fn check(&mut self, before: &World, world: &World, faults: &mut Vec<String>, what: &str) {
        for event in world.events() {
            let right = match event.kind {
                EventKind::AbilityBegan { ability } => self.0.insert(event.body, ability).is_none(),
                EventKind::AbilityEnded { ability } => self.0.remove(&event.body) == Some(ability),
                _ => true,
            };
            if !right {
                faults.push(format!("{what}: {event:?} after another of its kind"));
            }
        }
        for (id, state) in world.bodies() {
            let expected = match () {
                () if state.is_hanging() || state.is_climbing_ledge() => Some(LastingAbility::LedgeHang),
                () if state.is_climbing() => Some(LastingAbility::Climb),
                () if state.is_swimming() => Some(LastingAbility::Swim),
                () => None,
            };
            let found = self.0.get(&id).copied();
            // A climb may also have ended on a floor, where the character stands.
            let is_right = match found {
                Some(LastingAbility::WallSlide) => expected.is_none(),
                Some(LastingAbility::Climb) => expected == found || state.on_floor(),
                _ => expected == found,
            };
            let is_frozen = state.is_stuck() || before.hit_stop_left(id) > 0;
            if !is_right && !is_frozen {
                faults.push(format!("{what}: {id:?} is in {expected:?}, and its events say {found:?}: {state:?}"));
            }
        }
    }
}

//! Characters with random numbers and random input, in maps with every feature. The exact oracle judges each part of
//! their paths, and checks that input moves a character out of every state.
//!
//! `SUREFOOT_LONG=1 cargo test --release -p surefoot-tests any_character` runs a million body-ticks.
//! `SUREFOOT_BODIES` and `SUREFOOT_BODIES_SEED` set how many seeds and the first one.

use crate::body_laws::{brought_back, seeds};
use crate::scene::{I64Vec2, ONE, Random, often, position, units};
use crate::table::MASKS;
use crate::tunnelling::{Verdict, oracle_shape, paint, paint_as, tuple, watch};
use crate::uphill::Hanging;
use surefoot::area::{Area, AreaShape, Effects};
use surefoot::body::PlatformVelocity;
use surefoot::catalogue::PatternKind;
use surefoot::map::{Border, Borders, CollisionLayers, MapParts, TileKind};
use surefoot::prelude::*;
use surefoot::{Input, Map, World, geometry::DVec2};
use surefoot_oracle as oracle;
use surefoot_random::mix;

const SIZE: (i32, i32) = (24, 14);
const TICKS: u64 = 300;
const HEROES: usize = 6;

/// Free distance on a side that counts as room, and the smallest distance that input towards that side must move a
/// character. A floor may slope down into a notch.
const ROOM: i64 = ONE / 2;
const LEAST: i64 = ONE / 16;
const PATIENCE: u32 = 150;

/// A random value for the field `name`. Values with which a character cannot move on its own, such as a `walk_speed` of
/// 0, are excluded.
fn any_number(name: &str, random: &mut Random) -> f64 {
    match name {
        "jump_height" => random.range(1.0, 4.0),
        "min_jump_height" => random.range(0.0, 4.0),
        "max_push_mass" => random.range(0.0, 5.0),
        "max_floor_snap_speed" => random.pick(&[0.0, 3.0, 8.0]),
        "apex_gravity_scale" => random.range(0.05, 1.0),
        "fall_gravity_scale" | "uphill_speed_scale" | "downhill_speed_scale" => random.range(0.5, 2.0),
        _ if name.ends_with("_speed") || name == "apex_speed_threshold" => random.range(2.0, 20.0),
        _ if ["_acceleration", "_braking", "_turning"].iter().any(|end| name.ends_with(end)) => {
            random.range(20.0, 200.0)
        }
        _ if ["_time", "_buffer", "_lock", "_grace"].iter().any(|end| name.ends_with(end)) => random.range(0.0, 0.4),
        _ => random.range(0.0, 1.0),
    }
}

/// About a third of the fields keep their defaults, so that each feature is sometimes off.
fn any_character(random: &mut Random) -> Character {
    let lift = random.pick(&[PlatformVelocity::All, PlatformVelocity::Upward, PlatformVelocity::None]);
    let mut character =
        Character { platform_velocity: lift, air_jumps: random.pick(&[0, 0, 1, 2]), ..Character::default() };
    for name in Character::FIELD_NAMES {
        let value = any_number(name, random);
        if !random.one_in(3) {
            *character.field_mut(name).unwrap() = value;
        }
    }
    character.min_jump_height = character.min_jump_height.min(character.jump_height);
    character.check().unwrap_or_else(|error| panic!("{error} {character:?}"));
    character
}

/// The oracle's view of a map.
struct Judged {
    all: oracle::Scene,
    /// Without tiles that can be dropped through.
    dropped: oracle::Scene,
    /// With thin walls in place of one-way tiles: if none of them is in the way, nothing is.
    closed: oracle::Scene,
}

impl Judged {
    fn new(map: &Map) -> Judged {
        let mut scenes = [oracle::Scene::new(), oracle::Scene::new(), oracle::Scene::new()];
        for scene in &mut scenes {
            scene.add_solid_beyond(oracle::Side::Left, 0);
            scene.add_solid_beyond(oracle::Side::Right, SIZE.0);
            scene.add_solid_beyond(oracle::Side::Bottom, 0);
            scene.add_solid_beyond(oracle::Side::Top, SIZE.1);
        }
        let [mut all, mut dropped, mut closed] = scenes;
        let catalogue = map.catalogue();
        for tile in (0..SIZE.1).flat_map(|y| (0..SIZE.0).map(move |x| (x, y))) {
            let kind = map.kind(map.tile_at(0, tile).unwrap()).unwrap();
            let Some(id) = kind.variant else { continue };
            paint(&mut all, catalogue, tile, id);
            if !kind.drop_through {
                paint(&mut dropped, catalogue, tile, id);
            }
            match catalogue.variant(id).kind {
                PatternKind::Open => paint_as(&mut closed, catalogue, tile, id, oracle::Kind::Wall),
                _ => paint(&mut closed, catalogue, tile, id),
            }
        }
        Judged { all, dropped, closed }
    }
}

/// A closed hall with blocks, one-way tiles and a few tiles of every kind.
fn hall(random: &mut Random) -> Map {
    let mut parts = MapParts::new(SIZE.0 as u32, SIZE.1 as u32);
    let all = TileKind::every_variant(&parts.catalogue);
    parts.borders = Borders { left: Border::Solid, right: Border::Solid, bottom: Border::Solid, top: Border::Solid };
    let is_open =
        |kind: &TileKind| kind.variant.is_some_and(|id| parts.catalogue.variant(id).kind == PatternKind::Open);
    let drops = random.one_in(2);
    parts.kinds = all.into_iter().map(|kind| TileKind { drop_through: drops && is_open(&kind), ..kind }).collect();
    let named = |name| TileId(parts.catalogue.find_variant(name).unwrap().0 + 1);
    let usual = ["full_block", "full_block", "one_way", "slope_45", "slope_45 m"].map(named);
    for _ in 0..18 {
        let (left, bottom) = (random.below(SIZE.0 as u64) as i32, random.below(SIZE.1 as u64) as i32);
        let (wide, high) = random.pick(&[(1, 1), (1, 1), (4, 1), (1, 4), (2, 3)]);
        let usual = random.pick(&usual);
        let is_noise = random.one_in(3);
        for (x, y) in (bottom..bottom + high).flat_map(|y| (left..left + wide).map(move |x| (x, y))) {
            let noise = TileId(1 + random.below(parts.kinds.len() as u64 - 1) as u16);
            if x < SIZE.0 && y < SIZE.1 {
                parts.layers[0].cells[(y * SIZE.0 + x) as usize] = if is_noise { noise } else { usual };
            }
        }
    }
    Map::from_parts(parts).expect("it is a map")
}

fn random_position(random: &mut Random) -> Position {
    let (x, y) = (random.range(1.0, f64::from(SIZE.0) - 1.0), random.range(1.0, f64::from(SIZE.1) - 1.0));
    if random.one_in(2) { position(x.round() + 0.5, y.round()) } else { position(x, y) }
}

/// A ladder, or an area that changes the speed of characters.
fn area(random: &mut Random) -> Area {
    let shape = AreaShape::aabb(random.pick(&[0.25, 0.5, 2.0]), random.range(0.5, 5.0)).unwrap();
    let effects = match random.below(4) {
        0 => {
            Effects { buoyancy: Some(random.range(0.0, 2.0)), drag: Some(random.range(0.0, 5.0)), ..Effects::default() }
        }
        1 => Effects {
            speed_scale: Some(random.range(0.5, 1.5)),
            gravity_scale: Some(random.range(0.5, 1.5)),
            ..Effects::default()
        },
        _ => Effects { climbable: Some(true), ..Effects::default() },
    };
    Area::new(shape).at(random_position(random)).effects(effects)
}

/// Ticks that the heroes spent in each state, and how often each [`Probe::ALL`] moved them.
#[derive(Debug, Default)]
struct Coverage {
    stood: u64,
    hung: u64,
    pulled_up: u64,
    climbed: u64,
    locked: u64,
    stopped: u64,
    crouched: u64,
    led: [u64; 4],
}

/// An input that must move a character.
#[derive(Clone, Copy, Debug)]
struct Probe {
    /// The direction: x to the right, y up.
    way: (i64, i64),
    input: Input,
    /// Whether the probe only applies to a character that holds on to something.
    holds: bool,
    stands: bool,
}

impl Probe {
    fn all() -> [Probe; 4] {
        let none = Input::default();
        let walk = |walk| Probe {
            way: (i64::from(walk).signum(), 0),
            input: Input { walk, ..none },
            holds: false,
            stands: false,
        };
        let jump = Probe { way: (0, 1), input: Input { jump: true, ..none }, holds: true, stands: true };
        let falls = Probe { way: (0, -1), input: Input { jump: true, down: true, ..none }, holds: true, stands: false };
        [walk(-127), walk(127), jump, falls]
    }
}

struct Hero {
    id: BodyId,
    upright: Shape,
    low: Shape,
}

pub struct Hall {
    pub world: World,
    judged: Judged,
    heroes: Vec<Hero>,
    up: I64Vec2,
    right: I64Vec2,
}

impl Hall {
    pub fn new(random: &mut Random) -> Hall {
        let map = hall(random);
        let judged = Judged::new(&map);
        let side = random.pick(&[Up::PlusY, Up::PlusY, Up::MinusX, Up::MinusY, Up::PlusX]);
        let up = side.direction();
        let settings = Settings::default().up(side).gravity(up.as_dvec2() * -40.0);
        let mut world = World::new(
            map,
            settings.max_floor_slope(random.pick(&[SlopeLimit::ONE_TO_ONE, SlopeLimit::new(3, 1).unwrap()])),
        );
        for _ in 0..6 {
            world.spawn_area(area(random)).unwrap();
        }
        let mask = random.pick(&MASKS);
        let mut heroes = Vec::new();
        while heroes.len() < HEROES {
            let (wide, high) = random.pick(&[(6, 8), (6, 12), (3, 5), (7, 7)]);
            let sixteenth = ONE / 16;
            let is_round = random.one_in(3);
            let shape = |high: i64| {
                let half = I64Vec2::new(wide, high) * sixteenth;
                let half = if up.x == 0 { half } else { I64Vec2::new(half.y, half.x) };
                if is_round { Shape::circle_units(high * sixteenth) } else { Shape::aabb_units(half) }
            };
            let (upright, low, at) = (shape(high), shape(high / 2), random_position(random));
            let is_free =
                !world.mover().overlaps(upright, at) && !judged.all.straddles_wall(&oracle_shape(upright), tuple(at));
            if !is_free {
                continue;
            }
            let hero = Body::new(upright).at(at).character(any_character(random)).collision_mask(mask);
            heroes.push(Hero { id: world.spawn(hero).unwrap(), upright, low });
        }
        let right = I64Vec2::new(up.y, -up.x);
        Hall { world, judged, heroes, up, right }
    }
}

impl Hall {
    pub fn press(&mut self, random: &mut Random, tick: u64) {
        for hero in &self.heroes {
            let id = hero.id;
            if random.one_in(8) {
                let walk = random.pick(&[127, 127, -127, -127, 0, 60]);
                let [jump, down, up, dash] = [2, 6, 3, 4].map(|times| random.one_in(times));
                self.world.set_input(id, Input { walk, jump, down, up, dash });
            }
            let way = DVec2::new(random.range(-15.0, 15.0), random.range(-15.0, 15.0));
            match random.below(300) {
                0 => self.world.knockback(id, way, random.below(30) as u32).unwrap(),
                1 => self.world.hit_stop(id, random.below(30) as u32).unwrap(),
                2 => self.world.set_velocity(id, way).unwrap(),
                8 => self.world.move_by(id, way / 8.0).unwrap(),
                3 => self.world.set_character(id, any_character(random)).unwrap(),
                // The change is refused if the new shape does not fit, whether low or upright. A circle is lower than
                // the box, and stands elsewhere on slopes.
                4..8 => drop(self.world.set_shape(id, if tick.is_multiple_of(2) { hero.low } else { hero.upright })),
                _ => {}
            }
        }
    }

    /// Lets the oracle judge the last tick, and counts the states.
    fn judge(&self, before: &[Position], seen: &mut Coverage, verdict: &mut Verdict, what: &str) {
        for (hero, from) in self.heroes.iter().zip(before) {
            let state = &self.world[hero.id];
            let what = || format!("{what}: {:?} {:?} {:?}", state.shape(), state.input(), state.character());
            verdict.steps += 1;
            verdict.moved += u64::from(state.position() != *from);
            verdict.hits += u64::from(!self.world.contacts(hero.id).is_empty());
            let scene = if state.input().down { &self.judged.dropped } else { &self.judged.all };
            let shape = oracle_shape(state.shape());
            let faults = verdict.faults.len();
            let end = state.position();
            let told = watch(scene, &shape, &|_| None, *from, state.path(), &"", verdict);
            if verdict.faults.len() > faults || told != end || state.is_stuck() || !state.velocity().is_finite() {
                verdict.faults.push(format!("the way ends at {told:?}, {end:?} {}", what()));
            }
            seen.stood += u64::from(state.on_floor());
            seen.hung += u64::from(state.is_hanging());
            seen.pulled_up += u64::from(state.is_climbing_ledge());
            seen.climbed += u64::from(state.is_climbing());
            seen.locked += u64::from(self.world.input_lock_left(hero.id) > 0);
            seen.stopped += u64::from(self.world.hit_stop_left(hero.id) > 0);
            seen.crouched += u64::from(state.shape() == hero.low);
        }
    }

    /// Lists heroes that keep their position although nothing supports them and there is room below. Areas, dashes and
    /// held ledges may keep a hero in place. A circle in a notch may stop short of both sides by more than the contact
    /// tolerance.
    fn judge_hanging(&self, earlier: &World, hanging: &mut Hanging, faults: &mut Vec<String>, what: &str) {
        for hero in &self.heroes {
            let state = &self.world[hero.id];
            let is_in_area = [earlier, &self.world].iter().any(|world| world.areas_of(hero.id).next().is_some());
            let is_free =
                !is_in_area && !state.is_climbing_ledge() && !state.character().is_some_and(|it| it.dash_speed > 0.0);
            let gravity = if is_free { self.world.settings().gravity } else { DVec2::ZERO };
            let (at, mut below) = (state.position(), Verdict::default());
            let down = units_by(at, self.up * -(ONE / 1024));
            watch(&self.judged.all, &oracle_shape(state.shape()), &|_| None, at, &[down], &"", &mut below);
            if hanging.hangs(earlier, &self.world, hero.id, gravity) && below.faults.is_empty() {
                let normals: Vec<DVec2> = self.world.contacts(hero.id).iter().map(|contact| contact.normal).collect();
                faults.push(format!("{what} hangs in the air: {normals:?} {gravity} {state:?}"));
            }
        }
    }

    /// Restores the world and releases all buttons for a while. Then sends input towards each side with room: the hero
    /// must move away. Other bodies are not in the way.
    fn leads_on(&self, random: &mut Random, seen: &mut Coverage, faults: &mut Vec<String>, what: &str) {
        let mut world = brought_back(self.world.clone(), random.below(4));
        for hero in &self.heroes {
            world.set_collision_mask(hero.id, CollisionLayers::NONE).unwrap();
            world.set_input(hero.id, Input::default());
        }
        (0..random.below(40)).for_each(|_| world.step());
        for (probe, led) in Probe::all().into_iter().zip(&mut seen.led) {
            let way = (self.right * probe.way.0 + self.up * probe.way.1) * ROOM;
            let goes = |hero: &&Hero| {
                let state = &world[hero.id];
                let holds = state.is_hanging() || state.is_climbing();
                let is_held = state.is_climbing() && state.character().is_some_and(|it| it.ladder_center_speed > 0.0);
                let may =
                    if probe.way.1 == 0 { !is_held } else { holds && probe.holds || state.on_floor() && probe.stands };
                let (to, mut free) = (units_by(state.position(), way), Verdict::default());
                watch(
                    &self.judged.closed,
                    &oracle_shape(state.shape()),
                    &|_| None,
                    state.position(),
                    &[to],
                    &"",
                    &mut free,
                );
                // A body that is astride a one-way tile may be wedged between tile and floor, so it need not move on.
                let is_astride =
                    self.judged.closed.straddles_wall(&oracle_shape(state.shape()), tuple(state.position()));
                may && !is_astride && free.faults.is_empty()
            };
            let heroes: Vec<&Hero> = self.heroes.iter().filter(goes).collect();
            let mut led_on = world.clone();
            let mut furthest = vec![0; heroes.len()];
            for tick in 0..PATIENCE {
                for (hero, furthest) in heroes.iter().zip(&mut furthest) {
                    // A button pressed while input is ignored must be pressed again.
                    let Input { jump, .. } = probe.input;
                    led_on.set_input(hero.id, Input { jump: jump && tick % 20 < 10, ..probe.input });
                    let off = led_on[hero.id].position() - world[hero.id].position();
                    *furthest = (*furthest).max(off.abs().max_element());
                }
                led_on.step();
            }
            for (hero, furthest) in heroes.iter().zip(&furthest) {
                if *furthest < LEAST {
                    let (state, body) = (&world[hero.id], &led_on[hero.id]);
                    faults.push(format!("{what}: {:?} does not lead on from {state:?}\nto {body:?}", probe.input));
                }
            }
            *led += heroes.len() as u64;
        }
    }
}

fn units_by(at: Position, way: I64Vec2) -> Position {
    let to = at.units() + way;
    units(to.x, to.y)
}

#[test]
fn no_character_enters_a_solid_or_gets_stuck() {
    let (mut seen, mut verdict) = (Coverage::default(), Verdict::default());
    let seeds = seeds(u64::from(often(40, 600)), 0);
    for seed in seeds.clone() {
        let mut random = Random(mix(seed ^ 0xABCD));
        let mut hall = Hall::new(&mut random);
        let mut hanging = Hanging::default();
        let mut reported = crate::abilities::Reported::default();
        for tick in 0..TICKS {
            let what = format!("seed {seed} tick {tick}");
            hall.press(&mut random, tick);
            let before: Vec<Position> = hall.heroes.iter().map(|hero| hall.world[hero.id].position()).collect();
            let earlier = hall.world.clone();
            hall.world.step();
            hall.judge(&before, &mut seen, &mut verdict, &what);
            reported.check(&earlier, &hall.world, &mut verdict.faults, &what);
            hall.judge_hanging(&earlier, &mut hanging, &mut verdict.faults, &what);
            if random.one_in(60) {
                hall.leads_on(&mut random, &mut seen, &mut verdict.faults, &what);
            }
            assert!(verdict.faults.is_empty(), "{}", verdict.faults.join("\n"));
        }
    }
    println!("{seen:?}");
    verdict.assert_sound((seeds.end - seeds.start) * TICKS * HEROES as u64);
}

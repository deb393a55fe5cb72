//! Ticks that are cut at any moments and continued, beside ticks in one piece.

use super::plain::{Dice, body, differs, map};
use super::under_way::UnderWay;
use super::*;
use crate::body::Input;
use crate::command::Command;
use crate::motion::{Cut, Pause, SlopeLimit, Until, Up};

/// How far the end of a tick that was made anew from a cut may be from that of the uncut one, in units.
const NEAR: i64 = 2;

impl World {
    /// A tick in which every body is cut at moments of its own: all are moved up to their first, then all up to their
    /// next, and so on. `at_cut` is asked where a body goes on from a cut; `None` if it goes on as if it had not been cut.
    fn step_in_parts(
        &mut self,
        mut moments: impl FnMut(BodyId) -> Vec<f64>,
        mut at_cut: impl FnMut(&Scene<'_>, BodyId, &BodyState, &Cut) -> Option<Place>,
    ) {
        self.events.clear();
        std::mem::swap(&mut self.pending, &mut self.given);
        self.pending.clear();
        let scene = super::super::scene(&self.terrain, &self.platforms, &self.settings);
        if std::mem::take(&mut self.disturbed) {
            for (id, state) in self.bodies.iter_mut() {
                free_or_stuck(&scene, id, state, &mut self.scratch, &mut self.events);
            }
        }
        self.scratch.left.clear();
        let map = Extent::of(&self.terrain);
        let mut tick = Tick::new(scene, &self.settings, map, &mut self.events);
        let begun = self.bodies.iter_mut().map(|(id, state)| (tick.begin(state, &mut self.scratch), moments(id)));
        let mut begun: Vec<(Option<UnderWay>, Vec<f64>)> =
            begun.map(|(under_way, moments)| (Some(under_way), moments)).collect();
        let most = begun.iter().map(|(_, moments)| moments.len()).max().unwrap_or(0);
        for part in 0..=most {
            for ((id, state), (begun, moments)) in self.bodies.iter_mut().zip(&mut begun) {
                let time = if part == most { Some(f64::INFINITY) } else { moments.get(part).copied() };
                let Some(time) = time else { continue };
                let Some(mut under_way) = begun.take() else { continue };
                match tick.advance(id, state, &mut under_way, &mut self.scratch, Until { time }) {
                    Ok(()) => continue,
                    Err(Pause::Missing(key)) => panic!("{key:?} is missing from a map's terrain"),
                    Err(Pause::Moment(cut)) => {
                        if let Some(place) = at_cut(&tick.scene, id, state, &cut) {
                            tick.take_up(state, &mut under_way, &mut self.scratch, &cut, place);
                        }
                    }
                }
                *begun = Some(under_way);
            }
        }
        self.events.extend(self.scratch.left.iter().map(|&body| Event { body, kind: EventKind::LeftMap }));
        self.tick += 1;
    }
}

/// A world full of bodies of every kind on a map of every variant.
fn world(dice: &mut Dice) -> World {
    let map = map(dice);
    let up = dice.pick(&[Up::PlusY, Up::PlusY, Up::MinusX, Up::MinusY, Up::PlusX]);
    let pull = 30.0 * dice.pick(&[1.0, 1.0, 0.3, 2.0]);
    let gravity = match up {
        Up::PlusY => (0.0, -pull),
        Up::MinusY => (0.0, pull),
        Up::PlusX => (-pull, 0.0),
        Up::MinusX => (pull, 0.0),
    };
    let mut settings = Settings::default().up(up).gravity(gravity).unwrap();
    if let Ok(limit) = dice.pick(&[SlopeLimit::new(1, 1), SlopeLimit::new(1, 1), SlopeLimit::new(2, 1)]) {
        settings = settings.floor_limit(limit);
    }
    let mut world = World::new(map, settings);
    for _ in 0..40 {
        let at = somewhere(dice, &world);
        world.spawn(body(dice, at)).unwrap();
    }
    world
}

fn somewhere(dice: &mut Dice, world: &World) -> (f64, f64) {
    let (x, y) = world.terrain.origin();
    let at = (f64::from(x) + dice.within(0.0, 64.0), f64::from(y) + dice.within(0.0, 40.0));
    if dice.one_in(2) { at } else { ((at.0 * 4.0).round() / 4.0, (at.1 * 4.0).round() / 4.0) }
}

/// What players and games do to a world between two ticks.
fn commands(dice: &mut Dice, world: &World) -> Vec<Command> {
    let mut commands = Vec::new();
    for (id, state) in world.bodies.iter() {
        if dice.one_in(25) {
            let walk = dice.pick(&[127, -127, 127, -127, 0, 60, -3]);
            let input = Input { walk, jump: dice.one_in(4), down: dice.one_in(6), ..Input::default() };
            commands.push(Command::SetInput(id, input));
        }
        let lost = (state.now.outside || state.now.stuck) && dice.one_in(8);
        if lost || dice.one_in(200) {
            let at = somewhere(dice, world);
            commands.push(Command::Teleport(id, Place::new(at.0, at.1).unwrap()));
        }
        if dice.one_in(100) {
            let velocity = DVec2::new(dice.within(-15.0, 15.0), dice.within(-15.0, 15.0));
            commands.push(Command::SetVelocity(id, velocity * dice.pick(&[1.0, 1.0, 30.0])));
        }
    }
    commands
}

/// One to three moments of a tick, in order.
fn moments(dice: &mut Dice) -> Vec<f64> {
    let mut moments: Vec<f64> = (0..1 + dice.below(3)).map(|_| dice.within(0.0, 1.0)).collect();
    moments.sort_by(f64::total_cmp);
    moments
}

/// How far a place is from a way, in units.
fn aside(place: Place, from: Place, way: &[Place]) -> f64 {
    let mut nearest = f64::INFINITY;
    let mut start = from;
    for &end in way.iter().chain([way.last().unwrap_or(&from)]) {
        let (part, to) = ((end - start).as_dvec2(), (place - start).as_dvec2());
        let along = if part == DVec2::ZERO { 0.0 } else { (to.dot(part) / part.length_squared()).clamp(0.0, 1.0) };
        nearest = nearest.min((to - part * along).length());
        start = end;
    }
    nearest
}

fn overlaps(scene: &Scene<'_>, state: &BodyState, place: Place) -> bool {
    !passes(state) && scene.overlaps_solid(state.kind.shape, place)
}

fn by_body(events: &[Event]) -> Vec<Event> {
    let mut events = events.to_vec();
    events.sort_by_key(|event| event.body);
    events
}

fn slices() -> u64 {
    std::env::var("SUREFOOT_PLAIN").ok().and_then(|n| n.parse().ok()).unwrap_or(12)
}

#[test]
fn a_tick_that_is_cut_and_goes_on_is_the_uncut_one_bit_for_bit() {
    let (mut cuts, mut moving, mut distance) = (0, 0, 0.0_f64);
    for seed in 0..slices() {
        let mut dice = Dice(seed ^ 0xC07);
        let mut whole = world(&mut dice);
        let mut cut = whole.clone();
        for tick in 0..150 {
            for command in commands(&mut dice, &whole) {
                assert_eq!(whole.apply(command.clone()).is_ok(), cut.apply(command).is_ok());
            }
            let mut seen = Vec::new();
            cut.step_in_parts(
                |_| moments(&mut dice),
                |scene, id, state, cut| {
                    let before = state.now.previous;
                    assert!(
                        !overlaps(scene, state, cut.place()) || overlaps(scene, state, before),
                        "seed {seed} tick {tick}: {id:?} enters a solid at {cut:?}"
                    );
                    seen.push((id, cut.place(), before));
                    None
                },
            );
            whole.step();
            for (id, state) in whole.bodies.iter() {
                if let Some(what) = differs(state, &cut.bodies[id]) {
                    panic!(
                        "seed {seed} tick {tick}: {what} of {id:?}\n{:?}\n{:?} {:?}\n{:?} {:?}\n{:?} {:?}",
                        state.kind,
                        state.now,
                        state.path(),
                        cut.bodies[id].now,
                        cut.bodies[id].path(),
                        state.touched.now(),
                        cut.bodies[id].touched.now()
                    );
                }
            }
            assert_eq!(by_body(&whole.events), by_body(&cut.events), "seed {seed} tick {tick}");
            for (id, place, before) in seen {
                let state = &whole.bodies[id];
                let off = aside(place, before, state.path());
                assert!(off <= NEAR as f64, "seed {seed} tick {tick}: {id:?} at {place} is {off} units off its way");
                distance = distance.max(off);
                cuts += 1;
                moving += u64::from(place != before && place != state.now.place);
            }
        }
        assert_eq!(whole.checksum(), cut.checksum(), "seed {seed}");
    }
    eprintln!("{cuts} cuts, {moving} on the way, at most {distance} units aside");
    assert!(cuts > 2000 * slices() && moving > 1000 * slices(), "{cuts} cuts, {moving} on the way");
}

#[derive(Debug, Default)]
struct Count {
    /// Ticks of bodies that were cut.
    ticks: u64,
    /// Ends in the very same place.
    alike: u64,
    /// Ends within some units.
    near: u64,
    farther: u64,
    /// Elsewhere alike, but with another velocity.
    faster: u64,
}

#[test]
fn a_tick_that_is_made_anew_from_a_cut_ends_near_the_uncut_one() {
    let mut count = Count::default();
    let shown = std::env::var_os("SUREFOOT_WORST").is_some();
    for seed in 0..slices() {
        let mut dice = Dice(seed ^ 0xA9E);
        let mut whole = world(&mut dice);
        for tick in 0..150 {
            for command in commands(&mut dice, &whole) {
                let _ = whole.apply(command);
            }
            let mut cut = whole.clone();
            let mut seen = Vec::new();
            cut.step_in_parts(
                |_| moments(&mut dice),
                |_, id, _, cut| {
                    seen.push((id, *cut));
                    Some(cut.place())
                },
            );
            whole.step();
            let scene = super::super::scene(&whole.terrain, &whole.platforms, &whole.settings);
            for (id, state) in whole.bodies.iter() {
                if !seen.iter().any(|(of, _)| *of == id) {
                    continue;
                }
                let other = &cut.bodies[id];
                assert!(
                    !overlaps(&scene, other, other.now.place) || overlaps(&scene, other, other.now.previous),
                    "seed {seed} tick {tick}: {id:?} enters a solid"
                );
                let off = (state.now.place - other.now.place).abs().max_element();
                count.ticks += 1;
                count.alike += u64::from(off == 0);
                count.near += u64::from(off <= NEAR);
                count.farther += u64::from(off > NEAR);
                let faster = (state.now.velocity - other.now.velocity).length();
                count.faster += u64::from(off <= NEAR && faster > 1e-3);
                if shown && (off > NEAR || faster > 1e-3) {
                    eprintln!(
                        "seed {seed} tick {tick} {id:?} {off} units {faster}\n{:?}\n{:?}\n{state:?}\n{other:?}\n",
                        state.path(),
                        seen.iter().filter(|s| s.0 == id).collect::<Vec<_>>()
                    );
                }
            }
        }
    }
    eprintln!("{count:?}");
}

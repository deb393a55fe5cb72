//! The order of a tick, and what is asked of each body at each of its points.
//!
//! 1. The commands given since the last tick become those of this tick. They were carried out when they were given.
//! 2. Bodies that something from outside may have freed or built in are looked at again. A body that overlaps a solid
//!    is stuck until it is free. It is found which bodies wait ([`pauses`](super::pauses)). What areas do to velocities is
//!    done, and characters jump that were asked to a moment too early or are asked too late; jumps whose button is let go
//!    are cut, and ladders and ledges are taken hold of ([`leap`](super::leap)).
//! 3. Platforms move, and with them the bodies that they carry and push. Bodies that the game shifts go with them.
//! 4. Bodies that meet each other are moved. Then each other body moves, in the order of the slots; then come contacts,
//!    flags and events of all.
//! 5. What characters carry is put where they are. Bodies that left the map are reported.
//! 6. Bodies that came into areas and went out of them are reported. What areas do to a body holds from the next tick on.
//!
//! The tick knows phases and events. What a walk or a flight does to a body is written once, in `walker` and
//! `ballistic`. They ask `motion`; whether motion knows the answer at once or looks at pieces shows in nothing but
//! time. Bodies that meet each other are moved before, all together, by [`pairs`].

mod alone;
mod areas;
mod islands;
mod known;
mod lift;
mod own_move;
mod pairs;
mod platforms;
#[cfg(test)]
mod tests;
mod trial;

use super::areas::Acting;
use super::leap::hang_end;
use super::state::{Known, Now};
use super::{BodyState, Kind, Settings, World};
use crate::ballistic::DynamicStep;
use crate::body::{Body, Character, Keys, MAX_SPEED, Response};
use crate::command::Command;
use crate::event::{BodyId, Event, EventKind};
use crate::motion::{
    Nearby, Path, Probe, Room, Scene, Scratch, Shape, Side, Surface, Surfaces, Touch, Toucher, Touching, Trace,
    Untraced, points_into, units,
};
use crate::movement::{Hit, Hits, Movement};
use crate::platform::{Path as PlatformPath, PlatformId};
use crate::terrain::{ChunkKey, Terrain};
use crate::walker::{self, Controller, Intent, Next, Walker, units_of};
pub(super) use alone::{Alone, Clearance};
use glam::{DVec2, I64Vec2};
use known::Looked;
pub(super) use lift::taken_by_jump;
pub(super) use pairs::{Pairs, SolverBody, Stance, can_collide_now, collider, lies_on, may_collide};
pub(super) use platforms::Riding;
use surefoot_geometry::{ONE, Position};
use trial::Before;

impl World {
    /// Advances the world by one tick of [`Settings::tick`] seconds. [`World::events`] then lists what happened.
    ///
    /// The call cannot fail. Once its internal lists have grown to the size that the scene needs, it allocates
    /// nothing.
    pub fn step(&mut self) {
        self.events.clear();
        self.queries.invalidate();
        // 1. Commands have been carried out as they were given; they become those of this tick.
        std::mem::swap(&mut self.pending, &mut self.given);
        if !self.pending.is_empty() {
            self.keep_spawned();
        }
        if std::mem::take(&mut self.scratch.sleeps) && self.given.is_empty() && !self.disturbed {
            // Nothing has come to a world in which nothing moves.
            self.scratch.sleeps = true;
            self.tick += 1;
            return;
        }
        // 2. What was built into or set free.
        if std::mem::take(&mut self.disturbed) {
            self.look_at_disturbed();
        }
        // Which bodies the game shifts.
        self.scratch.shifts.clear();
        if !self.given.is_empty() {
            self.find_shifts();
        }
        // Which bodies wait.
        if !self.pauses.is_empty() || self.bodies.may_stand_still() {
            self.begin_pauses();
        }
        // What areas do to bodies in this tick.
        if !self.areas.is_idle() {
            self.areas.begin_tick(&mut self.bodies, &self.settings);
        }
        // Which characters jump though they were asked to earlier, or stand no more; and which jumps are cut.
        if self.bodies.may_leap() {
            self.find_leaps();
        }
        // 3. Platforms, and the bodies that they carry and push.
        if !self.platforms.is_empty() || !self.scratch.shifts.is_empty() {
            self.stop_or_free(false);
            self.move_platforms();
            self.stop_or_free(true);
        }
        if !self.scratch.shifts.is_empty() {
            self.wake_shifted();
        }
        // 4. Characters turn input into velocity, gravity acts, bodies move, contacts and events.
        self.scratch.left.clear();
        if self.bodies.may_collide() {
            self.collide_bodies();
        } else {
            self.scratch.pairs.leave_all_alone();
        }
        self.move_bodies();
        if !self.platforms.is_empty() {
            self.note_riders();
        }
        if !self.platforms.pairs.is_empty() {
            self.part_pairs();
        }
        if !self.held_bodies.is_empty() {
            self.end_grips();
        }
        if !self.scratch.steered.is_empty() || !self.scratch.asked.is_empty() {
            self.end_steering();
        }
        if !self.scratch.stopped.is_empty() || !self.pauses.is_empty() {
            self.end_pauses();
        }
        if !self.scratch.shifts.is_empty() {
            self.tell_shifts();
        }
        // 5. Bodies that left the map.
        if !self.scratch.left.is_empty() {
            self.events.extend(self.scratch.left.iter().map(|&body| Event { body, kind: EventKind::LeftMap }));
        }
        // 6. Bodies that came into areas and went out of them.
        if !self.areas.is_idle() {
            self.look_at_areas();
        }
        self.tick += 1;
    }

    /// Lists by how much the commands of the tick shift bodies.
    #[inline(never)]
    fn find_shifts(&mut self) {
        for command in &self.given {
            let Command::MoveBy(body, way) = command else { continue };
            let (shifts, way) = (&mut self.scratch.shifts, units(*way));
            let most = I64Vec2::splat(units_of(PlatformPath::MAX_STEP_TILES));
            match shifts.iter_mut().find(|(shifted, _)| shifted == body) {
                Some((_, all)) => *all = (*all + way).clamp(-most, most),
                None if self.bodies.get(*body).is_some() => shifts.push((*body, way)),
                None => {}
            }
        }
    }

    /// Wakes the bodies that the shifted ones have pushed off what they lay on.
    #[inline(never)]
    fn wake_shifted(&mut self) {
        let carries = std::mem::take(&mut self.scratch.carries);
        carries.ways().filter(|(_, from, _, to)| from != to).for_each(|(body, ..)| self.wake(body));
        self.scratch.carries = carries;
    }

    /// Has the ways of shifted bodies, and of what they carried, tell how they came to where they began to move of themselves.
    #[inline(never)]
    fn tell_shifts(&mut self) {
        let StepScratch { carries, path, .. } = &mut self.scratch;
        for (body, from, corners, to) in carries.ways() {
            if let Some(state) = self.bodies.get_mut(body).filter(|_| from != to) {
                state.come_from(from, (corners, to), path);
            }
        }
    }

    /// Looks at the bodies that something from outside may have freed or built in.
    #[inline(never)]
    fn look_at_disturbed(&mut self) {
        let resting = |state: &BodyState| state.now.disturbed && state.now.quiet == Now::AT_REST;
        loop {
            let found = self.bodies.iter().find(|(_, state)| resting(state)).map(|(id, _)| id);
            let Some(body) = found else { break };
            self.wake(body);
        }
        let scene = self.platforms.scene(&self.terrain, &self.settings);
        for (id, state) in self.bodies.iter_mut() {
            let scene = scene.of_layers(state.kind.collision_layers);
            free_or_stuck(&scene, self.tick + 1, id, state, &mut self.scratch, &mut self.events);
        }
    }

    /// Drops the commands of the tick before the last one; the memory of their spawns is kept for the next ones.
    #[inline(never)]
    fn keep_spawned(&mut self) {
        for command in self.pending.drain(..) {
            if let Command::Spawn(body) = command
                && self.spawned.len() < self.bodies.room()
            {
                self.spawned.push(body);
            }
        }
    }
}

/// The lists that every step fills again.
#[derive(Debug, Default)]
pub(super) struct StepScratch {
    probe: Scratch,
    /// The pieces for bodies that drop through tiles: they are of another terrain.
    near: Nearby,
    /// Room for the pieces around whatever is looked at.
    room: Room,
    /// What a body touches in the course of its tick.
    touched: Surfaces,
    /// The straight parts of its way.
    path: Path,
    hits: Vec<Hit>,
    /// A body before its tick, if that may be made again.
    pub(super) before: Before,
    carries: platforms::Carries,
    pub(in crate::world) pairs: pairs::Pairs,
    /// All bodies were at rest in the last tick, and nothing else is there that moves.
    sleeps: bool,
    /// The slots of characters that are asked for something else in the tick under way than by their players, and what these hold down. One may
    /// be there twice: then the first one counts.
    pub(super) steered: Vec<(usize, Keys)>,
    /// Slots of characters that are to jump off the ground, and for how many ticks the press is kept if others block the jump.
    pub(super) asked: Vec<(usize, u8)>,
    /// The slots of bodies that do not move of themselves in the tick under way.
    pub(super) stopped: Vec<usize>,
    /// The pieces around a character that looks for a ledge.
    ledge: Nearby,
    /// Bodies that are found to overlap platforms.
    pub(super) overlapping: Vec<(BodyId, PlatformId)>,
    /// By how much the game shifts bodies in the tick under way, in units.
    pub(super) shifts: Vec<(BodyId, I64Vec2)>,
    /// Chunks that were loaded on the way of a body.
    pub(super) loaded: Vec<ChunkKey>,
    /// Bodies that have left the map in this tick.
    pub(super) left: Vec<BodyId>,
}

impl StepScratch {
    /// What platforms have done to bodies in the tick under way.
    fn carries(&self) -> &platforms::Carries {
        &self.carries
    }

    /// For looks around at one moment.
    pub(super) fn for_looks(&mut self) -> (&mut Nearby, &mut Scratch) {
        (&mut self.ledge, &mut self.probe)
    }

    /// Has platforms ask all bodies as they move next.
    pub(super) fn ask_platforms(&mut self) {
        self.carries.ask_all();
    }

    /// Has all be asked anew in the next tick.
    pub(super) fn ask_all(&mut self) {
        self.carries.ask_all();
        self.pairs.forget_sleeping();
        self.sleeps = false;
    }
}

/// Works out what a body touches where it was put, or after something around it was painted. Whether that keeps it on the
/// ground is for the caller to say.
pub(super) fn settle(scene: &Scene<'_>, state: &mut BodyState, scratch: &mut StepScratch) {
    // A body that keeps no pieces, or pieces of elsewhere, is not told of what is painted: see `Nearby::invalidate_tiles`.
    let (passes, shape, position) = (passes(state), state.kind.shape, state.now.position);
    state.known = Known::NOTHING;
    let cold = state.cold();
    cold.near.invalidate();
    if passes {
        cold.touched.clear();
    } else {
        cold.near.open(&mut scratch.room);
        Probe::new(scene, shape, &mut cold.near, &mut scratch.probe).touching(position, &mut scratch.touched);
        cold.touch(&scratch.touched);
        // It may be long until it moves.
        cold.near.close(&mut scratch.room, false);
    }
}

/// Finds whether a body that a command has placed, or given a velocity, is on the ground: it touches a floor and is not on
/// its way off.
pub(super) fn set_down(scene: &Scene<'_>, tick: u64, state: &mut BodyState) {
    state.known = Known::NOTHING;
    let (touching, stands) = stance(scene, state);
    let speed = if state.kind.character.is_some() { state.now.velocity.dot(scene.frame.right()) } else { 0.0 };
    state.now.take_footing(touching, stands.then_some(speed), tick);
}

/// Which sides of a body touch something, and whether it touches a floor that it is not on its way off, as one that rises past
/// a one-way ledge is.
#[inline(never)]
fn stance(scene: &Scene<'_>, state: &BodyState) -> (Touching, bool) {
    let (mut floors, mut stands) = (false, false);
    let touching = Touching::with_floors(state.touched(), state.now.position, &scene.frame, |surface, normal| {
        floors = true;
        stands |= !points_into(-normal.as_dvec2(), scene.seen_velocity(surface, state.now.velocity));
    });
    // Held by steep surfaces alone, it is not on its way off any.
    (touching, stands || (touching.floor && !floors))
}

/// [`stance`], quicker where nothing is touched.
#[inline(always)]
fn sides_of(scene: &Scene<'_>, state: &BodyState) -> (Touching, bool) {
    if state.touched().is_empty() { (Touching::default(), false) } else { stance(scene, state) }
}

pub(super) fn passes(state: &BodyState) -> bool {
    state.now.held || (state.kind.character.is_none() && state.kind.response == Response::Pass)
}

/// Looks at bodies that something from outside may have freed or built in.
pub(super) fn free_or_stuck(
    scene: &Scene<'_>,
    tick: u64,
    id: BodyId,
    state: &mut BodyState,
    scratch: &mut StepScratch,
    events: &mut Vec<Event>,
) {
    if !state.now.disturbed {
        return;
    }
    state.now.disturbed = false;
    settle(scene, state, scratch);
    let stuck = !passes(state) && scene.overlaps_terrain(state.kind.shape, state.now.position);
    let (touching, _) = sides_of(scene, state);
    // Without a floor it is in the air, but for one that cannot move; whether it has come to one is for its tick to say.
    let speed = state.now.footing.speed().filter(|_| stuck || touching.floor);
    state.now.take_footing(touching, speed, tick);
    if stuck != state.now.stuck {
        state.now.stuck = stuck;
        events.push(Event { body: id, kind: if stuck { EventKind::Stuck } else { EventKind::Unstuck } });
    }
}

/// A velocity within the limits; adding nothing makes a negative zero positive.
#[inline(always)]
pub(super) fn within_limits(velocity: DVec2) -> DVec2 {
    clamped(velocity) + DVec2::ZERO
}

/// Clamps a velocity to the speed limits. A velocity within them keeps its bits.
#[inline(always)]
pub(super) fn clamped(velocity: DVec2) -> DVec2 {
    let is_within = velocity.x.abs() <= MAX_SPEED && velocity.y.abs() <= MAX_SPEED;
    if is_within { velocity } else { velocity.clamp(DVec2::splat(-MAX_SPEED), DVec2::splat(MAX_SPEED)) }
}

/// What a character's speed is multiplied by on the floor that it touches.
#[inline(never)]
fn slope_factor(scene: &Scene<'_>, (kind, character): (&Body, &Character), now: &Now, touched: &[Surface]) -> f64 {
    let normal = scene.floor_under(kind.shape, now.position, touched);
    normal.map_or(1.0, |normal| character.slope_factor(&scene.frame, normal, now.input))
}

/// What holds for all bodies of a tick.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) settings: &'a Settings,
    map: Extent,
    /// What the world's tick is once this one is made.
    end: u64,
    /// What areas do to the body under way.
    acting: Option<&'a Acting>,
}

impl<'a> Rules<'a> {
    /// The rules of the next tick of a world that has made so many.
    pub(super) fn of(settings: &'a Settings, terrain: &Terrain, ticks: u64) -> Rules<'a> {
        Rules { settings, map: Extent::of(terrain), end: ticks + 1, acting: None }
    }
}

/// One tick under way: what all bodies have in common.
pub(super) struct Tick<'a> {
    pub(super) scene: Scene<'a>,
    rules: Rules<'a>,
    pub(super) events: &'a mut Vec<Event>,
    /// Where the body under way was when the tick began, if platforms may have brought it elsewhere since, and which of the
    /// corners of [`Carries`](platforms::Carries) are those of the path on which they did.
    from: Option<Position>,
    corners: std::ops::Range<usize>,
    /// How far platforms have pushed it since, in units, and whether they have.
    pushed: I64Vec2,
    is_pushed: bool,
}

impl<'a> Tick<'a> {
    pub(super) fn new(scene: Scene<'a>, rules: Rules<'a>, events: &'a mut Vec<Event>) -> Tick<'a> {
        Tick { scene, rules, events, from: None, corners: 0..0, pushed: I64Vec2::ZERO, is_pushed: false }
    }

    /// A tick for a body that platforms may have brought elsewhere.
    pub(super) fn of_body(scene: Scene<'a>, rules: Rules<'a>, events: &'a mut Vec<Event>, riding: &Riding) -> Tick<'a> {
        let (pushed, is_pushed) = (riding.pushed, riding.pushed != I64Vec2::ZERO);
        let corners = riding.corners.clone();
        Tick { from: Some(riding.from), corners, pushed, is_pushed, ..Tick::new(scene, rules, events) }
    }

    /// Makes a body ready for its own move.
    #[inline(always)]
    fn begin_tick(&self, state: &mut BodyState, scratch: &mut StepScratch) {
        state.begin_tick();
        if let Some(from) = self.from.filter(|from| *from != state.now.position || !self.corners.is_empty()) {
            state.now.previous = from;
            // A body that does not move of itself keeps no path: its two positions tell it.
            if !state.now.stuck && !state.now.held {
                if !self.corners.is_empty() {
                    scratch.path.extend_from_slice(&scratch.carries.corners[self.corners.clone()]);
                }
                scratch.path.push(state.now.position);
            }
        }
    }

    /// What bodies meet that drop through what may be dropped through.
    fn dropped(&self) -> Scene<'a> {
        Scene { around: self.scene.around.dropped(), ..self.scene }
    }

    #[inline(always)]
    pub(super) fn move_body(&mut self, id: BodyId, state: &mut BodyState, scratch: &mut StepScratch) {
        if self.scene.around.has_platforms() {
            self.move_with_platforms(id, state, scratch);
        } else if !self.goes_on_as_known(state) {
            self.move_anew(id, state, scratch);
        }
    }

    #[inline(always)]
    fn gravity_of<'b>(&'b self, kind: &'b Kind) -> &'b DVec2 {
        self.rules.gravity_of(kind)
    }

    #[inline(always)]
    fn controller<'b, const PLAIN: bool>(
        &'b self,
        character: &'b Character,
        kind: &'b Kind,
        now: &Now,
        air_jumps: u8,
    ) -> Controller<'b, PLAIN> {
        let tick = self.rules.settings.tick;
        let speed_factor = self.rules.acting.map_or(1.0, |acting| acting.speed_factor);
        let (input, frame) = (now.input, &self.scene.frame);
        let jump_gravity = kind.gravity();
        let pull = jump_gravity.dot(frame.up()).abs();
        let hang_end = if PLAIN { None } else { hang_end((character, now), air_jumps, frame.up(), (pull, tick)) };
        Controller {
            character,
            input,
            frame,
            gravity: self.gravity_of(kind),
            jump_gravity,
            speed_factor,
            tick,
            lift: 0.0,
            touching: now.touching,
            dashes: now.leap.dashes(),
            hang_end,
        }
    }

    /// Moves a body, and works out what is known of its next ticks.
    #[inline(never)]
    fn move_anew(&mut self, id: BodyId, state: &mut BodyState, scratch: &mut StepScratch) {
        self.begin_tick(state, scratch);
        state.cold().near.open(&mut scratch.room);
        let (before, told) = (state.now, self.events.len());
        let mut looked = Looked::default();
        if !state.now.stuck && !state.now.held {
            looked = match &state.kind.character {
                None => self.throw(id, state, scratch, Untraced),
                Some(_) if state.now.input.down() => self.drop(id, state, scratch),
                // Of both at once, which is less to ask.
                Some(_) if state.kind.is_plain() & !self.is_pushed => self.walk::<false, true>(id, state, scratch),
                Some(_) => self.walk::<false, false>(id, state, scratch),
            };
        }
        self.note_outside(id, state, scratch);
        self.find_known(state, &before, self.events.len() == told, &looked);
        if let Some(cold) = &mut state.cold {
            // What is the same for ever asks for no pieces.
            cold.near.close(&mut scratch.room, state.known.repeats != Known::ENDLESS);
        }
    }

    /// Notes whether a body is outside the map, and that it has left it.
    #[inline(always)]
    fn note_outside(&self, id: BodyId, state: &mut BodyState, scratch: &mut StepScratch) {
        let outside = self.rules.map.leaves_out(state.now.position, state.kind.shape);
        if outside && !state.now.outside {
            scratch.left.push(id);
        }
        state.now.outside = outside;
    }

    /// Moves a character that drops through what may be dropped through.
    #[inline(never)]
    fn drop(&mut self, id: BodyId, state: &mut BodyState, scratch: &mut StepScratch) -> Looked {
        // What it walks along is known only while it is looked at.
        Looked { walked: None, ..self.walk::<true, false>(id, state, scratch) }
    }

    /// Moves a character.
    #[inline(always)]
    fn walk<const DROPS: bool, const PLAIN: bool>(
        &mut self,
        id: BodyId,
        state: &mut BodyState,
        scratch: &mut StepScratch,
    ) -> Looked {
        let BodyState { kind, now, cold: Some(cold), .. } = state else { return Looked::default() };
        let Some(character) = &kind.character else { return Looked::default() };
        let own = if DROPS { &mut scratch.near } else { &mut cold.near };
        let scene = if DROPS { &self.dropped() } else { &self.scene };
        let mut probe = Probe::new(scene, kind.shape, own, &mut scratch.probe);
        let mut touch = Touch::begin(&cold.touched, &mut scratch.touched);
        let on_floor = !DROPS || probe.dropped(now.position, &mut touch);
        let mut ground = if on_floor && !self.is_lifted::<PLAIN>(kind) { now.footing.speed() } else { None };
        let intent = self.intent::<PLAIN>(scene, (kind, character), now, ground, (touch.now(), cold.timers.air_jumps));
        let walked = if let Intent::Walk { length, .. } = intent { Some(length) } else { None };
        let news = match intent {
            // It stands: nothing is looked at.
            Intent::Walk { length: 0.0, speed: 0.0 } => {
                (ground, now.velocity) = (Some(0.0), DVec2::ZERO);
                touch.news()
            }
            intent => {
                let (mut position, mut velocity, path) = (now.position, now.velocity, &mut scratch.path);
                let (ends, lists) = ((&mut position, &mut velocity), (&mut *path, &mut touch));
                match walker::step(intent, &mut probe, &mut ground, ends, lists) {
                    Some(next) => {
                        let (at, lists) = ((position, velocity, ground), (path, &mut scratch.hits));
                        let (speed, news) = self.walk_among((kind, now), (probe, touch), next, at, lists, Untraced);
                        ground = speed;
                        news
                    }
                    None => {
                        (now.position, now.velocity) = (position, within_limits(velocity));
                        touch.news()
                    }
                }
            }
        };
        let touches_others = self.end_walk(id, state, scratch, ground, news, DROPS);
        Looked { walked, touches_others }
    }

    /// Moves a character by the rest of its tick, among pieces that may be in its way. Returns its speed along the ground if it
    /// ends there, and the [news](Touch::news) of its touch.
    ///
    /// A function of its own, so that the quick part of a walk stays in registers.
    #[inline(never)]
    fn walk_among<T: Trace>(
        &self,
        (kind, now): (&Kind, &mut Now),
        (probe, touch): (Probe<'_>, Touch<'_>),
        next: Next,
        (position, velocity, mut ground): (Position, DVec2, Option<f64>),
        (path, hits): (&mut Path, &mut Vec<Hit>),
        trace: T,
    ) -> (Option<f64>, (bool, bool)) {
        let Some(character) = &kind.character else { return (ground, touch.news()) };
        let toucher = Toucher { shape: &kind.shape, frame: &probe.scene.frame, faces: now.facing as i8 };
        let hits = Hits { known: touch.before, start: now.velocity, toucher, list: hits };
        let mut movement = Movement { position, velocity, path, touch, hits, took_run: false };
        let (gravity, settings) = (self.gravity_of(kind), self.rules.settings);
        let mut walker = Walker { probe, character, input: now.input, gravity, settings };
        walker.go_on(next, &mut ground, &mut movement, trace);
        (now.position, now.velocity) = (movement.position, within_limits(movement.velocity));
        if movement.took_run {
            now.leap.end_rise();
        }
        (ground, movement.touch.news())
    }

    /// Returns how a character is to move. `touched`: the surfaces that it touches, and the number of its jumps in the air.
    #[inline(always)]
    fn intent<const PLAIN: bool>(
        &self,
        scene: &Scene<'_>,
        (kind, character): (&Kind, &Character),
        now: &mut Now,
        ground: Option<f64>,
        (touched, air_jumps): (&[Surface], u8),
    ) -> Intent {
        let on_surface;
        let mut character = character;
        if scene.has_surfaces() && ground.is_some() {
            on_surface = character.with_traction(scene.traction(kind.shape, now.position, touched));
            character = &on_surface;
        }
        let mut controller = self.controller::<PLAIN>(character, kind, now, air_jumps);
        let is_level = |surface: &Surface| surface.is_flat() && surface.piece.normal == scene.frame.axis().as_i8vec2();
        if !PLAIN && ground.is_some() && kind.has_slope_speeds() && !touched.iter().all(is_level) {
            controller.speed_factor *= slope_factor(scene, (kind, character), now, touched);
        }
        let mut intent = None;
        if let Some(speed) = ground
            && scene.has_belts()
        {
            let belt = scene.belt_of_floors(kind.shape, now.position, touched);
            if belt.speed != 0.0 {
                controller.lift = belt.velocity().dot(scene.frame.up());
                let relative = controller.intent(Some(speed - belt.speed), now.velocity, now.asks_to_jump());
                intent = Some(relative.on_belt(belt.speed, controller.tick));
            }
        }
        let mut intent = intent.unwrap_or_else(|| controller.intent(ground, now.velocity, now.asks_to_jump()));
        now.jump_held = now.input.jump();
        if !PLAIN && self.is_pushed {
            intent.take_push(self.pushed, &self.scene.frame);
        }
        intent
    }

    /// What follows when a character has moved, and ends with this speed along the ground if on it: contacts and events.
    /// Answers whether it touches other surfaces than before.
    #[inline(always)]
    fn end_walk(
        &mut self,
        id: BodyId,
        state: &mut BodyState,
        scratch: &mut StepScratch,
        ground: Option<f64>,
        (refreshed, sides): (bool, bool),
        drops: bool,
    ) -> bool {
        let BodyState { kind, now, cold: Some(cold), .. } = &mut *state else { return false };
        let touches_others = refreshed && cold.touch(&scratch.touched);
        if drops {
            // What it keeps was not asked where it is now.
            cold.near.invalidate();
        }
        cold.keep_way(&mut scratch.path, now);
        if !scratch.hits.is_empty() {
            let scene = if drops { self.dropped() } else { self.scene };
            let faces = now.facing as i8;
            self.report(id, &scene, &mut scratch.hits, (kind, faces));
        }
        // What is still touched after a walk is a floor that it has walked along.
        let touching = if sides { sides_of(&self.scene, state).0 } else { state.now.touching };
        self.end_on(id, state, touching, ground.filter(|_| touching.floor));
        touches_others
    }

    /// Moves a body that is no character.
    #[inline(never)]
    fn throw<T: Trace>(&mut self, id: BodyId, state: &mut BodyState, scratch: &mut StepScratch, trace: T) -> Looked {
        let BodyState { kind, now, cold: Some(cold), .. } = state else { return Looked::default() };
        let mut probe = Probe::new(&self.scene, kind.shape, &mut cold.near, &mut scratch.probe);
        let touch = Touch::begin(&cold.touched, &mut scratch.touched);
        let toucher = Toucher { shape: &kind.shape, frame: &self.scene.frame, faces: now.facing as i8 };
        let hits = Hits { known: touch.before, start: now.velocity, toucher, list: &mut scratch.hits };
        let (position, velocity, path) = (now.position, now.velocity, &mut scratch.path);
        let mut movement = Movement { position, velocity, path, touch, hits, took_run: false };
        self.thrown(kind, &mut probe).step(&mut movement, trace);
        let Movement { position, velocity, touch, .. } = movement;
        (now.position, now.velocity) = (position, within_limits(velocity));
        let refreshed = touch.is_refreshed();
        let touches_others = self.end_dynamic(id, state, scratch, refreshed);
        Looked { walked: None, touches_others }
    }

    #[inline(always)]
    fn thrown<'b, 'p>(&self, kind: &Kind, probe: &'b mut Probe<'p>) -> DynamicStep<'b, 'p> {
        DynamicStep {
            probe,
            response: kind.response,
            friction: kind.friction,
            rest_speed: kind.rest_speed_threshold,
            gravity: *self.gravity_of(kind),
            tick: self.rules.settings.tick,
            pushed: self.pushed,
        }
    }

    /// What follows when a body that is no character has moved. Answers whether it touches other surfaces than before.
    #[inline(always)]
    fn end_dynamic(&mut self, id: BodyId, state: &mut BodyState, scratch: &mut StepScratch, refreshed: bool) -> bool {
        let BodyState { kind, now, cold: Some(cold), .. } = &mut *state else { return false };
        let touches_others = refreshed && cold.touch(&scratch.touched);
        cold.keep_way(&mut scratch.path, now);
        if !scratch.hits.is_empty() {
            let scene = self.scene;
            let faces = now.facing as i8;
            self.report(id, &scene, &mut scratch.hits, (kind, faces));
        }
        let (touching, stands) = sides_of(&self.scene, state);
        self.end_on(id, state, touching, stands.then_some(0.0));
        touches_others
    }

    /// Ends a body's tick with what it touches, and its speed along the ground if it is on it; tells of a change.
    #[inline(always)]
    fn end_on(&mut self, body: BodyId, state: &mut BodyState, touching: Touching, speed: Option<f64>) {
        let now = &mut state.now;
        now.take_footing(touching, speed, self.rules.end);
        let on_ground = speed.is_some();
        if on_ground != now.told_ground {
            let kind = if on_ground { EventKind::Landed } else { EventKind::LeftFloor };
            self.events.push(Event { body, kind });
            now.told_ground = on_ground;
        }
    }

    #[inline(never)]
    fn report(&mut self, body: BodyId, scene: &Scene<'_>, hits: &mut Vec<Hit>, (kind, faces): (&Kind, i8)) {
        let toucher = Toucher { shape: &kind.shape, frame: &scene.frame, faces };
        let is_character = kind.character.is_some();
        for hit in hits.drain(..) {
            let normal = hit.surface.normal(hit.position);
            let side = self.scene.frame.side(normal);
            // For a character a floor is no obstacle.
            if !is_character || side != Side::Floor {
                let normal = normal.as_dvec2().normalize_or_zero();
                let Hit { speed, position, heading, .. } = hit;
                let (tile, tile_id) = scene.around.tile_of(&scene.named(&hit.surface, position, heading, &toucher));
                let platform = scene.around.platform_of(&hit.surface);
                let kind = EventKind::HitTile { side, speed, normal, tile, tile_id, platform, position };
                self.events.push(Event { body, kind });
            }
        }
    }
}

/// The rectangle of a map, in units.
#[derive(Clone, Copy)]
pub(in crate::world) struct Extent {
    low: I64Vec2,
    high: I64Vec2,
}

impl Extent {
    /// Whether the rectangle holds a place, in units.
    #[inline(always)]
    fn holds(&self, at: I64Vec2) -> bool {
        at.x >= self.low.x && at.x <= self.high.x && at.y >= self.low.y && at.y <= self.high.y
    }

    pub(in crate::world) fn of(terrain: &Terrain) -> Extent {
        let (origin, size) = (terrain.origin(), terrain.size());
        let low = I64Vec2::new(i64::from(origin.0), i64::from(origin.1));
        let size = I64Vec2::new(i64::from(size.0), i64::from(size.1));
        Extent { low: low * ONE, high: (low + size) * ONE }
    }

    /// Whether the whole of a shape lies beyond the map's edges.
    #[inline]
    pub(in crate::world) fn leaves_out(&self, position: Position, shape: Shape) -> bool {
        let at = position.units();
        if at.x >= self.low.x && at.x <= self.high.x && at.y >= self.low.y && at.y <= self.high.y {
            return false;
        }
        let half = shape.half_units();
        at.x + half.x <= self.low.x
            || at.x - half.x >= self.high.x
            || at.y + half.y <= self.low.y
            || at.y - half.y >= self.high.y
    }
}

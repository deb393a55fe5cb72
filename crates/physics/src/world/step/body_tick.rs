//! The own tick of one body: a walk, a flight or a drop through one-way tiles, then its contacts and events.

use super::prediction::TickFacts;
use super::standing::sides_and_standing_of_body;
use super::{Riding, StepScratch};
use crate::ballistic::DynamicStep;
use crate::body::{Body, Character, limit_velocity};
use crate::controller::{Controller, Intent, SlopeSlide};
use crate::event::{BodyId, Event, EventKind, JumpFrom, LandedOn};
use crate::motion::{Path, Probe, Scene, Shape, Side, Surface, Touch, Toucher, Touching, Trace, Untraced};
use crate::movement::{Hit, Hits, Movement};
use crate::rebound::Rebound;
use crate::terrain::Terrain;
use crate::walker::{self, MotionPart, Walker};
use crate::world::areas::ActiveEffects;
use crate::world::character::{JumpBuffer, end_speed_of_apex_hang};
use crate::world::state::{Now, Prediction};
use crate::world::{BodyState, Kind, Settings};
use glam::{DVec2, I64Vec2};
use surefoot_geometry::{ONE, Position};

/// Returns the speed multiplier of a character for the slope of the floor that it touches, and its slide down that
/// floor.
#[inline(never)]
pub(super) fn find_slope_factor_and_slide(
    scene: &Scene<'_>,
    (kind, character): (&Body, &Character),
    now: &Now,
    (touched, gravity): (&[Surface], DVec2),
) -> (f64, Option<SlopeSlide>) {
    let Some(normal) = scene.floor_under(kind.shape, now.position, touched) else { return (1.0, None) };
    let friction = scene.friction_of_floors(kind.shape, now.position, touched);
    let slide = SlopeSlide::find_slide_down_floor(character, &scene.frame, normal, (gravity, friction));
    (character.slope_factor(&scene.frame, normal, now.input), slide)
}

/// Returns how floors throw a character back. `None` if it lands on all floors, because its `bounce_scale` is 0 or an
/// ability sets its velocity. `gravity`: gravity on the body in this tick.
#[inline(always)]
pub(super) fn find_rebound(
    scene: &Scene<'_>,
    (kind, now): (&Kind, &Now),
    (gravity, tick): (DVec2, f64),
) -> Option<Rebound> {
    let character = kind.character.as_ref().filter(|character| character.bounce_scale > 0.0)?;
    if now.mode.has_velocity_set_by_ability() || !scene.has_bouncy_materials() {
        return None;
    }
    let will_jump = now.jump_buffer != JumpBuffer::NONE && character.jump_height > 0.0;
    let controller = Controller::<false>::new_on_open_ground(character, now.input, &scene.frame, &kind.gravity, tick);
    let jump = if will_jump { controller.jump_speed() } else { 0.0 };
    // Gravity may be stronger while a character falls than while it rises. Without this divisor, such a character would
    // bounce higher than it was when its fall began.
    let scale = character.bounce_scale / character.fall_gravity_scale.max(1.0).sqrt();
    Some(Rebound { scale, rest: kind.rest_speed_threshold, jump, gravity, tick })
}

/// Rules for all bodies of a tick.
#[derive(Clone, Copy)]
pub(in crate::world) struct Rules<'a> {
    pub(in crate::world) settings: &'a Settings,
    pub(super) map: Extent,
    /// Number of the world's tick after this step.
    pub(super) end: u64,
    /// Effects of areas on the current body.
    pub(super) acting: Option<&'a ActiveEffects>,
}

impl<'a> Rules<'a> {
    /// Returns the rules of the next tick of a world that has made `ticks` ticks.
    pub(in crate::world) fn of_next_tick(settings: &'a Settings, terrain: &Terrain, ticks: u64) -> Rules<'a> {
        Rules { settings, map: Extent::of_terrain(terrain), end: ticks + 1, acting: None }
    }
}

/// The current tick: data that all bodies share, and the push of the current body by platforms.
pub(in crate::world) struct Tick<'a> {
    pub(in crate::world) scene: Scene<'a>,
    pub(super) rules: Rules<'a>,
    pub(in crate::world) events: &'a mut Vec<Event>,
    /// Position of the current body when the tick began, if platforms may have moved it since.
    pub(super) from: Option<Position>,
    /// Range of the path's corners in [`Carries`](super::platforms::Carries).
    pub(super) corners: std::ops::Range<usize>,
    /// Displacement by which platforms have pushed the current body, in units.
    pub(super) pushed: I64Vec2,
    /// Whether platforms have pushed it.
    pub(super) is_pushed: bool,
    /// The last body that began its tick with a jump off the ground.
    pub(super) jumped: Option<BodyId>,
    /// The last body that hit a floor, and its first hit of one.
    pub(super) landed: Option<(BodyId, Landing)>,
}

impl<'a> Tick<'a> {
    pub(in crate::world) fn new(scene: Scene<'a>, rules: Rules<'a>, events: &'a mut Vec<Event>) -> Tick<'a> {
        let (pushed, is_pushed) = (I64Vec2::ZERO, false);
        Tick { scene, rules, events, from: None, corners: 0..0, pushed, is_pushed, jumped: None, landed: None }
    }

    /// Returns a tick for a body that platforms may have moved.
    pub(in crate::world) fn of_riding_body(
        scene: Scene<'a>,
        rules: Rules<'a>,
        events: &'a mut Vec<Event>,
        riding: &Riding,
    ) -> Tick<'a> {
        let (pushed, is_pushed) = (riding.carried.pushed, riding.carried.pushed != I64Vec2::ZERO);
        let corners = riding.carried.corners.clone();
        Tick { from: Some(riding.carried.from), corners, pushed, is_pushed, ..Tick::new(scene, rules, events) }
    }

    /// Prepares a body for its own move.
    #[inline(always)]
    pub(super) fn begin_tick(&self, state: &mut BodyState, scratch: &mut StepScratch) {
        state.begin_tick();
        if let Some(from) = self.from.filter(|from| *from != state.now.position || !self.corners.is_empty()) {
            state.now.previous = from;
            // Stuck and carried bodies do not move by themselves, so they need no path.
            if !state.now.stuck && !state.now.held {
                if !self.corners.is_empty() {
                    scratch.path.extend_from_slice(&scratch.carries.corners[self.corners.clone()]);
                }
                scratch.path.push(state.now.position);
            }
        }
    }

    /// Returns the scene for bodies that drop through one-way tiles.
    pub(super) fn scene_for_drop_through(&self) -> Scene<'a> {
        Scene { around: self.scene.around.for_drop_through(), ..self.scene }
    }

    /// Moves a body by its own tick. `id` returns its id, which a predicted tick does not need.
    #[inline(always)]
    pub(in crate::world) fn move_body(
        &mut self,
        id: impl FnOnce() -> BodyId,
        state: &mut BodyState,
        scratch: &mut StepScratch,
    ) {
        if self.scene.around.has_platforms() {
            self.move_in_world_with_platforms(id(), state, scratch);
        } else if !self.try_predicted_tick(state) {
            self.move_body_without_prediction(id(), state, scratch);
        }
    }

    #[inline(always)]
    pub(super) fn gravity_of<'b>(&'b self, kind: &'b Kind) -> &'b DVec2 {
        self.rules.gravity_of(kind)
    }

    #[inline(always)]
    pub(super) fn new_controller<'b, const PLAIN: bool>(
        &'b self,
        character: &'b Character,
        kind: &'b Kind,
        now: &Now,
    ) -> Controller<'b, PLAIN> {
        let tick = self.rules.settings.tick;
        let speed_factor = self.rules.acting.map_or(1.0, |acting| acting.speed_factor);
        let ground_wind = if PLAIN { 0.0 } else { self.rules.acting.map_or(0.0, |acting| acting.ground_wind) };
        Controller {
            gravity: self.gravity_of(kind),
            speed_factor,
            ground_wind,
            touching: now.touching,
            is_driven: now.mode.has_velocity_set_by_ability(),
            hang_end: None,
            ..Controller::new_on_open_ground(character, now.input, &self.scene.frame, &kind.gravity, tick)
        }
    }

    /// Returns `Controller::hang_end` of a character in the air or at a jump. A walk does not need it.
    #[inline(always)]
    pub(super) fn end_speed_of_apex_hang_of(
        &self,
        (kind, character): (&Kind, &Character),
        now: &Now,
        air_jumps: u8,
    ) -> Option<f64> {
        let up = self.scene.frame.up();
        end_speed_of_apex_hang((character, now), air_jumps, up, (kind.gravity.dot(up).abs(), self.rules.settings.tick))
    }

    /// Moves a body by its own tick, and updates its prediction.
    #[inline(never)]
    pub(super) fn move_body_without_prediction(
        &mut self,
        id: BodyId,
        state: &mut BodyState,
        scratch: &mut StepScratch,
    ) {
        self.begin_tick(state, scratch);
        state.cold_mut().near.take_memory(&mut scratch.spare_lists);
        let (before, events_before) = (state.now, self.events.len());
        let mut facts = TickFacts::default();
        if !state.now.stuck && !state.now.held {
            // The operator `&` tests all conditions at once, which is faster.
            let is_plain =
                state.kind.is_plain & !self.is_pushed & !self.is_affected_by_areas() & !state.now.input.is_down_held();
            facts = if state.kind.character.is_some() && is_plain {
                self.move_character::<false, true, _>(id, state, scratch, Untraced)
            } else {
                self.make_own_move(id, state, scratch, Untraced)
            };
        }
        self.update_outside_map_flag(id, state, scratch);
        self.update_prediction(state, &before, self.events.len() == events_before, &facts);
        if let Some(cold) = &mut state.cold {
            // A body whose ticks repeat endlessly makes no queries, so it gives back the memory of its cached pieces.
            cold.near.return_memory(&mut scratch.spare_lists, state.prediction.repeats != Prediction::ENDLESS_REPEATS);
        }
    }

    /// Updates whether a body is outside the map, and records that it has left it.
    #[inline(always)]
    pub(super) fn update_outside_map_flag(&self, id: BodyId, state: &mut BodyState, scratch: &mut StepScratch) {
        let outside = self.rules.map.is_outside(state.now.position, state.kind.shape);
        if outside != state.now.flags.outside() {
            if outside {
                scratch.left_map.push(id);
            }
            state.now.flags.set_outside(outside);
        }
    }

    /// Moves a body, and records the straight parts of its path.
    #[inline(always)]
    pub(super) fn make_own_move<T: Trace>(
        &mut self,
        id: BodyId,
        state: &mut BodyState,
        scratch: &mut StepScratch,
        trace: T,
    ) -> TickFacts {
        if state.kind.character.is_none() {
            self.move_dynamic_body(id, state, scratch, trace)
        } else if state.now.input.is_down_held() {
            self.move_dropping_through(id, state, scratch, trace)
        } else {
            self.move_character::<false, false, T>(id, state, scratch, trace)
        }
    }

    /// Moves a character that drops through one-way tiles.
    #[inline(never)]
    fn move_dropping_through<T: Trace>(
        &mut self,
        id: BodyId,
        state: &mut BodyState,
        scratch: &mut StepScratch,
        trace: T,
    ) -> TickFacts {
        // Do not predict that the next tick repeats this walk. The body's own cache has the floors of a body that does
        // not drop through tiles.
        TickFacts { walked: None, ..self.move_character::<true, false, T>(id, state, scratch, trace) }
    }

    /// Moves a character.
    #[inline(always)]
    fn move_character<const DROPS: bool, const PLAIN: bool, T: Trace>(
        &mut self,
        id: BodyId,
        state: &mut BodyState,
        scratch: &mut StepScratch,
        trace: T,
    ) -> TickFacts {
        let BodyState { kind, now, cold: Some(cold), .. } = state else { return TickFacts::default() };
        let Some(character) = &kind.character else { return TickFacts::default() };
        let pieces = if DROPS { &mut scratch.near } else { &mut cold.near };
        let scene = if DROPS { &self.scene_for_drop_through() } else { &self.scene };
        let mut probe = Probe::new(scene, kind.shape, pieces, &mut scratch.probe);
        let mut touch = Touch::start_from(&cold.touched, &mut scratch.touched);
        let on_floor = !DROPS || probe.refresh_contacts_and_find_floor(now.position, &mut touch);
        let mut ground =
            if on_floor && !self.is_accelerated_upwards::<PLAIN>(kind) { now.footing.speed() } else { None };
        let intent =
            self.find_intent::<PLAIN>(scene, (kind, character), now, ground, (touch.surfaces(), cold.timers.air_jumps));
        let walked = if let Intent::Walk { length, .. } = intent { Some(length) } else { None };
        let changes = match intent {
            // The character stands still, so it needs no query.
            Intent::Walk { length: 0.0, speed: 0.0 } => {
                (ground, now.velocity) = (Some(0.0), DVec2::ZERO);
                touch.contact_and_side_changes()
            }
            intent => {
                if intent.is_jump() {
                    self.jumped = Some(id);
                }
                let (mut position, mut velocity, path) = (now.position, now.velocity, &mut scratch.path);
                let (ends, lists) = ((&mut position, &mut velocity), (&mut *path, &mut touch));
                match walker::move_as_far_as_clear::<T>(intent, &mut probe, &mut ground, ends, lists) {
                    Some(next) => {
                        let (at, lists) = ((position, velocity, ground), (path, &mut scratch.hits));
                        let (speed, news) =
                            self.finish_move_near_pieces((kind, now), (probe, touch), next, at, lists, trace);
                        ground = speed;
                        news
                    }
                    None => {
                        (now.position, now.velocity) = (position, limit_velocity(velocity));
                        touch.contact_and_side_changes()
                    }
                }
            }
        };
        let touches_others = self.end_character_move(id, state, scratch, ground, changes, DROPS);
        TickFacts { walked, touches_others }
    }

    /// Makes the rest of a character's tick among pieces of terrain that may block it. Returns its speed along the
    /// ground if it ends there, and the [changes](Touch::contact_and_side_changes) of its contacts.
    ///
    /// It is a function of its own so that the fast part of a walk stays in registers.
    #[inline(never)]
    fn finish_move_near_pieces<T: Trace>(
        &self,
        (kind, now): (&Kind, &mut Now),
        (probe, touch): (Probe<'_>, Touch<'_>),
        next: MotionPart,
        (position, velocity, mut ground): (Position, DVec2, Option<f64>),
        (path, hits): (&mut Path, &mut Vec<Hit>),
        trace: T,
    ) -> (Option<f64>, (bool, bool)) {
        let Some(character) = &kind.character else { return (ground, touch.contact_and_side_changes()) };
        let toucher = Toucher { shape: &kind.shape, frame: &probe.scene.frame, faces: now.facing as i8 };
        let hits = Hits { known: touch.before, start: now.velocity, toucher, list: hits };
        let mut movement = Movement { position, velocity, path, touch, hits, took_run: false };
        let (gravity, settings) = (self.gravity_of(kind), self.rules.settings);
        let rebound = find_rebound(probe.scene, (kind, now), (*gravity, settings.tick));
        let mut walker = Walker { probe, character, input: now.input, gravity, settings, rebound };
        walker.run_remaining_parts(next, &mut ground, &mut movement, trace);
        (now.position, now.velocity) = (movement.position, limit_velocity(movement.velocity));
        if movement.took_run {
            now.mode = now.mode.without_jump_rise_or_ability();
        }
        (ground, movement.touch.contact_and_side_changes())
    }

    /// Returns how a character is to move. `touched`: the surfaces that it touches, and the number of its jumps in
    /// the air.
    #[inline(always)]
    fn find_intent<const PLAIN: bool>(
        &self,
        scene: &Scene<'_>,
        (kind, character): (&Kind, &Character),
        now: &mut Now,
        ground: Option<f64>,
        (touched, air_jumps): (&[Surface], u8),
    ) -> Intent {
        let on_surface;
        let mut character = character;
        if scene.has_materials() && ground.is_some() {
            on_surface = character.with_traction(scene.traction(kind.shape, now.position, touched));
            character = &on_surface;
        }
        let mut controller = self.new_controller::<PLAIN>(character, kind, now);
        let leaves_ground = now.leaves_ground_by_input();
        if !PLAIN && (ground.is_none() || leaves_ground) {
            controller.hang_end = self.end_speed_of_apex_hang_of((kind, character), now, air_jumps);
        }
        let is_level =
            |surface: &Surface| surface.is_flat() && surface.piece.normal == scene.frame.up_axis().as_i8vec2();
        if !PLAIN && ground.is_some() && kind.has_slope_speeds && !touched.iter().all(is_level) {
            let gravity = *controller.gravity;
            let (factor, slide) = find_slope_factor_and_slide(scene, (kind, character), now, (touched, gravity));
            (controller.speed_factor, controller.slide) = (controller.speed_factor * factor, slide);
        }
        let mut intent = None;
        if let Some(speed) = ground
            && scene.has_belts()
        {
            let belt = scene.belt_of_floors(kind.shape, now.position, touched);
            if belt.speed != 0.0 {
                controller.lift = belt.velocity().dot(scene.frame.up());
                let relative = controller.intent(Some(speed - belt.speed), now.velocity, leaves_ground);
                intent = Some(relative.relative_to_owner_of_belt(belt.speed, controller.tick));
            }
        }
        let mut intent = intent.unwrap_or_else(|| controller.intent(ground, now.velocity, leaves_ground));
        now.jump_held = now.input.is_jump_held();
        if !PLAIN && self.is_pushed {
            intent.subtract_push(self.pushed, &self.scene.frame);
        }
        intent
    }

    /// Ends a character's move with contacts and events. `ground`: its speed along the ground, if it is there.
    /// Returns whether it touches other surfaces than before.
    #[inline(always)]
    fn end_character_move(
        &mut self,
        id: BodyId,
        state: &mut BodyState,
        scratch: &mut StepScratch,
        ground: Option<f64>,
        (refreshed, sides): (bool, bool),
        drops: bool,
    ) -> bool {
        let BodyState { now, cold: Some(cold), .. } = &mut *state else { return false };
        let touches_others = refreshed && cold.set_contacts_if_changed(&scratch.touched);
        if drops {
            // A drop through tiles gathers pieces in another cache. The pieces in the body's own cache belong to its
            // previous position.
            cold.near.forget_touched_tiles();
        }
        cold.store_path(&mut scratch.path, now);
        if !scratch.hits.is_empty() {
            self.report_hits(id, state, &mut scratch.hits, drops);
        }
        // If `sides` is false, the move changed no contact, or only went on along the floor that the body stood on.
        // Then the touched sides stay the same.
        let touching = if sides { sides_and_standing_of_body(&self.scene, state).0 } else { state.now.touching };
        self.update_grounded(id, state, touching, ground.filter(|_| touching.floor));
        touches_others
    }

    /// Moves a body that is not a character.
    #[inline(never)]
    fn move_dynamic_body<T: Trace>(
        &mut self,
        id: BodyId,
        state: &mut BodyState,
        scratch: &mut StepScratch,
        trace: T,
    ) -> TickFacts {
        let BodyState { kind, now, cold: Some(cold), .. } = state else { return TickFacts::default() };
        let mut probe = Probe::new(&self.scene, kind.shape, &mut cold.near, &mut scratch.probe);
        let touch = Touch::start_from(&cold.touched, &mut scratch.touched);
        let toucher = Toucher { shape: &kind.shape, frame: &self.scene.frame, faces: now.facing as i8 };
        let hits = Hits { known: touch.before, start: now.velocity, toucher, list: &mut scratch.hits };
        let (position, velocity, path) = (now.position, now.velocity, &mut scratch.path);
        let mut movement = Movement { position, velocity, path, touch, hits, took_run: false };
        self.new_dynamic_step(kind, &mut probe).move_body(&mut movement, trace);
        let Movement { position, velocity, touch, .. } = movement;
        (now.position, now.velocity) = (position, limit_velocity(velocity));
        let refreshed = touch.is_refreshed();
        let touches_others = self.end_dynamic_move(id, state, scratch, refreshed);
        TickFacts { walked: None, touches_others }
    }

    #[inline(always)]
    pub(super) fn new_dynamic_step<'b, 'p>(&self, kind: &Kind, probe: &'b mut Probe<'p>) -> DynamicStep<'b, 'p> {
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

    /// Ends the move of a body that is not a character. Returns whether it touches other surfaces than before.
    #[inline(always)]
    fn end_dynamic_move(
        &mut self,
        id: BodyId,
        state: &mut BodyState,
        scratch: &mut StepScratch,
        refreshed: bool,
    ) -> bool {
        let BodyState { now, cold: Some(cold), .. } = &mut *state else { return false };
        let touches_others = refreshed && cold.set_contacts_if_changed(&scratch.touched);
        cold.store_path(&mut scratch.path, now);
        if !scratch.hits.is_empty() {
            self.report_hits(id, state, &mut scratch.hits, false);
        }
        let (touching, stands) = sides_and_standing_of_body(&self.scene, state);
        self.update_grounded(id, state, touching, stands.then_some(0.0));
        touches_others
    }

    /// Ends a body's tick with its contacts, and its speed along the ground if it is there. Sends events if that has
    /// changed.
    #[inline(always)]
    pub(super) fn update_grounded(
        &mut self,
        body: BodyId,
        state: &mut BodyState,
        touching: Touching,
        speed: Option<f64>,
    ) {
        let now = &mut state.now;
        now.set_footing(touching, speed, self.rules.end);
        let on_ground = speed.is_some();
        if on_ground != now.flags.is_reported_on_ground() {
            self.send_footing_change(body, state);
        }
    }

    /// Sends the event of a body that has begun to stand, or has stopped standing.
    #[inline(never)]
    fn send_footing_change(&mut self, body: BodyId, state: &mut BodyState) {
        let on_ground = state.now.footing.is_ground();
        state.now.flags.set_reported_on_ground(on_ground);
        let buffered = state.now.jump_buffer.is_jump_due();
        let jumped = EventKind::Jumped { from: JumpFrom::Ground, buffered };
        let jumped = (self.jumped == Some(body) && !on_ground).then_some(jumped);
        let ground = if on_ground { self.landing_event(body, state) } else { EventKind::LeftFloor };
        self.events.extend(jumped.into_iter().chain([ground]).map(|kind| Event { body, kind }));
    }

    /// Returns the event of a body that has begun to stand. If it hit no floor, the event names the tile on which it
    /// stands.
    fn landing_event(&self, body: BodyId, state: &BodyState) -> EventKind {
        let landed = self.landed.filter(|(landed, _)| *landed == body);
        let Landing { speed, on } = landed.map(|(_, landing)| landing).unwrap_or_default();
        let on = on.or_else(|| {
            let is_floor = |surface: &&Surface| self.scene.frame.is_floor(surface.normal(state.now.position));
            state.touched().iter().find(is_floor).map(|floor| self.tile_landed_on(&self.scene, floor))
        });
        EventKind::Landed { speed, on }
    }

    fn tile_landed_on(&self, scene: &Scene<'_>, surface: &Surface) -> LandedOn {
        let (tile, tile_id) = scene.around.tile_of(surface);
        LandedOn::Tile { tile, tile_id, platform: scene.around.platform_of(surface) }
    }

    /// Sends the hits of a body, and keeps the first hit of a floor for its landing. `drops`: the body drops through
    /// one-way tiles.
    #[inline(never)]
    pub(super) fn report_hits(&mut self, body: BodyId, state: &mut BodyState, hits: &mut Vec<Hit>, drops: bool) {
        if hits.iter().any(|hit| hit.throws) {
            let timers = &mut state.cold_mut().timers;
            *timers = timers.after_throw_by_floor();
        }
        let (kind, faces) = (&state.kind, state.now.facing as i8);
        let scene = if drops { self.scene_for_drop_through() } else { self.scene };
        let toucher = Toucher { shape: &kind.shape, frame: &scene.frame, faces };
        let (is_character, is_flipped) = (kind.character.is_some(), kind.is_flipped);
        let mut landing: Option<(Position, (f64, f64), Landing)> = None;
        for hit in hits.drain(..) {
            let normal = hit.surface.normal(hit.position);
            let side = self.scene.frame.side(normal);
            let Hit { speed, position, heading, .. } = hit;
            let (tile, tile_id) =
                scene.around.tile_of(&scene.surface_to_report(&hit.surface, position, heading, &toucher));
            let platform = scene.around.platform_of(&hit.surface);
            // If the floor throws the character back, the character does not land. It gets a `HitTile` event below
            // instead.
            if side == Side::Floor && !hit.throws {
                let on = Some(LandedOn::Tile { tile, tile_id, platform });
                let rank = (normal.as_dvec2().normalize_or_zero().dot(self.scene.frame.up()), speed);
                // If the body hits several floors at once, the flattest one counts, whatever their order is.
                let is_better = |(at, known, _): &(Position, (f64, f64), Landing)| *at == position && rank > *known;
                if landing.as_ref().is_none_or(is_better) {
                    landing = Some((position, rank, Landing { speed, on }));
                }
            }
            // For a character, a floor is no obstacle but ground: it lands there, unless the floor throws it back.
            if !is_character || side != Side::Floor || hit.throws {
                let normal = normal.as_dvec2().normalize_or_zero();
                let side = side.swapped_if(is_flipped);
                let kind = EventKind::HitTile { side, speed, normal, tile, tile_id, platform, position };
                self.events.push(Event { body, kind });
            }
        }
        self.landed = landing.map(|(.., landing)| (body, landing)).or(self.landed);
    }
}

/// The first hit of a floor in a tick.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Landing {
    pub(super) speed: f64,
    pub(super) on: Option<LandedOn>,
}

/// The rectangle of a map, in units.
#[derive(Clone, Copy)]
pub(in crate::world) struct Extent {
    pub(super) low: I64Vec2,
    pub(super) high: I64Vec2,
}

impl Extent {
    /// Returns whether the rectangle contains a point, in units.
    #[inline(always)]
    pub(super) fn contains(&self, at: I64Vec2) -> bool {
        at.x >= self.low.x && at.x <= self.high.x && at.y >= self.low.y && at.y <= self.high.y
    }

    pub(in crate::world) fn of_terrain(terrain: &Terrain) -> Extent {
        let (origin, size) = (terrain.origin(), terrain.size());
        let low = I64Vec2::new(i64::from(origin.0), i64::from(origin.1));
        let size = I64Vec2::new(i64::from(size.0), i64::from(size.1));
        Extent { low: low * ONE, high: (low + size) * ONE }
    }

    /// Returns whether a whole shape is outside the map.
    #[inline]
    pub(in crate::world) fn is_outside(&self, position: Position, shape: Shape) -> bool {
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

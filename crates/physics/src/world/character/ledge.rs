//! Ledge grabs: how a character finds, releases, jumps off and climbs a ledge.
//!
//! A ledge is the upper corner of a wall of the terrain or of a platform, where the wall ends in a floor. The hands of
//! a character are level with its upper side. A character grabs a ledge in the tick in which its hands would fall past
//! it, or if they are below it within the grab reach. The ledge is then searched again before each tick.
//!
//! The motion of a hanging character is a velocity for one tick, without gravity and input, as in a dash. So each part
//! of it is swept, among platforms and bodies too. If it is blocked, the hands miss the ledge and the character falls.
//!
//! On a platform's ledge, the character rides the platform: it moves along exactly, and its velocity is relative to the
//! platform until it lets go.

use super::News;
use super::mode::{Cling, Mode, Timers};
use super::seconds_to_ticks;
use crate::controller::{Controller, Intent};
use crate::event::JumpFrom;
use crate::motion::Shape;
use crate::motion::{Nearby, Probe, Scene, Scratch, Surface, lattice_to_units, tiles_to_units};
use crate::platform::PlatformId;
use crate::world::Footing;
use crate::world::platforms::owner_of;
use crate::world::state::{Cold, Now};
use glam::{DVec2, I64Vec2, Vec2Swizzles};
use std::cmp::Reverse;
use surefoot_geometry::exact::tolerance::TOUCH;
use surefoot_geometry::{ONE, Position, to_lengths};

/// Half size of a hand, in units: the free space above a ledge must be a sixteenth of a tile high.
///
/// Smaller: characters hang in gaps caused by rounding. Larger: they do not hang in low gaps.
const HAND_UNITS: i64 = ONE / 32;

/// Terrain probe around a character before it moves, with platforms at their positions before they move.
pub(super) struct LedgeProbe<'a> {
    scene: &'a Scene<'a>,
    shape: Shape,
    near: &'a mut Nearby,
    scratch: &'a mut Scratch,
}

impl<'a> LedgeProbe<'a> {
    pub(super) fn new(
        scene: &'a Scene<'a>,
        shape: Shape,
        (near, scratch): (&'a mut Nearby, &'a mut Scratch),
    ) -> LedgeProbe<'a> {
        LedgeProbe { scene, shape, near, scratch }
    }

    fn clear_pieces_and_make_probe(&mut self, shape: Shape) -> Probe<'_> {
        // The pieces in `near` may be those for the last probe, which may have had another shape.
        self.near.clear();
        Probe::new(self.scene, shape, self.near, self.scratch)
    }

    /// Returns half of the shape's height, and half of its width.
    fn half_height_and_width(&self) -> (i64, i64) {
        let (half, axis) = (self.shape.half_units(), self.scene.frame.up_axis().abs());
        (half.dot(axis), half.dot(axis.yx()))
    }

    /// Returns how far a shape next to a wall must move up until its upper side is level with the top of the wall, and
    /// the wall's platform, if it has one.
    ///
    /// The distance is at most `reach`, or down by at most `fall`, which must be free. `None` if there is no ledge, or
    /// if the shape would not be next to the wall there.
    fn find_ledge_rise_and_platform(
        &mut self,
        position: Position,
        to_wall: I64Vec2,
        fall: i64,
        reach: i64,
    ) -> Option<(i64, Option<PlatformId>)> {
        let axis = self.scene.frame.up_axis();
        let (high, wide) = self.half_height_and_width();
        let size = HAND_UNITS.min(high).min(wide);
        let below = fall + 2 * size;
        let hand = position + to_wall * (wide - size) + axis * (high - below + size);
        let level = self.clear_pieces_and_make_probe(Shape::aabb_units(I64Vec2::splat(size))).find_rise_to_wall_top(
            hand,
            to_wall,
            below + reach,
        )? - below;
        if level < -fall {
            return None;
        }
        let (at, mut probe) = (position + axis * level, self.clear_pieces_and_make_probe(self.shape));
        if probe.cast(position, axis * level).is_some_and(|t| t < 1.0) {
            return None;
        }
        probe.cast(at, to_wall * (TOUCH + 1))?;
        let is_wall = |normal: I64Vec2| normal.dot(to_wall) < 0 && normal.dot(axis) == 0;
        let end = |surface: &Surface| {
            let ends = [surface.piece.a, surface.piece.b].map(|end| (surface.at + lattice_to_units(end)).dot(axis));
            ends[0].max(ends[1])
        };
        // If several walls end at the same height, the terrain's wall counts, else that of the platform with the lowest
        // slot.
        let walls = probe.hits().iter().filter(|surface| is_wall(surface.normal(at)));
        let wall = walls.max_by_key(|surface| (end(surface), Reverse(surface.owner)))?;
        let owner = wall.owner;
        Some((level, self.scene.around.platform(owner).map(|platform| platform.id)))
    }

    /// Returns the position of a platform, or the origin for `None`.
    fn platform_position_or_origin(&self, platform: Option<PlatformId>) -> I64Vec2 {
        let platform = platform.and_then(|platform| self.scene.around.platform(owner_of(platform)));
        platform.map_or(I64Vec2::ZERO, |platform| platform.origin)
    }

    /// Returns the position on top of the ledge after a climb up, with the shape's centre over the end of the wall.
    /// `None` if there is no room.
    fn find_position_on_ledge(&mut self, position: Position, to_wall: I64Vec2, rise: i64) -> Option<Position> {
        let (high, _) = self.half_height_and_width();
        self.clear_pieces_and_make_probe(self.shape).find_position_on_wall_top(position, to_wall, 2 * high + rise)
    }
}

/// Sets the velocity of this tick so that the body makes the given displacement. The move then sweeps it.
fn set_velocity_for_displacement(now: &mut Now, displacement: I64Vec2, controller: &Controller<'_>) {
    now.velocity = to_lengths(displacement) / controller.tick;
    now.enter_mode(Mode::Ledge);
}

/// Updates a character that hangs on a ledge or climbs up. Returns whether it still does, or jumps off. A character
/// that has let go or reached the top moves normally.
///
/// A character that lets go of a platform keeps the velocity of its ride, or the part `of_jump` of it if it jumps.
pub(super) fn continue_hang(
    (now, cold): (&mut Now, &mut Option<Box<Cold>>),
    timers: &mut Timers,
    controller: &Controller<'_>,
    look: Option<&mut LedgeProbe<'_>>,
    of_jump: impl FnOnce(DVec2) -> DVec2,
    news: &mut News,
) -> bool {
    let on = timers.cling.on;
    let holds = continue_hang_in_ledge_frame(now, timers, controller, look, news);
    if on.is_some() && timers.cling.on.is_none() {
        let carried = cold.as_mut().map_or(DVec2::ZERO, |cold| cold.take_velocity_after_ride(&now.footing));
        now.velocity += if now.mode == Mode::Jump { of_jump(carried) } else { carried };
    }
    holds
}

/// [`continue_hang`] in the frame of the ledge.
fn continue_hang_in_ledge_frame(
    now: &mut Now,
    timers: &mut Timers,
    controller: &Controller<'_>,
    look: Option<&mut LedgeProbe<'_>>,
    news: &mut News,
) -> bool {
    if timers.cling.ledge == 0 {
        return false;
    }
    let (side, input) = (timers.cling.ledge, controller.input);
    let is_on_top = timers.cling.pull == 1 && now.footing.is_ground();
    let lets_go = timers.cling.pull == 0 && (input.is_down_held() || input.walk.signum() == -side);
    let dashes = timers.cling.pull == 0
        && controller.character.dash_speed > 0.0
        && input.is_dash_held()
        && !timers.dash_held
        && (input.walk != 0 || input.is_up_held() || input.is_down_held());
    let goes_on = look
        .filter(|_| !is_on_top && !lets_go && !dashes && now.mode == Mode::Ledge)
        .is_some_and(|look| update_hang_and_test_ledge(now, timers, controller, look, news));
    if goes_on {
        return true;
    }
    *timers = timers.without_ledge(if lets_go { side } else { 0 });
    now.velocity = DVec2::ZERO;
    now.enter_mode(Mode::Air);
    if let Footing::Ground { speed } = &mut now.footing {
        *speed = 0.0;
        now.mode = Mode::Walk;
    }
    false
}

/// Updates a character that does not let go by itself. Returns whether the ledge is still there.
fn update_hang_and_test_ledge(
    now: &mut Now,
    timers: &mut Timers,
    controller: &Controller<'_>,
    look: &mut LedgeProbe<'_>,
    news: &mut News,
) -> bool {
    let (frame, input) = (controller.frame, controller.input);
    let go = frame.right().as_i64vec2() * i64::from(timers.cling.ledge);
    let pressed = input.is_jump_held() && !now.jump_held;
    if timers.cling.pull == 0 {
        let ledge = look.find_ledge_rise_and_platform(now.position, go, TOUCH, TOUCH);
        let Some((level, _)) = ledge.filter(|(_, on)| *on == timers.cling.on && !now.footing.is_ground()) else {
            return false;
        };
        let speed = controller.jump_speed();
        if pressed && speed > 0.0 {
            *timers = Timers { dash_held: input.is_dash_held(), ..Timers::NONE };
            now.velocity = frame.up() * speed;
            now.enter_mode(Mode::Jump);
            news.jumped = Some((JumpFrom::Ledge, false));
            return true;
        }
        let goal = if input.is_up_held() { look.find_position_on_ledge(now.position, go, level) } else { None };
        timers.dash_held = input.is_dash_held();
        let Some(goal) = goal else {
            set_velocity_for_displacement(now, frame.up_axis() * level, controller);
            return true;
        };
        let whole = seconds_to_ticks(controller.character.ledge_climb_time, controller.tick).max(2.0) as u32;
        let goal = Position::clamped(goal.units() - look.platform_position_or_origin(timers.cling.on));
        (timers.cling.pull, timers.cling.goal) = (whole.saturating_add(1), goal);
    }
    timers.cling.pull -= 1;
    timers.dash_held = input.is_dash_held();
    let goal = Position::clamped(timers.cling.goal.units() + look.platform_position_or_origin(timers.cling.on));
    let (left, rest, (high, wide)) = (i64::from(timers.cling.pull), goal - now.position, look.half_height_and_width());
    let (up, onward) = (rest.dot(frame.up_axis()), rest.dot(go));
    let is_on_its_way =
        (0..=4 * (high + wide)).contains(&up) && (0..=2 * wide).contains(&onward) && left > i64::from(up > 0);
    if !is_on_its_way {
        return false;
    }
    // Split the climb time between the part upwards and the part sideways, with at least one tick each.
    let part = if up > 0 {
        let for_onward = (i128::from(left) * i128::from(onward) / i128::from(up + onward)) as i64;
        let for_up = left - for_onward.clamp(1, left - 1);
        frame.up_axis() * ((up + for_up - 1) / for_up)
    } else {
        go * ((onward + left - 1) / left)
    };
    set_velocity_for_displacement(now, part, controller);
    true
}

/// Makes a character that falls against a wall grab the wall's ledge, if it is within reach this tick. Returns whether
/// it does.
pub(super) fn try_grab_ledge(
    now: &mut Now,
    timers: &mut Timers,
    controller: &Controller<'_>,
    look: &mut LedgeProbe<'_>,
) -> bool {
    if now.footing.is_ground() || now.mode.has_velocity_set_by_ability() {
        return false;
    }
    let (axis, right) = (controller.frame.up_axis(), controller.frame.right().as_i64vec2());
    let reach = tiles_to_units(controller.character.ledge_grab);
    let touches = |side: i8| if side > 0 { now.touching.wall_right } else { now.touching.wall_left };
    let let_go = timers.cling.left_ledge;
    if let_go != 0
        && !(touches(let_go)
            && look.find_ledge_rise_and_platform(now.position, right * i64::from(let_go), 0, reach).is_some())
    {
        timers.cling.left_ledge = 0;
    }
    let side = controller.input.walk.signum();
    let Intent::Fly { motion, .. } = controller.intent(None, now.velocity, false) else { return false };
    let fall = -motion.dot(axis);
    if side == 0 || side == timers.cling.left_ledge || fall < 0 {
        return false;
    }
    let go = right * i64::from(side);
    let Some((beside, fall)) = find_position_next_to_wall(now.position, (motion, fall), go, touches(side), look) else {
        return false;
    };
    let fall = match look.clear_pieces_and_make_probe(look.shape).cast(beside, -axis * fall) {
        Some(part) => (fall as f64 * part) as i64,
        None => fall,
    };
    let Some((level, on)) = look.find_ledge_rise_and_platform(beside, go, fall, reach) else { return false };
    let displacement = beside + axis * level - now.position;
    if look.clear_pieces_and_make_probe(look.shape).cast(now.position, displacement).is_some_and(|t| t < 1.0) {
        return false;
    }
    let cling = Cling { ledge: side, on, ..Cling::NONE };
    *timers = Timers { cling, dash_held: timers.dash_held, ..Timers::NONE };
    set_velocity_for_displacement(now, displacement, controller);
    true
}

/// Returns the first position this tick at which a shape is next to a wall, and how far it falls after that.
fn find_position_next_to_wall(
    position: Position,
    (motion, fall): (I64Vec2, i64),
    to_wall: I64Vec2,
    touches: bool,
    look: &mut LedgeProbe<'_>,
) -> Option<(Position, i64)> {
    if touches {
        return Some((position, fall));
    }
    let (axis, (_, wide), across) = (look.scene.frame.up_axis(), look.half_height_and_width(), motion.dot(to_wall));
    let mut probe = look.clear_pieces_and_make_probe(look.shape);
    probe.cast(position, motion).filter(|_| across > 0)?;
    let is_wall = |normal: I64Vec2| normal.dot(to_wall) < 0 && normal.dot(axis) == 0;
    let wall = probe.hits().iter().find(|surface| is_wall(surface.normal(position)))?;
    let gap = (wall.at + lattice_to_units(wall.piece.a) - position.units()).dot(to_wall) - wide;
    if !(0..=across).contains(&gap) {
        return None;
    }
    let fallen = (i128::from(fall) * i128::from(gap) / i128::from(across)) as i64;
    Some((position + (to_wall * gap - axis * fallen), fall - fallen))
}

//! State of a character's abilities from tick to tick. The mode is one value that tells what sets the velocity in
//! this tick. It is decided before the character moves. The timers are the counters of all abilities.

use crate::body::{Body, Character, rescale_counted_ticks};
use crate::platform::PlatformId;
use crate::world::state::Now;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
#[cfg(feature = "record")]
use slotmap::Key;
#[cfg(feature = "record")]
use smallvec::SmallVec;
use surefoot_geometry::Position;

/// What sets a character's velocity. Bodies that are not characters, and characters without abilities, stay at
/// [`Mode::Walk`]: [`Footing`](crate::world::Footing) tells whether they are on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub(crate) enum Mode {
    /// On the ground, or in the air without a jump: a late jump is possible within the coyote time.
    Walk,
    /// In the air after a jump, a dash or a spawn: no late jump is possible.
    Air,
    /// Rises by a jump that ends early if the player lets go of the button.
    Jump,
    /// The dash sets the velocity.
    Dash,
    /// The climb in a climbable area sets the velocity.
    Climb,
    /// The swim in a liquid sets the velocity.
    Swim,
    /// Hangs on a ledge, or pulls itself up onto it.
    Ledge,
}

impl Mode {
    /// Returns the mode of a body that a command has put in the air or on the ground. Coyote time does not apply
    /// there.
    pub(in crate::world) fn after_placement(kind: &Body) -> Mode {
        if kind.character.as_ref().is_some_and(Character::has_jump_state) { Mode::Air } else { Mode::Walk }
    }

    /// Returns whether an ability sets the velocity. Neither input nor gravity then changes it.
    #[inline(always)]
    pub(crate) fn has_velocity_set_by_ability(self) -> bool {
        self as u8 >= Mode::Dash as u8
    }

    /// Returns whether the character has left the ground by a jump, or counts as if it had.
    pub(super) fn has_jumped(self) -> bool {
        matches!(self, Mode::Air | Mode::Jump)
    }

    /// Returns the mode without the rise of a jump and without an ability, because something else has set the
    /// velocity: a command, or a run up a slope that the jump includes.
    pub(in crate::world) fn without_jump_rise_or_ability(self) -> Mode {
        match self {
            Mode::Jump => Mode::Air,
            driven if driven.has_velocity_set_by_ability() => Mode::Walk,
            other => other,
        }
    }

    /// Returns the mode after the coyote time is over.
    pub(in crate::world) fn without_coyote_time(self) -> Mode {
        if self == Mode::Walk { Mode::Air } else { self }
    }

    /// Returns the ability that a character in this mode is using, if that ability lasts for some time.
    pub(super) fn lasting_ability(self) -> Option<LastingAbility> {
        match self {
            Mode::Climb => Some(LastingAbility::Climb),
            Mode::Ledge => Some(LastingAbility::LedgeHang),
            Mode::Swim => Some(LastingAbility::Swim),
            _ => None,
        }
    }
}

/// Motion of a body, such as a dash or a climb: see [`BodyState::mode`](crate::world::BodyState::mode). Bodies that are
/// not characters are on the ground, in the air or stuck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MotionMode {
    /// Stands or moves on the ground.
    Ground,
    /// Is in the air.
    Air,
    /// Slides down a wall: see [`Character::wall_slide_speed`].
    WallSlide,
    /// Dashes: see [`Character::dash_speed`].
    Dash,
    /// Climbs: see [`Character::climb_speed`].
    Climb,
    /// Hangs on a ledge: see [`Character::ledge_grab`].
    LedgeHang,
    /// Pulls itself up onto a ledge: see [`Character::ledge_climb_time`].
    LedgeClimb,
    /// Swims: see [`Character::swim_speed`].
    Swim,
    /// Overlaps a solid tile and cannot move until it is free.
    Stuck,
}

/// Counters of a character's abilities: see [`BodyState::abilities`](crate::world::BodyState::abilities).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct AbilityState {
    /// Number of jumps in the air since the character stood.
    pub air_jumps: u8,
    /// Whether the character has dashed since it stood.
    pub has_dashed: bool,
    /// Ticks left of the dash: see [`Character::dash_time`].
    pub dash_ticks: u32,
    /// Ticks left in which the character may still jump off the wall that it touched last: see
    /// [`Character::wall_coyote_time`].
    pub wall_jump_ticks: u32,
    /// Ticks left in which input away from the wall is ignored during a wall slide: see [`Character::wall_stick_time`].
    pub wall_stick_ticks: u32,
    /// Ticks left in which a walk away from the wall replaces the input after a wall jump: see
    /// [`Character::wall_jump_lock_time`].
    pub wall_jump_lock_ticks: u32,
    /// Ticks left in which a press of jump is stored: see [`Character::jump_buffer`].
    pub jump_buffer_ticks: u32,
    /// Ticks left of the pull-up onto a ledge: see [`Character::ledge_climb_time`].
    pub ledge_climb_ticks: u32,
}

/// Defines the abilities that last by a row each: the number in checksums, the name in events, and the label in
/// pictures.
macro_rules! lasting_abilities {
    ($($(#[$doc:meta])* $ability:ident = $code:literal, $event:literal, $label:literal;)+) => {
        /// An ability of a character that lasts for some time.
        // Snapshots in bytes store the index of the variant, so add new variants at the end.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
        #[non_exhaustive]
        pub enum LastingAbility {
            $($(#[$doc])* $ability = $code,)+
        }

        impl LastingAbility {
            pub(crate) const ALL: [LastingAbility; [$($code),+].len()] = [$(LastingAbility::$ability),+];
            /// The names of the events of the begin and the end of each ability.
            pub(crate) const EVENT_NAMES: [[&'static str; 2]; [$($code),+].len()] =
                [$([concat!($event, "_began"), concat!($event, "_ended")]),+];

            /// Returns the labels of the begin and the end in pictures.
            #[doc(hidden)]
            pub fn labels(self) -> [&'static str; 2] {
                match self {
                    $(LastingAbility::$ability => [$label, concat!("end of ", $label)],)+
                }
            }
        }
    };
}

lasting_abilities! {
    /// Slides down a wall: see [`Character::wall_slide_speed`].
    WallSlide = 1, "wall_slide", "wall slide";
    /// Climbs: see [`Character::climb_speed`].
    Climb = 2, "climb", "climb";
    /// Hangs on a ledge or pulls itself up: see [`Character::ledge_grab`].
    LedgeHang = 3, "ledge_hang", "ledge hang";
    /// Swims: see [`Character::swim_speed`].
    Swim = 4, "swim", "swim";
}

impl LastingAbility {
    pub(crate) fn event_names(self) -> [&'static str; 2] {
        Self::EVENT_NAMES[self as usize - 1]
    }
}

impl Now {
    /// Returns what the body does, for games.
    pub(in crate::world) fn motion_mode(&self, timers: Timers) -> MotionMode {
        let touches_wall = self.touching.wall_left || self.touching.wall_right;
        let is_slide = touches_wall && self.flags.ability() == Some(LastingAbility::WallSlide);
        match self.mode {
            _ if self.stuck => MotionMode::Stuck,
            Mode::Dash => MotionMode::Dash,
            Mode::Swim => MotionMode::Swim,
            Mode::Ledge if timers.cling.pull > 0 => MotionMode::LedgeClimb,
            Mode::Ledge => MotionMode::LedgeHang,
            _ if self.footing.is_ground() => MotionMode::Ground,
            Mode::Climb => MotionMode::Climb,
            _ if is_slide => MotionMode::WallSlide,
            _ => MotionMode::Air,
        }
    }
}

/// Ticks for which a press of jump is still stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(transparent))]
pub(crate) struct JumpBuffer(pub(crate) u8);

impl JumpBuffer {
    pub(crate) const NONE: JumpBuffer = JumpBuffer(0);
    /// The stored press makes the character jump in this tick.
    pub(in crate::world) const DUE: JumpBuffer = JumpBuffer(u8::MAX);
    const MAX_TICKS: u8 = u8::MAX - 1;

    pub(super) fn of_ticks(ticks: f64) -> u8 {
        ticks.min(f64::from(JumpBuffer::MAX_TICKS)) as u8
    }

    #[inline(always)]
    pub(in crate::world) fn is_jump_due(self) -> bool {
        self == JumpBuffer::DUE
    }

    pub(in crate::world) fn ticks(self) -> u8 {
        if self.is_jump_due() { 0 } else { self.0 }
    }

    /// Converts the ticks for which the press is stored to another time scale.
    pub(in crate::world) fn rescaled(self, paces: (f64, f64)) -> JumpBuffer {
        let ticks = rescale_counted_ticks(self.ticks().into(), paces).min(JumpBuffer::MAX_TICKS.into()) as u8;
        if self.is_jump_due() { self } else { JumpBuffer(ticks) }
    }
}

/// Counters of a character's abilities. All are 0 for a character that stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Timers {
    /// Jumps made in the air since the character stood.
    pub(crate) air_jumps: u8,
    /// Direction away from the wall that the character touched last: 1 is right, -1 left, 0 between two walls.
    pub(crate) away: i8,
    /// Ticks left in which the character may still jump off that wall.
    pub(crate) wall: u32,
    /// Ticks left in which input away from the wall is ignored during a wall slide.
    pub(crate) stick: u32,
    /// Direction of the walk that replaces the input after a wall jump.
    pub(crate) lock_away: i8,
    /// Ticks left of that walk.
    pub(crate) lock: u32,
    /// Ticks left of the dash.
    pub(crate) dash: u32,
    /// Direction of the dash, right and up: each 1, -1 or 0.
    pub(crate) dash_way: [i8; 2],
    /// The character has dashed since it stood.
    pub(crate) dashed: bool,
    /// The dash button was held in the last tick.
    pub(crate) dash_held: bool,
    pub(crate) cling: Cling,
}

/// What a character clings to: a ledge, a ladder or water that a platform carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Cling {
    /// Side of the ledge on which the character hangs: 1 is right, -1 left, 0 none.
    pub(crate) ledge: i8,
    /// Side of the ledge that the character has let go of, until that ledge is out of reach.
    pub(crate) left_ledge: i8,
    /// Ticks left of the pull-up, plus one; 0 without a pull-up.
    pub(crate) pull: u32,
    /// Position at the end of the pull-up, relative to the platform; the origin without a pull-up.
    pub(crate) goal: Position,
    /// The character has let go of a ladder, and the player has held up or down since.
    pub(crate) left_ladder: bool,
    /// The platform that carries the ledge, the ladder or the water.
    pub(crate) on: Option<PlatformId>,
}

impl Cling {
    pub(crate) const NONE: Cling =
        Cling { ledge: 0, left_ledge: 0, pull: 0, goal: Position::ORIGIN, left_ladder: false, on: None };

    #[cfg(feature = "record")]
    fn is_valid_in_mode(self, mode: Mode) -> bool {
        let is_side = |side: i8| (-1..=1).contains(&side);
        is_side(self.ledge)
            && is_side(self.left_ledge)
            && (self.pull == 0 || self.ledge != 0)
            && (self.on.is_none() || mode.has_velocity_set_by_ability())
            && (self.pull > 0 || self.goal == Position::ORIGIN)
    }
}

impl Timers {
    pub(crate) const NONE: Timers = Timers {
        air_jumps: 0,
        away: 0,
        wall: 0,
        stick: 0,
        lock_away: 0,
        lock: 0,
        dash: 0,
        dash_way: [0, 0],
        dashed: false,
        dash_held: false,
        cling: Cling::NONE,
    };

    /// Returns whether a character in that mode may have these timers. A snapshot does not store timers that are all
    /// 0.
    #[cfg(feature = "record")]
    pub(crate) fn is_valid_in_mode(self, mode: Mode) -> bool {
        let is_side = |side: i8| (-1..=1).contains(&side);
        self != Timers::NONE
            && [self.away, self.lock_away, self.dash_way[0], self.dash_way[1]].into_iter().all(is_side)
            && self.cling.is_valid_in_mode(mode)
    }

    /// Returns the timers after a floor has thrown the character back. As on the ground, it may use its air jumps and
    /// its dash again.
    pub(in crate::world) fn after_throw_by_floor(self) -> Timers {
        Timers { air_jumps: 0, dashed: false, ..self }
    }

    /// Converts the timers to another time scale.
    pub(in crate::world) fn rescaled(self, paces: (f64, f64)) -> Timers {
        let ticks = |ticks: u32| rescale_counted_ticks(ticks.into(), paces).min(u32::MAX.into()) as u32;
        // `pull` is the number of ticks left, plus one. Convert it without that one, and then add the one again. Keep
        // at least two of the ticks left, if there are two: the pull-up may need one upwards and one sideways. With
        // only one, the character would let go of the ledge.
        let pull = self.cling.pull.saturating_sub(1);
        let pull = self.cling.pull.min(1).saturating_add(ticks(pull).max(pull.min(2)));
        let Timers { wall, stick, lock, dash, .. } = self;
        let (wall, stick, lock, dash) = (ticks(wall), ticks(stick), ticks(lock), ticks(dash));
        Timers { wall, stick, lock, dash, cling: Cling { pull, ..self.cling }, ..self }
    }

    /// Returns all bits of the timers, in groups of three words.
    #[cfg(feature = "record")]
    pub(crate) fn timer_words(self) -> SmallVec<[[u64; 3]; 4]> {
        let Timers { air_jumps, away, wall, stick, lock_away, lock, dash, dash_way: [x, y], .. } = self;
        let Timers { dashed, dash_held, cling: Cling { ledge, left_ledge, pull, goal, left_ladder, on }, .. } = self;
        let flags =
            u8::from(dashed) | u8::from(dash_held) << 1 | u8::from(left_ladder) << 2 | u8::from(on.is_some()) << 3;
        let sides = [ledge as u8, left_ledge as u8];
        let bytes = [air_jumps, away as u8, lock_away as u8, x as u8, y as u8, flags, sides[0], sides[1]];
        let pairs = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
        let mut words: SmallVec<[_; 4]> = SmallVec::new();
        words.push([u64::from_le_bytes(bytes), pairs(stick, lock), 0]);
        words.push([pairs(wall, dash), 1, 0]);
        if pull > 0 {
            let goal = goal.units();
            words.push([goal.x as u64, goal.y as u64, pull.into()]);
        }
        words.extend(on.map(|platform| [platform.data().as_ffi(), 1, 0]));
        words
    }

    /// Returns the timers of a character that hangs on no ledge. `left_ledge`: the side of the ledge that it has let
    /// go of, or 0.
    pub(in crate::world) fn without_ledge(self, left_ledge: i8) -> Timers {
        Timers { cling: Cling { left_ledge, left_ladder: self.cling.left_ladder, ..Cling::NONE }, ..self }
    }
}

use super::error::{MAX_MASS, MAX_SPEED};
use super::{Number, changed};
use crate::motion::Shape;
use crate::range::RangeError;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use surefoot_geometry::ONE;

/// Makes of a line for each number, with its name, default and bounds, the character and the list of its numbers.
macro_rules! character {
    (
        $(#[$of_all:meta])*
        { $($(#[$doc:meta])* $number:ident: $default:expr, $least:literal to $most:expr;)+ }
        $(#[$of_lift:meta])* platform_velocity;
        { $($(#[$more:meta])* $name:ident: $value:expr, $from:literal to $bound:expr;)+ }
        $highest:ident is the jump height
    ) => {
        $(#[$of_all])*
        #[derive(Clone, Copy, PartialEq)]
        #[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
        pub struct Character {
            $($(#[$doc])* pub $number: f64,)+
            $(#[$of_lift])*
            pub platform_velocity: PlatformVelocity,
            $($(#[$more])* pub $name: f64,)+
        }

        impl Default for Character {
            /// 8 tiles per second, 3.2 tiles high: at home in levels of one-tile steps under the default gravity.
            fn default() -> Character {
                Character { $($number: $default,)+ platform_velocity: PlatformVelocity::All, $($name: $value,)+ }
            }
        }

        impl Character {
            /// The names of its numbers, in the order of its fields.
            pub const FIELD_NAMES: [&str; [$(stringify!($number),)+ $(stringify!($name),)+].len()] =
                [$(stringify!($number),)+ $(stringify!($name),)+];

            /// Each number of the character, in the order in which they are checked.
            pub(crate) fn numbers(&mut self) -> [Number<'_>; Character::FIELD_NAMES.len()] {
                let $highest = if self.jump_height >= 0.0 { self.jump_height } else { 0.0 };
                let number = |name, value, least, most| Number { name, value, least, most };
                [
                    $(number(concat!("character.", stringify!($number)), &mut self.$number, $least, $most),)+
                    $(number(concat!("character.", stringify!($name)), &mut self.$name, $from, $bound),)+
                ]
            }
        }
    };
}

character! {
    /// How a character moves. Speeds in tiles per second, accelerations in tiles per second squared.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    ///
    /// let heavy = Character { jump_height: 2.0, walk_speed: 5.0, ..Character::default() };
    /// assert!(heavy.check().is_ok());
    /// ```
    {
        /// Speed along the ground at full input.
        walk_speed: 8.0, 0.0 to MAX_SPEED;
        /// How fast it gets there on the ground; times the traction of the [`Material`](crate::map::Material) that it stands on.
        ground_acceleration: 60.0, 0.0 to MAX_SPEED;
        /// How fast it stops or turns round on the ground; times that traction too.
        ground_braking: 80.0, 0.0 to MAX_SPEED;
        /// How fast its sideways speed follows the input in the air.
        air_acceleration: 40.0, 0.0 to MAX_SPEED;
        /// How high it jumps, in tiles, under the world's gravity, or its own if it has a [`jump_time`](Character::jump_time). Without
        /// gravity along up it does not jump.
        jump_height: 3.2, 0.0 to MAX_SPEED;
        /// The fastest fall.
        max_fall_speed: 24.0, 0.0 to MAX_SPEED;
    }
    /// What a jump takes along of the velocity of the platform that it leaves. A fall off it takes all.
    platform_velocity;
    {
        /// For how long a platform that has stopped still gives a jump its last velocity, in seconds.
        platform_velocity_grace: 0.0, 0.0 to MAX_SPEED;
        /// The total mass of the bodies that it pushes at once by walking against them, 0 to 1e6; 0 pushes nothing.
        max_push_mass: 0.0, 0.0 to MAX_MASS;
        /// In how many seconds it jumps to its height; 0 leaves that to the world's gravity. It is rounded to whole ticks, at least one,
        /// and the character has a gravity of its own, straight down, that reaches the height in just these: see
        /// [`jump_gravity`](Character::jump_gravity).
        jump_time: 0.0, 0.0 to MAX_SPEED;
        /// How high the shortest jump goes, in tiles, of which the button is let go at once: at most `jump_height`. 0 makes all jumps as
        /// high. A jump is cut as soon as the button is up, to a speed that makes the shortest jump that high. If the first tick alone
        /// makes more, the shortest jump is as high as that.
        min_jump_height: 0.0, 0.0 to highest;
        /// What gravity is multiplied by while it falls, 0 to 1000.
        fall_gravity_scale: 1.0, 0.0 to MAX_FALL_GRAVITY;
        /// For how many seconds it may still jump after it has walked off the ground, rounded to whole ticks. After a jump, and
        /// after it was spawned in the air, it may not.
        coyote_time: 0.0, 0.0 to MAX_SPEED;
        /// For how many seconds a jump that is asked for in the air is kept, rounded to whole ticks, at most 62 of them: it jumps if it lands
        /// by then, or comes to a wall off which it jumps, whether the button is still down or not.
        jump_buffer: 0.0, 0.0 to MAX_SPEED;
        /// How far it is nudged aside, in tiles, when it rises and its head runs into a corner: it goes on with all of its speed. Not
        /// against its own motion, and between two ways alike not at all unless its input leads to one of them. At most 16.
        corner_correction: 0.0, 0.0 to MAX_CORRECTION;
        /// How far it is lifted, in tiles, when it flies against a wall that ends no higher above its lower side. At most 16.
        ledge_correction: 0.0, 0.0 to MAX_CORRECTION;
        /// The fastest fall while down is held, if that is faster than `max_fall_speed`. Let go, it is slowed to `max_fall_speed` by as much as
        /// gravity makes it faster.
        fast_fall_speed: 0.0, 0.0 to MAX_SPEED;
        /// How fast it turns round on the ground while the input leads against its speed; 0 is as fast as it stops.
        ground_turning: 0.0, 0.0 to MAX_SPEED;
        /// How fast it loses sideways speed in the air without input.
        air_braking: 0.0, 0.0 to MAX_SPEED;
        /// How fast it turns round in the air while the input leads against its speed; 0 is as fast as `air_acceleration`.
        air_turning: 0.0, 0.0 to MAX_SPEED;
        /// The fastest fall along a wall that the input leads against. A faster one is slowed to it by `ground_braking`, whatever gravity is; 0
        /// slides down none.
        wall_slide_speed: 0.0, 0.0 to MAX_SPEED;
        /// The speed with which it jumps away from a wall that it touches in the air, as high as off the ground; 0 jumps off none. Between
        /// two walls it jumps straight up.
        wall_jump_speed: 0.0, 0.0 to MAX_SPEED;
        /// How often it may jump in the air, rounded to a whole number, at most 100. It may again once it has stood; a jump off a wall
        /// gives none back. Neither that nor a jump within the `coyote_time` is one of them: these come first.
        air_jumps: 0.0, 0.0 to MAX_AIR_JUMPS;
        /// How high a jump in the air goes, in tiles; 0 is as high as off the ground.
        air_jump_height: 0.0, 0.0 to MAX_SPEED;
        /// While it rises or falls no faster and jump is held, gravity is multiplied by `apex_gravity_scale`. Jumps whose button is held reach
        /// their heights, in their time, all the same. A released jump is lower: the hang goes on only as long as the jump needs it to
        /// reach `min_jump_height`.
        apex_speed_threshold: 0.0, 0.0 to MAX_SPEED;
        /// What gravity is multiplied by around the top of a jump, 0.05 to 1; see `apex_speed_threshold`.
        apex_gravity_scale: 1.0, 0.05 to 1.0;
        /// For how many seconds it may still jump off a wall that it does not touch any more, rounded to whole ticks.
        wall_coyote_time: 0.0, 0.0 to MAX_SPEED;
        /// For how many seconds input away from a wall that it slides down does not count, rounded to whole ticks. They begin anew with
        /// input against the wall.
        wall_stick_time: 0.0, 0.0 to MAX_SPEED;
        /// For how many seconds its input is away from a wall off which it has jumped, whatever the player holds, rounded to whole ticks.
        wall_jump_lock_time: 0.0, 0.0 to MAX_SPEED;
        /// How fast it dashes, for its `dash_time`, where its input leads; 0 dashes never.
        dash_speed: 0.0, 0.0 to MAX_SPEED;
        /// For how many seconds a dash lasts, rounded to whole ticks, at least one.
        dash_time: 0.0, 0.0 to MAX_SPEED;
        /// What part of its velocity is left after a dash, 0 to 1.
        dash_end_speed_scale: 0.0, 0.0 to 1.0;
        /// How high a step in the ground it walks up, in tiles, with all of its speed. At most 16.
        step_height: 0.0, 0.0 to MAX_CORRECTION;
        /// What its speed along the ground is multiplied by where that leads up, 0 to 100.
        uphill_speed_scale: 1.0, 0.0 to MAX_SLOPE_FACTOR;
        /// What its speed along the ground is multiplied by where that leads down, 0 to 100.
        downhill_speed_scale: 1.0, 0.0 to MAX_SLOPE_FACTOR;
        /// The fastest speed along the ground with which it still follows a floor that falls away, as at the top of a slope. Faster it
        /// goes on straight through the air, off every bend between two floors and every corner that a circle comes to. 0 leaves the
        /// ground at each of them; the default follows always. How steep a floor may fall is
        /// [`Settings::max_floor_slope`](crate::world::Settings::max_floor_slope) alone. At the end of a floor, behind which no other floor
        /// begins, a circle keeps to the corner only while gravity holds it there, at every `max_floor_snap_speed`.
        max_floor_snap_speed: MAX_SPEED, 0.0 to MAX_SPEED;
        /// How far above its upper side, in tiles, the end of a wall may be that it gets hold of while it falls with its input against that wall; 0
        /// hangs on none. One that comes from above hangs as soon as its upper side is level with the end, however fast it falls. At most 16.
        ledge_grab: 0.0, 0.0 to MAX_CORRECTION;
        /// For how many seconds it pulls itself up on to a ledge, rounded to whole ticks, at least two: one up and one onward.
        ledge_climb_time: 0.0, 0.0 to MAX_SPEED;
        /// How fast it climbs, up, down and aside, in areas that are [climbable](crate::area::Effects::climbable); 0 climbs never.
        climb_speed: 0.0, 0.0 to MAX_SPEED;
        /// How fast it swims, all ways, while its centre is no higher than the top of an area with a
        /// [buoyancy](crate::area::Effects::buoyancy); 0 swims never.
        swim_speed: 0.0, 0.0 to MAX_SPEED;
        /// In how many seconds it comes from rest in the water to `swim_speed`, and back; 0 at once.
        swim_time: 0.0, 0.0 to MAX_SPEED;
        /// How fast it rises in the water while neither up nor down leads; 0 stays where it is.
        float_speed: 0.0, 0.0 to MAX_SPEED;
    }
    highest is the jump height
}

/// The furthest that a character may be nudged past a corner, in tiles.
const MAX_CORRECTION: f64 = 16.0;

/// The most that a speed may be multiplied by on a slope.
const MAX_SLOPE_FACTOR: f64 = 100.0;

/// The most jumps in the air: what is counted fits into a byte.
const MAX_AIR_JUMPS: f64 = 100.0;

/// The most that gravity may be multiplied by for a fall.
const MAX_FALL_GRAVITY: f64 = 1000.0;

/// What a jump takes along of the velocity of a platform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum PlatformVelocity {
    /// All of it: as high as the platform makes it, and as far.
    #[default]
    All,
    /// The part of it that leads up, and nothing of one that goes down.
    Upward,
    /// Nothing.
    None,
}

impl PlatformVelocity {
    /// What a jump takes along of a platform's velocity.
    pub(crate) fn of(self, velocity: DVec2, up: DVec2) -> DVec2 {
        match self {
            PlatformVelocity::All => velocity,
            PlatformVelocity::Upward => up * velocity.dot(up).max(0.0),
            PlatformVelocity::None => DVec2::ZERO,
        }
    }
}

/// The acceleration that makes a speed in a time; of no speed another one. What is no number stays so, for the check.
fn rate(speed: f64, time: f64, otherwise: f64) -> f64 {
    let rate = speed / time;
    if speed == 0.0 {
        otherwise
    } else if rate > MAX_SPEED {
        MAX_SPEED
    } else {
        rate
    }
}

impl Character {
    /// Refuses numbers that are negative, not finite, or beyond [`MAX_SPEED`]; a `max_push_mass` beyond 1e6, a `min_jump_height` beyond the
    /// `jump_height`, a `fall_gravity_scale` beyond 1000, a correction, a step or a reach beyond 16, more than 100 `air_jumps`, an `apex_gravity_scale`
    /// outside 0.05 to 1, and a factor beyond 100 for slopes.
    ///
    /// # Errors
    /// [`RangeError`] for the first of them.
    pub fn check(&self) -> Result<(), RangeError> {
        let mut character = *self;
        character.numbers().into_iter().try_for_each(|number| number.check())
    }

    /// The character on ground of that traction.
    #[inline(never)]
    pub(crate) fn with_traction(&self, traction: f64) -> Character {
        Character {
            ground_acceleration: self.ground_acceleration * traction,
            ground_braking: self.ground_braking * traction,
            ground_turning: self.ground_turning * traction,
            ..*self
        }
    }

    /// Quick to start, to stop and to turn, with high, short jumps and everything forgiven: the figures are near those of Celeste,
    /// which `docs/porting.md` names with their source.
    #[must_use]
    pub fn precise() -> Character {
        Character {
            jump_height: 3.5,
            jump_time: 0.36,
            min_jump_height: 0.8,
            fall_gravity_scale: 2.0,
            max_fall_speed: 20.0,
            fast_fall_speed: 30.0,
            coyote_time: 0.1,
            jump_buffer: 0.1,
            corner_correction: 0.5,
            ledge_correction: 0.125,
            wall_slide_speed: 2.5,
            wall_jump_speed: 16.25,
            air_acceleration: 81.25,
            air_braking: 81.25,
            ..Character::default().run(11.25, 0.09, 0.09, 0.09)
        }
    }

    /// High and slow, with a soft fall and much control in the air.
    #[must_use]
    pub fn floaty() -> Character {
        Character {
            jump_height: 4.0,
            jump_time: 0.6,
            min_jump_height: 1.5,
            max_fall_speed: 9.0,
            coyote_time: 0.1,
            jump_buffer: 0.1,
            corner_correction: 0.25,
            ..Character::default().run(7.0, 0.2, 0.25, 0.15).air_control(0.4, 2.0, 0.3)
        }
    }

    /// Low and short, slow to start, and down at once.
    #[must_use]
    pub fn heavy() -> Character {
        Character {
            jump_height: 2.25,
            jump_time: 0.28,
            min_jump_height: 1.0,
            fall_gravity_scale: 1.8,
            max_fall_speed: 28.0,
            coyote_time: 0.08,
            jump_buffer: 0.1,
            corner_correction: 0.125,
            ..Character::default().run(6.0, 0.25, 0.2, 0.15).air_control(0.5, f64::INFINITY, 0.4)
        }
    }

    /// A long run-up, and nothing forgiven: as on early consoles.
    #[must_use]
    pub fn classic() -> Character {
        Character {
            jump_height: 4.0,
            jump_time: 0.45,
            min_jump_height: 1.0,
            fall_gravity_scale: 2.0,
            max_fall_speed: 18.0,
            ..Character::default().run(8.0, 0.6, 0.5, 0.25).air_control(0.6, f64::INFINITY, 0.35)
        }
    }

    /// This character with a run in a designer's terms: its speed, and in how many seconds it gets there from a stand, from there to a
    /// stand without input, and from there to a stand while the input leads the other way. What it takes to be that fast stands in
    /// `walk_speed`, `ground_acceleration`, `ground_braking` and `ground_turning` after that; no time at all is an acceleration of
    /// [`MAX_SPEED`], infinite time none, and a turn in infinite time one as fast as the stop. With a speed of 0 they stay as they were.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    ///
    /// let quick = Character::default().run(9.0, 0.1, 0.15, 0.05);
    /// assert_eq!((quick.walk_speed, quick.ground_acceleration, quick.ground_turning), (9.0, 90.0, 180.0));
    /// ```
    #[must_use]
    pub fn run(self, speed: f64, to_speed: f64, to_stop: f64, to_turn: f64) -> Character {
        Character {
            walk_speed: speed,
            ground_acceleration: rate(speed, to_speed, self.ground_acceleration),
            ground_braking: rate(speed, to_stop, self.ground_braking),
            ground_turning: rate(speed, to_turn, self.ground_turning),
            ..self
        }
    }

    /// This character with a control in the air in a designer's terms: in how many seconds its sideways speed gets to that of its run,
    /// without input to nothing, and to nothing while the input leads the other way. Infinite seconds are no control, and of a turn as
    /// much as of the way to the speed. Without a speed of its run all stays as it was.
    #[must_use]
    pub fn air_control(self, to_speed: f64, to_stop: f64, to_turn: f64) -> Character {
        Character {
            air_acceleration: rate(self.walk_speed, to_speed, self.air_acceleration),
            air_braking: rate(self.walk_speed, to_stop, self.air_braking),
            air_turning: rate(self.walk_speed, to_turn, self.air_turning),
            ..self
        }
    }

    /// The size of the gravity that a character with a [`jump_time`](Character::jump_time) has, in tiles per second squared, in a world
    /// with ticks of so many seconds; `None` for one that falls as the world says, as one without a height does.
    ///
    /// A tick moves by the mean of the old and the new velocity, so a jump of speed `v` is at `v t - g t^2 / 2` after each of them, with
    /// no error that depends on the tick. With `g = 2 h / T^2` and `v = g T` it is at its highest, at `h`, exactly `T` later, which is
    /// a whole number of ticks.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    ///
    /// let quick = Character { jump_height: 3.0, jump_time: 0.3, ..Character::default() };
    /// // 0.3 seconds are 18 ticks of 1 / 60, and 4 of 1 / 12: 1 / 3 seconds.
    /// assert_eq!(quick.jump_gravity(1.0 / 60.0).map(f64::round), Some(67.0), "6 / 0.09");
    /// assert_eq!(quick.jump_gravity(1.0 / 12.0).map(f64::round), Some(54.0), "6 * 9");
    /// assert_eq!(Character::default().jump_gravity(1.0 / 60.0), None);
    /// ```
    #[must_use]
    pub fn jump_gravity(&self, tick: f64) -> Option<f64> {
        self.has_own_gravity().then(|| {
            // Rounded by a cast, which takes a fraction of the time: what is below a tick is one in any case.
            let time = ((self.jump_time / tick + 0.5) as i64).max(1) as f64 * tick;
            let plain = 2.0 * self.jump_height / (time * time);
            if self.hangs() { self.gravity_with_hang(plain, time) } else { plain }
        })
    }

    /// Whether gravity is less around the top of its jumps.
    #[inline(always)]
    pub(crate) fn hangs(&self) -> bool {
        self.apex_speed_threshold > 0.0 && self.apex_gravity_scale < 1.0
    }

    /// The gravity with which it is at its height in that time, where `plain` would be the same without a hang.
    ///
    /// It slows from `v` to `s`, the speed of the hang, by `g`, and from there by `k g`: `T = (v - s) / g + s / (k g)`, and
    /// `h = (v^2 - s^2) / 2 g + s^2 / 2 k g`. With `q = (1 - k) / k` the first is `v = g T - q s`, and so the second is
    /// `(g T)^2 - 2 (q T s + h) g + q (1 + q) s^2 = 0`, of which the larger root has `v` above `s` if `s` is below `2 h / T`. Otherwise all
    /// of the jump is as slow.
    #[inline(never)]
    fn gravity_with_hang(&self, plain: f64, time: f64) -> f64 {
        let (height, slow) = (self.jump_height, self.apex_speed_threshold * time);
        if slow >= 2.0 * height {
            return plain / self.apex_gravity_scale;
        }
        let more = slow * (1.0 - self.apex_gravity_scale) / self.apex_gravity_scale;
        (more + height + (height * height + more * (2.0 * height - slow)).sqrt()) / (time * time)
    }

    #[inline(always)]
    pub(crate) fn has_own_gravity(&self) -> bool {
        self.jump_time > 0.0 && self.jump_height > 0.0
    }

    /// Whether it does nothing but walk and jump: all numbers of what else it may do are the default ones.
    pub(crate) fn is_plain(&self) -> bool {
        let Character { walk_speed, ground_acceleration, ground_braking, air_acceleration, .. } = *self;
        let Character {
            jump_height,
            max_fall_speed: fall_speed,
            platform_velocity: lift,
            platform_velocity_grace: lift_grace,
            max_push_mass: push_mass,
            ..
        } = *self;
        let walks =
            Character { walk_speed, ground_acceleration, ground_braking, air_acceleration, ..Character::default() };
        *self
            == Character {
                jump_height,
                max_fall_speed: fall_speed,
                platform_velocity: lift,
                platform_velocity_grace: lift_grace,
                max_push_mass: push_mass,
                ..walks
            }
    }

    /// How far it may be brought besides its way, in tiles: to a side past a corner or on to a step, and up to a ledge or a step. On the
    /// ground it does not come past the corners of ceilings.
    #[inline(always)]
    pub(crate) fn furthest_nudge(&self, shape: Shape, flies: bool) -> DVec2 {
        // What is round goes on until its centre is over the step.
        let onward = self.step_height > 0.0 && shape.is_circle();
        let onward = if onward { shape.half_units().x as f64 / ONE as f64 } else { 0.0 };
        let corner = if flies { self.corner_correction } else { 0.0 };
        DVec2::new(corner.max(onward), self.ledge_correction.max(self.step_height))
    }

    /// How far it looks for a ledge, and for room on it, in tiles.
    pub(crate) fn furthest_ledge(&self, shape: Shape) -> f64 {
        let half = shape.half_units();
        if self.ledge_grab > 0.0 { self.ledge_grab + 4.0 * (half.x + half.y) as f64 / ONE as f64 } else { 0.0 }
    }

    /// How fast it walks at most, without what areas do to it.
    #[inline(always)]
    pub(crate) fn fastest_walk(&self) -> f64 {
        self.walk_speed * self.uphill_speed_scale.max(self.downhill_speed_scale).max(1.0)
    }

    /// Whether its speed is another one on slopes.
    pub(crate) fn has_slope_speeds(&self) -> bool {
        self.uphill_speed_scale != 1.0 || self.downhill_speed_scale != 1.0
    }

    /// Whether it depends on earlier ticks when and how it jumps.
    #[inline(always)]
    pub(crate) fn has_jump_state(&self) -> bool {
        self.min_jump_height > 0.0
            || self.coyote_time > 0.0
            || self.jump_buffer > 0.0
            || self.wall_jump_speed > 0.0
            || self.has_timers()
    }

    /// Whether more is kept of its jumps than what they were.
    pub(crate) fn has_timers(&self) -> bool {
        let Character {
            air_jumps,
            wall_coyote_time,
            wall_stick_time,
            wall_jump_lock_time: wall_jump_lock,
            dash_speed,
            ..
        } = *self;
        let Character { ledge_grab, climb_speed, swim_speed, .. } = *self;
        let in_the_air = [air_jumps, wall_coyote_time, wall_stick_time, wall_jump_lock, dash_speed];
        in_the_air.into_iter().chain([ledge_grab, climb_speed, swim_speed]).any(|number| number > 0.0)
    }

    /// How high a jump in the air goes.
    pub(crate) fn height_in_air(&self) -> f64 {
        if self.air_jump_height > 0.0 { self.air_jump_height } else { self.jump_height }
    }

    /// The number of that name.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    ///
    /// let mut hero = Character::default();
    /// *hero.field_mut("coyote_time").unwrap() = 0.1;
    /// assert_eq!((hero.coyote_time, hero.field_mut("lift")), (0.1, None), "that is no number");
    /// assert_eq!(Character::FIELD_NAMES[0], "walk_speed");
    /// ```
    pub fn field_mut(&mut self, name: &str) -> Option<&mut f64> {
        let at = Character::FIELD_NAMES.iter().position(|known| *known == name)?;
        self.numbers().into_iter().nth(at).map(|number| number.value)
    }

    /// The numbers that are not the default ones, by the names of their fields.
    pub(crate) fn changed(mut self) -> Vec<(&'static str, f64)> {
        let changed = changed(self.numbers(), Character::default().numbers());
        changed.into_iter().map(|(name, value)| (name.strip_prefix("character.").unwrap_or(name), value)).collect()
    }
}

/// What a player holds down. It stays until it is set again.
///
/// `walk` goes from -127, full speed to the left, to 127, full speed to the right. A jump starts when `jump` goes down while the character
/// stands, and as its [`Character`] says a moment later or earlier, or off a wall. `down` lets it drop through tiles whose kind says so. `up`
/// and `down` climb and swim, and `up` pulls it up on to a ledge, if it does that; else `up` is the game's own. `dash` starts a dash where
/// `walk`, `up` and `down` lead, if it has one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
#[repr(C)]
pub struct Input {
    /// -127 to 127, right is positive; -128 counts as -127.
    pub walk: i8,
    /// Jump is held.
    pub jump: bool,
    /// Down is held.
    pub down: bool,
    /// Up is held.
    pub up: bool,
    /// Dash is held.
    pub dash: bool,
}

impl Input {
    /// A walk: from -1, full speed to the left, to 1, full speed to the right, as a stick gives it. What is beyond is as far, and what
    /// is no number stands still.
    ///
    /// # Examples
    /// ```
    /// use surefoot::Input;
    ///
    /// assert_eq!(Input::walk(-0.5), Input { walk: -64, ..Input::default() });
    /// let jump = Input { jump: true, ..Input::walk(1.0) };
    /// assert_eq!((jump.walk, jump.jump), (127, true));
    /// ```
    #[must_use]
    pub fn walk(speed: f32) -> Input {
        // The cast cuts what is out of range, and makes 0 of what is no number.
        Input { walk: (speed.clamp(-1.0, 1.0) * 127.0).round() as i8, ..Input::default() }
    }

    /// The input with -127 in place of -128.
    pub(crate) fn normal(self) -> Input {
        Input { walk: self.walk.max(-127), ..self }
    }
}

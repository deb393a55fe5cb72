use super::error::{MAX_MASS, MAX_SPEED};
use super::pace::Unit;
use super::{Number, changed_numbers};
use crate::motion::Shape;
use crate::range::RangeError;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use surefoot_geometry::ONE;

/// Creates the character and the list of its numbers from one line per number, with its name, [`Unit`], default and
/// range.
macro_rules! character {
    (
        $(#[$of_all:meta])*
        { $($(#[$doc:meta])* $number:ident: $unit:ident = $default:expr, $least:literal to $most:expr;)+ }
        $(#[$of_lift:meta])* platform_velocity;
        $(#[$of_air_jumps:meta])* air_jumps;
        { $($(#[$more:meta])* $name:ident: $quantity:ident = $value:expr, $from:literal to $bound:expr;)+ }
        $highest:ident is the jump height
    ) => {
        $(#[$of_all])*
        #[derive(Clone, Copy, PartialEq)]
        #[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
        pub struct Character {
            $($(#[$doc])* pub $number: f64,)+
            $(#[$of_lift])*
            pub platform_velocity: PlatformVelocity,
            $(#[$of_air_jumps])*
            pub air_jumps: u8,
            $($(#[$more])* pub $name: f64,)+
        }

        impl Default for Character {
            /// Returns a character that runs at 8 tiles per second and jumps 3.2 tiles high. Every ability is off.
            fn default() -> Character {
                Character {
                    $($number: $default,)+
                    platform_velocity: PlatformVelocity::All,
                    air_jumps: 0,
                    $($name: $value,)+
                }
            }
        }

        impl Character {
            /// Names of all `f64` fields of a character, in the order of declaration. [`Character::field_mut`] takes
            /// such a name.
            pub const FIELD_NAMES: [&str; [$(stringify!($number),)+ $(stringify!($name),)+].len()] =
                [$(stringify!($number),)+ $(stringify!($name),)+];

            /// Unit of each number, in the order of [`Character::FIELD_NAMES`].
            pub(super) const UNITS: [Unit; Character::FIELD_NAMES.len()] =
                [$(Unit::$unit,)+ $(Unit::$quantity,)+];

            /// Returns each number of the character, in the order in which they are checked.
            #[doc(hidden)]
            pub fn numbers(&mut self) -> [Number<'_>; Character::FIELD_NAMES.len()] {
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
    /// Character controller of a body that runs and jumps by its [`Input`]: speeds, jump heights and abilities.
    ///
    /// Running and jumping work by default. Every other ability is off until you set its field. Lengths are in tiles,
    /// speeds in tiles per second, and accelerations in tiles per second squared. Times are in seconds and are
    /// rounded to whole ticks.
    ///
    /// | subject | fields |
    /// |---|---|
    /// | run | [`walk_speed`], [`ground_acceleration`], [`ground_braking`], [`ground_turning`], [`air_acceleration`], [`air_braking`], [`air_turning`] |
    /// | jump | [`jump_height`], [`jump_time`], [`min_jump_height`], [`air_jumps`], [`air_jump_height`], [`apex_speed_threshold`], [`apex_gravity_scale`] |
    /// | fall | [`max_fall_speed`], [`fast_fall_speed`], [`fall_gravity_scale`] |
    /// | forgiveness | [`coyote_time`], [`jump_buffer`], [`corner_correction`], [`ledge_correction`] |
    /// | walls | [`wall_slide_speed`], [`wall_jump_speed`], [`wall_coyote_time`], [`wall_stick_time`], [`wall_jump_lock_time`] |
    /// | dash | [`dash_speed`], [`dash_time`], [`dash_end_speed_scale`] |
    /// | steps and slopes | [`step_height`], [`uphill_speed_scale`], [`downhill_speed_scale`], [`max_floor_snap_speed`], [`slope_friction`], [`bounce_scale`] |
    /// | ledges | [`ledge_grab`], [`ledge_climb_time`] |
    /// | ladders and water | [`climb_speed`], [`ladder_center_speed`], [`swim_speed`], [`swim_time`], [`float_speed`] |
    /// | platforms and pushing | [`platform_velocity`], [`platform_velocity_grace`], [`max_push_mass`] |
    ///
    /// [`walk_speed`]: Character::walk_speed
    /// [`ground_acceleration`]: Character::ground_acceleration
    /// [`ground_braking`]: Character::ground_braking
    /// [`ground_turning`]: Character::ground_turning
    /// [`air_acceleration`]: Character::air_acceleration
    /// [`air_braking`]: Character::air_braking
    /// [`air_turning`]: Character::air_turning
    /// [`jump_height`]: Character::jump_height
    /// [`jump_time`]: Character::jump_time
    /// [`min_jump_height`]: Character::min_jump_height
    /// [`air_jumps`]: Character::air_jumps
    /// [`air_jump_height`]: Character::air_jump_height
    /// [`apex_speed_threshold`]: Character::apex_speed_threshold
    /// [`apex_gravity_scale`]: Character::apex_gravity_scale
    /// [`max_fall_speed`]: Character::max_fall_speed
    /// [`fast_fall_speed`]: Character::fast_fall_speed
    /// [`fall_gravity_scale`]: Character::fall_gravity_scale
    /// [`coyote_time`]: Character::coyote_time
    /// [`jump_buffer`]: Character::jump_buffer
    /// [`corner_correction`]: Character::corner_correction
    /// [`ledge_correction`]: Character::ledge_correction
    /// [`wall_slide_speed`]: Character::wall_slide_speed
    /// [`wall_jump_speed`]: Character::wall_jump_speed
    /// [`wall_coyote_time`]: Character::wall_coyote_time
    /// [`wall_stick_time`]: Character::wall_stick_time
    /// [`wall_jump_lock_time`]: Character::wall_jump_lock_time
    /// [`dash_speed`]: Character::dash_speed
    /// [`dash_time`]: Character::dash_time
    /// [`dash_end_speed_scale`]: Character::dash_end_speed_scale
    /// [`step_height`]: Character::step_height
    /// [`uphill_speed_scale`]: Character::uphill_speed_scale
    /// [`downhill_speed_scale`]: Character::downhill_speed_scale
    /// [`max_floor_snap_speed`]: Character::max_floor_snap_speed
    /// [`slope_friction`]: Character::slope_friction
    /// [`bounce_scale`]: Character::bounce_scale
    /// [`ledge_grab`]: Character::ledge_grab
    /// [`ledge_climb_time`]: Character::ledge_climb_time
    /// [`climb_speed`]: Character::climb_speed
    /// [`ladder_center_speed`]: Character::ladder_center_speed
    /// [`swim_speed`]: Character::swim_speed
    /// [`swim_time`]: Character::swim_time
    /// [`float_speed`]: Character::float_speed
    /// [`platform_velocity`]: Character::platform_velocity
    /// [`platform_velocity_grace`]: Character::platform_velocity_grace
    /// [`max_push_mass`]: Character::max_push_mass
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    ///
    /// let heavy = Character { jump_height: 2.0, walk_speed: 5.0, ..Character::default() };
    /// assert!(heavy.check().is_ok());
    /// ```
    {
        /// Run speed on the ground at full input, in tiles per second.
        walk_speed: Speed = 8.0, 0.0 to MAX_SPEED;
        /// Acceleration on the ground up to the run speed, in tiles per second squared. Turning and braking have
        /// their own fields.
        ///
        /// The traction of the [`Material`](crate::map::Material) under the character multiplies the acceleration.
        ground_acceleration: Acceleration = 60.0, 0.0 to MAX_SPEED;
        /// Deceleration on the ground without input, in tiles per second squared.
        ///
        /// Also used for turning if `ground_turning` is 0. The traction of the [`Material`](crate::map::Material)
        /// under the character multiplies the deceleration.
        ground_braking: Acceleration = 80.0, 0.0 to MAX_SPEED;
        /// Acceleration of the horizontal speed in the air, in tiles per second squared.
        air_acceleration: Acceleration = 40.0, 0.0 to MAX_SPEED;
        /// Height of a jump with the jump button held, in tiles. 0 disables jumps.
        ///
        /// The jump uses the world's gravity, or the character's own gravity if [`jump_time`](Character::jump_time)
        /// is set. If gravity has no component along [up](crate::world::Settings::up), the character does not jump.
        jump_height: Length = 3.2, 0.0 to MAX_SPEED;
        /// Maximum fall speed, in tiles per second. `fast_fall_speed` and `wall_slide_speed` can replace it.
        max_fall_speed: Speed = 24.0, 0.0 to MAX_SPEED;
    }
    /// How much of a platform's velocity is added to a jump off that platform. Default: all of it.
    ///
    /// A character that falls off a platform always keeps the whole velocity of the platform.
    platform_velocity;
    /// Number of jumps in the air before the next landing, 0 to 255. 1 is a double jump. 0 disables air jumps.
    ///
    /// Standing on the ground restores the air jumps. A wall jump does not. A jump within `coyote_time` and a wall
    /// jump are tried first and do not count as air jumps.
    air_jumps;
    {
        /// Time in seconds after a platform has stopped, in which a jump off it still gets the last velocity of the
        /// platform. 0 disables this: after the stop, a jump gets no extra velocity.
        platform_velocity_grace: Time = 0.0, 0.0 to MAX_SPEED;
        /// Maximum total mass of the bodies that the character pushes or pulls at once, 0 to 1e6, in the unit of
        /// [`Body::mass`](crate::body::Body::mass). 0 disables pushing.
        max_push_mass: Mass = 0.0, 0.0 to MAX_MASS;
        /// Time from the take-off to the apex of a jump, in seconds, at least one tick. 0 uses the world's gravity.
        ///
        /// With a time above 0, the character has its own gravity, straight down. A jump then reaches `jump_height`
        /// after this time, rounded to whole ticks: see [`jump_gravity`](Character::jump_gravity).
        jump_time: JumpTime = 0.0, 0.0 to MAX_SPEED;
        /// Minimum jump height in tiles, 0 to `jump_height`. 0 makes all jumps equally high.
        ///
        /// If the player releases the jump button early, the jump slows to a speed that still reaches this height. A
        /// jump lasts at least one tick, so it is at least as high as the character rises in its first tick.
        min_jump_height: Length = 0.0, 0.0 to highest;
        /// Gravity multiplier while falling, 0 to 1000. Default 1.
        fall_gravity_scale: Factor = 1.0, 0.0 to MAX_FALL_GRAVITY;
        /// Time in seconds after walking off an edge, in which a jump still works. 0 disables coyote time.
        ///
        /// Coyote time does not start with a jump or with a spawn in the air.
        coyote_time: Time = 0.0, 0.0 to MAX_SPEED;
        /// Time in seconds for which a press of jump in the air is remembered, at most 254 ticks. 0 disables the jump
        /// buffer.
        ///
        /// If the character lands within that time, it jumps. If it reaches a wall instead, it does a wall jump, if
        /// `wall_jump_speed` allows wall jumps. The button may be held or released by then.
        jump_buffer: Time = 0.0, 0.0 to MAX_SPEED;
        /// Corner correction: maximum sideways shift past a ceiling corner that the head hits, in tiles, 0 to 16. 0
        /// disables it.
        ///
        /// A rising character that hits a corner is shifted past the corner and keeps its speed. A character that moves
        /// sideways is shifted only in the direction of that motion. If the ceiling ends equally near on the left and
        /// on the right, the input decides. Without input, the character is then not shifted.
        corner_correction: Length = 0.0, 0.0 to MAX_CORRECTION;
        /// Ledge correction: maximum shift up onto a wall top that the feet just miss in flight, in tiles, 0 to 16. 0
        /// disables it.
        ///
        /// The top of the wall may be at most this far above the character's lower side.
        ledge_correction: Length = 0.0, 0.0 to MAX_CORRECTION;
        /// Maximum fall speed while down is held, in tiles per second. Has an effect only if greater than
        /// `max_fall_speed`. 0 disables fast falls.
        ///
        /// After the release of down, gravity slows the character to `max_fall_speed`.
        fast_fall_speed: Speed = 0.0, 0.0 to MAX_SPEED;
        /// Deceleration on the ground while the input points against the motion, in tiles per second squared.
        ///
        /// If it is 0, `ground_braking` counts.
        ground_turning: Acceleration = 0.0, 0.0 to MAX_SPEED;
        /// Deceleration of the horizontal speed in the air without input, in tiles per second squared. 0 keeps the
        /// speed.
        air_braking: Acceleration = 0.0, 0.0 to MAX_SPEED;
        /// Deceleration in the air while the input points against the motion, in tiles per second squared.
        ///
        /// If it is 0, `air_acceleration` counts.
        air_turning: Acceleration = 0.0, 0.0 to MAX_SPEED;
        /// Maximum fall speed while the input points into a wall, in tiles per second. 0 disables wall slides.
        ///
        /// A character that falls faster is slowed to this speed with the deceleration `ground_braking`, independent
        /// of gravity.
        wall_slide_speed: Speed = 0.0, 0.0 to MAX_SPEED;
        /// Speed away from the wall at a wall jump, in tiles per second. 0 disables wall jumps.
        ///
        /// A wall jump starts from a wall that the character touches in the air. It is as high as a jump from the
        /// ground. Between two walls, the character jumps straight up.
        wall_jump_speed: Speed = 0.0, 0.0 to MAX_SPEED;
        /// Height of a jump in the air, in tiles. 0 uses `jump_height`.
        air_jump_height: Length = 0.0, 0.0 to MAX_SPEED;
        /// Vertical speed in tiles per second below which gravity is reduced around the apex (hang time). 0 disables
        /// the hang time.
        ///
        /// While jump is held and the character rises or falls no faster than this speed, `apex_gravity_scale`
        /// multiplies gravity. The hang time does not change the height and the time to the apex of a held jump.
        /// After a release, the hang lasts only as long as the jump needs to reach `min_jump_height`.
        apex_speed_threshold: Speed = 0.0, 0.0 to MAX_SPEED;
        /// Gravity multiplier during the hang time around the apex of a jump, 0.05 to 1. Default 1. See
        /// [`apex_speed_threshold`](Character::apex_speed_threshold).
        apex_gravity_scale: Factor = 1.0, 0.05 to 1.0;
        /// Time in seconds after leaving a wall, in which a wall jump still works. 0 allows wall jumps only while the
        /// character touches the wall.
        wall_coyote_time: Time = 0.0, 0.0 to MAX_SPEED;
        /// Time in seconds for which a wall slide ignores input away from the wall, so that the character stays at
        /// the wall. 0 disables it.
        ///
        /// Input towards the wall restarts the time.
        wall_stick_time: Time = 0.0, 0.0 to MAX_SPEED;
        /// Time in seconds after a wall jump, in which the character acts as if the input pointed away from the wall.
        /// 0 disables it.
        ///
        /// The left or right input of the player is ignored during this time.
        wall_jump_lock_time: Time = 0.0, 0.0 to MAX_SPEED;
        /// Speed of a dash in the direction of the input, in tiles per second. 0 disables dashes.
        dash_speed: Speed = 0.0, 0.0 to MAX_SPEED;
        /// Duration of a dash in seconds. A dash lasts at least one tick.
        dash_time: Time = 0.0, 0.0 to MAX_SPEED;
        /// Share of the dash velocity that the character keeps after a dash, 0 to 1. 0 stops the character at the end
        /// of the dash.
        dash_end_speed_scale: Factor = 0.0, 0.0 to 1.0;
        /// Step-up: maximum height of a step that the character walks up without losing speed, in tiles, 0 to 16. 0
        /// disables it.
        step_height: Length = 0.0, 0.0 to MAX_CORRECTION;
        /// Multiplier of the run speed on a floor that goes up, 0 to 100. Default 1.
        uphill_speed_scale: Factor = 1.0, 0.0 to MAX_SLOPE_FACTOR;
        /// Multiplier of the run speed on a floor that goes down, 0 to 100. Default 1.
        downhill_speed_scale: Factor = 1.0, 0.0 to MAX_SLOPE_FACTOR;
        /// Maximum ground speed, in tiles per second, at which the character stays on a floor that bends downwards.
        ///
        /// Above this speed, the character takes off: a box at each downward bend between two floors, a circle at each
        /// corner. With 0, the character takes off at any speed. With the default, it never takes off at a bend.
        ///
        /// [`Settings::max_floor_slope`](crate::world::Settings::max_floor_slope) limits how steep the next floor may
        /// be. Where a floor ends and no other floor follows, a circle rolls around the corner at low speed and takes
        /// off at high speed.
        max_floor_snap_speed: SpeedLimit = MAX_SPEED, 0.0 to MAX_SPEED;
        /// Ledge grab reach in tiles, 0 to 16: how far the top of the wall may be above the character's head. 0
        /// disables ledge grabs.
        ///
        /// The character grabs the ledge, the top corner of the wall, while it falls with its input pointing into the
        /// wall. A character that falls past the ledge grabs it when its head is level with the ledge, at any speed.
        ledge_grab: Length = 0.0, 0.0 to MAX_CORRECTION;
        /// Duration of the pull-up onto a ledge in seconds. It takes at least two ticks: one up, and one sideways
        /// onto the ledge.
        ledge_climb_time: Time = 0.0, 0.0 to MAX_SPEED;
        /// Climb speed up, down and sideways in [climbable](crate::area::Effects::climbable) areas, in tiles per
        /// second.
        ///
        /// With 0, the character cannot climb. [`ladder_center_speed`](Character::ladder_center_speed) makes ladders
        /// hold the character.
        climb_speed: Speed = 0.0, 0.0 to MAX_SPEED;
        /// Swim speed in all directions in areas with a [buoyancy](crate::area::Effects::buoyancy), in tiles per
        /// second.
        ///
        /// With 0, the character cannot swim. Otherwise it swims while its centre is at or below the top of the area.
        swim_speed: Speed = 0.0, 0.0 to MAX_SPEED;
        /// Time in seconds to accelerate from rest to `swim_speed`, and to stop again. With 0, the speed changes at
        /// once.
        swim_time: Time = 0.0, 0.0 to MAX_SPEED;
        /// Speed at which a swimmer rises while neither up nor down is held, in tiles per second. With 0, the swimmer
        /// stays at its depth.
        float_speed: Speed = 0.0, 0.0 to MAX_SPEED;
        /// Speed at which a climber moves to the middle of its ladder, in tiles per second. Above 0, the ladder holds
        /// the climber: left and right do not move it. With 0, the climber moves sideways at `climb_speed`.
        ///
        /// A held climber leaves the ladder by a jump, a dash, or at the ladder's ends. On the top, with its feet level
        /// with the top of the area, left and right move it as with 0. A ladder wider than a tile counts as columns of
        /// about one tile each: the climber moves to the middle of the nearest one.
        ladder_center_speed: Speed = 0.0, 0.0 to MAX_SPEED;
        /// Coefficient of friction of the character's feet on slopes, 0 to 1000. The friction of the
        /// [`Material`](crate::map::Material) under the character multiplies it. 0 disables slides: the character
        /// stands on every floor.
        ///
        /// On a floor whose rise over run is greater than the product, the character slides down instead of standing.
        /// Its input accelerates it by `ground_acceleration`, and nothing else brakes it but this friction. Gravity
        /// accelerates the slide up to `max_fall_speed`. Floors steeper than
        /// [`Settings::max_floor_slope`](crate::world::Settings::max_floor_slope) are walls, whatever the friction is.
        slope_friction: Factor = 0.0, 0.0 to MAX_FRICTION;
        /// Factor on the bounce of floors, 0 to 1. The bounce of the [`Material`](crate::map::Material) multiplies it.
        /// 0 disables bounces: the character lands on every floor.
        ///
        /// A character that falls on such a floor is thrown back with the product of its speed. With a product of 1, it
        /// rises as high as it fell, also if `fall_gravity_scale` is above 1. It lands instead:
        ///
        /// - if it is not faster than [`Body::rest_speed_threshold`](crate::body::Body::rest_speed_threshold),
        /// - if the bounce would end within a tick,
        /// - if a press of jump is stored and the jump is at least as fast. The character then jumps in the next tick.
        /// - during a dash, a climb or a swim.
        ///
        /// A bounce sends [`EventKind::HitTile`](crate::event::EventKind::HitTile) with the side
        /// [`Side::Floor`](crate::motion::Side::Floor). It is not a landing, but it restores the jumps in the air and
        /// the dash.
        bounce_scale: Factor = 0.0, 0.0 to 1.0;
    }
    highest is the jump height
}

/// Maximum corner correction, in tiles.
const MAX_CORRECTION: f64 = 16.0;

/// Maximum speed factor on a slope.
const MAX_SLOPE_FACTOR: f64 = 100.0;

/// Maximum coefficient of friction.
const MAX_FRICTION: f64 = 1000.0;

/// Maximum gravity factor of a fall.
const MAX_FALL_GRAVITY: f64 = 1000.0;

/// How much of a platform's velocity is added to a jump off that platform. See [`Character::platform_velocity`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum PlatformVelocity {
    /// The whole velocity: a moving platform makes the jump higher, lower or longer.
    #[default]
    All,
    /// Only the upward part of the velocity. A platform that moves down or sideways adds nothing.
    Upward,
    /// No velocity: the jump is the same as from a platform at rest.
    None,
}

impl PlatformVelocity {
    /// Returns the part of a platform's velocity that a jump inherits.
    pub(crate) fn part_inherited_by_jump(self, velocity: DVec2, up: DVec2) -> DVec2 {
        match self {
            PlatformVelocity::All => velocity,
            PlatformVelocity::Upward => up * velocity.dot(up).max(0.0),
            PlatformVelocity::None => DVec2::ZERO,
        }
    }
}

/// Returns the acceleration that reaches `speed` in `time`, or `otherwise` for a speed of 0. NaN stays NaN, so that the
/// check finds it.
fn acceleration_to_reach(speed: f64, time: f64, otherwise: f64) -> f64 {
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
    /// Number of the oldest fields, up to `float_speed`, that every checksum of a character includes. Newer fields
    /// are included only if they differ from their defaults.
    const NUMBERS_WITH_BITS: usize = 40;

    /// Checks that all numbers are finite and in range.
    ///
    /// | field | range |
    /// |---|---|
    /// | `max_push_mass` | 0 to 1e6 |
    /// | `min_jump_height` | 0 to `jump_height` |
    /// | `fall_gravity_scale`, `slope_friction` | 0 to 1000 |
    /// | `corner_correction`, `ledge_correction`, `step_height`, `ledge_grab` | 0 to 16 |
    /// | `apex_gravity_scale` | 0.05 to 1 |
    /// | `dash_end_speed_scale`, `bounce_scale` | 0 to 1 |
    /// | `uphill_speed_scale`, `downhill_speed_scale` | 0 to 100 |
    /// | every other number | 0 to [`MAX_SPEED`] |
    ///
    /// # Errors
    /// Returns [`RangeError`] for the first number out of range.
    pub fn check(&self) -> Result<(), RangeError> {
        let mut character = *self;
        character.numbers().into_iter().try_for_each(|number| number.check())
    }

    /// Returns this character as it moves on ground with that traction.
    #[inline(never)]
    pub(crate) fn with_traction(&self, traction: f64) -> Character {
        Character {
            ground_acceleration: self.ground_acceleration * traction,
            ground_braking: self.ground_braking * traction,
            ground_turning: self.ground_turning * traction,
            ..*self
        }
    }

    /// Returns a character that starts, stops and turns quickly, and whose jumps are high but short in time. All
    /// forgiveness features are on: coyote time, jump buffer, corner correction and ledge correction.
    ///
    /// The values are close to those of Celeste; `docs/porting.md` has the sources.
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

    /// Returns a character with high, slow jumps, a soft fall and much control in the air.
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

    /// Returns a character with low, short jumps, a slow start and a fast fall.
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

    /// Returns a character with a long run-up, as on early consoles: no coyote time, jump buffer or corner correction.
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

    /// Returns this character with run accelerations computed from a speed and times.
    ///
    /// - `speed`: run speed in tiles per second.
    /// - `to_speed`: seconds from rest to `speed`.
    /// - `to_stop`: seconds from `speed` to rest without input.
    /// - `to_turn`: seconds from `speed` to rest while the input points against the motion.
    ///
    /// Sets `walk_speed`, `ground_acceleration`, `ground_braking` and `ground_turning`. With a time of 0, the speed
    /// changes at once: the acceleration is [`MAX_SPEED`]. An infinite time gives an acceleration of 0. If
    /// `ground_turning` is 0, turns use `ground_braking`: with an infinite `to_turn`, the character turns as fast as it
    /// stops. If `speed` is 0, the accelerations stay unchanged.
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
            ground_acceleration: acceleration_to_reach(speed, to_speed, self.ground_acceleration),
            ground_braking: acceleration_to_reach(speed, to_stop, self.ground_braking),
            ground_turning: acceleration_to_reach(speed, to_turn, self.ground_turning),
            ..self
        }
    }

    /// Returns this character with air accelerations computed from times.
    ///
    /// - `to_speed`: seconds from a horizontal speed of 0 to `walk_speed`.
    /// - `to_stop`: seconds from `walk_speed` to 0 without input.
    /// - `to_turn`: seconds from `walk_speed` to 0 while the input points against the motion.
    ///
    /// Sets `air_acceleration`, `air_braking` and `air_turning`. An infinite time gives an acceleration of 0. If
    /// `to_turn` is infinite, the character turns as fast as it speeds up. If `walk_speed` is 0, the accelerations
    /// stay unchanged.
    #[must_use]
    pub fn air_control(self, to_speed: f64, to_stop: f64, to_turn: f64) -> Character {
        Character {
            air_acceleration: acceleration_to_reach(self.walk_speed, to_speed, self.air_acceleration),
            air_braking: acceleration_to_reach(self.walk_speed, to_stop, self.air_braking),
            air_turning: acceleration_to_reach(self.walk_speed, to_turn, self.air_turning),
            ..self
        }
    }

    /// Returns the gravity that acts on the character instead of the world's, in tiles per second squared.
    ///
    /// A character has a gravity of its own if [`jump_time`](Character::jump_time) is above 0.
    ///
    /// `tick` is the length of a tick in seconds: [`Settings::tick`](crate::world::Settings::tick). Returns `None` if
    /// the world's gravity acts on the character, because its jump time or its jump height is 0.
    ///
    /// The gravity is `2 h / T^2` for a jump height `h` and a jump time `T`, where `T` is rounded to whole ticks. So
    /// a jump reaches exactly the height `h` after the time `T`, for every tick length.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    ///
    /// let quick = Character { jump_height: 3.0, jump_time: 0.3, ..Character::default() };
    /// // At 60 ticks per second, 0.3 s is exactly 18 ticks.
    /// assert_eq!(quick.jump_gravity(1.0 / 60.0).map(f64::round), Some(67.0), "6 / 0.09");
    /// // At 12 ticks per second, 0.3 s is 3.6 ticks, rounded to 4: T is 1/3 s.
    /// assert_eq!(quick.jump_gravity(1.0 / 12.0).map(f64::round), Some(54.0), "6 * 9");
    /// assert_eq!(Character::default().jump_gravity(1.0 / 60.0), None);
    /// ```
    #[must_use]
    pub fn jump_gravity(&self, tick: f64) -> Option<f64> {
        self.has_own_gravity().then(|| {
            // Round by a cast, which is faster than `round()`. Times below one tick count as one.
            let time = ((self.jump_time / tick + 0.5) as i64).max(1) as f64 * tick;
            let plain = 2.0 * self.jump_height / (time * time);
            if self.has_apex_hang() { self.jump_gravity_with_apex_hang(plain, time) } else { plain }
        })
    }

    /// Returns whether gravity is reduced around the apex of its jumps.
    #[inline(always)]
    pub(crate) fn has_apex_hang(&self) -> bool {
        self.apex_speed_threshold > 0.0 && self.apex_gravity_scale < 1.0
    }

    /// Returns the gravity with which the character reaches its jump height in `time`. `without_hang` is that gravity
    /// without an apex hang.
    ///
    /// The jump slows from `v` to `s`, the hang threshold, by `g`, and from there by `k g`: `T = (v - s) / g + s / (k
    /// g)`, and `h = (v^2 - s^2) / 2 g + s^2 / 2 k g`. With `q = (1 - k) / k` the first is `v = g T - q s`, so the
    /// second is `(g T)^2 - 2 (q T s + h) g + q (1 + q) s^2 = 0`. Its larger root has `v` above `s` if `s` is below `2
    /// h / T`. Otherwise the whole jump is below the threshold.
    #[inline(never)]
    fn jump_gravity_with_apex_hang(&self, without_hang: f64, time: f64) -> f64 {
        let (height, slow) = (self.jump_height, self.apex_speed_threshold * time);
        if slow >= 2.0 * height {
            return without_hang / self.apex_gravity_scale;
        }
        let more = slow * (1.0 - self.apex_gravity_scale) / self.apex_gravity_scale;
        (more + height + (height * height + more * (2.0 * height - slow)).sqrt()) / (time * time)
    }

    #[inline(always)]
    pub(crate) fn has_own_gravity(&self) -> bool {
        self.jump_time > 0.0 && self.jump_height > 0.0
    }

    /// Returns whether the character only walks and jumps: all numbers of other abilities have their defaults.
    pub(crate) fn only_walks_and_jumps(&self) -> bool {
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

    /// Returns how many of the last fields have their defaults and are left out of checksums. So a new field does not
    /// change the checksums of characters that do not use it.
    pub(super) fn count_default_numbers_at_end(mut self) -> usize {
        let mut default = Character::default();
        let pairs = self.numbers().into_iter().zip(default.numbers()).skip(Character::NUMBERS_WITH_BITS);
        pairs.rev().take_while(|(own, default)| own.value.to_bits() == default.value.to_bits()).count()
    }

    /// Returns the maximum shift by corrections, in addition to the character's own motion, in tiles. Sideways:
    /// corner correction or step-up. Upwards: ledge correction or step-up. Corner correction only counts in the air.
    #[inline(always)]
    pub(crate) fn max_correction_or_step(&self, shape: Shape, flies: bool) -> DVec2 {
        // A step-up may shift a circle until its centre is over the step.
        let onward = self.step_height > 0.0 && shape.is_circle();
        let onward = if onward { shape.half_units().x as f64 / ONE as f64 } else { 0.0 };
        let corner = if flies { self.corner_correction } else { 0.0 };
        DVec2::new(corner.max(onward), self.ledge_correction.max(self.step_height))
    }

    /// Returns how far around the character ledge grabs search for a ledge and for free space above it, in tiles.
    pub(crate) fn max_ledge_distance(&self, shape: Shape) -> f64 {
        let half = shape.half_units();
        if self.ledge_grab > 0.0 { self.ledge_grab + 4.0 * (half.x + half.y) as f64 / ONE as f64 } else { 0.0 }
    }

    /// Returns the character's maximum walk speed, without the effects of areas.
    #[inline(always)]
    pub(crate) fn max_walk_speed(&self) -> f64 {
        self.walk_speed * self.uphill_speed_scale.max(self.downhill_speed_scale).max(1.0)
    }

    /// Returns an upper bound of the speed that the character's input can give it in one tick by walking, dashing or
    /// jumping. The gravity is at most `pull`.
    pub(crate) fn max_own_speed(&self, pull: f64) -> f64 {
        let highest = self.jump_height.max(self.air_jump_height);
        self.max_walk_speed() + self.wall_jump_speed + self.dash_speed + (2.0 * pull * highest).sqrt()
    }

    /// Returns whether the character's speed changes on slopes.
    pub(crate) fn has_slope_speeds(&self) -> bool {
        self.uphill_speed_scale != 1.0 || self.downhill_speed_scale != 1.0 || self.slides_on_slopes()
    }

    /// Returns whether the character slides down some slopes instead of standing.
    pub(crate) fn slides_on_slopes(&self) -> bool {
        self.slope_friction > 0.0
    }

    /// Returns whether the character's jumps depend on earlier ticks, such as a buffered press of jump.
    #[inline(always)]
    pub(crate) fn has_jump_state(&self) -> bool {
        self.min_jump_height > 0.0
            || self.coyote_time > 0.0
            || self.jump_buffer > 0.0
            || self.wall_jump_speed > 0.0
            || self.wall_slide_speed > 0.0
            || self.has_timers()
    }

    /// Returns whether an ability of the character counts ticks or jumps, in addition to the state of its jumps.
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
        let in_the_air = [f64::from(air_jumps), wall_coyote_time, wall_stick_time, wall_jump_lock, dash_speed];
        in_the_air.into_iter().chain([ledge_grab, climb_speed, swim_speed]).any(|number| number > 0.0)
    }

    /// Returns the height of an air jump.
    pub(crate) fn effective_air_jump_height(&self) -> f64 {
        if self.air_jump_height > 0.0 { self.air_jump_height } else { self.jump_height }
    }

    /// Returns a mutable reference to the `f64` field called `name`, or `None` for an unknown name.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    ///
    /// let mut hero = Character::default();
    /// *hero.field_mut("coyote_time").unwrap() = 0.1;
    /// assert_eq!((hero.coyote_time, hero.field_mut("lift")), (0.1, None), "`lift` is not a field");
    /// assert_eq!(Character::FIELD_NAMES[0], "walk_speed");
    /// ```
    pub fn field_mut(&mut self, name: &str) -> Option<&mut f64> {
        let at = Character::FIELD_NAMES.iter().position(|known| *known == name)?;
        self.numbers().into_iter().nth(at).map(|number| number.value)
    }

    /// Returns the numbers that differ from the defaults, with their field names.
    #[doc(hidden)]
    pub fn changed(mut self) -> Vec<(&'static str, f64)> {
        let changed = changed_numbers(self.numbers(), Character::default().numbers());
        changed.into_iter().map(|(name, value)| (name.strip_prefix("character.").unwrap_or(name), value)).collect()
    }
}

/// Buttons that the player of a character holds. An input stays set until the next [`World::set_input`] for that
/// body.
///
/// [`World::set_input`]: crate::world::World::set_input
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
#[repr(C)]
pub struct Input {
    /// Run direction and speed: -127 is full speed to the left, 127 full speed to the right. With 0, the character
    /// brakes and then stands still. -128 counts as -127.
    pub walk: i8,
    /// Jump button. A press starts a jump: see [`Character`] for early, late and wall jumps. While the
    /// button is held in water, the character swims up.
    pub jump: bool,
    /// Down button: drops through one-way tiles with [`drop_through`](crate::map::TileKind::drop_through) and through
    /// one-way bodies, falls fast, climbs down, swims down, and lets go of a ledge.
    pub down: bool,
    /// Up button: climbs up, swims up, aims a dash upwards, and pulls the character up onto a ledge. Otherwise the
    /// engine ignores the button, so your game can use it, for example to enter doors.
    pub up: bool,
    /// Dash button. A press starts a dash in the direction of `walk`, `up` and `down`, if [`Character::dash_speed`]
    /// allows dashes.
    pub dash: bool,
}

impl Input {
    /// Returns an input that walks at `speed`, a stick position from -1 (full speed left) to 1 (full speed right).
    ///
    /// Values beyond -1 and 1 are clamped. NaN stands still.
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
        // The cast turns NaN into 0.
        Input { walk: (speed.clamp(-1.0, 1.0) * 127.0).round() as i8, ..Input::default() }
    }

    /// Returns the input with -127 in place of -128.
    #[doc(hidden)]
    pub fn normal(self) -> Input {
        Input { walk: self.walk.max(-127), ..self }
    }

    /// Returns the input with left and right exchanged if `is_swapped`.
    pub(crate) fn swapped_if(self, is_swapped: bool) -> Input {
        if is_swapped { Input { walk: -self.walk.max(-127), ..self } } else { self }
    }
}

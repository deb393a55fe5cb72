//! The numbers of the bound: how high and how fast a character can move at most. Also decides which levels the bound
//! does not cover.

use super::round_up_to_units;
use super::scan::Scan;
use surefoot::World;
use surefoot::body::{Body, Character};
use surefoot::event::BodyId;
use surefoot::geometry::{DVec2, I64Vec2, ONE};
use surefoot::motion::{ShapeKind, Up};
use thiserror::Error;

/// Additional height in tiles for each rise. It covers the rounding of positions and the gaps between touching
/// shapes.
///
/// Greater: a ledge that is just too high counts as reachable. Smaller than the rounding of a flight, which is half a
/// unit per tick: a reachable goal might be called unreachable.
const SPARE_RISE: f64 = 1.0 / 4096.0;

/// Reason why the [`Bound`](super::Bound) does not cover a world. Nothing is then proven to be unreachable.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotCovered {
    /// The world has no such body.
    #[error("the world has no such body; expected the id of a body in the world")]
    UnknownBody,
    /// The body is not a character.
    #[error("the body is not a character; the bound covers characters only")]
    NotACharacter,
    /// The body is a circle.
    #[error("the body is a circle; the bound covers boxes only, because corners turn the speed of circles")]
    Circle,
    /// The body is too small for the cells.
    #[error("the body is narrower or lower than {} tiles; the bound covers larger bodies only", super::grid::MIN_HALF_SIZE * 2.0)]
    TooSmall,
    /// The body is inside a solid tile.
    #[error("the body is stuck inside a solid tile; expected a body with room to move")]
    Stuck,
    /// The body has slow time.
    #[error("the body has a time scale; the bound covers only bodies without one")]
    SlowTime,
    /// Up is not along +y.
    #[error("up is not along +y for the body; the bound covers worlds and bodies with that up only")]
    Up,
    /// Gravity is not straight down.
    #[error(
        "gravity does not point straight down; expected a gravity with x = 0 and y < 0, and a gravity scale above 0"
    )]
    Gravity,
    /// Another body collides with the body or holds it.
    #[error("another body collides with the body or holds it; the bound covers no other bodies")]
    OtherBody,
    /// An area has an effect that moves bodies.
    #[error("the area {name:?} with the tag {tag:?} has the effect `{effect}`, which the bound does not cover")]
    Area {
        /// Name of the area.
        name: String,
        /// Tag of the area.
        tag: String,
        /// Field that is not covered.
        effect: &'static str,
    },
    /// A tile is a belt.
    #[error("a tile is a belt; the bound does not cover belts")]
    Belts,
    /// A floor throws the character back.
    #[error("a tile has a bounce and the character has a `bounce_scale`; the bound does not cover bounces")]
    Bounce,
    /// The character has an ability that the bound does not know.
    #[error("the character has an ability that the bound does not cover; expected the default of each such field")]
    Ability,
    /// A run up a slope may be faster than any known speed.
    #[error("the level has sloped floors, and {} too; the bound does not cover both together", .because)]
    Slopes {
        /// The reason why the speed has no limit.
        because: &'static str,
    },
    /// A platform is attached to another one.
    #[error("the platform {name:?} is attached to another one; the bound does not cover that")]
    AttachedPlatform {
        /// Name of the platform.
        name: String,
    },
    /// The game drives a platform, or has moved it.
    #[error("the platform {name:?} is moved by the game; the bound covers platforms on their paths only")]
    DrivenPlatform {
        /// Name of the platform.
        name: String,
    },
    /// The world has stepped: platforms may have been moved, and their velocities are kept by bodies.
    #[error("the world has stepped {ticks} ticks; the bound covers new worlds only")]
    Stepped {
        /// Number of ticks of the world.
        ticks: u64,
    },
    /// The level has too many cells.
    #[error("the level has more than {} cells of the bound; expected a smaller level", super::grid::MAX_CELLS)]
    TooLarge,
    /// The world is streamed.
    #[error("the world is streamed; the bound covers worlds with a whole map only")]
    Streamed,
    /// The search has the rules of a game.
    #[error("the rules of a game may move the body; the bound covers the physics only")]
    Rules,
    /// The goal is a function, or an area that something carries.
    #[error("the goal has no fixed position; the bound covers markers, areas at rest and rectangles only")]
    Goal,
    /// [`Options::max_memory`](crate::Options::max_memory) leaves too little memory for the bound.
    #[error("the limit of memory leaves no room for the bound; expected {} MiB or more besides the floods", super::MAX_BYTES >> 20)]
    Memory,
}

/// Limits of a character's motion in a level. Heights are in units.
#[derive(Clone, Debug)]
pub(super) struct Law {
    pub(super) half: I64Vec2,
    /// Maximum height from one support to the next.
    pub(super) rise: i64,
    /// Maximum height above the position at which the bound was created, until the first support.
    pub(super) first_rise: i64,
    /// Whether everything that the character's box touches is a support.
    pub(super) clings: bool,
    /// Maximum displacement in one tick on each axis, in tiles. Infinite if no limit is known.
    pub(super) most_a_tick: DVec2,
}

impl Law {
    pub(super) fn new(world: &World, id: BodyId, scan: &Scan) -> Result<Law, NotCovered> {
        let state = world.get(id).ok_or(NotCovered::UnknownBody)?;
        let (body, settings) = (state.body(), world.settings());
        let character = body.character.ok_or(NotCovered::NotACharacter)?;
        check_bound_covers_body(world, id, body)?;
        check_bound_covers_character(&character, scan)?;
        let ShapeKind::Aabb { half } = state.shape().kind() else { return Err(NotCovered::Circle) };
        let own = character.jump_gravity(settings.tick);
        let gravity = own.unwrap_or(-settings.gravity.y) * body.gravity_scale;
        let flight = Flight { character, gravity };
        let velocity = state.velocity().abs().max(state.relative_velocity().abs());
        let fall = max_fall_speed(&character, velocity);
        let run = max_run_speed(&character, scan, settings.max_floor_slope.into(), velocity, fall);
        // If a platform moves sideways, its steep tiles might push the character up.
        let is_pushed_up = scan.slopes.is_steep && scan.platform_speed.x > 0.0;
        let launch = if scan.slopes.floor_sine == 0.0 && !is_pushed_up {
            0.0
        } else {
            run.map_err(|because| NotCovered::Slopes { because })? * scan.slopes.floor_sine
        };
        let up = flight.max_up_speed(scan, launch);
        let rise =
            flight.max_rise_between_supports(up, launch + scan.platform_speed.y, scan.buoyant_height, settings.tick);
        let rises = state.velocity().y.max(state.relative_velocity().y).max(0.0);
        let first = rise + flight.rise_height(rises);
        let run = run.unwrap_or(f64::INFINITY);
        let along_slopes = if scan.slopes.floor_sine > 0.0 || scan.slopes.is_steep { run } else { 0.0 };
        let down = up.max((fall * fall + along_slopes * along_slopes).sqrt()) + gravity * settings.tick;
        let down = if scan.has_falling_platform { f64::INFINITY } else { down };
        let speed = DVec2::new(run, down) + scan.platform_speed;
        // In one tick, grabbing a ledge and pulling up onto it move the body by at most its own size and the reach of
        // the grab.
        let pull = if character.ledge_grab > 0.0 { half * 2.0 } else { DVec2::ZERO };
        let lifts = character.ledge_correction + character.step_height + character.ledge_grab;
        // A step-up moves the body up and down again in one tick.
        let nudge = DVec2::new(character.corner_correction, 2.0 * lifts) + pull;
        Ok(Law {
            half: (half * ONE as f64).round().as_i64vec2(),
            rise: round_up_to_units(rise),
            first_rise: round_up_to_units(first),
            clings: character.wall_jump_speed > 0.0 || character.ledge_grab > 0.0,
            most_a_tick: speed * settings.tick + nudge,
        })
    }
}

/// Checks the properties of the body, without its character.
fn check_bound_covers_body(world: &World, id: BodyId, body: &Body) -> Result<(), NotCovered> {
    let settings = world.settings();
    let is_held = world.holder_of(id).is_some() || world.held_by(id).is_some();
    let collides =
        |(other, state): (BodyId, &surefoot::world::BodyState)| other != id && body.can_collide_with(state.body());
    if is_held || world.bodies().any(collides) {
        return Err(NotCovered::OtherBody);
    }
    if world.get(id).is_some_and(|state| state.is_stuck()) {
        return Err(NotCovered::Stuck);
    }
    if body.time_scale != 1.0 {
        return Err(NotCovered::SlowTime);
    }
    if body.up.unwrap_or(settings.up) != Up::PlusY || settings.up != Up::PlusY {
        return Err(NotCovered::Up);
    }
    let is_down = settings.gravity.x == 0.0 && settings.gravity.y < 0.0 && body.gravity_scale > 0.0;
    if is_down { Ok(()) } else { Err(NotCovered::Gravity) }
}

/// Refuses a character with an ability that the formulas of this file do not include.
#[allow(clippy::needless_update, reason = "a new field of a character must be refused here, and not break this crate")]
fn check_bound_covers_character(character: &Character, scan: &Scan) -> Result<(), NotCovered> {
    let Character { walk_speed, ground_acceleration, ground_braking, air_acceleration, .. } = *character;
    let Character { jump_height, max_fall_speed, platform_velocity, air_jumps, .. } = *character;
    let Character { platform_velocity_grace, max_push_mass, jump_time, min_jump_height, .. } = *character;
    let Character { fall_gravity_scale, coyote_time, jump_buffer, corner_correction, .. } = *character;
    let Character { ledge_correction, fast_fall_speed, ground_turning, air_braking, air_turning, .. } = *character;
    let Character { wall_slide_speed, wall_jump_speed, air_jump_height, apex_speed_threshold, .. } = *character;
    let Character { apex_gravity_scale, wall_coyote_time, wall_stick_time, wall_jump_lock_time, .. } = *character;
    let Character { dash_speed, dash_time, dash_end_speed_scale, step_height, uphill_speed_scale, .. } = *character;
    let Character { downhill_speed_scale, max_floor_snap_speed, ledge_grab, ledge_climb_time, .. } = *character;
    let Character { climb_speed, swim_speed, swim_time, float_speed, ladder_center_speed, .. } = *character;
    let Character { slope_friction, bounce_scale, .. } = *character;
    #[rustfmt::skip]
    let known = Character {
        walk_speed, ground_acceleration, ground_braking, air_acceleration, jump_height, max_fall_speed,
        platform_velocity, air_jumps, platform_velocity_grace, max_push_mass, jump_time, min_jump_height,
        fall_gravity_scale, coyote_time, jump_buffer, corner_correction, ledge_correction, fast_fall_speed,
        ground_turning, air_braking, air_turning, wall_slide_speed, wall_jump_speed, air_jump_height,
        apex_speed_threshold, apex_gravity_scale, wall_coyote_time, wall_stick_time, wall_jump_lock_time, dash_speed,
        dash_time, dash_end_speed_scale, step_height, uphill_speed_scale, downhill_speed_scale, max_floor_snap_speed,
        ledge_grab, ledge_climb_time, climb_speed, swim_speed, swim_time, float_speed, ladder_center_speed,
        slope_friction, bounce_scale, ..Character::default()
    };
    if known != *character {
        return Err(NotCovered::Ability);
    }
    if bounce_scale > 0.0 && scan.has_bounce { Err(NotCovered::Bounce) } else { Ok(()) }
}

/// Returns the maximum fall speed in tiles per second.
fn max_fall_speed(character: &Character, velocity: DVec2) -> f64 {
    let Character { max_fall_speed, fast_fall_speed, dash_speed, swim_speed, climb_speed, .. } = *character;
    [fast_fall_speed, dash_speed, swim_speed, climb_speed, velocity.y].into_iter().fold(max_fall_speed, f64::max)
}

/// Returns the maximum speed along a floor and sideways, in tiles per second. The error is the reason why no limit is
/// known.
fn max_run_speed(
    character: &Character,
    scan: &Scan,
    (rise, run): (u16, u16),
    velocity: DVec2,
    fall: f64,
) -> Result<f64, &'static str> {
    if scan.slopes.has_ceiling {
        return Err("sloped ceilings");
    }
    if scan.platform_speed.x > 0.0 {
        return Err("platforms that move sideways");
    }
    let Character { walk_speed, uphill_speed_scale, downhill_speed_scale, slope_friction, .. } = *character;
    let walk = walk_speed * uphill_speed_scale.max(downhill_speed_scale).max(1.0) * scan.speed_scale;
    let Character { wall_jump_speed, dash_speed, swim_speed, climb_speed, ladder_center_speed, .. } = *character;
    let others = [wall_jump_speed, dash_speed, swim_speed, climb_speed, ladder_center_speed, velocity.x];
    let fastest = others.into_iter().fold(walk, f64::max);
    let slides = if slope_friction > 0.0 { fall } else { 0.0 };
    if scan.slopes.is_steep && rise == 0 {
        return Err("surfaces that are too steep for a floor");
    }
    let off_steep = if scan.slopes.is_steep { fall * f64::from(run) / f64::from(rise) } else { 0.0 };
    Ok(fastest.max(slides).max(off_steep))
}

/// Flights of a character under gravity.
struct Flight {
    character: Character,
    /// Size of gravity, in tiles per second squared.
    gravity: f64,
}

impl Flight {
    /// Returns the height in tiles of a rise that begins with a speed in tiles per second.
    fn rise_height(&self, speed: f64) -> f64 {
        let Character { apex_speed_threshold: slow, apex_gravity_scale: share, .. } = self.character;
        let pull = 2.0 * self.gravity;
        let hang = speed.min(slow);
        (speed * speed - hang * hang) / pull + hang * hang / (pull * share)
    }

    /// Returns the speed in tiles per second whose rise is `height`. The inverse of [`Flight::rise_height`].
    fn speed_for_rise(&self, height: f64) -> f64 {
        let Character { apex_speed_threshold: slow, apex_gravity_scale: share, .. } = self.character;
        let (pull, hang) = (2.0 * self.gravity, self.rise_height(slow));
        if height <= hang { (height * pull * share).sqrt() } else { ((height - hang) * pull + slow * slow).sqrt() }
    }

    /// Returns the height in tiles of an air jump.
    fn air_jump_height(&self) -> f64 {
        let Character { jump_height, air_jump_height, .. } = self.character;
        if air_jump_height > 0.0 { air_jump_height } else { jump_height }
    }

    /// Returns the least limit of the fall speed in the air or along a wall, in tiles per second.
    fn lowest_fall_speed_limit(&self) -> f64 {
        let Character { max_fall_speed, wall_slide_speed, .. } = self.character;
        if wall_slide_speed > 0.0 { max_fall_speed.min(wall_slide_speed) } else { max_fall_speed }
    }

    /// Returns the maximum upward speed at the begin of a flight, in tiles per second. `launch`: upward speed of a
    /// run up a slope.
    fn max_up_speed(&self, scan: &Scan, launch: f64) -> f64 {
        let Character { jump_height, swim_speed, float_speed, climb_speed, .. } = self.character;
        let jump = self.speed_for_rise(jump_height) + launch + scan.platform_speed.y;
        let driven = (swim_speed + float_speed).max(climb_speed) + scan.platform_speed.y;
        let up = jump.max(driven);
        (up * up + 2.0 * self.gravity * scan.buoyant_height).sqrt()
    }

    /// Returns the maximum height in tiles from one support to the next, for a maximum upward speed `up`. `carried`:
    /// the part of that speed that does not come from the jump. Before a late jump, the character already rises by
    /// it.
    fn max_rise_between_supports(&self, up: f64, carried: f64, buoyant_height: f64, tick: f64) -> f64 {
        let Character { air_jumps, jump_height, wall_jump_speed, wall_coyote_time, .. } = self.character;
        let Character { dash_speed, dash_time, dash_end_speed_scale, .. } = self.character;
        let Character { ledge_correction, step_height, ledge_grab, .. } = self.character;
        let air = f64::from(air_jumps) * self.air_jump_height();
        let late = if wall_jump_speed > 0.0 && wall_coyote_time > 0.0 { jump_height } else { 0.0 };
        let ticks = (dash_time / tick).round().max(1.0);
        let dash = if dash_speed > 0.0 {
            dash_speed * ticks * tick + self.rise_height(dash_speed * dash_end_speed_scale)
        } else {
            0.0
        };
        // Gravity does not act in the tick in which a body leaves the top of a slope.
        let off_slope = self.rise_height(carried) + carried * tick;
        let first = self.rise_height(up).max(jump_height + off_slope + buoyant_height);
        // In a tick, a body moves by the mean of its speeds before and after the tick, times t. In the tick of an apex,
        // the speed after it is a fall speed of less than g t. A limit below g t makes the mean greater, and the body
        // rises by up to g t^2 / 8 more.
        let apexes =
            if self.lowest_fall_speed_limit() < self.gravity * tick { f64::from(air_jumps) + 4.0 } else { 0.0 };
        let limited = apexes * self.gravity * tick * tick / 8.0;
        first + air + late + dash + ledge_correction + step_height + ledge_grab + limited + SPARE_RISE
    }
}

//! The fixed clock of Bevy, which must have the ticks of the world.

use crate::physics::Physics;
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::Reflect;
use bevy_time::{Fixed, Time, Virtual};
use std::time::Duration;

/// Another plugin or system changed Bevy's fixed clock. The game now runs too fast or too slow. The plugin also logs
/// this.
///
/// A world has one length of a tick: pass it as [`Settings::tick`](surefoot::world::Settings::tick) to the plugin, and
/// set no other on the clock. For slow motion, set the relative speed of `Time<Virtual>`.
#[derive(Message, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Message, Clone, Debug, PartialEq))]
pub struct FixedClockChanged {
    /// Length of a tick of the world.
    pub expected: Duration,
    /// Length of a tick of the clock.
    pub found: Duration,
}

/// Reports at the start of the app if no plugin runs ticks.
pub(crate) fn report_missing_clock(clock: Option<Res<Time<Virtual>>>) {
    if clock.is_some() {
        return;
    }
    let text = "the physics world does not step: `TimePlugin` is missing, which runs the ticks; \
                add `bevy_time::TimePlugin` to the app, or `DefaultPlugins` or `MinimalPlugins`, which contain it";
    // Most apps without this plugin have no `LogPlugin` either.
    if log::max_level() == log::LevelFilter::Off {
        eprintln!("{text}");
    } else {
        log::error!("{text}");
    }
}

/// Reports each change of the clock once.
pub(crate) fn report_clock_change(
    physics: Res<Physics>,
    clock: Res<Time<Fixed>>,
    mut changes: MessageWriter<FixedClockChanged>,
    mut reported: Local<Option<Duration>>,
) {
    let (expected, found) = (physics.timestep, clock.timestep());
    if found == expected {
        *reported = None;
    } else if *reported != Some(found) {
        *reported = Some(found);
        log::error!(
            "the fixed clock has ticks of {found:?}, and the physics world of {expected:?}; expected the same: \
             set `Settings::tick` instead of `Time<Fixed>`"
        );
        changes.write(FixedClockChanged { expected, found });
    }
}

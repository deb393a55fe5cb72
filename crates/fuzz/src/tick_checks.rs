//! Checks the results of each tick of a world against the oracle.

use crate::oracle_scenes::{OracleScenes, oracle_shape};
use std::collections::BTreeMap;
use surefoot::body::MAX_SPEED;
use surefoot::prelude::*;
use surefoot::{Command, World, geometry::DVec2};
use surefoot_oracle as oracle;

/// Maximum depth of a disc between the two ends of a straight segment of its path, in units. The oracle rounds there,
/// so it cannot detect less. It is exact at both ends.
const MAX_DEPTH_UNITS: f64 = 64.0;

/// Checks ticks of a world. Stores the oracle's tiles of the world and the positions of bodies before the tick.
pub(crate) struct TickChecker {
    scenes: OracleScenes,
    /// Positions before the tick.
    before: BTreeMap<BodyId, Position>,
    /// Teleport commands do not change the start position of a body.
    ignores_teleports: bool,
}

/// Properties of a body that decide which tiles block it.
#[derive(Clone, Copy)]
struct BodyKind {
    /// The body passes through everything.
    passes_through: bool,
    /// The body drops through some tiles while down is held.
    character: bool,
}

impl BodyKind {
    fn of_state(state: &BodyState) -> BodyKind {
        let character = state.character().is_some();
        BodyKind { passes_through: !character && state.body().response == Response::Pass, character }
    }
}

impl TickChecker {
    pub(crate) fn new(world: &World) -> TickChecker {
        TickChecker { scenes: OracleScenes::of_world(world), before: BTreeMap::new(), ignores_teleports: false }
    }

    /// Creates a checker that ignores the recorded teleport commands. A mutated snapshot may list teleports that were
    /// never applied.
    pub(crate) fn new_ignoring_teleports(world: &World) -> TickChecker {
        TickChecker { ignores_teleports: true, ..TickChecker::new(world) }
    }

    /// Records the positions of all bodies. Call it before each tick, after the commands of the tick were given.
    pub(crate) fn record_positions(&mut self, world: &World) {
        self.before = world.bodies().map(|(id, state)| (id, state.position())).collect();
    }

    /// Checks the results of a tick.
    ///
    /// # Errors
    /// Returns a description of the first broken guarantee.
    pub(crate) fn check_tick(&mut self, world: &World) -> Result<(), String> {
        let mut tiles_changed = false;
        for command in world.commands() {
            match command {
                Command::Teleport(body, position) if !self.ignores_teleports => {
                    self.before.insert(*body, *position);
                }
                Command::SetTile { .. } | Command::SetTiles { .. } => tiles_changed = true,
                _ => {}
            }
        }
        let has_scene = |state: &BodyState| self.scenes.scene_of_body(state.body().collision_layers, false).is_some();
        if tiles_changed || !world.bodies().all(|(_, state)| has_scene(state)) {
            self.scenes = OracleScenes::of_world(world);
        }
        for (id, state) in world.bodies() {
            let from = self.before.get(&id).copied();
            self.check_body(state, BodyKind::of_state(state), from)
                .map_err(|breach| format!("{breach}\n{id:?} from {from:?}: {state:?}"))?;
        }
        for event in world.events() {
            if let EventKind::HitTile { speed, normal, .. } = event.kind
                && !(speed.is_finite() && speed >= 0.0 && is_unit(normal))
            {
                return Err(format!("an event with numbers that are none: {event:?}"));
            }
        }
        Ok(())
    }

    /// Checks the state and the path of one body. Without a start position, skips the first segment of the path.
    fn check_body(&self, state: &BodyState, kind: BodyKind, from: Option<Position>) -> Result<(), String> {
        let velocity = state.velocity();
        if !(velocity.abs().max_element() <= MAX_SPEED && velocity.is_finite()) {
            return Err("its velocity is out of range".to_owned());
        }
        let last = state.path().last().copied().or(from);
        if last.is_some_and(|last| last != state.position()) {
            return Err(format!("its way ends at {last:?}"));
        }
        if kind.passes_through || state.is_carried() {
            return Ok(());
        }
        let shape = oracle_shape(state.shape());
        let overlap = self.scenes.all.overlap(&shape, position_units(state.position()));
        if overlap.is_some() != state.is_stuck() {
            return Err(format!("it is said to be stuck: {}; the oracle says {overlap:?}", state.is_stuck()));
        }
        if state.is_stuck() {
            return if state.path().is_empty() { Ok(()) } else { Err("it is stuck and moves".to_owned()) };
        }
        let drops = kind.character && state.input().down;
        let scene = self.scenes.scene_of_body(state.body().collision_layers, drops);
        let scene = scene.ok_or("what is there for it is not known")?;
        let mut points = from.into_iter().chain(state.path().iter().copied());
        let Some(mut from) = points.next() else { return Ok(()) };
        // A body that overlaps a thin wall is already on both sides, so its crossings are not guaranteed.
        let straddles = scene.straddles_wall(&shape, position_units(from));
        for to in points {
            check_segment(scene, &shape, straddles, from, to)?;
            from = to;
        }
        Ok(())
    }
}

/// Checks one straight segment of a path.
fn check_segment(
    scene: &oracle::Scene,
    shape: &oracle::Shape,
    straddles: bool,
    from: Position,
    to: Position,
) -> Result<(), String> {
    let fault = |what: String| Err(format!("{what} in the part from {from:?} to {to:?}"));
    if let Some(overlap) = scene.overlap(shape, position_units(to)) {
        return fault(format!("{overlap:?} at the end"));
    }
    match *shape {
        oracle::Shape::Box { half } => {
            if let Some(overlap) = scene.path_overlap(half, position_units(from), position_units(to)) {
                return fault(format!("{overlap:?}"));
            }
        }
        oracle::Shape::Circle { radius } => {
            let depth = scene.circle_path_depth(radius, position_units(from), position_units(to));
            if depth > MAX_DEPTH_UNITS {
                return fault(format!("{depth} units deep"));
            }
        }
    }
    match scene.find_crossing(shape, position_units(from), position_units(to)) {
        Some(crossing) if !straddles => fault(format!("{crossing:?}")),
        _ => Ok(()),
    }
}

/// Returns whether a normal has length 1, up to the rounding of a few operations in f64.
fn is_unit(normal: DVec2) -> bool {
    const ROUNDING: f64 = 1e-12;
    (normal.length() - 1.0).abs() <= ROUNDING
}

fn position_units(position: Position) -> (i64, i64) {
    position.units().into()
}

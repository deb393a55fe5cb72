//! Looks at every tick of a world from outside.

use crate::scenes::{Scenes, oracle_shape};
use std::collections::BTreeMap;
use surefoot::body::MAX_SPEED;
use surefoot::prelude::*;
use surefoot::{Command, World, geometry::DVec2};
use surefoot_oracle as oracle;

/// How deep a disc may be between the two ends of a straight part of its way, in units: the oracle cannot tell less from its
/// own rounding. At both ends it is exact.
const DEPTH_BETWEEN: f64 = 64.0;

/// Knows the tiles of a world, and where its bodies were before a tick.
pub(crate) struct Witness {
    scenes: Scenes,
    /// Places before the tick.
    before: BTreeMap<BodyId, Position>,
    /// What each body was spawned as.
    natures: BTreeMap<BodyId, Nature>,
    /// Where bodies are before a tick is seen with its commands carried out.
    sees_commands: bool,
}

/// What a body was spawned as, as far as it matters to what may be in its way.
#[derive(Clone, Copy)]
struct Nature {
    /// It passes through everything.
    passes: bool,
    /// It drops through some tiles while it holds down.
    character: bool,
}

impl Nature {
    fn of(state: &BodyState) -> Nature {
        let character = state.character().is_some();
        Nature { passes: !character && state.body().response == Response::Pass, character }
    }
}

impl Witness {
    pub(crate) fn new(world: &World) -> Witness {
        let (before, natures) = (BTreeMap::new(), BTreeMap::new());
        Witness { scenes: Scenes::of(world), before, natures, sees_commands: false }
    }

    /// A witness that looks when commands have been carried out: those of a snapshot from outside may tell of teleports that
    /// were never made.
    pub(crate) fn after_commands(world: &World) -> Witness {
        Witness { sees_commands: true, ..Witness::new(world) }
    }

    /// Before a tick, after the commands that are given for it from outside.
    pub(crate) fn look(&mut self, world: &World) {
        self.before = world.bodies().map(|(id, state)| (id, state.position())).collect();
    }

    /// After a tick.
    ///
    /// # Errors
    /// What was not as promised.
    pub(crate) fn tick(&mut self, world: &World) -> Result<(), String> {
        let mut painted = false;
        for command in world.commands() {
            match command {
                Command::Teleport(body, position) if !self.sees_commands => {
                    self.before.insert(*body, *position);
                }
                Command::SetTile { .. } | Command::SetTiles { .. } => painted = true,
                _ => {}
            }
        }
        let is_known = |state: &BodyState| self.scenes.of_body(state.body().collision_layers, false).is_some();
        if painted || !world.bodies().all(|(_, state)| is_known(state)) {
            self.scenes = Scenes::of(world);
        }
        for (id, state) in world.bodies() {
            let from = self.before.get(&id).copied();
            let nature = *self.natures.entry(id).or_insert_with(|| Nature::of(state));
            self.judge(state, nature, from).map_err(|breach| format!("{breach}\n{id:?} from {from:?}: {state:?}"))?;
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

    /// One body's tick; without a start its first part is passed over.
    fn judge(&self, state: &BodyState, nature: Nature, from: Option<Position>) -> Result<(), String> {
        let velocity = state.velocity();
        if !(velocity.abs().max_element() <= MAX_SPEED && velocity.is_finite()) {
            return Err("its velocity is out of range".to_owned());
        }
        let last = state.path().last().copied().or(from);
        if last.is_some_and(|last| last != state.position()) {
            return Err(format!("its way ends at {last:?}"));
        }
        if nature.passes || state.is_carried() {
            return Ok(());
        }
        let shape = oracle_shape(state.shape());
        let overlap = self.scenes.all.overlap(&shape, tuple(state.position()));
        if overlap.is_some() != state.is_stuck() {
            return Err(format!("it is said to be stuck: {}; the oracle says {overlap:?}", state.is_stuck()));
        }
        if state.is_stuck() {
            return if state.path().is_empty() { Ok(()) } else { Err("it is stuck and moves".to_owned()) };
        }
        let drops = nature.character && state.input().down;
        let scene = self.scenes.of_body(state.body().collision_layers, drops);
        let scene = scene.ok_or("what is there for it is not known")?;
        let mut parts = from.into_iter().chain(state.path().iter().copied());
        let Some(mut from) = parts.next() else { return Ok(()) };
        // What stands in a thin wall is on both its sides already: what it crosses is not promised.
        let astride = scene.straddles_wall(&shape, tuple(from));
        for to in parts {
            judge_part(scene, &shape, astride, from, to)?;
            from = to;
        }
        Ok(())
    }
}

/// One straight part of a way.
fn judge_part(
    scene: &oracle::Scene,
    shape: &oracle::Shape,
    astride: bool,
    from: Position,
    to: Position,
) -> Result<(), String> {
    let fault = |what: String| Err(format!("{what} in the part from {from:?} to {to:?}"));
    if let Some(overlap) = scene.overlap(shape, tuple(to)) {
        return fault(format!("{overlap:?} at the end"));
    }
    match *shape {
        oracle::Shape::Box { half } => {
            if let Some(overlap) = scene.path_overlap(half, tuple(from), tuple(to)) {
                return fault(format!("{overlap:?}"));
            }
        }
        oracle::Shape::Circle { radius } => {
            let depth = scene.circle_path_depth(radius, tuple(from), tuple(to));
            if depth > DEPTH_BETWEEN {
                return fault(format!("{depth} units deep"));
            }
        }
    }
    match scene.crossed(shape, tuple(from), tuple(to)) {
        Some(crossing) if !astride => fault(format!("{crossing:?}")),
        _ => Ok(()),
    }
}

/// Whether a normal has the length 1, up to the rounding of a few operations in f64.
fn is_unit(normal: DVec2) -> bool {
    const ROUNDING: f64 = 1e-12;
    (normal.length() - 1.0).abs() <= ROUNDING
}

fn tuple(position: Position) -> (i64, i64) {
    position.units().into()
}

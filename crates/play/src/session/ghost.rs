use super::watch::first_character;
use crate::error::PlayError;
use surefoot::command::Command;
use surefoot::event::BodyId;
use surefoot::geometry::DVec2;
use surefoot::motion::Shape;
use surefoot::record::Playback;
use surefoot::replay::Replay;
use surefoot::world::World;

/// The recorded motion of the first character of a replay.
///
/// The replay is played as far as the visible run has come. Ticks played once stay stored.
#[derive(Debug)]
pub(super) struct Ghost {
    player: Playback,
    body: Option<BodyId>,
    /// Shape, previous and current position after each tick; `None` if the character was not in the world.
    track: Vec<Option<Step>>,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    shape: Shape,
    from: DVec2,
    to: DVec2,
}

impl Ghost {
    pub(super) fn new(replay: Replay) -> Result<Ghost, PlayError> {
        if replay.source_identity().is_some() {
            return Err(PlayError::Streamed { name: "the ghost".to_owned() });
        }
        let spawns_later =
            replay.recording().runs().iter().flat_map(|run| &run.input).any(|it| matches!(it, Command::Spawn(_)));
        let player = Playback::new(&replay);
        if first_character(player.world()).is_none() && !spawns_later {
            return Err(PlayError::NoCharacter);
        }
        let mut ghost = Ghost { player, body: None, track: Vec::new() };
        ghost.record_position();
        Ok(ghost)
    }

    /// Plays the replay up to a tick.
    pub(super) fn play_to(&mut self, tick: u64) {
        while (self.track.len() as u64) <= tick && self.player.step().is_some() {
            self.record_position();
        }
    }

    /// Returns the shape and the interpolated centre in tiles. After the end, the ghost stays at its last position.
    pub(super) fn shape_and_centre_at(&self, tick: u64, fraction: f64) -> Option<(Shape, DVec2)> {
        let last = self.track.len().checked_sub(1)?;
        let index = usize::try_from(tick).unwrap_or(last).min(last);
        let step = self.track[index]?;
        let fraction = if index as u64 == tick { fraction } else { 1.0 };
        Some((step.shape, step.from + (step.to - step.from) * fraction))
    }

    fn record_position(&mut self) {
        self.body = self.body.or_else(|| first_character(self.player.world()));
        let world = self.player.world();
        let step = self.body.and_then(|body| world.get(body).map(|state| (body, state))).map(|(body, state)| {
            let to = state.position().to_dvec2();
            // A teleported character appears at its new position at once, instead of gliding there.
            let before = self.track.last().copied().flatten().filter(|_| !is_teleported(world, body));
            let from = before.map_or_else(|| state.position_at(0.0).as_dvec2(), |step| step.to);
            Step { shape: state.shape(), from, to }
        });
        self.track.push(step);
    }
}

fn is_teleported(world: &World, body: BodyId) -> bool {
    world.commands().iter().any(|command| matches!(command, Command::Teleport(moved, _) if *moved == body))
}

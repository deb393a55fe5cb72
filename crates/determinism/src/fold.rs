use surefoot::Event;
use surefoot::prelude::*;
use surefoot_random::{STEP, mix};

/// A hash of everything that was folded into it, in that order.
///
/// Each step takes one word into a bijection of 64 bits, so two runs whose hashes once differ agree again only if another
/// word differs too.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fold(pub(crate) u64);

impl Fold {
    /// Takes one word in.
    pub(crate) fn word(&mut self, word: u64) {
        self.0 = mix((self.0 ^ word).wrapping_add(STEP));
    }

    /// Takes in what can be seen after a tick: the checksum of the state, and what happened.
    pub(crate) fn tick(&mut self, checksum: Checksum, events: &[Event]) {
        self.word(checksum.0);
        self.word(events.len() as u64);
        events.iter().for_each(|event| self.event(event.kind));
    }

    fn event(&mut self, kind: EventKind) {
        match kind {
            EventKind::Landed => self.word(1),
            EventKind::LeftFloor => self.word(2),
            EventKind::LeftMap => self.word(3),
            EventKind::Stuck => self.word(4),
            EventKind::Unstuck => self.word(5),
            // Where the tile is says which platform it is of, and of which kind.
            EventKind::HitTile { side, speed, normal, tile, tile_id: _, platform: _, position } => {
                self.word(6 + side as u64);
                [speed, normal.x, normal.y].iter().for_each(|number| self.word(number.to_bits()));
                [tile.0, tile.1].iter().for_each(|&number| self.word(number as u64));
                [position.units().x, position.units().y].iter().for_each(|&number| self.word(number as u64));
            }
            // The state says which platforms pass through which bodies.
            EventKind::Crushed { platform: _ } => self.word(10),
            // And which bodies are in which areas.
            EventKind::AreaEntered { area: _ } => self.word(11),
            EventKind::AreaExited { area: _ } => self.word(12),
            // And where bodies are says which others they touch.
            EventKind::HitBody { other: _, normal, speed } => {
                self.word(13);
                [speed, normal.x, normal.y].iter().for_each(|number| self.word(number.to_bits()));
            }
            EventKind::PushRefused { other: _ } => self.word(14),
            EventKind::BodyContactBegan { other: _ } => self.word(15),
            EventKind::BodyContactEnded { other: _ } => self.word(16),
            EventKind::FellAsleep => self.word(17),
            EventKind::WokeUp => self.word(18),
            EventKind::GrabBroken { other: _ } => self.word(19),
            _ => unreachable!("an event that is not folded"),
        }
    }
}

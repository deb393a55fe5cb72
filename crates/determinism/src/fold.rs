use surefoot::Event;
use surefoot::event::LandedOn;
use surefoot::prelude::*;
use surefoot_random::{STEP, mix};

/// A hash of all words that were added to it, in order.
///
/// Each word goes through a bijection of 64 bits. So two hashes that differ once become equal again only if another
/// word differs too.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fold(pub(crate) u64);

impl Fold {
    /// Adds one word.
    pub(crate) fn add_word(&mut self, word: u64) {
        self.0 = mix((self.0 ^ word).wrapping_add(STEP));
    }

    /// Adds the results of a tick: the checksum of the state and the events.
    pub(crate) fn add_tick(&mut self, checksum: Checksum, events: &[Event]) {
        self.add_word(checksum.0);
        self.add_word(events.len() as u64);
        events.iter().for_each(|event| self.add_event(event.kind));
    }

    fn add_event(&mut self, kind: EventKind) {
        match kind {
            EventKind::Landed { speed, on } => {
                self.add_word(1);
                self.add_word(speed.to_bits());
                if let Some(LandedOn::Tile { tile, .. }) = on {
                    [tile.0, tile.1].iter().for_each(|&number| self.add_word(number as u64));
                }
            }
            EventKind::LeftFloor => self.add_word(2),
            EventKind::LeftMap => self.add_word(3),
            EventKind::Stuck => self.add_word(4),
            EventKind::Unstuck => self.add_word(5),
            // `tile_id` and `platform` are left out. If a run hits another tile or platform, `tile` or `position`
            // nearly always differs too.
            EventKind::HitTile { side, speed, normal, tile, tile_id: _, platform: _, position } => {
                self.add_word(6 + side as u64);
                [speed, normal.x, normal.y].iter().for_each(|number| self.add_word(number.to_bits()));
                [tile.0, tile.1].iter().for_each(|&number| self.add_word(number as u64));
                [position.units().x, position.units().y].iter().for_each(|&number| self.add_word(number as u64));
            }
            // The platform is left out: the checksum covers which platforms pass through which bodies.
            EventKind::Crushed { platform: _ } => self.add_word(10),
            // The area is left out: the checksum covers which bodies are in which areas.
            EventKind::AreaEntered { area: _ } => self.add_word(11),
            EventKind::AreaExited { area: _ } => self.add_word(12),
            // The other body is left out: the positions of bodies imply which bodies they touch.
            EventKind::HitBody { other: _, normal, speed } => {
                self.add_word(13);
                [speed, normal.x, normal.y].iter().for_each(|number| self.add_word(number.to_bits()));
            }
            EventKind::PushRefused { other: _ } => self.add_word(14),
            EventKind::BodyContactBegan { other: _ } => self.add_word(15),
            EventKind::BodyContactEnded { other: _ } => self.add_word(16),
            EventKind::FellAsleep => self.add_word(17),
            EventKind::WokeUp => self.add_word(18),
            EventKind::GrabBroken { other: _ } => self.add_word(19),
            EventKind::Jumped { from, buffered } => self.add_word(20 + 2 * from as u64 + u64::from(buffered)),
            EventKind::Dashed => self.add_word(40),
            EventKind::AbilityBegan { ability } => self.add_word(40 + ability as u64),
            EventKind::AbilityEnded { ability } => self.add_word(50 + ability as u64),
            // The point is left out: the position of the platform implies it.
            EventKind::PlatformArrived { platform: _, point: _, is_end } => self.add_word(60 + u64::from(is_end)),
            _ => unreachable!("an event that is not folded"),
        }
    }
}

//! What is done to the world of a replay.

use super::Checker;
use crate::body::check_velocity;
use crate::catalogue::VariantId;
use crate::map::{EntryId, known_tiles};
use crate::replay::format::{ActionPart, Timed};
use crate::replay::{Action, ReplayErrorKind, TimedAction};
use crate::text::Step;
use crate::text::Step::{Field, Item};
use glam::DVec2;

impl Checker<'_> {
    pub(super) fn commands(&mut self, parts: Vec<Timed>) -> Vec<TimedAction> {
        let mut commands = Vec::new();
        let mut before = 0;
        for (i, Timed { tick: found, action }) in parts.into_iter().enumerate() {
            let at = [Field("commands"), Item(i), Field("tick")];
            let tick = self.tick(found, 0..=self.ticks - 1, &at);
            if let Some(tick) = tick {
                if tick < before {
                    self.add(&at, &[], ReplayErrorKind::TickOrder { found, before, least: before });
                }
                before = before.max(tick);
            }
            let action = self.action(action, tick, before, &[Field("commands"), Item(i), Field("do")]);
            commands.extend(tick.zip(action).map(|(tick, action)| TimedAction { tick, action }));
        }
        commands
    }

    fn action(&mut self, part: ActionPart, at: Option<u64>, earliest: u64, way: &[Step<'static>]) -> Option<Action> {
        let tick = at.unwrap_or(earliest);
        let item = |i| [way, &[Item(i)]].concat();
        Some(match part {
            ActionPart::None => return None,
            ActionPart::Spawn(body) => Action::Spawn(Box::new(self.body(*body, at.unwrap_or(0), &item(0))?)),
            ActionPart::Remove(name) => {
                self.present(&name, tick, &item(0))?;
                if let Some(known) = self.known.get_mut(&name) {
                    known.removed = Some(at.unwrap_or(u64::MAX));
                }
                Action::Remove(name)
            }
            ActionPart::SetVelocity(name, (x, y)) => {
                let present = self.present(&name, tick, &item(0));
                let velocity = DVec2::new(x, y);
                for (checked, axis) in [(DVec2::new(x, 0.0), 0), (DVec2::new(0.0, y), 1)] {
                    if let Err(error) = check_velocity(checked) {
                        let kind = ReplayErrorKind::Body { name: name.clone(), error };
                        self.add(&item(1), &[Item(axis)], kind);
                    }
                }
                present?;
                Action::SetVelocity(name, velocity)
            }
            ActionPart::Teleport(name, spot) => {
                let shape = self.present(&name, tick, &item(0)).and_then(|known| known.shape);
                let place = self.place(&name, shape, &spot, &item(1), &[])?;
                Action::Teleport(name, place)
            }
            ActionPart::SetCharacter(name, character) => {
                let known = self.present(&name, tick, &item(0));
                if known.is_some_and(|known| !known.character) {
                    self.add(&item(0), &[], ReplayErrorKind::NoCharacter { name: name.clone() });
                }
                self.character(&name, character, &item(1));
                known?;
                Action::SetCharacter(name, character)
            }
            ActionPart::SetTile(tile, name, layer) => {
                let (tile, entry) = (self.tile(tile, &item(0)), self.entry(name, &item(1)));
                Action::SetTile { layer: self.layer(layer, &item(2))?, tile: tile?, entry: entry? }
            }
            ActionPart::SetTiles(from, to, name, layer) => {
                let (from, to) = (self.tile(from, &item(0)), self.tile(to, &item(1)));
                let entry = self.entry(name, &item(2));
                Action::SetTiles { layer: self.layer(layer, &item(3))?, from: from?, to: to?, entry: entry? }
            }
        })
    }

    /// A tile of the map.
    fn tile(&mut self, (x, y): (i64, i64), at: &[Step<'static>]) -> Option<(i32, i32)> {
        let map = self.map?;
        let tile = i32::try_from(x).and_then(|x| i32::try_from(y).map(|y| (x, y))).ok();
        let tile = tile.filter(|&tile| self.streamed || map.entry_at(tile).is_some());
        if tile.is_none() {
            let (origin, (width, height)) = (map.origin(), map.size());
            let (left, bottom) = (i64::from(origin.0), i64::from(origin.1));
            let (columns, rows) = (left..left + i64::from(width), bottom..bottom + i64::from(height));
            self.add(at, &[], ReplayErrorKind::TileOutside { x, y, columns, rows });
        }
        tile
    }

    /// The layer of that name, the first one if there is none.
    fn layer(&mut self, name: Option<String>, at: &[Step<'static>]) -> Option<usize> {
        let map = self.map?;
        let Some(name) = name else { return Some(0) };
        let layer = map.layers().iter().position(|layer| layer.name == name);
        if layer.is_none() {
            let known = map.layers().iter().map(|layer| layer.name.clone()).collect();
            self.add(at, &[], ReplayErrorKind::UnknownLayer { name, known });
        }
        layer
    }

    /// The entry that a character of the legend, or the name of a tile in it, stands for.
    fn entry(&mut self, name: String, at: &[Step<'static>]) -> Option<EntryId> {
        let map = self.map?;
        let mut characters = name.chars();
        if let (Some(character), None) = (characters.next(), characters.next())
            && let Some(entry) = map.find_entry(character)
        {
            return Some(entry);
        }
        let variant: Option<VariantId> = if name.trim() == crate::map::EMPTY_TILE {
            None
        } else {
            match map.catalogue().find(&name) {
                Ok(variant) => Some(variant),
                Err(source) => {
                    let known = known_tiles(map.catalogue(), &source);
                    self.add(at, &[], ReplayErrorKind::UnknownTile { name, source, known });
                    return None;
                }
            }
        };
        let entry = map.kinds().iter().position(|kind| kind.variant == variant);
        if entry.is_none() {
            self.add(at, &[], ReplayErrorKind::NotInLegend { name });
        }
        entry.map(|entry| EntryId(entry as u16))
    }
}

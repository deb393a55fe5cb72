//! Checks the commands of a replay.

use super::Checker;
use crate::command::Command;
use crate::replay::ReplayErrorKind;
use crate::replay::format::{COMMAND, LayerWord, TICK};
use crate::replay::scenario::Timed;
use crate::text::Step::{Field, Item};
use crate::text::{Node, Reader, Shape, Step};
use crate::tiles::map::{CollisionLayers, Map, TileId, TileNameError, read_names};

impl Checker<'_> {
    /// Reads the list `commands`, and reports its errors.
    pub(super) fn check_commands<'t>(&mut self, reader: &mut Reader<'t>, node: Node<'t>) -> Vec<Timed> {
        let mut commands = Vec::new();
        let (mut before, mut items) = (0, 0..);
        reader.read_list(node, &[Shape::Struct], |reader, node| {
            let i = items.next().unwrap_or_default();
            if i >= self.limits.commands {
                if i == self.limits.commands {
                    self.add_error(&[Field("commands"), Item(i)], &[], ReplayErrorKind::TooManyCommands);
                }
                return;
            }
            let mut fields = reader.read_fields(node, COMMAND);
            let found = fields.take("tick").map_or(0, |node| reader.read_integer(node, TICK));
            let at = [Field("commands"), Item(i), Field("tick")];
            let tick = self.tick_if_in_range_or_report(found, 0..=self.ticks - 1, &at);
            if let Some(tick) = tick {
                if tick < before {
                    self.add_error(&at, &[], ReplayErrorKind::TickOrder { found, before, min: before });
                }
                before = before.max(tick);
            }
            let way = [Field("commands"), Item(i), Field("do")];
            let action = fields.take("do");
            let command = action.and_then(|node| self.read_command(reader, node, tick.ok_or(before), &way));
            let timed = |(tick, (spawned, command))| Timed { tick, spawned, command };
            commands.extend(tick.zip(command).map(timed));
        });
        commands
    }

    /// Updates the known body `name` after a command. `at`: the tick of the command, if that is valid.
    pub(in crate::replay) fn update_known_body(&mut self, name: &str, command: &Command, at: Option<u64>) {
        if let Command::Despawn(id) = command {
            self.slots.remove(*id);
        }
        let Some(known) = self.known.get_mut(name) else { return };
        match command {
            Command::Despawn(_) => known.removed = Some(at.unwrap_or(u64::MAX)),
            Command::SetCollisionLayers(_, layers) => known.layers = *layers,
            Command::SetBody(_, body) => {
                (known.character, known.layers, known.up) = (body.character.is_some(), body.collision_layers, body.up);
            }
            Command::SetShape(_, shape) | Command::SetShapeFromTop(_, shape) => known.shape = Some(*shape),
            Command::SetUp(_, up) => known.up = *up,
            _ => {}
        }
    }

    /// Checks a tile of the map.
    pub(in crate::replay) fn check_tile(&mut self, (x, y): (i64, i64), at: &[Step<'static>]) -> Option<(i32, i32)> {
        let map = self.map?;
        let tile = i32::try_from(x).and_then(|x| i32::try_from(y).map(|y| (x, y))).ok();
        let tile = tile.filter(|&tile| self.streamed || map.tile_at(0, tile).is_some());
        if tile.is_none() {
            let (origin, (width, height)) = (map.origin(), map.size());
            let (left, bottom) = (i64::from(origin.0), i64::from(origin.1));
            let (columns, rows) = (left..left + i64::from(width), bottom..bottom + i64::from(height));
            self.add_error(at, &[], ReplayErrorKind::TileOutside { x, y, columns, rows });
        }
        tile
    }

    /// Reads collision layers of the map: a list of names, or the word for a set that every map has.
    pub(in crate::replay) fn read_collision_layers<'t>(
        &mut self,
        reader: &mut Reader<'t>,
        node: Node<'t>,
        (words, layers): LayerWord,
        at: &[Step<'static>],
    ) -> Option<CollisionLayers> {
        if node.shape() == Shape::Word {
            if !words.contains(&node.name()) {
                let words = words.join("`, `");
                reader.report_mismatch(
                    node,
                    format!("`{words}` or a list of collision layers, such as [\"enemy\"]"),
                    "",
                );
                return None;
            }
            return reader.read_word(node, words, layers);
        }
        let table = self.map.map(Map::collision_layers);
        let mut layers = Some(CollisionLayers::NONE);
        for (item, name) in read_names(reader, node).iter().enumerate() {
            let known = table.map(|table| CollisionLayers::of_names([name], table));
            let known = known.and_then(|known| {
                self.problems.ok_or_add(&[at, &[Item(item)]].concat(), known.map_err(ReplayErrorKind::CollisionLayer))
            });
            layers = layers.zip(known).map(|(all, one)| all.union(one));
        }
        layers
    }

    /// Returns the index of the named layer, or of the first one without a name.
    pub(in crate::replay) fn find_layer(&mut self, name: Option<String>, at: &[Step<'static>]) -> Option<usize> {
        let map = self.map?;
        let Some(name) = name else { return Some(0) };
        let layer = map.layers().iter().position(|layer| layer.name == name);
        if layer.is_none() {
            let known = map.layers().iter().map(|layer| layer.name.clone()).collect();
            self.add_error(at, &[], ReplayErrorKind::UnknownLayer { name, known });
        }
        layer
    }

    /// Returns the tile kind for a symbol of the legend, or for a tile name in it.
    pub(in crate::replay) fn find_tile_kind(&mut self, name: String, at: &[Step<'static>]) -> Option<TileId> {
        let map = self.map?;
        match map.find_tile_named(&name) {
            Ok(kind) => return Some(kind),
            Err(TileNameError::UnknownTile { name, source, known }) => {
                self.add_error(at, &[], ReplayErrorKind::UnknownTile { name, source, known });
            }
            Err(_) => self.add_error(at, &[], ReplayErrorKind::NotInLegend { name }),
        }
        None
    }
}

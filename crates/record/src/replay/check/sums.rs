//! Checks the checkpoints of a replay.

use super::Checker;
use crate::checksum::Checksum;
use crate::record::{BodyPosition, Checkpoint};
use crate::replay::ReplayErrorKind;
use crate::replay::format::{SUMS, TICK, UNITS};
use crate::text::Step::{Field, Item, Key, Value};
use crate::text::{Node, Reader, Shape};
use crate::tiles::map::read_units;
use std::collections::BTreeSet;
use surefoot_geometry::Position;

impl Checker<'_> {
    /// Reads the list `checksums`, and reports its errors.
    pub(super) fn check_checksums<'t>(&mut self, reader: &mut Reader<'t>, node: Node<'t>) -> Vec<Checkpoint> {
        let mut checksums: Vec<Checkpoint> = Vec::new();
        let mut last: Option<u64> = None;
        let mut positions_left = Some(self.limits.positions);
        let mut items = 0..;
        reader.read_list(node, &[Shape::Struct], |reader, node| {
            let i = items.next().unwrap_or_default();
            let mut fields = reader.read_fields(node, SUMS);
            let mut pairs = Vec::new();
            if let Some(node) = fields.take("positions") {
                reader.read_map(node, "{\"hero\": (0, 4294967296)}", |reader, key, value| {
                    pairs.push((
                        reader.read_string(key),
                        reader
                            .read_pair(value, UNITS)
                            .map_or((0, 0), |(x, y)| (read_units(reader, x), read_units(reader, y))),
                    ));
                });
            }
            let field = |name| [Field("checksums"), Item(i), Field(name)];
            let at = field("tick");
            let found = fields.take("tick").map_or(0, |node| reader.read_integer(node, TICK));
            let tick = self.tick_if_in_range_or_report(found, 1..=self.ticks, &at);
            if let Some(before) = last.filter(|&last| tick.is_some_and(|tick| tick <= last)) {
                self.add_error(&at, &[], ReplayErrorKind::TickOrder { found, before, min: before + 1 });
            }
            last = last.max(tick);
            let mut sum = |name| {
                let text = fields.take(name).map(|node| reader.read_string(node)).unwrap_or_default();
                self.problems.ok_or_add(
                    &field(name),
                    text.parse::<Checksum>().map_err(|error| ReplayErrorKind::Checksum { field: name, error }),
                )
            };
            let (state, motion) = (sum("state"), sum("motion"));
            let left = positions_left.and_then(|left| left.checked_sub(pairs.len()));
            let mut positions = Vec::new();
            if left.is_some() {
                positions = self.check_and_keep_positions(pairs, tick, i);
            } else if positions_left.is_some() {
                self.add_error(&field("positions"), &[], ReplayErrorKind::TooManyPositions);
            }
            positions_left = left;
            if let (Some(tick), Some(state), Some(motion)) = (tick, state, motion) {
                checksums.push(Checkpoint { tick, state, motion, positions, game: None });
            }
        });
        checksums
    }

    /// Checks the positions of bodies after `tick` ticks, if known. `i`: number of the checkpoint.
    fn check_and_keep_positions(
        &mut self,
        pairs: Vec<(String, (i64, i64))>,
        tick: Option<u64>,
        i: usize,
    ) -> Vec<BodyPosition> {
        let mut positions = Vec::with_capacity(pairs.len());
        let mut seen = BTreeSet::new();
        for (j, (name, (x, y))) in pairs.into_iter().enumerate() {
            let at = |step| [Field("checksums"), Item(i), Field("positions"), step];
            let known = self.known.get(&name).copied();
            match known {
                None => self.report_unknown_body(&name, &at(Key(j))),
                Some(known) => {
                    // A checkpoint is taken after `tick` ticks. A command with the same number comes later: before the
                    // next tick.
                    let there = |tick| known.spawned < tick && known.removed.is_none_or(|removed| removed >= tick);
                    if let Some(tick) = tick.filter(|&tick| !there(tick)) {
                        self.add_error(&at(Key(j)), &[], ReplayErrorKind::AbsentBody { name: name.clone(), tick });
                    } else if !seen.insert(name.clone()) {
                        self.add_error(&at(Key(j)), &[], ReplayErrorKind::DuplicatePosition { name: name.clone() });
                    }
                }
            }
            match Position::from_units(x, y) {
                Some(position) => positions.extend(known.map(|known| BodyPosition { body: known.id, position })),
                None => self.add_error(&at(Value(j)), &[], ReplayErrorKind::UnitsOutOfRange { x, y }),
            }
        }
        positions
    }
}

use super::command::write_command;
use super::format::{ALL, FIRST, LayerWord};
use super::scenario::{Scenario, Timed, Track};
use super::things::Things;
use super::{MapSource, Replay};
use crate::body::{Body, Character, Input, PlatformVelocity, Response};
use crate::lengths::{exact_tiles, tiles_text};
use crate::motion::{Shape, Up};
use crate::record::{BodyPosition, Checkpoint, Names, TileSums};
use crate::text::quoted;
use crate::tiles::map::{CollisionLayers, EMPTY_TILE, Map, TileId};
use crate::world::Settings;
use glam::DVec2;
use std::fmt::{self, Write};
use std::sync::Arc;
use surefoot_geometry::Position;

impl Replay {
    /// Writes the replay as RON text. Reading the text returns an equal replay, with every number equal to the last
    /// bit.
    ///
    /// Fields with default values are left out. Positions are written in tiles.
    #[must_use]
    pub fn to_ron(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "Replay(\n    format: {},\n    physics: {},", Replay::FORMAT, self.physics())?;
        match &self.source {
            MapSource::File(path) => {
                writeln!(out, "    map: File({}),", quoted(path))?;
            }
            MapSource::Inline => {
                // Indent every line of the map. This changes no string, because line breaks in a written string are
                // escaped.
                let map = self.map.to_ron();
                writeln!(out, "    map: Inline({}),", map.trim_end().replace('\n', "\n    "))?;
            }
        }
        if self.map_has_changed() || matches!(self.source, MapSource::File(_)) {
            writeln!(out, "    map_checksum: \"{}\",", self.recording.map)?;
        }
        if let Some(TileSums { rows, columns }) = &self.recording.tiles {
            writeln!(out, "    map_tiles: ({rows:?}, {columns:?}),")?;
        }
        if let Some(identity) = self.recording.source {
            writeln!(out, "    source: \"{identity:016x}\",")?;
        }
        let (names, scenario) = (&self.recording.names, Scenario::from_recording(&self.recording));
        let named = |id| quoted(names.name(id).unwrap_or_default());
        write_settings(out, self.settings())?;
        write_list_field(out, "bodies", &scenario.bodies, |out, (id, body)| {
            write_body(out, &named(*id), body, &self.map)
        })?;
        write_inputs(out, &scenario.inputs, names)?;
        let kinds = KindNames::new(&self.map, &self.source);
        let mut things = Things::of_map(&self.map);
        write_list_field(out, "commands", &scenario.commands, |out, Timed { tick, spawned, command }| {
            write!(out, "(tick: {tick}, do: ")?;
            write_command(out, command, *spawned, (names, &things), &self.map, &kinds)?;
            things.update_after_command(command);
            out.write_char(')')
        })?;
        writeln!(out, "    ticks: {},", self.ticks())?;
        write_list_field(out, "expect", &self.expect, |out, line| out.write_str(&quoted(line.text())))?;
        write_list_field(out, "checksums", self.checksums(), |out, checkpoint| {
            write_checkpoint(out, checkpoint, names)
        })?;
        out.write_str(")\n")
    }
}

/// Writes a field with a list, one item per line. Writes nothing for an empty list.
fn write_list_field<T>(
    out: &mut String,
    name: &str,
    items: &[T],
    mut write_item: impl FnMut(&mut String, &T) -> fmt::Result,
) -> fmt::Result {
    if items.is_empty() {
        return Ok(());
    }
    writeln!(out, "    {name}: [")?;
    for item in items {
        out.write_str("        ")?;
        write_item(out, item)?;
        out.write_str(",\n")?;
    }
    out.write_str("    ],\n")
}

fn write_settings(out: &mut String, settings: Settings) -> fmt::Result {
    let default = Settings::default();
    let mut fields = Vec::new();
    if settings.tick != default.tick {
        fields.push(format!("tick: {:?}", settings.tick));
    }
    let gravity = settings.gravity;
    if !same_bits(gravity, default.gravity) {
        fields.push(format!("gravity: {}", pair_text(gravity)));
    }
    match settings.up {
        Up::PlusY => {}
        up => fields.push(format!("up: {up:?}")),
    }
    if settings.max_floor_slope != default.max_floor_slope {
        let (rise, run): (u16, u16) = settings.max_floor_slope.into();
        fields.push(format!("max_floor_slope: ({rise}, {run})"));
    }
    if fields.is_empty() { Ok(()) } else { writeln!(out, "    settings: ({}),", fields.join(", ")) }
}

fn write_inputs(out: &mut String, tracks: &[Track], names: &Names) -> fmt::Result {
    if tracks.iter().all(|track| track.runs.is_empty()) {
        return Ok(());
    }
    out.write_str("    inputs: {\n")?;
    for Track { body, runs, .. } in tracks.iter().filter(|track| !track.runs.is_empty()) {
        writeln!(out, "        {}: [", quoted(names.name(*body).unwrap_or_default()))?;
        for run in runs {
            write!(out, "            (ticks: {}", run.ticks)?;
            let Input { walk, jump, down, up, dash } = run.input;
            if walk != 0 {
                write!(out, ", walk: {}", walk)?;
            }
            for (held, name) in [(jump, "jump"), (down, "down"), (up, "up"), (dash, "dash")] {
                if held {
                    write!(out, ", {name}: true")?;
                }
            }
            out.write_str("),\n")?;
        }
        out.write_str("        ],\n")?;
    }
    out.write_str("    },\n")
}

fn write_checkpoint(out: &mut String, checkpoint: &Checkpoint, names: &Names) -> fmt::Result {
    let Checkpoint { tick, state, motion, positions, .. } = checkpoint;
    write!(out, "(tick: {tick}, state: \"{state}\", motion: \"{motion}\"")?;
    if !positions.is_empty() {
        out.write_str(", positions: {\n")?;
        for BodyPosition { body, position } in positions {
            let (x, y): (i64, i64) = position.units().into();
            writeln!(out, "            {}: ({x}, {y}),", quoted(names.name(*body).unwrap_or_default()))?;
        }
        out.write_str("        }")?;
    }
    out.write_char(')')
}

/// Writes a body with its quoted name.
pub(super) fn write_body(out: &mut String, name: &str, body: &Body, map: &Map) -> fmt::Result {
    let default = Body::new(body.shape);
    write!(out, "(name: {name}, shape: {}", written_shape(body.shape))?;
    // A spawned body has a position.
    if let Ok(position) = body.position {
        write!(out, ", at: {}", spot_text(position))?;
    }
    if !same_bits(body.velocity, default.velocity) {
        write!(out, ", velocity: {}", pair_text(body.velocity))?;
    }
    if body.facing != default.facing {
        write!(out, ", facing: {:?}", body.facing)?;
    }
    for field in body_property_fields(body, map) {
        write!(out, ", {field}")?;
    }
    out.write_char(')')
}

/// Writes the new properties of a body that keeps its name, shape and position.
pub(super) fn write_new_properties(out: &mut String, body: &Body, map: &Map) -> fmt::Result {
    write!(out, "({})", body_property_fields(body, map).join(", "))
}

/// Returns the properties of a body that are not defaults, without its shape.
fn body_property_fields(body: &Body, map: &Map) -> Vec<String> {
    let default = Body::new(body.shape);
    let mut fields = Vec::new();
    match body.response {
        Response::Slide => {}
        Response::Bounce(factor) => fields.push(format!("response: Bounce({factor:?})")),
        other => fields.push(format!("response: {other:?}")),
    }
    // Add the body's own numbers. Those of its character follow as one field, and a bounce is part of the response
    // above.
    fields.extend(body.own_numbers().into_iter().map(|(name, value)| format!("{name}: {value:?}")));
    fields.extend(body.character.map(|character| format!("character: {}", character_text(character))));
    for (field, layers, default, word) in [
        ("collision_layers", body.collision_layers, default.collision_layers, FIRST),
        ("collision_mask", body.collision_mask, default.collision_mask, ALL),
    ] {
        if layers != default {
            fields.push(format!("{field}: {}", layer_names(layers, word, map)));
        }
    }
    if body.one_way {
        fields.push("one_way: true".to_owned());
    }
    if body.tag != 0 {
        fields.push(format!("tag: {}", body.tag));
    }
    fields.extend(body.up.map(|up| format!("up: {up:?}")));
    fields
}

/// Returns a list of collision layer names, or the word for a set that every map has.
pub(super) fn layer_names(layers: CollisionLayers, (words, sets): LayerWord, map: &Map) -> String {
    let table = map.collision_layers();
    if layers == sets[0] && layers.check_named(table.len()).is_err() {
        return words[0].to_owned();
    }
    let names: Vec<String> = layers.names(table).into_iter().map(quoted).collect();
    format!("[{}]", names.join(", "))
}

pub(super) fn character_text(character: Character) -> String {
    let numbers = character.changed().into_iter().map(|(name, value)| format!("{name}: {value:?}"));
    // The text format uses the name of the variant as its word, so `Debug` gives the right word.
    let lift = (character.platform_velocity != PlatformVelocity::default())
        .then(|| format!("platform_velocity: {:?}", character.platform_velocity));
    let air_jumps = (character.air_jumps != 0).then(|| format!("air_jumps: {}", character.air_jumps));
    format!("({})", numbers.chain(lift).chain(air_jumps).collect::<Vec<_>>().join(", "))
}

/// Texts for the tile kinds of a replay's map.
#[derive(Clone, Debug)]
pub(super) struct KindNames {
    map: Arc<Map>,
    letters: Vec<char>,
    /// Whether the map is in the replay itself, with these symbols, which distinguish all kinds.
    inline: bool,
}

impl KindNames {
    pub(super) fn new(map: &Arc<Map>, source: &MapSource) -> KindNames {
        KindNames { map: map.clone(), letters: map.written_letters(), inline: *source == MapSource::Inline }
    }

    /// Returns a symbol for each tile kind.
    pub(super) fn letters(&self) -> &[char] {
        &self.letters
    }

    /// Returns whether the map has that tile kind.
    pub(super) fn has_kind(&self, kind: TileId) -> bool {
        self.map.kind(kind).is_some()
    }

    /// Returns whether the symbol of a tile kind reads back as this kind.
    pub(super) fn has_letter(&self, kind: TileId) -> bool {
        let letter = self.letters.get(usize::from(kind.0));
        letter.is_some_and(|letter| self.inline || self.map.find_tile(*letter) == Some(kind))
    }

    /// Returns the text that reads back as a tile kind. For a map in a file it is a symbol of the file, else the name
    /// of the tile. `None` if the file has no symbol for it and it is not the first kind of its tile.
    pub(super) fn name(&self, kind: TileId) -> Option<String> {
        let letter = self.letters.get(usize::from(kind.0))?.to_string();
        if self.inline {
            return Some(letter);
        }
        let variant = self.map.kind(kind)?.variant;
        let tile = variant.map_or_else(|| EMPTY_TILE.to_owned(), |id| self.map.catalogue().variant_name(id));
        [letter, tile].into_iter().find(|name| self.map.find_tile_named(name) == Ok(kind))
    }
}

pub(super) fn written_shape(shape: Shape) -> String {
    let half = shape.half_units();
    // Sizes have at most 38 bits, so tiles always read back as the same units.
    let (width, height) = (tiles_text(half.x), tiles_text(half.y));
    if shape.is_circle() { format!("Circle({width})") } else { format!("Aabb({width}, {height})") }
}

/// Prints a position in tiles if they read back exactly, else in units.
pub(super) fn spot_text(position: Position) -> String {
    let (x, y): (i64, i64) = position.units().into();
    exact_tiles(position).map_or_else(|| format!("Units({x}, {y})"), |(x, y)| format!("At({x}, {y})"))
}

pub(super) fn pair_text(v: DVec2) -> String {
    // Print the fewest digits that read back as the same numbers.
    format!("({:?}, {:?})", v.x, v.y)
}

fn same_bits(a: DVec2, b: DVec2) -> bool {
    a.to_array().map(f64::to_bits) == b.to_array().map(f64::to_bits)
}

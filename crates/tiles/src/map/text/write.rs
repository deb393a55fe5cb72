use super::legend::{self, Meaning, Palette};
use super::look::{self, Looks};
use super::platform_text;
use super::{Border, Borders, Map, TileId, TileKind, TileLayer, Value};
use super::{area_text, body_text};
use crate::text::{quoted, quoted_char};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

impl Map {
    /// Writes the map as the text of a RON file. Reading the text with the same catalogue (tile shapes) returns an
    /// equal map.
    ///
    /// Only fields that differ from their defaults are written. The list `markers` has all markers (named tiles) with
    /// their columns and rows. Each tile kind is written as its symbol of [`Map::symbols`]; kinds without a symbol get
    /// a new one.
    ///
    /// The layout is fixed: equal maps with equal symbols give equal texts.
    #[must_use]
    pub fn to_ron(&self) -> String {
        let sizes = self.parts.layers.iter().map(|layer| layer.cells.len() + 20 * layer.size.1 as usize);
        let mut text = String::with_capacity(sizes.sum::<usize>() + 256);
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "Map(\n    format: {},", Map::FORMAT)?;
        let origin = self.parts.layers[0].origin;
        if origin != (0, 0) {
            writeln!(out, "    origin: ({}, {}),", origin.0, origin.1)?;
        }
        if self.parts.pixels_per_tile != Map::DEFAULT_PIXELS_PER_TILE {
            writeln!(out, "    pixels_per_tile: {},", self.parts.pixels_per_tile)?;
        }
        if let Some(path) = &self.parts.catalogue_file {
            writeln!(out, "    catalogue: {},", quoted(path))?;
        }
        self.write_borders(out)?;
        if !self.parts.collision_layers.is_empty() {
            writeln!(out, "    collision_layers: [{}],", quoted_list(self.parts.collision_layers.iter()))?;
        }
        let letters = self.write_legend(out)?;
        self.write_markers(out)?;
        if !self.parts.properties.is_empty() {
            out.push_str("    properties: {\n");
            for (name, value) in &self.parts.properties {
                writeln!(out, "        {}: {},", quoted(name), written_value(value))?;
            }
            out.push_str("    },\n");
        }
        platform_text::write_platforms(out, &self.parts.platforms, &self.parts.platform_properties, &letters)?;
        area_text::write_areas(out, &self.parts.areas, &self.parts.area_properties, &self.parts.collision_layers)?;
        body_text::write_bodies(out, &self.parts.bodies, &self.parts.collision_layers)?;
        write_layers(out, &self.parts.layers, self.parts.layers[0].origin, &letters, "    ")?;
        out.push_str(")\n");
        Ok(())
    }

    fn write_borders(&self, out: &mut String) -> fmt::Result {
        let Borders { left, right, bottom, top } = self.parts.borders;
        let named = [("left", left), ("right", right), ("bottom", bottom), ("top", top)];
        let solid =
            join_fields(named.map(|(side, beyond)| (beyond == Border::Solid).then(|| format!("{side}: Solid"))));
        if solid.is_empty() { Ok(()) } else { writeln!(out, "    border: ({solid}),") }
    }

    /// Writes the legend, and returns the symbol of each tile kind.
    fn write_legend(&self, out: &mut String) -> Result<Vec<char>, fmt::Error> {
        let builtin = legend::builtin_legend(&self.parts.catalogue);
        let (letters, only_this) = self.choose_symbols_and_whether_only_own_legend(&builtin);
        let has = |letter, kind: &TileKind| {
            let is_it = |known: &Meaning| known.character == letter && known.kind == *kind && known.marker.is_none();
            builtin.iter().any(is_it)
        };
        if only_this {
            out.push_str("    only_this_legend: true,\n");
        }
        let own = self.parts.kinds.iter().zip(&letters).filter(|&(kind, &letter)| only_this || !has(letter, kind));
        let mut own = own.peekable();
        if own.peek().is_none() {
            return Ok(letters);
        }
        out.push_str("    legend: {\n");
        for (kind, &letter) in own {
            // Names need no escapes: they consist of letters, digits, underscores and spaces.
            let tile =
                kind.variant.map_or_else(|| legend::EMPTY.to_owned(), |id| self.parts.catalogue.variant_name(id));
            write!(out, "        {}: ", quoted_char(letter))?;
            // Write the fewest digits that read back as the same number.
            let numbers =
                kind.material.non_default_numbers().into_iter().map(|(name, value)| Some(format!("{name}: {value:?}")));
            let climbable = kind.material.climbable.then(|| "climbable: true".to_owned());
            let material = join_fields(numbers.chain([climbable]));
            let ignored_by = quoted_list(kind.ignored_by.names(&self.parts.collision_layers));
            let others = join_fields([
                kind.drop_through.then(|| "drop_through: true".to_owned()),
                (!kind.ignored_by.is_empty()).then(|| format!("ignored_by: [{ignored_by}]")),
                (!material.is_empty()).then(|| format!("material: ({material})")),
                (!kind.properties.is_empty()).then(|| format!("properties: {}", written_properties(&kind.properties))),
                kind.things.marker.as_ref().map(|marker| {
                    let properties = (!marker.properties.is_empty())
                        .then(|| format!("properties: {}", written_properties(&marker.properties)));
                    let name = Some(format!("name: {}", quoted(&marker.name)));
                    format!("marker: ({})", join_fields([name, properties]))
                }),
                kind.things.area.as_ref().map(|thing| {
                    format!("area: {}", area_text::written_area_thing(thing, &self.parts.collision_layers))
                }),
                kind.things.body.as_ref().map(|thing| {
                    format!("body: ({})", body_text::written_body_thing(thing, None, &self.parts.collision_layers))
                }),
                kind.things.inside.map(|id| format!("inside: {}", quoted_char(letters[usize::from(id.0)]))),
            ]);
            if others.is_empty() {
                writeln!(out, "\"{tile}\",")?;
            } else {
                writeln!(out, "(tile: \"{tile}\", {others}),")?;
            }
        }
        out.push_str("    },\n");
        Ok(letters)
    }

    /// Returns the symbol with which each tile kind is written.
    #[doc(hidden)]
    pub fn written_letters(&self) -> Vec<char> {
        self.choose_symbols_and_whether_only_own_legend(&legend::builtin_legend(&self.parts.catalogue)).0
    }

    /// Returns the symbols, and whether they are written without the built-in legend.
    fn choose_symbols_and_whether_only_own_legend(&self, builtin: &[Meaning]) -> (Vec<char>, bool) {
        let letters = self.choose_symbols(builtin, true);
        if self.has_kinds_of_builtin_legend_with(builtin, &letters) {
            (letters, false)
        } else {
            (self.choose_symbols(builtin, false), true)
        }
    }

    /// Returns a symbol for each tile kind: its own or a new one. Each has its own look, compared with the built-in
    /// symbols too if the map is written with them.
    fn choose_symbols(&self, builtin: &[Meaning], beside_builtin: bool) -> Vec<char> {
        let (mut used, mut looks) = (BTreeSet::new(), Looks::default());
        if beside_builtin {
            for meaning in builtin {
                // Cannot fail: the built-in symbols are ASCII, and two ASCII symbols never count as alike.
                let _ = looks.add_unless_alike(meaning.character);
            }
        }
        let mut letters: Vec<Option<char>> = vec![None; self.parts.kinds.len()];
        // Among several symbols of one kind, prefer the first of the built-in legend.
        let builtin_first = builtin.iter().filter_map(|known| self.parts.symbols.get_key_value(&known.character));
        for (&letter, id) in builtin_first.chain(&self.parts.symbols) {
            let own = &mut letters[usize::from(id.0)];
            if own.is_none() && look::check_visible(letter).is_ok() && looks.add_unless_alike(letter).is_ok() {
                *own = Some(letter);
                used.insert(letter);
            }
        }
        if beside_builtin {
            used.extend(builtin.iter().map(|known| known.character));
        }
        let mut others = look::unused_letters('A', looks).filter(|letter| !used.contains(letter));
        // There are more letters than tile kinds, so `others` does not run out.
        letters.into_iter().map(|own| own.or_else(|| others.next()).unwrap_or(char::MAX)).collect()
    }

    /// Returns whether the built-in legend with these symbols added or replaced gives this map's tile kinds.
    fn has_kinds_of_builtin_legend_with(&self, builtin: &[Meaning], letters: &[char]) -> bool {
        let mut meanings = builtin.to_vec();
        let known: BTreeMap<char, usize> = (0..).zip(builtin).map(|(i, known)| (known.character, i)).collect();
        for (kind, &letter) in self.parts.kinds.iter().zip(letters) {
            let meaning = Meaning::of_own_legend(letter, kind.clone(), None);
            match known.get(&letter) {
                Some(&known) => meanings[known].replace_if_different(meaning),
                None => meanings.push(meaning),
            }
        }
        let palette = Palette::new(&meanings);
        let is_own = |(id, letter): (u16, &char)| {
            palette.paint_of_symbol(*letter).is_some_and(|paint| paint.entry == TileId(id))
        };
        palette.kinds == self.parts.kinds && (0..).zip(letters).all(is_own)
    }

    fn write_markers(&self, out: &mut String) -> fmt::Result {
        let mut markers = self.markers.tiles_by_name().peekable();
        if markers.peek().is_none() {
            return Ok(());
        }
        out.push_str("    markers: {\n");
        for (name, tiles) in markers {
            let tiles: Vec<_> = tiles.iter().map(|(x, y)| format!("({x}, {y})")).collect();
            writeln!(out, "        {}: [{}],", quoted(name), tiles.join(", "))?;
        }
        out.push_str("    },\n");
        Ok(())
    }
}

/// Writes the rows of a single layer with the default name, or a list of layers. `origin` is the default origin of the
/// layers.
pub(super) fn write_layers(
    out: &mut String,
    layers: &[TileLayer],
    origin: (i32, i32),
    letters: &[char],
    indent: &str,
) -> fmt::Result {
    if let [only] = layers
        && only.has_default_settings()
        && only.origin == origin
    {
        return write_rows(out, only, letters, indent);
    }
    writeln!(out, "{indent}layers: [")?;
    for layer in layers {
        writeln!(out, "{indent}    (\n{indent}        name: {},", quoted(&layer.name))?;
        if !layer.collides {
            writeln!(out, "{indent}        collides: false,")?;
        }
        if layer.origin != origin {
            writeln!(out, "{indent}        origin: ({}, {}),", layer.origin.0, layer.origin.1)?;
        }
        write_rows(out, layer, letters, &format!("{indent}        "))?;
        writeln!(out, "{indent}    ),")?;
    }
    writeln!(out, "{indent}],")
}

fn write_rows(out: &mut String, layer: &TileLayer, letters: &[char], indent: &str) -> fmt::Result {
    let raw = !letters.contains(&'"');
    writeln!(out, "{indent}tiles: [")?;
    for cells in layer.cells.chunks_exact(layer.size.0 as usize).rev() {
        let row = cells.iter().map(|id| letters[usize::from(id.0)]);
        if raw {
            write!(out, "{indent}    r\"")?;
            out.extend(row);
            out.push_str("\",\n");
        } else {
            writeln!(out, "{indent}    {},", quoted(&row.collect::<String>()))?;
        }
    }
    writeln!(out, "{indent}],")
}

/// Returns the fields that are there, separated by commas.
pub(super) fn join_fields(fields: impl IntoIterator<Item = Option<String>>) -> String {
    fields.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Returns quoted texts, separated by commas.
pub(super) fn quoted_list<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> String {
    texts.into_iter().map(|text| quoted(text.as_ref())).collect::<Vec<_>>().join(", ")
}

fn written_value(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        // Write the fewest digits that read back as the same number, with a point or an exponent.
        Value::Float(value) => format!("{value:?}"),
        Value::Text(value) => quoted(value),
        Value::List(values) => format!("[{}]", join_fields(values.iter().map(|value| Some(written_value(value))))),
        Value::Map(values) => written_properties(values),
    }
}

pub(super) fn written_properties(values: &BTreeMap<String, Value>) -> String {
    let entries = values.iter().map(|(name, value)| Some(format!("{}: {}", quoted(name), written_value(value))));
    format!("{{{}}}", join_fields(entries))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;
    use crate::map::{MapParts, VariantId};
    use crate::platform::{Easing, OnCrush, Path, PathTiming, Platform, Repeat};
    use surefoot_geometry::{ONE, Position};

    fn check_round_trip(map: &Map) -> String {
        let text = map.to_ron();
        let back = Map::from_ron_with(&text, map.catalogue()).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        assert!(back == *map, "{map:?}\nbecame\n{back:?}\nby\n{text}");
        assert_eq!(back.to_ron(), text);
        text
    }

    #[test]
    fn only_fields_that_differ_from_the_defaults_are_written() {
        let map = Map::from_ron(r"Map(format: 1, tiles: ['/\'])".replace('\'', "\"").as_str());
        assert!(map.is_err(), "a backslash in an ordinary string");
        let map = Map::from_ron("Map(format: 1, tiles: [r\"/\\ \", r\"=@.\"])").unwrap();
        let expected = concat!(
            "Map(\n    format: 1,\n    markers: {\n        \"start\": [(1, 0)],\n    },\n",
            "    tiles: [\n        r\"/\\.\",\n        r\"=..\",\n    ],\n)\n",
        );
        assert_eq!(check_round_trip(&map), expected);
    }

    #[test]
    fn added_and_replaced_entries_are_written() {
        let text = r#"Map(format: 1, tiles: ["x#y@"], legend: {'x': "stud r1", '#': (tile: "one_way r3", drop_through: true),
            '@': "spike", 'y': (tile: "disc", marker: "moon")})"#;
        let written = check_round_trip(&Map::from_ron(text).unwrap());
        assert!(!written.contains("only_this_legend"), "{written}");
        assert!(written.contains("'x': \"stud\","), "{written}");
        assert!(written.contains("'#': (tile: \"one_way r3\", drop_through: true),"), "{written}");
    }

    #[test]
    fn collision_layers_are_written_by_their_names() {
        let text = r#"Map(format: 1, tiles: ["x#y-"], collision_layers: ["hero", "gh\"ost", "c"], legend: {
            'x': (tile: "one_way", ignored_by: ["c", "hero"], material: (climbable: true)), 'y': (tile: "disc", ignored_by: []),
            '#': (tile: "one_way r1", drop_through: true, ignored_by: ["gh\"ost"])})"#;
        let written = check_round_trip(&Map::from_ron(text).unwrap());
        assert!(written.contains("\n    collision_layers: [\"hero\", \"gh\\\"ost\", \"c\"],\n"), "{written}");
        let ledge = "'x': (tile: \"one_way\", ignored_by: [\"hero\", \"c\"], material: (climbable: true)),";
        assert!(written.contains(ledge), "{written}");
        let ledge = "'#': (tile: \"one_way r1\", drop_through: true, ignored_by: [\"gh\\\"ost\"]),";
        assert!(written.contains(ledge) && written.contains("'y': \"disc\","), "{written}");
    }

    #[test]
    fn only_material_fields_that_differ_from_the_default_are_written() {
        let text = r#"Map(format: 1, tiles: ["x#y-"], legend: {'x': (tile: "stud", material: (friction: 0.1, bounce: 0.75)),
            '#': (tile: "full_block", material: (traction: 1.0)), '-': (tile: "one_way", drop_through: true,
            material: (traction: 1e-3), properties: {"a": 1}), 'y': (tile: "disc", material: ())})"#;
        let written = check_round_trip(&Map::from_ron(text).unwrap());
        assert!(written.contains("'x': (tile: \"stud\", material: (friction: 0.1, bounce: 0.75)),"), "{written}");
        let ledge =
            "'-': (tile: \"one_way\", drop_through: true, material: (traction: 0.001), properties: {\"a\": 1}),";
        assert!(written.contains(ledge), "{written}");
        assert!(written.contains("'y': \"disc\",") && !written.contains("'#'"), "{written}");
    }

    #[test]
    fn a_map_keeps_the_characters_it_was_read_with() {
        let legend = "legend: {'é': \"stud\", 's': (tile: \"spike\", properties: {\"damage\": 2})}";
        let map = Map::from_ron(&format!("Map(format: 1, {legend}, tiles: [\"é#s\"])")).unwrap();
        let stud = map.find_tile('é').unwrap();
        let spike = map.kind(map.find_tile('s').unwrap()).unwrap();
        assert_eq!(spike.properties["damage"], Value::Integer(2));
        let mut parts = map.into_parts();
        // Add a kind that the file does not have. It gets a symbol when the map is written.
        parts.kinds.push(TileKind::new(VariantId(40)));
        parts.layers[0].cells[1] = TileId(parts.kinds.len() as u16 - 1);
        let text = check_round_trip(&Map::from_parts(parts.clone()).unwrap());
        assert!(text.contains("\"éAs\"") && text.contains("'é': \"stud\","), "{text}");
        // Now give the stud's symbol 'é' to the new kind.
        parts.symbols.retain(|_, id| *id != stud);
        parts.symbols.insert('é', TileId(parts.kinds.len() as u16 - 1));
        let map = Map::from_parts(parts).unwrap();
        // The built-in stud comes after 21 other kinds that are not empty.
        assert_eq!(map.find_tile('+'), Some(TileId(22)));
        let text = check_round_trip(&map);
        assert!(text.contains("\"Aés\""), "{text}");
    }

    #[test]
    fn every_character_of_the_text_finds_its_kind() {
        let map = Map::from_ron("Map(format: 1, legend: {'c': \"empty\"}, tiles: [\" .c#\"])").unwrap();
        let found = [' ', '.', '#', 'c', '@'].map(|letter| map.find_tile(letter));
        let coin = TileId(map.kinds().len() as u16 - 1);
        assert_eq!(found, [Some(TileId::EMPTY), Some(TileId::EMPTY), Some(TileId(1)), Some(coin), None]);
        // Among two symbols of one kind, the first of the built-in legend is written.
        assert!(check_round_trip(&map).contains("\"..c#\""));
    }

    #[test]
    fn legends_without_the_builtin_legend_read_back() {
        for (legend, tiles) in [
            ("'x': \"stud\"", "xxx"),
            ("'.': \"stud\", ' ': \"disc\", '\\'': (marker: \"m\")", ". '"),
            ("'.': \"stud\", '\"': \"empty\", '\\\\': \"disc\"", "\\\"\\\\."),
            ("'\u{1f600}': \"stud\", 'e': (marker: \"\u{7}\\\"\")", "\u{1f600}ee"),
        ] {
            let text = format!("(format: 1, only_this_legend: true, legend: {{{legend}}}, tiles: [\"{tiles}\"])");
            let mut map = Map::from_ron(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
            check_round_trip(&map);
            // The empty cell has a symbol even if the file gave it none.
            map.set_tile(0, (0, 0), TileId::EMPTY).unwrap();
            check_round_trip(&map);
        }
        // This legend gives two symbols of the built-in legend other meanings.
        check_round_trip(
            &Map::from_ron("Map(format: 1, legend: {'#': \"empty\", '.': \"stud\"}, tiles: [\"#. \"])").unwrap(),
        );
    }

    #[test]
    fn every_part_reads_back() {
        let mut parts = MapParts::new(97, 2);
        parts.kinds = TileKind::every_variant(&parts.catalogue);
        // The first two symbols cannot be in a text, and most kinds have no symbol.
        parts.symbols = [('\n', TileId(1)), ('\u{202e}', TileId(2)), ('é', TileId(3))].into();
        for (i, cell) in parts.layers[0].cells.iter_mut().enumerate() {
            *cell = TileId((i % 97) as u16);
        }
        parts.kinds[5].properties = [("surface \"ice\"".to_owned(), 0.1.into())].into();
        parts.kinds[0].properties = [("air".to_owned(), true.into())].into();
        parts.layers[0].origin = (-(1 << 28), 1 << 28);
        parts.borders = Borders { left: Border::Solid, top: Border::Solid, ..Borders::default() };
        parts.pixels_per_tile = 7;
        let (x, y) = parts.layers[0].origin;
        parts.markers = vec![("b\n\\".to_owned(), (x + 96, y)), ("a".to_owned(), (x, y)), ("a".to_owned(), (x, y + 1))];
        let values = [
            Value::Bool(true),
            Value::Integer(i64::MIN),
            Value::Integer(i64::MAX),
            Value::Float(0.1),
            Value::Float(-0.0),
            Value::Float(5e-324),
            Value::Float(f64::MAX),
            Value::Float(16_777_217.0),
            Value::Text("\u{0}\t\r\n\"\\'\u{85}ü".to_owned()),
            Value::List(Vec::new()),
            Value::Map([("".to_owned(), Value::List(vec![Value::Float(1.0), Value::Integer(1)]))].into()),
        ];
        parts.properties = values.into_iter().enumerate().map(|(i, value)| (format!("p {i}"), value)).collect();
        check_round_trip(&Map::from_parts(parts).unwrap());
    }

    #[test]
    fn platforms_read_back_to_the_unit() {
        let at = |x, y| Position::from_units(x, y).unwrap();
        let mut parts = MapParts::new(1, 1);
        let block = TileLayer { cells: vec![TileId(1)], ..TileLayer::new(TileLayer::DEFAULT_NAME, 1, 1) };
        let plain = Platform::new(vec![block.clone()]);
        let points = vec![at(0, 0), at(1, -1), at(1 << 50, -(1 << 50)), at(ONE / 10, (1 << 49) + 1)];
        let path = Path { points, timing: PathTiming::Speed(5e3), wait: 0.1, phase: 1.0 / 3.0, ..Path::default() };
        let far = TileLayer { origin: (-5, 7), ..block.clone() };
        let drawn = TileLayer { collides: false, name: "b".to_owned(), ..block };
        parts.platforms = vec![
            plain.clone().name("a \"b\"\n").at((0.1, -2.5)),
            plain.clone().path(Path { timing: PathTiming::Period(2e4), repeat: Repeat::Loop, ..path.clone() }),
            plain.on_crush(OnCrush::PassThrough).path(Path { repeat: Repeat::Once, easing: Easing::Smooth, ..path }),
            Platform::new(vec![far.clone()]),
            Platform { position: Ok(at(-(1 << 60) - 1, 3)), ..Platform::new(vec![far, drawn]) },
        ];
        let map = Map::from_parts(parts.clone()).unwrap();
        let text = check_round_trip(&map);
        assert!(text.contains("at: (0.1, -2.5),") && text.contains("at: Units(-1152921504606846977, 3),"), "{text}");
        assert_eq!(map.into_parts().platforms, parts.platforms);
    }

    #[test]
    fn another_catalogue_has_its_own_builtin_legend() {
        let patterns = "Catalogue(format: 1, patterns: [
            (name: \"full_block\", kind: Solid, paths: [[(0, 16), (16, 16), (16, 0), (0, 0)]]),
            (name: \"ramp\", kind: Solid, paths: [[(0, 0), (16, 4), (16, 0)]])])";
        let catalogue = std::sync::Arc::new(Catalogue::from_ron(patterns).unwrap());
        let text = "Map(format: 1, tiles: [\".r#@\"], legend: {'r': \"ramp m\"})";
        let map = Map::from_ron_with(text, &catalogue).unwrap();
        assert!(map.symbols().keys().eq(&[' ', '#', '.', 'r']));
        assert_eq!(map.variant_at(0, (2, 0)), Some(VariantId(0)));
        check_round_trip(&map);
        assert!(Map::from_ron(text).is_err());
    }
}

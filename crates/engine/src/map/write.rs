use super::legend::{self, Meaning, Palette};
use super::{Beyond, EntryId, Layer, LegendEntry, Map, Sides, Value};
use crate::text::{quoted, quoted_char};
use std::fmt::{self, Write};

impl Map {
    /// Writes the map as the text of a RON file that reads back as an equal map.
    ///
    /// Only what differs from the defaults is written; markers are written by their tiles. The layout is fixed: equal
    /// maps give equal texts.
    #[must_use]
    pub fn to_ron(&self) -> String {
        let layer = self.cells().len() + 20 * self.height as usize;
        let mut text = String::with_capacity(self.layers.len() * layer + 256);
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "Map(\n    format: {},", Map::FORMAT)?;
        if self.origin != (0, 0) {
            writeln!(out, "    origin: ({}, {}),", self.origin.0, self.origin.1)?;
        }
        if self.pixels_per_tile != Map::DEFAULT_PIXELS_PER_TILE {
            writeln!(out, "    pixels_per_tile: {},", self.pixels_per_tile)?;
        }
        if let Some(path) = &self.catalogue_file {
            writeln!(out, "    catalogue: {},", quoted(path))?;
        }
        self.write_sides(out)?;
        self.write_legend(out)?;
        self.write_markers(out)?;
        if !self.properties.is_empty() {
            out.push_str("    properties: {\n");
            for (name, value) in &self.properties {
                write!(out, "        {}: ", quoted(name))?;
                write_value(out, value)?;
                out.push_str(",\n");
            }
            out.push_str("    },\n");
        }
        self.write_layers(out)?;
        out.push_str(")\n");
        Ok(())
    }

    fn write_sides(&self, out: &mut String) -> fmt::Result {
        let Sides { left, right, bottom, top } = self.sides;
        let named = [("left", left), ("right", right), ("bottom", bottom), ("top", top)];
        let solid: Vec<_> = named.iter().filter(|(_, beyond)| *beyond == Beyond::Solid).collect();
        if solid.is_empty() {
            return Ok(());
        }
        let fields: Vec<_> = solid.iter().map(|(side, _)| format!("{side}: Solid")).collect();
        writeln!(out, "    beyond: ({}),", fields.join(", "))
    }

    fn write_legend(&self, out: &mut String) -> fmt::Result {
        let builtin = legend::builtin(&self.catalogue);
        let added: Vec<&LegendEntry> = self.legend.iter().filter(|entry| !is_builtin(&builtin, entry)).collect();
        let only_this = !self.is_builtin_with(builtin, &added);
        if only_this {
            out.push_str("    only_this_legend: true,\n");
        }
        let entries = if only_this { self.legend.iter().collect() } else { added };
        if entries.is_empty() {
            return Ok(());
        }
        out.push_str("    legend: {\n");
        for entry in entries {
            let tile = entry.variant.map_or_else(|| legend::EMPTY.to_owned(), |id| self.catalogue.name(id));
            // Names are made of letters, digits, underscores and spaces.
            let tile = if entry.drop_through {
                format!("(tile: \"{tile}\", drop_through: true)")
            } else {
                format!("\"{tile}\"")
            };
            writeln!(out, "        {}: {tile},", quoted_char(entry.character))?;
        }
        out.push_str("    },\n");
        Ok(())
    }

    /// Whether the built-in legend with those entries added or put in their place is this map's.
    fn is_builtin_with(&self, mut meanings: Vec<Meaning>, added: &[&LegendEntry]) -> bool {
        for &entry in added {
            let meaning = Meaning::own(entry.clone(), None);
            match meanings.iter_mut().find(|known| known.entry.character == entry.character) {
                Some(known) => known.replace(meaning),
                None => meanings.push(meaning),
            }
        }
        Palette::new(&meanings).legend == self.legend
    }

    fn write_markers(&self, out: &mut String) -> fmt::Result {
        let mut markers = self.markers.by_name().peekable();
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

    fn write_layers(&self, out: &mut String) -> fmt::Result {
        if let [only] = &self.layers[..]
            && only.is_plain()
        {
            return self.write_rows(out, only, "    ");
        }
        out.push_str("    layers: [\n");
        for layer in &self.layers {
            writeln!(out, "        (\n            name: {},", quoted(layer.name()))?;
            if !layer.collides() {
                out.push_str("            collides: false,\n");
            }
            self.write_rows(out, layer, "            ")?;
            out.push_str("        ),\n");
        }
        out.push_str("    ],\n");
        Ok(())
    }

    fn write_rows(&self, out: &mut String, layer: &Layer, indent: &str) -> fmt::Result {
        let raw = self.legend.iter().all(|entry| entry.character != '"');
        writeln!(out, "{indent}tiles: [")?;
        for cells in layer.cells().chunks_exact(self.width as usize).rev() {
            let row = cells.iter().map(|&EntryId(id)| self.legend[usize::from(id)].character);
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
}

fn is_builtin(builtin: &[Meaning], entry: &LegendEntry) -> bool {
    builtin.iter().any(|meaning| meaning.entry == *entry && meaning.marker.is_none())
}

fn write_value(out: &mut String, value: &Value) -> fmt::Result {
    match value {
        Value::Bool(value) => write!(out, "{value}"),
        Value::Integer(value) => write!(out, "{value}"),
        // The shortest digits that read back as the same number, with a point or an exponent.
        Value::Float(value) => write!(out, "{value:?}"),
        Value::Text(value) => out.write_str(&quoted(value)),
        Value::List(values) => {
            out.push('[');
            for (i, value) in values.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write_value(out, value)?;
            }
            out.write_char(']')
        }
        Value::Map(values) => {
            out.push('{');
            for (i, (name, value)) in values.iter().enumerate() {
                write!(out, "{}{}: ", if i > 0 { ", " } else { "" }, quoted(name))?;
                write_value(out, value)?;
            }
            out.write_char('}')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;
    use crate::map::{MapParts, VariantId};

    fn check(map: &Map) -> String {
        let text = map.to_ron();
        let back = Map::from_ron_with(&text, map.catalogue()).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        assert!(back == *map, "{map:?}\nbecame\n{back:?}\nby\n{text}");
        assert_eq!(back.to_ron(), text);
        text
    }

    #[test]
    fn only_what_differs_from_the_defaults_is_written() {
        let map = Map::from_ron(r"Map(format: 1, tiles: ['/\'])".replace('\'', "\"").as_str());
        assert!(map.is_err(), "a backslash in an ordinary string");
        let map = Map::from_ron("Map(format: 1, tiles: [r\"/\\ \", r\"=@.\"])").unwrap();
        let expected = concat!(
            "Map(\n    format: 1,\n    markers: {\n        \"start\": [(1, 0)],\n    },\n",
            "    tiles: [\n        r\"/\\.\",\n        r\"=..\",\n    ],\n)\n",
        );
        assert_eq!(check(&map), expected);
    }

    #[test]
    fn added_and_replaced_entries_are_written() {
        let text = r#"Map(format: 1, tiles: ["x#y@"], legend: {'x': "stud r1", '#': (tile: "ledge r3", drop_through: true),
            '@': "spike", 'y': (tile: "disc", marker: "moon")})"#;
        let written = check(&Map::from_ron(text).unwrap());
        assert!(!written.contains("only_this_legend"), "{written}");
        assert!(written.contains("'x': \"stud\","), "{written}");
        assert!(written.contains("'#': (tile: \"ledge r3\", drop_through: true),"), "{written}");
    }

    #[test]
    fn legends_without_the_builtin_one_come_back() {
        for (legend, tiles) in [
            ("'x': \"stud\"", "xxx"),
            ("'.': \"stud\", ' ': \"disc\", '\\'': (marker: \"m\")", ". '"),
            ("'.': \"stud\", '\"': \"empty\", '\\\\': \"disc\"", "\\\"\\\\."),
            ("'\u{1f600}': \"stud\", 'e': (marker: \"\u{7}\\\"\")", "\u{1f600}ee"),
        ] {
            let text = format!("(format: 1, only_this_legend: true, legend: {{{legend}}}, tiles: [\"{tiles}\"])");
            let mut map = Map::from_ron(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
            check(&map);
            // The empty cell has a character even where the file gave it none.
            map.set_entry((0, 0), EntryId::EMPTY).unwrap();
            check(&map);
        }
        // Taken away from the built-in legend.
        check(&Map::from_ron("Map(format: 1, legend: {'#': \"empty\", '.': \"stud\"}, tiles: [\"#. \"])").unwrap());
    }

    #[test]
    fn every_part_comes_back() {
        let mut parts = MapParts::new(97, 2);
        parts.legend = LegendEntry::every_variant(&parts.catalogue);
        for (i, cell) in parts.cells.iter_mut().enumerate() {
            *cell = EntryId((i % 97) as u16);
        }
        parts.origin = (-(1 << 28), 1 << 28);
        parts.sides = Sides { left: Beyond::Solid, top: Beyond::Solid, ..Sides::default() };
        parts.pixels_per_tile = 7;
        let (x, y) = parts.origin;
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
        check(&Map::from_cells(parts).unwrap());
    }

    #[test]
    fn another_catalogue_has_its_own_builtin_legend() {
        let patterns = "Catalogue(format: 1, patterns: [
            (name: \"full_block\", kind: Solid, paths: [[(0, 16), (16, 16), (16, 0), (0, 0)]]),
            (name: \"ramp\", kind: Solid, paths: [[(0, 0), (16, 4), (16, 0)]])])";
        let catalogue = std::sync::Arc::new(Catalogue::from_ron(patterns).unwrap());
        let text = "Map(format: 1, tiles: [\".r#@\"], legend: {'r': \"ramp m\"})";
        let map = Map::from_ron_with(text, &catalogue).unwrap();
        let characters: Vec<char> = map.legend().iter().map(|entry| entry.character).collect();
        assert_eq!(characters, ['.', '#', 'r']);
        assert_eq!(map.variant_at((2, 0)), Some(VariantId(0)));
        check(&map);
        assert!(Map::from_ron(text).is_err());
    }
}

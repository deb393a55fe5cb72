//! The art file, and its checks.

use super::{ArtError, ArtProblem, JOINED, PIXELS};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

/// Version of the format.
const FORMAT: u32 = 1;

#[derive(Debug, Deserialize)]
#[serde(rename = "Art", deny_unknown_fields)]
pub(super) struct ArtFile {
    format: u32,
    pub(super) picture: String,
    #[serde(default = "default_pixels_per_piece")]
    pub(super) pixels: u32,
    #[serde(default = "default_frame_seconds")]
    pub(super) frame_seconds: f64,
    pub(super) tiles: Entries,
}

fn default_pixels_per_piece() -> u32 {
    16
}

fn default_frame_seconds() -> f64 {
    0.125
}

/// Pieces of a tile, each by column and row in the picture, from its upper left corner.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename = "pieces")]
pub(super) enum Shown {
    Piece(u32, u32),
    Frames(Vec<(u32, u32)>),
    /// The first of the five pieces of a joined tile, which are next to each other.
    Joined(u32, u32),
}

/// Pieces by keys, in the order of the file.
#[derive(Debug)]
pub(super) struct Entries(pub(super) Vec<(String, Shown)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entries, D::Error> {
        deserializer.deserialize_map(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = Entries;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("pieces by the names of tiles, such as {\"#\": Piece(0, 0)}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
        let (mut entries, mut keys) = (Vec::new(), BTreeSet::new());
        while let Some(key) = map.next_key::<String>()? {
            if !keys.insert(key.clone()) {
                return Err(A::Error::custom(format!("the tile {key:?} stands here twice; expected each tile once")));
            }
            entries.push((key, map.next_value()?));
        }
        Ok(Entries(entries))
    }
}

impl ArtFile {
    pub(super) fn parse(path: &Path, text: &str) -> Result<ArtFile, ArtError> {
        ron::from_str(text).map_err(|source| ArtError::new(path, "", ArtProblem::Text { source: Box::new(source) }))
    }

    /// Checks the numbers of the file. `size`: width and height of the picture in pixels.
    pub(super) fn check_numbers(&self, path: &Path, size: (u32, u32)) -> Result<(), ArtError> {
        let value = |field: &str, problem: String, expected: &str| {
            Err(ArtError::new(path, field, ArtProblem::Value { problem, expected: expected.to_owned() }))
        };
        if self.format != FORMAT {
            return value("format", self.format.to_string(), "1");
        }
        if !PIXELS.contains(&self.pixels) {
            return value("pixels", self.pixels.to_string(), "1 to 256");
        }
        if !(self.frame_seconds.is_finite() && self.frame_seconds >= 0.001) {
            return value("frame_seconds", self.frame_seconds.to_string(), "at least 0.001");
        }
        let (columns, rows) = (size.0 / self.pixels, size.1 / self.pixels);
        for (key, shown) in &self.tiles.0 {
            let pieces = match shown {
                &Shown::Piece(column, row) => vec![(column, row)],
                Shown::Frames(frames) => frames.clone(),
                &Shown::Joined(column, row) => vec![(column, row), (column.saturating_add(JOINED - 1), row)],
            };
            if pieces.is_empty() {
                return value(key, "no frames".to_owned(), "at least one piece, such as Frames([(0, 0)])");
            }
            if matches!(shown, Shown::Joined(..)) && !self.pixels.is_multiple_of(2) {
                return value(key, format!("quarters of pieces of {} pixels", self.pixels), "an even number of pixels");
            }
            if let Some((column, row)) = pieces.into_iter().find(|(column, row)| *column >= columns || *row >= rows) {
                let problem = format!("the piece ({column}, {row})");
                return value(
                    key,
                    problem,
                    &format!("a piece of the picture, which has {columns} columns and {rows} rows"),
                );
            }
        }
        Ok(())
    }
}

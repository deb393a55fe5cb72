//! The lines of a recording. In a file each line is a value in RON, followed by its checksum as a comment.

use super::{Commands, TileSums};
use crate::checksum::Checksum;
use crate::event::BodyId;
use crate::world::Settings;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use surefoot_geometry::Position;
use xxhash_rust::xxh64::xxh64;

/// Separates a line's content from its checksum. To RON, the rest of the line is a comment.
const CHECKSUM_SEPARATOR: &str = " // ";
/// Number of digits of the checksum.
const CHECKSUM_DIGITS: usize = 8;
/// Maximum number of bytes in the first line of a file, its end included.
pub(super) const MAX_HEADER_BYTES: usize = 64 << 10;

/// Content of the first line of a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "line")]
pub(super) enum Header {
    Recording {
        format: u32,
        physics: u32,
        map: Checksum,
        /// The tile source's own checksum.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        source: Option<Checksum>,
        /// File of the map.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        /// A few bits for each of the map's rows and columns, from which a changed tile can be found.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tiles: Option<TileSums>,
    },
}

/// A line of a recording after the first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "line")]
pub enum Line<I> {
    /// A new world, with the commands before its first tick.
    New {
        #[serde(deserialize_with = "read_settings")]
        settings: Settings,
        #[serde(deserialize_with = "read_commands")]
        commands: Commands,
    },
    /// State of the whole world after `tick` ticks, as the bytes of a snapshot.
    State { tick: u64, bytes: Hex },
    /// Input of the next `ticks` ticks.
    Inputs { ticks: u64, input: I },
    /// `ticks` more ticks with the input of the ticks before.
    Same { ticks: u64 },
    /// Checksums to compare with, after `tick` ticks.
    Sums {
        tick: u64,
        state: Checksum,
        motion: Checksum,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        positions: Vec<(BodyId, Position)>,
        /// Checksum of the game's own state.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        game: Option<Checksum>,
    },
    /// The game's own state as RON, after `tick` ticks.
    Game { tick: u64, state: String },
    /// Name of a body.
    Name { body: BodyId, name: String },
    /// The commands that the game gave to the world in the ticks since the last line of this kind, in runs of ticks.
    Given {
        #[serde(deserialize_with = "read_runs")]
        runs: Vec<(u64, Commands)>,
        /// Commands that the game gave after the step of a tick: the recorded state of that tick has them already.
        #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "read_runs")]
        after: Vec<(u64, Commands)>,
    },
    /// All ticks after `tick` are dropped: the game was rewound, or a state of that tick was loaded.
    Rewind { tick: u64 },
    /// Everything before is dropped: a state from elsewhere was loaded. The next line is `New` or `State` with the
    /// world that the run begins with.
    Restart,
    /// End of the recording, with its number of ticks.
    End { ticks: u64 },
}

type Erased<'r, 'de> = &'r mut dyn erased_serde::Deserializer<'de>;

fn read_settings<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Settings, D::Error> {
    fn read(from: Erased<'_, '_>) -> Result<Settings, erased_serde::Error> {
        Settings::deserialize(from)
    }
    read_erased(deserializer, read)
}

fn read_commands<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Commands, D::Error> {
    fn read(from: Erased<'_, '_>) -> Result<Commands, erased_serde::Error> {
        Commands::deserialize(from)
    }
    read_erased(deserializer, read)
}

fn read_runs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(u64, Commands)>, D::Error> {
    fn read(from: Erased<'_, '_>) -> Result<Vec<(u64, Commands)>, erased_serde::Error> {
        Vec::deserialize(from)
    }
    read_erased(deserializer, read)
}

/// Reads a field of a line with `read`, which is no generic function: it is compiled once in this crate, and not again
/// for each type of input, in the crate of the game.
fn read_erased<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    read: fn(Erased<'_, 'de>) -> Result<T, erased_serde::Error>,
) -> Result<T, D::Error> {
    read(&mut <dyn erased_serde::Deserializer<'_>>::erase(deserializer)).map_err(D::Error::custom)
}

/// Returns the checksum of a line: the low half of its XXH64. Its seed is the checksum of the line before, so that
/// missing, repeated and reordered lines are detected.
pub(super) fn line_checksum(before: u32, content: &str) -> u32 {
    xxh64(content.as_bytes(), before.into()) as u32
}

/// Returns the size of a line in bytes, its end included.
pub(super) fn line_size_in_bytes(content: &str) -> usize {
    content.len() + CHECKSUM_SEPARATOR.len() + CHECKSUM_DIGITS + 1
}

/// Adds a line to a text and returns its checksum.
pub(super) fn push_line(text: &mut String, before: u32, content: &str) -> u32 {
    let sum = line_checksum(before, content);
    text.push_str(content);
    text.push_str(CHECKSUM_SEPARATOR);
    text.push_str(&format!("{sum:08x}\n"));
    sum
}

/// Returns the content of a line without its end, and its stored checksum.
pub(super) fn split_checksum(line: &str) -> Option<(&str, u32)> {
    let (content, digits) = line.split_at_checked(line.len().checked_sub(CHECKSUM_DIGITS)?)?;
    let is_sum = digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let sum = if is_sum { u32::from_str_radix(digits, 16).ok()? } else { return None };
    Some((content.strip_suffix(CHECKSUM_SEPARATOR)?, sum))
}

/// Bytes that are written as hexadecimal digits in text.
#[derive(Clone, Debug, PartialEq)]
pub struct Hex(pub(super) Vec<u8>);

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
        let digits: String = self.0.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
        serializer.serialize_str(&digits)
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hex, D::Error> {
        deserializer.deserialize_str(HexVisitor)
    }
}

struct HexVisitor;

impl Visitor<'_> for HexVisitor {
    type Value = Hex;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an even number of hexadecimal digits")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Hex, E> {
        let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let bytes: Option<Vec<u8>> = pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect();
        let bytes = bytes.filter(|_| rest.is_empty());
        bytes
            .map(Hex)
            .ok_or_else(|| E::custom("the text is not bytes in hexadecimal digits; expected an even number of digits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_split_into_its_content_and_checksum() {
        let mut text = String::new();
        // The published XXH64 with seed 0 is ef46db3751d8e999 for "" and d24ec4f1a98c6e5b for "a".
        assert_eq!(push_line(&mut text, 0, ""), 0x51d8_e999);
        assert_eq!(push_line(&mut text, 0, "a"), 0xa98c_6e5b);
        assert_eq!(text, " // 51d8e999\na // a98c6e5b\n");
        assert_eq!(split_checksum("a // a98c6e5b"), Some(("a", 0xa98c_6e5b)));
        assert_eq!(line_size_in_bytes("") + line_size_in_bytes("a"), text.len());
        assert_ne!(line_checksum(1, "a"), line_checksum(0, "a"));
        for wrong in ["", "a", "a98c6e5b", "a//a98c6e5b", "a // a98c6e5", "a // a98c6e5B", "a // a98c6eü"] {
            assert_eq!(split_checksum(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn bytes_come_back_from_their_digits() {
        let bytes: Vec<u8> = (0..=255).collect();
        let text = ron::to_string(&Hex(bytes.clone())).unwrap();
        assert!(text.starts_with("\"000102") && text.ends_with("fdfeff\""));
        assert_eq!(ron::from_str::<Hex>(&text).unwrap().0, bytes);
        for wrong in ["\"0\"", "\"0g\"", "\"+1\"", "\"ü\"", "7"] {
            assert!(ron::from_str::<Hex>(wrong).is_err(), "{wrong}");
        }
    }
}

//! What the fields of maps, catalogues and replays hold, in words.

use crate::replay::format::parts;
use crate::text::{Expects, Shape, is_short};

/// What is known of all three kinds of files.
pub(super) const EXPECTS: Expects = Expects { parts, range, pair, variant };

/// The integers of a field; numbers near enough to be read get these words from the checks of the files themselves.
const RANGES: [(&str, &str); 10] = [
    ("format", "1"),
    ("physics", "1 to 2^32 - 1"),
    ("pixels_per_tile", "1 to 65536"),
    ("origin", "-2^28 to 2^28"),
    ("Units", "-2^61 to 2^61"),
    ("places", "-2^61 to 2^61"),
    ("ticks", "at most 100000000"),
    ("tick", "0 to 100000000"),
    ("walk", "-127 to 127"),
    ("paths", "0 to 16"),
];

fn range(field: &str) -> Option<&'static str> {
    RANGES.iter().find(|(name, _)| *name == field).map(|&(_, range)| range)
}

/// What the two values of a field are.
fn pair(field: &str) -> &'static str {
    match field {
        "floor_limit" => "a rise and a run, such as (2, 1)",
        "gravity" => "an x and a y, such as (0.0, -40.0)",
        "velocity" | "SetVelocity" => "an x and a y, such as (1.5, 0.0)",
        "places" => "an x and a y in units, such as (0, 4294967296)",
        _ => "an x and a y, such as (0, 0)",
    }
}

/// What was meant where a variant of some enum is expected.
fn variant(name: &str, shape: Shape, source: &str) -> Option<String> {
    match (name, shape) {
        ("map", Shape::Text) if is_short(source) => Some(format!("File({source})")),
        ("place", Shape::Tuple) if source.starts_with('(') && is_short(source) => Some(format!("At{source}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Map;
    use crate::replay::Replay;

    #[test]
    fn ranges_are_those_that_are_checked() {
        assert_eq!(range("pixels_per_tile"), Some(&*format!("1 to {}", Map::MAX_PIXELS_PER_TILE)));
        assert_eq!(range("ticks"), Some(&*format!("at most {}", Replay::MAX_TICKS)));
        assert_eq!(range("tick"), Some(&*format!("0 to {}", Replay::MAX_TICKS)));
        assert_eq!(range("paths"), Some(&*format!("0 to {}", crate::catalogue::LATTICE)));
        assert_eq!(range("lives"), None);
    }
}

//! Parses ranges on the command line; both ends are included.

use std::error::Error;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use surefoot::record::Recording;

/// The corners of a rectangle of tiles: `2,0..17,11`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Corners {
    pub(crate) low: (i32, i32),
    pub(crate) high: (i32, i32),
}

/// A range of ticks: `60..120`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TickRange {
    pub(crate) first: u64,
    pub(crate) last: u64,
}

impl TickRange {
    /// Returns the requested ticks of a run, or all. Refuses ticks that the run does not have.
    pub(super) fn checked_or_whole_run(
        asked: Option<TickRange>,
        run: &Recording,
        file: &Path,
    ) -> Result<TickRange, String> {
        let (start, end) = (run.start().tick(), run.end());
        match asked {
            Some(TickRange { first, last }) if last > end || first < start => {
                let file = file.display();
                let expected = if start == 0 {
                    format!("expected ticks up to {end}, the length of the replay")
                } else {
                    format!("expected ticks in {start}..{end}")
                };
                Err(format!("{file}: ticks {first}..{last} are out of range; {expected}"))
            }
            asked => Ok(asked.unwrap_or(TickRange { first: start, last: end })),
        }
    }
}

/// The expected form of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RangeError {
    NotCorners,
    NotTicks,
    TicksBackwards(TickRange),
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RangeError::NotCorners => {
                f.write_str("expected the lower left and the upper right tile as X0,Y0..X1,Y1, such as 0,0..15,8")
            }
            RangeError::NotTicks => f.write_str("expected the first and the last tick as A..B, such as 60..120"),
            RangeError::TicksBackwards(TickRange { first, last }) => {
                write!(f, "the last tick comes before the first one; expected {last}..{first}")
            }
        }
    }
}

impl Error for RangeError {}

impl FromStr for Corners {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Corners, RangeError> {
        let pair = |text: &str| {
            let (x, y) = text.split_once(',')?;
            Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
        };
        let corners = || {
            let (low, high) = text.split_once("..")?;
            Some(Corners { low: pair(low)?, high: pair(high)? })
        };
        corners().ok_or(RangeError::NotCorners)
    }
}

impl FromStr for TickRange {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<TickRange, RangeError> {
        let range = || {
            let (first, last) = text.split_once("..")?;
            Some(TickRange { first: first.trim().parse().ok()?, last: last.trim().parse().ok()? })
        };
        let range = range().ok_or(RangeError::NotTicks)?;
        if range.first <= range.last { Ok(range) } else { Err(RangeError::TicksBackwards(range)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_parsed_or_refused() {
        assert_eq!("-2,0..17,-1".parse(), Ok(Corners { low: (-2, 0), high: (17, -1) }));
        for wrong in ["", "1,2", "1..2", "1,2..3", "1,2,3..4,5", "1,2...4,5", "1.5,2..4,5", "1,2..4,99999999999"] {
            assert_eq!(wrong.parse::<Corners>(), Err(RangeError::NotCorners), "{wrong}");
        }
        assert_eq!("0..0".parse(), Ok(TickRange { first: 0, last: 0 }));
        for wrong in ["", "5", "5..", "..5", "-1..5", "1..=5", "a..b"] {
            assert_eq!(wrong.parse::<TickRange>(), Err(RangeError::NotTicks), "{wrong}");
        }
        let backwards = "5..4".parse::<TickRange>().unwrap_err();
        assert_eq!(backwards.to_string(), "the last tick comes before the first one; expected 4..5");
    }
}

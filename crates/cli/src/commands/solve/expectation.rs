//! Expected results of a search.

use std::fmt;

/// An expected result, such as `coin reachable 12`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expectation {
    /// A marker, or the name or tag of areas.
    pub(super) name: String,
    pub(super) reachable: bool,
    /// The least number of things of that name; `None` for all.
    pub(super) count: Option<usize>,
}

/// Parses `NAME reachable [COUNT]` and `NAME unreachable [COUNT]`. A name may have spaces.
pub(super) fn parse(line: &str) -> Result<Expectation, String> {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let count = words.last().and_then(|word| word.parse().ok());
    if count.is_some() {
        words.pop();
    }
    let reachable = match words.pop() {
        Some("reachable") => true,
        Some("unreachable") => false,
        _ => return Err("expected \"NAME reachable\" or \"NAME unreachable\", and a number or nothing".to_owned()),
    };
    let name = words.join(" ");
    if name.is_empty() { Err("expected a name first".to_owned()) } else { Ok(Expectation { name, reachable, count }) }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Expectation { name, reachable, count } = self;
        write!(f, "{name} {}", if *reachable { "reachable" } else { "unreachable" })?;
        count.map_or(Ok(()), |count| write!(f, " {count}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_are_read_as_they_are_written() {
        for line in ["goal reachable", "coin reachable 12", "the vault unreachable", "7 reachable"] {
            assert_eq!(parse(line).map(|line| line.to_string()).as_deref(), Ok(line));
        }
        for line in ["", "goal", "reachable", "reachable 3", "goal 3", "goal reachable or not"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}

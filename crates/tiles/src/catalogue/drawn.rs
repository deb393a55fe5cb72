//! Patterns as they are given, before they are checked.

use super::check::{self, Fault};
use super::{Catalogue, CatalogueError, CatalogueErrors, Pattern, PatternKind};

/// A pattern as it is given, before it is checked.
#[derive(Clone)]
pub(super) struct Drawn {
    pub(super) name: String,
    pub(super) kind: PatternKind,
    pub(super) purpose: String,
    /// Number of variants that the author expects.
    pub(super) variants: Option<i64>,
    pub(super) paths: Vec<Vec<(i64, i64)>>,
}

impl Drawn {
    /// Returns the pattern. Its points must already be checked to be on the lattice.
    pub(super) fn pattern(&self) -> Pattern {
        let small = |&(x, y): &(i64, i64)| (x as i8, y as i8);
        Pattern {
            name: self.name.clone(),
            kind: self.kind,
            purpose: self.purpose.clone(),
            paths: self.paths.iter().map(|path| path.iter().map(small).collect()).collect(),
        }
    }
}

impl From<Pattern> for Drawn {
    fn from(pattern: Pattern) -> Drawn {
        let wide = |(x, y): (i8, i8)| (i64::from(x), i64::from(y));
        let paths = pattern.paths.into_iter().map(|path| path.into_iter().map(wide).collect()).collect();
        Drawn { name: pattern.name, kind: pattern.kind, purpose: pattern.purpose, variants: None, paths }
    }
}

/// Creates the catalogue of patterns that do not come from a text.
pub(super) fn build_catalogue(patterns: Vec<Drawn>) -> Result<Catalogue, CatalogueErrors> {
    let error = |Fault { kind, drawing, .. }| CatalogueError { file: None, position: None, kind, drawing };
    check::check_patterns(patterns).map_err(|faults| CatalogueErrors(faults.into_iter().map(error).collect()))
}

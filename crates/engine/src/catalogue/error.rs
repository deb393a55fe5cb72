use super::{Catalogue, LATTICE, Pattern, Placement};
#[cfg(feature = "ron")]
use crate::text::FormError;
use crate::told::{debug_is_display, named_variants};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use thiserror::Error;

/// An error in a catalogue, with its line and column.
///
/// Prints as ``tiles.ron:12:7: pattern `ramp`, ...`` in one line. Without a file name, the line begins with `line 12,
/// column 7: `. For patterns made by code, the line is only the message.
#[derive(Clone, PartialEq)]
pub struct CatalogueError {
    /// Name of the file that the text comes from, if it is known.
    pub file: Option<String>,
    /// Line and column in characters, both from 1. `None` for patterns made by code.
    pub position: Option<(u32, u32)>,
    /// The kind of error.
    pub kind: CatalogueErrorKind,
    pub(super) drawing: Option<String>,
}

impl CatalogueError {
    /// This error, told with the name of its file.
    fn in_file(mut self, name: impl Into<String>) -> CatalogueError {
        self.file = Some(name.into());
        self
    }

    /// Returns a picture of the faulty pattern, to print below the message: lines of at most 79 ASCII characters.
    ///
    /// Numbers and letters are the points of each path in order. Arrows show the direction of the path. `X` marks the
    /// fault. Returns `None` if a picture would not help.
    #[must_use]
    pub fn drawing(&self) -> Option<&str> {
        self.drawing.as_deref()
    }
}

debug_is_display!(CatalogueError, CatalogueErrors, VariantNameError);

impl fmt::Display for CatalogueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.position) {
            (Some(file), Some((line, column))) => write!(f, "{file}:{line}:{column}: ")?,
            (Some(file), None) => write!(f, "{file}: ")?,
            (None, Some((line, column))) => write!(f, "line {line}, column {column}: ")?,
            (None, None) => {}
        }
        self.kind.fmt(f)
    }
}

impl std::error::Error for CatalogueError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.kind)
    }
}

/// All errors in a catalogue in the order of the file: at least one, at most [`CatalogueErrors::MAX`].
///
/// Prints one error per line, without pictures.
#[derive(Clone, PartialEq)]
pub struct CatalogueErrors(pub(super) Vec<CatalogueError>);

impl CatalogueErrors {
    /// Maximum number of errors in the list. Further errors are not searched for.
    pub const MAX: usize = 100;

    /// Returns the errors with `name` as the name of their file.
    #[must_use]
    pub fn in_file(self, name: &str) -> CatalogueErrors {
        CatalogueErrors(self.0.into_iter().map(|error| error.in_file(name)).collect())
    }
}

impl Deref for CatalogueErrors {
    type Target = [CatalogueError];

    fn deref(&self) -> &[CatalogueError] {
        &self.0
    }
}

impl IntoIterator for CatalogueErrors {
    type Item = CatalogueError;
    type IntoIter = std::vec::IntoIter<CatalogueError>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl From<CatalogueErrors> for Vec<CatalogueError> {
    fn from(errors: CatalogueErrors) -> Vec<CatalogueError> {
        errors.0
    }
}

impl fmt::Display for CatalogueErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            write!(f, "{}{error}", if i > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for CatalogueErrors {}

/// Kinds of errors in a catalogue.
///
/// Paths, points and edges count from 1, as in the file. Edge `n` goes from point `n` to the next one.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum CatalogueErrorKind {
    /// The text does not have the form of a catalogue, such as an unknown field.
    #[error(transparent)]
    #[cfg(feature = "ron")]
    Form(#[from] FormError),
    /// This version of the engine does not read the file's format.
    #[error("the catalogue has format {found}; expected format {}", Catalogue::FORMAT)]
    Format {
        /// The format of the file.
        found: i64,
    },
    /// The catalogue has no pattern.
    #[error("the catalogue has no patterns; expected at least one")]
    NoPatterns,
    /// There are more patterns than [`Catalogue::MAX_PATTERNS`].
    #[error("the catalogue has {count} patterns; expected at most {}", Catalogue::MAX_PATTERNS)]
    TooManyPatterns {
        /// Number of patterns found.
        count: usize,
    },
    /// A pattern's name has invalid characters or an invalid length.
    #[error("pattern name {name:?} is invalid; expected 1 to {} letters, digits and underscores", Pattern::MAX_NAME)]
    BadName {
        /// The name.
        name: String,
    },
    /// A pattern's name is or ends with a placement, such as `m` or `r1`.
    #[error(
        "pattern name {name:?} ends with `m` or `r0` to `r3`, which maps write after a name to mirror or turn the tile; {}",
        instead(word)
    )]
    PlacementName {
        /// The name.
        name: String,
        /// The name without the placement; may be empty.
        word: String,
    },
    /// Two patterns have the same name.
    #[error("pattern `{name}` occurs twice, first as pattern {first} of the list; expected different names")]
    DuplicateName {
        /// The name.
        name: String,
        /// The first pattern with the name, from 1.
        first: usize,
    },
    /// The pattern `full_block` is not the whole square. Solid borders of maps consist of this pattern.
    #[error(
        "pattern `full_block` is not a solid block that fills the whole tile; \
        expected `kind: Solid, paths: [[(0, 16), (16, 16), (16, 0), (0, 0)]]`, since maps build their solid borders from \
        this pattern; otherwise rename the pattern"
    )]
    NotFullBlock,
    /// A pattern has no paths.
    #[error("pattern `{name}` has no paths; expected at least one")]
    NoPaths {
        /// Name of the pattern.
        name: String,
    },
    /// A pattern has more edges than [`Pattern::MAX_EDGES`].
    #[error("pattern `{name}` has {edges} edges{}; expected at most {}", both_sides(*wall), Pattern::MAX_EDGES)]
    TooManyEdges {
        /// Name of the pattern.
        name: String,
        /// Number of edges found. The two sides of a wall count as two.
        edges: usize,
        /// Whether the pattern is a wall.
        wall: bool,
    },
    /// A path has too few points: outlines need three, other paths two.
    #[error("pattern `{name}`, path {path} has {}; expected at least {expected}{}", count(*points, "point"), outline(*expected))]
    ShortPath {
        /// Name of the pattern.
        name: String,
        /// The path, from 1.
        path: usize,
        /// Number of points found.
        points: usize,
        /// Minimum number of points.
        expected: usize,
    },
    /// A point is outside the lattice.
    #[error(
        "pattern `{name}`, path {path}, point {point}: ({x}, {y}) is outside the tile; expected coordinates from 0 to {LATTICE}, in sixteenths of a tile"
    )]
    OffLattice {
        /// Name of the pattern.
        name: String,
        /// The path, from 1.
        path: usize,
        /// The point of the path, from 1.
        point: usize,
        /// The x coordinate of the point.
        x: i64,
        /// The y coordinate of the point.
        y: i64,
    },
    /// A point repeats the point before it, or an outline repeats its first point at the end.
    #[error("pattern `{name}`, path {path}, point {point} repeats {}", repeated(*closes))]
    RepeatedPoint {
        /// Name of the pattern.
        name: String,
        /// The path, from 1.
        path: usize,
        /// The point of the path, from 1.
        point: usize,
        /// Whether the point repeats the first point at the end of an outline.
        closes: bool,
    },
    /// Two edges cross.
    #[error("pattern `{name}`, {} cross at {}{}", edges(*first, *second), at(*x, *y), crossing(*solid))]
    Crossing {
        /// Name of the pattern.
        name: String,
        /// Path and edge of the first edge, from 1.
        first: (usize, usize),
        /// Path and edge of the second edge, from 1.
        second: (usize, usize),
        /// The x coordinate of the crossing, in lattice steps.
        x: f64,
        /// The y coordinate of the crossing, in lattice steps.
        y: f64,
        /// Whether the pattern is solid.
        solid: bool,
    },
    /// Two edges overlap along a segment.
    #[error("pattern `{name}`, {} overlap from {} to {}; {}", edges(*first, *second),
        at(from.0.into(), from.1.into()), at(to.0.into(), to.1.into()), overlap(*folds))]
    Overlap {
        /// Name of the pattern.
        name: String,
        /// Path and edge of the first edge, from 1.
        first: (usize, usize),
        /// Path and edge of the second edge, from 1.
        second: (usize, usize),
        /// Start of the shared segment, in lattice steps.
        from: (i8, i8),
        /// End of the shared segment, in lattice steps.
        to: (i8, i8),
        /// Whether the second edge follows the first one: the path turns back on itself.
        folds: bool,
    },
    /// A closed outline touches itself before its end.
    #[error("pattern `{name}`, {}: the outline touches itself at {}; expected two separate outlines that touch there",
        edges(*first, *second), at((*x).into(), (*y).into()))]
    TouchesItself {
        /// Name of the pattern.
        name: String,
        /// Path and edge of the first edge, from 1.
        first: (usize, usize),
        /// Path and edge of the edge that touches the first one, from 1.
        second: (usize, usize),
        /// The x coordinate of the touching point, in lattice steps.
        x: i8,
        /// The y coordinate of the touching point, in lattice steps.
        y: i8,
    },
    /// A closed outline runs counterclockwise, with the solid on its left.
    #[error(
        "pattern `{name}`, path {path} runs counterclockwise, with the solid on its left; \
        expected clockwise points, with the solid on the right; reverse the order of the points"
    )]
    WrongTurn {
        /// Name of the pattern.
        name: String,
        /// The path, from 1.
        path: usize,
    },
    /// The interiors of two closed outlines overlap.
    #[error(
        "pattern `{name}`, paths {first} and {second}: one outline is inside the other; \
        expected outlines that do not overlap; they may touch"
    )]
    Inside {
        /// Name of the pattern.
        name: String,
        /// The first path, from 1.
        first: usize,
        /// The second path, from 1.
        second: usize,
    },
    /// A pattern is another pattern, mirrored or turned.
    #[error(
        "pattern `{second}` has the same shape as `{first}{placement}`; expected each shape once; maps can write `{first}{placement}` for it"
    )]
    SameOrbit {
        /// Name of the pattern that comes first.
        first: String,
        /// Name of the pattern that repeats it.
        second: String,
        /// The placement that turns the first pattern into the second one.
        placement: Placement,
    },
    /// The field `variants` of a pattern differs from its number of variants.
    #[error("pattern `{name}` has {} (mirrored and turned), but the file says {declared}; expected `variants: {found}`, or no such field", count(*found, "variant"))]
    VariantCount {
        /// Name of the pattern.
        name: String,
        /// Number of variants of the pattern.
        found: usize,
        /// Number of variants that the file declares.
        declared: i64,
    },
}

named_variants! {
    CatalogueErrorKind:
        Form Format NoPatterns TooManyPatterns BadName PlacementName DuplicateName NotFullBlock NoPaths
        TooManyEdges ShortPath OffLattice RepeatedPoint Crossing Overlap TouchesItself WrongTurn Inside SameOrbit
        VariantCount
}

fn instead(word: &str) -> Cow<'static, str> {
    if word.is_empty() {
        "expected another name".into()
    } else {
        format!("expected the name without them: {word:?}").into()
    }
}

fn outline(least: usize) -> &'static str {
    if least == 3 { " for a closed outline" } else { "" }
}

fn both_sides(wall: bool) -> &'static str {
    if wall { " (each edge of a wall counts twice, once per side)" } else { "" }
}

fn repeated(closes: bool) -> &'static str {
    if closes {
        "point 1; expected an outline without its first point at the end, since it closes by itself"
    } else {
        "the point before it; expected neighbouring points to differ"
    }
}

/// A number of things with their name.
fn count(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

fn crossing(solid: bool) -> &'static str {
    if solid { "; expected edges that do not cross" } else { "; expected both paths to have a point there" }
}

fn overlap(folds: bool) -> &'static str {
    if folds { "expected a path that does not turn back on itself" } else { "expected edges that share no part" }
}

fn edges((path, edge): (usize, usize), second: (usize, usize)) -> String {
    if path == second.0 {
        format!("path {path}, edges {edge} and {}", second.1)
    } else {
        format!("path {path}, edge {edge} and path {}, edge {}", second.0, second.1)
    }
}

/// A point with at most two decimals.
fn at(x: f64, y: f64) -> String {
    let round = |v: f64| (v * 100.0).round() / 100.0;
    format!("({}, {})", round(x), round(y))
}

/// Errors in the name of a variant, such as `slope_45 m r1`.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VariantNameError {
    /// The catalogue has no pattern of this name.
    #[error("no pattern is named `{name}`")]
    UnknownPattern {
        /// The name.
        name: String,
    },
    /// The `m` comes after the turns. It must come before them.
    #[error("`m` must come before the turns `r1` to `r3`; did you mean `{meant}`?")]
    MirrorLast {
        /// Name of the variant that is turned first and then mirrored.
        meant: String,
    },
    /// A word after the pattern's name is not a placement.
    #[error(
        "`{word}` is not a placement; expected `m` for mirrored, then `r1`, `r2` or `r3` for quarter turns clockwise"
    )]
    BadPlacement {
        /// The word.
        word: String,
    },
}

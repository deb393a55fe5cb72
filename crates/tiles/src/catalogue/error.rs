use super::{Catalogue, LATTICE, Pattern, Placement};
#[cfg(feature = "ron")]
use crate::text::FormError;
use crate::told::{count_with_name, debug_is_display, named_variants};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use thiserror::Error;

/// Error in a catalogue (set of tile shapes), with its line and column.
///
/// Prints as one line: ``tiles.ron:12:7: pattern `ramp`, ...``. Without a file name, the line begins with
/// `line 12, column 7: `. For patterns made by code, the line is only the message.
#[derive(Clone, PartialEq)]
pub struct CatalogueError {
    /// Name of the file with the text. `None` if the error has no file name: [`CatalogueErrors::in_file`] sets it.
    pub file: Option<String>,
    /// Line and column of the error, both from 1. Columns count characters. `None` for patterns made by code.
    pub position: Option<(u32, u32)>,
    /// The problem, with the name of the pattern and the numbers of the path, point or edge.
    pub kind: CatalogueErrorKind,
    pub(super) drawing: Option<String>,
}

impl CatalogueError {
    /// Adds the name of its file to this error.
    fn with_file_name(mut self, name: impl Into<String>) -> CatalogueError {
        self.file = Some(name.into());
        self
    }

    /// Returns a picture of the faulty pattern, to print below the error message: lines of at most 79 ASCII characters.
    ///
    /// Digits and letters are the points of each path in order. Arrows show the direction of the path. `X` marks the
    /// mistake. Returns `None` if a picture would not help.
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

/// All errors in a catalogue, in the order of the file: at least one, at most [`CatalogueErrors::MAX`].
///
/// Prints one error per line, without pictures.
#[derive(Clone, PartialEq)]
pub struct CatalogueErrors(pub(super) Vec<CatalogueError>);

impl CatalogueErrors {
    /// Maximum number of errors in the list: 100. Further errors are not searched.
    pub const MAX: usize = 100;

    /// Sets the file name of all errors to `name`, and returns the errors.
    #[must_use]
    pub fn in_file(self, name: &str) -> CatalogueErrors {
        CatalogueErrors(self.0.into_iter().map(|error| error.with_file_name(name)).collect())
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

/// Problem in a catalogue (a set of tile shapes). [`CatalogueError`] adds line and column.
///
/// Patterns (tile shapes), paths, points and edges count from 1, in the order of the file. Edge `n` of a path goes
/// from point `n` of the path to the next point. Coordinates are in lattice steps (1/16 tile) from the tile's lower
/// left corner.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum CatalogueErrorKind {
    /// The text is not RON, or is not a catalogue (set of tile shapes): for example, a field is unknown or has the
    /// wrong type.
    #[error(transparent)]
    #[cfg(feature = "ron")]
    Form(#[from] FormError),
    /// The field `format` has a number that this version of the engine cannot read.
    #[error("the catalogue has format {found}; expected format {}", Catalogue::FORMAT)]
    Format {
        /// Number in the field `format`.
        found: i64,
    },
    /// The catalogue's list of patterns (tile shapes) is empty.
    #[error("the catalogue has no patterns; expected at least one")]
    NoPatterns,
    /// The catalogue has more patterns (tile shapes) than [`Catalogue::MAX_PATTERNS`].
    #[error("the catalogue has {count} patterns; expected at most {}", Catalogue::MAX_PATTERNS)]
    TooManyPatterns {
        /// Number of patterns (tile shapes) in the catalogue.
        count: usize,
    },
    /// The name of a pattern is empty, is longer than [`Pattern::MAX_NAME`], or has other characters than letters,
    /// digits and underscores.
    #[error("pattern name {name:?} is invalid; expected 1 to {} letters, digits and underscores", Pattern::MAX_NAME)]
    BadName {
        /// Name of the pattern (tile shape).
        name: String,
    },
    /// The name of a pattern (tile shape) ends with a placement: `m` (mirrored) or `r0` to `r3` (turns). Maps write
    /// these after the name, so no name may end with them.
    #[error(
        "pattern name {name:?} ends with `m` or `r0` to `r3`, which maps write after a name to mirror or turn the tile; {}",
        bad_name_advice(word)
    )]
    PlacementName {
        /// Name of the pattern (tile shape).
        name: String,
        /// The name without the placement (`m` or `r0` to `r3`). Empty if the name is only a placement.
        word: String,
    },
    /// Two patterns (tile shapes) have the same name.
    #[error("pattern `{name}` occurs twice, first as pattern {first} of the list; expected different names")]
    DuplicateName {
        /// Name that both patterns have.
        name: String,
        /// Number of the first pattern with this name, from 1.
        first: usize,
    },
    /// The pattern (tile shape) with the name `full_block` is not a full square. It must be one, because the solid
    /// borders of maps consist of this pattern.
    #[error(
        "pattern `full_block` is not a solid block that fills the whole tile; \
        expected `kind: Solid, paths: [[(0, 16), (16, 16), (16, 0), (0, 0)]]`, since maps build their solid borders from \
        this pattern; otherwise rename the pattern"
    )]
    NotFullBlock,
    /// A pattern (tile shape) has no paths, which are the outlines or lines that it consists of.
    #[error("pattern `{name}` has no paths; expected at least one")]
    NoPaths {
        /// Name of the pattern (tile shape).
        name: String,
    },
    /// A pattern (tile shape) has more edges than [`Pattern::MAX_EDGES`].
    #[error("pattern `{name}` has {edges} edges{}; expected at most {}", wall_edges_note(*wall), Pattern::MAX_EDGES)]
    TooManyEdges {
        /// Name of the pattern (tile shape).
        name: String,
        /// Number of edges in the pattern. A thin wall counts two edges per segment, one for each side.
        edges: usize,
        /// Whether the pattern is a thin wall, which counts two edges per segment.
        wall: bool,
    },
    /// A path has too few points: an outline of a solid needs three, any other path two.
    #[error("pattern `{name}`, path {path} has {}; expected at least {expected}{}", count_with_name(*points, "point"), closed_outline_suffix(*expected))]
    ShortPath {
        /// Name of the pattern (tile shape).
        name: String,
        /// Number of the path, from 1.
        path: usize,
        /// Number of points in the path.
        points: usize,
        /// Minimum number of points for this path.
        expected: usize,
    },
    /// A point is outside the tile: a coordinate is not from 0 to [`LATTICE`] (16), in sixteenths of a tile.
    #[error(
        "pattern `{name}`, path {path}, point {point}: ({x}, {y}) is outside the tile; expected coordinates from 0 to {LATTICE}, in sixteenths of a tile"
    )]
    OffLattice {
        /// Name of the pattern (tile shape).
        name: String,
        /// Number of the path, from 1.
        path: usize,
        /// Number of the point in its path, from 1.
        point: usize,
        /// The x coordinate of the point, in lattice steps (1/16 tile).
        x: i64,
        /// The y coordinate of the point, in lattice steps (1/16 tile).
        y: i64,
    },
    /// A point is equal to the point before it, or the last point of an outline is equal to the first one. Outlines
    /// close by themselves.
    #[error("pattern `{name}`, path {path}, point {point} repeats {}", repeated_point_text(*closes))]
    RepeatedPoint {
        /// Name of the pattern (tile shape).
        name: String,
        /// Number of the path, from 1.
        path: usize,
        /// Number of the repeated point in its path, from 1.
        point: usize,
        /// Whether the error is that the last point of an outline repeats its first point.
        closes: bool,
    },
    /// Two edges of a pattern (tile shape) cross.
    #[error("pattern `{name}`, {} cross at {}{}", edge_pair_text(*first, *second), point_text(*x, *y), crossing_advice(*solid))]
    Crossing {
        /// Name of the pattern (tile shape).
        name: String,
        /// One of the two edges, as two numbers from 1: the path, and the edge in that path.
        first: (usize, usize),
        /// The other edge, as two numbers from 1: the path, and the edge in that path.
        second: (usize, usize),
        /// The x coordinate of the crossing, in lattice steps (1/16 tile).
        x: f64,
        /// The y coordinate of the crossing, in lattice steps (1/16 tile).
        y: f64,
        /// Whether the pattern is solid: its paths are closed outlines.
        solid: bool,
    },
    /// Two edges of a pattern (tile shape) lie on each other: they share a segment, not only a point.
    #[error("pattern `{name}`, {} overlap from {} to {}; {}", edge_pair_text(*first, *second),
        point_text(from.0.into(), from.1.into()), point_text(to.0.into(), to.1.into()), overlap_advice(*folds))]
    Overlap {
        /// Name of the pattern (tile shape).
        name: String,
        /// One of the two edges, as two numbers from 1: the path, and the edge in that path.
        first: (usize, usize),
        /// The other edge, as two numbers from 1: the path, and the edge in that path.
        second: (usize, usize),
        /// Start of the shared segment, in lattice steps (1/16 tile).
        from: (i8, i8),
        /// End of the shared segment, in lattice steps (1/16 tile).
        to: (i8, i8),
        /// Whether the second edge directly follows the first one, so that the path turns back on itself.
        folds: bool,
    },
    /// The outline of a solid touches itself at a point. Write two outlines that touch there instead.
    #[error("pattern `{name}`, {}: the outline touches itself at {}; expected two separate outlines that touch there",
        edge_pair_text(*first, *second), point_text((*x).into(), (*y).into()))]
    TouchesItself {
        /// Name of the pattern (tile shape).
        name: String,
        /// The edge that is touched, as two numbers from 1: the path, and the edge in that path.
        first: (usize, usize),
        /// The edge that touches the first one, as two numbers from 1: the path, and the edge in that path.
        second: (usize, usize),
        /// The x coordinate of the point where the edges touch, in lattice steps (1/16 tile).
        x: i8,
        /// The y coordinate of the point where the edges touch, in lattice steps (1/16 tile).
        y: i8,
    },
    /// The outline of a solid runs counterclockwise. Outlines run clockwise, with the solid on their right-hand side.
    #[error(
        "pattern `{name}`, path {path} runs counterclockwise, with the solid on its left; \
        expected clockwise points, with the solid on the right; reverse the order of the points"
    )]
    WrongTurn {
        /// Name of the pattern (tile shape).
        name: String,
        /// Number of the path, from 1.
        path: usize,
    },
    /// Two outlines of a solid overlap, or one lies inside the other.
    #[error(
        "pattern `{name}`, paths {first} and {second}: one outline is inside the other; \
        expected outlines that do not overlap; they may touch"
    )]
    Inside {
        /// Name of the pattern (tile shape).
        name: String,
        /// Number of one of the two paths, from 1.
        first: usize,
        /// Number of the other path, from 1.
        second: usize,
    },
    /// Two patterns (tile shapes) are the same shape, mirrored or turned. Each shape may occur only once.
    #[error(
        "pattern `{second}` has the same shape as `{first}{placement}`; expected each shape once; maps can write `{first}{placement}` for it"
    )]
    SameOrbit {
        /// Name of the earlier of the two patterns.
        first: String,
        /// Name of the later pattern, which repeats the shape of the first.
        second: String,
        /// The placement (mirroring and turns) that makes the first pattern into the second one.
        placement: Placement,
    },
    /// The field `variants` of a pattern has a wrong number. It must be the number of different shapes that mirroring
    /// and turning the pattern gives.
    #[error("pattern `{name}` has {} (mirrored and turned), but the file says {declared}; expected `variants: {found}`, or no such field", count_with_name(*found, "variant"))]
    VariantCount {
        /// Name of the pattern (tile shape).
        name: String,
        /// Number of different shapes that mirroring and turning the pattern gives.
        found: usize,
        /// Wrong number in the field `variants` of the pattern.
        declared: i64,
    },
}

named_variants! {
    CatalogueErrorKind:
        Form Format NoPatterns TooManyPatterns BadName PlacementName DuplicateName NotFullBlock NoPaths
        TooManyEdges ShortPath OffLattice RepeatedPoint Crossing Overlap TouchesItself WrongTurn Inside SameOrbit
        VariantCount
}

fn bad_name_advice(word: &str) -> Cow<'static, str> {
    if word.is_empty() {
        "expected another name".into()
    } else {
        format!("expected the name without them: {word:?}").into()
    }
}

fn closed_outline_suffix(least: usize) -> &'static str {
    if least == 3 { " for a closed outline" } else { "" }
}

fn wall_edges_note(wall: bool) -> &'static str {
    if wall { " (each edge of a wall counts twice, once per side)" } else { "" }
}

fn repeated_point_text(closes: bool) -> &'static str {
    if closes {
        "point 1; expected an outline without its first point at the end, since it closes by itself"
    } else {
        "the point before it; expected neighbouring points to differ"
    }
}

fn crossing_advice(solid: bool) -> &'static str {
    if solid { "; expected edges that do not cross" } else { "; expected both paths to have a point there" }
}

fn overlap_advice(folds: bool) -> &'static str {
    if folds { "expected a path that does not turn back on itself" } else { "expected edges that share no part" }
}

fn edge_pair_text((path, edge): (usize, usize), second: (usize, usize)) -> String {
    if path == second.0 {
        format!("path {path}, edges {edge} and {}", second.1)
    } else {
        format!("path {path}, edge {edge} and path {}, edge {}", second.0, second.1)
    }
}

/// Returns a point with at most two decimals.
fn point_text(x: f64, y: f64) -> String {
    let round = |v: f64| (v * 100.0).round() / 100.0;
    format!("({}, {})", round(x), round(y))
}

/// Error in the name of a variant (a tile shape, possibly mirrored or turned), such as `slope_45 m r1`.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VariantNameError {
    /// The catalogue (set of tile shapes) has no pattern with this name.
    #[error("no pattern is named `{name}`")]
    UnknownPattern {
        /// Name of the unknown pattern.
        name: String,
    },
    /// The name has `m` (mirrored) after a turn such as `r1`. A name must have `m` before the turn.
    #[error("`m` stands after the turn; expected `m` (mirror) before the turn: `{meant}` is the same shape")]
    MirrorLast {
        /// Correct name of the meant variant (turned first, then mirrored), with `m` before the turn.
        meant: String,
    },
    /// A word after the pattern's name is neither `m` (mirrored) nor `r1`, `r2` or `r3` (quarter turns clockwise).
    #[error(
        "`{word}` is not a placement; expected `m` for mirrored, then `r1`, `r2` or `r3` for quarter turns clockwise"
    )]
    BadPlacement {
        /// The wrong word.
        word: String,
    },
}

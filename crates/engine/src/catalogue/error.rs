use super::{Catalogue, LATTICE, Pattern, Placement};
#[cfg(feature = "ron")]
use crate::text::FormError;
use crate::told::debug_is_display;
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use thiserror::Error;

/// What is wrong with a catalogue, and where.
///
/// It prints as `tiles.ron:12:7: pattern `ramp`, ...`, without a file's name as `line 12, column 7: ...`, and without
/// either for patterns that come from no text. The message is one line.
#[derive(Clone, PartialEq)]
pub struct CatalogueError {
    /// The file the text comes from, if it is known.
    pub file: Option<String>,
    /// The line and the column in characters, both from 1; `None` for patterns that come from no text.
    pub position: Option<(u32, u32)>,
    /// What is wrong there.
    pub kind: CatalogueErrorKind,
    pub(super) drawing: Option<String>,
}

impl CatalogueError {
    /// This error, told with the name of its file.
    fn in_file(mut self, name: impl Into<String>) -> CatalogueError {
        self.file = Some(name.into());
        self
    }

    /// The lattice of the tile with the pattern and what is wrong with it, for a tool to print below the message: lines
    /// of at most 79 ASCII characters. `None` where a picture says nothing.
    ///
    /// Numbers and letters are the points of each path in the order in which it is walked, arrows show the way, `X` is
    /// what is wrong.
    #[must_use]
    pub fn drawing(&self) -> Option<&str> {
        self.drawing.as_deref()
    }
}

debug_is_display!(CatalogueError, CatalogueErrors);

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

/// Everything that is wrong with a catalogue, at least one error, in the order of the file; see
/// [`CatalogueErrors::MAX`].
///
/// It prints one error a line, without the drawings.
#[derive(Clone, PartialEq)]
pub struct CatalogueErrors(pub(super) Vec<CatalogueError>);

impl CatalogueErrors {
    /// The most errors that are gathered; more are not looked for.
    pub const MAX: usize = 100;

    /// These errors, told with the name of their file.
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

/// What can be wrong with a catalogue.
///
/// Paths, points and edges count from 1, as they stand in the file; edge n leads from point n to the next one.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CatalogueErrorKind {
    /// The text does not have a catalogue's form.
    #[error(transparent)]
    #[cfg(feature = "ron")]
    Form(#[from] FormError),
    /// The file is of a format that this version does not read.
    #[error("catalogue format {found}, expected {}", Catalogue::FORMAT)]
    Format {
        /// The format the file names.
        found: i64,
    },
    /// There is no pattern.
    #[error("the catalogue has no patterns; expected at least one")]
    NoPatterns,
    /// More patterns than ids.
    #[error("{count} patterns; expected at most {}", Catalogue::MAX_PATTERNS)]
    TooManyPatterns {
        /// How many there are.
        count: usize,
    },
    /// A name that cannot be written in a map's legend.
    #[error("pattern {name:?}: expected a name of letters, digits and underscores, 1 to {} of them", Pattern::MAX_NAME)]
    BadName {
        /// The name.
        name: String,
    },
    /// A name that says a placement, or is followed by one.
    #[error(
        "pattern {name:?}: `m` and `r0` to `r3` are placements, which a map writes behind a pattern's name; {}",
        instead(word)
    )]
    PlacementName {
        /// The name.
        name: String,
        /// What of it is left without the placement; empty if nothing is.
        word: String,
    },
    /// Two patterns of one name.
    #[error("pattern `{name}` is there twice, first as pattern {first} of the list")]
    DuplicateName {
        /// The name.
        name: String,
        /// Which pattern has it first, from 1.
        first: usize,
    },
    /// A pattern of the name that stands for what lies beyond a map, with another shape.
    #[error(
        "pattern `full_block` is what lies beyond a map's solid sides; \
        expected Solid with [(0, 16), (16, 16), (16, 0), (0, 0)], or another name"
    )]
    NotFullBlock,
    /// A pattern that shows nothing.
    #[error("pattern `{name}` has no paths; expected at least one")]
    NoPaths {
        /// The pattern.
        name: String,
    },
    /// A pattern of more edges than a tile may have.
    #[error("pattern `{name}` has {edges} edges{}; expected at most {}", both_sides(*wall), Pattern::MAX_EDGES)]
    TooManyEdges {
        /// The pattern.
        name: String,
        /// How many edges it has; a wall's two sides count as two.
        edges: usize,
        /// Whether it is a wall.
        wall: bool,
    },
    /// A path with too few points for its kind.
    #[error("pattern `{name}`, path {path}: {}; expected at least {expected}", count(*points, "point"))]
    ShortPath {
        /// The pattern.
        name: String,
        /// Which path.
        path: usize,
        /// How many points it has.
        points: usize,
        /// How many it needs.
        expected: usize,
    },
    /// A vertex outside the lattice.
    #[error("pattern `{name}`, path {path}, point {point}: ({x}, {y}) is off the lattice; expected 0 to {LATTICE}")]
    OffLattice {
        /// The pattern.
        name: String,
        /// Which path.
        path: usize,
        /// Which point of it.
        point: usize,
        /// Its x.
        x: i64,
        /// Its y.
        y: i64,
    },
    /// A point that repeats the one before it: an edge of no length.
    #[error("pattern `{name}`, path {path}, point {point}: repeats {}", repeated(*closes))]
    RepeatedPoint {
        /// The pattern.
        name: String,
        /// Which path.
        path: usize,
        /// Which point of it.
        point: usize,
        /// Whether it is the first point of a closed outline, written again at its end.
        closes: bool,
    },
    /// Two edges cross.
    #[error("pattern `{name}`, {}: they cross at {}{}", edges(*first, *second), at(*x, *y), crossing(*solid))]
    Crossing {
        /// The pattern.
        name: String,
        /// Path and edge that come first.
        first: (usize, usize),
        /// Path and edge that cross them.
        second: (usize, usize),
        /// Where, in lattice steps.
        x: f64,
        /// Where, in lattice steps.
        y: f64,
        /// Whether the pattern is solid.
        solid: bool,
    },
    /// Two edges lie in each other for some way.
    #[error("pattern `{name}`, {}: they lie in each other from {} to {}; {}", edges(*first, *second),
        at(from.0.into(), from.1.into()), at(to.0.into(), to.1.into()), overlap(*folds))]
    Overlap {
        /// The pattern.
        name: String,
        /// Path and edge that come first.
        first: (usize, usize),
        /// Path and edge that lie in them.
        second: (usize, usize),
        /// Where that begins.
        from: (i8, i8),
        /// Where it ends.
        to: (i8, i8),
        /// Whether the two follow each other: the path turns back.
        folds: bool,
    },
    /// A closed outline that comes back to itself before its end.
    #[error("pattern `{name}`, {}: the outline touches itself at {}; expected two outlines that meet there",
        edges(*first, *second), at((*x).into(), (*y).into()))]
    TouchesItself {
        /// The pattern.
        name: String,
        /// Path and edge that come first.
        first: (usize, usize),
        /// Path and edge that touch them.
        second: (usize, usize),
        /// Where.
        x: i8,
        /// Where.
        y: i8,
    },
    /// A closed outline that is walked with the solid on the left hand.
    #[error(
        "pattern `{name}`, path {path}: walked with the solid on the left hand; \
        expected it on the right (clockwise): write its points in the opposite order"
    )]
    WrongTurn {
        /// The pattern.
        name: String,
        /// Which path.
        path: usize,
    },
    /// Closed outlines that share some of their inside.
    #[error(
        "pattern `{name}`, paths {first} and {second}: one lies in the other; \
        expected outlines that share points of their borders at most"
    )]
    Inside {
        /// The pattern.
        name: String,
        /// The path that comes first.
        first: usize,
        /// The other one.
        second: usize,
    },
    /// A pattern that is another one mirrored or turned.
    #[error("pattern `{second}` is `{first}{placement}` again; expected each shape once: a map mirrors and turns it")]
    SameOrbit {
        /// The pattern that comes first.
        first: String,
        /// The one that repeats it.
        second: String,
        /// How the first is placed to become the second.
        placement: Placement,
    },
    /// The number of variants that a pattern says of itself is not what it has.
    #[error("pattern `{name}` has {}, not {declared}; expected `variants: {found}`", count(*found, "variant"))]
    VariantCount {
        /// The pattern.
        name: String,
        /// How many there are.
        found: usize,
        /// How many the file says.
        declared: i64,
    },
}

fn instead(word: &str) -> Cow<'static, str> {
    if word.is_empty() { "expected another name".into() } else { format!("expected the name alone: {word:?}").into() }
}

fn both_sides(wall: bool) -> &'static str {
    if wall { ", both sides of its walls counted" } else { "" }
}

fn repeated(closes: bool) -> &'static str {
    if closes { "point 1; an outline closes by itself: leave its last point out" } else { "the point before it" }
}

/// A number of things with their name.
fn count(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

fn crossing(solid: bool) -> &'static str {
    if solid { "; expected outlines that cross nothing" } else { "; expected paths that both have a point there" }
}

fn overlap(folds: bool) -> &'static str {
    if folds { "expected a path that does not turn back on itself" } else { "expected each stretch once" }
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

/// Why a name means no variant.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VariantNameError {
    /// The catalogue has no pattern of that name.
    #[error("no pattern is named `{name}`")]
    UnknownPattern {
        /// The name.
        name: String,
    },
    /// The `m` comes after the turns.
    #[error("`m` stands behind the turns, expected before them; did you mean `{meant}`?")]
    MirrorLast {
        /// The name of the tile that is turned and then mirrored.
        meant: String,
    },
    /// The words after the name are no placement.
    #[error("`{word}` is no placement; expected `m` for mirrored, then `r1`, `r2` or `r3` for quarter turns clockwise")]
    BadPlacement {
        /// The word.
        word: String,
    },
}

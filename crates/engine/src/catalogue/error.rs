use thiserror::Error;

/// What is wrong with a catalogue.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CatalogueError {
    /// The text is not RON of a catalogue's form.
    #[error("line {}, column {}: {}", .0.span.start.line, .0.span.start.col, .0.code)]
    Syntax(ron::error::SpannedError),
    /// The file is of a format that this version does not read.
    #[error("catalogue format {found}, expected {}", super::Catalogue::FORMAT)]
    Format {
        /// The format the file names.
        found: u32,
    },
    /// More patterns than ids.
    #[error("{count} patterns, at most 4096 are possible")]
    TooMany {
        /// How many there are.
        count: usize,
    },
    /// A name that cannot be written in a map's legend.
    #[error("pattern `{name}`: a name is made of letters, digits and underscores")]
    BadName {
        /// The name.
        name: String,
    },
    /// Two patterns of one name.
    #[error("pattern `{name}` is there twice")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// A vertex outside the lattice.
    #[error("pattern `{name}`, path {path}, point {point}: ({x}, {y}) is off the lattice of 0 to 16")]
    OffLattice {
        /// The pattern.
        name: String,
        /// Which path, from 0.
        path: usize,
        /// Which point of it, from 0.
        point: usize,
        /// Its x.
        x: i8,
        /// Its y.
        y: i8,
    },
    /// A path with too few points for its kind.
    #[error("pattern `{name}`, path {path}: {points} points, expected at least {expected}")]
    ShortPath {
        /// The pattern.
        name: String,
        /// Which path, from 0.
        path: usize,
        /// How many points it has.
        points: usize,
        /// How many it needs.
        expected: usize,
    },
    /// A pattern of more edges than a tile may have.
    #[error("pattern `{name}` has {edges} edges, at most {} are possible", super::Pattern::MAX_EDGES)]
    TooManyEdges {
        /// The pattern.
        name: String,
        /// How many edges it has; a wall's two sides count as two.
        edges: usize,
    },
    /// A point that repeats the one before it.
    #[error("pattern `{name}`, path {path}, point {point}: repeats the point before it")]
    RepeatedPoint {
        /// The pattern.
        name: String,
        /// Which path, from 0.
        path: usize,
        /// Which point of it, from 0.
        point: usize,
    },
    /// A closed outline that is walked with the solid on the left hand, or encloses nothing.
    #[error("pattern `{name}`, path {path}: the outline must be walked with the solid on the right hand (clockwise)")]
    WrongTurn {
        /// The pattern.
        name: String,
        /// Which path, from 0.
        path: usize,
    },
    /// A pattern that is another one mirrored or turned.
    #[error("pattern `{second}` is a placement of `{first}`")]
    SameOrbit {
        /// The pattern that comes first.
        first: String,
        /// The one that repeats it.
        second: String,
    },
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
    /// The words after the name are no placement.
    #[error("`{word}` is no placement; expected `m` for mirrored, then `r1`, `r2` or `r3` for quarter turns clockwise")]
    BadPlacement {
        /// The word.
        word: String,
    },
}

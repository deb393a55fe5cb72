use crate::area::AreaError;
use crate::body::BodyError;
use crate::checksum::Checksum;
use crate::event::BodyId;
use crate::io::ReadError;
use crate::map::CollisionLayerError;
use crate::platform::PlatformError;
use crate::snapshot::Snapshot;
use crate::terrain::TileError;
use crate::text::{Step, locate};
use crate::world::Settings;
use std::fmt;
use thiserror::Error;

/// Why something is no snapshot, or not one of this world.
#[derive(Clone, Debug, PartialEq)]
pub struct SnapshotError {
    /// The way to the field in question, such as `bodies[3].state.velocity`; empty for the whole.
    pub field: String,
    /// In a text its line and column, from 1.
    pub position: Option<(u32, u32)>,
    /// What is wrong.
    pub kind: SnapshotErrorKind,
    steps: Box<[OwnStep]>,
}

/// A step on the way to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OwnStep {
    Field(&'static str),
    Item(usize),
}

/// What is wrong with a snapshot.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SnapshotErrorKind {
    /// A platform that the world does not take.
    #[error(transparent)]
    Platform(PlatformError),
    /// An area that the world does not take.
    #[error(transparent)]
    Area(AreaError),
    /// The bytes do not begin as a snapshot does.
    #[error("it does not begin as a snapshot does")]
    NotASnapshot,
    /// The bytes end early.
    #[error("it ends early")]
    Truncated,
    /// The bytes are not those that were written: the checksum at the end is another one.
    #[error("it is damaged: its checksum is {found}, expected {expected}")]
    Damaged {
        /// The checksum of the bytes.
        found: Checksum,
        /// The checksum at their end.
        expected: Checksum,
    },
    /// A version that this one cannot read.
    #[error("snapshot format {found}, expected {}", Snapshot::FORMAT)]
    Format {
        /// The version found.
        found: i64,
    },
    /// The bytes are no fields.
    #[error("its bytes are no snapshot's: {0}")]
    Bytes(postcard::Error),
    /// The text is no RON, or has other fields.
    #[error("{error}")]
    Syntax {
        /// What the reader says.
        error: Box<ron::Error>,
    },
    /// A body that no world takes.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// A number is not finite or out of its range, or says what another one rules out.
    #[error("a value that is not finite, or beyond what there can be")]
    Number,
    /// Lists that belong together have different lengths, or name what is not there.
    #[error("{found} where {expected} are expected")]
    Count {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// The free slots are not those with a version that says that they are free.
    #[error("the free slots do not go with the versions of the slots")]
    Slots,
    /// Painted cells must come once each, layer by layer and row by row; a way must end where its body is, and is left out
    /// where it is straight.
    #[error("its parts are out of order")]
    Order,
    /// It is of a world on another map, or with another source of its tiles.
    #[error("it is of another map: {found}, expected {expected}")]
    OtherMap {
        /// The map it is of.
        found: Checksum,
        /// The map that the world is on.
        expected: Checksum,
    },
    /// The snapshot is of a world with other settings, compared bit for bit.
    #[error(
        "the snapshot's setting `{setting}` is {}; expected {}, as in the world",
        found.text_of(setting),
        expected.text_of(setting)
    )]
    OtherSettings {
        /// The name of the first setting that differs: `tick`, `gravity`, `up` or `max_floor_slope`.
        setting: &'static str,
        /// All settings of the snapshot.
        found: Box<Settings>,
        /// All settings of the world.
        expected: Box<Settings>,
    },
    /// A painted tile cannot be.
    #[error("the tile at ({}, {}) in layer {layer}", tile.0, tile.1)]
    Tile {
        /// The layer.
        layer: usize,
        /// The tile.
        tile: (i32, i32),
        /// Why not.
        #[source]
        error: TileError,
    },
    /// A body is in a collision layer, or meets one, that the map has no name for.
    #[error("{body:?}: {error}")]
    CollisionLayer {
        /// The body.
        body: BodyId,
        /// What is wrong with its layers.
        #[source]
        error: CollisionLayerError,
    },
    /// A body touches a surface that the terrain does not have.
    #[error("{body:?} touches what is not there in tile ({}, {})", tile.0, tile.1)]
    NoSurface {
        /// The body.
        body: BodyId,
        /// Where the surface should be.
        tile: (i32, i32),
    },
    /// A body is in a solid and not said to be stuck, or the other way round.
    #[error("{body:?} is{} in a solid", if *is_said { " said to be stuck, and not" } else { " not said to be stuck, and" })]
    Stuck {
        /// The body.
        body: BodyId,
        /// What is said.
        is_said: bool,
    },
}

/// Why a file gives no snapshot.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SnapshotLoadError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// What is in it is no snapshot.
    #[error("{file}: {error}")]
    Snapshot {
        /// The file.
        file: String,
        /// What is wrong with it.
        #[source]
        error: Box<SnapshotError>,
    },
}

impl SnapshotErrorKind {
    /// The error of this kind at a field.
    pub(crate) fn at(self, steps: &[Step<'static>]) -> SnapshotError {
        let steps = steps.iter().filter_map(|step| match step {
            Step::Field(name) => Some(OwnStep::Field(name)),
            Step::Item(index) => Some(OwnStep::Item(*index)),
            _ => None,
        });
        let steps: Vec<OwnStep> = steps.collect();
        SnapshotError { field: way(&steps), position: None, kind: self, steps: steps.into() }
    }

    /// The error of this kind at a field of a body, counted from 0 in the order of the slots.
    pub(crate) fn of_body(self, body: usize, field: &'static str) -> SnapshotError {
        self.at(&[Step::Field("bodies"), Step::Item(body), Step::Field(field)])
    }

    /// The error of this kind at a field of what changes of a body.
    pub(crate) fn of_state(self, body: usize, field: &'static str) -> SnapshotError {
        self.at(&[Step::Field("bodies"), Step::Item(body), Step::Field("state"), Step::Field(field)])
    }
}

impl SnapshotError {
    /// The error with the place of its field in a text.
    pub(super) fn within(self, text: &str) -> SnapshotError {
        let steps = self.steps.iter().map(|step| match *step {
            OwnStep::Field(name) => Step::Field(name),
            OwnStep::Item(index) => Step::Item(index),
        });
        let (line, column) = locate(text, &steps.collect::<Vec<_>>());
        self.placed(line, column)
    }

    pub(super) fn placed(self, line: u32, column: u32) -> SnapshotError {
        SnapshotError { position: Some((line, column)), ..self }
    }
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((line, column)) = self.position {
            write!(f, "line {line}, column {column}: ")?;
        }
        if !self.field.is_empty() {
            write!(f, "`{}`: ", self.field)?;
        }
        self.kind.fmt(f)
    }
}

impl std::error::Error for SnapshotError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.kind.source()
    }
}

fn way(steps: &[OwnStep]) -> String {
    let mut way = String::new();
    for step in steps {
        match step {
            OwnStep::Field(name) if way.is_empty() => way.push_str(name),
            OwnStep::Field(name) => way.extend([".", name]),
            OwnStep::Item(index) => way.push_str(&format!("[{index}]")),
        }
    }
    way
}

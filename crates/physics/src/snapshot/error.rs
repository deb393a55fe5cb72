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
use crate::told::debug_is_display;
use crate::world::Settings;
use std::fmt;
use thiserror::Error;

/// Error of reading a snapshot, or of restoring a snapshot into a world on a different map or with other settings.
#[derive(Clone, PartialEq)]
pub struct SnapshotError {
    /// Path to the wrong field, such as `bodies[3].state.velocity`. The path is empty if the error is about the whole
    /// snapshot.
    pub field: String,
    /// Line and column in the RON text, both from 1. `None` for a snapshot in bytes.
    pub position: Option<(u32, u32)>,
    /// Kind of problem with the field or the whole snapshot.
    pub kind: SnapshotErrorKind,
    steps: Box<[Step<'static>]>,
}

/// Kind of problem with a snapshot. [`SnapshotError`] adds the field and the position in the text.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SnapshotErrorKind {
    /// A platform of the snapshot is invalid, for example because its path has only one point.
    #[error(transparent)]
    Platform(PlatformError),
    /// An area of the snapshot is invalid, for example because its shape has no interior.
    #[error(transparent)]
    Area(AreaError),
    /// The bytes do not begin with `surefoot`, as every snapshot does.
    #[error("the bytes are not a snapshot; expected `surefoot` at the beginning")]
    NotASnapshot,
    /// The bytes end before the snapshot is complete.
    #[error("the snapshot is truncated; expected more bytes")]
    Truncated,
    /// The bytes have changed since they were written: their checksum differs from the stored one.
    #[error("the snapshot is damaged: the checksum of its bytes is {found}; expected {expected}")]
    Damaged {
        /// Checksum of the bytes.
        found: Checksum,
        /// Checksum stored at the end of the bytes.
        expected: Checksum,
    },
    /// The snapshot has a format number that this version of the engine cannot read.
    #[error("the snapshot has format {found}; expected {}", Snapshot::FORMAT)]
    Format {
        /// Format number of the snapshot.
        found: i64,
    },
    /// The bytes are not damaged, but cannot be decoded as the fields of a snapshot.
    #[error("the bytes cannot be decoded as a snapshot: {0}")]
    Bytes(postcard::Error),
    /// The text is not valid RON, or a field is missing, unknown or of the wrong type.
    #[error("the text is not a snapshot: {error}")]
    Syntax {
        /// Message of the RON reader.
        error: Box<ron::Error>,
    },
    /// A body of the snapshot is invalid, for example because its mass is negative.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// A value is not finite, is out of range, or contradicts another field. For example, the field names a body that
    /// the snapshot does not contain.
    #[error(
        "the value is not finite, is out of range, or contradicts another field; expected one that a world can have"
    )]
    Number,
    /// A list has the wrong length, or an index points beyond the end of its list. For example, the list `bodies` is
    /// shorter than the list of the body ids in use.
    #[error("the length or index {found} does not fit the rest of the snapshot, which allows {expected}")]
    Count {
        /// Length or index that was found.
        found: usize,
        /// Expected length of the list. For an index, the length of the list that it points into. For a list that is
        /// too long, its maximum length.
        expected: usize,
    },
    /// The snapshot's lists of used and free ids contradict each other. For example, a free id is listed twice.
    #[error("the free slots contradict the slot versions; expected each slot with an even version once")]
    Slots,
    /// The entries of a list are not in ascending order, or an entry is in the list twice. Also returned if the path
    /// of a body in the last tick does not end at the body's position.
    #[error(
        "the entries are in the wrong order, twice, or inconsistent; expected the order that `Snapshot::to_ron` writes"
    )]
    Order,
    /// The snapshot belongs to a different map, or to a streamed world with a different
    /// [`TileSource`](crate::terrain::TileSource).
    #[error("the snapshot belongs to a different map: checksum {found}; expected {expected}, as in the world")]
    OtherMap {
        /// Checksum of the snapshot's map and tile source.
        found: Checksum,
        /// Checksum of the world's map and tile source.
        expected: Checksum,
    },
    /// The settings of the snapshot and of the world differ in at least one bit.
    #[error(
        "the snapshot's setting `{setting}` is {}; expected {}, as in the world",
        found.text_of(setting),
        expected.text_of(setting)
    )]
    OtherSettings {
        /// Name of the first setting that differs: `tick`, `gravity`, `up` or `max_floor_slope`.
        setting: &'static str,
        /// All settings of the snapshot.
        found: Box<Settings>,
        /// All settings of the world.
        expected: Box<Settings>,
    },
    /// The snapshot sets a tile that the world's map does not allow, for example a tile outside the map.
    #[error("the snapshot cannot set tile ({}, {}) of layer {layer}: {error}", tile.0, tile.1)]
    Tile {
        /// Index of the tile layer, from 0.
        layer: usize,
        /// Column and row of the tile.
        tile: (i32, i32),
        /// Reason why the tile cannot be set.
        #[source]
        error: TileError,
    },
    /// A body uses a collision layer that the map does not name.
    #[error("body {body:?}: {error}")]
    CollisionLayer {
        /// Body with the problem.
        body: BodyId,
        /// Problem with the collision layers of the body.
        #[source]
        error: CollisionLayerError,
    },
    /// The snapshot says that a body touches a surface that the world's terrain does not have.
    #[error("body {body:?} touches a surface that tile ({}, {}) does not have; expected a surface of the world's terrain", tile.0, tile.1)]
    NoSurface {
        /// Body with the problem.
        body: BodyId,
        /// Column and row of the tile that should have the surface.
        tile: (i32, i32),
    },
    /// The `stuck` field of a body contradicts the terrain: it must be true exactly if the body overlaps a solid.
    #[error("body {body:?} {}", if *is_said { "is marked as stuck but overlaps no solid; expected `stuck: false`" } else { "overlaps a solid but is not marked as stuck; expected `stuck: true`" })]
    Stuck {
        /// Body with the problem.
        body: BodyId,
        /// Value of the `stuck` field in the snapshot. The correct value is the opposite.
        is_said: bool,
    },
}

/// Error of loading a snapshot from a file.
#[derive(Error)]
#[non_exhaustive]
pub enum SnapshotLoadError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file was read, but does not contain a valid snapshot.
    #[error("{file}: {error}")]
    Snapshot {
        /// Path of the file, as the error message shows it.
        file: String,
        /// Problem with the snapshot.
        #[source]
        error: Box<SnapshotError>,
    },
}

debug_is_display!(SnapshotError, SnapshotErrorKind, SnapshotLoadError);

impl SnapshotErrorKind {
    /// Returns the error of this kind at a field.
    pub(crate) fn at_field(self, steps: &[Step<'static>]) -> SnapshotError {
        SnapshotError { field: path_text(steps), position: None, kind: self, steps: steps.into() }
    }

    /// Returns the error of this kind at a field of a body, counted from 0 in the order of the slots.
    pub(crate) fn with_body_field(self, body: usize, field: &'static str) -> SnapshotError {
        self.at_field(&[Step::Field("bodies"), Step::Item(body), Step::Field(field)])
    }

    /// Returns the error of this kind at a field of a body's changing state.
    pub(crate) fn with_state_field(self, body: usize, field: &'static str) -> SnapshotError {
        self.at_field(&[Step::Field("bodies"), Step::Item(body), Step::Field("state"), Step::Field(field)])
    }
}

impl SnapshotError {
    /// Adds the position of the field in a text to the error.
    pub(super) fn with_position_in(self, text: &str) -> SnapshotError {
        let (line, column) = locate(text, &self.steps);
        self.with_line_and_column(line, column)
    }

    pub(super) fn with_line_and_column(self, line: u32, column: u32) -> SnapshotError {
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

fn path_text(steps: &[Step<'_>]) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Field(name) if path.is_empty() => path.push_str(name),
            Step::Field(name) => path.extend([".", name]),
            Step::Item(index) => path.push_str(&format!("[{index}]")),
            Step::Key(_) | Step::Value(_) | Step::Character(_) => {}
        }
    }
    path
}

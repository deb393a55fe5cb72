//! Snapshots outside of a process: as bytes, compact and checked, and as RON for people.
//!
//! [`Snapshot`] is what a world saves into. [`Snapshot::to_bytes`] and [`Snapshot::to_ron`] write one,
//! [`Snapshot::from_bytes`] and [`Snapshot::from_ron`] read it back, to the bit; `docs/formats/snapshot.md` in the
//! repository lists every field. What comes from outside is checked when it is read, and held against the terrain when a
//! world loads it.

mod bytes;
mod check;
mod difference;
mod error;
mod files;
mod format;

#[cfg(test)]
mod tests;

pub use crate::world::Snapshot;
pub use difference::FieldDifference;
pub use error::{SnapshotError, SnapshotErrorKind, SnapshotFileError};

use crate::older::{self, Age};
use crate::text::{Step, Tree, place};
use format::SnapshotFile;

impl Snapshot {
    /// The format version that is written.
    pub(crate) const FORMAT: u32 = 12;

    /// The oldest format version that is read.
    pub(crate) const OLDEST: u32 = 3;

    /// The first format version with areas; of a world without areas the one before has the same fields.
    pub(crate) const WITH_AREAS: u32 = 4;

    /// The first format version in which bodies have masses and may be at rest.
    pub(crate) const WITH_MASSES: u32 = 5;

    /// The first format version in which bodies may be one-way and are held.
    pub(crate) const WITH_ONE_WAY: u32 = 6;

    /// The first format version with the numbers of jumps.
    pub(crate) const WITH_JUMPS: u32 = 7;

    /// The first format version with the numbers of how characters feel.
    pub(crate) const WITH_FEEL: u32 = 8;

    /// The first format version with the numbers of what characters do in the air besides.
    pub(crate) const WITH_MOVES: u32 = 9;

    /// The first format version with the numbers of what characters keep hold of, and with bodies that wait.
    pub(crate) const WITH_HOLDS: u32 = 10;

    /// The first format version with the numbers of how characters swim, and with time scales and which way bodies look.
    pub(crate) const WITH_SWIMS: u32 = 11;

    /// What a format version that is read is older than.
    fn age(format: u32) -> Age {
        match format {
            Self::FORMAT.. => Age::Today,
            Self::WITH_SWIMS.. => Age::BeforeLedges,
            Self::WITH_HOLDS.. => Age::BeforeSwims,
            Self::WITH_MOVES.. => Age::BeforeHolds,
            Self::WITH_FEEL.. => Age::BeforeMoves,
            Self::WITH_JUMPS.. => Age::BeforeFeel,
            Self::WITH_ONE_WAY.. => Age::BeforeJumps,
            Self::WITH_MASSES.. => Age::BeforeOneWay,
            _ => Age::BeforeMasses,
        }
    }

    /// Whether a format version is read.
    fn reads(format: i64) -> bool {
        (i64::from(Self::OLDEST)..=i64::from(Self::FORMAT)).contains(&format)
    }

    /// The snapshot as a RON text for people, every number to the same bits.
    ///
    /// # Errors
    /// [`SnapshotErrorKind::Syntax`] if a string cannot be written. A snapshot has no such string.
    pub fn to_ron(&self) -> Result<String, SnapshotError> {
        let pretty = ron::ser::PrettyConfig::new().struct_names(true).depth_limit(4);
        let text = ron::ser::to_string_pretty(&SnapshotFile::of(self), pretty);
        text.map(|text| text + "\n").map_err(|error| SnapshotErrorKind::Syntax { error: Box::new(error) }.at(&[]))
    }

    /// Reads what [`Snapshot::to_ron`] has written.
    ///
    /// # Errors
    /// [`SnapshotError`] with the line and column of what is wrong.
    pub fn from_ron(text: &str) -> Result<Snapshot, SnapshotError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let format = Tree::new(text).integer_field("format");
        if let Some(found) = format.filter(|&found| !Self::reads(found)) {
            return Err(SnapshotErrorKind::Format { found }.at(&[Step::Field("format")]).within(text));
        }
        // A text without a format is refused below.
        let format = format.and_then(|format| u32::try_from(format).ok()).unwrap_or(Self::FORMAT);
        let file = older::reading(Self::age(format), || ron::from_str::<SnapshotFile>(text)).map_err(|error| {
            let (line, column) = place(text, &error);
            SnapshotErrorKind::Syntax { error: Box::new(error.code) }.at(&[]).placed(line, column)
        })?;
        file.check().map_err(|error| error.within(text))
    }
}

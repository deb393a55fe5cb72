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
pub use error::{SnapshotError, SnapshotErrorKind, SnapshotLoadError};

use crate::text::{Step, Tree, place};
use format::SnapshotFile;

impl Snapshot {
    /// The format version that is written and read.
    pub(crate) const FORMAT: u32 = 1;

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
        if let Some(found) = format.filter(|&found| found != i64::from(Self::FORMAT)) {
            return Err(SnapshotErrorKind::Format { found }.at(&[Step::Field("format")]).within(text));
        }
        let file = ron::from_str::<SnapshotFile>(text).map_err(|error| {
            let (line, column) = place(text, &error);
            SnapshotErrorKind::Syntax { error: Box::new(error.code) }.at(&[]).placed(line, column)
        })?;
        file.check().map_err(|error| error.within(text))
    }
}

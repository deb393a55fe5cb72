//! Save files: a [`Snapshot`] as compact, checked bytes or as RON text.
//!
//! [`World::capture`](crate::world::World::capture) copies the state of a world into a [`Snapshot`].
//! [`Snapshot::save`] and [`Snapshot::load`] write and read files, [`Snapshot::to_bytes`] and [`Snapshot::from_bytes`]
//! bytes, [`Snapshot::to_ron`] and [`Snapshot::from_ron`] text. Every number is read back to the same bits.
//! `docs/formats/snapshot.md` in the repository lists every field.
//!
//! Reading fails for an impossible state, such as a negative mass. [`World::restore`](crate::world::World::restore)
//! also checks that the snapshot fits the world's map.

mod arena;
mod bytes;
mod check;
mod difference;
mod error;
mod files;
mod format;

#[cfg(test)]
mod tests;

pub use crate::world::Snapshot;
pub use arena::{SnapshotArena, SnapshotKey};
pub use difference::FieldDifference;
#[doc(hidden)]
pub use difference::difference_of;
pub use error::{SnapshotError, SnapshotErrorKind, SnapshotLoadError};

use crate::text::{Step, Tree, error_line_and_column, from_ron, to_ron};
use format::SnapshotFile;

impl Snapshot {
    /// The format version that is written and read.
    pub(crate) const FORMAT: u32 = 1;

    /// Returns the snapshot as RON text for reading and debugging. [`Snapshot::from_ron`] reads every number back to
    /// the same bits.
    ///
    /// # Errors
    /// Never returns an error in practice: [`SnapshotErrorKind::Syntax`] would mean that a string cannot be written as
    /// RON.
    // The function is inline, so that only crates that call it compile it: serde generates a lot of code for the types
    // of a snapshot.
    #[inline]
    pub fn to_ron(&self) -> Result<String, SnapshotError> {
        let pretty = ron::ser::PrettyConfig::new().struct_names(true).depth_limit(4);
        let text = to_ron(&SnapshotFile::from_snapshot(self), Some(pretty));
        text.map(|text| text + "\n").map_err(|error| SnapshotErrorKind::Syntax { error: Box::new(error) }.at_field(&[]))
    }

    /// Reads a snapshot from the text of [`Snapshot::to_ron`].
    ///
    /// # Errors
    /// Returns [`SnapshotError`], with line and column, if the text is not a snapshot or contains an impossible state,
    /// such as a negative mass.
    // The function is inline, so that only crates that call it compile it: serde generates a lot of code for the types
    // of a snapshot.
    #[inline]
    pub fn from_ron(text: &str) -> Result<Snapshot, SnapshotError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let format = Tree::new(text).integer_field("format");
        if let Some(found) = format.filter(|&found| found != i64::from(Self::FORMAT)) {
            return Err(SnapshotErrorKind::Format { found }.at_field(&[Step::Field("format")]).with_position_in(text));
        }
        let file = from_ron::<SnapshotFile>(text).map_err(|error| {
            let (line, column) = error_line_and_column(text, &error);
            SnapshotErrorKind::Syntax { error: Box::new(error.code) }.at_field(&[]).with_line_and_column(line, column)
        })?;
        file.into_checked_snapshot().map_err(|error| error.with_position_in(text))
    }
}

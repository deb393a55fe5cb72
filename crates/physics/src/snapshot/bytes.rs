use super::format::SnapshotFile;
use super::{Snapshot, SnapshotError, SnapshotErrorKind};
use crate::checksum::Checksum;
use xxhash_rust::xxh64::xxh64;

/// First bytes of every snapshot.
const MAGIC: [u8; 8] = *b"surefoot";
/// Bytes of the format version.
const VERSION: usize = 4;
/// Bytes of the checksum at the end.
const SUM: usize = 8;

impl Snapshot {
    /// Returns the snapshot as compact bytes with a checksum. [`Snapshot::from_bytes`] reads them back as an equal
    /// snapshot.
    ///
    /// The bytes are the text `surefoot`, the format number, the fields in postcard encoding, and the XXH64 checksum
    /// of all bytes before. Format number and checksum are little-endian.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(Self::FORMAT.to_le_bytes());
        let written = postcard::to_extend(&SnapshotFile::from_snapshot(self), bytes);
        // This cannot fail: every part has a known length, and writing to a vector always succeeds.
        let mut bytes = written.unwrap_or_default();
        bytes.extend(xxh64(&bytes, 0).to_le_bytes());
        bytes
    }

    /// Reads a snapshot from the bytes of [`Snapshot::to_bytes`].
    ///
    /// The memory that the call uses is at most proportional to the number of bytes, also for malicious input.
    ///
    /// # Errors
    /// Returns [`SnapshotError`] if the bytes are not a snapshot, are damaged, or contain an impossible state, such as
    /// a negative mass.
    pub fn from_bytes(bytes: &[u8]) -> Result<Snapshot, SnapshotError> {
        let whole = |kind: SnapshotErrorKind| kind.at_field(&[]);
        if !bytes.starts_with(&MAGIC) {
            return Err(whole(SnapshotErrorKind::NotASnapshot));
        }
        let Some((content, sum)) = bytes.split_last_chunk::<SUM>() else {
            return Err(whole(SnapshotErrorKind::Truncated));
        };
        let Some((version, fields)) = content.get(MAGIC.len()..).and_then(|rest| rest.split_first_chunk::<VERSION>())
        else {
            return Err(whole(SnapshotErrorKind::Truncated));
        };
        let version = u32::from_le_bytes(*version);
        if version != Self::FORMAT {
            return Err(whole(SnapshotErrorKind::Format { found: version.into() }));
        }
        let (found, expected) = (Checksum(xxh64(content, 0)), Checksum(u64::from_le_bytes(*sum)));
        if found != expected {
            return Err(whole(SnapshotErrorKind::Damaged { found, expected }));
        }
        let read = postcard::take_from_bytes::<SnapshotFile>(fields);
        let (file, rest) = read.map_err(|error| whole(SnapshotErrorKind::Bytes(error)))?;
        if !rest.is_empty() {
            return Err(whole(SnapshotErrorKind::Count { found: rest.len(), expected: 0 }));
        }
        file.into_checked_snapshot()
    }
}

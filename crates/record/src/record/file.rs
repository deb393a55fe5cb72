use super::line::{self, Header, Line, MAX_HEADER_BYTES, push_line};
use super::recorder::Sink;
use super::{RecorderError, Recording, TileSums};
use crate::checksum::Checksum;
use crate::text::to_ron;
use crate::tiles::io::create_new;
use serde::Serialize;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Number of buffered bytes from which the recorder writes them to the file.
const MAX_BUFFERED_BYTES: usize = 64 << 10;

/// A recording in a file that grows while the game runs. [`Recorder::create`](super::Recorder::create) makes one.
///
/// New lines are added at the end. Lines in the file never change.
#[derive(Debug)]
pub struct RecordingFile {
    file: File,
    path: PathBuf,
    /// Whether each write waits until the data is on the disk (fsync).
    sync: bool,
    /// Buffered lines that are not written to the file yet.
    text: String,
    /// The checksum of the last line.
    sum: u32,
    /// Number of bytes written to the file.
    size: u64,
}

impl RecordingFile {
    /// Maximum size of a recording's file, in bytes: 1 GiB. Holds for writing and for reading.
    pub const MAX_SIZE: u64 = 1 << 30;

    /// Returns whether the file `path` exists and begins as a recording does.
    #[must_use]
    pub fn is_at(path: impl AsRef<Path>) -> bool {
        let mut start = [0; 10];
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
        read.is_ok() && start == *b"Recording("
    }

    /// Creates a file with the header of a log.
    fn create<I>(path: &Path, log: &Recording<I>, sync: bool) -> Result<RecordingFile, RecorderError> {
        let path = path.to_owned();
        let header = header_content(&path, log)?;
        let file = create_new(&path).map_err(|source| match source.kind() {
            std::io::ErrorKind::AlreadyExists => RecorderError::Exists { path: path.clone() },
            _ => RecorderError::Io { path: path.clone(), source },
        })?;
        let mut file = RecordingFile { file, path, sync, text: String::new(), sum: 0, size: 0 };
        file.append_content(&header);
        Ok(file)
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Creates a file with all lines of a log. All of them have been passed to the operating system.
    pub(super) fn create_with_content<I: Serialize>(
        path: &Path,
        log: &Recording<I>,
        sync: bool,
    ) -> Result<RecordingFile, RecorderError> {
        let mut file = RecordingFile::create(path, log, sync)?;
        log.for_each_line(|line| {
            file.append_line(&line)?;
            if Sink::<I>::is_flush_due(&file) { Sink::<I>::flush(&mut file) } else { Ok(()) }
        })?;
        Sink::<I>::flush(&mut file)?;
        Ok(file)
    }

    pub(super) fn append_line(&mut self, line: &impl Serialize) -> Result<(), RecorderError> {
        self.append_content(&to_ron_line(line)?);
        Ok(())
    }

    fn append_content(&mut self, content: &str) {
        self.sum = push_line(&mut self.text, self.sum, content);
    }
}

fn to_ron_line(line: &dyn erased_serde::Serialize) -> Result<String, RecorderError> {
    to_ron(line, None).map_err(|error| RecorderError::Unwritable { error })
}

/// Returns the text of a file with all lines of a log. `path` is the file that it is for.
pub(super) fn recording_text<I: Serialize>(path: &Path, log: &Recording<I>) -> Result<String, RecorderError> {
    let (mut text, mut sum) = (String::new(), 0);
    sum = push_line(&mut text, sum, &header_content(path, log)?);
    log.for_each_line(|line| {
        sum = push_line(&mut text, sum, &to_ron_line(&line)?);
        Ok::<(), RecorderError>(())
    })?;
    Ok(text)
}

/// Returns the content of the first line. If the tile sums make it too long, omits them. Playing back does not need
/// them: they only help to find a changed tile.
fn header_content<I>(path: &Path, log: &Recording<I>) -> Result<String, RecorderError> {
    let with = |tiles: Option<&TileSums>| {
        to_ron_line(&Header::Recording {
            format: Recording::<()>::FORMAT,
            physics: log.physics,
            map: log.map,
            source: log.source.map(Checksum),
            file: log.map_file.clone(),
            tiles: tiles.cloned(),
        })
    };
    let fits = |content: &String| line::line_size_in_bytes(content) <= MAX_HEADER_BYTES;
    let whole = with(log.tiles.as_ref())?;
    let header = if fits(&whole) { whole } else { with(None)? };
    let found = line::line_size_in_bytes(&header);
    if fits(&header) { Ok(header) } else { Err(RecorderError::LongHeader { path: path.to_owned(), found }) }
}

impl<I: Serialize> Sink<I> for RecordingFile {
    fn add_line(&mut self, line: Line<I>) -> Result<(), RecorderError> {
        self.append_line(&line)
    }

    fn is_flush_due(&self) -> bool {
        self.text.len() >= MAX_BUFFERED_BYTES
    }

    /// Writes the waiting bytes to the operating system.
    fn flush(&mut self) -> Result<(), RecorderError> {
        let io = |source| RecorderError::Io { path: self.path.clone(), source };
        let size = self.size + self.text.len() as u64;
        if size > RecordingFile::MAX_SIZE {
            return Err(RecorderError::TooLarge { path: self.path.clone() });
        }
        self.file.write_all(self.text.as_bytes()).map_err(io)?;
        if self.sync {
            self.file.sync_data().map_err(io)?;
        }
        self.size = size;
        self.text.clear();
        Ok(())
    }
}

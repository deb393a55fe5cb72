use super::line::{self, Header, Hex, Line, MAX_HEADER_BYTES};
use super::{Recording, RecordingError, RecordingErrorKind as Kind, RecordingFile, RecordingLoadError, RecordingStart};
use crate::checksum::Checksum;
use crate::snapshot::Snapshot;
use crate::text::{Step, TextError, Tree, error_line_and_column, from_ron, line_and_column, locate};
use crate::tiles::io::{ReadError, open_limited};
use serde::de::DeserializeOwned;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// Reason why reading ended.
enum ReadFault {
    Io(std::io::Error),
    Wrong(RecordingError),
}

impl<I: DeserializeOwned> Recording<I> {
    /// Reads a recording from a file of at most [`RecordingFile::MAX_SIZE`] bytes.
    ///
    /// If the last line is incomplete, as after a crash, it is left out. [`Recording::is_complete`] then returns
    /// `false`.
    ///
    /// # Errors
    /// Returns [`RecordingLoadError`], with file, line and column, if the file cannot be read or is not a recording.
    pub fn load(path: impl AsRef<Path>) -> Result<Recording<I>, RecordingLoadError> {
        const EXPECTED: &str = "a recording";
        let (path, limit) = (path.as_ref(), RecordingFile::MAX_SIZE);
        let (file, _) = open_limited(path, limit, EXPECTED)?;
        // A file that grows while it is read ends at the limit, with a truncated last line.
        let mut source = BufReader::new(file.take(limit));
        read_recording(&mut source).map_err(|fault| match fault {
            ReadFault::Io(source) => ReadError::Io { path: path.to_owned(), expected: EXPECTED, source }.into(),
            ReadFault::Wrong(error) => error.in_file(path.display().to_string()).into(),
        })
    }

    /// Reads a recording from its text: lines of RON, each with a checksum.
    ///
    /// # Errors
    /// Returns [`RecordingError`], with line and column, if the text is not a recording.
    pub fn from_ron(text: &str) -> Result<Recording<I>, RecordingError> {
        read_recording(&mut text.as_bytes()).map_err(|fault| match fault {
            // A text in memory has no read errors.
            ReadFault::Io(_) => Kind::Truncated.error_at(1, 1),
            ReadFault::Wrong(error) => error,
        })
    }
}

/// Does [`Recording::from_ron`] for any bytes.
#[cfg(test)]
pub(super) fn read_bytes_for_test<I: DeserializeOwned>(mut bytes: &[u8]) -> Result<Recording<I>, RecordingError> {
    read_recording(&mut bytes).map_err(|fault| match fault {
        ReadFault::Io(error) => panic!("{error}"),
        ReadFault::Wrong(error) => error,
    })
}

impl Kind {
    pub(super) fn error_at(self, line: u32, column: u32) -> RecordingError {
        TextError { file: None, line, column, kind: self }
    }
}

fn read_recording<I: DeserializeOwned>(source_of_lines: &mut dyn BufRead) -> Result<Recording<I>, ReadFault> {
    let (mut lines, header) = read_header(source_of_lines)?;
    let Some((content, number)) = lines.next_line(source_of_lines)? else {
        return Err(Kind::Truncated.error_at(2, 1).into());
    };
    let mut map = None;
    let start = parse_start::<I>(content, number, &mut map)?;
    let Header::Recording { physics, map: checksum, source, file, tiles, .. } = header;
    let mut log = Recording::new(physics, checksum, source.map(|Checksum(identity)| identity), file, start);
    log.tiles = tiles;
    let mut restarts = false;
    while let Some((content, number)) = lines.next_line(source_of_lines)? {
        if std::mem::take(&mut restarts) {
            log.restart_from(parse_start::<I>(content, number, &mut map)?);
            continue;
        }
        let line = parse_line::<I>(content, number)?;
        if log.is_complete() {
            return Err(Kind::Order { expected: "nothing after the line `End`" }.error_at(number, 1).into());
        }
        if let Line::Restart = line {
            restarts = true;
            continue;
        }
        if let Line::State { tick, bytes: Hex(bytes) } = &line {
            read_snapshot_and_check_map(bytes, *tick, &mut map)
                .map_err(|kind| error_at_field(kind, content, number, "bytes"))?;
        }
        log.add_line(line).map_err(|(kind, field)| error_at_field(kind, content, number, field))?;
    }
    log.dropped_line = lines.left_out;
    Ok(log)
}

/// Reads the first line, as far as needed to know that the log is readable.
fn read_header(source: &mut dyn BufRead) -> Result<(Lines, Header), ReadFault> {
    let mut lines = Lines { text: Vec::new(), number: 1, sum: 0, left_out: None };
    Read::take(&mut *source, MAX_HEADER_BYTES as u64).read_until(b'\n', &mut lines.text).map_err(ReadFault::Io)?;
    if !lines.text.starts_with(b"Recording(") {
        return Err(Kind::NotARecording.error_at(1, 1).into());
    }
    // If the format number is another one, the rest of the line may differ too. So read the number first.
    let words = String::from_utf8_lossy(&lines.text);
    let format = Tree::new(&words).integer_field("format");
    if let Some(found) = format.filter(|&found| found != i64::from(Recording::<()>::FORMAT)) {
        return Err(error_at_field(Kind::Format { found }, &words, 1, "format").into());
    }
    let (content, sum) = split_and_check_line(&lines.text, 0).map_err(|(kind, column)| kind.error_at(1, column))?;
    let header = from_ron(content).map_err(|error| syntax_error(content, error, 1))?;
    lines.sum = sum;
    Ok((lines, header))
}

fn parse_line<I: DeserializeOwned>(content: &str, number: u32) -> Result<Line<I>, RecordingError> {
    from_ron(content).map_err(|error| syntax_error(content, error, number))
}

/// Parses the line that holds the world at the start of the run.
fn parse_start<I: DeserializeOwned>(
    content: &str,
    number: u32,
    map: &mut Option<Checksum>,
) -> Result<RecordingStart, RecordingError> {
    match parse_line::<I>(content, number)? {
        Line::New { settings, commands } => Ok(RecordingStart::New { settings, commands }),
        Line::State { tick, bytes: Hex(bytes) } => {
            let start = read_snapshot_and_check_map(&bytes, tick, map);
            Ok(RecordingStart::State(Box::new(start.map_err(|kind| error_at_field(kind, content, number, "bytes"))?)))
        }
        _ => {
            let expected = "a `New` or `State` line with the world that the run begins with";
            Err(Kind::Order { expected }.error_at(number, 1))
        }
    }
}

fn syntax_error(content: &str, error: ron::error::SpannedError, number: u32) -> RecordingError {
    let (_, column) = error_line_and_column(content, &error);
    Kind::Syntax { error: error.code }.error_at(number, column)
}

fn error_at_field(kind: Kind, content: &str, number: u32, field: &str) -> RecordingError {
    let (_, column) = locate(content, &[Step::Field(field)]);
    kind.error_at(number, column)
}

/// Reads the recorded state of that tick. It must be on the same map as the states before it.
fn read_snapshot_and_check_map(bytes: &[u8], tick: u64, map: &mut Option<Checksum>) -> Result<Snapshot, Kind> {
    let snapshot = Snapshot::from_bytes(bytes).map_err(|error| Kind::State(Box::new(error)))?;
    if *map.get_or_insert(snapshot.identity()) != snapshot.identity() {
        return Err(Kind::OtherMap);
    }
    if snapshot.tick() != tick {
        return Err(Kind::Tick { found: snapshot.tick(), expected: tick });
    }
    Ok(snapshot)
}

impl From<RecordingError> for ReadFault {
    fn from(error: RecordingError) -> ReadFault {
        ReadFault::Wrong(error)
    }
}

/// Reads line by line and checks the checksums.
struct Lines {
    /// The line with its end.
    text: Vec<u8>,
    /// Its number, from 1.
    number: u32,
    /// Checksum of the last checked line.
    sum: u32,
    left_out: Option<u32>,
}

impl Lines {
    /// Returns the content of the next line and its number. `None` at the end, or if the last line is truncated.
    fn next_line(&mut self, source: &mut dyn BufRead) -> Result<Option<(&str, u32)>, ReadFault> {
        self.text.clear();
        if source.read_until(b'\n', &mut self.text).map_err(ReadFault::Io)? == 0 {
            return Ok(None);
        }
        self.number = self.number.saturating_add(1);
        let number = self.number;
        match split_and_check_line(&self.text, self.sum) {
            Ok((content, sum)) => {
                self.sum = sum;
                Ok(Some((content, number)))
            }
            Err((kind, column)) => {
                if !source.fill_buf().map_err(ReadFault::Io)?.is_empty() {
                    return Err(kind.error_at(number, column).into());
                }
                self.left_out = Some(number);
                Ok(None)
            }
        }
    }
}

/// Returns the content of a line and its checksum, if the stored one is right. On an error, also returns the column.
fn split_and_check_line(line: &[u8], before: u32) -> Result<(&str, u32), (Kind, u32)> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    // Some tools convert line ends to `\r\n`.
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let text =
        std::str::from_utf8(line).map_err(|error| (Kind::NotUtf8, column_after(&line[..error.valid_up_to()])))?;
    let (content, expected) = line::split_checksum(text).ok_or_else(|| (Kind::NoChecksum, column_after(line)))?;
    let found = line::line_checksum(before, content);
    if found != expected {
        return Err((Kind::Damaged { found, expected }, 1));
    }
    Ok((content, found))
}

/// Returns the column, from 1, after the bytes of a line.
fn column_after(before: &[u8]) -> u32 {
    line_and_column(before).1
}

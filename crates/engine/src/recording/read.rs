use super::line::{self, Hex};
use super::{Journal, RecordedState, Recording, RecordingError, RecordingErrorKind as Kind, RecordingFileError, Run};
use crate::checksum::Checksum;
use crate::io::{ReadError, open_limited};
use crate::replay::Checkpoint;
use crate::snapshot::Snapshot;
use crate::text::{Placed, Step, Tree, line_and_column, locate, place};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// How long the first line can be.
const FIRST: u64 = 64 << 10;

/// A value that stands in the file without `Some(...)` around it.
fn bare<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    String::deserialize(deserializer).map(Some)
}

/// What the first line holds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Recording")]
struct Header {
    #[serde(rename = "format")]
    _format: u32,
    physics: u32,
    map: Checksum,
    #[serde(default, deserialize_with = "bare")]
    file: Option<String>,
}

/// What each other line is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "line")]
enum Line<I> {
    Inputs { ticks: u64, input: I },
    Same { ticks: u64 },
    Sums { tick: u64, state: Checksum, motion: Checksum },
    State { tick: u64, bytes: Hex },
    End { ticks: u64 },
}

/// Why reading has ended.
enum Fault {
    Io(std::io::Error),
    Wrong(RecordingError),
}

impl<I: DeserializeOwned> Recording<I> {
    /// Reads a recording from a file of at most [`Journal::MAX_SIZE`]. A last line that was written in part only is left
    /// out, and an end that is missing is told by [`Recording::is_complete`].
    ///
    /// # Errors
    /// [`RecordingFileError`], which names the file, the line and the column.
    pub fn load(path: impl AsRef<Path>) -> Result<Recording<I>, RecordingFileError> {
        const EXPECTED: &str = "a recording";
        let (path, limit) = (path.as_ref(), Journal::<I>::MAX_SIZE);
        let (file, _) = open_limited(path, limit, EXPECTED)?;
        // What grows while it is read ends at the limit: a last line that is cut off.
        let mut source = BufReader::new(file.take(limit));
        read(&mut source).map_err(|fault| match fault {
            Fault::Io(source) => ReadError::Io { path: path.to_owned(), expected: EXPECTED, source }.into(),
            Fault::Wrong(error) => error.in_file(path.display().to_string()).into(),
        })
    }

    /// Reads a recording from its text.
    ///
    /// # Errors
    /// [`RecordingError`] with the line and column.
    pub fn from_text(text: &str) -> Result<Recording<I>, RecordingError> {
        read(&mut text.as_bytes()).map_err(|fault| match fault {
            // A text can always be read.
            Fault::Io(_) => Kind::EndsEarly.at(1, 1),
            Fault::Wrong(error) => error,
        })
    }
}

/// As [`Recording::from_text`], of any bytes.
#[cfg(test)]
pub(super) fn read_bytes_for_test<I: DeserializeOwned>(mut bytes: &[u8]) -> Result<Recording<I>, RecordingError> {
    read(&mut bytes).map_err(|fault| match fault {
        Fault::Io(error) => panic!("{error}"),
        Fault::Wrong(error) => error,
    })
}

impl Kind {
    fn at(self, line: u32, column: u32) -> RecordingError {
        Placed { file: None, line, column, kind: self }
    }
}

fn read<I: DeserializeOwned>(source: &mut impl BufRead) -> Result<Recording<I>, Fault> {
    let (mut lines, header) = begin(source)?;
    let Some((content, number)) = lines.next(source)? else {
        return Err(Kind::EndsEarly.at(2, 1).into());
    };
    let start = match parse::<I>(content, number)? {
        Line::State { tick, bytes } => {
            let start = snapshot(&bytes.0, tick, header.map);
            start.map_err(|kind| at_field(kind, content, number, "bytes"))?
        }
        _ => {
            let expected = "the state that the recording begins with";
            return Err(Kind::Order { expected }.at(number, 1).into());
        }
    };
    let mut recording = Recording {
        physics: header.physics,
        map: header.map,
        map_file: header.file,
        start,
        runs: Vec::new(),
        ticks: 0,
        checkpoints: Vec::new(),
        states: Vec::new(),
        complete: false,
        left_out: None,
    };
    while let Some((content, number)) = lines.next(source)? {
        let read = parse::<I>(content, number)?;
        if recording.complete {
            return Err(Kind::Order { expected: "nothing after the end" }.at(number, 1).into());
        }
        recording.take(read).map_err(|(kind, field)| at_field(kind, content, number, field))?;
    }
    recording.left_out = lines.left_out;
    Ok(recording)
}

/// The first line, as far as it takes to know that this is a recording that can be read.
fn begin(source: &mut impl BufRead) -> Result<(Lines, Header), Fault> {
    let mut lines = Lines { text: Vec::new(), number: 1, sum: 0, left_out: None };
    source.by_ref().take(FIRST).read_until(b'\n', &mut lines.text).map_err(Fault::Io)?;
    if !lines.text.starts_with(b"Recording(") {
        return Err(Kind::NoRecording.at(1, 1).into());
    }
    // Another format may write the rest of the line in another way.
    let words = String::from_utf8_lossy(&lines.text);
    if let Some(found) =
        Tree::new(&words).integer_field("format").filter(|&found| found != i64::from(Recording::<()>::FORMAT))
    {
        return Err(at_field(Kind::Format { found }, &words, 1, "format").into());
    }
    let (content, sum) = check(&lines.text, 0).map_err(|(kind, column)| kind.at(1, column))?;
    let header = ron::from_str(content).map_err(|error| syntax(content, error, 1))?;
    lines.sum = sum;
    Ok((lines, header))
}

fn parse<I: DeserializeOwned>(content: &str, number: u32) -> Result<Line<I>, RecordingError> {
    ron::from_str(content).map_err(|error| syntax(content, error, number))
}

fn syntax(content: &str, error: ron::error::SpannedError, number: u32) -> RecordingError {
    let (_, column) = place(content, &error);
    Kind::Syntax { error: error.code }.at(number, column)
}

fn at_field(kind: Kind, content: &str, number: u32, field: &str) -> RecordingError {
    let (_, column) = locate(content, &[Step::Field(field)]);
    kind.at(number, column)
}

/// A state of that tick on that map.
fn snapshot(bytes: &[u8], tick: u64, map: Checksum) -> Result<Snapshot, Kind> {
    let snapshot = Snapshot::from_bytes(bytes).map_err(|error| Kind::State(Box::new(error)))?;
    if snapshot.identity != map {
        return Err(Kind::OtherMap);
    }
    if snapshot.tick() != tick {
        return Err(Kind::Tick { found: snapshot.tick(), expected: tick });
    }
    Ok(snapshot)
}

impl<I> Recording<I> {
    /// Takes in a line; the name of the field that is wrong with it.
    fn take(&mut self, line: Line<I>) -> Result<(), (Kind, &'static str)> {
        let now = self.start.tick() + self.ticks;
        // Ticks that could still come without the count of them going beyond what can be counted.
        let most = (Self::MAX_TICKS - self.ticks).min(u64::MAX - now);
        let run = |ticks: u64| {
            let fits = (1..=most).contains(&ticks);
            if fits { Ok(ticks) } else { Err((Kind::Ticks { found: ticks, most }, "ticks")) }
        };
        let due = |tick: u64, last: Option<u64>| match tick {
            _ if tick != now => Err((Kind::Tick { found: tick, expected: now }, "tick")),
            _ if last == Some(tick) => Err((Kind::Twice { tick }, "tick")),
            _ => Ok(()),
        };
        match line {
            Line::Inputs { ticks, input } => {
                self.ticks += run(ticks)?;
                self.runs.push(Run { ticks, input });
            }
            Line::Same { ticks } => {
                let ticks = run(ticks)?;
                let last = self.runs.last_mut().ok_or((Kind::Order { expected: "an input" }, "ticks"))?;
                last.ticks += ticks;
                self.ticks += ticks;
            }
            Line::Sums { tick, state, motion } => {
                due(tick, self.checkpoints.last().map(|last| last.tick))?;
                self.checkpoints.push(Checkpoint { tick, state, motion, places: Vec::new() });
            }
            Line::State { tick, bytes } => {
                due(tick, Some(self.states.last().map_or(self.start.tick(), |last| last.tick)))?;
                snapshot(&bytes.0, tick, self.map).map_err(|kind| (kind, "bytes"))?;
                self.states.push(RecordedState { tick, bytes: bytes.0.into() });
            }
            Line::End { ticks } => {
                if ticks != self.ticks {
                    return Err((Kind::Tick { found: ticks, expected: self.ticks }, "ticks"));
                }
                self.complete = true;
            }
        }
        Ok(())
    }
}

impl From<RecordingError> for Fault {
    fn from(error: RecordingError) -> Fault {
        Fault::Wrong(error)
    }
}

/// Reads line by line and checks their checksums.
struct Lines {
    /// The line with its end.
    text: Vec<u8>,
    /// Its number, from 1.
    number: u32,
    /// The checksum of the last line that was checked.
    sum: u32,
    left_out: Option<u32>,
}

impl Lines {
    /// The content of the next line and its number; `None` at the end, or if the last line is not whole.
    fn next(&mut self, source: &mut impl BufRead) -> Result<Option<(&str, u32)>, Fault> {
        self.text.clear();
        if source.read_until(b'\n', &mut self.text).map_err(Fault::Io)? == 0 {
            return Ok(None);
        }
        self.number = self.number.saturating_add(1);
        let number = self.number;
        match check(&self.text, self.sum) {
            Ok((content, sum)) => {
                self.sum = sum;
                Ok(Some((content, number)))
            }
            Err((kind, column)) => {
                if !source.fill_buf().map_err(Fault::Io)?.is_empty() {
                    return Err(kind.at(number, column).into());
                }
                self.left_out = Some(number);
                Ok(None)
            }
        }
    }
}

/// The content of a line and its checksum, if that is the one it names; with the column of what is wrong.
fn check(line: &[u8], before: u32) -> Result<(&str, u32), (Kind, u32)> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    // Some tools change the ends of lines.
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let text = std::str::from_utf8(line).map_err(|error| (Kind::NotUtf8, column(&line[..error.valid_up_to()])))?;
    let (content, expected) = line::split(text).ok_or_else(|| (Kind::NoSum, column(line)))?;
    let found = line::sum(before, content);
    if found != expected {
        return Err((Kind::Damaged { found, expected }, 1));
    }
    Ok((content, found))
}

/// The column, from 1, after bytes of a line.
fn column(before: &[u8]) -> u32 {
    line_and_column(before).1
}

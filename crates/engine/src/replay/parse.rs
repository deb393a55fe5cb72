use super::check::{check, physics};
use super::format::{MapChoice, ReplayFile, name_parts};
use super::problem::Problems;
use super::{MapSource, Replay, ReplayError, ReplayErrorKind};
use crate::catalogue::Catalogue;
use crate::io::LoadError;
use crate::map::{Limits, Map, MapErrorKind, find_large_integers, name_legend};
use crate::text::Step::{Field, Item};
use crate::text::{self, Step, integer_field, locate};

impl Replay {
    /// Reads a replay with an inline map from the text of a RON file; `docs/replay-format.md` lists its fields.
    ///
    /// A byte order mark before the text is skipped.
    ///
    /// # Errors
    /// [`ReplayError`] with the line and column of what is wrong; [`ReplayErrorKind::NoFolder`] for a replay whose map
    /// is a file.
    pub fn from_ron(text: &str) -> Result<Replay, ReplayError> {
        read(text, None)
    }

    /// As [`Replay::from_ron`], for a replay whose map may be a file: `load` gets its path, which is relative, without
    /// `..` and with `/` between its parts.
    ///
    /// # Errors
    /// As [`Replay::from_ron`], and [`ReplayErrorKind::MapFile`] if `load` fails.
    pub fn from_ron_with(
        text: &str,
        mut load: impl FnMut(&str) -> Result<Map, LoadError>,
    ) -> Result<Replay, ReplayError> {
        read(text, Some(&mut load))
    }
}

/// Gives the map of a path.
pub(crate) type Loader<'a> = &'a mut dyn FnMut(&str) -> Result<Map, LoadError>;

fn read(text: &str, load: Option<Loader<'_>>) -> Result<Replay, ReplayError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let read = ron::from_str::<ReplayFile<'_>>(text);
    let format = match &read {
        Ok(file) => Some(file.format),
        // A file of a later format may well have fields of other forms; its version is then what matters.
        Err(_) => integer_field(text, "format"),
    };
    if let Some(found) = format.filter(|&found| !is_known(found)) {
        return Err(error_at(text, &[Field("format")], ReplayErrorKind::Format { found }));
    }
    let mut file = read.map_err(|error| {
        let (line, column) = text::position(text, &error);
        let mut error = error.code;
        name_legend(&mut error);
        name_parts(&mut error);
        let ends_early = text::ends_early(text, &error, (line, column));
        let kind = if ends_early { ReplayErrorKind::EndsEarly { error } } else { ReplayErrorKind::Syntax { error } };
        ReplayError { file: None, line, column, kind }
    })?;
    if let MapChoice::Inline(map) = &mut file.map {
        find_large_integers(text, &[Field("map"), Item(0)], &mut map.properties);
    }
    let mut problems = Problems::new(1);
    let replay = gather(file, load, false, &mut problems);
    match (replay, problems.list.into_iter().next()) {
        (_, Some(problem)) => Err(problem.place(text)),
        (Some(replay), None) => Ok(replay),
        // Where there is no replay there is a problem.
        (None, None) => Err(error_at(text, &[], ReplayErrorKind::NamelessBody)),
    }
}

/// Whether files of that format are read.
fn is_known(format: i64) -> bool {
    (1..=i64::from(Replay::FORMAT)).contains(&format)
}

fn error_at(text: &str, steps: &[Step<'_>], kind: ReplayErrorKind) -> ReplayError {
    let (line, column) = locate(text, steps);
    ReplayError { file: None, line, column, kind }
}

/// Checks a file whose format is read, up to the problems' limit; `load` gives the map of a path.
pub(crate) fn gather(
    mut file: ReplayFile<'_>,
    load: Option<Loader<'_>>,
    doubtful_map: bool,
    problems: &mut Problems,
) -> Option<Replay> {
    if !is_known(file.format) {
        problems.add(&[Field("format")], || ReplayErrorKind::Format { found: file.format });
        return None;
    }
    let physics = physics(file.physics, problems);
    let choice = std::mem::replace(&mut file.map, MapChoice::File(String::new()));
    let map = map(choice, load, problems).filter(|_| !doubtful_map);
    check(file, physics, map, problems)
}

fn map(choice: MapChoice, load: Option<Loader<'_>>, problems: &mut Problems) -> Option<(MapSource, Map)> {
    let within = [Field("map"), Item(0)];
    match choice {
        MapChoice::Inline(file) => {
            if let Some(path) = file.catalogue {
                let steps = [&within[..], &[Field("catalogue")]].concat();
                problems.add(&steps, || ReplayErrorKind::Map(MapErrorKind::NoFolder { path }));
                return None;
            }
            let mut found = crate::map::problem::Problems::new(problems.limit);
            let map = crate::map::parse::check(*file, &Catalogue::builtin(), &Limits::default(), &mut found);
            for problem in found.list {
                problems.add(&[&within, &problem.steps[..]].concat(), || ReplayErrorKind::Map(problem.kind));
            }
            problems.more += found.more;
            Some((MapSource::Inline, map?))
        }
        MapChoice::File(path) => {
            let Some(parts) = super::inside(&path) else {
                problems.add(&within, || ReplayErrorKind::MapPath { path });
                return None;
            };
            let Some(load) = load else {
                problems.add(&within, || ReplayErrorKind::NoFolder { path });
                return None;
            };
            let map = load(&parts.join("/")).map_err(|source| ReplayErrorKind::MapFile { source: Box::new(source) });
            let map = problems.check(&within, map)?;
            Some((MapSource::File(path), map))
        }
    }
}

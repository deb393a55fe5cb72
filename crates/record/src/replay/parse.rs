use super::check::{Limits as Most, check_replay, read_physics_version};
use super::follow_on::FollowOn;
use super::format::{MapChoice, REPLAY};
use super::{MapSource, Replay, ReplayError, ReplayErrorKind};
use crate::catalogue::Catalogue;
use crate::io::MapLoadError;
use crate::map::{Map, MapErrorKind, MapLimits};
use crate::text::Step::{Field, Item};
use crate::text::{Mistakes, Problems, Reader, Step};
use crate::tiles::map::parse::FollowOn as MapFollowOn;
use std::cell::OnceCell;

impl Replay {
    /// Reads a replay from RON text that contains its map.
    ///
    /// `docs/formats/replay.md` in the repository lists the fields. A byte order mark before the text is skipped.
    ///
    /// # Errors
    /// - Returns [`ReplayError`], with line and column, if the text is not a valid replay.
    /// - The kind of the error is [`ReplayErrorKind::NoFolder`] if the replay names a map file instead of containing
    ///   its map.
    pub fn from_ron(text: &str) -> Result<Replay, ReplayError> {
        load_replay(text, None)
    }

    /// Reads a replay from RON text that may name a map file. `load` gets the path of that file and returns the map.
    ///
    /// The path is relative to the folder of the replay, without `..`, and has `/` between its parts. If the text
    /// contains the map, `load` is not called.
    ///
    /// # Errors
    /// - Returns [`ReplayError`], with line and column, if the text is not a valid replay.
    /// - The kind of the error is [`ReplayErrorKind::MapFile`] if `load` returns an error.
    pub fn from_ron_with(
        text: &str,
        mut load: impl FnMut(&str) -> Result<Map, MapLoadError>,
    ) -> Result<Replay, ReplayError> {
        load_replay(text, Some(&mut load))
    }
}

/// Returns the map of a path.
pub(crate) type Loader<'a> = &'a mut dyn FnMut(&str) -> Result<Map, MapLoadError>;

fn load_replay(text: &str, load: Option<Loader<'_>>) -> Result<Replay, ReplayError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    read_replay(text, 1, load).map_err(|mistakes| mistakes.first_error(text))
}

/// Reads a replay and reports at most `most` errors. `load` returns the map of a path.
pub(crate) fn read_replay(
    text: &str,
    most: usize,
    load: Option<Loader<'_>>,
) -> Result<Replay, Mistakes<ReplayErrorKind>> {
    read_with_limits(text, most, load, Most::default())
}

/// Does [`read_replay`] with other limits.
pub(super) fn read_with_limits(
    text: &str,
    most: usize,
    load: Option<Loader<'_>>,
    limits: Most,
) -> Result<Replay, Mistakes<ReplayErrorKind>> {
    let mut reader = Reader::checked(text);
    // The format number of a map or catalogue is not that of a replay.
    let is_replay = reader.tree.root().is_none_or(|root| matches!(root.name(), "" | "Replay"));
    let format = reader.tree.integer_field("format").filter(|_| is_replay);
    if let Some(found) = format.filter(|&found| found != i64::from(Replay::FORMAT)) {
        let span = reader.tree.find_span(&[Field("format")]).unwrap_or_default();
        return Err(Mistakes::with_form_errors(span, ReplayErrorKind::Format { found }, reader));
    }
    let mut problems = Problems::new(most);
    let mut replay = None;
    if let Some(root) = reader.tree.root() {
        let mut fields = reader.read_fields(root, REPLAY);
        let physics = read_physics_version(&mut reader, fields.take("physics"), &mut problems);
        let choice = fields.take("map").and_then(|node| MapChoice::read(&mut reader, node)).unwrap_or_default();
        let tree = &reader.tree;
        let is_sound = tree.find(&MAP).is_some_and(|map| !tree.has_faults(map));
        let map = read_map(choice, load, &mut problems).filter(|_| is_sound);
        replay = check_replay(&mut reader, fields, physics, map, limits, &mut problems);
    }
    let (of_map, follow_on) = (OnceCell::new(), OnceCell::new());
    reader.into_result(replay, problems, false, |reader, steps, kind| match kind {
        ReplayErrorKind::Map(kind) => {
            of_map.get_or_init(|| MapFollowOn::find_unknown_parts(reader, &MAP, false)).is_follow_on(kind)
        }
        kind => follow_on.get_or_init(|| FollowOn::find_unknown_parts(&reader.tree)).is_follow_on(steps, kind),
    })
}

/// Path to the map.
const MAP: [Step<'_>; 2] = [Field("map"), Item(0)];

fn read_map(
    choice: MapChoice,
    load: Option<Loader<'_>>,
    problems: &mut Problems<ReplayErrorKind>,
) -> Option<(MapSource, Map)> {
    match choice {
        MapChoice::Inline(file) => {
            if let Some(path) = file.catalogue {
                let steps = [&MAP[..], &[Field("catalogue")]].concat();
                problems.add(&steps, || ReplayErrorKind::Map(MapErrorKind::NoFolder { path }));
                return None;
            }
            let mut found = Problems::new(problems.limit);
            let map = crate::tiles::map::parse::check_map_file(
                *file,
                &Catalogue::builtin(),
                &MapLimits::default(),
                &mut found,
            );
            for (steps, kind) in found.list {
                problems.add(&[&MAP, &steps[..]].concat(), || ReplayErrorKind::Map(kind));
            }
            problems.more += found.more;
            Some((MapSource::Inline, map?))
        }
        MapChoice::File(path) => {
            let Some(parts) = super::parts_inside_folder(&path) else {
                problems.add(&MAP, || ReplayErrorKind::MapPath { path });
                return None;
            };
            let Some(load) = load else {
                problems.add(&MAP, || ReplayErrorKind::NoFolder { path });
                return None;
            };
            let map = load(&parts.join("/")).map_err(|source| ReplayErrorKind::MapFile { source: Box::new(source) });
            let map = problems.ok_or_add(&MAP, map)?;
            Some((MapSource::File(path), map))
        }
    }
}

//! From a text that does not load to all that is wrong with it.

use super::doubts::Doubts;
use super::words::EXPECTS;
use super::{FileKind, MapLoader, Report};
use crate::catalogue::format::{CatalogueFile, gather as gather_catalogue};
use crate::catalogue::{Catalogue, CatalogueErrorKind, CatalogueErrors};
use crate::io::{CatalogueLoadError, LoadError, own_catalogue};
use crate::map::{Limits, Map, MapError, MapErrorKind, MapFile};
use crate::replay::format::{MapChoice, ReplayFile};
use crate::replay::{ReplayError, ReplayErrorKind, inside};
use crate::text::Step::{Field, Item};
use crate::text::{Fault, Faults, Shape, Step, Tree, first_name, has_field, hint, offset_of, read, start_of, typed};
use std::fmt::{Debug, Display};
use std::path::Path;
use std::sync::Arc;

/// What was found, with drawings.
#[derive(Default)]
pub(super) struct Found {
    pub(super) faults: Vec<(Fault, Option<String>)>,
    pub(super) more: usize,
    /// Where brackets begin in which something is told to be out of order.
    damaged: Vec<usize>,
}

/// The error of a reader that stops at its first one.
#[derive(Debug)]
pub(super) struct Strict {
    place: (u32, u32),
    words: String,
    code: String,
    /// Whether there is no use in looking for more.
    pub(super) is_all: bool,
    unknown_kind: bool,
}

impl Strict {
    /// The error of a text that is none of what is read.
    pub(super) fn of_unknown_kind() -> Strict {
        let words = format!("{UNKNOWN_KIND}; expected one that begins with `Map(`, `Catalogue(` or `Replay(`");
        Strict { place: (1, 1), words, code: "unknown_kind".to_owned(), is_all: false, unknown_kind: true }
    }

    fn new(place: (u32, u32), kind: &(impl Debug + Display), is_all: bool) -> Strict {
        Strict { place, words: kind.to_string(), code: code(kind), is_all, unknown_kind: false }
    }

    pub(super) fn of_catalogue(errors: CatalogueErrors) -> Option<Strict> {
        let error = errors.into_iter().next()?;
        let is_all = matches!(error.kind, CatalogueErrorKind::Format { .. });
        Some(Strict::new(error.place?, &error.kind, is_all))
    }
}

impl From<MapError> for Strict {
    fn from(error: MapError) -> Strict {
        let is_all = matches!(error.kind, MapErrorKind::Format { .. });
        Strict::new((error.line, error.column), &error.kind, is_all)
    }
}

impl From<ReplayError> for Strict {
    fn from(error: ReplayError) -> Strict {
        let is_all = matches!(error.kind, ReplayErrorKind::Format { .. });
        Strict::new((error.line, error.column), &error.kind, is_all)
    }
}

impl From<LoadError> for Strict {
    fn from(error: LoadError) -> Strict {
        match error {
            LoadError::Map(error) => error.into(),
            LoadError::Catalogue { line, column, source, .. } => Strict {
                place: (line, column),
                words: format!("the catalogue: {source}").lines().next().unwrap_or_default().to_owned(),
                code: "catalogue".to_owned(),
                is_all: false,
                unknown_kind: false,
            },
            other => Strict {
                place: (1, 1),
                words: other.to_string(),
                code: "catalogue".to_owned(),
                is_all: false,
                unknown_kind: false,
            },
        }
    }
}

/// The catalogue of a map of that path: what it names, or the built-in one.
pub(super) fn catalogue_of(
    named: Option<&str>,
    path: Option<&Path>,
    at: &dyn Fn(MapErrorKind) -> MapError,
) -> Result<Arc<Catalogue>, LoadError> {
    match (named, path) {
        (None, _) => Ok(Catalogue::builtin()),
        // Nothing outside the map's folder is looked for.
        (Some(named), Some(_)) if inside(named).is_none() => {
            Err(at(MapErrorKind::CatalogueOutside { path: named.to_owned() }).into())
        }
        (Some(named), Some(path)) => own_catalogue(path, named, at),
        (Some(named), None) => Err(at(MapErrorKind::NoFolder { path: named.to_owned() }).into()),
    }
}

/// The name of an error's kind in small letters: `UnknownTile { .. }` is `unknown_tile`.
fn code(kind: &impl Debug) -> String {
    let written = format!("{kind:?}");
    // What is wrapped in `Map(...)` is a kind too.
    let written = written.strip_prefix("Map(").unwrap_or(&written);
    let mut code = String::new();
    for c in written.chars().take_while(|c| c.is_alphanumeric()) {
        if c.is_uppercase() && !code.is_empty() {
            code.push('_');
        }
        code.extend(c.to_lowercase());
    }
    code
}

impl Found {
    fn add(&mut self, fault: Fault) {
        if self.faults.len() < 10 * Report::MAX {
            self.faults.push((fault, None));
        } else {
            self.more += 1;
        }
    }

    /// Adds a problem of a file, with another hint than its own if there is one.
    fn add_kind(&mut self, tree: &Tree<'_>, steps: &[Step<'_>], kind: &(impl Debug + Display), hint: Option<String>) {
        let code = code(kind);
        // Of a pair or a shape with something else wrong in it nothing is known, nor how deep brackets are that go too
        // deep to be read.
        let whole = |node| tree.shape(node) == Shape::Tuple || code == "too_deep";
        if tree.find(steps).is_some_and(|node| whole(node) && tree.has_faults(node)) {
            return;
        }
        if let Some(span) = tree.find_span(steps) {
            let mut fault = Fault::from_words(code, span, &kind.to_string());
            fault.hint = hint.unwrap_or(fault.hint);
            fault.place = narrow(tree.text(), &fault);
            self.add(fault);
        }
    }

    /// Adds the error of a reader that stops at its first one, if nothing was found where it is.
    pub(super) fn add_if_missed(&mut self, text: &str, strict: Strict) {
        if strict.unknown_kind && !self.faults.is_empty() || !self.is_missed(text, &strict) {
            return;
        }
        let at = offset_of(text, strict.place);
        let end = at + text[at..].chars().next().map_or(0, char::len_utf8);
        self.faults.push((Fault::from_words(strict.code, (at, end), &strict.words), None));
    }

    /// Whether nothing was found where another reader stopped, nor anything before it that it read over.
    pub(super) fn is_missed(&self, text: &str, strict: &Strict) -> bool {
        let at = offset_of(text, strict.place);
        // White space before what is wrong is as good.
        let after = text.len() - text[at..].trim_start().len();
        let tells = |fault: &Fault| {
            let span = fault.span.0.min(fault.begin())..=fault.span.1;
            span.contains(&at) || span.contains(&after) || fault.swallows && fault.span.0 <= at
        };
        // What is out of order further in may make other brackets of these to another reader.
        !self.damaged.contains(&at) && !self.faults.iter().any(|(fault, _)| tells(fault))
    }
}

/// What to do about an error in another file.
fn other_file(error: &LoadError) -> Option<String> {
    let file = match error {
        LoadError::Map(error) => error.file.as_ref()?,
        LoadError::Catalogue { source: CatalogueLoadError::Catalogue(errors), .. } => errors.first()?.file.as_ref()?,
        _ => return None,
    };
    Some(format!("`surefoot check {file}` shows it there"))
}

/// Where in what a fault is about it is told: the run of an unknown character, the word that is no placement.
fn narrow(text: &str, fault: &Fault) -> Option<(usize, usize)> {
    let (start, end) = fault.span;
    let source = text.get(start..end).filter(|source| !source.is_empty())?;
    match &*fault.code {
        "unknown_character" => {
            let run = text[start..].len() - text[start..].trim_start_matches(source).len();
            Some((start, start + run))
        }
        "unknown_tile" => {
            let word = match fault.message.rsplit_once(": ")?.1 {
                words if words.starts_with("`m` stands behind") => "m",
                words => words.strip_prefix('`')?.strip_suffix("` is no placement")?,
            };
            let apart = |c: char| c.is_whitespace() || c == '"';
            let whole = |at: usize| source[..at].ends_with(apart) && source[at + word.len()..].starts_with(apart);
            let at = source.rmatch_indices(word).map(|(at, _)| at).find(|&at| whole(at))?;
            Some((start + at, start + at + word.len()))
        }
        _ => None,
    }
}

/// What a text is meant to be: by its name, or by the fields it has.
pub(super) fn kind_of(text: &str) -> Option<FileKind> {
    const FIELDS: [(FileKind, &[&str]); 3] = [
        (FileKind::Catalogue, &["patterns"]),
        (FileKind::Replay, &["map", "ticks", "bodies", "inputs", "commands", "checksums"]),
        (FileKind::Map, &["tiles", "layers", "legend", "markers", "beyond"]),
    ];
    let name = first_name(text);
    let by_name = KINDS.iter().find(|(known, _)| *known == name).map(|&(_, kind)| kind);
    let by_fields =
        || FIELDS.iter().find(|(_, fields)| fields.iter().any(|field| has_field(text, field))).map(|&(kind, _)| kind);
    by_name.or_else(by_fields)
}

/// What is said of a text that is none of them.
const UNKNOWN_KIND: &str = "this is no map, no catalogue and no replay";

const KINDS: [(&str, FileKind); 3] =
    [("Map", FileKind::Map), ("Catalogue", FileKind::Catalogue), ("Replay", FileKind::Replay)];

/// Whether a text begins with attributes other than the usual one. They change what a struct looks like, or are damaged;
/// only the reader of loading knows.
pub(super) fn has_extensions(text: &str) -> bool {
    let attributes: String = text[..start_of(text)].lines().filter(|line| line.trim_start().starts_with('#')).collect();
    !attributes.is_empty() && attributes.trim() != "#![enable(implicit_some)]"
}

/// All that is wrong with a text, as far as it goes.
pub(super) fn all(text: &str, kind: Option<FileKind>, load: Option<MapLoader<'_>>, path: Option<&Path>) -> Found {
    let mut found = Found::default();
    if has_extensions(text) {
        return found;
    }
    let mut faults = Faults::default();
    let tree = read(text, &mut faults);
    found.damaged = tree.damaged().collect();
    match (kind, tree.root()) {
        // What is not in the tree cannot be told from what is missing.
        (_, Some(_)) if tree.is_cut() => {}
        (_, None) => {}
        (Some(FileKind::Map), Some(root)) => {
            if let Some(mut file) = typed::<MapFile<'_>>(&tree, root, &EXPECTS, &mut faults) {
                if tree.find(&[Field("format")]).is_none() {
                    file.format = i64::from(Map::FORMAT);
                }
                // A path that is none is told by the map's own check.
                let outside = file.catalogue.as_deref().is_some_and(|named| inside(named).is_none());
                let own = catalogue_of(file.catalogue.as_deref(), path, &|kind| MapError {
                    file: None,
                    line: 1,
                    column: 1,
                    kind,
                });
                let mut problems = crate::map::problem::Problems::new(Report::MAX);
                let patterns = own.as_ref().map_or_else(|_| Catalogue::builtin(), Arc::clone);
                crate::map::parse::check(file, &patterns, &Limits::default(), &mut problems);
                let doubts = Doubts::of_map(&tree, &[]).about_tiles(own.is_err());
                if let (Err(error), false, Some(span)) = (own, outside, tree.find_span(&[Field("catalogue")])) {
                    let other = other_file(&error);
                    let Strict { words, code, .. } = error.into();
                    let mut fault = Fault::from_words(code, span, &words);
                    fault.hint = other.unwrap_or(fault.hint);
                    found.add(fault);
                }
                for problem in problems.list {
                    if !doubts.covers_map(&problem.kind) {
                        found.add_kind(&tree, &problem.steps, &problem.kind, None);
                    }
                }
                found.more += problems.more;
            }
        }
        (Some(FileKind::Catalogue), Some(root)) => {
            if let Some(file) = typed::<CatalogueFile>(&tree, root, &EXPECTS, &mut faults) {
                catalogue(&tree, file, &mut found);
            }
        }
        (Some(FileKind::Replay), Some(root)) => {
            if let Some(file) = typed::<ReplayFile<'_>>(&tree, root, &EXPECTS, &mut faults) {
                replay(&tree, file, load, &mut found);
            }
        }
        (None, Some(root)) => {
            let name = tree.name(root);
            let (start, end) = tree.span(root);
            let known: Vec<String> = KINDS.iter().map(|(known, _)| (*known).to_owned()).collect();
            let message = if name.is_empty() {
                UNKNOWN_KIND.to_owned()
            } else {
                format!("`{name}` is no map, no catalogue and no replay")
            };
            let words = match tree.shape(root) {
                Shape::Map => "RON writes `Map(format: 1, ...)` where JSON has braces".into(),
                _ => hint(name, &known),
            };
            // The name is marked, with the `r#` before a raw one; of what has none the first character, however many bytes
            // that has.
            let told = text.get(start..end).unwrap_or_default();
            let first = told.chars().next().map_or(0, char::len_utf8);
            let named = told.find(name).filter(|_| !name.is_empty()).map(|at| at + name.len());
            let end = start + named.unwrap_or(first);
            faults.push(Fault::new("unknown_kind", (start, end), message, words.trim_start_matches("; ")));
        }
    }
    found.more += faults.more;
    for fault in faults.list {
        found.add(fault);
    }
    found
}

fn catalogue(tree: &Tree<'_>, file: CatalogueFile, found: &mut Found) {
    for (steps, kind, drawing) in gather_catalogue(file) {
        // What is wrong with a shape depends on the pattern's kind and on all of its points.
        if let [field, pattern, Field(part), ..] = steps[..] {
            let has = |name| tree.find(&[field, pattern, Field(name)]).is_some_and(|node| !tree.has_faults(node));
            let whole = tree.find(&[field, pattern]).is_some_and(|node| !tree.is_damaged(node));
            if !whole || part != "name" && !(has("kind") && has("paths")) {
                continue;
            }
        }
        let Some(span) = tree.find_span(&steps) else { continue };
        found.add(Fault::from_words(code(&kind), span, &kind.to_string()));
        if let Some((_, last)) = found.faults.last_mut() {
            *last = drawing;
        }
    }
}

fn replay(tree: &Tree<'_>, mut file: ReplayFile<'_>, load: Option<MapLoader<'_>>, found: &mut Found) {
    let within = [Field("map"), Item(0)];
    if tree.find(&[Field("format")]).is_none() {
        file.format = 1;
    }
    if let MapChoice::Inline(map) = &mut file.map
        && tree.find(&[Field("map"), Item(0), Field("format")]).is_none()
    {
        map.format = i64::from(Map::FORMAT);
    }
    let doubtful_map = tree.find(&within).is_none_or(|map| tree.has_faults(map));
    let mut problems = crate::replay::problem::Problems::new(Report::MAX);
    crate::replay::parse::gather(file, load, doubtful_map, &mut problems);
    let of_map = Doubts::of_map(tree, &within);
    let doubts = Doubts::of_replay(tree);
    for problem in problems.list {
        let covered = match &problem.kind {
            ReplayErrorKind::Map(kind) => of_map.covers_map(kind),
            kind => doubts.covers_replay(&problem.steps, kind),
        };
        if !covered {
            let hint = match &problem.kind {
                ReplayErrorKind::MapFile { source } => other_file(source),
                ReplayErrorKind::Map(MapErrorKind::NoFolder { .. }) => {
                    Some("expected `map: File(...)`, since a map with its own catalogue lies in a file".to_owned())
                }
                _ => None,
            };
            found.add_kind(tree, &problem.steps, &problem.kind, hint);
        }
    }
    found.more += problems.more;
}

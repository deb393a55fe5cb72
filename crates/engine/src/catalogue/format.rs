//! The form of a catalogue's file, and where its parts stand.

use super::check::{self, Fault, Spot};
use super::{Catalogue, CatalogueError, CatalogueErrorKind, CatalogueErrors, Kind, Pattern};
use crate::text::Step::{Field, Item};
use crate::text::{self, Step, bare, integer_field, locate};
use serde::Deserialize;

/// A catalogue's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Catalogue")]
pub(crate) struct CatalogueFile {
    pub(crate) format: i64,
    patterns: Vec<Drawn>,
}

/// A pattern as it stands in a file, not yet checked.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, rename = "Pattern")]
pub(super) struct Drawn {
    pub(super) name: String,
    pub(super) kind: Kind,
    #[serde(rename = "use", default)]
    purpose: String,
    /// How many variants the author says it has.
    #[serde(default, deserialize_with = "bare")]
    pub(super) variants: Option<i64>,
    pub(super) paths: Vec<Vec<(i64, i64)>>,
}

impl Drawn {
    /// The pattern; its points must have been found to be on the lattice.
    pub(super) fn pattern(&self) -> Pattern {
        let small = |&(x, y): &(i64, i64)| (x as i8, y as i8);
        Pattern {
            name: self.name.clone(),
            kind: self.kind,
            purpose: self.purpose.clone(),
            paths: self.paths.iter().map(|path| path.iter().map(small).collect()).collect(),
        }
    }
}

impl From<Pattern> for Drawn {
    fn from(pattern: Pattern) -> Drawn {
        let wide = |(x, y): (i8, i8)| (i64::from(x), i64::from(y));
        let paths = pattern.paths.into_iter().map(|path| path.into_iter().map(wide).collect()).collect();
        Drawn { name: pattern.name, kind: pattern.kind, purpose: pattern.purpose, variants: None, paths }
    }
}

pub(super) fn read(text: &str) -> Result<Catalogue, CatalogueErrors> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let one =
        |place, kind| CatalogueErrors(vec![CatalogueError { file: None, place: Some(place), kind, drawing: None }]);
    let read = ron::from_str::<CatalogueFile>(text);
    let format = match &read {
        Ok(file) => Some(file.format),
        // A file of a later format may well have fields of other forms; its version is then what matters.
        Err(_) => integer_field(text, "format"),
    };
    if let Some(found) = format.filter(|&found| found != i64::from(Catalogue::FORMAT)) {
        return Err(one(locate(text, &[Field("format")]), CatalogueErrorKind::Format { found }));
    }
    let file = read.map_err(|error| {
        let place = text::position(text, &error);
        let ends_early = text::ends_early(text, &error.code, place);
        let error = error.code;
        let kind =
            if ends_early { CatalogueErrorKind::EndsEarly { error } } else { CatalogueErrorKind::Syntax { error } };
        one(place, kind)
    })?;
    let place = |spot: Spot| Some(locate(text, &spot.steps()));
    build(file.patterns, place)
}

/// All that is wrong with the patterns of a file, each with the way to it and its drawing.
pub(crate) fn gather(file: CatalogueFile) -> Vec<(Vec<Step<'static>>, CatalogueErrorKind, Option<String>)> {
    let faults = check::check(file.patterns).err().unwrap_or_default();
    faults.into_iter().map(|Fault { spot, kind, drawing }| (spot.steps(), kind, drawing)).collect()
}

/// The catalogue of these patterns; `place` says where a part of them stands.
pub(super) fn build(
    patterns: Vec<Drawn>,
    place: impl Fn(Spot) -> Option<(u32, u32)>,
) -> Result<Catalogue, CatalogueErrors> {
    let error = |Fault { spot, kind, drawing }: Fault| CatalogueError { file: None, place: place(spot), kind, drawing };
    match check::check(patterns) {
        Ok((patterns, (variants, by_placement))) => Ok(Catalogue { patterns, variants, by_placement }),
        Err(faults) => Err(CatalogueErrors(faults.into_iter().map(error).collect())),
    }
}

impl Spot {
    fn steps(self) -> Vec<Step<'static>> {
        let of = |i: usize, steps: &[Step<'static>]| [&[Field("patterns"), Item(i)], steps].concat();
        match self {
            Spot::Patterns => vec![Field("patterns")],
            Spot::Name(i) => of(i, &[Field("name")]),
            Spot::Variants(i) => of(i, &[Field("variants")]),
            Spot::Paths(i) => of(i, &[Field("paths")]),
            Spot::Path(i, path) => of(i, &[Field("paths"), Item(path)]),
            Spot::Point(i, path, point) => of(i, &[Field("paths"), Item(path), Item(point)]),
        }
    }
}

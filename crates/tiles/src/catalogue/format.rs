//! The fields of a catalogue file and their positions.

#![allow(missing_docs)] // Some items are public only for the other crates of the engine.

use super::check::{self, Fault, Spot};
use super::drawn::Drawn;
use super::{Catalogue, CatalogueError, CatalogueErrorKind, CatalogueErrors, LATTICE, PatternKind};
use crate::text::Step::{Field, Item};
use crate::text::{
    Diagnosed, FormError, Mistakes, Node, Problems, Reader, Shape, Step, Struct, is_short, line_and_column,
};

const CATALOGUE: Struct<'_> = Struct { name: "Catalogue", required: &["format", "patterns"], optional: &[] };
const PATTERN: Struct<'_> =
    Struct { name: "Pattern", required: &["name", "kind", "paths"], optional: &["use", "variants"] };

impl Drawn {
    fn read<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Drawn {
        let mut fields = reader.read_fields(node, PATTERN);
        let kind = fields.take("kind").and_then(|node| {
            reader.read_word(
                node,
                &["Solid", "Open", "Wall"],
                &[PatternKind::Solid, PatternKind::Open, PatternKind::Wall],
            )
        });
        Drawn {
            name: fields.take("name").map(|node| reader.read_string(node)).unwrap_or_default(),
            kind: kind.unwrap_or(PatternKind::Solid),
            purpose: fields.take("use").map(|node| reader.read_string(node)).unwrap_or_default(),
            variants: fields.take("variants").map(|node| reader.read_integer(node, "1 to 8")),
            paths: fields.take("paths").map(|node| read_paths(reader, node)).unwrap_or_default(),
        }
    }
}

fn read_paths<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Vec<Vec<(i64, i64)>> {
    let mut paths = Vec::new();
    let range = format!("0 to {LATTICE}");
    let mut first = None;
    node.visit_parts(|_, part| {
        first = Some(part);
        false
    });
    if node.shape() == Shape::List && first.is_some_and(|part| part.shape() == Shape::Tuple) {
        let source = node.source();
        let whole = if is_short(source) { source } else { "[(0, 0), (16, 16)]" };
        let hint = format!("expected each path to be a list of points, such as `[{whole}]`");
        let (expected, found) = ("a list of paths".to_owned(), "a list of points".to_owned());
        reader.report_wrong(node, FormError::Type { expected, found, hint });
        return paths;
    }
    reader.read_list(node, &[], |reader, node| {
        let mut path = Vec::new();
        let point = "an x and a y, such as (0, 0)";
        reader.read_list(node, &[], |reader, node| path.push(reader.read_integer_pair(node, point, &range)));
        paths.push(path);
    });
    paths
}

/// An error of a catalogue, and a drawing of it.
#[derive(thiserror::Error)]
#[error("{kind}")]
pub struct Shown {
    pub kind: CatalogueErrorKind,
    pub drawing: Option<String>,
}

surefoot_geometry::debug_is_display!(Shown);

impl From<FormError> for Shown {
    fn from(error: FormError) -> Shown {
        Shown { kind: error.into(), drawing: None }
    }
}

/// Reads a catalogue from a text, or returns all errors.
pub fn read_catalogue_text(text: &str) -> Result<Catalogue, Mistakes<Shown>> {
    let mut reader = Reader::checked(text);
    if let Some(found) = reader.tree.integer_field("format").filter(|&found| found != i64::from(Catalogue::FORMAT)) {
        let span = reader.tree.find_span(&[Field("format")]).unwrap_or_default();
        return Err(Mistakes::with_form_errors(
            span,
            Shown { kind: CatalogueErrorKind::Format { found }, drawing: None },
            reader,
        ));
    }
    let mut patterns = Vec::new();
    if let Some(root) = reader.tree.root() {
        let mut fields = reader.read_fields(root, CATALOGUE);
        if let Some(node) = fields.take("format") {
            reader.read_integer(node, "1");
        }
        if let Some(node) = fields.take("patterns") {
            reader.read_list(node, &[Shape::Struct], |reader, node| patterns.push(Drawn::read(reader, node)));
        }
    }
    let mut problems = Problems::new(CatalogueErrors::MAX);
    let catalogue = match check::check_patterns(patterns) {
        Ok(catalogue) => Some(catalogue),
        Err(faults) => {
            for Fault { spot, kind, drawing } in faults {
                problems.add(&spot.path_in_file(), || Shown { kind, drawing });
            }
            None
        }
    };
    reader.into_result(catalogue, problems, false, |reader, steps, _| may_follow_from_form_error(reader, steps))
}

/// Returns whether an error may only result from an error of form: errors of a shape depend on the pattern's kind and
/// on all of its points.
fn may_follow_from_form_error(reader: &Reader<'_>, steps: &[Step<'_>]) -> bool {
    let [field, pattern, Field(part), ..] = *steps else { return false };
    let tree = &reader.tree;
    let has = |name| tree.find(&[field, pattern, Field(name)]).is_some_and(|node| !tree.has_faults(node));
    let whole = tree.find(&[field, pattern]).is_some_and(|node| !tree.is_broken(node));
    !whole || part != "name" && !(has("kind") && has("paths"))
}

/// Does [`read_catalogue_text`] with lines and columns instead of spans.
pub(super) fn load_catalogue(text: &str) -> Result<Catalogue, CatalogueErrors> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    read_catalogue_text(text).map_err(|mut mistakes| {
        mistakes.list.sort_by_key(|found| found.span);
        mistakes.list.truncate(CatalogueErrors::MAX);
        let error = |Diagnosed { span, kind: Shown { kind, drawing } }| {
            let place = Some(line_and_column(&text.as_bytes()[..span.0]));
            CatalogueError { file: None, position: place, kind, drawing }
        };
        CatalogueErrors(mistakes.list.into_iter().map(error).collect())
    })
}

impl Spot {
    fn path_in_file(self) -> Vec<Step<'static>> {
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

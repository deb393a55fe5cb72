//! Checks patterns before they are expanded into variants: everything that the bake relies on.

use super::crossing::{Meeting, Segment, is_inside};
use super::drawing::{self, Mark};
use super::drawn::Drawn;
use super::variant::{self, Expansion};
use super::{Catalogue, CatalogueErrorKind, CatalogueErrors, LATTICE, Pattern, PatternKind, Placement};
use glam::IVec2;
use std::collections::BTreeMap;

/// An error, and the part of the file that it belongs to.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) spot: Spot,
    pub(super) kind: CatalogueErrorKind,
    pub(super) drawing: Option<String>,
}

/// A part of a catalogue file. All indices count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    Patterns,
    Name(usize),
    Variants(usize),
    Paths(usize),
    Path(usize, usize),
    Point(usize, usize, usize),
}

/// Returns the catalogue of the patterns if all are valid, else all errors.
pub(super) fn check_patterns(drawn: Vec<Drawn>) -> Result<Catalogue, Vec<Fault>> {
    let fault = |kind| Err(vec![Fault { spot: Spot::Patterns, kind, drawing: None }]);
    match drawn.len() {
        0 => return fault(CatalogueErrorKind::NoPatterns),
        count if count > Catalogue::MAX_PATTERNS => return fault(CatalogueErrorKind::TooManyPatterns { count }),
        _ => {}
    }
    let mut faults = Vec::new();
    let mut names = BTreeMap::new();
    // `shaped` contains the patterns without an error of their own, with their index in the file.
    let mut shaped: Vec<(usize, Pattern)> = Vec::new();
    for (index, one) in drawn.iter().enumerate() {
        check_name(index, one, &mut names, &mut faults);
        let named = faults.len();
        check_points(index, one, &mut faults);
        if faults.len() == named {
            check_edges_of_paths(index, one, &mut faults);
        }
        if faults.len() == named {
            shaped.push((index, one.pattern()));
        }
        if faults.len() >= CatalogueErrors::MAX {
            break;
        }
    }
    let (variants, by_placement) = expand_patterns_and_report_equal_shapes(&drawn, &shaped, &mut faults);
    if faults.is_empty() {
        let patterns = shaped.into_iter().map(|(_, pattern)| pattern).collect();
        return Ok(Catalogue { patterns, variants, by_placement });
    }
    // Sort the errors in the order of the file. The errors of one pattern keep their order.
    faults.sort_by_key(|fault| fault.spot.pattern_index());
    faults.truncate(CatalogueErrors::MAX);
    Err(faults)
}

impl Spot {
    fn pattern_index(self) -> Option<usize> {
        match self {
            Spot::Patterns => None,
            Spot::Name(i) | Spot::Variants(i) | Spot::Paths(i) | Spot::Path(i, _) | Spot::Point(i, ..) => Some(i),
        }
    }
}

fn check_name<'a>(index: usize, one: &'a Drawn, names: &mut BTreeMap<&'a str, usize>, faults: &mut Vec<Fault>) {
    let kind = name_fault(&one.name).or_else(|| {
        let first = *names.entry(&one.name).or_insert(index);
        (first != index).then(|| CatalogueErrorKind::DuplicateName { name: one.name.clone(), first: first + 1 })
    });
    faults.extend(kind.map(|kind| Fault { spot: Spot::Name(index), kind, drawing: None }));
}

fn name_fault(name: &str) -> Option<CatalogueErrorKind> {
    let is_placement = |word: &str| matches!(word, "m" | "r0" | "r1" | "r2" | "r3");
    let is_word = |word: &str| word.chars().all(|c| c.is_alphanumeric() || c == '_');
    let words: Vec<&str> = name.split_whitespace().collect();
    if let Some(first) = words.iter().position(|word| is_placement(word))
        && words[first..].iter().all(|word| is_placement(word))
        && words.iter().all(|word| is_word(word))
    {
        return Some(CatalogueErrorKind::PlacementName { name: name.to_owned(), word: words[..first].join(" ") });
    }
    let length = name.chars().count();
    let good = (1..=Pattern::MAX_NAME).contains(&length) && is_word(name);
    // The name itself may be as long as the file, so shorten it.
    let shown = || name.chars().take(2 * Pattern::MAX_NAME).collect();
    (!good).then(|| CatalogueErrorKind::BadName { name: shown() })
}

/// Finds errors of single paths and points. Without such errors, the shape can be checked.
fn check_points(index: usize, one: &Drawn, faults: &mut Vec<Fault>) {
    let name = || one.name.clone();
    if one.paths.is_empty() {
        let kind = CatalogueErrorKind::NoPaths { name: name() };
        faults.push(Fault { spot: Spot::Paths(index), kind, drawing: None });
    }
    let edges: usize = one.paths.iter().map(|path| one.kind.edge_count(path.len())).sum();
    if edges > Pattern::MAX_EDGES {
        let kind = CatalogueErrorKind::TooManyEdges { name: name(), edges, wall: one.kind == PatternKind::Wall };
        faults.push(Fault { spot: Spot::Paths(index), kind, drawing: None });
        return;
    }
    let closed = one.kind == PatternKind::Solid;
    let expected = if closed { 3 } else { 2 };
    let lattice = 0..=i64::from(LATTICE);
    for (path, points) in one.paths.iter().enumerate() {
        // Each error contains a drawing of all paths, so stop once there are enough.
        if faults.len() >= CatalogueErrors::MAX {
            return;
        }
        let mut repeats = 0;
        for (i, &(x, y)) in points.iter().enumerate() {
            let spot = Spot::Point(index, path, i);
            let mark = [Mark::Point(x as f64, y as f64)];
            if !lattice.contains(&x) || !lattice.contains(&y) {
                let kind = CatalogueErrorKind::OffLattice { name: name(), path: path + 1, point: i + 1, x, y };
                faults.push(Fault { spot, kind, drawing: one.draw_with_marks(&mark) });
            }
            let closes = closed && i > 0 && i + 1 == points.len() && points[0] == (x, y);
            if closes || i > 0 && points[i - 1] == (x, y) {
                repeats += 1;
                // If the last two points of an outline are equal, report these two points, not the first and the last
                // one.
                let closes = closes && points[i - 1] != (x, y);
                let kind = CatalogueErrorKind::RepeatedPoint { name: name(), path: path + 1, point: i + 1, closes };
                faults.push(Fault { spot, kind, drawing: one.draw_with_marks(&mark) });
            }
        }
        if points.len() < expected + repeats && points.len() < expected {
            let kind = CatalogueErrorKind::ShortPath { name: name(), path: path + 1, points: points.len(), expected };
            faults.push(Fault { spot: Spot::Path(index, path), kind, drawing: one.draw_with_marks(&[]) });
        }
    }
}

/// Finds errors in how edges lie to each other: one per path, then one per pair of paths.
fn check_edges_of_paths(index: usize, one: &Drawn, faults: &mut Vec<Fault>) {
    let outlines: Vec<Vec<Segment>> = one.paths.iter().map(|path| path_segments(path, one.kind)).collect();
    let check = Shape { index, one };
    let before = faults.len();
    for (path, edges) in outlines.iter().enumerate() {
        let met = (0..edges.len()).flat_map(|i| (i + 1..edges.len()).map(move |j| (i, j)));
        let fault = met
            .filter_map(|(i, j)| check.fault_of_meeting_edges((path, i, edges[i]), (path, j, edges[j]), edges.len()))
            .next();
        let turned = || {
            (one.kind == PatternKind::Solid && twice_signed_area(edges) >= 0).then(|| Fault {
                spot: Spot::Path(index, path),
                kind: CatalogueErrorKind::WrongTurn { name: one.name.clone(), path: path + 1 },
                drawing: one.draw_with_marks(&[]),
            })
        };
        faults.extend(fault.or_else(turned));
    }
    let each_is_good = faults.len() == before;
    for (path, edges) in outlines.iter().enumerate() {
        for (other, others) in outlines.iter().enumerate().skip(path + 1) {
            let met = (0..edges.len()).flat_map(|i| (0..others.len()).map(move |j| (i, j)));
            let fault = met
                .filter_map(|(i, j)| {
                    check.fault_of_meeting_edges((path, i, edges[i]), (other, j, others[j]), usize::MAX)
                })
                .next()
                .or_else(|| {
                    check.fault_of_overlapping_outlines((path, edges), (other, others)).filter(|_| each_is_good)
                });
            faults.extend(fault);
        }
    }
}

struct Shape<'a> {
    index: usize,
    one: &'a Drawn,
}

impl Drawn {
    fn draw_with_marks(&self, marks: &[Mark]) -> Option<String> {
        Some(drawing::draw_pattern(self.kind, &self.paths, marks))
    }
}

impl Shape<'_> {
    /// Returns the error for two edges that meet, each given with its path and its index. `count` is the number of
    /// edges of the path if both belong to one.
    fn fault_of_meeting_edges(
        &self,
        (path, i, first): (usize, usize, Segment),
        (other, j, second): (usize, usize, Segment),
        count: usize,
    ) -> Option<Fault> {
        let solid = self.one.kind == PatternKind::Solid;
        let follow = path == other && (j == i + 1 || solid && i == 0 && j + 1 == count);
        let (name, at) = (self.one.name.clone(), ((path + 1, i + 1), (other + 1, j + 1)));
        let small = |at: IVec2| (at.x as i8, at.y as i8);
        let (kind, mark) = match first.find_meeting(second) {
            Meeting::Cross(x, y) => {
                (CatalogueErrorKind::Crossing { name, first: at.0, second: at.1, x, y, solid }, Mark::Point(x, y))
            }
            Meeting::Overlap(from, to) => {
                let (from, to) = (small(from), small(to));
                let kind = CatalogueErrorKind::Overlap { name, first: at.0, second: at.1, from, to, folds: follow };
                (kind, Mark::Stretch(from, to))
            }
            Meeting::Touch(point) if solid && path == other && !follow => {
                let (x, y) = small(point);
                let kind = CatalogueErrorKind::TouchesItself { name, first: at.0, second: at.1, x, y };
                (kind, Mark::Point(x.into(), y.into()))
            }
            Meeting::Touch(_) | Meeting::Apart => return None,
        };
        Some(Fault { spot: Spot::Point(self.index, other, j), kind, drawing: self.one.draw_with_marks(&[mark]) })
    }

    /// Returns the error for two outlines that do not cross, but one of which has a part of its border inside the
    /// other.
    fn fault_of_overlapping_outlines(
        &self,
        (path, edges): (usize, &[Segment]),
        (other, others): (usize, &[Segment]),
    ) -> Option<Fault> {
        if self.one.kind != PatternKind::Solid {
            return None;
        }
        let middle = border_point_inside(others, edges).or_else(|| border_point_inside(edges, others))?;
        let kind = CatalogueErrorKind::Inside { name: self.one.name.clone(), first: path + 1, second: other + 1 };
        let mark = Mark::Point(f64::from(middle.x) / 2.0, f64::from(middle.y) / 2.0);
        Some(Fault { spot: Spot::Path(self.index, other), kind, drawing: self.one.draw_with_marks(&[mark]) })
    }
}

/// Returns a point, in half steps, of the border of `edges` inside `outline`. The two may cross only at vertices.
fn border_point_inside(edges: &[Segment], outline: &[Segment]) -> Option<IVec2> {
    let doubled: Vec<Segment> = outline.iter().map(|edge| Segment { a: edge.a * 2, b: edge.b * 2 }).collect();
    edges.iter().find_map(|edge| {
        // The edge may only change between inside and outside where the other outline touches it. Test between these
        // points.
        let mut stops: Vec<IVec2> = outline
            .iter()
            .filter_map(|other| match edge.find_meeting(*other) {
                Meeting::Touch(at) => Some(at),
                _ => None,
            })
            .chain([edge.a, edge.b])
            .collect();
        stops.sort_unstable_by_key(|at| (edge.b - edge.a).dot(*at));
        stops.dedup();
        stops.windows(2).map(|ends| ends[0] + ends[1]).find(|&middle| is_inside(&doubled, middle))
    })
}

fn path_segments(path: &[(i64, i64)], kind: PatternKind) -> Vec<Segment> {
    let point = |&(x, y): &(i64, i64)| IVec2::new(x as i32, y as i32);
    let count = if kind == PatternKind::Solid { path.len() } else { path.len() - 1 };
    (0..count).map(|i| Segment { a: point(&path[i]), b: point(&path[(i + 1) % path.len()]) }).collect()
}

/// Returns twice the area of a closed path, positive if its points run counter-clockwise.
fn twice_signed_area(edges: &[Segment]) -> i32 {
    edges.iter().map(|edge| edge.a.perp_dot(edge.b)).sum()
}

/// Expands the valid patterns, and finds patterns that have the same shape as another one.
fn expand_patterns_and_report_equal_shapes(
    drawn: &[Drawn],
    shaped: &[(usize, Pattern)],
    faults: &mut Vec<Fault>,
) -> Expansion {
    let patterns: Vec<&Pattern> = shaped.iter().map(|(_, pattern)| pattern).collect();
    let (expansion, repeats) = variant::expand_patterns(&patterns);
    let picture = |i: usize, placement: Placement| {
        let paths: Vec<Vec<(i64, i64)>> = variant::placed_paths(patterns[i], placement)
            .map(|path| path.iter().map(|at| (at.x.into(), at.y.into())).collect())
            .collect();
        drawing::draw_pattern(patterns[i].kind, &paths, &[])
    };
    for repeat in &repeats {
        let (first, second) = (patterns[repeat.first], patterns[repeat.second]);
        let placed = format!("{}{}", first.name, repeat.placement);
        let (left, right) = (picture(repeat.first, repeat.placement), picture(repeat.second, Placement::default()));
        faults.push(Fault {
            spot: Spot::Name(shaped[repeat.second].0),
            kind: CatalogueErrorKind::SameOrbit {
                first: first.name.clone(),
                second: second.name.clone(),
                placement: repeat.placement,
            },
            drawing: Some(drawing::join_drawings((&placed, &left), (&second.name, &right))),
        });
    }
    for (i, (index, pattern)) in shaped.iter().enumerate() {
        let found = expansion.1[i].iter().collect::<std::collections::BTreeSet<_>>().len();
        if let Some(declared) = drawn[*index].variants
            && declared != found as i64
        {
            let kind = CatalogueErrorKind::VariantCount { name: pattern.name.clone(), found, declared };
            faults.push(Fault { spot: Spot::Variants(*index), kind, drawing: None });
        }
        if pattern.name == "full_block" && !pattern.is_full_block() {
            let kind = CatalogueErrorKind::NotFullBlock;
            faults.push(Fault { spot: Spot::Paths(*index), kind, drawing: Some(picture(i, Placement::default())) });
        }
    }
    expansion
}

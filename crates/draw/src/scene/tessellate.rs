//! Converts paths to triangles.

use crate::scene::convex::Triangle;
use crate::scene::tolerance::FLATNESS;
use crate::{Dash, PathData, PathRun, Point};
use lyon_tessellation::math::point;
use lyon_tessellation::path::traits::PathBuilder;
use lyon_tessellation::{
    BuffersBuilder, FillOptions, FillTessellator, FillVertex, LineCap, LineJoin, StrokeOptions, StrokeTessellator,
    StrokeVertex, VertexBuffers,
};
use surefoot::geometry::DVec2;

/// Corners, and the indices of triangles.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tessellation {
    pub(crate) points: Vec<DVec2>,
    pub(crate) indices: Vec<u32>,
}

impl Tessellation {
    pub(crate) fn triangles(&self) -> impl Iterator<Item = Triangle> {
        self.indices.chunks_exact(3).map(|corners| [0, 1, 2].map(|i| self.points[corners[i] as usize]))
    }

    fn from_buffers(buffers: VertexBuffers<lyon_tessellation::math::Point, u32>, origin: DVec2) -> Tessellation {
        let place = |at: lyon_tessellation::math::Point| origin + DVec2::new(at.x.into(), at.y.into());
        Tessellation { points: buffers.vertices.into_iter().map(place).collect(), indices: buffers.indices }
    }
}

/// Style of a stroke, without its colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) width: f64,
    pub(crate) round: bool,
    pub(crate) dash: Option<Dash>,
}

/// Maximum length of a pointed join before it is cut off. Pictures allow four widths; the tessellator compares half of
/// the length.
const MITER_LIMIT: f32 = 2.0;

/// Fills the inside of a path, each part once, by the nonzero rule.
///
/// Leaves out runs with a point that is not finite.
pub(crate) fn fill_path(path: &PathData) -> Tessellation {
    tessellate_filled_runs(path.runs()).unwrap_or_else(|| {
        // The tessellator fails on very tangled paths. Filling outline by outline gives nearly the same result.
        let mut all = Tessellation::default();
        for one in path.runs().filter_map(|run| tessellate_filled_runs(std::iter::once(run))) {
            let first = all.points.len() as u32;
            all.points.extend(one.points);
            all.indices.extend(one.indices.iter().map(|i| i + first));
        }
        all
    })
}

fn tessellate_filled_runs<'a>(runs: impl Iterator<Item = PathRun<'a>> + Clone) -> Option<Tessellation> {
    let origin = origin_near_runs(runs.clone());
    let mut buffers = VertexBuffers::new();
    let mut output = BuffersBuilder::new(&mut buffers, |vertex: FillVertex<'_>| vertex.position());
    let mut tessellator = FillTessellator::new();
    let options = FillOptions::non_zero().with_tolerance(FLATNESS as f32);
    let mut builder = tessellator.builder(&options, &mut output);
    add_runs(&mut builder, runs, origin);
    builder.build().ok()?;
    Some(Tessellation::from_buffers(buffers, origin))
}

/// Strokes a path. Triangles overlap where the path turns or crosses itself.
///
/// Leaves out runs with a point that is not finite. Returns nothing unless the width is finite and above 0.
pub(crate) fn stroke_path(path: &PathData, line: Line) -> Tessellation {
    if !(line.width.is_finite() && line.width > 0.0) {
        return Tessellation::default();
    }
    let dashed = line.dash.map(|dash| split_into_dashes(path, dash));
    let path = dashed.as_ref().unwrap_or(path);
    let origin = origin_near_runs(path.runs());
    let mut buffers = VertexBuffers::new();
    let mut output = BuffersBuilder::new(&mut buffers, |vertex: StrokeVertex<'_, '_>| vertex.position());
    let (cap, join) = if line.round { (LineCap::Round, LineJoin::Round) } else { (LineCap::Butt, LineJoin::Miter) };
    let options = StrokeOptions::tolerance(FLATNESS as f32)
        .with_line_width(line.width as f32)
        .with_line_cap(cap)
        .with_line_join(join)
        .with_miter_limit(MITER_LIMIT);
    let mut tessellator = StrokeTessellator::new();
    let mut builder = tessellator.builder(&options, &mut output);
    add_runs(&mut builder, path.runs(), origin);
    match builder.build() {
        Ok(()) => Tessellation::from_buffers(buffers, origin),
        Err(_) => Tessellation::default(),
    }
}

/// Returns a point near all runs as the origin, because the tessellators use f32.
fn origin_near_runs<'a>(runs: impl Iterator<Item = PathRun<'a>>) -> DVec2 {
    let points = runs.flat_map(|run| run.points).map(to_vector).filter(|at| at.is_finite());
    points.reduce(DVec2::min).map_or(DVec2::ZERO, DVec2::floor)
}

fn to_vector(at: &Point) -> DVec2 {
    DVec2::new(at.x, at.y)
}

fn add_runs<'a>(builder: &mut impl PathBuilder, runs: impl Iterator<Item = PathRun<'a>>, origin: DVec2) {
    for run in runs.filter(|run| run.points.iter().all(|at| to_vector(at).is_finite())) {
        let mut points = run.points.iter().map(|at| (to_vector(at) - origin).as_vec2()).map(|at| point(at.x, at.y));
        // A single point has neither a line nor an inside.
        if let (Some(first), true) = (points.next(), run.points.len() > 1) {
            builder.begin(first, &[]);
            points.for_each(|at| {
                builder.line_to(at, &[]);
            });
            builder.end(run.closed);
        }
    }
}

/// Returns the dashes of a path, each as a run. Dashes restart with each run of the path.
///
/// Returns the whole path if the dash or the gap is not finite or not above 0.
fn split_into_dashes(path: &PathData, Dash { length, gap }: Dash) -> PathData {
    let mut pieces = PathData::new();
    let usable = |number: f64| number.is_finite() && number > 0.0;
    for run in path.runs() {
        let back = run.points.first().filter(|_| run.closed);
        let mut points = run.points.iter().chain(back).map(to_vector);
        let Some(mut at) = points.next() else { continue };
        if !(usable(length) && usable(gap)) {
            pieces.run(std::iter::once(at).chain(points).map(|at| Point { x: at.x, y: at.y }));
            continue;
        }
        let (mut drawn, mut left) = (true, length);
        let place = |at: DVec2| Point { x: at.x, y: at.y };
        pieces.start(place(at));
        for end in points {
            let along = (end - at).normalize_or_zero();
            let mut ahead = (end - at).length();
            while ahead > left {
                at += along * left;
                ahead -= left;
                if drawn {
                    pieces.line(place(at));
                } else {
                    pieces.start(place(at));
                }
                (drawn, left) = (!drawn, if drawn { gap } else { length });
            }
            left -= ahead;
            at = end;
            if drawn {
                pieces.line(place(at));
            }
        }
    }
    pieces
}

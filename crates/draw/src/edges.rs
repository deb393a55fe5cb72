//! Paints the edges of tiles: lines, the shades of one-sided edges, and normals.

use crate::canvas::Canvas;
use crate::paint::Paint;
use crate::palette::Palette;
use crate::path::PathData;
use crate::region::Region;
use crate::solids::lattice_point;
use crate::surfaces;
use crate::view::View;
use std::collections::BTreeSet;
use surefoot::catalogue::{LatticeEdge, PatternKind, Variant};
use surefoot::map::Material;
use surefoot::prelude::Terrain;
use surefoot::terrain::ExposedFace;
use surefoot::{Map, geometry::DVec2};

/// An edge to draw, in tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edge {
    /// The tile that the edge belongs to.
    pub(crate) tile: (i32, i32),
    pub(crate) a: DVec2,
    pub(crate) b: DVec2,
    /// The unit normal, towards the air.
    pub(crate) normal: DVec2,
    pub(crate) kind: PatternKind,
    pub(crate) drop_through: bool,
    pub(crate) material: Material,
}

/// Returns the exposed edges of the tiles of a region, from the lowest row up and from left to right.
pub(crate) fn exposed_edges(map: &Map, terrain: &Terrain, region: Region) -> Vec<Edge> {
    let edge = |face: ExposedFace| {
        let entry = map.kind(face.tile_id);
        Edge {
            tile: face.tile,
            a: face.a.to_dvec2(),
            b: face.b.to_dvec2(),
            normal: DVec2::new(face.normal.x.into(), face.normal.y.into()).normalize_or_zero(),
            kind: face.kind,
            drop_through: entry.is_some_and(|entry| entry.drop_through),
            material: entry.map_or_else(Material::default, |entry| entry.material),
        }
    };
    region.tiles().flat_map(|tile| terrain.exposed_faces_of(tile)).map(edge).collect()
}

/// Returns all edges of a variant that is alone in its tile.
pub(crate) fn variant_edges(variant: &Variant, tile: (i32, i32)) -> Vec<Edge> {
    let edge = |edge: &LatticeEdge| Edge {
        tile,
        a: lattice_point(tile, edge.a.x, edge.a.y),
        b: lattice_point(tile, edge.b.x, edge.b.y),
        normal: DVec2::new(edge.normal().x.into(), edge.normal().y.into()).normalize_or_zero(),
        kind: variant.kind,
        drop_through: false,
        material: Material::default(),
    };
    variant.edges.iter().map(edge).collect()
}

/// Length of a painted normal, in tiles.
pub(crate) const NORMAL_LENGTH: f64 = 0.19;

/// Depth of the shade behind a one-sided edge, in tiles.
const SHADE_DEPTH: f64 = 0.16;

/// Paints edges and their materials. Call it after filling the solids.
///
/// Solids get a light line and walls a double line. Open edges get a line with a shade on their passable side, dashed
/// if characters may drop through.
pub(crate) fn paint_edges(canvas: &mut impl Canvas, view: &View, edges: &[Edge], palette: &Palette) {
    canvas.group("shades", "", |canvas| paint_open_edge_shades(canvas, view, edges, edges, palette));
    surfaces::paint_materials(canvas, view, edges, edges, palette);
    canvas.group("edges solid", "", |canvas| paint_solid_edges(canvas, view, edges, palette));
    canvas.group("edges wall", "", |canvas| {
        paint_walls(canvas, view, edges, palette);
        paint_wall_middles(canvas, view, edges, palette);
    });
    canvas.group("edges open", "", |canvas| paint_open_edges(canvas, view, edges, palette));
}

/// Returns the width of a line along solids, in pixels.
pub(crate) fn line_width(view: &View) -> f64 {
    (view.scale / 22.0).clamp(1.0, 6.0)
}

fn edges_of_kind(edges: &[Edge], kind: PatternKind) -> impl Iterator<Item = &Edge> + Clone {
    edges.iter().filter(move |edge| edge.kind == kind)
}

/// Paints the shades behind open edges. `around` includes the neighbours, which decide where a shade continues.
pub(crate) fn paint_open_edge_shades(
    canvas: &mut impl Canvas,
    view: &View,
    edges: &[Edge],
    around: &[Edge],
    palette: &Palette,
) {
    let shades = shaded_strips_behind_edges(
        view,
        edges_of_kind(edges, PatternKind::Open),
        edges_of_kind(around, PatternKind::Open),
    );
    canvas.path(&shades, &Paint::fill(palette.open).opacity(0.3));
}

/// Paints the band along the edges of solids. Half of it is outside, so the caller has to clip it.
pub(crate) fn paint_rim_of_solids(canvas: &mut impl Canvas, view: &View, lines: &PathData, palette: &Palette) {
    canvas.path(lines, &Paint::stroke(palette.rim, view.scale * 0.26));
}

/// Returns the edges of solids, joined to runs.
pub(crate) fn chain_solid_edges(view: &View, edges: &[Edge]) -> PathData {
    chain_edges(view, edges_of_kind(edges, PatternKind::Solid))
}

/// Returns the edges of solids, joined only within a tile and to the next tile in its row. So the runs do not depend on
/// which other tiles are painted.
pub(crate) fn chain_solid_edges_by_row(view: &View, edges: &[Edge]) -> PathData {
    let mut path = PathData::new();
    let mut last: Option<&Edge> = None;
    for edge in edges_of_kind(edges, PatternKind::Solid) {
        let continues = |last: &Edge| last.b == edge.a && last.tile.1 == edge.tile.1;
        if !last.is_some_and(continues) {
            path.start(view.point(edge.a));
        }
        path.line(view.point(edge.b));
        last = Some(edge);
    }
    path
}

/// Paints the edges of solids.
pub(crate) fn paint_solid_edges(canvas: &mut impl Canvas, view: &View, edges: &[Edge], palette: &Palette) {
    canvas.path(&chain_solid_edges(view, edges), &Paint::stroke(palette.edge, line_width(view)).round());
}

/// Returns each wall once. `edges` contain a wall twice, once for each side.
fn path_along_walls(view: &View, edges: &[Edge]) -> PathData {
    chain_edges(
        view,
        edges_of_kind(edges, PatternKind::Wall).filter(|edge| (edge.a.x, edge.a.y) < (edge.b.x, edge.b.y)),
    )
}

/// Paints walls as wide lines. [`paint_wall_middles`] makes double lines of them.
pub(crate) fn paint_walls(canvas: &mut impl Canvas, view: &View, edges: &[Edge], palette: &Palette) {
    canvas.path(&path_along_walls(view, edges), &Paint::stroke(palette.wall, line_width(view) * 2.4).round());
}

/// Paints the gap in the middle of walls, in the colour of the background.
pub(crate) fn paint_wall_middles(canvas: &mut impl Canvas, view: &View, edges: &[Edge], palette: &Palette) {
    canvas.path(&path_along_walls(view, edges), &Paint::stroke(palette.background, line_width(view) * 0.8).round());
}

/// Paints open edges.
pub(crate) fn paint_open_edges(canvas: &mut impl Canvas, view: &View, edges: &[Edge], palette: &Palette) {
    let paint = Paint::stroke(palette.open, line_width(view) * 1.4);
    let lines = |drop_through: bool| {
        chain_edges(view, edges_of_kind(edges, PatternKind::Open).filter(move |edge| edge.drop_through == drop_through))
    };
    canvas.path(&lines(false), &paint.round());
    let dash = view.scale / 8.0;
    canvas.path(&lines(true), &paint.dashed(dash, dash));
}

/// Paints all edges as thin, faint lines in the colours of their kinds.
pub(crate) fn paint_faint_edges(canvas: &mut impl Canvas, view: &View, edges: &[Edge], palette: &Palette) {
    for (kind, color) in
        [(PatternKind::Solid, palette.edge), (PatternKind::Wall, palette.wall), (PatternKind::Open, palette.open)]
    {
        let paint = Paint::stroke(color, (view.scale / 32.0).max(1.0)).round().opacity(0.5);
        canvas.path(&chain_edges(view, edges_of_kind(edges, kind)), &paint);
    }
}

/// Returns the strips behind one-sided edges. Their ends are slanted inwards, so that the strips of two edges at a
/// corner do not overlap, except where the next edge continues straight.
fn shaded_strips_behind_edges<'a>(
    view: &View,
    edges: impl Iterator<Item = &'a Edge>,
    around: impl Iterator<Item = &'a Edge> + Clone,
) -> PathData {
    // Compare bits, without a tolerance: the ends of neighbours are either equal or clearly different.
    let key = |at: DVec2, normal: DVec2| [at.x, at.y, normal.x, normal.y].map(|x| (x + 0.0).to_bits());
    let starts: BTreeSet<_> = around.clone().map(|edge| key(edge.a, edge.normal)).collect();
    let ends: BTreeSet<_> = around.map(|edge| key(edge.b, edge.normal)).collect();
    let mut path = PathData::new();
    for edge in edges {
        let behind = -edge.normal * SHADE_DEPTH;
        let back = (edge.b - edge.a).normalize_or_zero() * SHADE_DEPTH;
        let from = if ends.contains(&key(edge.a, edge.normal)) { behind } else { behind + back };
        let to = if starts.contains(&key(edge.b, edge.normal)) { behind } else { behind - back };
        path.polygon([edge.a, edge.b, edge.b + to, edge.a + from].map(|at| view.point(at)));
    }
    path
}

/// Paints a short line out of the middle of each edge, along its normal.
pub(crate) fn paint_normals(canvas: &mut impl Canvas, view: &View, edges: &[Edge], palette: &Palette) {
    let mut ticks = PathData::new();
    for edge in edges {
        let middle = (edge.a + edge.b) / 2.0;
        ticks.run([middle, middle + edge.normal * NORMAL_LENGTH].map(|at| view.point(at)));
    }
    let paint = Paint::stroke(palette.normal, (view.scale / 26.0).clamp(1.0, 4.0));
    canvas.group("normals", "", |canvas| canvas.path(&ticks, &paint));
}

/// Joins edges to runs: an edge that starts at the end of the previous edge continues its run.
pub(crate) fn chain_edges<'a>(view: &View, edges: impl Iterator<Item = &'a Edge>) -> PathData {
    let mut path = PathData::new();
    let mut end = None;
    for edge in edges {
        if end != Some(edge.a) {
            path.start(view.point(edge.a));
        }
        path.line(view.point(edge.b));
        end = Some(edge.b);
    }
    path
}

//! What is drawn along edges: lines, the side of one-sided ones, normals.

use crate::palette::Palette;
use crate::region::Region;
use crate::solids::lattice_point;
use crate::svg::{Paint, PathData, Svg};
use crate::view::View;
use std::collections::BTreeSet;
use surefoot::catalogue::{Kind, LatticeEdge, Variant};
use surefoot::prelude::{DVec2, Map, Terrain};
use surefoot::terrain::ExposedFace;

/// An edge to draw, in tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edge {
    pub(crate) a: DVec2,
    pub(crate) b: DVec2,
    /// The unit normal, towards the air.
    pub(crate) normal: DVec2,
    pub(crate) kind: Kind,
    pub(crate) drop_through: bool,
}

/// The exposed edges of some tiles of a terrain, from the lowest row up and from left to right.
pub(crate) fn exposed(map: &Map, terrain: &Terrain, region: Region) -> Vec<Edge> {
    let edge = |face: ExposedFace| Edge {
        a: face.a.to_dvec2(),
        b: face.b.to_dvec2(),
        normal: DVec2::new(face.normal.x.into(), face.normal.y.into()).normalize_or_zero(),
        kind: face.kind,
        drop_through: map.entry(face.entry).is_some_and(|entry| entry.drop_through),
    };
    region.tiles().flat_map(|tile| terrain.faces_of(tile)).map(edge).collect()
}

/// All edges of a variant standing alone in a tile.
pub(crate) fn of_variant(variant: &Variant, tile: (i32, i32)) -> Vec<Edge> {
    let edge = |edge: &LatticeEdge| Edge {
        a: lattice_point(tile, edge.a.x, edge.a.y),
        b: lattice_point(tile, edge.b.x, edge.b.y),
        normal: DVec2::new(edge.normal().x.into(), edge.normal().y.into()).normalize_or_zero(),
        kind: variant.kind,
        drop_through: false,
    };
    variant.edges.iter().map(edge).collect()
}

/// How long a normal is drawn, in tiles.
pub(crate) const NORMAL_LENGTH: f64 = 0.19;

/// How far the shade behind a one-sided edge reaches, in tiles.
const SHADE_DEPTH: f64 = 0.16;

/// Draws edges over what is filled. Solids get a light line, open edges one with a shade on the side they are passed
/// from, dashed if characters may drop through, walls a double line.
pub(crate) fn draw(svg: &mut Svg, view: &View, edges: &[Edge], palette: &Palette) {
    let line = (view.scale / 22.0).clamp(1.0, 6.0);
    let of = |kind: Kind| edges.iter().filter(move |edge| edge.kind == kind);

    let shade = shades(view, edges.iter().filter(|edge| edge.kind == Kind::Open));
    svg.group("shades", "", |svg| svg.path(&shade, &Paint::fill(palette.open).opacity(0.3)));

    svg.group("edges solid", "", |svg| {
        svg.path(&chained(view, of(Kind::Solid)), &Paint::stroke(palette.edge, line).round());
    });
    svg.group("edges wall", "", |svg| {
        // Each wall is there twice, once a side.
        let sides = of(Kind::Wall).filter(|edge| (edge.a.x, edge.a.y) < (edge.b.x, edge.b.y));
        let path = chained(view, sides);
        svg.path(&path, &Paint::stroke(palette.wall, line * 2.4).round());
        svg.path(&path, &Paint::stroke(palette.background, line * 0.8).round());
    });
    svg.group("edges open", "", |svg| {
        let paint = Paint::stroke(palette.open, line * 1.4);
        svg.path(&chained(view, of(Kind::Open).filter(|edge| !edge.drop_through)), &paint.round());
        let dash = view.scale / 8.0;
        svg.path(&chained(view, of(Kind::Open).filter(|edge| edge.drop_through)), &paint.dashed(dash, dash));
    });
}

/// Strips behind one-sided edges. They are set back at their ends, so that those of two edges around a corner do not
/// cross, but not where the next edge goes straight on.
fn shades<'a>(view: &View, edges: impl Iterator<Item = &'a Edge> + Clone) -> PathData {
    // Numbers as bits: the ends of neighbours are equal or different, never close.
    let key = |at: DVec2, normal: DVec2| [at.x, at.y, normal.x, normal.y].map(|x| (x + 0.0).to_bits());
    let starts: BTreeSet<_> = edges.clone().map(|edge| key(edge.a, edge.normal)).collect();
    let ends: BTreeSet<_> = edges.clone().map(|edge| key(edge.b, edge.normal)).collect();
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

/// Draws a short line out of the middle of each edge, along its normal.
pub(crate) fn draw_normals(svg: &mut Svg, view: &View, edges: &[Edge], palette: &Palette) {
    let mut ticks = PathData::new();
    for edge in edges {
        let middle = (edge.a + edge.b) / 2.0;
        ticks.run([middle, middle + edge.normal * NORMAL_LENGTH].map(|at| view.point(at)));
    }
    let paint = Paint::stroke(palette.normal, (view.scale / 26.0).clamp(1.0, 4.0));
    svg.group("normals", "", |svg| svg.path(&ticks, &paint));
}

/// Edges as runs: what begins where the last one ended goes on with it.
pub(crate) fn chained<'a>(view: &View, edges: impl Iterator<Item = &'a Edge>) -> PathData {
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

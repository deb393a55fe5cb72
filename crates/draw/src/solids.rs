//! Joins the outlines of solid tiles to one path, so that fills show no seams between neighbours.

use crate::path::PathData;
use crate::region::Region;
use crate::view::View;
use glam::I8Vec2;
use std::collections::BTreeMap;
use surefoot::catalogue::LATTICE;
use surefoot::geometry::DVec2;
use surefoot::prelude::Terrain;

/// Converts a lattice point of a tile to tiles.
pub(crate) fn lattice_point(tile: (i32, i32), x: i8, y: i8) -> DVec2 {
    let steps = f64::from(LATTICE);
    DVec2::new(f64::from(tile.0) + f64::from(x) / steps, f64::from(tile.1) + f64::from(y) / steps)
}

/// Adds the closed outlines of a tile.
pub(crate) fn add_outlines(path: &mut PathData, view: &View, tile: (i32, i32), outlines: &[Vec<I8Vec2>]) {
    for outline in outlines {
        path.polygon(outline.iter().map(|at| view.point(lattice_point(tile, at.x, at.y))));
    }
}

/// Returns the outlines of all solid tiles in a region. Adjacent full blocks become one rectangle.
///
/// All outlines have the same winding. Where two outlines touch, they run in opposite directions, so a renderer that
/// fills them as one shape shows no line between them.
pub(crate) fn solid_outlines(terrain: &Terrain, view: &View, region: Region) -> PathData {
    let (columns, rows) = (region.low.0..region.high.0 + 1, region.low.1..region.high.1 + 1);
    let mut path = PathData::new();
    // The key is the range of columns of a rectangle that may still grow downwards, the value is the row above its top
    // row.
    let mut growing: BTreeMap<(i32, i32), i32> = BTreeMap::new();
    for y in rows.clone().rev() {
        let mut runs: Vec<(i32, i32)> = Vec::new();
        for x in columns.clone() {
            let outlines = terrain.solid_outlines((x, y));
            if !is_full_tile(outlines) {
                add_outlines(&mut path, view, (x, y), outlines);
                continue;
            }
            match runs.last_mut() {
                Some((_, end)) if *end == x => *end += 1,
                _ => runs.push((x, x + 1)),
            }
        }
        let next = runs.into_iter().map(|run| (run, growing.remove(&run).unwrap_or(y + 1))).collect();
        for (run, top) in std::mem::replace(&mut growing, next) {
            add_rectangle(&mut path, view, run, (y + 1, top));
        }
    }
    for (run, top) in growing {
        add_rectangle(&mut path, view, run, (rows.start, top));
    }
    path
}

fn add_rectangle(path: &mut PathData, view: &View, (left, right): (i32, i32), (bottom, top): (i32, i32)) {
    let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
    path.polygon(corners.map(|(x, y)| view.point(DVec2::new(f64::from(x), f64::from(y)))));
}

/// Returns whether outlines fill their tile.
fn is_full_tile(outlines: &[Vec<I8Vec2>]) -> bool {
    let on_corner = |at: i8| at == 0 || at == LATTICE;
    let [outline] = outlines else { return false };
    outline.len() == 4 && outline.iter().all(|at| on_corner(at.x) && on_corner(at.y))
}

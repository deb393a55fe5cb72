use crate::palette::Palette;
use crate::svg::{Paint, PathData, Svg};
use crate::view::{Point, View};
use crate::{edges, font, solids};
use std::collections::BTreeSet;
use surefoot::prelude::{DVec2, Map, Terrain};

/// How a map is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapStyle {
    /// The colours.
    pub palette: Palette,
    /// Pixels along one side of a tile.
    pub tile: u32,
    /// How much of what lies beyond the map's sides is shown: 0 to 1 tile.
    pub margin: f64,
    /// Whether faint lines show the tiles.
    pub grid: bool,
    /// Whether each exposed edge shows its outward normal.
    pub normals: bool,
    /// Whether markers are shown, with their names.
    pub markers: bool,
}

impl Default for MapStyle {
    /// 32 pixels a tile, half a tile of margin, and everything shown.
    fn default() -> MapStyle {
        MapStyle { palette: Palette::NIGHT, tile: 32, margin: 0.5, grid: true, normals: true, markers: true }
    }
}

/// Draws a map: the tiles as they are in the terrain, which may have been painted since, and the map's markers.
///
/// Solids are filled and outlined where they are exposed. One-sided edges have a shade on the side they are passed
/// from, and are dashed if characters may drop through; thin walls are double lines. A marker's name is written at the
/// first of that name.
#[must_use]
pub fn draw_map(map: &Map, terrain: &Terrain, style: &MapStyle) -> Svg {
    let (view, mut svg) = canvas(map, style, "a surefoot map");
    draw_terrain(&mut svg, &view, map, terrain, style);
    svg
}

/// The frame of a map's picture.
pub(crate) fn canvas(map: &Map, style: &MapStyle, title: &str) -> (View, Svg) {
    let (scale, margin) = (f64::from(style.tile.max(1)), style.margin.clamp(0.0, 1.0));
    let ((left, bottom), (columns, rows)) = (map.origin(), map.size());
    let view = View { left: f64::from(left) - margin, top: f64::from(bottom) + f64::from(rows) + margin, scale };
    let size = |tiles: u32| (f64::from(tiles) + 2.0 * margin) * scale;
    (view, Svg::new(size(columns), size(rows), title))
}

pub(crate) fn draw_terrain(svg: &mut Svg, view: &View, map: &Map, terrain: &Terrain, style: &MapStyle) {
    let palette = &style.palette;
    svg.rect(Point { x: 0.0, y: 0.0 }, svg.width(), svg.height(), &Paint::fill(palette.background));
    if style.grid {
        draw_grid(svg, view, map, palette);
    }
    let edges = edges::exposed(map, terrain);
    let ((left, bottom), (width, height)) = (map.origin(), map.size());
    let columns = left - 1..left + width as i32 + 1;
    let rows = bottom - 1..bottom + height as i32 + 1;
    let solid = solids::outline(terrain, view, columns, rows);
    svg.group("solids", "", |svg| svg.path(&solid, &Paint::fill(palette.solid)));
    let rim = edges::chained(view, edges.iter().filter(|edge| edge.kind == surefoot::catalogue::Kind::Solid));
    if !solid.is_empty() {
        let paint = Paint::stroke(palette.rim, view.scale * 0.26);
        svg.clipped("inside", &solid, |svg| svg.path(&rim, &paint));
    }
    edges::draw(svg, view, &edges, palette);
    if style.normals {
        edges::draw_normals(svg, view, &edges, palette);
    }
    if style.markers {
        draw_markers(svg, view, map, palette);
    }
}

fn draw_grid(svg: &mut Svg, view: &View, map: &Map, palette: &Palette) {
    let ((left, bottom), (columns, rows)) = (map.origin(), map.size());
    let (left, bottom) = (f64::from(left), f64::from(bottom));
    let (right, top) = (left + f64::from(columns), bottom + f64::from(rows));
    let mut lines = PathData::new();
    for column in 0..=columns {
        let x = left + f64::from(column);
        lines.run([DVec2::new(x, bottom), DVec2::new(x, top)].map(|at| view.point(at)));
    }
    for row in 0..=rows {
        let y = bottom + f64::from(row);
        lines.run([DVec2::new(left, y), DVec2::new(right, y)].map(|at| view.point(at)));
    }
    svg.group("grid", "", |svg| svg.path(&lines, &Paint::stroke(palette.grid, 1.0)));
}

fn draw_markers(svg: &mut Svg, view: &View, map: &Map, palette: &Palette) {
    let mut named = BTreeSet::new();
    for (name, (x, y)) in map.all_markers() {
        let centre = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
        let radius = 0.2;
        let corners = [DVec2::Y, DVec2::X, -DVec2::Y, -DVec2::X].map(|way| view.point(centre + way * radius));
        let mut diamond = PathData::new();
        diamond.polygon(corners);
        svg.group("marker", name, |svg| {
            svg.path(&diamond, &Paint::stroke(palette.marker, view.scale / 20.0).filled(palette.background).round());
            svg.circle(view.point(centre), view.scale * 0.06, &Paint::fill(palette.marker));
            if named.insert(name) {
                let at = view.point(centre + DVec2::new(0.0, 0.36));
                let height = view.scale * 0.22;
                let half = font::width(name, height) / 2.0;
                // A long name near a side stays inside the picture as far as it fits.
                let x = at.x.min(svg.width() - half - 2.0).max(half + 2.0);
                font::centred_label(svg, name, Point { x, ..at }, height, palette.marker);
            }
        });
    }
}

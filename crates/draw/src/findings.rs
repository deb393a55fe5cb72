use crate::canvas::Canvas;
use crate::map::{MapStyle, draw_map_and_overlay};
use crate::paint::Paint;
use crate::palette::{Color, Palette};
use crate::path::PathData;
use crate::region::Region;
use crate::svg::Svg;
use crate::view::{Point, View};
use std::collections::BTreeSet;
use surefoot::Map;
use surefoot::geometry::DVec2;
use surefoot::prelude::Terrain;

/// Findings of a search for a way through a level. [`draw_findings`] draws them over the map.
///
/// This crate knows nothing of the search: every field is a list of places.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// Cells that the body was in.
    pub reached: BTreeSet<(i32, i32)>,
    /// Reached cells from which it is proven that no way leads to the goal.
    pub traps: BTreeSet<(i32, i32)>,
    /// Reached cells from which no way to the goal was found.
    pub suspected_traps: BTreeSet<(i32, i32)>,
    /// Left ends of the floors that are proven out of reach; each floor is one tile long.
    pub unreachable_floors: Vec<DVec2>,
    /// Left ends of the floors on which the body was not found to stand; each floor is one tile long.
    pub missed_floors: Vec<DVec2>,
    /// Wanted places that are proven unreachable, with their names.
    pub unreachable: Vec<(String, DVec2)>,
    /// Wanted places that were not found, with their names.
    pub not_found: Vec<(String, DVec2)>,
    /// Centre of the body before the run and after each of its ticks.
    pub path: Vec<DVec2>,
    /// Presses of the run.
    pub presses: Vec<PressMargin>,
}

/// A press or release of a button in a run, and how exact its timing must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PressMargin {
    /// The press is before this tick of the run, counted from 0: it is drawn at that point of the path.
    pub tick: usize,
    /// The button, such as `jump`.
    pub button: String,
    /// Number of ticks that the press may come earlier.
    pub early: u32,
    /// Number of ticks that the press may come later.
    pub late: u32,
}

/// Opacity of the shade of reached cells.
const SHADE_OPACITY: f64 = 0.16;
/// Opacity of the shade of traps.
const TRAP_OPACITY: f64 = 0.3;
/// Opacity of the hatch of floors.
const HATCH_OPACITY: f64 = 0.8;
/// Number of lines of the hatch along a tile. The strip is as high as the distance between two lines.
const HATCH_LINES: u32 = 4;
/// Largest margin in ticks, early and late together, that is drawn as hard; and as medium.
const HARD_TICKS: u32 = 3;
const MEDIUM_TICKS: u32 = 8;

/// Draws a map like [`draw_map`](crate::draw_map), and over it the findings of a search.
///
/// | part | meaning |
/// |---|---|
/// | green shade | cells that the body reached |
/// | red shade | reached cells that are proven to have no way to the goal |
/// | orange shade | reached cells from which no way to the goal was found |
/// | red hatch above a floor | the floor is proven out of reach |
/// | orange hatch above a floor | the body was not found to stand on the floor |
/// | line | path of the body's centre in the found run |
/// | dot on the line | a press or release. Red: 0 to 3 ticks of margin; orange: 4 to 8; green: more |
/// | red cross in a ring, at the lower right | a wanted place that is proven unreachable |
/// | orange circle | a wanted place that was not found |
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::{Map, geometry::DVec2};
/// use surefoot_draw::{Findings, MapStyle, draw_findings};
///
/// let map = Map::from_rows(["@..*", "####"])?;
/// let path = vec![DVec2::new(0.5, 1.45), DVec2::new(3.5, 1.45)];
/// let findings = Findings { reached: (0..4).map(|x| (x, 1)).collect(), path, ..Findings::default() };
/// let svg = draw_findings(&map, &Terrain::bake(&map), &findings, &MapStyle::default());
/// assert!(svg.to_string().contains("class=\"reached\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn draw_findings(map: &Map, terrain: &Terrain, findings: &Findings, style: &MapStyle) -> Svg {
    let shown = style.region.unwrap_or_else(|| Region::of(map));
    draw_map_and_overlay(map, terrain, style, |svg, view| paint_findings(svg, view, findings, shown, &style.palette))
}

/// Paints the findings of a search. `shown`: tiles to paint; shades outside are left out.
pub fn paint_findings(canvas: &mut impl Canvas, view: &View, findings: &Findings, shown: Region, palette: &Palette) {
    let good = palette.bodies[2];
    paint_cells(canvas, view, "reached", &findings.reached, shown, &Paint::fill(good).opacity(SHADE_OPACITY));
    let trap = Paint::fill(palette.unreachable).opacity(TRAP_OPACITY);
    paint_cells(canvas, view, "traps", &findings.traps, shown, &trap);
    let suspected = Paint::fill(palette.open).opacity(TRAP_OPACITY);
    paint_cells(canvas, view, "suspected_traps", &findings.suspected_traps, shown, &suspected);
    paint_hatching_above_floors(
        canvas,
        view,
        "unreachable_floors",
        &findings.unreachable_floors,
        shown,
        palette.unreachable,
    );
    paint_hatching_above_floors(canvas, view, "missed_floors", &findings.missed_floors, shown, palette.open);
    if !findings.path.is_empty() {
        canvas.group("run", "", |canvas| {
            let mut line = PathData::new();
            line.run(findings.path.iter().map(|&at| view.point(at)));
            canvas.path(&line, &Paint::stroke(palette.bodies[0], (view.scale / 16.0).max(1.0)).round());
        });
    }
    for press in &findings.presses {
        let Some(&at) = findings.path.get(press.tick) else { continue };
        let PressMargin { tick, button, early, late } = press;
        canvas.group("press", &format!("{button} in tick {}: {early} early, {late} late", tick + 1), |canvas| {
            let edge = Paint::stroke(palette.background, view.scale / 32.0);
            let radius = (view.scale * 0.14).max(1.5);
            canvas.circle(view.point(at), radius, &edge.filled(color_of_press_margin(press, palette)));
        });
    }
    for (name, at) in &findings.unreachable {
        canvas.group("unreachable", name, |canvas| paint_cross(canvas, view, *at, palette));
    }
    for (name, at) in &findings.not_found {
        canvas.group("not_found", name, |canvas| {
            let paint = Paint::stroke(palette.open, (view.scale / 12.0).max(1.5));
            canvas.circle(view.point(*at), (view.scale * 0.38).max(3.0), &paint);
        });
    }
}

/// Returns the colour for the timing of a press.
fn color_of_press_margin(press: &PressMargin, palette: &Palette) -> Color {
    match press.early.saturating_add(press.late) {
        total if total <= HARD_TICKS => palette.unreachable,
        total if total <= MEDIUM_TICKS => palette.open,
        _ => palette.bodies[2],
    }
}

/// Paints cells as one shape, without seams between neighbours of a row.
fn paint_cells(
    canvas: &mut impl Canvas,
    view: &View,
    class: &str,
    cells: &BTreeSet<(i32, i32)>,
    shown: Region,
    paint: &Paint,
) {
    let mut rows: Vec<(i32, i32)> = cells.iter().filter(|cell| shown.contains(**cell)).map(|&(x, y)| (y, x)).collect();
    rows.sort_unstable();
    let mut shape = PathData::new();
    for run in rows.chunk_by(|a, b| a.0 == b.0 && a.1 + 1 == b.1) {
        let (Some(&(y, first)), Some(&(_, last))) = (run.first(), run.last()) else { continue };
        let [left, right, low] = [first, last + 1, y].map(f64::from);
        let corners = [(left, low), (right, low), (right, low + 1.0), (left, low + 1.0)];
        shape.polygon(corners.map(|corner| view.point(DVec2::from(corner))));
    }
    if !shape.is_empty() {
        canvas.group(class, "", |canvas| canvas.path(&shape, paint));
    }
}

/// Paints a strip of diagonal lines above each floor. `floors`: left ends of the floors.
fn paint_hatching_above_floors(
    canvas: &mut impl Canvas,
    view: &View,
    class: &str,
    floors: &[DVec2],
    shown: Region,
    color: Color,
) {
    let mut lines = PathData::new();
    let is_shown = |at: &&DVec2| shown.contains((at.x.floor() as i32, at.y.floor() as i32));
    for &left in floors.iter().filter(is_shown) {
        for line in 0..HATCH_LINES {
            let from = left + DVec2::new(f64::from(line) / f64::from(HATCH_LINES), 0.0);
            let to = from + 1.0 / f64::from(HATCH_LINES);
            lines.run([from, to].map(|at| view.point(at)));
        }
    }
    if !lines.is_empty() {
        let paint = Paint::stroke(color, (view.scale / 24.0).max(1.0)).opacity(HATCH_OPACITY);
        canvas.group(class, "", |canvas| canvas.path(&lines, &paint));
    }
}

/// Size of a cross in tiles: distance of its middle to the right of and below the place, length of its arms, radius of
/// the ring around it.
const CROSS_DISTANCE_TILES: f64 = 0.34;
const CROSS_ARM_TILES: f64 = 0.11;
const CROSS_RING_TILES: f64 = 0.2;

/// Paints a cross at the lower right of a place, so that it hides neither the thing nor the name above the thing.
fn paint_cross(canvas: &mut impl Canvas, view: &View, at: DVec2, palette: &Palette) {
    let Point { x, y } = view.point(at + DVec2::new(CROSS_DISTANCE_TILES, -CROSS_DISTANCE_TILES));
    // Keep the cross visible at small scales.
    let unit = view.scale.max(3.0 / CROSS_ARM_TILES);
    let line = Paint::stroke(palette.unreachable, unit / 16.0).round();
    canvas.circle(Point { x, y }, CROSS_RING_TILES * unit, &line.filled(palette.background));
    let (mut cross, arm) = (PathData::new(), CROSS_ARM_TILES * unit);
    for (dx, dy) in [(arm, arm), (arm, -arm)] {
        cross.run([Point { x: x - dx, y: y - dy }, Point { x: x + dx, y: y + dy }]);
    }
    canvas.path(&cross, &line);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::png::{color_at, render_pixels};
    use crate::svg::tests::groups;

    fn draw(findings: &Findings) -> Svg {
        let map = Map::from_rows(["....", "....", "####"]).unwrap();
        draw_findings(&map, &Terrain::bake(&map), findings, &MapStyle { grid: false, ..MapStyle::default() })
    }

    #[test]
    fn neighbouring_cells_of_a_row_are_one_rectangle() {
        let findings = Findings { reached: [(0, 1), (1, 1), (3, 1), (1, 2), (9, 9)].into(), ..Findings::default() };
        let svg = draw(&findings);
        // With half a tile of margin and 32 pixels per tile, tile (0, 1) spans 16 to 48 along x and 48 to 80 along y.
        let data = groups(&svg, "reached").remove(0).data;
        assert_eq!(data, "M16 80H80V48H16ZM112 80H144V48H112ZM48 48H80V16H48Z");
        let pixels = render_pixels(&svg, 1.0).unwrap();
        let [in_shade, in_air] = [(32, 64), (32, 32)].map(|(x, y)| color_at(&pixels, x, y));
        assert_eq!(in_air, Palette::NIGHT.background);
        assert!(in_shade != in_air && in_shade == color_at(&pixels, 64, 64));
        let traps = Findings { traps: [(0, 1)].into(), suspected_traps: [(2, 1)].into(), ..Findings::default() };
        let pixels = render_pixels(&draw(&traps), 1.0).unwrap();
        let [proven, suspected, air] = [32, 96, 64].map(|x| color_at(&pixels, x, 64));
        assert!(proven != air && suspected != air && proven != suspected);
    }

    /// Four lines mark a floor, in a strip of a quarter of a tile above the floor. With half a tile of margin and 32
    /// pixels per tile, the floor at y = 1.5 is 64 pixels below the upper side of the picture.
    #[test]
    fn a_hatch_is_a_strip_above_a_floor() {
        let [low, far] = [(0.0, 1.5), (9.0, 9.0)].map(DVec2::from);
        let floors = Findings { unreachable_floors: vec![low], missed_floors: vec![far], ..Findings::default() };
        let svg = draw(&floors);
        let lines = "M16 64L24 56M24 64L32 56M32 64L40 56M40 64L48 56";
        assert_eq!(groups(&svg, "unreachable_floors").remove(0).data, lines);
        assert!(groups(&svg, "missed_floors").is_empty());
    }

    #[test]
    fn each_finding_has_its_group() {
        assert_eq!(draw(&Findings::default()), {
            let map = Map::from_rows(["....", "....", "####"]).unwrap();
            crate::draw_map(&map, &Terrain::bake(&map), &MapStyle { grid: false, ..MapStyle::default() })
        });
        let at = |x: f64| DVec2::new(x, 1.5);
        let press = |tick, early| PressMargin { tick, button: "jump".to_owned(), early, late: 1 };
        let svg = draw(&Findings {
            unreachable: vec![("coin 2,1".to_owned(), at(2.5))],
            not_found: vec![("key".to_owned(), at(3.5))],
            path: vec![at(0.5), at(1.0), at(1.5)],
            // The path has no point for the last press, so this press is not drawn.
            presses: vec![press(0, 2), press(1, 3), press(2, 8), press(3, 0)],
            ..Findings::default()
        });
        let titles = |class| groups(&svg, class).into_iter().map(|group| group.title).collect::<Vec<_>>();
        assert_eq!(titles("unreachable"), ["coin 2,1"]);
        assert_eq!(titles("not_found"), ["key"]);
        assert_eq!(titles("press")[1..], ["jump in tick 2: 3 early, 1 late", "jump in tick 3: 8 early, 1 late"]);
        assert_eq!(groups(&svg, "run")[0].data, "M32 64H48H64");
        let pixels = render_pixels(&svg, 1.0).unwrap();
        let palette = Palette::NIGHT;
        let colors = [32, 48, 64].map(|x| color_at(&pixels, x, 64));
        assert_eq!(colors, [palette.unreachable, palette.open, palette.bodies[2]]);
        // The middle of the cross is a third of a tile to the right of the coin's middle, and a third below it.
        assert_eq!(color_at(&pixels, 107, 75), palette.unreachable);
        assert_eq!(color_at(&pixels, 96, 64), palette.background);
    }
}

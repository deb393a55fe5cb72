//! Paints areas on any canvas.

use crate::canvas::Canvas;
use crate::paint::Paint;
use crate::palette::Palette;
use crate::path::PathData;
use crate::view::View;
use std::cmp::Ordering;
use surefoot::Map;
use surefoot::area::{Area, AreaShape, AttachedTo, Boxes};
use surefoot::geometry::{Aabb, Capsule, DVec2};

/// Opacity of the shade of an area.
const SHADE_OPACITY: f64 = 0.14;
/// Number of straight lines of a round end of a capsule.
const CAP_SEGMENTS: i32 = 12;

/// Paints an area as a light shade with a dashed outline. Areas that change how bodies move are blue.
///
/// `at`: position of the area's origin in tiles.
pub fn paint_area(canvas: &mut impl Canvas, view: &View, area: &Area, at: DVec2, palette: &Palette) {
    let color = if area.effects.is_empty() { palette.marker } else { palette.materials.slippery };
    let dash = view.scale / 5.0;
    let outline = Paint::stroke(color, (view.scale / 20.0).max(1.0)).dashed(dash, dash);
    let paints = [Paint::fill(color).opacity(SHADE_OPACITY), outline];
    let title = if area.name.is_empty() { &area.tag } else { &area.name };
    canvas.group("area", title, |canvas| {
        if let AreaShape::Circle(circle) = &area.shape {
            let center = view.point(at + circle.center());
            return paints.iter().for_each(|paint| canvas.circle(center, circle.radius() * view.scale, paint));
        }
        let of_box = |aabb: &Aabb| {
            let (low, high) = (aabb.min(), aabb.max());
            vec![low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)]
        };
        let outlines = match &area.shape {
            AreaShape::Circle(_) => Vec::new(),
            AreaShape::Aabb(aabb) => vec![of_box(aabb)],
            AreaShape::Boxes(boxes) => outlines_of_union(boxes),
            AreaShape::Obb(obb) => vec![obb.corners().to_vec()],
            AreaShape::Capsule(capsule) => vec![capsule_outline(capsule)],
            AreaShape::Triangle(triangle) => vec![triangle.corners().to_vec()],
            AreaShape::Polygon(polygon) => vec![polygon.corners().to_vec()],
        };
        let mut path = PathData::new();
        for corners in outlines {
            path.polygon(corners.into_iter().map(|corner| view.point(at + corner)));
        }
        paints.iter().for_each(|paint| canvas.path(&path, paint));
    });
}

/// Returns the outlines of a union of boxes, without lines inside the union: counter-clockwise around it, and clockwise
/// around its holes.
fn outlines_of_union(boxes: &Boxes) -> Vec<Vec<DVec2>> {
    // Each line runs so that its box is on its left.
    let mut lines: Vec<[DVec2; 2]> =
        boxes.as_slice().iter().flat_map(|aabb| uncovered_parts_of_sides(boxes, aabb)).collect();
    let order = |at: DVec2| [at.y, at.x];
    lines.sort_by(|a, b| a.map(order).partial_cmp(&b.map(order)).unwrap_or(Ordering::Equal));
    // Equal boxes have equal lines.
    lines.dedup();
    let mut is_used = vec![false; lines.len()];
    let mut outlines = Vec::new();
    for first in 0..lines.len() {
        let (mut corners, mut was_upright) = (Vec::new(), None);
        let mut next = Some(first).filter(|&line| !is_used[line]);
        while let Some(line) = next {
            is_used[line] = true;
            let [from, to] = lines[line];
            let is_upright = Some(from.x == to.x);
            if is_upright != was_upright {
                corners.push(from);
            }
            was_upright = is_upright;
            let start = lines.partition_point(|line| order(line[0]) < order(to));
            next = (start..lines.len()).take_while(|&line| lines[line][0] == to).find(|&line| !is_used[line]);
        }
        if !corners.is_empty() {
            outlines.push(corners);
        }
    }
    outlines
}

/// Returns the parts of a box's sides that no other box covers, counter-clockwise around the box.
fn uncovered_parts_of_sides(boxes: &Boxes, aabb: &Aabb) -> Vec<[DVec2; 2]> {
    // Turn each side to the bottom. Quarter turns are exact.
    let turn = |at: DVec2, quarters: usize| (0..quarters).fold(at, |at, _| at.perp());
    let turn_box = |aabb: &Aabb, quarters: usize| {
        let (a, b) = (turn(aabb.min(), quarters), turn(aabb.max(), quarters));
        (a.min(b), a.max(b))
    };
    let order = |aabb: &Aabb| [aabb.min(), aabb.max()].map(|at| at.to_array());
    let mut lines = Vec::new();
    for quarters in 0..4 {
        let (low, high) = turn_box(aabb, quarters);
        let mut open = vec![(low.x, high.x)];
        boxes.any_near(aabb.min(), aabb.max(), |other| {
            let (from, to) = turn_box(other, quarters);
            let is_below = from.y < low.y && low.y <= to.y;
            // Two boxes share the line: only one of them may draw it.
            if is_below || from.y == low.y && order(other) < order(aabb) {
                cut_out(&mut open, from.x, to.x);
            }
            false
        });
        let ends =
            open.into_iter().map(|(left, right)| [left, right].map(|x| turn(DVec2::new(x, low.y), 4 - quarters)));
        lines.extend(ends);
    }
    lines
}

/// Removes everything between `from` and `to` from parts of a line. Each part is its left and its right end.
pub(crate) fn cut_out(parts: &mut Vec<(f64, f64)>, from: f64, to: f64) {
    let rest = parts.iter().flat_map(|&(left, right)| [(left, right.min(from)), (left.max(to), right)]);
    *parts = rest.filter(|(left, right)| left < right).collect();
}

/// Returns the outline of a capsule as straight lines.
fn capsule_outline(capsule: &Capsule) -> Vec<DVec2> {
    let along = (capsule.b() - capsule.a()).try_normalize().unwrap_or(DVec2::X);
    // The points (1 - t^2, 2 t) / (1 + t^2) are on the unit circle. For t from -1 to 1, they make the half circle
    // around `out`, without trigonometry.
    let end = |center: DVec2, out: DVec2| {
        (-CAP_SEGMENTS..=CAP_SEGMENTS).step_by(2).map(move |i| {
            let t = f64::from(i) / f64::from(CAP_SEGMENTS);
            let (forward, sideways) = ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t));
            center + (out * forward + out.perp() * sideways) * capsule.radius()
        })
    };
    end(capsule.b(), along).chain(end(capsule.a(), -along)).collect()
}

/// Paints the areas of a map at their start positions.
pub(crate) fn paint_areas(canvas: &mut impl Canvas, view: &View, map: &Map, palette: &Palette) {
    paint_some_areas(canvas, view, map, palette, |_| true);
}

/// Paints some areas of a map at their start positions.
pub(crate) fn paint_some_areas(
    canvas: &mut impl Canvas,
    view: &View,
    map: &Map,
    palette: &Palette,
    is_shown: impl Fn(&Area) -> bool,
) {
    let tick = surefoot::prelude::Settings::default().tick;
    for area in map.areas().iter().filter(|area| is_shown(area)) {
        let carrier = match &area.attached_to {
            AttachedTo::Named(name) => map.platforms().iter().find(|platform| platform.name == *name),
            _ => None,
        };
        let from =
            carrier.map(|platform| platform.start_position(tick).or(platform.position).unwrap_or_default().to_dvec2());
        paint_area(
            canvas,
            view,
            area,
            from.unwrap_or_default() + area.position.unwrap_or_default().to_dvec2(),
            palette,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::tests::groups;
    use crate::{MapStyle, Run, RunStyle, draw_map, draw_run};
    use surefoot::World;
    use surefoot::prelude::*;

    const MAP: &str = r#"Map(format: 1, tiles: ["......", "......"], platforms: [(name: "lift", at: (1, 0), tiles: ["="])], areas: [
        (name: "water", shape: Aabb(1.0, 0.5), at: (2.0, 1.0), effects: (drag: 1.0)),
        (tag: "goal", shape: Circle(0.5), at: (3.0, 1.0), attached_to: "lift"),
        (shape: Capsule((0.0, 0.0), (1.0, 0.0), 0.25), at: (1.0, 1.0)),
    ])"#;

    #[test]
    fn things_of_the_legend_are_painted_in_their_cells() {
        let map = Map::from_ron(
            r#"Map(format: 1, legend: {'~': (area: (tag: "water", join: true)),
            'g': (body: (kind: "walker", shape: Aabb(0.25, 0.75))), 'b': (body: (kind: "ball", shape: Circle(0.25)))},
            tiles: [".....b", "g.~~~."])"#,
        );
        let map = map.unwrap();
        let style = MapStyle { grid: false, ..MapStyle::default() };
        let svg = draw_map(&map, &Terrain::bake(&map), &style);
        // The water covers tiles 2 to 4 of the lowest row, at 32 pixels a tile with half a tile of margin. It is drawn
        // twice: filled and outlined.
        let rectangle = "M80 80H176V48H80Z";
        let areas = groups(&svg, "area");
        assert_eq!((&areas[0].title[..], areas[0].data.clone()), ("water 2,0", format!("{rectangle}{rectangle}")));
        let bodies: Vec<_> = groups(&svg, "body").into_iter().map(|group| group.title).collect();
        assert_eq!(bodies, ["ball 5,1", "walker 0,0"]);
        let text = svg.to_string();
        assert!(text.contains(r#"<rect x="24" y="32" width="16" height="48""#), "{text}");
        assert!(text.contains(r#"<circle cx="192" cy="40" r="8""#), "{text}");
    }

    /// A pool of two rectangles, a row of three tiles with one on its left end, has the outline of an L, filled and
    /// outlined.
    #[test]
    fn a_joined_area_has_no_lines_inside() {
        let map = Map::from_ron(
            r#"Map(format: 1, legend: {'~': (area: (tag: "water", join: true))}, tiles: ["~...", "~~~."])"#,
        );
        let map = map.unwrap();
        assert!(matches!(&map.areas()[0].shape, AreaShape::Boxes(boxes) if boxes.as_slice().len() == 2));
        let style = MapStyle { grid: false, ..MapStyle::default() };
        let svg = draw_map(&map, &Terrain::bake(&map), &style);
        let outline = "M16 80H112V48H48V16H16Z";
        assert_eq!(groups(&svg, "area")[0].data, format!("{outline}{outline}"));
    }

    /// Returns the outlines of boxes, each given as [left, bottom, right, top].
    fn outlines(boxes: &[[f64; 4]]) -> Vec<Vec<(f64, f64)>> {
        let boxes = boxes.iter().map(|&[a, b, c, d]| Aabb::new(DVec2::new(a, b), DVec2::new(c, d)).unwrap());
        let outlines = outlines_of_union(&Boxes::new(boxes));
        outlines.into_iter().map(|corners| corners.into_iter().map(Into::into).collect()).collect()
    }

    #[test]
    fn boxes_that_overlap_or_touch_have_one_outline() {
        let square = vec![(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)];
        // Inside, at a corner from inside, and in four parts that touch.
        assert_eq!(outlines(&[[0.0, 0.0, 2.0, 2.0], [0.5, 0.5, 1.0, 1.5]]), std::slice::from_ref(&square));
        assert_eq!(outlines(&[[0.0, 0.0, 2.0, 2.0], [1.0, 1.0, 2.0, 2.0]]), std::slice::from_ref(&square));
        let parts = [[0.0, 0.0, 0.5, 1.0], [0.5, 0.0, 2.0, 1.0], [0.0, 1.0, 1.5, 2.0], [1.5, 1.0, 2.0, 2.0]];
        assert_eq!(outlines(&parts), std::slice::from_ref(&square));
        // Twice the same box, alone and next to another one.
        assert_eq!(outlines(&[[0.0, 0.0, 2.0, 2.0], [0.0, 0.0, 2.0, 2.0]]), std::slice::from_ref(&square));
        let halves = [[0.0, 0.0, 1.0, 2.0], [1.0, 0.0, 2.0, 2.0], [0.0, 0.0, 1.0, 2.0]];
        assert_eq!(outlines(&halves), std::slice::from_ref(&square));
        // A cross of two bars.
        let cross = [(1, 0), (2, 0), (2, 1), (3, 1), (3, 2), (2, 2), (2, 3), (1, 3), (1, 2), (0, 2), (0, 1), (1, 1)];
        let cross: Vec<_> = cross.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).collect();
        assert_eq!(outlines(&[[0.0, 1.0, 3.0, 2.0], [1.0, 0.0, 2.0, 3.0]]), [cross]);
        // Two boxes that do not touch.
        let other = square.iter().map(|(x, y)| (x + 3.0, y + 1.0)).collect();
        assert_eq!(outlines(&[[0.0, 0.0, 2.0, 2.0], [3.0, 1.0, 5.0, 3.0]]), [square, other]);
    }

    /// A frame of four bars has a hole. Its outline turns the other way, so that the hole is not filled.
    #[test]
    fn a_hole_has_an_outline_of_its_own() {
        let bars = [[0.0, 0.0, 3.0, 1.0], [0.0, 2.0, 3.0, 3.0], [0.0, 0.0, 1.0, 3.0], [2.0, 0.0, 3.0, 3.0]];
        let around = vec![(0.0, 0.0), (3.0, 0.0), (3.0, 3.0), (0.0, 3.0)];
        let hole = vec![(1.0, 1.0), (1.0, 2.0), (2.0, 2.0), (2.0, 1.0)];
        assert_eq!(outlines(&bars), [around, hole]);
    }

    /// Boxes that touch only at a corner: each line of both is painted once.
    #[test]
    fn boxes_at_a_corner_keep_all_their_sides() {
        let found = outlines(&[[0.0, 0.0, 1.0, 1.0], [1.0, 1.0, 2.0, 2.0]]);
        let mut corners: Vec<_> = found.concat();
        corners.sort_by(|a, b| a.partial_cmp(b).unwrap());
        let expected = [(0, 0), (0, 1), (1, 0), (1, 1), (1, 1), (1, 2), (2, 1), (2, 2)];
        assert_eq!(corners, expected.map(|(x, y)| (f64::from(x), f64::from(y))));
    }

    #[test]
    fn areas_are_painted_at_their_current_positions() {
        let map = Map::from_ron(MAP).unwrap();
        let style = MapStyle { grid: false, ..MapStyle::default() };
        let svg = draw_map(&map, &Terrain::bake(&map), &style);
        let areas = groups(&svg, "area");
        assert_eq!(areas.iter().map(|area| &area.title[..]).collect::<Vec<_>>(), ["water", "goal", ""]);
        // The water covers (1, 0.5) to (3, 1.5), at 32 pixels a tile with half a tile of margin. It is drawn twice:
        // filled and outlined.
        let rectangle = "M48 64H112V32H48Z";
        assert_eq!(areas[0].data, format!("{rectangle}{rectangle}"));
        let mut world = World::new(map, Settings::default());
        let mut run = Run::new();
        run.observe(&world);
        let water = world.find_area("water").unwrap();
        world.move_area(water, (3.0, 1.0)).unwrap();
        world.step();
        run.observe(&world);
        let svg = draw_run(world.map(), world.terrain(), &run, &RunStyle::default());
        assert!(groups(&svg, "area")[0].data.starts_with("M80 64H144V32H80Z"), "{}", groups(&svg, "area")[0].data);
        assert_eq!(groups(&svg, "area").len(), 3);
    }
}

//! Paints areas by what they do: water with waves, ladders with rungs, wind with arrows, round sensors as coins,
//! sensors with the tags of checkpoints, goals, springs and buttons as flags, stars, coils and plates.

use crate::areas::cut_out;
use crate::font::width as text_width;
use crate::scene::wave::on_circle;
use crate::{Canvas, Color, MIN_READABLE_SCALE, Paint, Palette, PathData, Point, View, paint_area};
use std::slice;
use surefoot::area::{Area, AreaShape, Boxes};
use surefoot::geometry::{Aabb, DVec2, ONE};

/// Waves of water: their length and height in tiles, and their speed in tiles per second.
const WAVE_TILES: DVec2 = DVec2::new(1.6, 0.07);
const WAVE_TILES_PER_SECOND: f64 = 0.8;
/// Distance of rungs, of streaks of wind, and of the points of a wave, in tiles.
const RUNG_TILES: f64 = 0.5;
const STREAK_TILES: f64 = 0.9;
const POINT_TILES: f64 = 0.2;
/// Length of a streak of wind, and of the two lines of its head along each axis, in tiles.
const STREAK_LENGTH_TILES: f64 = 0.4;
const HEAD_TILES: f64 = 0.13;
/// Largest side of a sensor that is shown: larger ones, such as rooms, would only darken the picture.
const MAX_SENSOR_TILES: f64 = 8.0;
/// Distance of the points of a star from its middle, and radius of the ring around it, in tiles.
const STAR_TILES: f64 = 0.38;
const RING_TILES: f64 = 0.48;
/// Corners of two regular pentagons on the unit circle, one with a corner upwards and one with a corner downwards, by
/// turns.
const PENTAGONS: [DVec2; 10] = [
    DVec2::new(0.0, 1.0),
    DVec2::new(-0.588, 0.809),
    DVec2::new(-0.951, 0.309),
    DVec2::new(-0.951, -0.309),
    DVec2::new(-0.588, -0.809),
    DVec2::new(0.0, -1.0),
    DVec2::new(0.588, -0.809),
    DVec2::new(0.951, -0.309),
    DVec2::new(0.951, 0.309),
    DVec2::new(0.588, 0.809),
];
/// Height of the capitals of a label, in pixels.
const LABEL_HEIGHT_PIXELS: f64 = 8.0;
/// Maximum number of lines for one area.
const MAX_LINES: f64 = 400.0;

/// Paints an area at a position in tiles: rectangles with waves, rungs or streaks, and round sensors as coins. Large
/// sensors are not shown. `seconds`: time of the world, which moves waves and streaks.
pub fn paint(canvas: &mut impl Canvas, view: &View, area: &Area, at: DVec2, seconds: f64, palette: &Palette) {
    let (effects, width) = (&area.effects, (view.scale / 16.0).max(1.0));
    match picture_of_well_known_tag(area) {
        Some(TagPicture::Flag) => return paint_flag(canvas, view, at, palette),
        Some(TagPicture::Star) => return paint_star(canvas, view, at, palette),
        Some(TagPicture::Button) => return paint_button(canvas, view, area, at, palette),
        Some(TagPicture::Spring) => return paint_spring(canvas, view, area, at, palette),
        None => {}
    }
    let wind = effects.wind.and_then(|wind| Some((wind.try_normalize()?, wind.length())));
    let is_ladder = effects.climbable == Some(true);
    let is_water = effects.buoyancy.is_some() && !is_ladder;
    let boxes = match &area.shape {
        AreaShape::Aabb(aabb) => slice::from_ref(aabb),
        AreaShape::Boxes(boxes) => boxes.as_slice(),
        AreaShape::Circle(circle) if effects.is_empty() => {
            return paint_coin(canvas, view, at + circle.center(), circle.radius(), palette);
        }
        _ => return paint_area(canvas, view, area, at, palette),
    };
    let is_large = |aabb: &Aabb| (aabb.max() - aabb.min()).max_element() > MAX_SENSOR_TILES;
    if effects.is_empty() && boxes.iter().any(is_large) {
        return;
    }
    if !is_ladder && !is_water && wind.is_none() {
        paint_area(canvas, view, area, at, palette);
    }
    let lines = |color: Color| Paint::stroke(color, width).round().opacity(0.8);
    for aabb in boxes {
        let (low, high) = (at + aabb.min(), at + aabb.max());
        if is_ladder {
            canvas.path(&ladder_lines(view, low, high), &lines(palette.open));
        } else if is_water {
            let open = match &area.shape {
                AreaShape::Boxes(boxes) => uncovered_top_spans(boxes, aabb),
                _ => vec![(aabb.min().x, aabb.max().x)],
            };
            paint_water(canvas, view, (aabb, &open), at, seconds, palette);
        } else if let Some(wind) = wind {
            let corner = view.point(DVec2::new(low.x, high.y));
            let size = (high - low) * view.scale;
            canvas.rect(corner, size.x, size.y, &Paint::fill(palette.materials.slippery).opacity(0.1));
            canvas.path(&wind_streaks(view, low, high, wind, seconds), &lines(palette.materials.slippery));
        } else if let Some(up) = effects.up {
            // The arrows point up, against the gravity of the area.
            let arrows = wind_streaks(view, low, high, (up.direction().as_dvec2(), 1.0), seconds);
            canvas.path(&arrows, &lines(palette.normal).opacity(0.35));
        }
    }
}

/// How a sensor with a well-known tag is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TagPicture {
    Flag,
    Star,
    Spring,
    Button,
}

/// Returns how a sensor is drawn if its tag is a well-known one.
fn picture_of_well_known_tag(area: &Area) -> Option<TagPicture> {
    match area.tag.as_str() {
        _ if !area.effects.is_empty() => None,
        "checkpoint" => Some(TagPicture::Flag),
        "goal" => Some(TagPicture::Star),
        "button" => Some(TagPicture::Button),
        "spring" => Some(TagPicture::Spring),
        _ => None,
    }
}

/// Lower left and upper right corner of a flag, from the middle of its cell, in tiles: the foot of the pole, the end of
/// the cloth and the top of the pole.
const FLAG_BOUNDS_TILES: (DVec2, DVec2) = (DVec2::new(-0.22, -0.5), DVec2::new(0.55, 1.3));

/// Paints a flag that stands on the floor of the cell around a point.
pub(crate) fn paint_flag(canvas: &mut impl Canvas, view: &View, at: DVec2, palette: &Palette) {
    let place = |x: f64, y: f64| view.point(at + DVec2::new(x, y));
    let (foot, top) = FLAG_BOUNDS_TILES;
    let mut cloth = PathData::new();
    cloth.polygon([place(-0.18, 1.2), place(top.x, 0.93), place(-0.18, 0.66)]);
    canvas.path(&cloth, &Paint::fill(palette.normal));
    let mut pole = PathData::new();
    pole.run([place(foot.x, foot.y), place(foot.x, top.y)]);
    canvas.path(&pole, &Paint::stroke(palette.edge, (view.scale / 14.0).max(1.5)).round());
}

/// Paints a star with five points in a ring.
pub(crate) fn paint_star(canvas: &mut impl Canvas, view: &View, at: DVec2, palette: &Palette) {
    let mut outline = PathData::new();
    let radii = [STAR_TILES, STAR_TILES * 0.45].into_iter().cycle();
    outline.polygon(PENTAGONS.iter().zip(radii).map(|(way, radius)| view.point(at + *way * radius)));
    canvas.path(&outline, &Paint::fill(palette.marker));
    canvas.circle(
        view.point(at),
        RING_TILES * view.scale,
        &Paint::stroke(palette.marker, (view.scale / 16.0).max(1.2)),
    );
}

/// Distance of the cap of a button from the ends of its base, and the height of the base, as fractions of the area.
const CAP: (f64, f64) = (0.16, 0.35);

/// Minimum height of a button in tiles.
const MIN_BUTTON_TILES: f64 = 0.28;

/// Paints a button: a green cap to press down, on a base of metal.
fn paint_button(canvas: &mut impl Canvas, view: &View, area: &Area, at: DVec2, palette: &Palette) {
    let (low, mut high) = bounds(area, at);
    high.y = high.y.max(low.y + MIN_BUTTON_TILES);
    let place = |x: f64, y: f64| view.point(low + (high - low) * DVec2::new(x, y));
    let (mut base, mut cap) = (PathData::new(), PathData::new());
    let (side, top) = CAP;
    cap.polygon([place(side, 0.0), place(1.0 - side, 0.0), place(0.95 - side, 1.0), place(side + 0.05, 1.0)]);
    base.polygon([place(0.0, 0.0), place(1.0, 0.0), place(0.97, top), place(0.03, top)]);
    canvas.path(&cap, &Paint::fill(palette.bodies[2]));
    canvas.path(&base, &Paint::fill(palette.edge));
}

/// Paints a coil with a plate on top.
fn paint_spring(canvas: &mut impl Canvas, view: &View, area: &Area, at: DVec2, palette: &Palette) {
    let (mut low, high) = bounds(area, at);
    // The coil stands on the floor of its cell, even if its area is smaller.
    low.y = low.y.floor();
    let place = |x: f64, y: f64| view.point(low + (high - low) * DVec2::new(x, y));
    let (mut coil, mut plate) = (PathData::new(), PathData::new());
    coil.run((0..6).map(|i| place(if i % 2 == 0 { 0.2 } else { 0.8 }, f64::from(i) * 0.17)));
    plate.run([place(0.0, 1.0), place(1.0, 1.0)]);
    canvas.path(&coil, &Paint::stroke(palette.quiet_text, (view.scale / 16.0).max(1.2)).round());
    canvas.path(&plate, &Paint::stroke(palette.materials.bouncy, (view.scale / 9.0).max(2.0)).round());
}

/// Returns the lower left and upper right corner of an area at a position, in tiles.
pub fn bounds(area: &Area, at: DVec2) -> (DVec2, DVec2) {
    let (low, high) = area.shape.bounds();
    (at + low.as_dvec2() / ONE as f64, at + high.as_dvec2() / ONE as f64)
}

/// Returns the lower left and upper right corner of the picture of an area at a position, in tiles. A flag is taller
/// than its area.
#[must_use]
pub fn picture_bounds(area: &Area, at: DVec2) -> (DVec2, DVec2) {
    match picture_of_well_known_tag(area) {
        Some(TagPicture::Flag) => (at + FLAG_BOUNDS_TILES.0, at + FLAG_BOUNDS_TILES.1),
        _ => bounds(area, at),
    }
}

/// Returns the label of an area, its name or its tag, with the middle of its baseline and its height in pixels. The
/// label is in the upper left corner of a rectangle that is wide enough, and above other areas. Returns `None` for
/// areas that [`paint`] does not show, for those with a sign, for coins, and for the ladders and the water of a legend.
/// `all_named`: also labels these if the author of the map named them.
pub fn label<'a>(area: &'a Area, at: DVec2, view: &View, all_named: bool) -> Option<(&'a str, Point, f64)> {
    // The name of an area of the legend is its tag and its cell, such as `coin 2,1`.
    let is_numbered = !area.tag.is_empty() && area.name.starts_with(&area.tag);
    let text = if area.name.is_empty() || is_numbered { &area.tag } else { &area.name };
    let is_known = is_numbered && (area.effects.climbable == Some(true) || area.effects.buoyancy.is_some());
    let is_coin = area.effects.is_empty() && matches!(area.shape, AreaShape::Circle(_));
    let (low, high) = bounds(area, at);
    let [low, high] = [low, high].map(|corner| view.point(corner));
    let is_named = all_named && own_name(&area.name, &area.tag).is_some();
    let is_room = area.effects.is_empty() && (high.x - low.x).max(low.y - high.y) > MAX_SENSOR_TILES * view.scale;
    let is_clear = is_known || is_coin || picture_of_well_known_tag(area).is_some() || is_room;
    if text.is_empty() || (is_clear && !is_named) || view.scale < MIN_READABLE_SCALE {
        return None;
    }
    let text = if is_named { &area.name } else { text };
    let (width, gap) = (text_width(text, LABEL_HEIGHT_PIXELS), LABEL_HEIGHT_PIXELS * 0.7);
    let is_flat = matches!(area.shape, AreaShape::Aabb(_));
    let baseline = if is_flat && width + 2.0 * gap <= high.x - low.x && 3.0 * gap <= low.y - high.y {
        // Place the label of water below the waves, so that it is readable.
        let waves = if area.effects.buoyancy.is_some() { 2.0 * WAVE_TILES.y * view.scale } else { 0.0 };
        Point { x: low.x + gap + width / 2.0, y: high.y + gap + LABEL_HEIGHT_PIXELS + waves }
    } else {
        Point { x: (low.x + high.x) / 2.0, y: high.y - gap }
    };
    Some((text, baseline, LABEL_HEIGHT_PIXELS))
}

/// Returns the name that the author of the map gave a thing. Returns `None` for an empty name, and for a name that the
/// map made of the thing's tag or kind and its cell, such as `coin 2,1`.
#[must_use]
pub fn own_name<'a>(name: &'a str, tag: &str) -> Option<&'a str> {
    let is_cell = |rest: &str| rest.contains(',') && rest.chars().all(|letter| " ,-0123456789".contains(letter));
    let is_made = name.is_empty() || name.strip_prefix(tag).is_some_and(is_cell);
    (!is_made).then_some(name)
}

/// Paints a round sensor as a coin.
fn paint_coin(canvas: &mut impl Canvas, view: &View, center: DVec2, radius: f64, palette: &Palette) {
    let (center, radius) = (view.point(center), radius * view.scale);
    canvas.circle(center, radius, &Paint::fill(palette.open));
    canvas.circle(center, radius * 0.72, &Paint::fill(palette.marker));
}

/// Returns two rails and the rungs between them.
fn ladder_lines(view: &View, low: DVec2, high: DVec2) -> PathData {
    let mut path = PathData::new();
    let inset = ((high.x - low.x) * 0.2).min(0.2);
    let (left, right) = (low.x + inset, high.x - inset);
    let mut line = |from: (f64, f64), to: (f64, f64)| path.run([from, to].map(|at| view.point(DVec2::from(at))));
    line((left, low.y), (left, high.y));
    line((right, low.y), (right, high.y));
    let count = ((high.y - low.y) / RUNG_TILES).min(MAX_LINES) as u32;
    for i in 0..count {
        let y = low.y + (f64::from(i) + 0.5) * RUNG_TILES;
        line((left, y), (right, y));
    }
    path
}

/// Returns the parts of a box's top that no other box covers, from left to right, each as its left and right end.
fn uncovered_top_spans(boxes: &Boxes, aabb: &Aabb) -> Vec<(f64, f64)> {
    let (low, high) = (aabb.min(), aabb.max());
    let mut open = vec![(low.x, high.x)];
    boxes.any_near(DVec2::new(low.x, high.y), high, |other| {
        let (from, to) = (other.min(), other.max());
        // Water that ends at the same height does not cover the top.
        if from.y <= high.y && to.y > high.y {
            cut_out(&mut open, from.x, to.x);
        }
        false
    });
    open
}

/// Paints a box of water at a position, with waves where its top is `open`. A top without waves ends at the box's whole
/// height, so that no gap remains below the water above it.
fn paint_water(
    canvas: &mut impl Canvas,
    view: &View,
    (aabb, open): (&Aabb, &[(f64, f64)]),
    at: DVec2,
    seconds: f64,
    palette: &Palette,
) {
    let (low, high) = (at + aabb.min(), at + aabb.max());
    let (mut surface, mut lines, mut fill) = (Vec::new(), PathData::new(), PathData::new());
    let mut end = low.x;
    for (left, right) in open.iter().map(|(left, right)| (at.x + left, at.x + right)) {
        if left > end {
            surface.extend([end, left].map(|x| DVec2::new(x, high.y)));
        }
        let waves = wave_points(left, right, high.y, seconds);
        lines.run(waves.clone().map(|at| view.point(at)));
        surface.extend(waves);
        end = right;
    }
    if end < high.x {
        surface.extend([end, high.x].map(|x| DVec2::new(x, high.y)));
    }
    fill.polygon(surface.into_iter().chain([DVec2::new(high.x, low.y), low]).map(|at| view.point(at)));
    canvas.path(&fill, &Paint::fill(palette.materials.slippery).opacity(0.3));
    if !lines.is_empty() {
        let width = (view.scale / 16.0).max(1.0);
        canvas.path(&lines, &Paint::stroke(palette.materials.slippery, width).round().opacity(0.8));
    }
}

/// Returns the points of the waves between two columns.
fn wave_points(left: f64, right: f64, top: f64, seconds: f64) -> impl Iterator<Item = DVec2> + Clone {
    let count = ((right - left) / POINT_TILES).ceil().clamp(1.0, MAX_LINES) as u32;
    (0..=count).map(move |i| {
        let x = left + (right - left) * f64::from(i) / f64::from(count);
        let wave = on_circle((x + seconds * WAVE_TILES_PER_SECOND) / WAVE_TILES.x).y;
        DVec2::new(x, top - WAVE_TILES.y * (1.0 - wave))
    })
}

/// Returns short arrows that move with the wind through its rectangle.
fn wind_streaks(view: &View, low: DVec2, high: DVec2, (way, speed): (DVec2, f64), seconds: f64) -> PathData {
    let mut path = PathData::new();
    let size = high - low;
    let columns = (size.x / STREAK_TILES).ceil().clamp(1.0, 20.0) as u32;
    let rows = (size.y / STREAK_TILES).ceil().clamp(1.0, 20.0) as u32;
    // The number of arrows is limited, so they are further apart in a large area.
    let step = (size / DVec2::new(columns.into(), rows.into())).max(DVec2::splat(STREAK_TILES));
    for (column, row) in (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row))) {
        // Shift every second row and column, so that the arrows do not form lines across the wind.
        let start =
            DVec2::new(f64::from(column) + 0.5 * f64::from(row % 2), f64::from(row) + 0.5 * f64::from(column % 2));
        let moved = start * step + way * (seconds * speed.min(8.0));
        let from = low + DVec2::new(moved.x.rem_euclid(size.x), moved.y.rem_euclid(size.y));
        let to = (from + way * STREAK_LENGTH_TILES).clamp(low, high);
        path.run([from, to].map(|at| view.point(at)));
        // An arrow that the border of the area cuts off has no head.
        if from.distance(to) > STREAK_LENGTH_TILES * 0.8 {
            let barb = |side: f64| to - way * HEAD_TILES + way.perp() * (side * HEAD_TILES);
            path.run([barb(1.0), to, barb(-1.0)].map(|at| view.point(at)));
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::mesh::Mesh;
    use surefoot::Map;

    /// A coin has no label, except a name of its own, and only while names are wanted.
    #[test]
    fn named_coins_have_a_label() {
        let map = Map::from_ron(
            r#"Map(format: 1, tiles: ["c..."], legend: {'c': (area: (tag: "coin", shape: Circle(0.4)))}, areas: [
                (name: "gold", tag: "coin", shape: Circle(0.4), at: (2.5, 0.5))])"#,
        )
        .expect("a map");
        let view = View { left: 0.0, top: 1.0, scale: 40.0 };
        let labels = |all_named: bool| {
            let all = map.areas().iter().filter_map(|area| label(area, DVec2::new(2.5, 0.5), &view, all_named));
            all.map(|(text, ..)| text.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!((labels(false), labels(true)), (vec![], vec!["gold".to_owned()]));
    }

    /// Each kind of area looks different, and only water and wind change with time.
    #[test]
    fn areas_are_told_apart_by_their_effects() {
        let map = Map::from_ron(
            r#"Map(format: 1, tiles: ["...."], areas: [
                (name: "water", shape: Aabb(1.0, 0.5), at: (2.0, 0.5), effects: (buoyancy: 1.0)),
                (name: "ladder", shape: Aabb(1.0, 0.5), at: (2.0, 0.5), effects: (climbable: true)),
                (name: "wind", shape: Aabb(1.0, 0.5), at: (2.0, 0.5), effects: (wind: (3.0, 0.0))),
                (name: "sensor", shape: Aabb(1.0, 0.5), at: (2.0, 0.5)),
                (name: "spring", tag: "spring", shape: Aabb(1.0, 0.5), at: (2.0, 0.5)),
                (name: "goal", tag: "goal", shape: Aabb(1.0, 0.5), at: (2.0, 0.5)),
            ])"#,
        )
        .expect("a map");
        let view = View { left: 0.0, top: 1.0, scale: 40.0 };
        let painted = |i: usize, seconds: f64| {
            let mut mesh = Mesh::new();
            paint(&mut mesh, &view, &map.areas()[i], DVec2::new(2.0, 0.5), seconds, &Palette::NIGHT);
            mesh.vertices()
                .iter()
                .map(|vertex| (vertex.x.to_bits(), vertex.y.to_bits(), vertex.color))
                .collect::<Vec<_>>()
        };
        let still: Vec<_> = (0..6).map(|i| painted(i, 0.0)).collect();
        for (i, one) in still.iter().enumerate() {
            assert!(still[..i].iter().all(|other| other != one), "{i}");
        }
        let moves: Vec<_> = (0..6).map(|i| painted(i, 0.3) != still[i]).collect();
        assert_eq!(moves, [true, false, true, false, false, false]);
    }

    /// An area that only changes gravity has the outline of its union, not one for each box. Arrows are painted in each
    /// box.
    #[test]
    fn a_union_of_boxes_has_one_outline() {
        let view = View { left: 0.0, top: 3.0, scale: 100.0 };
        let aabb = |low: (f64, f64), high: (f64, f64)| Aabb::new(low.into(), high.into()).expect("a box");
        let mut area = Area::new(Boxes::new([aabb((0.0, 0.0), (2.0, 1.0)), aabb((0.0, 1.0), (1.0, 2.0))]));
        area.effects.gravity_scale = Some(0.5);
        let (mut mesh, mut outline) = (Mesh::new(), Mesh::new());
        paint(&mut mesh, &view, &area, DVec2::ZERO, 0.0, &Palette::NIGHT);
        paint_area(&mut outline, &view, &area, DVec2::ZERO, &Palette::NIGHT);
        assert!(mesh == outline);
        area.effects.up = Some(surefoot::motion::Up::MinusY);
        let mut with_arrows = Mesh::new();
        paint(&mut with_arrows, &view, &area, DVec2::ZERO, 0.0, &Palette::NIGHT);
        assert!(
            with_arrows.indices().len() > outline.indices().len()
                && with_arrows.indices().starts_with(outline.indices())
        );
    }

    /// Two pools of a wide and a narrow box: waves are at the top of the union only, and all of it below them is filled
    /// once.
    #[test]
    fn joined_water_has_waves_at_the_top_of_the_union_only() {
        let view = View { left: 0.0, top: 3.0, scale: 100.0 };
        let aabb = |low: (f64, f64), high: (f64, f64)| Aabb::new(low.into(), high.into()).expect("a box");
        // The boxes, and the columns with waves at the heights 1 and 2.
        let pools = [
            ([aabb((0.0, 1.0), (6.0, 2.0)), aabb((2.0, 0.0), (4.0, 1.0))], [vec![], vec![0, 1, 2, 3, 4, 5]]),
            ([aabb((2.0, 1.0), (4.0, 2.0)), aabb((0.0, 0.0), (6.0, 1.0))], [vec![0, 1, 4, 5], vec![2, 3]]),
        ];
        for (pool, columns) in pools {
            let mut area = Area::new(Boxes::new(pool));
            area.effects.buoyancy = Some(2.0);
            // The opacities of the paints, of 255.
            let (fill, lines) = (77, 204);
            for moment in 0..8 {
                let seconds = 0.25 * f64::from(moment);
                let mut mesh = Mesh::new();
                paint(&mut mesh, &view, &area, DVec2::ZERO, seconds, &Palette::NIGHT);
                let count_at = |opacity: u8, x: f64, y: f64| {
                    let at = view.point(DVec2::new(x, y));
                    let is_covered = |triangle: &[u32]| {
                        let corners = [0, 1, 2].map(|i| mesh.vertices()[triangle[i] as usize]);
                        let sides = [0, 1, 2].map(|i: usize| {
                            let [a, b] =
                                [corners[i], corners[(i + 1) % 3]].map(|at| DVec2::new(at.x.into(), at.y.into()));
                            (b - a).perp_dot(DVec2::new(at.x, at.y) - a)
                        });
                        let is_inside = sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0);
                        corners[0].color[3] == opacity && is_inside
                    };
                    mesh.indices().chunks(3).filter(|triangle| is_covered(triangle)).count()
                };
                for column in 0..6_u8 {
                    let x = f64::from(column) + 0.513;
                    for (height, waves) in [1.0, 2.0].into_iter().zip(&columns) {
                        let heights = (0..40).map(|i| height - 0.1937 + 0.01 * f64::from(i));
                        let has_waves = heights.clone().any(|y| count_at(lines, x, y) > 0);
                        assert_eq!(has_waves, waves.contains(&column), "{x}, {height}, {seconds}");
                        let is_inside = |y: f64| {
                            pool.iter().any(|aabb| {
                                let (low, high) = (aabb.min(), aabb.max());
                                (low.x..high.x).contains(&x) && (low.y..high.y).contains(&y)
                            })
                        };
                        for y in heights.filter(|y| !has_waves || *y < height - 0.15) {
                            assert_eq!(count_at(fill, x, y), usize::from(is_inside(y)), "{x}, {y}, {seconds}");
                        }
                    }
                }
            }
        }
    }
}

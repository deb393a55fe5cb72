//! Paints areas on any canvas.

use crate::canvas::Canvas;
use crate::paint::Paint;
use crate::palette::Palette;
use crate::path::PathData;
use crate::view::View;
use surefoot::Map;
use surefoot::area::{Area, AreaShape, AttachedTo};
use surefoot::geometry::{Aabb, Capsule, DVec2};

/// Opacity of the shade of an area.
const SHADE_OPACITY: f64 = 0.14;
/// Number of straight lines of a round end of a capsule.
const CAP_SEGMENTS: i32 = 12;

/// Paints an area as a light shade with a dashed outline. Areas that change how bodies move are blue.
///
/// `at`: position of the area's origin in tiles.
pub fn paint_area(canvas: &mut impl Canvas, view: &View, area: &Area, at: DVec2, palette: &Palette) {
    let color = if area.effects.is_empty() { palette.marker } else { palette.slippery };
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
        let mut path = PathData::new();
        let corners = match &area.shape {
            AreaShape::Circle(_) => Vec::new(),
            AreaShape::Aabb(aabb) => of_box(aabb),
            AreaShape::Boxes(boxes) => {
                for aabb in boxes.as_slice() {
                    path.polygon(of_box(aabb).into_iter().map(|corner| view.point(at + corner)));
                }
                return paints.iter().for_each(|paint| canvas.path(&path, paint));
            }
            AreaShape::Obb(obb) => obb.corners().to_vec(),
            AreaShape::Capsule(capsule) => capsule_outline(capsule),
            AreaShape::Triangle(triangle) => triangle.corners().to_vec(),
            AreaShape::Polygon(polygon) => polygon.corners().to_vec(),
        };
        path.polygon(corners.into_iter().map(|corner| view.point(at + corner)));
        paints.iter().for_each(|paint| canvas.path(&path, paint));
    });
}

/// Returns the outline of a capsule as straight lines.
fn capsule_outline(capsule: &Capsule) -> Vec<DVec2> {
    let along = (capsule.b() - capsule.a()).try_normalize().unwrap_or(DVec2::X);
    // The points (1 - t^2, 2 t) / (1 + t^2) are on the unit circle. For t from -1 to 1, they make the half circle around
    // `out`, without trigonometry.
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
    use crate::svg::tests::groups;
    use crate::{MapStyle, Run, RunStyle, draw_map, draw_run};
    use surefoot::prelude::*;
    use surefoot::{Map, World};

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

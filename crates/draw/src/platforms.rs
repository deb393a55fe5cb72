//! Platforms: their tiles wherever they are, and the paths that they follow.

use crate::canvas::Canvas;
use crate::paint::Paint;
use crate::palette::Palette;
use crate::passes::TerrainPainter;
use crate::path::PathData;
use crate::region::Region;
use crate::view::View;
use crate::{edges, layers, solids};
use surefoot::geometry::DVec2;
use surefoot::map::{Map, MapParts};
use surefoot::platform::{Platform, PlatformMotion, Repeat};
use surefoot::prelude::{Position, Settings, Terrain};

/// The tiles of a platform, ready to be painted anywhere.
///
/// # Examples
/// ```
/// use surefoot::platform::Platform;
/// use surefoot::{Map, geometry::DVec2};
/// use surefoot_draw::{Palette, PlatformPainter, Svg, View};
///
/// let map = Map::from_ron(r#"Map(format: 1, tiles: ["....", "===="])"#)?;
/// let platform = Platform::from_rows(&map, ["=="])?;
/// let painter = PlatformPainter::new(&map, &platform).expect("a platform of the map's tiles");
/// let mut svg = Svg::new(128.0, 64.0, "a platform");
/// let view = View { left: 0.0, top: 2.0, scale: 32.0 };
/// painter.paint(&mut svg, &view, "lift", DVec2::new(1.0, 0.5), &Palette::NIGHT);
/// assert!(svg.to_string().contains("<title>lift</title>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlatformPainter {
    /// The platform as a map of its own.
    map: Map,
    terrain: Terrain,
}

impl PlatformPainter {
    /// A painter of a platform of a map's tile kinds; `None` for one that no world on the map takes.
    #[must_use]
    pub fn new(map: &Map, platform: &Platform) -> Option<PlatformPainter> {
        let mut parts = MapParts::new(1, 1);
        parts.catalogue = map.catalogue().clone();
        parts.kinds = map.kinds().to_vec();
        // The kinds may name some of them.
        parts.collision_layers = map.collision_layers().to_vec();
        parts.layers.clone_from(&platform.layers);
        let map = Map::from_parts(parts).ok()?;
        let terrain = Terrain::bake(&map);
        Some(PlatformPainter { map, terrain })
    }

    /// Paints the platform with the lower left corner of its tile (0, 0) at a point of the world, in tiles. In an SVG it is
    /// a group with `name` as its title.
    pub fn paint(&self, canvas: &mut impl Canvas, view: &View, name: &str, at: DVec2, palette: &Palette) {
        let view = &View { left: view.left - at.x, top: view.top - at.y, scale: view.scale };
        let (map, terrain) = (&self.map, &self.terrain);
        let region = Region::of(map).with_ring();
        let painter = TerrainPainter::new(map, terrain, palette);
        let (behind, before) = layers::around_terrain(map);
        let edges = edges::exposed(map, terrain, region);
        let solid = solids::outline(terrain, view, region);
        canvas.group("platform", name, |canvas| {
            behind.into_iter().for_each(|layer| layers::paint(canvas, view, &painter, layer, region));
            canvas.path(&solid, &Paint::fill(palette.solid));
            edges::paint(canvas, view, &edges, palette);
            before.into_iter().for_each(|layer| layers::paint(canvas, view, &painter, layer, region));
        });
    }

    /// Paints the path or the circle of the platform, if it has one, as a map says it: a dashed line through the middle of its
    /// tiles, with a dot at each way point, or at the centre of a circle. `platform` is the one that the painter was made of.
    pub fn paint_path(&self, canvas: &mut impl Canvas, view: &View, platform: &Platform, palette: &Palette) {
        paint_path(canvas, view, platform, self.middle(), palette);
    }

    /// Paints thin, faint lines along its edges, with the lower left corner of its tile (0, 0) at a point of the world.
    pub(crate) fn paint_outline(&self, canvas: &mut impl Canvas, view: &View, at: DVec2, palette: &Palette) {
        let view = &View { left: view.left - at.x, top: view.top - at.y, scale: view.scale };
        let edges = edges::exposed(&self.map, &self.terrain, Region::of(&self.map).with_ring());
        canvas.group("platform start", "", |canvas| edges::paint_outline(canvas, view, &edges, palette));
    }

    /// The middle of the rectangle around its tiles, from the lower left corner of its tile (0, 0).
    pub(crate) fn middle(&self) -> DVec2 {
        let ((left, bottom), (columns, rows)) = (self.map.origin(), self.map.size());
        DVec2::new(f64::from(left) + f64::from(columns) / 2.0, f64::from(bottom) + f64::from(rows) / 2.0)
    }
}

/// A map's platforms, each with its painter and where a world of ticks of 1/60 second begins with it.
fn beginning(map: &Map) -> impl Iterator<Item = (&Platform, PlatformPainter, Position)> {
    let tick = Settings::default().tick;
    map.platforms().iter().filter_map(move |platform| {
        // The path of a map's platform is in order in such ticks.
        let at = platform.start_position(tick).or(platform.position).unwrap_or_default();
        Some((platform, PlatformPainter::new(map, platform)?, at))
    })
}

/// Paints a map's platforms where a world of ticks of 1/60 second begins with them, each with its path: a dashed line
/// through the middle of its tiles, with a dot at each way point, or at the centre of a circle.
pub(crate) fn paint_all(canvas: &mut impl Canvas, view: &View, map: &Map, palette: &Palette) {
    for (platform, painter, at) in beginning(map) {
        paint_path(canvas, view, platform, painter.middle(), palette);
        painter.paint(canvas, view, &platform.name, at.to_dvec2(), palette);
    }
}

/// The terrains of a map's platforms, each with where its point (0, 0) is where [`paint_all`] paints it.
pub(crate) fn terrains(map: &Map) -> impl Iterator<Item = (Terrain, Position)> {
    beginning(map).map(|(_, painter, at)| (painter.terrain, at))
}

/// Paints the way of a platform, if it has one, as that of its point `middle`.
pub(crate) fn paint_path(canvas: &mut impl Canvas, view: &View, platform: &Platform, middle: DVec2, palette: &Palette) {
    let start = platform.position.unwrap_or_default().to_dvec2() + middle;
    let dash = view.scale / 6.0;
    let stroke = Paint::stroke(palette.marker, (view.scale / 24.0).max(1.0)).dashed(dash, dash);
    match &platform.motion {
        PlatformMotion::Driven => {}
        PlatformMotion::Path(path) => {
            let points = path.points.iter().map(|point| view.point(start + point.to_dvec2()));
            let mut line = PathData::new();
            line.run(points.clone());
            if path.repeat == Repeat::Loop {
                line.close();
            }
            canvas.group("path", "", |canvas| {
                canvas.path(&line, &stroke);
                for point in points {
                    canvas.circle(point, view.scale / 14.0, &Paint::fill(palette.marker));
                }
            });
        }
        PlatformMotion::Circle(circle) => canvas.group("path", "", |canvas| {
            canvas.circle(view.point(start), circle.radius * view.scale, &stroke);
            canvas.circle(view.point(start), view.scale / 14.0, &Paint::fill(palette.marker));
        }),
    }
}

#[cfg(test)]
mod tests {
    use crate::map::{MapStyle, draw_map};
    use crate::palette::Palette;
    use crate::png::render;
    use crate::svg::tests::groups;
    use surefoot::Map;
    use surefoot::prelude::Terrain;

    const MAP: &str = r###"Map(format: 1, tiles: ["......", "......", "......", "......"], platforms: [
        (name: "lift", tiles: ["##"], at: (0, 0), motion: Path(points: [(1, 0), (1, 2)], speed: 1, phase: 0.25)),
        (name: "press", tiles: ["#"], at: (4, 3))])"###;

    fn svg(text: &str) -> crate::svg::Svg {
        let map = Map::from_ron(text).unwrap();
        draw_map(&map, &Terrain::bake(&map), &MapStyle { tile: 10, margin: 0.0, ..MapStyle::default() })
    }

    /// The lift goes up from (1, 0) to (1, 2) and back, a quarter of which is (1, 1).
    #[test]
    fn platforms_are_where_they_begin() {
        let svg = svg(MAP);
        let titles: Vec<_> = groups(&svg, "platform").into_iter().map(|group| group.title).collect();
        assert_eq!(titles, ["lift", "press"]);
        let solid = Palette::NIGHT.solid;
        let picture = render(&svg, 1.0).unwrap();
        let is_solid = |x: f64, y: f64| {
            let pixel = picture.pixel((x * 10.0) as u32, ((4.0 - y) * 10.0) as u32).unwrap();
            [pixel.red(), pixel.green(), pixel.blue()] == solid.0
        };
        assert!(is_solid(1.5, 1.75) && is_solid(2.5, 1.75) && is_solid(4.5, 3.5));
        assert!(!is_solid(1.5, 0.75) && !is_solid(3.5, 1.75) && !is_solid(3.5, 3.5));
    }

    #[test]
    fn a_path_is_a_line_through_the_middle() {
        let paths = groups(&svg(MAP), "path");
        assert_eq!(paths.len(), 1);
        // From the middle of two tiles at (1, 0), 2 tiles up; the picture is 40 high.
        assert!(paths[0].data.contains("M20 35V15") || paths[0].data.contains("M20 35L20 15"), "{}", paths[0].data);
    }

    /// An arrow in the middle of a belt, whose left end is at (1, 2), and 0.2 below it; the picture is 40 high.
    #[test]
    fn belts_of_platforms_are_painted_where_they_begin() {
        let svg = svg(r###"Map(format: 1, tiles: ["......", "......", "......", "......"],
            legend: {'>': (tile: "one_way", material: (belt_velocity: 2.0, traction: 0.5))},
            platforms: [(tiles: [">"], at: (1, 1))])"###);
        let group = |class| groups(&svg, class).remove(0).data;
        // Ends 0.7 pixels behind the middle at (15, 22), and 1.1 to its sides.
        assert_eq!(group("belts"), "M14.3 20.9L15.7 22L14.3 23.1");
        assert_eq!(group("surfaces"), "M10 20H20L18.7 21.3H11.3Z");
    }

    /// A kind that lets a collision layer pass hides no platform of the map.
    #[test]
    fn platforms_that_let_bodies_pass_are_painted() {
        let svg = svg(r###"Map(format: 1, tiles: ["......", "......"], collision_layers: ["hero", "ghost"],
            legend: {'~': (tile: "one_way", ignored_by: ["ghost"])},
            platforms: [(name: "ferry", tiles: ["~~"]), (name: "block", tiles: ["#"], at: (4, 0))])"###);
        let titles: Vec<_> = groups(&svg, "platform").into_iter().map(|group| group.title).collect();
        assert_eq!(titles, ["ferry", "block"]);
    }

    /// The middle of a tile at (2, 1) is at (25, 25) in a picture 40 high.
    #[test]
    fn a_circle_is_drawn_around_where_the_platform_is_put() {
        let svg = svg(r###"Map(format: 1, tiles: ["......", "......", "......", "......"], platforms: [
            (tiles: ["#"], at: (2, 1), motion: Circle(radius: 1.5, period: 2))])"###);
        assert_eq!(groups(&svg, "path").len(), 1);
        assert!(svg.to_string().contains(r#"<circle cx="25" cy="25" r="15""#), "{svg}");
    }
}

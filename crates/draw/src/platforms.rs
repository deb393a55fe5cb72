//! Paints platforms at any position, and the paths that they follow.

use crate::canvas::Canvas;
use crate::paint::Paint;
use crate::palette::Palette;
use crate::passes::TerrainPainter;
use crate::path::PathData;
use crate::region::Region;
use crate::view::View;
use crate::{edges, layers, solids};
use surefoot::geometry::DVec2;
use surefoot::map::{Map, MapParts, Things, TileKind};
use surefoot::platform::{Platform, PlatformMotion, Repeat};
use surefoot::prelude::{Position, Settings, Terrain};

/// Paints the tiles of a platform at any position.
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
    /// Creates a painter of a platform. Returns `None` if a world on the map would refuse the platform.
    #[must_use]
    pub fn new(map: &Map, platform: &Platform) -> Option<PlatformPainter> {
        let mut parts = MapParts::new(1, 1);
        parts.catalogue = map.catalogue().clone();
        // Leave out the things of the kinds: an area may be attached to a platform, and this map has no platforms.
        let kinds = map.kinds().iter().map(|kind| TileKind { things: Things::default(), ..kind.clone() });
        parts.kinds = kinds.collect();
        // The tile kinds may refer to collision layers.
        parts.collision_layers = map.collision_layers().to_vec();
        parts.layers.clone_from(&platform.layers);
        let map = Map::from_parts(parts).ok()?;
        let terrain = Terrain::bake(&map);
        Some(PlatformPainter { map, terrain })
    }

    /// Paints the platform. `at`: position of the lower left corner of its tile (0, 0) in the world, in tiles. An SVG
    /// groups the shapes with `name` as the title.
    pub fn paint(&self, canvas: &mut impl Canvas, view: &View, name: &str, at: DVec2, palette: &Palette) {
        let view = &View { left: view.left - at.x, top: view.top - at.y, scale: view.scale };
        let (map, terrain) = (&self.map, &self.terrain);
        let region = Region::of(map).grown_by_one_tile();
        let painter = TerrainPainter::new(map, terrain, palette);
        let (behind, in_front) = layers::layers_behind_and_in_front(map);
        let edges = edges::exposed_edges(map, terrain, region);
        let solid = solids::solid_outlines(terrain, view, region);
        canvas.group("platform", name, |canvas| {
            behind.into_iter().for_each(|layer| layers::paint_layer(canvas, view, &painter, layer, region));
            canvas.path(&solid, &Paint::fill(palette.solid));
            edges::paint_edges(canvas, view, &edges, palette);
            in_front.into_iter().for_each(|layer| layers::paint_layer(canvas, view, &painter, layer, region));
        });
    }

    /// Paints the path or the circle of the platform, if it has one: a dashed line through the middle of its tiles.
    /// Dots show the way points or the centre of the circle. `platform`: the platform that the painter was created for.
    pub fn paint_path(&self, canvas: &mut impl Canvas, view: &View, platform: &Platform, palette: &Palette) {
        paint_path(canvas, view, platform, self.rectangle_middle(), palette);
    }

    /// Paints thin, faint lines along the edges. `at`: position of the lower left corner of the tile (0, 0) in the
    /// world.
    pub(crate) fn paint_outline(&self, canvas: &mut impl Canvas, view: &View, at: DVec2, palette: &Palette) {
        let view = &View { left: view.left - at.x, top: view.top - at.y, scale: view.scale };
        let edges = edges::exposed_edges(&self.map, &self.terrain, Region::of(&self.map).grown_by_one_tile());
        canvas.group("platform start", "", |canvas| edges::paint_faint_edges(canvas, view, &edges, palette));
    }

    /// Returns the middle of the rectangle around the tiles, from the lower left corner of the tile (0, 0).
    pub(crate) fn rectangle_middle(&self) -> DVec2 {
        let ((left, bottom), (columns, rows)) = (self.map.origin(), self.map.size());
        DVec2::new(f64::from(left) + f64::from(columns) / 2.0, f64::from(bottom) + f64::from(rows) / 2.0)
    }
}

/// Returns a map's platforms, their painters, and their start positions.
fn platforms_with_painter_and_start(map: &Map) -> impl Iterator<Item = (&Platform, PlatformPainter, Position)> {
    start_positions(map).filter_map(|(platform, at)| Some((platform, PlatformPainter::new(map, platform)?, at)))
}

/// Returns a map's platforms and their start positions in a world with ticks of 1/60 second.
pub(crate) fn start_positions(map: &Map) -> impl Iterator<Item = (&Platform, Position)> {
    let tick = Settings::default().tick;
    map.platforms().iter().map(move |platform| {
        // The map has checked the path for ticks of this length, so `start_position` does not fail.
        (platform, platform.start_position(tick).or(platform.position).unwrap_or_default())
    })
}

/// Paints a map's platforms at their start positions, with their paths.
pub(crate) fn paint_platforms(canvas: &mut impl Canvas, view: &View, map: &Map, palette: &Palette) {
    for (platform, painter, at) in platforms_with_painter_and_start(map) {
        paint_path(canvas, view, platform, painter.rectangle_middle(), palette);
        painter.paint(canvas, view, &platform.name, at.to_dvec2(), palette);
    }
}

/// Returns the terrains of a map's platforms and their start positions, as [`paint_platforms`] paints them.
pub(crate) fn platform_terrains(map: &Map) -> impl Iterator<Item = (Terrain, Position)> {
    platforms_with_painter_and_start(map).map(|(_, painter, at)| (painter.terrain, at))
}

/// Paints the path or circle of a platform, if it has one, as the motion of its point `middle`.
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
    use crate::png::{color_at, render_pixels};
    use crate::svg::tests::groups;
    use surefoot::Map;
    use surefoot::prelude::Terrain;

    const MAP: &str = r###"Map(format: 1, tiles: ["......", "......", "......", "......"], platforms: [
        (name: "lift", tiles: ["##"], at: (0, 0), motion: Path(points: [(1, 0), (1, 2)], speed: 1, phase: 0.25)),
        (name: "press", tiles: ["#"], at: (4, 3))])"###;

    fn draw_map_text(text: &str) -> crate::svg::Svg {
        let map = Map::from_ron(text).unwrap();
        draw_map(&map, &Terrain::bake(&map), &MapStyle { tile: 10, margin: 0.0, ..MapStyle::default() })
    }

    /// The lift moves from (1, 0) up to (1, 2) and back. A quarter of its period is at (1, 1).
    #[test]
    fn platforms_are_painted_at_their_start_positions() {
        let svg = draw_map_text(MAP);
        let titles: Vec<_> = groups(&svg, "platform").into_iter().map(|group| group.title).collect();
        assert_eq!(titles, ["lift", "press"]);
        let solid = Palette::NIGHT.solid;
        let picture = render_pixels(&svg, 1.0).unwrap();
        let is_solid = |x: f64, y: f64| color_at(&picture, (x * 10.0) as u32, ((4.0 - y) * 10.0) as u32) == solid;
        assert!(is_solid(1.5, 1.75) && is_solid(2.5, 1.75) && is_solid(4.5, 3.5));
        assert!(!is_solid(1.5, 0.75) && !is_solid(3.5, 1.75) && !is_solid(3.5, 3.5));
    }

    #[test]
    fn a_path_is_a_line_through_the_middle() {
        let paths = groups(&draw_map_text(MAP), "path");
        assert_eq!(paths.len(), 1);
        // The lift has two tiles, the first at (1, 0). Its path goes from the middle of both to 2 tiles above it. The
        // picture is 40 pixels high.
        assert!(paths[0].data.contains("M20 35V15") || paths[0].data.contains("M20 35L20 15"), "{}", paths[0].data);
    }

    /// The arrow is in the middle of the belt, 0.2 below it. The belt's left end is at (1, 2), the picture is 40 pixels
    /// high.
    #[test]
    fn belts_of_platforms_are_painted_at_the_start_positions() {
        let svg = draw_map_text(
            r###"Map(format: 1, tiles: ["......", "......", "......", "......"],
            legend: {'>': (tile: "one_way", material: (belt_velocity: 2.0, traction: 0.5))},
            platforms: [(tiles: [">"], at: (1, 1))])"###,
        );
        let group = |class| groups(&svg, class).remove(0).data;
        // The arrow is centred at (15, 22). Its tip is 0.7 pixels ahead, its two ends 0.7 pixels behind and 1.1 to
        // either side.
        assert_eq!(group("belts"), "M14.3 20.9L15.7 22L14.3 23.1");
        assert_eq!(group("surfaces"), "M10 20H20L18.7 21.3H11.3Z");
    }

    /// Platforms are painted even if a tile kind ignores a collision layer.
    #[test]
    fn platforms_that_let_bodies_pass_are_painted() {
        let svg = draw_map_text(
            r###"Map(format: 1, tiles: ["......", "......"], collision_layers: ["hero", "ghost"],
            legend: {'~': (tile: "one_way", ignored_by: ["ghost"])},
            platforms: [(name: "ferry", tiles: ["~~"]), (name: "block", tiles: ["#"], at: (4, 0))])"###,
        );
        let titles: Vec<_> = groups(&svg, "platform").into_iter().map(|group| group.title).collect();
        assert_eq!(titles, ["ferry", "block"]);
    }

    /// The area of a coin may move with a platform of the map. The map of a painter has no platforms.
    #[test]
    fn platforms_that_carry_areas_of_the_legend_are_painted() {
        let svg = draw_map_text(
            r###"Map(format: 1, tiles: [".c....", "......"],
            legend: {'c': (area: (tag: "coin", shape: Circle(0.25), attached_to: "lift"))},
            platforms: [(name: "lift", tiles: ["##"])])"###,
        );
        let titles: Vec<_> = groups(&svg, "platform").into_iter().map(|group| group.title).collect();
        assert_eq!(titles, ["lift"]);
    }

    /// The middle of the tile (2, 1) is at (25, 25) in a picture of 40 pixels height.
    #[test]
    fn a_circle_is_drawn_around_the_position_of_the_platform() {
        let svg = draw_map_text(
            r###"Map(format: 1, tiles: ["......", "......", "......", "......"], platforms: [
            (tiles: ["#"], at: (2, 1), motion: Circle(radius: 1.5, period: 2))])"###,
        );
        assert_eq!(groups(&svg, "path").len(), 1);
        assert!(svg.to_string().contains(r#"<circle cx="25" cy="25" r="15""#), "{svg}");
    }
}

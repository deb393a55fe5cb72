//! Records the motion of platforms in a run, and paints their start positions, paths and end positions.

use crate::canvas::Canvas;
use crate::paint::Paint;
use crate::palette::Palette;
use crate::path::PathData;
use crate::platforms::{PlatformPainter, paint_path};
use crate::view::View;
use std::collections::{BTreeMap, BTreeSet};
use surefoot::platform::{Platform, PlatformId};
use surefoot::prelude::Position;
use surefoot::world::PlatformState;
use surefoot::{Map, World, geometry::DVec2};

/// The motion of each platform of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlatformTracks(BTreeMap<PlatformId, Track>);

/// The motion of one platform. Positions are those of the lower left corner of its tile (0, 0).
#[derive(Clone, Debug)]
struct Track {
    /// The platform with its current tiles.
    platform: Platform,
    /// First position at which the platform was present.
    start: Option<Position>,
    /// Current position; `None` if the platform has crumbled, fallen out of the map or been removed.
    end: Option<Position>,
    /// The path of the platform, each segment once. A teleport starts a new line.
    lines: Vec<Vec<Position>>,
    /// All segments of the path, so that a repeated round adds nothing.
    segments: BTreeSet<[i64; 4]>,
}

impl PlatformTracks {
    /// Records the positions of all platforms, without their motion in the last tick.
    pub(crate) fn record_positions(&mut self, world: &World) {
        self.update_tracks(world, Track::record_positions);
    }

    /// Records the positions of all platforms and their motion in the last tick.
    pub(crate) fn record_motion(&mut self, world: &World) {
        self.update_tracks(world, Track::record_motion);
    }

    fn update_tracks(&mut self, world: &World, update: impl Fn(&mut Track, &PlatformState)) {
        self.0.values_mut().for_each(|track| track.end = None);
        for (id, state) in world.platforms() {
            let track = self.0.entry(id).or_insert_with(|| Track::new(state));
            // The tiles may have been edited since the last tick.
            if track.platform != *state.platform() {
                track.platform = state.platform().clone();
            }
            update(track, state);
        }
    }

    /// Paints each platform at its end position. Below all platforms, paints a faint outline at each start position,
    /// the path or circle of each motion, and a band along the path of each middle.
    pub(crate) fn paint(&self, canvas: &mut impl Canvas, view: &View, map: &Map, palette: &Palette) {
        let painters: Vec<_> =
            self.0.values().filter_map(|track| Some((track, PlatformPainter::new(map, &track.platform)?))).collect();
        // Paint all paths as one shape, so that the opacities of platforms on one circle do not add up.
        let mut paths = PathData::new();
        for (track, painter) in &painters {
            track.add_lines_to_path_data(&mut paths, view, painter.rectangle_middle());
            if let Some(start) = track.start.filter(|_| track.start != track.end) {
                painter.paint_outline(canvas, view, start.to_dvec2(), palette);
            }
        }
        if !paths.is_empty() {
            let band = Paint::stroke(palette.marker, view.scale / 5.0).round().opacity(0.25);
            canvas.group("platform ways", "", |canvas| canvas.path(&paths, &band));
        }
        for (track, painter) in &painters {
            paint_path(canvas, view, &track.platform, painter.rectangle_middle(), palette);
        }
        for (track, painter) in &painters {
            if let Some(end) = track.end {
                painter.paint(canvas, view, &track.platform.name, end.to_dvec2(), palette);
            }
        }
    }
}

impl Track {
    fn new(state: &PlatformState) -> Track {
        Track {
            platform: state.platform().clone(),
            start: None,
            end: None,
            lines: Vec::new(),
            segments: BTreeSet::new(),
        }
    }

    fn record_positions(&mut self, state: &PlatformState) {
        self.end = state.is_present().then_some(state.position());
        self.start = self.start.or(self.end);
    }

    fn record_motion(&mut self, state: &PlatformState) {
        let is_new = self.start.is_none();
        self.record_positions(state);
        // Begin at `previous_position`: the position of the last tick differs from it if the game teleported the
        // platform.
        let (from, to) = (state.previous_position(), state.position());
        if is_new || from == to {
            return;
        }
        let ([a, b], [c, d]) = (from.units().to_array(), to.units().to_array());
        let segment = if (a, b) < (c, d) { [a, b, c, d] } else { [c, d, a, b] };
        if !self.segments.insert(segment) {
            return;
        }
        match self.lines.last_mut() {
            Some(line) if line.last() == Some(&from) => line.push(to),
            _ => self.lines.push(vec![from, to]),
        }
    }

    fn add_lines_to_path_data(&self, paths: &mut PathData, view: &View, middle: DVec2) {
        for line in &self.lines {
            paths.run(line.iter().map(|position| view.point(position.to_dvec2() + middle)));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::map::MapStyle;
    use crate::palette::Palette;
    use crate::png::{color_at, render_pixels};
    use crate::run::{Run, RunStyle, draw_run};
    use crate::svg::Svg;
    use crate::svg::tests::groups;
    use surefoot::prelude::{Body, Settings, Shape};
    use surefoot::{Map, World};

    /// A block that moves one tile per tick, from (1, 0) up to (1, 3) and back.
    const LIFT: &str =
        r###"(name: "lift", tiles: ["#"], at: (1, 0), motion: Path(points: [(0, 0), (0, 3)], speed: 60))"###;

    /// A block at (1, 0) that the game drives, and one that disappears a tick after it is ridden.
    const BLOCK: &str = r###"(name: "block", tiles: ["#"], at: (1, 0))"###;
    const PLANK: &str = r###"(name: "plank", tiles: ["#"], at: (1, 0), on_ride: Crumble(delay: 0.0))"###;

    /// Creates a world of 6 x 4 empty tiles, and a run that has recorded its start.
    fn start_recorded_run(platform: &str) -> (World, Run) {
        let air = ["......"; 4];
        let map = Map::from_ron(&format!("Map(format: 1, tiles: {air:?}, platforms: [{platform}])")).unwrap();
        let (world, mut run) = (World::new(map, Settings::default()), Run::new());
        run.observe(&world);
        (world, run)
    }

    fn step(world: &mut World, run: &mut Run, ticks: u32) {
        for _ in 0..ticks {
            world.step();
            run.observe(world);
        }
    }

    /// Draws a run at 10 pixels a tile. The picture is 40 pixels high.
    fn draw_run_on_map(world: &World, run: &Run) -> Svg {
        let map = MapStyle { tile: 10, margin: 0.0, normals: false, ..MapStyle::default() };
        draw_run(world.map(), world.terrain(), run, &RunStyle { map, ..RunStyle::default() })
    }

    /// Returns whether a tile has the colour of solids.
    fn is_pixel_of_solid(svg: &Svg, (x, y): (u32, u32)) -> bool {
        color_at(&render_pixels(svg, 1.0).unwrap(), 10 * x + 8, 40 - 10 * y - 5) == Palette::NIGHT.solid
    }

    fn path_data_of_groups(svg: &Svg, class: &str) -> Vec<String> {
        groups(svg, class).into_iter().map(|group| group.data).collect()
    }

    #[test]
    fn a_platform_is_painted_at_its_end_with_an_outline_at_its_start() {
        let (mut world, mut run) = start_recorded_run(LIFT);
        step(&mut world, &mut run, 2);
        let svg = draw_run_on_map(&world, &run);
        assert!(is_pixel_of_solid(&svg, (1, 2)) && !is_pixel_of_solid(&svg, (1, 0)));
        assert_eq!(groups(&svg, "platform")[0].title, "lift");
        // The middle has moved from (1.5, 0.5) to (1.5, 2.5), and the path continues to (1.5, 3.5).
        assert_eq!(path_data_of_groups(&svg, "platform ways"), ["M15 35V25V15"]);
        assert_eq!(path_data_of_groups(&svg, "path"), ["M15 35V5"]);
        assert_eq!(path_data_of_groups(&svg, "platform start"), ["M10 30H20V40H10V30"]);
    }

    #[test]
    fn a_repeated_round_adds_nothing_and_ends_on_its_start() {
        let (mut world, mut run) = start_recorded_run(LIFT);
        step(&mut world, &mut run, 60);
        let svg = draw_run_on_map(&world, &run);
        assert!(is_pixel_of_solid(&svg, (1, 0)) && path_data_of_groups(&svg, "platform start").is_empty());
        assert_eq!(path_data_of_groups(&svg, "platform ways"), ["M15 35V25V15V5"]);
    }

    #[test]
    fn a_run_that_begins_late_shows_the_path_from_there() {
        let (mut world, _) = start_recorded_run(LIFT);
        world.step();
        let mut run = Run::new();
        run.begin(&world);
        step(&mut world, &mut run, 1);
        let svg = draw_run_on_map(&world, &run);
        assert_eq!(path_data_of_groups(&svg, "platform ways"), ["M15 25V15"]);
        assert_eq!(path_data_of_groups(&svg, "platform start"), ["M10 20H20V30H10V20"]);
    }

    #[test]
    fn a_driven_platform_has_a_path_and_a_teleport_breaks_it() {
        let (mut world, mut run) = start_recorded_run(BLOCK);
        let block = world.find_platform("block").unwrap();
        world.drive_platform(block, (2.0, 0.0)).unwrap();
        step(&mut world, &mut run, 1);
        world.teleport_platform(block, (4.0, 2.0)).unwrap();
        step(&mut world, &mut run, 1);
        world.drive_platform(block, (4.0, 3.0)).unwrap();
        step(&mut world, &mut run, 1);
        let svg = draw_run_on_map(&world, &run);
        assert_eq!(path_data_of_groups(&svg, "platform ways"), ["M15 35H25M45 15V5"]);
        assert!(is_pixel_of_solid(&svg, (4, 3)) && path_data_of_groups(&svg, "path").is_empty());
    }

    #[test]
    fn a_removed_platform_leaves_an_outline() {
        let (mut world, mut run) = start_recorded_run(PLANK);
        world.spawn(Body::new(Shape::aabb(0.25, 0.25)).at((1.5, 1.25))).unwrap();
        step(&mut world, &mut run, 5);
        let gone = draw_run_on_map(&world, &run);
        let (mut world, mut run) = start_recorded_run(BLOCK);
        world.despawn_platform(world.find_platform("block").unwrap()).unwrap();
        step(&mut world, &mut run, 1);
        for svg in [gone, draw_run_on_map(&world, &run)] {
            assert!(groups(&svg, "platform").is_empty() && !is_pixel_of_solid(&svg, (1, 0)));
            assert_eq!(groups(&svg, "platform start").len(), 1);
        }
    }
}

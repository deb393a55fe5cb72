//! What platforms did in a run: where each began, the way it made, and where it came to.

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

/// What each platform of a world did.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlatformTracks(BTreeMap<PlatformId, Track>);

/// What one platform did; positions are those of the lower left corner of its tile (0, 0).
#[derive(Clone, Debug)]
struct Track {
    /// With its tiles as they are now.
    platform: Platform,
    /// Where bodies met it first.
    start: Option<Position>,
    /// Where bodies meet it now; `None` if it has crumbled, fallen out of the map or been removed.
    end: Option<Position>,
    /// Its way, each part of it once, and anew where it was put elsewhere.
    lines: Vec<Vec<Position>>,
    /// The parts of the way, so that a round that repeats adds nothing.
    parts: BTreeSet<[i64; 4]>,
}

impl PlatformTracks {
    /// Takes down where all platforms are, without how they came there.
    pub(crate) fn begin(&mut self, world: &World) {
        self.take(world, Track::begin);
    }

    /// Takes down where all platforms are, and what they moved in the last tick.
    pub(crate) fn observe(&mut self, world: &World) {
        self.take(world, Track::observe);
    }

    fn take(&mut self, world: &World, take: impl Fn(&mut Track, &PlatformState)) {
        self.0.values_mut().for_each(|track| track.end = None);
        for (id, state) in world.platforms() {
            let track = self.0.entry(id).or_insert_with(|| Track::new(state));
            // Its tiles may have been painted since.
            if track.platform != *state.platform() {
                track.platform = state.platform().clone();
            }
            take(track, state);
        }
    }

    /// Paints each platform where it is at the end; below all of them a faint outline where it began, its path or circle,
    /// and a band along the way of its middle.
    pub(crate) fn paint(&self, canvas: &mut impl Canvas, view: &View, map: &Map, palette: &Palette) {
        let painters: Vec<_> =
            self.0.values().filter_map(|track| Some((track, PlatformPainter::new(map, &track.platform)?))).collect();
        // All ways as one shape, so that those of platforms on one circle do not add up.
        let mut ways = PathData::new();
        for (track, painter) in &painters {
            track.add_way(&mut ways, view, painter.middle());
            if let Some(start) = track.start.filter(|_| track.start != track.end) {
                painter.paint_outline(canvas, view, start.to_dvec2(), palette);
            }
        }
        if !ways.is_empty() {
            let band = Paint::stroke(palette.marker, view.scale / 5.0).round().opacity(0.25);
            canvas.group("platform ways", "", |canvas| canvas.path(&ways, &band));
        }
        for (track, painter) in &painters {
            paint_path(canvas, view, &track.platform, painter.middle(), palette);
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
        Track { platform: state.platform().clone(), start: None, end: None, lines: Vec::new(), parts: BTreeSet::new() }
    }

    fn begin(&mut self, state: &PlatformState) {
        self.end = state.is_present().then_some(state.position());
        self.start = self.start.or(self.end);
    }

    fn observe(&mut self, state: &PlatformState) {
        let is_new = self.start.is_none();
        self.begin(state);
        // What was put elsewhere before the tick has gone from there.
        let (from, to) = (state.previous_position(), state.position());
        if is_new || from == to {
            return;
        }
        let ([a, b], [c, d]) = (from.units().to_array(), to.units().to_array());
        let part = if (a, b) < (c, d) { [a, b, c, d] } else { [c, d, a, b] };
        if !self.parts.insert(part) {
            return;
        }
        match self.lines.last_mut() {
            Some(line) if line.last() == Some(&from) => line.push(to),
            _ => self.lines.push(vec![from, to]),
        }
    }

    fn add_way(&self, ways: &mut PathData, view: &View, middle: DVec2) {
        for line in &self.lines {
            ways.run(line.iter().map(|position| view.point(position.to_dvec2() + middle)));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::map::MapStyle;
    use crate::palette::Palette;
    use crate::png::render;
    use crate::run::{Run, RunStyle, draw_run};
    use crate::svg::Svg;
    use crate::svg::tests::groups;
    use surefoot::prelude::{Body, Settings, Shape};
    use surefoot::{Map, World};

    /// A block that goes up one tile a tick, from (1, 0) to (1, 3) and back.
    const LIFT: &str =
        r###"(name: "lift", tiles: ["#"], at: (1, 0), motion: Path(points: [(0, 0), (0, 3)], speed: 60))"###;

    /// A block at (1, 0) that the game drives, or that is gone a tick after it is ridden.
    const BLOCK: &str = r###"(name: "block", tiles: ["#"], at: (1, 0))"###;
    const PLANK: &str = r###"(name: "plank", tiles: ["#"], at: (1, 0), on_ride: Crumble(delay: 0.0))"###;

    /// A world without terrain, of 6 x 4 tiles, and its first tick taken down.
    fn begun(platform: &str) -> (World, Run) {
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

    /// At 10 pixels a tile; the picture is 40 high.
    fn drawn(world: &World, run: &Run) -> Svg {
        let map = MapStyle { tile: 10, margin: 0.0, normals: false, ..MapStyle::default() };
        draw_run(world.map(), world.terrain(), run, &RunStyle { map, ..RunStyle::default() })
    }

    /// Whether a tile is filled as solids are.
    fn is_solid(svg: &Svg, (x, y): (u32, u32)) -> bool {
        let pixel = render(svg, 1.0).unwrap().pixel(10 * x + 8, 40 - 10 * y - 5).unwrap();
        [pixel.red(), pixel.green(), pixel.blue()] == Palette::NIGHT.solid.0
    }

    fn data(svg: &Svg, class: &str) -> Vec<String> {
        groups(svg, class).into_iter().map(|group| group.data).collect()
    }

    #[test]
    fn a_platform_is_where_it_is_at_the_end_with_an_outline_where_it_began() {
        let (mut world, mut run) = begun(LIFT);
        step(&mut world, &mut run, 2);
        let svg = drawn(&world, &run);
        assert!(is_solid(&svg, (1, 2)) && !is_solid(&svg, (1, 0)));
        assert_eq!(groups(&svg, "platform")[0].title, "lift");
        // Its middle has gone from (1.5, 0.5) to (1.5, 2.5), and its path goes on to (1.5, 3.5).
        assert_eq!(data(&svg, "platform ways"), ["M15 35V25V15"]);
        assert_eq!(data(&svg, "path"), ["M15 35V5"]);
        assert_eq!(data(&svg, "platform start"), ["M10 30H20V40H10V30"]);
    }

    #[test]
    fn a_round_that_repeats_adds_nothing_and_ends_on_its_start() {
        let (mut world, mut run) = begun(LIFT);
        step(&mut world, &mut run, 60);
        let svg = drawn(&world, &run);
        assert!(is_solid(&svg, (1, 0)) && data(&svg, "platform start").is_empty());
        assert_eq!(data(&svg, "platform ways"), ["M15 35V25V15V5"]);
    }

    #[test]
    fn a_run_that_begins_late_shows_the_way_from_there() {
        let (mut world, _) = begun(LIFT);
        world.step();
        let mut run = Run::new();
        run.begin(&world);
        step(&mut world, &mut run, 1);
        let svg = drawn(&world, &run);
        assert_eq!(data(&svg, "platform ways"), ["M15 25V15"]);
        assert_eq!(data(&svg, "platform start"), ["M10 20H20V30H10V20"]);
    }

    #[test]
    fn what_is_driven_has_a_way_and_what_is_put_elsewhere_has_none_to_there() {
        let (mut world, mut run) = begun(BLOCK);
        let block = world.find_platform("block").unwrap();
        world.drive_platform(block, (2.0, 0.0)).unwrap();
        step(&mut world, &mut run, 1);
        world.teleport_platform(block, (4.0, 2.0)).unwrap();
        step(&mut world, &mut run, 1);
        world.drive_platform(block, (4.0, 3.0)).unwrap();
        step(&mut world, &mut run, 1);
        let svg = drawn(&world, &run);
        assert_eq!(data(&svg, "platform ways"), ["M15 35H25M45 15V5"]);
        assert!(is_solid(&svg, (4, 3)) && data(&svg, "path").is_empty());
    }

    #[test]
    fn what_is_gone_leaves_an_outline() {
        let (mut world, mut run) = begun(PLANK);
        world.spawn(Body::new(Shape::aabb(0.25, 0.25)).at((1.5, 1.25))).unwrap();
        step(&mut world, &mut run, 5);
        let gone = drawn(&world, &run);
        let (mut world, mut run) = begun(BLOCK);
        world.despawn_platform(world.find_platform("block").unwrap()).unwrap();
        step(&mut world, &mut run, 1);
        for svg in [gone, drawn(&world, &run)] {
            assert!(groups(&svg, "platform").is_empty() && !is_solid(&svg, (1, 0)));
            assert_eq!(groups(&svg, "platform start").len(), 1);
        }
    }
}

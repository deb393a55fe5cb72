use crate::canvas::Canvas;
use crate::font;
use crate::paint::Paint;
use crate::palette::{Color, Palette};
use crate::path::PathData;
use crate::svg::Svg;
use crate::view::Point;
use surefoot::event::JumpFrom;
use surefoot::prelude::{BodyId, EventKind, Side, Touching};
use surefoot::{Command, Event, Input, World, geometry::DVec2};

/// The motion of one body over time, recorded from a world tick by tick.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::{Map, World};
/// use surefoot_draw::{Curves, Palette, draw_curves};
///
/// let map = Map::from_rows(["..@.", "===="])?;
/// let start = map.marker("start").ok_or("the map has a start")?;
/// let mut world = World::new(map, Settings::default());
/// let ball = world.spawn(Body::new(Shape::circle(0.25)).at(start).bounce(0.5))?;
/// let mut curves = Curves::new("ball");
/// curves.observe(&world, ball);
/// for _ in 0..60 {
///     world.step();
///     curves.observe(&world, ball);
/// }
/// assert!(draw_curves(&curves, &Palette::NIGHT).to_string().contains("<title>landed, tick "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Curves {
    name: String,
    /// The length of a tick in seconds.
    tick: f64,
    samples: Vec<Sample>,
    marks: Vec<Mark>,
}

/// A body after a tick.
#[derive(Clone, Copy, Debug)]
struct Sample {
    tick: u64,
    /// Height of the lowest point in tiles.
    foot: f64,
    /// Velocity to the right and up, in tiles per second.
    velocity: DVec2,
    touching: Touching,
    input: Input,
    /// Starts a new line, because the body was teleported or was not there before.
    starts_line: bool,
}

/// An event in a tick.
#[derive(Clone, Copy, Debug)]
struct Mark {
    tick: u64,
    what: &'static str,
}

/// Returns the label of a jump. `buffered`: whether the press was stored until the jump was possible.
fn jump_label(from: JumpFrom, buffered: bool) -> &'static str {
    let labels = match from {
        JumpFrom::Coyote => ["late jump", "buffered late jump"],
        JumpFrom::Wall => ["wall jump", "buffered wall jump"],
        JumpFrom::Air => ["air jump", "buffered air jump"],
        JumpFrom::Ladder => ["jump off ladder", "buffered jump off ladder"],
        JumpFrom::Ledge => ["jump off ledge", "buffered jump off ledge"],
        JumpFrom::Water => ["jump out of water", "buffered jump out of water"],
        _ => ["jump", "buffered jump"],
    };
    labels[usize::from(buffered)]
}

impl Curves {
    /// Creates empty curves. `name`: the title.
    #[must_use]
    pub fn new(name: &str) -> Curves {
        Curves { name: name.to_owned(), tick: 1.0, samples: Vec::new(), marks: Vec::new() }
    }

    /// Records the state of the body and the events of the last tick. Does nothing if the body does not exist.
    ///
    /// Call it before the first tick and after each tick.
    pub fn observe(&mut self, world: &World, body: BodyId) {
        let Some(state) = world.get(body) else { return };
        let (tick, settings) = (world.tick(), world.settings());
        self.tick = settings.tick;
        let (up, right) = (state.up().direction().as_dvec2(), state.right().as_dvec2());
        let velocity = state.velocity();
        let teleports = |command: &Command| matches!(command, Command::Teleport(other, _) if *other == body);
        let before = self.samples.last().copied().filter(|last| last.tick + 1 == tick);
        let sample = Sample {
            tick,
            foot: state.position().to_dvec2().dot(up) - state.shape().half_extents().dot(up.abs()),
            velocity: DVec2::new(velocity.dot(right), velocity.dot(up)),
            touching: state.touching(),
            input: state.input(),
            starts_line: before.is_none() || world.commands().iter().any(teleports),
        };
        self.samples.push(sample);
        let events = world.events().iter().filter(|event| event.body == body);
        let jumped = events.clone().any(|event| matches!(event.kind, EventKind::Jumped { .. }));
        let names = events.filter_map(|event| match event.kind {
            EventKind::Landed { .. } => Some("landed"),
            EventKind::LeftFloor if !jumped => Some("left floor"),
            EventKind::Jumped { from, buffered } => Some(jump_label(from, buffered)),
            EventKind::Dashed => Some("dash"),
            EventKind::AbilityBegan { ability } => Some(ability.labels()[0]),
            EventKind::AbilityEnded { ability } => Some(ability.labels()[1]),
            EventKind::HitTile { side: Side::Floor, .. } => Some("hit floor"),
            EventKind::HitTile { side: Side::WallLeft | Side::WallRight, .. } => Some("hit wall"),
            EventKind::HitTile { side: Side::Ceiling, .. } => Some("hit ceiling"),
            _ => None,
        });
        self.marks.extend(names.map(|what| Mark { tick, what }));
        let under = world.platform_under(body);
        let arrives = |event: &Event| matches!(event.kind, EventKind::PlatformArrived { platform, .. } if Some(platform) == under);
        if world.events().iter().any(arrives) {
            self.marks.push(Mark { tick, what: "platform arrived" });
        }
    }

    /// Removes all ticks before `tick`.
    pub fn begin_at(&mut self, tick: u64) {
        self.samples.retain(|sample| sample.tick >= tick);
        self.marks.retain(|mark| mark.tick >= tick);
    }
}

/// Left margin in pixels, with room for names and numbers.
const LEFT_MARGIN: f64 = 84.0;
/// Right margin in pixels.
const RIGHT_MARGIN: f64 = 24.0;
/// Pixels per tick, within the limits of the width of the curves.
const PIXELS_PER_TICK: f64 = 4.0;
/// Limits of the width of the curves in pixels.
const MIN_WIDTH: f64 = 480.0;
const MAX_WIDTH: f64 = 1280.0;
/// Heights of a frame of curves, of a bar, and of a gap, in pixels.
const CURVE_HEIGHT: f64 = 160.0;
const BAR_HEIGHT: f64 = 10.0;
const GAP_HEIGHT: f64 = 6.0;
/// Heights of capitals in pixels.
const TITLE_HEIGHT: f64 = 12.0;
const NAME_HEIGHT: f64 = 8.0;
const LABEL_HEIGHT: f64 = 6.5;
/// Number of rows above the curves for the names of events.
const EVENT_NAME_ROWS: usize = 3;

/// Draws the motion of a body over time, on one axis of ticks and seconds.
///
/// From top to bottom, the picture shows the height of the body's lowest point, its speed to the right and up, its
/// contacts, and its input. Values stand at the tick after which they hold. Vertical lines mark jumps, landings and
/// hits.
///
/// Groups have the classes `height`, `right`, `up`, `bars` with the name of their row as a title, and `mark`.
#[must_use]
pub fn draw_curves(curves: &Curves, palette: &Palette) -> Svg {
    let ends = curves.samples.first().zip(curves.samples.last());
    let (first, last) = ends.map_or((0, 0), |(first, last)| (first.tick, last.tick));
    let ticks = (last - first).max(1) as f64;
    let width = (ticks * PIXELS_PER_TICK).clamp(MIN_WIDTH, MAX_WIDTH);
    let time = TimeAxis { first: first as f64, ticks, width };
    let marks_end = GAP_HEIGHT + TITLE_HEIGHT + GAP_HEIGHT + EVENT_NAME_ROWS as f64 * (LABEL_HEIGHT + GAP_HEIGHT);
    let plot = Plot { curves, palette, time, top: marks_end + GAP_HEIGHT };

    // Compute the layout first: the picture needs its height. Then paint from back to front.
    let [height_top, speed_top] =
        [0.0, 1.0].map(|i| plot.top + i * (CURVE_HEIGHT + NAME_HEIGHT + 3.0 * GAP_HEIGHT) + NAME_HEIGHT + GAP_HEIGHT);
    let bars_top = speed_top + CURVE_HEIGHT + 2.0 * GAP_HEIGHT;
    let bottom = bars_top + 10.0 * (BAR_HEIGHT + GAP_HEIGHT) + NAME_HEIGHT;
    let mut svg = Svg::new(
        LEFT_MARGIN + width + RIGHT_MARGIN,
        bottom + 2.0 * (LABEL_HEIGHT + GAP_HEIGHT) + 2.0 * GAP_HEIGHT,
        &curves.name,
    );
    svg.rect(Point { x: 0.0, y: 0.0 }, svg.width(), svg.height(), &Paint::fill(palette.background));
    svg.text(&curves.name, Point { x: LEFT_MARGIN, y: GAP_HEIGHT + TITLE_HEIGHT + 2.0 }, TITLE_HEIGHT, palette.text);
    plot.paint_axis(&mut svg, bottom);
    plot.paint_event_marks(&mut svg, bottom);
    let [height, right, up, ..] = palette.bodies;
    let heights = [Series { name: "height", color: height, value: |sample| sample.foot }];
    plot.paint_curves(&mut svg, height_top, "height of the foot, tiles", &heights);
    let right = Series { name: "right", color: right, value: |sample| sample.velocity.x };
    let up = Series { name: "up", color: up, value: |sample| sample.velocity.y };
    plot.paint_curves(&mut svg, speed_top, "speed, tiles/s", &[right, up]);
    plot.paint_bars(&mut svg, bars_top);
    svg
}

/// A value of each tick, painted as a curve or as bars.
struct Series {
    name: &'static str,
    color: Color,
    value: fn(&Sample) -> f64,
}

/// The horizontal axis. `first`: first tick; `ticks`: number of ticks; `width`: in pixels.
#[derive(Clone, Copy)]
struct TimeAxis {
    first: f64,
    ticks: f64,
    width: f64,
}

impl TimeAxis {
    fn pixel_of_tick(&self, tick: f64) -> f64 {
        LEFT_MARGIN + (tick - self.first).clamp(0.0, self.ticks) / self.ticks * self.width
    }
}

struct Plot<'a> {
    curves: &'a Curves,
    palette: &'a Palette,
    time: TimeAxis,
    top: f64,
}

/// Minimum step between two lines of an axis, in the unit of the axis.
const MIN_AXIS_STEP: f64 = 1e-6;

/// Distance from a multiple of a step that counts as rounding, as a fraction of the step.
const MAX_ROUNDING_OF_STEP: f64 = 1e-6;

/// Returns the smallest of 1, 2 and 5 times a power of ten that divides `length` into at most `max_steps` steps.
fn distance_of_axis_marks(length: f64, max_steps: f64) -> f64 {
    let mut power = 1.0;
    while power * max_steps < length {
        power *= 10.0;
    }
    while power * max_steps >= length && power > MIN_AXIS_STEP {
        power /= 10.0;
    }
    [2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|step| step * max_steps >= length).unwrap_or(power)
}

/// Returns the multiples of a step from one number to another.
fn multiples(step: f64, from: f64, to: f64) -> impl Iterator<Item = f64> {
    let [from, to] = [(from / step - MAX_ROUNDING_OF_STEP).ceil(), (to / step + MAX_ROUNDING_OF_STEP).floor()];
    (from as i64..=to as i64).map(move |i| i as f64 * step)
}

/// Formats a number, rounded to multiples of `1 / parts_per_unit`, as short as possible.
fn format_rounded_number(number: f64, parts_per_unit: f64) -> String {
    // Adding 0 turns a negative zero into a positive one.
    ((number * parts_per_unit).round() / parts_per_unit + 0.0).to_string()
}

impl Plot<'_> {
    fn right_edge_pixel(&self) -> f64 {
        LEFT_MARGIN + self.time.width
    }

    /// Paints the time axis at the bottom, and its vertical lines.
    fn paint_axis(&self, svg: &mut Svg, bottom: f64) {
        let (palette, TimeAxis { first, ticks, width }) = (self.palette, self.time);
        let (max_labels, seconds) = ((width / 48.0).floor(), self.curves.tick);
        let rows = [
            ("tick", 1.0, distance_of_axis_marks(ticks, max_labels).max(1.0)),
            ("second", seconds, distance_of_axis_marks(ticks * seconds, max_labels)),
        ];
        for (i, (name, unit, step)) in rows.into_iter().enumerate() {
            let y = bottom + GAP_HEIGHT + (i + 1) as f64 * (LABEL_HEIGHT + GAP_HEIGHT);
            svg.text(name, Point { x: GAP_HEIGHT, y }, LABEL_HEIGHT, palette.quiet_text);
            for at in multiples(step, first * unit, (first + ticks) * unit) {
                let x = self.time.pixel_of_tick(at / unit);
                svg.centred_text(&format_rounded_number(at, 1e6), Point { x, y }, LABEL_HEIGHT, palette.quiet_text);
                if i == 0 {
                    draw_line(svg, [(x, self.top), (x, bottom)], &Paint::stroke(palette.grid, 1.0));
                }
            }
        }
    }

    /// Paints the events, and their names above the curves if there is room.
    fn paint_event_marks(&self, svg: &mut Svg, bottom: f64) {
        let palette = self.palette;
        let mut ends = [0.0; EVENT_NAME_ROWS];
        for &Mark { tick, what } in &self.curves.marks {
            let color = match what {
                what if what.contains("jump") => palette.marker,
                "landed" | "left floor" => palette.normal,
                _ => palette.wall,
            };
            let x = self.time.pixel_of_tick(tick as f64);
            svg.group("mark", &format!("{what}, tick {tick}"), |svg| {
                draw_line(svg, [(x, self.top), (x, bottom)], &Paint::stroke(color, 1.0).dashed(2.0, 3.0).opacity(0.7));
                let half = font::width(what, LABEL_HEIGHT) / 2.0;
                let middle = x.min(self.right_edge_pixel() - half).max(LEFT_MARGIN + half);
                if let Some(row) = ends.iter().position(|&end| end < middle - half) {
                    ends[row] = middle + half + GAP_HEIGHT;
                    let y = self.top - GAP_HEIGHT - row as f64 * (LABEL_HEIGHT + GAP_HEIGHT);
                    svg.centred_text(what, Point { x: middle, y }, LABEL_HEIGHT, color);
                }
            });
        }
    }

    /// Paints curves in one frame. The name of a curve is its class. Several curves are named above the frame.
    fn paint_curves(&self, svg: &mut Svg, top: f64, title: &str, rows: &[Series]) {
        let (palette, samples) = (self.palette, &self.curves.samples);
        let all = || rows.iter().flat_map(|row| samples.iter().map(row.value));
        let [low, high] = [all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max)];
        let (low, high) = if low <= high { (low, high) } else { (0.0, 0.0) };
        // Round first, so that values that differ only by rounding get the same frame.
        let [low, high] = [low, high].map(|end| (end * 1e3).round() / 1e3);
        // A frame is at least 1 high, also for a constant value.
        let frame_high = high.max(low + 1.0);
        let step = distance_of_axis_marks(frame_high - low, 6.0);
        let bottom = (low / step).floor() * step;
        let size = (frame_high / step).ceil() * step - bottom;
        let y = |value: f64| top + CURVE_HEIGHT - (value - bottom) / size * CURVE_HEIGHT;
        for value in multiples(step, bottom, bottom + size) {
            let (color, label) =
                (if value == 0.0 { palette.rim } else { palette.grid }, format_rounded_number(value, 1e6));
            draw_line(svg, [(LEFT_MARGIN, y(value)), (self.right_edge_pixel(), y(value))], &Paint::stroke(color, 1.0));
            let x = LEFT_MARGIN - GAP_HEIGHT - font::width(&label, LABEL_HEIGHT);
            svg.text(&label, Point { x, y: y(value) + LABEL_HEIGHT / 2.0 }, LABEL_HEIGHT, palette.quiet_text);
        }
        let mut at = Point { x: LEFT_MARGIN, y: top - GAP_HEIGHT };
        let range = format!("{} to {}", format_rounded_number(low, 1e2), format_rounded_number(high, 1e2));
        for (text, color) in std::iter::once((title, palette.text))
            .chain(rows.iter().map(|row| (row.name, row.color)).skip(usize::from(rows.len() == 1)))
            .chain([(range.as_str(), palette.quiet_text)])
        {
            let width = font::width(text, NAME_HEIGHT) + 2.0 * GAP_HEIGHT;
            // Hide the vertical lines behind the text.
            svg.rect(
                Point { y: at.y - NAME_HEIGHT - 2.0, ..at },
                width,
                NAME_HEIGHT + 5.0,
                &Paint::fill(palette.background),
            );
            svg.text(text, at, NAME_HEIGHT, color);
            at.x += width;
        }
        for Series { name, color, value } in rows {
            let mut path = PathData::new();
            for line in samples.chunk_by(|_, next| !next.starts_line) {
                path.run(line.iter().map(|at| Point { x: self.time.pixel_of_tick(at.tick as f64), y: y(value(at)) }));
            }
            svg.group(name, "", |svg| svg.path(&path, &Paint::stroke(*color, 1.75).round()));
        }
    }

    /// Paints contacts and inputs, a row each. A bar is one tick wide, centred on its tick.
    fn paint_bars(&self, svg: &mut Svg, top: f64) {
        let palette = self.palette;
        let row = |name, color, value| Series { name, color, value };
        let rows = [
            row("floor", palette.edge, |sample| sample.touching.floor.into()),
            row("wall left", palette.edge, |sample| sample.touching.wall_left.into()),
            row("wall right", palette.edge, |sample| sample.touching.wall_right.into()),
            row("ceiling", palette.edge, |sample| sample.touching.ceiling.into()),
            row("walk", palette.open, |sample| f64::from(sample.input.walk.max(-127)) / 127.0),
            row("jump", palette.open, |sample| sample.input.jump.into()),
            row("down", palette.open, |sample| sample.input.down.into()),
            row("up", palette.open, |sample| sample.input.up.into()),
            row("dash", palette.open, |sample| sample.input.dash.into()),
        ];
        let mut y = top;
        for Series { name, color, value } in rows {
            // Bars for walking to the right go up from the middle, those to the left go down.
            let (below, room) = if name == "walk" { (1.0, 2.0 * BAR_HEIGHT) } else { (0.0, BAR_HEIGHT) };
            let zero = y + room / (1.0 + below);
            svg.text(name, Point { x: GAP_HEIGHT, y: y + (room + NAME_HEIGHT) / 2.0 }, NAME_HEIGHT, palette.quiet_text);
            draw_line(svg, [(LEFT_MARGIN, zero), (self.right_edge_pixel(), zero)], &Paint::stroke(palette.rim, 1.0));
            svg.group("bars", name, |svg| {
                for run in self.curves.samples.chunk_by(|a, b| value(a) == value(b) && a.tick + 1 == b.tick) {
                    let (from, to, held) = (run[0].tick, run[run.len() - 1].tick, value(&run[0]));
                    if held != 0.0 {
                        let [from, to] = [from as f64 - 0.5, to as f64 + 0.5].map(|tick| self.time.pixel_of_tick(tick));
                        let corner = Point { x: from, y: zero - BAR_HEIGHT * held.max(0.0) };
                        svg.rect(corner, to - from, BAR_HEIGHT * held.abs(), &Paint::fill(color));
                    }
                }
            });
            y += room + GAP_HEIGHT + if name == "ceiling" { NAME_HEIGHT } else { 0.0 };
        }
    }
}

fn draw_line(svg: &mut Svg, ends: [(f64, f64); 2], paint: &Paint) {
    let mut path = PathData::new();
    path.run(ends.map(|(x, y)| Point { x, y }));
    svg.path(&path, paint);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::tests::groups;
    use surefoot::Map;
    use surefoot::prelude::{Body, Character, Settings, Shape};

    const HELD: Input = Input { walk: 0, jump: true, down: false, up: false, dash: false };

    /// A character at x = 10 on a floor at y = 1, with 10 tiles to either side.
    fn spawn_hero_on_floor(character: Character) -> (World, BodyId, Curves) {
        let map = Map::from_rows([&*".".repeat(20), &"=".repeat(20)]).unwrap();
        let mut world = World::new(map, Settings::default());
        let hero = Body::new(Shape::aabb(0.35, 0.45)).at((10.0, 1.45)).character(character);
        let hero = world.spawn(hero).unwrap();
        let mut curves = Curves::new("hero");
        curves.observe(&world, hero);
        (world, hero, curves)
    }

    fn step((world, hero, curves): &mut (World, BodyId, Curves), ticks: u32, input: Input) {
        world.set_input(*hero, input);
        for _ in 0..ticks {
            world.step();
            curves.observe(world, *hero);
        }
    }

    fn mark_titles(curves: &Curves) -> Vec<String> {
        groups(&draw_curves(curves, &Palette::NIGHT), "mark").into_iter().map(|group| group.title).collect()
    }

    /// Parses the points of path data, including horizontal and vertical lines.
    fn parse_points(data: &str) -> Vec<(f64, f64)> {
        let (mut points, mut at) = (Vec::new(), (0.0, 0.0));
        let ends: Vec<usize> = data.match_indices(|c: char| c.is_ascii_alphabetic()).map(|(i, _)| i).collect();
        for (i, &start) in ends.iter().enumerate() {
            let rest = &data[start + 1..ends.get(i + 1).copied().unwrap_or(data.len())];
            let numbers: Vec<f64> = rest.split(' ').map(|number| number.parse().unwrap()).collect();
            at = match data.as_bytes()[start] {
                b'H' => (numbers[0], at.1),
                b'V' => (at.0, numbers[0]),
                _ => (numbers[0], numbers[1]),
            };
            points.push(at);
        }
        points
    }

    /// The jump: 3.2 tiles under a gravity of 40 start at 16 tiles per second and take 0.4 s, or 24 ticks, up. Under
    /// twice the gravity, the fall takes 0.283 s and ends in the 17th tick, with 16 * 80 / 60 tiles per second before.
    ///
    /// The layout: 60 ticks are 480 pixels, 8 each. The title takes 24 pixels, three rows of names 37.5, their gap 6
    /// and the head 14, so the first frame begins at 81.5. Its heights of 1 to 4.2 are between 1 and 5, at 40 pixels a
    /// tile. The second frame begins 160 + 26 pixels lower. Its speeds of -21.3 to 15.3 are between -30 and 20, at 3.2
    /// pixels each.
    #[test]
    fn a_jump_is_drawn_at_the_expected_points() {
        let mut stage = spawn_hero_on_floor(Character { fall_gravity_scale: 2.0, ..Character::default() });
        step(&mut stage, 5, Input::default());
        step(&mut stage, 15, HELD);
        step(&mut stage, 40, Input { walk: -127, ..Input::default() });
        let svg = draw_curves(&stage.2, &Palette::NIGHT);
        let curve = |class| parse_points(&groups(&svg, class)[0].data);
        let [height, right, up] = ["height", "right", "up"].map(curve);
        for curve in [&height, &right, &up] {
            let ticks: Vec<f64> = curve.iter().map(|point| (point.0 - 84.0) / 8.0).collect();
            assert_eq!(ticks, (0..=60).map(f64::from).collect::<Vec<_>>());
        }
        assert_eq!((height[5].1, height[29].1, height[46].1), (81.5 + 160.0, 81.5 + 32.0, 81.5 + 160.0));
        assert!(height.iter().all(|point| point.1 >= height[29].1));
        let speed = |pixels: f64| 20.0 - (pixels - 267.5) / 3.2;
        for (tick, expected) in [(5, 0.0), (6, 16.0 - 40.0 / 60.0), (29, 0.0), (45, -16.0 * 80.0 / 60.0), (46, 0.0)] {
            assert!((speed(up[tick].1) - expected).abs() < 1e-3, "tick {tick}: {}", speed(up[tick].1));
        }
        // The character accelerates to the left from tick 21 on, by 40 tiles per second squared.
        assert!((speed(right[20].1)).abs() < 1e-3 && (speed(right[24].1) + 4.0 * 40.0 / 60.0).abs() < 1e-3);
        let marks = groups(&svg, "mark");
        let titles: Vec<&str> = marks.iter().map(|mark| mark.title.as_str()).collect();
        assert_eq!(titles, ["jump, tick 6", "landed, tick 46"]);
        assert!(
            marks[0].data.starts_with("M132 67.5V") && marks[1].data.starts_with("M452 67.5V"),
            "{}",
            marks[0].data
        );
        // Bars extend half a tick before and after their ticks. The bar of the walk to the left goes down.
        let text = svg.to_string();
        let row = |name: &str| {
            let mut rows = text.split("<g class=\"bars\">").skip(1).map(|rest| rest.split("</g>").next().unwrap());
            let rest = rows.find(|row| row.contains(&format!("<title>{name}</title>"))).unwrap();
            let number = |rect: &str, name: &str| -> f64 {
                let rest = &rect[rect.find(&format!(" {name}=\"")).unwrap() + name.len() + 3..];
                rest[..rest.find('"').unwrap()].parse().unwrap()
            };
            let rects = rest.split("<rect").skip(1);
            rects.map(|rect| ["x", "width", "height"].map(|name| number(rect, name))).collect::<Vec<_>>()
        };
        assert_eq!(row("floor"), [[84.0, 44.0, 10.0], [448.0, 116.0, 10.0]]);
        assert_eq!(row("jump"), [[128.0, 120.0, 10.0]]);
        assert_eq!(row("walk"), [[248.0, 316.0, 10.0]]);
        assert!(row("down").is_empty() && row("ceiling").is_empty());
    }

    #[test]
    fn jumps_are_distinguished_from_falls_and_pushes() {
        // The character walks off the end of the floor at x = 20.
        let mut falls = spawn_hero_on_floor(Character::default());
        step(&mut falls, 100, Input::walk(1.0));
        assert_eq!(mark_titles(&falls.2).len(), 1);
        assert!(mark_titles(&falls.2)[0].starts_with("left floor, tick "));

        let mut thrown = spawn_hero_on_floor(Character::default());
        thrown.0.set_velocity(thrown.1, (0.0, 10.0)).unwrap();
        step(&mut thrown, 1, Input::default());
        assert_eq!(mark_titles(&thrown.2), ["left floor, tick 1"]);

        // A character that is thrown up in the air while jump is held does not jump.
        let mut blown = spawn_hero_on_floor(Character::default());
        blown.0.teleport(blown.1, (10.0, 3.45)).unwrap();
        step(&mut blown, 1, HELD);
        blown.0.set_velocity(blown.1, (0.0, 9.0)).unwrap();
        step(&mut blown, 1, HELD);
        assert_eq!(mark_titles(&blown.2), ["left floor, tick 1"]);

        // The character starts a tile above the floor at 24 tiles per second downwards, so it lands in the third tick.
        // The jump pressed in the first tick is buffered for 6 ticks, although the button is released.
        let mut kept = spawn_hero_on_floor(Character { jump_buffer: 0.1, ..Character::default() });
        kept.0.teleport(kept.1, (10.0, 2.45)).unwrap();
        kept.0.set_velocity(kept.1, (0.0, -24.0)).unwrap();
        step(&mut kept, 1, HELD);
        step(&mut kept, 5, Input::default());
        assert_eq!(mark_titles(&kept.2), ["left floor, tick 1", "landed, tick 3", "buffered jump, tick 4"]);
    }

    /// The lift needs 60 ticks for a tile, arrives at the upper point, and turns back. No body rides the other lift.
    #[test]
    fn the_arrival_of_the_ridden_platform_is_marked() {
        let lift = |name: &str, x: u32, speed: f64| {
            let motion = format!("Path(points: [(0, 0), (0, 1)], speed: {speed:?})");
            format!(r#"(name: "{name}", at: ({x}, 1), tiles: ["=="], motion: {motion})"#)
        };
        let (ridden, other) = (lift("a", 1, 1.0), lift("b", 5, 4.0));
        let rows = r#"["........", "........", "........", "========"]"#;
        let map = format!("Map(format: 1, platforms: [{ridden}, {other}], tiles: {rows})");
        let mut world = World::new(Map::from_ron(&map).unwrap(), Settings::default());
        let hero =
            world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at((2.0, 2.45)).character(Character::default())).unwrap();
        let mut curves = Curves::new("rider");
        for _ in 0..90 {
            world.step();
            curves.observe(&world, hero);
        }
        let arrivals: Vec<_> = mark_titles(&curves).into_iter().filter(|mark| mark.starts_with("platform")).collect();
        assert_eq!(arrivals, ["platform arrived, tick 60"]);
    }

    #[test]
    fn a_teleport_breaks_the_line_and_begin_at_removes_ticks() {
        let mut stage = spawn_hero_on_floor(Character::default());
        step(&mut stage, 5, Input::default());
        stage.0.teleport(stage.1, (10.0, 3.45)).unwrap();
        step(&mut stage, 5, Input::default());
        let data = |curves: &Curves| groups(&draw_curves(curves, &Palette::NIGHT), "height")[0].data.clone();
        assert_eq!(data(&stage.2).matches('M').count(), 2);
        assert_eq!(parse_points(&data(&stage.2)).len(), 11);
        stage.2.begin_at(7);
        let points = parse_points(&data(&stage.2));
        // Ticks 7 to 10 are spread over 480 pixels.
        assert_eq!(points.iter().map(|point| point.0).collect::<Vec<_>>(), [84.0, 244.0, 404.0, 564.0]);
        // A constant height of 1 has a frame from 1 to 2.
        let mut still = spawn_hero_on_floor(Character::default());
        step(&mut still, 2, Input::default());
        assert_eq!(data(&still.2), "M84 241.5H324H564");
        let empty = draw_curves(&Curves::new("nothing"), &Palette::NIGHT);
        assert_eq!((groups(&empty, "height")[0].data.as_str(), empty.width()), ("", 588.0));
    }

    #[test]
    fn axis_steps_are_round_numbers() {
        let cases = [(4.0, 6.0, 1.0), (160.0, 10.0, 20.0), (1.0, 10.0, 0.1), (36.7, 6.0, 10.0), (0.25, 5.0, 0.05)];
        for (length, max_steps, expected) in cases {
            assert!(
                (super::distance_of_axis_marks(length, max_steps) - expected).abs() < 1e-12,
                "{length} {max_steps}"
            );
        }
        assert_eq!(multiples(0.5, -0.6, 1.0).collect::<Vec<_>>(), [-0.5, 0.0, 0.5, 1.0]);
        assert_eq!(
            (format_rounded_number(-0.0001, 1e2), format_rounded_number(2.345_678, 1e2)),
            ("0".to_owned(), "2.35".to_owned())
        );
    }
}

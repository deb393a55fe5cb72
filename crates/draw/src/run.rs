use crate::areas::paint_area;
use crate::bodies::{contact_point, paint_body, paint_contact, paint_front, paint_way};
use crate::canvas::Canvas;
use crate::map::{MapStyle, draw_terrain, view_and_empty_picture};
use crate::markers::MIN_READABLE_SCALE;
use crate::paint::Paint;
use crate::palette::Color;
use crate::platform_tracks::PlatformTracks;
use crate::svg::Svg;
use crate::view::View;
use std::collections::BTreeMap;
use surefoot::prelude::{BodyId, BodyState, EventKind, Position, Shape, Terrain};
use surefoot::world::AreaState;
use surefoot::{Command, Map, World, geometry::DVec2};

/// The motion of bodies and platforms, recorded from a world tick by tick. [`draw_run`] draws it.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::{Map, World};
/// use surefoot_draw::{Run, RunStyle, draw_run};
///
/// let map = Map::from_ron(r#"Map(format: 1, tiles: ["@...", "===="])"#)?;
/// let start = map.marker("start").expect("the map has a start");
/// let mut world = World::new(map, Settings::default());
/// let ball = world.spawn(Body::new(Shape::circle(0.25)).at(start).velocity((2.0, 0.0)))?;
/// let mut run = Run::new();
/// run.name(ball, "ball");
/// run.observe(&world);
/// for _ in 0..60 {
///     world.step();
///     run.observe(&world);
/// }
/// let svg = draw_run(world.map(), world.terrain(), &run, &RunStyle::default());
/// assert!(svg.to_string().contains("<title>ball</title>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Run {
    names: BTreeMap<BodyId, String>,
    tracks: BTreeMap<BodyId, Track>,
    platforms: PlatformTracks,
    /// Current areas.
    areas: Vec<AreaState>,
    /// Expected shapes and positions of bodies.
    expected: Vec<(Shape, Position)>,
}

/// The motion of one body.
#[derive(Clone, Debug)]
struct Track {
    shape: Shape,
    /// The path; a teleport starts a new line.
    lines: Vec<Vec<Position>>,
    /// Ticks in which the body existed, with its pose after the tick.
    poses: Vec<(u64, Pose)>,
    /// Points at which contacts began, in tiles, and their normals.
    contacts: Vec<(DVec2, DVec2)>,
    /// Normals of the current contacts.
    touching: Vec<DVec2>,
    asleep: bool,
}

/// Position and facing of a body after a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pose {
    position: Position,
    /// Direction of the facing; zero if unset.
    front: DVec2,
}

/// Settings for drawing a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunStyle {
    /// Style of the map.
    pub map: MapStyle,
    /// Interval in ticks between the outlines of a body. 0 draws only the first and the last.
    pub outline_every: u64,
    /// Shows where contacts of bodies begin, with their normals.
    pub contacts: bool,
}

impl Default for RunStyle {
    /// Returns a style with the map without normals, an outline every 20 ticks, and contacts.
    fn default() -> RunStyle {
        let map = MapStyle { normals: false, ..MapStyle::default() };
        RunStyle { map, outline_every: 20, contacts: true }
    }
}

/// Opacity of an awake body at the end of a run.
const AWAKE_OPACITY: f64 = 0.55;
/// Opacity of a sleeping body at the end of a run.
const ASLEEP_OPACITY: f64 = 0.75;

/// Cosine between two normals above which they count as one lasting contact. A body that rolls over a corner leaves a
/// dot every few degrees. With a larger value every tick would leave one; with a smaller one, gentle slopes would count
/// as floors.
const SAME_NORMAL_COSINE: f64 = 0.99;

impl Run {
    /// Creates an empty run.
    #[must_use]
    pub fn new() -> Run {
        Run::default()
    }

    /// Names a body. The name is written at the start of its path.
    pub fn name(&mut self, body: BodyId, name: impl Into<String>) {
        self.names.insert(body, name.into());
    }

    /// Adds the expected position of a body, for a run that diverged from its recording.
    pub fn expect(&mut self, shape: Shape, position: Position) {
        self.expected.push((shape, position));
    }

    /// Records the positions of all bodies and platforms, without their motion in the last tick.
    ///
    /// Call it before the first shown tick of a run whose beginning is not shown.
    pub fn begin(&mut self, world: &World) {
        self.platforms.record_positions(world);
        self.record_areas(world);
        for (body, state) in world.bodies() {
            let track = self.tracks.entry(body).or_insert_with(|| Track::new(state.shape()));
            track.lines.push(vec![state.position()]);
            track.poses.push((world.tick(), Pose::from_state(state)));
            track.touching = world.contacts(body).iter().map(|contact| contact.normal).collect();
        }
    }

    /// Records the current areas.
    fn record_areas(&mut self, world: &World) {
        self.areas.clear();
        self.areas.extend(world.areas().map(|(_, state)| state.clone()));
    }

    /// Records all bodies, platforms and areas. Call it before the first tick and after each tick.
    pub fn observe(&mut self, world: &World) {
        self.platforms.record_motion(world);
        self.record_areas(world);
        let teleported = |body| world.commands().iter().any(|c| matches!(c, Command::Teleport(b, _) if *b == body));
        for (body, state) in world.bodies() {
            let track = self.tracks.entry(body).or_insert_with(|| Track::new(state.shape()));
            if teleported(body) || track.lines.is_empty() {
                track.lines.push(Vec::new());
            }
            if let Some(line) = track.lines.last_mut() {
                line.extend(state.path());
                line.push(state.position());
                line.dedup();
            }
            track.poses.push((world.tick(), Pose::from_state(state)));
            let hits = world.events().iter().filter(|event| event.body == body).filter_map(|event| match event.kind {
                EventKind::HitTile { normal, tile, position, .. } => Some((position, normal, tile)),
                _ => None,
            });
            for event in world.events().iter().filter(|event| event.body == body) {
                match event.kind {
                    EventKind::FellAsleep => track.asleep = true,
                    EventKind::WokeUp => track.asleep = false,
                    _ => {}
                }
            }
            let contacts = world.contacts(body);
            let touched = contacts.iter().map(|contact| (state.position(), contact.normal, contact.tile));
            track.record_new_contacts(touched, hits);
        }
    }
}

impl Pose {
    fn from_state(state: &BodyState) -> Pose {
        Pose { position: state.position(), front: state.right().as_dvec2() * state.facing().sign() }
    }
}

impl Track {
    fn new(shape: Shape) -> Track {
        Track { shape, lines: Vec::new(), poses: Vec::new(), contacts: Vec::new(), touching: Vec::new(), asleep: false }
    }

    /// Records new contacts, and hits within the tick that left no contact, such as bounces.
    fn record_new_contacts(
        &mut self,
        touched: impl Iterator<Item = (Position, DVec2, (i32, i32))>,
        hits: impl Iterator<Item = (Position, DVec2, (i32, i32))>,
    ) {
        let find_similar =
            |normals: &[DVec2], normal: DVec2| normals.iter().copied().find(|n| n.dot(normal) > SAME_NORMAL_COSINE);
        let mut touching: Vec<DVec2> = Vec::new();
        for (position, normal, tile) in touched {
            if find_similar(&touching, normal).is_some() {
                continue;
            }
            // Keep the older normal, so that a slowly turning normal becomes a new contact eventually.
            let previous = find_similar(&self.touching, normal);
            touching.push(previous.unwrap_or(normal));
            if previous.is_none() {
                self.contacts.push((contact_point(self.shape, position, normal, tile), normal));
            }
        }
        for (position, normal, tile) in hits {
            // A contact from before the tick already has a dot.
            if find_similar(&touching, normal).is_none() && find_similar(&self.touching, normal).is_none() {
                self.contacts.push((contact_point(self.shape, position, normal, tile), normal));
            }
        }
        self.touching = touching;
    }

    /// Returns the poses to draw: the first, the last, and one every `every` ticks, without repetitions.
    fn first_last_and_regular_poses(&self, every: u64) -> Vec<Pose> {
        let chosen = |tick: u64| every > 0 && tick.is_multiple_of(every);
        let last = self.poses.len().saturating_sub(1);
        let mut shown: Vec<Pose> = Vec::new();
        for (i, &(tick, pose)) in self.poses.iter().enumerate() {
            if (i == 0 || i == last || chosen(tick)) && shown.last() != Some(&pose) {
                shown.push(pose);
            }
        }
        shown
    }
}

/// Draws a map and the motion of bodies and platforms on it.
///
/// - A line shows the path of a body, and outlines show the body at intervals. At the end, the body is filled, more opaque
///   if it is asleep. A small triangle shows its facing, if set.
/// - Dots with normals show where contacts began.
/// - Platforms are at their end positions. A faint outline shows the start, a dashed line the path or circle of the motion,
///   and a band the path of the middle in the run.
/// - Areas are at their end positions.
/// - Outlines show the expected positions of [`Run::expect`].
#[must_use]
pub fn draw_run(map: &Map, terrain: &Terrain, run: &Run, style: &RunStyle) -> Svg {
    let (view, mut svg) = view_and_empty_picture(map, &style.map, "a surefoot run");
    let palette = &style.map.palette;
    draw_terrain(&mut svg, &view, map, terrain, &style.map, |svg| {
        run.platforms.paint(svg, &view, map, palette);
        for state in &run.areas {
            paint_area(svg, &view, state.area(), state.position().to_dvec2(), palette);
        }
    });
    for (i, (body, track)) in run.tracks.iter().enumerate() {
        let color = palette.bodies[i % palette.bodies.len()];
        let name = run.names.get(body).map_or("", String::as_str);
        svg.group("body", name, |svg| {
            draw_track(svg, &view, track, style, color);
            let readable = !name.is_empty() && view.scale >= MIN_READABLE_SCALE;
            if let (true, Some((_, pose))) = (readable, track.poses.first()) {
                let at = pose.position.to_dvec2() - DVec2::new(0.0, track.shape.half_extents().y + 0.3);
                svg.centred_text(name, view.point(at), view.scale * 0.22, color);
            }
        });
    }
    if !run.expected.is_empty() {
        svg.group("expected", "", |svg| {
            let paint = Paint::stroke(palette.contact, view.scale / 16.0);
            for &(shape, position) in &run.expected {
                paint_body(svg, &view, shape, position.to_dvec2(), &paint);
            }
        });
    }
    if style.contacts {
        svg.group("contacts", "", |svg| {
            for &(point, normal) in run.tracks.values().flat_map(|track| &track.contacts) {
                paint_contact(svg, &view, point, normal, palette.contact);
            }
        });
    }
    svg
}

/// Draws the current state of a world: its tiles, platforms with their paths, areas and bodies.
///
/// Characters, circles and boxes have different colours. A small triangle shows the facing of a body, if set.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::{Map, World};
/// use surefoot_draw::{MapStyle, draw_world};
///
/// let map = Map::from_ron(r#"Map(format: 1, tiles: ["@...", "===="])"#)?;
/// let start = map.marker("start").expect("the map has a start");
/// let mut world = World::new(map, Settings::default());
/// world.spawn(Body::new(Shape::circle(0.25)).at(start))?;
/// let svg = draw_world(&world, &MapStyle::default());
/// assert!(svg.to_string().contains("<circle "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn draw_world(world: &World, style: &MapStyle) -> Svg {
    let map = world.map();
    let (view, mut svg) = view_and_empty_picture(map, style, "a surefoot world");
    let palette = &style.palette;
    draw_terrain(&mut svg, &view, map, world.terrain(), style, |svg| {
        let mut platforms = PlatformTracks::default();
        platforms.record_positions(world);
        platforms.paint(svg, &view, map, palette);
        for (_, state) in world.areas() {
            paint_area(svg, &view, state.area(), state.position().to_dvec2(), palette);
        }
    });
    let [character, round, square, ..] = palette.bodies;
    svg.group("bodies", "", |svg| {
        for (_, state) in world.bodies() {
            let (shape, pose) = (state.shape(), Pose::from_state(state));
            let color = match state.character() {
                Some(_) => character,
                None if shape.is_circle() => round,
                None => square,
            };
            // A line in the background's colour separates bodies that touch.
            let paint = Paint::stroke(palette.background, view.scale / 24.0).filled(color);
            paint_body(svg, &view, shape, pose.position.to_dvec2(), &paint);
            paint_front(svg, &view, shape, pose.position.to_dvec2(), pose.front, &paint);
        }
    });
    svg
}

fn draw_track(svg: &mut Svg, view: &View, track: &Track, style: &RunStyle, color: Color) {
    let poses = track.first_last_and_regular_poses(style.outline_every);
    let thin = Paint::stroke(color, view.scale / 32.0);
    let paint_pose = |svg: &mut Svg, pose: Pose, paint: &Paint| {
        let at = pose.position.to_dvec2();
        paint_body(svg, view, track.shape, at, paint);
        paint_front(svg, view, track.shape, at, pose.front, paint);
    };
    if let Some((end, before)) = poses.split_last() {
        svg.group("poses", "", |svg| before.iter().for_each(|&pose| paint_pose(svg, pose, &thin.opacity(0.45))));
        let opacity = if track.asleep { ASLEEP_OPACITY } else { AWAKE_OPACITY };
        svg.group("end", "", |svg| paint_pose(svg, *end, &thin.filled(color).opacity(opacity)));
    }
    let lines = track.lines.iter().map(|line| line.iter().map(|position| position.to_dvec2()));
    svg.group("way", "", |svg| paint_way(svg, view, lines, color));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::tests::groups;
    use surefoot::map::CollisionLayers;
    use surefoot::prelude::{Body, Settings};

    fn at(x: f64, y: f64) -> Position {
        Position::new(x, y).unwrap()
    }

    /// Records a box that falls half a tile onto a floor at y = 1.
    fn record_fall() -> (World, BodyId, Run) {
        let map = Map::from_ron(r#"Map(format: 1, tiles: ["...", "==="])"#).unwrap();
        let mut world = World::new(map, Settings::default());
        let body = world.spawn(Body::new(Shape::aabb(0.25, 0.25)).at((1.5, 1.75))).unwrap();
        let mut run = Run::new();
        run.name(body, "a & b");
        run.observe(&world);
        for _ in 0..60 {
            world.step();
            run.observe(&world);
        }
        (world, body, run)
    }

    #[test]
    fn a_fall_is_a_straight_line_with_one_contact_at_its_end() {
        let (world, _, run) = record_fall();
        let svg = draw_run(world.map(), world.terrain(), &run, &RunStyle::default());
        assert_eq!(groups(&svg, "body")[0].title, "a & b");
        let path = &groups(&svg, "way")[0].data;
        // The picture's top is y = 2.5 and its left edge x = -0.5, at 32 pixels a tile.
        assert!(path.starts_with("M64 24V") && path.ends_with("V40"), "{path}");
        assert!(!path.contains(['H', 'L']), "{path}");
        let contacts = &groups(&svg, "contacts")[0];
        assert_eq!(contacts.circles, [(64.0, 48.0)]);
        // The normal is 0.22 tiles long.
        assert_eq!(contacts.data, "M64 48V40.96");
        let quiet = draw_run(world.map(), world.terrain(), &run, &RunStyle { contacts: false, ..RunStyle::default() });
        assert!(groups(&quiet, "contacts").is_empty());
    }

    /// A box that can collide with other bodies falls and falls asleep. Throwing it up wakes it.
    #[test]
    fn sleeping_bodies_are_more_opaque() {
        let map = Map::from_ron(r#"Map(format: 1, tiles: ["...", "==="])"#).unwrap();
        let mut world = World::new(map, Settings::default());
        let body = Body::new(Shape::aabb(0.25, 0.25)).at((1.5, 1.75)).collision_mask(CollisionLayers::ALL);
        let body = world.spawn(body).unwrap();
        let mut run = Run::new();
        let mut shown = |world: &mut World, ticks: u32| {
            for _ in 0..ticks {
                world.step();
                run.observe(world);
            }
            let svg = draw_run(world.map(), world.terrain(), &run, &RunStyle::default()).to_string();
            [AWAKE_OPACITY, ASLEEP_OPACITY].map(|opacity| svg.contains(&format!("opacity=\"{opacity}\"")))
        };
        assert_eq!(shown(&mut world, 60), [false, true]);
        world.set_velocity(body, (0.0, 5.0)).unwrap();
        assert_eq!(shown(&mut world, 5), [true, false]);
    }

    #[test]
    fn a_run_that_begins_late_shows_only_what_comes_after() {
        let (mut world, body, _) = record_fall();
        let mut run = Run::new();
        run.begin(&world);
        world.set_velocity(body, DVec2::new(6.0, 0.0)).unwrap();
        world.step();
        run.observe(&world);
        let track = &run.tracks[&body];
        // The box slides a tenth of a tile along the floor. The contact is older than the run, so it has no dot.
        assert_eq!(track.lines.len(), 1);
        assert_eq!((track.lines[0][0], track.lines[0].last()), (at(1.5, 1.25), Some(&world[body].position())));
        assert!(track.contacts.is_empty());
        assert_eq!(track.poses.iter().map(|(tick, _)| *tick).collect::<Vec<_>>(), [60, 61]);
    }

    #[test]
    fn a_bounce_leaves_a_dot_although_the_contact_is_gone_after_the_tick() {
        let map = Map::from_ron(r#"Map(format: 1, tiles: ["...", "==="])"#).unwrap();
        let mut world = World::new(map, Settings::default());
        world.spawn(Body::new(Shape::circle(0.25)).at((1.5, 1.75)).velocity((0.0, -3.0)).bounce(1.0)).unwrap();
        let mut run = Run::new();
        for _ in 0..20 {
            world.step();
            run.observe(&world);
        }
        let svg = draw_run(world.map(), world.terrain(), &run, &RunStyle::default());
        assert_eq!(groups(&svg, "contacts")[0].circles, [(64.0, 48.0)]);
    }

    #[test]
    fn a_teleport_breaks_the_line() {
        let (mut world, body, mut run) = record_fall();
        world.teleport(body, (0.5, 1.25)).unwrap();
        world.step();
        run.observe(&world);
        let lines = &run.tracks[&body].lines;
        assert_eq!(lines.len(), 2);
        assert_eq!((lines[0].last(), &lines[1][..]), (Some(&at(1.5, 1.25)), &[at(0.5, 1.25)][..]));
    }

    #[test]
    fn outlines_are_drawn_at_intervals_and_not_repeated() {
        let (_, body, run) = record_fall();
        let track = &run.tracks[&body];
        let ends: Vec<Position> = track.first_last_and_regular_poses(0).iter().map(|pose| pose.position).collect();
        assert_eq!(ends, [at(1.5, 1.75), at(1.5, 1.25)]);
        // The box is at rest before tick 40, so ticks 40 and 60 add nothing.
        let poses = track.first_last_and_regular_poses(5);
        assert!(poses.len() > 2 && poses.len() < 10);
        assert!(poses.windows(2).all(|pair| pair[0] != pair[1]));
    }

    /// The body faces right in the middle of the run and left at its end. There is no mark while the facing is unset.
    #[test]
    fn a_mark_shows_the_facing_of_a_body() {
        let (mut world, body, mut run) = record_fall();
        let marks = |run: &Run, world: &World| {
            let svg = draw_run(world.map(), world.terrain(), run, &RunStyle::default());
            ["poses", "end"].map(|class| groups(&svg, class)[0].data.clone())
        };
        assert_eq!(marks(&run, &world), ["", ""]);
        for side in [surefoot::body::Facing::Right, surefoot::body::Facing::Left] {
            world.set_facing(body, side).unwrap();
            (0..20).for_each(|_| {
                world.step();
                run.observe(&world);
            });
        }
        // The centre (1.5, 1.25) is at (64, 40), the half sizes are 8 pixels. The mark is 3.2 long and 3.2 to either
        // side.
        assert_eq!(marks(&run, &world), ["M72 36.8L75.2 40L72 43.2Z", "M56 43.2L52.8 40L56 36.8Z"]);
    }
}

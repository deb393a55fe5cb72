//! One runner for scenes: plays each scene in all ways that must not change its result, and compares every tick.
//!
//! A test writes its scene once, in upright coordinates. [`all_ways`] plays the scene mirrored, turned and shifted,
//! cloned or captured and restored in every tick, without caches, on a streamed map, and on a map split into two
//! layers. A [`Run`] is a world in one of these ways. Its commands take upright coordinates, and its results are
//! upright.

use crate::scene::{Canvas, I64Vec2, ONE, long, position};
use crate::streaming::source_of;
use crate::symmetry::Symmetry;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::{Deref, Index};
use std::rc::Rc;
use surefoot::area::{Area, AreaId, AreaShape};
use surefoot::checksum::Checksum;
use surefoot::command::CommandError;
use surefoot::event::LandedOn;
use surefoot::geometry::{DVec2, Obb, Triangle};
use surefoot::map::{Borders, CollisionLayers, MapParts, TileLayer};
use surefoot::platform::{Platform, PlatformId, PlatformMotion};
use surefoot::prelude::*;
use surefoot::snapshot::Snapshot;
use surefoot::world::Footing;
use surefoot::{Event, Input, Map, World};

/// What happens to a world before each of its ticks, or how its tiles are stored.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Habit {
    Untouched,
    /// The world continues as its clone.
    Cloned,
    /// The world loads its own captured state, in each fourth tick from bytes or text: with `SUREFOOT_LONG=1` in every
    /// tick.
    Saved,
    /// A new world, which has no caches, loads the state in every fourth tick.
    Fresh,
    /// The tiles come from a source, chunk by chunk.
    Streamed,
    /// The tiles are split into two layers like the fields of a chessboard.
    Split,
    /// The world keeps its up and its gravity, and each body has the turned up as its own.
    OwnUp,
}

/// A way to play a scene.
#[derive(Clone, Debug)]
pub struct Way {
    symmetry: Symmetry,
    shift: (i32, i32),
    habit: Habit,
    /// Number of runs that were begun in this way.
    begun: Rc<RefCell<usize>>,
    /// Every tick of every run in the first way.
    expected: Rc<RefCell<Vec<Vec<Tick>>>>,
    is_first: bool,
}

const FAR: (i32, i32) = (1_000_000, -999_999);

/// Ways of every scene: each symmetry once, each habit upright or turned, and shifts.
const WAYS: [(usize, (i32, i32), Habit); 10] = [
    (0, (0, 0), Habit::Untouched),
    (0, (0, 0), Habit::Fresh),
    (1, (0, 0), Habit::OwnUp),
    (2, (-37, 4097), Habit::Cloned),
    (3, (0, 0), Habit::Streamed),
    (4, (0, 0), Habit::Split),
    (5, FAR, Habit::Untouched),
    (6, (0, 0), Habit::Saved),
    (7, (5, -3), Habit::Fresh),
    (6, (0, 0), Habit::OwnUp),
];

const SYMMETRIES: [(usize, (i32, i32), Habit); 8] = [
    (0, (0, 0), Habit::Untouched),
    (1, (0, 0), Habit::Untouched),
    (2, (0, 0), Habit::Untouched),
    (3, (0, 0), Habit::Untouched),
    (4, (0, 0), Habit::Untouched),
    (5, (0, 0), Habit::Untouched),
    (6, (0, 0), Habit::Untouched),
    (7, (0, 0), Habit::Untouched),
];

/// Plays a scene in all ways. Every tick of every world must give the same upright result, to the bit.
pub fn all_ways(scene: impl FnMut(&Way)) {
    play(&WAYS, scene);
}

/// Plays a scene in all ways in which the world's up is that of all bodies: where the world's gravity moves more than
/// bodies, such as platforms that fall.
pub fn all_ways_of_one_up(scene: impl FnMut(&Way)) {
    play(&WAYS.into_iter().filter(|(_, _, habit)| *habit != Habit::OwnUp).collect::<Vec<_>>(), scene);
}

/// Plays a scene in all ways in which bodies may flip: without the turned ups, as right turns in another way for them.
pub fn all_ways_to_flip(scene: impl FnMut(&Way)) {
    let ways: Vec<_> =
        WAYS.into_iter().filter(|(symmetry, _, habit)| *habit != Habit::OwnUp || *symmetry == 6).collect();
    play(&ways, scene);
}

/// Plays a scene in all symmetries only, because it has too many ticks for all ways.
pub fn all_symmetries(scene: impl FnMut(&Way)) {
    play(&SYMMETRIES, scene);
}

fn play(ways: &[(usize, (i32, i32), Habit)], mut scene: impl FnMut(&Way)) {
    let expected = Rc::default();
    let symmetries: Vec<Symmetry> = Symmetry::all().collect();
    for (i, &(symmetry, shift, habit)) in ways.iter().enumerate() {
        let (symmetry, begun, expected) = (symmetries[symmetry], Rc::default(), Rc::clone(&expected));
        let way = Way { symmetry, shift, habit, begun, expected, is_first: i == 0 };
        let told = Told(way.clone());
        scene(&way);
        assert_eq!(*way.begun.borrow(), way.expected.borrow().len(), "worlds in the way {way}");
        drop(told);
    }
}

/// Plays a scene with each item: with `SUREFOOT_LONG=1`, or with less than three items, in all ways. Else it plays each
/// item in the first way and in every third of the others, so that three items in a row are played in all ways. With
/// nine items or more, it plays each in the first way and one other, so that the first nine are played in all ways, and
/// the next nine again.
pub fn all_ways_of<S: Clone>(items: impl IntoIterator<Item = S>, scene: impl FnMut(&Way, S)) {
    ways_of(&WAYS, items, scene);
}

/// Plays a scene with each item in symmetries, as [`all_ways_of`] does in ways. There are seven besides the first.
pub fn all_symmetries_of<S: Clone>(items: impl IntoIterator<Item = S>, scene: impl FnMut(&Way, S)) {
    ways_of(&SYMMETRIES, items, scene);
}

fn ways_of<S: Clone>(
    all: &[(usize, (i32, i32), Habit)],
    items: impl IntoIterator<Item = S>,
    mut scene: impl FnMut(&Way, S),
) {
    let items: Vec<S> = items.into_iter().collect();
    let others = all.len() - 1;
    let every = match items.len() {
        _ if long() => 1,
        0..3 => 1,
        3..9 => 3,
        _ => others,
    };
    for (i, item) in items.into_iter().enumerate() {
        // Shift by one after each full round, so that the columns of a grid of items also get all ways.
        let turn = i + i / others;
        let is_played = |number: usize| number == 0 || (number + turn).is_multiple_of(every);
        let ways: Vec<_> = (0..).zip(all).filter(|(number, _)| is_played(*number)).map(|(_, way)| *way).collect();
        play(&ways, |way| scene(way, item.clone()));
    }
}

/// Plays a scene with each item and with bodies that collide with no body or with all, in ways as [`all_ways_of`].
pub fn all_ways_with<S: Clone>(items: impl IntoIterator<Item = S>, mut scene: impl FnMut(&Way, S, CollisionLayers)) {
    all_ways_of(pairs(items, MASKS), |way, (item, mask)| scene(way, item, mask));
}

/// Masks of bodies that collide with no body, and with all.
pub const MASKS: [CollisionLayers; 2] = [CollisionLayers::NONE, CollisionLayers::ALL];

/// Returns each item of one list with each item of another one.
pub fn pairs<A: Clone, B>(
    ones: impl IntoIterator<Item = A>,
    others: impl IntoIterator<Item = B> + Clone,
) -> impl Iterator<Item = (A, B)> {
    ones.into_iter().flat_map(move |one| others.clone().into_iter().map(move |other| (one.clone(), other)))
}

/// Returns each combination of the items of three lists.
pub fn triples<A: Clone, B: Clone, C>(
    ones: impl IntoIterator<Item = A>,
    others: impl IntoIterator<Item = B> + Clone,
    last: impl IntoIterator<Item = C> + Clone,
) -> impl Iterator<Item = (A, B, C)> {
    pairs(pairs(ones, others), last).map(|((one, other), last)| (one, other, last))
}

/// Returns a world to which platforms were added.
pub fn with_platforms<const N: usize>(
    mut world: World,
    platforms: impl FnOnce(&Map) -> [Platform; N],
) -> (World, [PlatformId; N]) {
    let ids = platforms(world.map()).map(|platform| world.spawn_platform(platform).unwrap());
    (world, ids)
}

/// Prints the way of a scene that fails.
struct Told(Way);

impl Drop for Told {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the way that failed: {}", self.0);
        }
    }
}

impl std::fmt::Display for Way {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (placement, (x, y), habit) = (self.symmetry.0, self.shift, self.habit);
        let mirrored = if placement.mirrored() { "mirrored, " } else { "" };
        write!(f, "{mirrored}{} turns, shifted by ({x}, {y}), {habit:?}", placement.turns())
    }
}

impl Way {
    /// A way with one of the eight symmetries, for a scene that is too expensive to be played in all ways.
    pub fn turned(symmetry: usize) -> Way {
        let (symmetry, shift, habit) = (Symmetry::all().nth(symmetry).unwrap(), (0, 0), Habit::Untouched);
        Way { symmetry, shift, habit, begun: Rc::default(), expected: Rc::default(), is_first: true }
    }

    /// A world on a map, both upright.
    pub fn world(&self, map: impl Into<Map>, settings: Settings) -> Run {
        let settings = match self.habit {
            Habit::OwnUp => settings,
            _ => settings.up(self.symmetry.up(settings.up)).gravity(self.symmetry.velocity(settings.gravity)),
        };
        assert!(self.habit != Habit::OwnUp || settings.up == Up::PlusY, "the ups of bodies are turned from that");
        let map = self.map(map.into());
        let world = match self.habit {
            Habit::Streamed => World::streamed(map.clone(), source_of(&map), settings),
            _ => World::new(map, settings),
        };
        let number = self.begun.replace_with(|begun| *begun + 1);
        if self.is_first {
            self.expected.borrow_mut().push(Vec::new());
        }
        let start = if self.habit == Habit::Fresh { Some(world.clone()) } else { None };
        let (way, seen, events) = (self.clone(), BTreeMap::new(), Vec::new());
        let mut run = Run { world, way, number, ticks: 0, is_compared: true, start, seen, events };
        run.look();
        run
    }

    /// A world without tiles, and a platform with all tiles of a map.
    pub fn world_on_platform(&self, map: impl Into<Map>, settings: Settings) -> Run {
        let mut parts = map.into().into_parts();
        let platform = Platform::new(parts.layers.clone()).at((0.0, 0.0));
        parts.layers[0].cells.fill(TileId::EMPTY);
        let mut world = self.world(Map::from_parts(parts).unwrap(), settings);
        world.spawn_platform(platform).unwrap();
        world
    }

    fn map(&self, map: Map) -> Map {
        let mut parts = map.into_parts();
        let catalogue = parts.catalogue.clone();
        for kind in &mut parts.kinds {
            kind.variant = kind.variant.map(|id| {
                let variant = catalogue.variant(id);
                catalogue.place(variant.pattern, variant.placement.then(self.symmetry.0))
            });
            if self.is_mirrored() {
                kind.material.belt_velocity = 0.0 - kind.material.belt_velocity;
            }
        }
        parts.layers = parts.layers.iter().map(|layer| self.layer(layer, self.shift)).collect();
        parts.platforms = parts.platforms.drain(..).map(|platform| self.platform(platform)).collect();
        parts.areas = parts.areas.drain(..).map(|area| self.area(area)).collect();
        let borders = parts.borders;
        let at = |direction: I64Vec2| match self.symmetry.inverse().vector(direction).to_array() {
            [-1, _] => borders.left,
            [1, _] => borders.right,
            [_, -1] => borders.bottom,
            _ => borders.top,
        };
        let (left, right) = (at(I64Vec2::NEG_X), at(I64Vec2::X));
        parts.borders = Borders { left, right, bottom: at(I64Vec2::NEG_Y), top: at(I64Vec2::Y) };
        if self.splits(&parts) {
            let mut black = parts.layers[0].clone();
            "black".clone_into(&mut black.name);
            let width = black.size.0 as usize;
            for (i, (one, other)) in parts.layers[0].cells.iter_mut().zip(&mut black.cells).enumerate() {
                *(if (i % width + i / width).is_multiple_of(2) { other } else { one }) = TileId::EMPTY;
            }
            parts.layers.push(black);
        }
        Map::from_parts(parts).unwrap()
    }

    /// Only a map with one layer is split, and platforms have as many layers as the map.
    fn splits(&self, parts: &MapParts) -> bool {
        self.habit == Habit::Split && parts.layers.len() == 1
    }

    fn layer(&self, layer: &TileLayer, shift: (i32, i32)) -> TileLayer {
        let (width, height) = (layer.size.0 as i32, layer.size.1 as i32);
        let (x, y) = layer.origin;
        let corners = [(x, y), (x + width - 1, y + height - 1)].map(|tile| self.symmetry.tile(tile));
        let origin = (corners[0].0.min(corners[1].0), corners[0].1.min(corners[1].1));
        let size = if self.symmetry.0.turns() % 2 == 1 { (layer.size.1, layer.size.0) } else { layer.size };
        let mut cells = vec![TileId::EMPTY; layer.cells.len()];
        for (i, cell) in (0..).zip(&layer.cells) {
            let (column, row) = self.symmetry.tile((x + i % width, y + i / width));
            cells[((row - origin.1) * size.0 as i32 + column - origin.0) as usize] = *cell;
        }
        TileLayer { origin: (origin.0 + shift.0, origin.1 + shift.1), size, cells, ..layer.clone() }
    }

    fn platform(&self, platform: Platform) -> Platform {
        let layers = platform.layers.iter().map(|layer| self.layer(layer, (0, 0))).collect();
        let motion = match platform.motion {
            PlatformMotion::Path(mut path) => {
                path.points.iter_mut().for_each(|point| *point = self.symmetry.position(*point));
                PlatformMotion::Path(path)
            }
            PlatformMotion::Driven => PlatformMotion::Driven,
            PlatformMotion::Circle(_) => panic!("circles start at the right: use a path"),
        };
        let position = platform.position.map(|at| self.position(at));
        Platform { layers, motion, position, ..platform }
    }

    fn area(&self, area: Area) -> Area {
        let shape = match area.shape {
            AreaShape::Aabb(aabb) => {
                let [one, other] = [aabb.min(), aabb.max()].map(|corner| self.symmetry.velocity(corner));
                AreaShape::Aabb(surefoot::geometry::Aabb::from_corners(one, other).unwrap())
            }
            AreaShape::Boxes(boxes) => {
                let turned = boxes.as_slice().iter().map(|aabb| {
                    let [one, other] = [aabb.min(), aabb.max()].map(|corner| self.symmetry.velocity(corner));
                    surefoot::geometry::Aabb::from_corners(one, other).unwrap()
                });
                surefoot::area::Boxes::new(turned).into()
            }
            AreaShape::Circle(circle) if circle.center() == DVec2::ZERO => AreaShape::Circle(circle),
            AreaShape::Triangle(triangle) => {
                let corners = triangle.corners().map(|corner| self.symmetry.velocity(corner));
                Triangle::new(corners).unwrap().into()
            }
            AreaShape::Obb(obb) => {
                let [center, axis] = [obb.center(), obb.axis()].map(|v| self.symmetry.velocity(v));
                Obb::new(center, obb.half_extents(), axis).unwrap().into()
            }
            other => panic!("the runner does not turn {other:?}"),
        };
        let mut effects = area.effects;
        // Gravity turns with the body's own up.
        let turns = self.habit != Habit::OwnUp;
        effects.gravity = effects.gravity.map(|v| if turns { self.symmetry.velocity(v) } else { v });
        effects.wind = effects.wind.map(|wind| self.symmetry.velocity(wind));
        effects.ground_wind = effects.ground_wind.map(|wind| self.symmetry.velocity(wind));
        effects.up = effects.up.map(|up| self.symmetry.up(up));
        // Areas attached to something are relative to it.
        let is_free = area.attached_to == surefoot::area::AttachedTo::World;
        let position = area.position.map(|at| if is_free { self.position(at) } else { self.symmetry.position(at) });
        Area { shape, effects, position, ..area }
    }

    fn body(&self, body: Body) -> Body {
        let (shape, velocity) = (self.symmetry.shape(body.shape), self.symmetry.velocity(body.velocity));
        let position = body.position.map(|at| self.position(at));
        let up = self.own_up(body.up);
        Body { shape, velocity, position, up, ..body }
    }

    fn away(&self) -> I64Vec2 {
        I64Vec2::new(self.shift.0.into(), self.shift.1.into()) * ONE
    }

    fn position(&self, at: Position) -> Position {
        self.symmetry.position(at) + self.away()
    }

    /// Returns the turned and shifted tile.
    pub fn tile(&self, tile: (i32, i32)) -> (i32, i32) {
        let (x, y) = self.symmetry.tile(tile);
        (x + self.shift.0, y + self.shift.1)
    }

    /// The layer of a turned tile, given its upright layer.
    fn layer_of(&self, world: &World, layer: usize, (x, y): (i32, i32)) -> usize {
        let layers = world.map().layers();
        let (left, bottom) = layers[0].origin;
        let is_split = self.habit == Habit::Split && layers.last().is_some_and(|layer| layer.name == "black");
        if is_split { (x - left + y - bottom).rem_euclid(2) as usize } else { layer }
    }

    fn facing(&self, facing: Facing) -> Facing {
        match facing {
            Facing::Left if self.swaps_sides() => Facing::Right,
            Facing::Right if self.swaps_sides() => Facing::Left,
            other => other,
        }
    }

    fn footing(&self, footing: Footing) -> Footing {
        match footing {
            Footing::Ground { speed } if self.swaps_sides() => Footing::Ground { speed: 0.0 - speed },
            Footing::Ground { speed } => Footing::Ground { speed: speed + 0.0 },
            other => other,
        }
    }

    fn touching(&self, mut touching: Touching) -> Touching {
        if self.swaps_sides() {
            (touching.wall_left, touching.wall_right) = (touching.wall_right, touching.wall_left);
        }
        touching
    }

    fn input(&self, input: Input) -> Input {
        Input { walk: if self.swaps_sides() { self.symmetry.walk(input.walk) } else { input.walk }, ..input }
    }

    fn upright_position(&self, at: Position) -> Position {
        self.symmetry.inverse().position(at + -self.away())
    }

    /// Whether left and right change places. For a body with an up of its own that is opposite to the world's, they
    /// stay.
    fn swaps_sides(&self) -> bool {
        self.is_mirrored() && self.habit != Habit::OwnUp
    }

    fn own_up(&self, up: Option<Up>) -> Option<Up> {
        if self.habit == Habit::OwnUp {
            Some(self.symmetry.up(up.unwrap_or_default()))
        } else {
            up.map(|up| self.symmetry.up(up))
        }
    }

    /// The up of a body, upright. In a way in which each has its own, the default is none.
    fn upright_up(&self, up: Option<Up>) -> Option<Up> {
        let up = up.map(|up| self.symmetry.inverse().up(up));
        up.filter(|up| self.habit != Habit::OwnUp || *up != Up::PlusY)
    }

    pub fn is_mirrored(&self) -> bool {
        self.symmetry.0.mirrored()
    }

    pub fn upright_velocity(&self, velocity: DVec2) -> DVec2 {
        // 0 and -0 are the same velocity, so turn -0 into 0.
        self.symmetry.inverse().velocity(velocity) + DVec2::ZERO
    }

    fn upright_side(&self, side: Side) -> Side {
        match side {
            Side::WallLeft if self.swaps_sides() => Side::WallRight,
            Side::WallRight if self.swaps_sides() => Side::WallLeft,
            other => other,
        }
    }

    /// Returns an upright tile of the map or of a platform.
    fn upright_tile(&self, (x, y): (i32, i32), platform: Option<PlatformId>) -> (i32, i32) {
        let shift = if platform.is_some() { (0, 0) } else { self.shift };
        self.symmetry.inverse().tile((x - shift.0, y - shift.1))
    }

    fn upright_event(&self, event: Event) -> Event {
        let kind = match event.kind {
            EventKind::HitTile { side, speed, normal, tile, tile_id, platform, position } => EventKind::HitTile {
                side: self.upright_side(side),
                speed,
                normal: self.upright_velocity(normal),
                tile: self.upright_tile(tile, platform),
                tile_id,
                platform,
                position: self.upright_position(position),
            },
            EventKind::Landed { speed, on: Some(LandedOn::Tile { tile, tile_id, platform }) } => {
                let tile = self.upright_tile(tile, platform);
                EventKind::Landed { speed, on: Some(LandedOn::Tile { tile, tile_id, platform }) }
            }
            EventKind::HitBody { other, normal, speed } => {
                EventKind::HitBody { other, normal: self.upright_velocity(normal), speed }
            }
            other => other,
        };
        Event { kind, ..event }
    }

    fn is_in_place(&self) -> bool {
        self.is_upright() && self.shift == (0, 0)
    }

    fn is_upright(&self) -> bool {
        self.symmetry.0 == Placement::default()
    }
}

/// State of a body after a tick, upright.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    position: Position,
    previous: Position,
    velocity: DVec2,
    relative_velocity: DVec2,
    shape: Shape,
    input: Input,
    facing: Facing,
    touching: Touching,
    path: Vec<Position>,
    footing: Footing,
    /// On the floor, stuck, hanging, pulling itself up, climbing, swimming, carried.
    flags: [bool; 7],
    body: Body,
}

impl Seen {
    fn of(state: &BodyState, way: &Way) -> Seen {
        Seen {
            position: way.upright_position(state.position()),
            previous: way.upright_position(state.previous_position()),
            velocity: way.upright_velocity(state.velocity()),
            relative_velocity: way.upright_velocity(state.relative_velocity()),
            shape: way.symmetry.inverse().shape(state.shape()),
            // The world stores a walk of -128 as -127.
            input: way.input(Input { walk: state.input().walk.max(-127), ..state.input() }),
            facing: way.facing(state.facing()),
            touching: way.touching(state.touching()),
            path: state.path().iter().map(|at| way.upright_position(*at)).collect(),
            footing: way.footing(state.footing()),
            flags: [
                state.on_floor(),
                state.is_stuck(),
                state.is_hanging(),
                state.is_climbing_ledge(),
                state.is_climbing(),
                state.is_swimming(),
                state.is_carried(),
            ],
            body: Body {
                shape: way.symmetry.inverse().shape(state.body().shape),
                up: way.upright_up(state.body().up),
                ..state.body().clone()
            },
        }
    }
}

/// Getters of [`Seen`], and the list of those that differ.
macro_rules! seen {
    ($($name:ident: $type:ty = $value:expr;)*) => {
        impl Seen {
            $(pub fn $name(&self) -> $type { let get: fn(&Seen) -> $type = $value; get(self) })*

            fn differences(&self, expected: &Seen) -> String {
                let mut text = String::new();
                $(if self.$name() != expected.$name() {
                    let (name, found, expected) = (stringify!($name), self.$name(), expected.$name());
                    text += &format!("\n{name} {found:?} and not {expected:?}");
                })*
                text
            }
        }
    };
}

seen! {
    position: Position = |seen| seen.position;
    previous_position: Position = |seen| seen.previous;
    velocity: DVec2 = |seen| seen.velocity;
    relative_velocity: DVec2 = |seen| seen.relative_velocity;
    shape: Shape = |seen| seen.shape;
    input: Input = |seen| seen.input;
    facing: Facing = |seen| seen.facing;
    touching: Touching = |seen| seen.touching;
    path: &[Position] = |seen| &seen.path;
    footing: Footing = |seen| seen.footing;
    on_floor: bool = |seen| seen.flags[0];
    is_stuck: bool = |seen| seen.flags[1];
    is_hanging: bool = |seen| seen.flags[2];
    is_climbing_ledge: bool = |seen| seen.flags[3];
    is_climbing: bool = |seen| seen.flags[4];
    is_swimming: bool = |seen| seen.flags[5];
    is_carried: bool = |seen| seen.flags[6];
    body: &Body = |seen| &seen.body;
    character: Option<&Character> = |seen| seen.body.character.as_ref();
}

/// Everything that is compared after a tick, upright.
#[derive(Clone, Debug)]
struct Tick {
    bodies: BTreeMap<BodyId, Seen>,
    /// Events, and whether coordinates decide which of two equally near tiles each one names.
    events: Vec<(Event, bool)>,
    platforms: Vec<(PlatformId, Position, bool, bool)>,
    areas: Vec<(AreaId, Position, Vec<BodyId>)>,
    /// Only of a world that is neither turned nor shifted.
    checksum: Option<Checksum>,
}

/// Sorts events in an order that no symmetry changes, and removes tiles that coordinates decide.
fn comparable(mut events: Vec<(Event, bool)>) -> Vec<Event> {
    let key = |(event, by_coordinates): &(Event, bool)| {
        let (numbers, other) = match event.kind {
            EventKind::HitTile { normal, speed, position, platform, tile, .. } => {
                let numbers = [normal.x, normal.y, speed].map(f64::to_bits);
                let tile = (!by_coordinates).then_some(tile);
                (numbers, (format!("{platform:?} {tile:?}"), position.units().to_array()))
            }
            EventKind::HitBody { other: body, normal, speed } => {
                ([normal.x, normal.y, speed].map(f64::to_bits), (format!("{body:?}"), [0, 0]))
            }
            kind => ([0; 3], (format!("{kind:?}"), [0, 0])),
        };
        (event.body, event.kind.name(), other, numbers)
    };
    events.sort_by_cached_key(key);
    let plain = |(mut event, by_coordinates): (Event, bool)| {
        // A landing has no position, so the test does not know whether coordinates have decided between two tiles.
        if let EventKind::Landed { on: Some(LandedOn::Tile { tile, tile_id, .. }), .. } = &mut event.kind {
            (*tile, *tile_id) = ((0, 0), TileId::EMPTY);
        }
        if let EventKind::HitTile { tile, tile_id, .. } = &mut event.kind
            && by_coordinates
        {
            (*tile, *tile_id) = ((0, 0), TileId::EMPTY);
        }
        event
    };
    events.into_iter().map(plain).collect()
}

/// A world in one of the ways, seen upright. It derefs to the turned world, for what has no coordinates.
pub struct Run {
    world: World,
    way: Way,
    number: usize,
    ticks: usize,
    is_compared: bool,
    start: Option<World>,
    seen: BTreeMap<BodyId, Seen>,
    events: Vec<Event>,
}

impl Deref for Run {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}

impl Index<BodyId> for Run {
    type Output = Seen;

    #[track_caller]
    fn index(&self, body: BodyId) -> &Seen {
        &self.seen[&body]
    }
}

type Done<T = ()> = Result<T, CommandError>;

/// Commands that need no turn.
macro_rules! same {
    ($($name:ident($($argument:ident: $type:ty),*) $(-> $output:ty)?;)*) => {
        impl Run {
            $(pub fn $name(&mut self, $($argument: $type),*) $(-> $output)? {
                let done = self.world.$name($($argument),*);
                self.look();
                done
            })*
        }
    };
}

same! {
    despawn(body: BodyId) -> Done;
    grab(by: BodyId, body: BodyId) -> Done;
    despawn_area(area: AreaId) -> Done;
    despawn_platform(platform: PlatformId) -> Done;
    pause_platform(platform: PlatformId) -> Done;
    resume_platform(platform: PlatformId) -> Done;
    hit_stop(body: BodyId, ticks: u32) -> Done;
    set_character(body: BodyId, character: Character) -> Done;
    set_collision_mask(body: BodyId, mask: CollisionLayers) -> Done;
}

/// Commands whose last arguments are turned.
macro_rules! turned {
    ($($name:ident($($argument:ident: $type:ty),*; $turned:ident: $from:ty = $turn:expr) -> $output:ty;)*) => {
        impl Run {
            $(pub fn $name(&mut self, $($argument: $type,)* $turned: impl Into<$from>) -> $output {
                let turn: fn(&Way, $from) -> _ = $turn;
                let to = turn(&self.way, $turned.into());
                let done = self.world.$name($($argument,)* to);
                self.look();
                done
            })*
        }
    };
}

turned! {
    spawn(; body: Body = Way::body) -> Done<BodyId>;
    spawn_area(; area: Area = Way::area) -> Done<AreaId>;
    spawn_platform(; platform: Platform = Way::platform) -> Done<PlatformId>;
    set_input(body: BodyId; input: Input = Way::input) -> ();
    set_body(body: BodyId; to: Body = Way::body) -> Done;
    set_facing(body: BodyId; facing: Facing = Way::facing) -> Done;
    set_up(body: BodyId; up: Option<Up> = |way, up| way.own_up(up)) -> Done;
    set_area(area: AreaId; to: Area = Way::area) -> Done;
    carry(by: BodyId, body: BodyId; offset: DVec2 = |way, by| way.symmetry.velocity(by)) -> Done;
    release(body: BodyId; velocity: DVec2 = |way, by| way.symmetry.velocity(by)) -> Done;
    set_shape(body: BodyId; shape: Shape = |way, shape| way.symmetry.shape(shape)) -> Done;
    set_shape_from_top(body: BodyId; shape: Shape = |way, shape| way.symmetry.shape(shape)) -> Done;
    set_velocity(body: BodyId; velocity: DVec2 = |way, by| way.symmetry.velocity(by)) -> Done;
    move_by(body: BodyId; displacement: DVec2 = |way, by| way.symmetry.velocity(by)) -> Done;
    teleport(body: BodyId; to: At = |way, At(to)| way.position(to)) -> Done;
    drive_platform(platform: PlatformId; to: At = |way, At(to)| way.position(to)) -> Done;
    move_area(area: AreaId; to: At = |way, At(to)| way.position(to)) -> Done;
}

/// An upright position, given in tiles or exactly.
pub struct At(Position);

impl From<Position> for At {
    fn from(at: Position) -> At {
        At(at)
    }
}

impl From<(f64, f64)> for At {
    fn from((x, y): (f64, f64)) -> At {
        At(position(x, y))
    }
}

impl From<DVec2> for At {
    fn from(at: DVec2) -> At {
        At(position(at.x, at.y))
    }
}

impl Run {
    /// Makes a tick, and compares everything that can be seen of it with the same tick of the first way.
    #[track_caller]
    pub fn step(&mut self) {
        match self.way.habit {
            Habit::Untouched | Habit::Streamed | Habit::Split | Habit::OwnUp => {}
            // Cloned and loaded worlds lose their caches in every tick. A new world is expensive, so it is made in each
            // fourth tick only.
            Habit::Fresh if self.ticks % 4 != 3 => {}
            Habit::Cloned => self.world = self.world.clone(),
            Habit::Saved => {
                let saved = self.world.capture();
                // Writing and reading take time, so the everyday run reads in each fourth tick only.
                let read = match (self.number + self.ticks) % 8 {
                    5 => Snapshot::from_ron(&saved.to_ron().unwrap()).unwrap(),
                    1 => Snapshot::from_bytes(&saved.to_bytes()).unwrap(),
                    _ if long() => Snapshot::from_bytes(&saved.to_bytes()).unwrap(),
                    _ => saved,
                };
                self.world.restore(&read).unwrap();
            }
            Habit::Fresh => {
                let mut fresh = self.start.clone().unwrap();
                fresh.restore(&self.world.capture()).unwrap();
                self.world = fresh;
            }
        }
        self.world.step();
        self.look();
        self.ticks += 1;
        if self.is_compared {
            self.compare(self.ticks - 1);
        }
    }

    #[track_caller]
    fn compare(&self, tick: usize) {
        let found = self.tick_result();
        let mut runs = self.way.expected.borrow_mut();
        if self.way.is_first {
            runs[self.number].push(found);
        } else {
            let expected = runs[self.number].get(tick);
            if let Some(what) = self.difference(&found, expected) {
                let test = std::thread::current().name().unwrap_or_default().to_owned();
                panic!("{test}, {}, world {}, tick {}: {what}", self.way, self.number, tick);
            }
        }
    }

    fn difference(&self, found: &Tick, expected: Option<&Tick>) -> Option<String> {
        let Some(expected) = expected else { return Some("the first way has fewer ticks".to_owned()) };
        let told = |what: String, found: &dyn std::fmt::Debug, expected: &dyn std::fmt::Debug| {
            Some(format!("{what} is\n{found:?}\nand not\n{expected:?}"))
        };
        for (id, expected) in &expected.bodies {
            let Some(found) = found.bodies.get(id) else { return Some(format!("{id:?} is missing")) };
            if found != expected {
                return Some(format!("{id:?} has another state:{}", found.differences(expected)));
            }
        }
        if found.bodies.len() != expected.bodies.len() {
            return told("the list of bodies".to_owned(), &found.bodies.keys(), &expected.bodies.keys());
        }
        let differ = |found: &Tick, expected: &Tick| {
            self.way.is_upright() || comparable(found.events.clone()) != comparable(expected.events.clone())
        };
        if found.events != expected.events && differ(found, expected) {
            return told("the list of events".to_owned(), &found.events, &expected.events);
        }
        if found.platforms != expected.platforms {
            return told("the list of platforms".to_owned(), &found.platforms, &expected.platforms);
        }
        if found.areas != expected.areas {
            return told("the list of areas".to_owned(), &found.areas, &expected.areas);
        }
        if self.way.is_in_place() && found.checksum != expected.checksum {
            return told("the checksum".to_owned(), &found.checksum, &expected.checksum);
        }
        None
    }

    /// Refreshes what is seen of the world.
    fn look(&mut self) {
        self.seen = self.world.bodies().map(|(id, state)| (id, Seen::of(state, &self.way))).collect();
        self.events = self.world.events().iter().map(|event| self.way.upright_event(*event)).collect();
    }

    fn tick_result(&self) -> Tick {
        let events = self.events.iter().map(|event| (*event, self.is_by_coordinates(event)));
        let platforms = self.world.platforms().map(|(id, state)| {
            (id, self.way.upright_position(state.position()), state.is_present(), state.is_blocked())
        });
        let areas = self
            .world
            .areas()
            .map(|(id, state)| (id, self.way.upright_position(state.position()), self.world.bodies_in(id).collect()));
        Tick {
            bodies: self.seen.clone(),
            events: events.collect(),
            platforms: platforms.collect(),
            areas: areas.collect(),
            checksum: self.way.is_in_place().then(|| self.world.checksum()),
        }
    }

    /// Returns whether a body had no motion along the surface that it hit, and no facing. Coordinates then decide which
    /// of two equally near tiles the event names.
    fn is_by_coordinates(&self, event: &Event) -> bool {
        let EventKind::HitTile { position, normal, .. } = event.kind else { return false };
        let Some(body) = self.seen.get(&event.body) else { return true };
        let ends: Vec<Position> = [body.previous].into_iter().chain(body.path.iter().copied()).collect();
        let mut parts = ends.windows(2).filter(|part| part[1] == position).map(|part| (part[1] - part[0]).as_dvec2());
        // At a wall, no facing decides.
        parts.all(|part| normal.perp_dot(part) == 0.0) && (body.facing == Facing::Unset || normal.y == 0.0)
    }

    /// Returns the events of the last tick in an order that no symmetry changes, without tiles that coordinates decide.
    pub fn comparable_events(&self) -> Vec<Event> {
        comparable(self.events.iter().map(|event| (*event, self.is_by_coordinates(event))).collect())
    }

    /// Returns a copy of the world whose ticks are not compared with those of the first way.
    pub fn twin(&self) -> Run {
        let (way, seen, events) = (self.way.clone(), self.seen.clone(), self.events.clone());
        Run { world: self.world.clone(), way, is_compared: false, start: self.start.clone(), seen, events, ..*self }
    }

    /// Events of the last tick, upright.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    pub fn contacts(&self, body: BodyId) -> Vec<Contact> {
        let turned = |contact: &Contact| Contact {
            point: self.way.upright_position(contact.point),
            normal: self.way.upright_velocity(contact.normal),
            exact_normal: self.way.symmetry.inverse().vector(contact.exact_normal),
            side: self.way.upright_side(contact.side),
            tile: self.way.upright_tile(contact.tile, contact.platform),
            ..*contact
        };
        self.world.contacts(body).iter().map(|contact| turned(&contact)).collect()
    }

    /// Returns what a walk would touch, to the right if the length is positive.
    pub fn probe_walk(&self, body: BodyId, length: f64) -> Option<Touching> {
        let sign = if self.way.swaps_sides() { -1.0 } else { 1.0 };
        self.world.probe_walk(body, sign * length).map(|touching| self.way.touching(touching))
    }

    /// Returns an area with its properties, upright.
    pub fn area(&self, area: AreaId) -> Option<Area> {
        let back = Way { symmetry: self.way.symmetry.inverse(), shift: (0, 0), ..self.way.clone() };
        let area = self.world.area(area)?.area().clone();
        let position = area.position.map(|at| at + -self.way.away());
        Some(back.area(Area { position, ..area }))
    }

    /// Returns the upright position of a platform.
    pub fn platform_at(&self, platform: PlatformId) -> Position {
        self.way.upright_position(self.world.platform(platform).unwrap().position())
    }

    pub fn fits(&self, body: BodyId, shape: Shape) -> bool {
        self.world.fits(body, self.way.symmetry.shape(shape))
    }

    pub fn fits_from_top(&self, body: BodyId, shape: Shape) -> bool {
        self.world.fits_from_top(body, self.way.symmetry.shape(shape))
    }

    pub fn knockback(&mut self, body: BodyId, velocity: impl Into<DVec2>, ticks: u32) -> Done {
        let velocity = self.way.symmetry.velocity(velocity.into());
        let done = self.world.knockback(body, velocity, ticks);
        self.look();
        done
    }

    pub fn set_tile(&mut self, layer: usize, tile: (i32, i32), id: TileId) -> Done {
        let tile = self.way.tile(tile);
        let done = self.world.set_tile(self.way.layer_of(&self.world, layer, tile), tile, id);
        self.look();
        done
    }

    pub fn set_tiles(&mut self, layer: usize, from: (i32, i32), to: (i32, i32), id: TileId) -> Done {
        let tiles = (from.1..=to.1).flat_map(|y| (from.0..=to.0).map(move |x| (x, y)));
        tiles.into_iter().try_for_each(|tile| self.set_tile(layer, tile, id))
    }

    /// Returns whether a body overlaps the terrain.
    pub fn is_in_terrain(&self, body: BodyId) -> bool {
        let state = &self.world[body];
        self.world.mover().overlaps(state.shape(), state.position())
    }
}

/// A scene with a character and its inputs.
pub struct Stage {
    pub world: Run,
    pub hero: BodyId,
}

impl Stage {
    pub fn new(map: impl Into<Map>, way: &Way, hero: Body, at: (f64, f64), gravity: f64) -> Stage {
        Stage::at_rate(map, way, hero, at, (gravity, 60.0))
    }

    /// Creates the scene with `rate` ticks per second.
    pub fn at_rate(map: impl Into<Map>, way: &Way, hero: Body, at: (f64, f64), (gravity, rate): (f64, f64)) -> Stage {
        let mut world = way.world(map, Settings::default().gravity((0.0, -gravity)).tick(1.0 / rate));
        let hero = world.spawn(hero.at(position(at.0, at.1))).unwrap();
        Stage { world, hero }
    }

    /// Makes a tick with an input.
    #[track_caller]
    pub fn input(&mut self, input: Input) {
        self.world.set_input(self.hero, input);
        self.world.step();
    }

    #[track_caller]
    pub fn step(&mut self, walk: i8, jump: bool) {
        self.input(Input { walk, jump, ..Input::default() });
    }

    /// Makes a tick with a direction held.
    #[track_caller]
    pub fn tick(&mut self, (x, y): (i8, i8), jump: bool) {
        self.input(Input { walk: 127 * x, up: y > 0, down: y < 0, jump, ..Input::default() });
    }

    /// Returns the input of a walk.
    pub fn held(&self, walk: i8, jump: bool) -> Input {
        Input { walk, jump, ..Input::default() }
    }

    pub fn set_time_scale(&mut self, scale: f64) {
        let to = self.hero().body().clone().time_scale(scale);
        self.world.set_body(self.hero, to).unwrap();
    }

    /// The hero's state after the tick.
    pub fn hero(&self) -> &Seen {
        &self.world[self.hero]
    }

    pub fn place(&self) -> DVec2 {
        self.hero().position().to_dvec2()
    }

    pub fn velocity(&self) -> DVec2 {
        self.hero().velocity()
    }
}

impl From<&Canvas> for Map {
    fn from(canvas: &Canvas) -> Map {
        canvas.map(Symmetry(Placement::default()))
    }
}

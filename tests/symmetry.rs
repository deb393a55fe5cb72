//! Mirrored, turned and shifted scenes give mirrored, turned and shifted results with the same bits.

use crate::scene::{Canvas, I64Vec2, ONE, Random, catalogues, position, units, variants};
use crate::table::{Stage, all_ways};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use surefoot::catalogue::PatternKind;
use surefoot::map::{Border, Borders, CollisionLayers, MapParts, Material, TileKind};
use surefoot::prelude::*;
use surefoot::{Input, Map, World, geometry::DVec2};

/// One of the eight symmetries of the square, applied to whole scenes: mirror x first, then turn clockwise.
#[derive(Clone, Copy, Debug)]
pub struct Symmetry(pub Placement);

impl Symmetry {
    pub fn all() -> impl Iterator<Item = Symmetry> {
        Placement::all().map(Symmetry)
    }

    /// Returns the inverse. Mirrored symmetries are their own inverses.
    pub fn inverse(self) -> Symmetry {
        if self.0.mirrored() { self } else { Symmetry(Placement::new(false, (4 - self.0.turns()) % 4)) }
    }

    /// The default settings, with `up` and gravity in the symmetry.
    pub fn settings(self) -> Settings {
        let gravity = self.velocity(Settings::default().gravity);
        Settings::default().up(self.up(Up::PlusY)).gravity(gravity)
    }

    /// A stick held to one side. Right is relative to `up`.
    pub fn walk(self, walk: i8) -> i8 {
        if self.0.mirrored() { walk.saturating_neg() } else { walk }
    }

    pub fn vector(self, v: I64Vec2) -> I64Vec2 {
        let mut v = if self.0.mirrored() { I64Vec2::new(-v.x, v.y) } else { v };
        for _ in 0..self.0.turns() {
            v = I64Vec2::new(v.y, -v.x);
        }
        v
    }

    pub fn position(self, at: Position) -> Position {
        let v = self.vector(at.units());
        units(v.x, v.y)
    }

    pub fn shape(self, shape: Shape) -> Shape {
        if self.0.turns() % 2 == 1 { shape.turned() } else { shape }
    }

    pub fn velocity(self, v: DVec2) -> DVec2 {
        let mut v = if self.0.mirrored() { DVec2::new(-v.x, v.y) } else { v };
        for _ in 0..self.0.turns() {
            v = DVec2::new(v.y, -v.x);
        }
        v
    }

    pub fn up(self, up: Up) -> Up {
        let turned = self.vector(up.direction());
        [Up::PlusY, Up::MinusX, Up::MinusY, Up::PlusX].into_iter().find(|u| u.direction() == turned).unwrap()
    }

    /// Returns the tile that a tile becomes: the one that contains its centre.
    pub fn tile(self, (x, y): (i32, i32)) -> (i32, i32) {
        let v = self.vector(I64Vec2::new(2 * i64::from(x) + 1, 2 * i64::from(y) + 1));
        (((v.x - 1) / 2) as i32, ((v.y - 1) / 2) as i32)
    }
}

/// The walker leaves at half a tile per second, and an acceleration of 64 tiles per second squared turns it around
/// within the tick of 1/64 s. Its displacement is 0, and at the end of the tick its velocity points into the wall,
/// which stops it.
#[test]
fn a_walker_that_turns_round_at_a_wall_is_stopped_on_either_side() {
    let character = Character { ground_braking: 64.0, ..Character::default() };
    all_ways(|way| {
        let mut canvas = Canvas::default();
        canvas.blocks((-4, -1), (4, -1));
        canvas.blocks((1, 0), (1, 2));
        let hero = Body::new(Shape::aabb(0.5, 0.5)).velocity((-0.5, 0.0)).character(character);
        let mut stage = Stage::at_rate(&canvas, way, hero, (0.5, 0.5), (40.0, 64.0));
        assert!(stage.hero().on_floor());
        stage.step(127, false);
        assert_eq!(stage.hero().position(), position(0.5, 0.5));
        assert_eq!(stage.velocity(), DVec2::ZERO);
    });
}

/// A square of cells around the origin, each a variant or empty, that can be built in all symmetries.
#[derive(Clone)]
pub struct Square {
    pub catalogue: Arc<Catalogue>,
    pub half: i32,
    pub cells: Vec<Option<VariantId>>,
    /// Tiles that allow dropping through.
    drop_through: BTreeSet<(i32, i32)>,
    /// Belt velocity of tiles.
    belts: BTreeMap<(i32, i32), f64>,
    /// Slippery, rough or bouncy tiles.
    surfaces: BTreeMap<(i32, i32), Material>,
    /// Open tiles that let bodies pass, and the collision layers.
    lets_pass: BTreeMap<(i32, i32), CollisionLayers>,
    /// The content beyond all four sides.
    beyond: Border,
}

impl Square {
    pub fn new(half: i32, cells: Vec<Option<VariantId>>) -> Square {
        let catalogue = Catalogue::builtin();
        let (drop_through, belts) = (BTreeSet::new(), BTreeMap::new());
        let (surfaces, lets_pass) = (BTreeMap::new(), BTreeMap::new());
        Square { catalogue, half, cells, drop_through, belts, surfaces, lets_pass, beyond: Border::Open }
    }

    /// Uses the variants of another catalogue.
    pub fn of(self, catalogue: &Arc<Catalogue>) -> Square {
        Square { catalogue: catalogue.clone(), ..self }
    }

    pub fn random(random: &mut Random, half: i32, filled: f64, from: &[VariantId]) -> Square {
        let count = (2 * half) * (2 * half);
        let cells = (0..count).map(|_| (random.range(0.0, 1.0) < filled).then(|| random.pick(from))).collect();
        Square::new(half, cells)
    }

    /// Lets bodies drop through about half of the open tiles.
    pub fn with_ledges(mut self, random: &mut Random) -> Square {
        for tile in self.tiles() {
            if self.is_open(tile) && random.below(2) == 0 {
                self.drop_through.insert(tile);
            }
        }
        self
    }

    /// Lets bodies of one or both [`COLLISION_LAYERS`] pass about half of the open tiles.
    pub fn with_passages(mut self, random: &mut Random) -> Square {
        for tile in self.tiles() {
            if self.is_open(tile) && random.below(2) == 0 {
                self.lets_pass.insert(tile, random.pick(&[ghost(), ghost(), CollisionLayers::FIRST, both()]));
            }
        }
        self
    }

    /// Makes most of the tiles slippery, rough or bouncy.
    pub fn with_surfaces(mut self, random: &mut Random) -> Square {
        for tile in self.tiles() {
            let (friction, traction) = (random.pick(&[0.0, 0.1, 1.0, 3.0]), random.pick(&[0.0, 0.25, 1.0, 2.0]));
            let bounce = random.pick(&[0.0, 0.0, 0.0, 0.8]);
            self.surfaces.insert(tile, Material { friction, traction, bounce, ..Material::default() });
        }
        self
    }

    /// Makes most of the tiles belts, of both directions.
    pub fn with_belts(mut self, random: &mut Random) -> Square {
        for tile in self.tiles() {
            self.belts.insert(tile, random.pick(&[0.0, 3.0, -3.0, 11.7, -0.3]));
        }
        self
    }

    /// Lets bodies drop through one tile, which must be open or empty.
    pub fn with_ledge_at(mut self, tile: (i32, i32)) -> Square {
        self.drop_through.insert(tile);
        self
    }

    /// Surrounds the square with endless full blocks.
    pub fn walled_in(self) -> Square {
        Square { beyond: Border::Solid, ..self }
    }

    pub fn tile(&self, (x, y): (i32, i32)) -> Option<VariantId> {
        self.cells[((y + self.half) * 2 * self.half + x + self.half) as usize]
    }

    /// Returns all tiles, row by row from the lowest one.
    fn tiles(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let half = self.half;
        (-half..half).flat_map(move |y| (-half..half).map(move |x| (x, y)))
    }

    fn is_open(&self, tile: (i32, i32)) -> bool {
        self.tile(tile).is_some_and(|id| self.catalogue.variant(id).kind == PatternKind::Open)
    }

    pub fn map(&self, symmetry: Symmetry, shift: (i32, i32)) -> Map {
        let mut legend = legend(&self.catalogue);
        let cells = self.cells(symmetry, &mut legend);
        self.map_of(cells, legend, shift)
    }

    /// Returns the tiles of the square by a legend, and adds missing kinds to the legend.
    pub fn cells(&self, symmetry: Symmetry, legend: &mut Vec<TileKind>) -> Vec<TileId> {
        let width = 2 * self.half;
        let mut cells = vec![TileId(0); (width * width) as usize];
        for tile in self.tiles() {
            let Some(variant) = self.tile(tile) else { continue };
            let variant = self.catalogue.variant(variant);
            let placed = self.catalogue.place(variant.pattern, variant.placement.then(symmetry.0));
            let drop_through = self.drop_through.contains(&tile);
            // A belt moves to the right as seen by a body on it, and a mirror swaps right and left.
            let belt = self.belts.get(&tile).map_or(0.0, |belt| if symmetry.0.mirrored() { -belt } else { *belt });
            let surface = self.surfaces.get(&tile).copied().unwrap_or_default();
            let surface = Material { belt_velocity: belt + 0.0, ..surface };
            let lets_pass = self.lets_pass.get(&tile).copied().unwrap_or(CollisionLayers::NONE);
            let kind = TileKind { drop_through, material: surface, ignored_by: lets_pass, ..TileKind::new(placed) };
            let known = legend.iter().position(|entry| *entry == kind);
            let entry = known.unwrap_or_else(|| {
                legend.push(kind);
                legend.len() - 1
            });
            let (tx, ty) = symmetry.tile(tile);
            cells[((ty + self.half) * width + tx + self.half) as usize] = TileId(entry as u16);
        }
        cells
    }

    /// Returns a map of the square's size with these tiles and tile kinds.
    pub fn map_of(&self, cells: Vec<TileId>, legend: Vec<TileKind>, shift: (i32, i32)) -> Map {
        let (catalogue, width) = (&self.catalogue, 2 * self.half);
        let mut parts = MapParts::new(width as u32, width as u32);
        parts.catalogue = catalogue.clone();
        parts.kinds = legend;
        parts.collision_layers = COLLISION_LAYERS.map(String::from).into();
        parts.layers[0].cells = cells;
        parts.layers[0].origin = (shift.0 - self.half, shift.1 - self.half);
        let beyond = self.beyond;
        parts.borders = Borders { left: beyond, right: beyond, bottom: beyond, top: beyond };
        Map::from_parts(parts).unwrap()
    }
}

/// Names of the collision layers of all squares.
pub const COLLISION_LAYERS: [&str; 2] = ["hero", "ghost"];

/// The second collision layer.
pub fn ghost() -> CollisionLayers {
    both().without(CollisionLayers::FIRST)
}

/// Both collision layers.
fn both() -> CollisionLayers {
    Square::new(1, vec![None; 4])
        .map(Symmetry(Placement::default()), (0, 0))
        .collision_layers_named(COLLISION_LAYERS)
        .unwrap()
}

/// Returns every variant, and the open ones a second time with drop-through.
pub fn legend(catalogue: &Catalogue) -> Vec<TileKind> {
    let mut legend = TileKind::every_variant(catalogue);
    for id in (0..catalogue.variants().len() as u16).map(VariantId) {
        if catalogue.variant(id).kind == PatternKind::Open {
            legend.push(TileKind { drop_through: true, ..TileKind::new(id) });
        }
    }
    legend
}

/// The state of a body after a tick, in units from the scene's middle.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Moment {
    position: Position,
    velocity: DVec2,
    touching: Touching,
}

impl Moment {
    /// Returns this moment in the turned scene. Left and right are relative to `up`, so a mirror swaps them.
    fn turned(self, symmetry: Symmetry) -> Moment {
        let mut touching = self.touching;
        if symmetry.0.mirrored() {
            (touching.wall_left, touching.wall_right) = (touching.wall_right, touching.wall_left);
        }
        Moment { position: symmetry.position(self.position), velocity: symmetry.velocity(self.velocity), touching }
    }
}

/// Returns a body's states in some ticks, shifted back to the origin.
fn run(square: &Square, symmetry: Symmetry, shift: (i32, i32), body: &Plan, ticks: u32) -> Vec<Moment> {
    let settings = symmetry.settings().max_floor_slope(body.limit);
    let mut world = World::new(square.map(symmetry, shift), settings);
    let away = I64Vec2::new(i64::from(shift.0) * ONE, i64::from(shift.1) * ONE);
    let start = symmetry.position(body.start) + away;
    let mut plan = Body::new(symmetry.shape(body.shape))
        .at(start)
        .velocity(symmetry.velocity(body.velocity))
        .friction(body.friction)
        .response(body.response);
    if body.walks {
        plan = plan.character(Character::default());
    }
    let id = world.spawn(plan).unwrap();
    let mut way = Vec::new();
    for tick in 0..ticks {
        if body.walks {
            let walk = symmetry.walk([127, 127, -127, 60, 0][(tick / 40) as usize % 5]);
            let down = body.drops && tick / 30 % 3 == 1;
            world.set_input(id, Input { walk, down, jump: tick % 50 < 5, ..Input::default() });
        }
        world.step();
        let state = &world[id];
        let position = Position::ORIGIN + (state.position() - (Position::ORIGIN + away));
        way.push(Moment { position, velocity: state.velocity(), touching: state.touching() });
    }
    way
}

#[derive(Clone, Copy, Debug)]
struct Plan {
    shape: Shape,
    start: Position,
    velocity: DVec2,
    friction: f64,
    response: Response,
    limit: SlopeLimit,
    walks: bool,
    /// Whether the body holds `down` now and then.
    drops: bool,
}

impl Plan {
    fn random(random: &mut Random) -> Plan {
        let aligned = random.below(2) == 0;
        let snap = |v: f64| if aligned { (v * 16.0).round() / 16.0 } else { v };
        let mut size = || snap(random.range(0.05, 0.9)).max(0.0625);
        let (a, b) = (size(), size());
        let shape = if random.below(2) == 0 { Shape::circle(a) } else { Shape::aabb(a, b) };
        let start = Position::new(snap(random.range(-4.0, 4.0)), snap(random.range(-4.0, 4.0))).unwrap();
        let limit = |rise, run| SlopeLimit::new(rise, run).unwrap();
        let walks = random.below(2) == 0;
        Plan {
            shape,
            start,
            velocity: DVec2::new(random.range(-20.0, 20.0), random.range(-20.0, 20.0)),
            friction: random.pick(&[0.0, 0.0, 0.5]),
            response: random.pick(&[
                Response::Slide,
                Response::Slide,
                Response::Bounce(0.8),
                Response::Bounce(0.98),
                Response::Stop,
                Response::Pass,
            ]),
            limit: random.pick(&[SlopeLimit::ONE_TO_ONE, limit(1, 2), limit(3, 1)]),
            walks,
            drops: walks && random.below(3) > 0,
        }
    }
}

/// Counts what happened during the runs, to prove that they were not idle.
#[derive(Debug, Default)]
struct Coverage {
    stopped: u32,
    passed: u32,
    dropped: u32,
    carried: u32,
    stuck: u32,
}

fn check(catalogue: &Arc<Catalogue>, seed: u64, runs: u32, ticks: u32) -> Coverage {
    let mut random = Random(seed);
    let mut seen = Coverage::default();
    let all = variants(catalogue);
    let open: Vec<VariantId> =
        all.iter().copied().filter(|&id| catalogue.variant(id).kind == PatternKind::Open).collect();
    for number in 0..runs {
        let filled = random.range(0.1, 0.7);
        let from = random.pick(&[&all, &all, &open]);
        let mut square = Square::random(&mut random, 5, filled, from).of(catalogue).with_ledges(&mut random);
        if random.below(2) == 0 {
            square = square.walled_in();
        }
        let mut plan = Plan::random(&mut random);
        let has_belts = number % 3 == 2;
        if has_belts {
            square = square.with_belts(&mut random);
        }
        let terrain = Terrain::bake(&square.map(Symmetry(Placement::default()), (0, 0)));
        for _ in 0..20 {
            // A few bodies stay stuck: this holds in all symmetries too.
            if !Mover::new(&terrain).overlaps(plan.shape, plan.start) {
                break;
            }
            plan.start = Plan::random(&mut random).start;
        }
        let plain = run(&square, Symmetry(Placement::default()), (0, 0), &plan, ticks);
        for symmetry in Symmetry::all() {
            let expected: Vec<Moment> = plain.iter().map(|moment| moment.turned(symmetry)).collect();
            for shift in [(0, 0), (1_000_000, -1_000_000)] {
                let other = run(&square, symmetry, shift, &plan, ticks);
                for (tick, (a, b)) in expected.iter().zip(&other).enumerate() {
                    assert_eq!(a, b, "run {number}, {symmetry:?} shifted by {shift:?}, tick {tick}, {plan:?}");
                }
            }
        }
        let without = Plan { drops: false, ..plan };
        let moves = plain.iter().any(|moment| moment.position != plan.start);
        seen.stopped += u32::from(moves && plan.response == Response::Stop);
        seen.passed += u32::from(moves && plan.response == Response::Pass);
        seen.dropped +=
            u32::from(plan.drops && run(&square, Symmetry(Placement::default()), (0, 0), &without, ticks) != plain);
        if has_belts {
            let still = Square { belts: BTreeMap::new(), ..square.clone() };
            seen.carried += u32::from(run(&still, Symmetry(Placement::default()), (0, 0), &plan, ticks) != plain);
        }
        seen.stuck += u32::from(!moves);
    }
    seen
}

fn same_bits(catalogue: &Arc<Catalogue>, everyday: u32) {
    let runs = std::env::var("SUREFOOT_RUNS").map_or(everyday, |runs| runs.parse().unwrap());
    let seen = check(catalogue, 0x5EED_0001, runs, 600);
    println!("{seen:?}");
    if runs >= 30 {
        assert!(seen.stopped > 0 && seen.passed > 0 && seen.dropped > 1 && seen.carried > 4, "{seen:?}");
    }
    assert!(seen.stuck * 2 < runs, "{seen:?}");
}

#[test]
fn mirrored_turned_and_shifted_scenes_give_the_same_bits() {
    same_bits(&catalogues()[0], 30);
}

#[test]
fn mirrored_turned_and_shifted_scenes_of_gentle_slopes_give_the_same_bits() {
    same_bits(&catalogues()[1], 10);
}

//! A mover without a world, among platforms and bodies of a list.

use crate::prelude::*;
use crate::queries::{motion, point, tiles, world};
use surefoot::motion::{CastHit, HitTarget, MoveResult, MoverCache, Obstacles};
use surefoot_geometry::exact::{Collider, overlaps};

const LETTERS: &[u8] = b".........##/\\1234=-";

/// Rows of random tiles.
fn rows(random: &mut Random, (width, height): (usize, usize)) -> Vec<String> {
    let row = |random: &mut Random| (0..width).map(|_| char::from(random.pick(LETTERS))).collect();
    (0..height).map(|_| row(random)).collect()
}

fn collider(shape: Shape) -> Collider {
    if shape.is_circle() {
        Collider::Circle { radius: shape.half_units().x }
    } else {
        Collider::Aabb { half: shape.half_units() }
    }
}

fn shape(random: &mut Random) -> Shape {
    let size = random.pick(&[0.25, 0.5, 0.37, 0.8]);
    if random.one_in(2) { Shape::circle(size) } else { Shape::aabb(size, random.pick(&[0.25, 0.45, 0.5])) }
}

/// Random tiles, platforms and bodies, in a list and in a world.
struct Crowd {
    terrain: Terrain,
    obstacles: Obstacles,
    bodies: Vec<(BodyId, Shape, Position)>,
    platforms: Vec<PlatformId>,
    world: World,
    /// The world's ids of the list's bodies and platforms.
    theirs: (Vec<BodyId>, Vec<PlatformId>),
}

impl Crowd {
    fn new(random: &mut Random, platforms: usize, bodies: usize) -> Crowd {
        let tiles = rows(random, (12, 12));
        let map = map(&tiles.iter().map(String::as_str).collect::<Vec<_>>());
        let mut world = world(&map);
        let terrain = Terrain::bake(&map);
        let (mut obstacles, mut ours, mut theirs) = (Obstacles::default(), (vec![], vec![]), (vec![], vec![]));
        for _ in 0..platforms {
            let mut rows = rows(random, (2, 2));
            rows[0].replace_range(0..1, "#");
            let at = point(random, (0, 0), (11, 11));
            theirs.1.push(world.spawn_platform(Platform::from_rows(&map, &rows).unwrap().at(at)).unwrap());
            ours.1.push(obstacles.add_platform(Terrain::bake(&Map::from_rows(&rows).unwrap()), at));
        }
        for _ in 0..bodies {
            let (shape, at) = (shape(random), point(random, (0, 0), (12, 12)));
            theirs.0.push(world.spawn(Body::new(shape).at(at)).unwrap());
            ours.0.push((obstacles.add_body(shape, at).unwrap(), shape, at));
        }
        Crowd { terrain, obstacles, bodies: ours.0, platforms: ours.1, world, theirs }
    }

    fn mover(&self) -> Mover<'_> {
        Mover::new(&self.terrain).with_obstacles(&self.obstacles)
    }

    /// Returns the hit that a world reports.
    fn world_hit(&self, hit: &CastHit) -> surefoot::query::ShapeHit {
        let target = match hit.target {
            HitTarget::Body(body) => {
                Target::Body(self.theirs.0[self.bodies.iter().position(|b| b.0 == body.other).unwrap()])
            }
            HitTarget::Tile(Contact { platform: Some(id), tile, tile_id, .. }) => Target::Platform {
                platform: self.theirs.1[self.platforms.iter().position(|known| *known == id).unwrap()],
                tile,
                tile_id,
            },
            HitTarget::Tile(Contact { tile, tile_id, .. }) => Target::Terrain { tile, tile_id },
        };
        let (toi, position, point, normal) = (hit.toi, hit.position, hit.target.point(), hit.target.normal());
        surefoot::query::ShapeHit { toi, position, point, normal, target }
    }

    fn overlapped(&self, shape: Shape, at: Position) -> Vec<BodyId> {
        let inside = |body: &&(BodyId, Shape, Position)| overlaps(collider(shape), collider(body.1), at - body.2);
        self.bodies.iter().filter(inside).map(|body| body.0).collect()
    }
}

/// Returns the comparable parts of a move.
fn comparable(moved: &MoveResult<'_>) -> impl PartialEq + std::fmt::Debug + use<> {
    let contacts: Vec<Contact> = moved.contacts().iter().collect();
    let hits = (moved.hits.to_vec(), moved.body_hits.clone());
    (moved.position, moved.touching, moved.path.to_vec(), hits, contacts, moved.body_contacts.clone())
}

#[test]
fn casts_are_the_same_as_those_of_a_world() {
    let mut random = Random(0x0B57);
    let mut met = [0, 0, 0, 0];
    for _ in 0..often(230, 6000) {
        let (platforms, bodies) = (random.index(6), random.index(12));
        let crowd = Crowd::new(&mut random, platforms, bodies);
        for _ in 0..20 {
            let (shape, from, way) = (shape(&mut random), point(&mut random, (0, 0), (12, 12)), motion(&mut random, 9));
            let ours = crowd.mover().cast(shape, from, tiles(way)).map(|hit| crowd.world_hit(&hit));
            let theirs = crowd.world.cast_shape(shape, from, tiles(way), &Filter::default());
            // Each map has its own tile kinds.
            let unnamed = |hit: surefoot::query::ShapeHit| match hit.target {
                Target::Platform { platform, tile, .. } => {
                    let target = Target::Platform { platform, tile, tile_id: TileId::EMPTY };
                    surefoot::query::ShapeHit { target, ..hit }
                }
                _ => hit,
            };
            assert_eq!(ours.map(unnamed), theirs.map(unnamed), "{shape:?} from {from:?} by {way}");
            met[match theirs.map(|hit| hit.target) {
                None => 0,
                Some(Target::Terrain { .. }) => 1,
                Some(Target::Platform { .. }) => 2,
                Some(_) => 3,
            }] += 1;
        }
    }
    assert!(met.iter().all(|count| *count > 200), "{met:?}");
}

/// Of hits at the same time, tiles come before bodies, and bodies in the order of the list, even after others were
/// removed from it.
#[test]
fn tiles_come_first_among_simultaneous_hits() {
    let terrain = Terrain::bake(&map(&["...#", "....", "...."]));
    let (shape, from) = (Shape::aabb(0.25, 1.5), position(0.5, 1.5));
    let mut obstacles = Obstacles::default();
    let at = |y| position(3.5, y);
    let block = |obstacles: &mut Obstacles, y| obstacles.add_body(Shape::aabb(0.5, 0.5), at(y)).unwrap();
    let (first, second) = (block(&mut obstacles, 0.5), block(&mut obstacles, 1.5));
    let met = |obstacles: &Obstacles, terrain: &Terrain| {
        Mover::new(terrain).with_obstacles(obstacles).cast(shape, from, (4.0, 0.0)).unwrap().target
    };
    assert_eq!(met(&obstacles, &terrain).tile().map(|contact| contact.tile), Some((3, 2)));
    let nothing = Terrain::bake(&map(&["....", "....", "...."]));
    let body = |obstacles: &Obstacles| met(obstacles, &nothing).body().unwrap().other;
    assert_eq!(body(&obstacles), first);
    assert!(obstacles.remove_body(first) && !obstacles.remove_body(first) && !obstacles.move_body(first, at(0.5)));
    let third = block(&mut obstacles, 0.5);
    assert_eq!(body(&obstacles), second);
    assert!(obstacles.move_body(second, at(9.0)));
    assert_eq!(body(&obstacles), third);
    assert_eq!((obstacles.body(second), obstacles.body(first)), (Some((Shape::aabb(0.5, 0.5), at(9.0))), None));
    obstacles.clear();
    assert_eq!(obstacles.body(third), None);
    let lift = obstacles.add_platform(Terrain::bake(&map(&["#"])), position(2.0, 1.0));
    assert_eq!(met(&obstacles, &nothing).tile().and_then(|contact| contact.platform), Some(lift));
    assert!(obstacles.move_platform(lift, position(3.0, 1.0)));
    assert_eq!(obstacles.platform(lift).map(|(_, at)| at), Some(position(3.0, 1.0)));
    assert_eq!(met(&obstacles, &nothing).point().to_dvec2().x, 3.0);
    assert!(obstacles.remove_platform(lift) && obstacles.platform(lift).is_none());
}

#[test]
fn bodies_of_no_size_are_refused() {
    assert!(Obstacles::default().add_body(Shape::circle(0.0), Position::ORIGIN).is_err());
}

/// Slides and walks of every kind of shape among everything: no path part ends inside an obstacle that the shape was
/// not in before.
#[test]
fn nothing_is_entered() {
    let mut random = Random(0x0B58);
    let mut hits = 0;
    for _ in 0..often(400, 8000) {
        let (platforms, bodies) = (random.index(3), random.between(1, 24) as usize);
        let crowd = Crowd::new(&mut random, platforms, bodies);
        for i in 0..20 {
            let (shape, from, way) = (shape(&mut random), point(&mut random, (0, 0), (12, 12)), motion(&mut random, 5));
            let moved = if i % 3 == 0 {
                crowd.mover().walk(shape, from, tiles(way).x)
            } else {
                crowd.mover().slide_units(shape, from, way)
            };
            let (mut at, mut inside) = (from, crowd.overlapped(shape, from));
            let in_tiles = Mover::new(&crowd.terrain).overlaps(shape, from);
            for to in &moved.path {
                for body in crowd.bodies.iter().filter(|body| !inside.contains(&body.0)) {
                    for i in 0..=8 {
                        let gap = gap(shape, body.1, tiles(at - body.2) + tiles(*to - at) * f64::from(i) / 8.0);
                        assert!(gap > -1e-6, "{shape:?} from {from:?} by {way}: {gap} in {body:?}");
                    }
                }
                let now = crowd.overlapped(shape, *to);
                let is_new = now.iter().any(|body| !inside.contains(body));
                assert!(!is_new, "{shape:?} from {from:?} by {way} to {to:?}: {inside:?} {now:?}");
                assert!(in_tiles || !Mover::new(&crowd.terrain).overlaps(shape, *to));
                (at, inside) = (*to, now);
            }
            assert_eq!(at, moved.position);
            hits += moved.body_hits.len();
        }
    }
    assert!(hits > 1000, "{hits}");
}

/// Returns the distance between two shapes in f64, negative inside. `offset` points from the second to the first.
fn gap(a: Shape, b: Shape, offset: DVec2) -> f64 {
    let core = |shape: Shape| if shape.is_circle() { DVec2::ZERO } else { shape.half_extents() };
    let radius = |shape: Shape| if shape.is_circle() { shape.half_extents().x } else { 0.0 };
    let out = offset.abs() - core(a) - core(b);
    out.max(DVec2::ZERO).length() + out.max_element().min(0.0) - radius(a) - radius(b)
}

/// Boxes among boxes: every loss of motion on an axis has a hit against that axis, and hit obstacles are reached to the
/// unit.
#[test]
fn a_free_direction_is_moved_in_full() {
    let mut random = Random(0x0B59);
    let (mut full, mut cut) = (0, 0);
    for _ in 0..often(800, 8000) {
        let rows: Vec<String> =
            (0..12).map(|_| (0..12).map(|_| random.pick(&['.', '.', '.', '.', '#'])).collect()).collect();
        let terrain = Terrain::bake(&map(&rows.iter().map(String::as_str).collect::<Vec<_>>()));
        let mut obstacles = Obstacles::default();
        for _ in 0..10 {
            let half = DVec2::new(random.pick(&[0.25, 0.5, 0.37]), random.pick(&[0.25, 0.5]));
            obstacles.add_body(Shape::aabb(half.x, half.y), point(&mut random, (0, 0), (12, 12))).unwrap();
        }
        let mover = Mover::new(&terrain).with_obstacles(&obstacles);
        for _ in 0..20 {
            let (shape, from) = (Shape::aabb(0.25, 0.4), point(&mut random, (0, 0), (12, 12)));
            let way = motion(&mut random, 4);
            if mover.overlaps(shape, from) {
                continue;
            }
            let moved = mover.slide_units(shape, from, way);
            let normals = || {
                let bodies = moved.body_hits.iter().map(|hit| hit.normal);
                moved.hits.iter().map(|hit| hit.normal).chain(bodies)
            };
            assert!(normals().all(|normal| normal.x == 0.0 || normal.y == 0.0));
            let (made, asked) = (moved.position - from, way);
            for (made, asked, axis) in [(made.x, asked.x, DVec2::X), (made.y, asked.y, DVec2::Y)] {
                let against = normals().any(|normal| normal.dot(axis) * asked as f64 <= -0.5);
                assert!(made == asked || against, "{from:?} by {way}: {made} of {asked}, {moved:?}");
                full += u32::from(made == asked && !moved.body_hits.is_empty());
                cut += u32::from(made != asked && !moved.body_hits.is_empty());
            }
            for hit in &moved.body_hits {
                let (body, at) = obstacles.body(hit.other).unwrap();
                let edge = tiles(at.units() - I64Vec2::ZERO) + hit.normal * body.half_extents();
                let off = (hit.point.to_dvec2() - edge).dot(hit.normal);
                assert_eq!(off, 0.0, "{hit:?} on {body:?} at {at:?}");
            }
        }
    }
    assert!(full > 500 && cut > 500, "{full} {cut}");
}

/// A box moves diagonally until it hits a second obstacle after 23/16 tiles, and slides on along that one. On its way,
/// its corner meets the corner of a first obstacle after 7/16 tiles, which it passes.
///
/// In f64, (43/16) * (23/43) is less than 23/16. Rounded down to units, the path would run into the first obstacle.
#[test]
fn a_box_passes_a_corner_that_its_path_touches() {
    let shape = Shape::aabb(0.25, 0.25);
    let (whole, until_hit) = (43 * ONE / 16, 23 * ONE / 16);
    for is_swapped in [false, true] {
        fn swap<T>(is_swapped: bool, (x, y): (T, T)) -> (T, T) {
            if is_swapped { (y, x) } else { (x, y) }
        }
        let vector = |x: i64, y: i64| I64Vec2::from(swap(is_swapped, (x, y)));
        for (first_is_body, second_is_body) in [(false, false), (false, true), (true, false), (true, true)] {
            let is_tile = |cell: (i32, i32)| match swap(is_swapped, cell) {
                (1, 2) => !first_is_body,
                (2..6, 3) => !second_is_body,
                _ => false,
            };
            let row = |y| (0..8).map(|x| if is_tile((x, y)) { '#' } else { '.' }).collect::<String>();
            let rows: Vec<String> = (0..8).rev().map(row).collect();
            let terrain = Terrain::bake(&Map::from_rows(&rows).unwrap());
            let mut obstacles = Obstacles::default();
            let bodies = [(first_is_body, (0.5, 0.5), (1.5, 2.5)), (second_is_body, (2.0, 0.5), (4.0, 3.5))];
            for (_, half, at) in bodies.into_iter().filter(|body| body.0) {
                let ((x, y), at) = (swap(is_swapped, half), swap(is_swapped, at));
                obstacles.add_body(Shape::aabb(x, y), position(at.0, at.1)).unwrap();
            }
            let (x, y) = swap(is_swapped, (1.8125, 1.3125));
            let from = position(x, y);
            let moved = Mover::new(&terrain).with_obstacles(&obstacles).slide_units(shape, from, I64Vec2::splat(whole));
            let hit = from + I64Vec2::splat(until_hit);
            assert_eq!(moved.path[..], [hit, from + vector(whole, until_hit)], "{moved:?}");
            let normals: Vec<DVec2> = match second_is_body {
                true => moved.body_hits.iter().map(|hit| hit.normal).collect(),
                false => moved.hits.iter().map(|hit| hit.normal).collect(),
            };
            assert!(!normals.is_empty() && normals.iter().all(|normal| *normal == vector(0, -1).as_dvec2()));
            assert_eq!(moved.body_hits.len() + moved.hits.len(), normals.len(), "{moved:?}");
        }
    }
}

#[test]
fn an_empty_list_changes_nothing() {
    let mut random = Random(0x0B5A);
    let (empty, mut emptied) = (Obstacles::default(), Obstacles::default());
    let gone = emptied.add_body(Shape::circle(9.0), Position::ORIGIN).unwrap();
    emptied.remove_body(gone);
    for _ in 0..often(50, 1000) {
        let crowd = Crowd::new(&mut random, 0, 0);
        let mover = Mover::new(&crowd.terrain);
        for _ in 0..20 {
            let (shape, from, way) = (shape(&mut random), point(&mut random, (0, 0), (12, 12)), motion(&mut random, 5));
            for other in [mover.with_obstacles(&empty), mover.with_obstacles(&emptied)] {
                assert_eq!(
                    comparable(&mover.slide_units(shape, from, way)),
                    comparable(&other.slide_units(shape, from, way))
                );
                assert_eq!(mover.cast(shape, from, tiles(way)), other.cast(shape, from, tiles(way)));
                let walk = tiles(way).x;
                assert_eq!(comparable(&mover.walk(shape, from, walk)), comparable(&other.walk(shape, from, walk)));
            }
        }
    }
}

/// Bodies far away do not change a move: slides and walks among bodies use separate code.
#[test]
fn distant_bodies_change_nothing() {
    let mut random = Random(0x0B5B);
    let mut far = Obstacles::default();
    far.add_body(Shape::circle(1.0), position(500.0, 500.0)).unwrap();
    let mut walked = 0;
    for _ in 0..often(110, 6000) {
        let crowd = Crowd::new(&mut random, 0, 0);
        let (mover, other) = (Mover::new(&crowd.terrain), Mover::new(&crowd.terrain).with_obstacles(&far));
        for _ in 0..20 {
            let (shape, from, way) = (shape(&mut random), point(&mut random, (0, 0), (12, 12)), motion(&mut random, 5));
            assert_eq!(
                comparable(&mover.slide_units(shape, from, way)),
                comparable(&other.slide_units(shape, from, way))
            );
            let stands = mover.slide(shape, from, (0.0, -3.0)).position;
            let (a, b) = (mover.walk(shape, stands, tiles(way).x), other.walk(shape, stands, tiles(way).x));
            assert_eq!(comparable(&a), comparable(&b), "{shape:?} from {stands:?} by {way}");
            walked += u32::from(a.position != stands);
            assert_eq!(mover.stand_on_floor(shape, from), other.stand_on_floor(shape, from));
        }
    }
    assert!(walked > 500, "{walked}");
}

/// A cache does not change results, whatever moves in between.
#[test]
fn a_cache_changes_nothing() {
    let mut random = Random(0x0B5C);
    for _ in 0..often(60, 1000) {
        let mut crowd = Crowd::new(&mut random, 2, 8);
        let (shape, mut at, mut memory) = (shape(&mut random), position(6.0, 6.0), MoverCache::default());
        for _ in 0..80 {
            if random.one_in(8) {
                at = point(&mut random, (0, 0), (12, 12));
            }
            if random.one_in(3) {
                let to = point(&mut random, (0, 0), (12, 12));
                let i = random.index(8);
                crowd.obstacles.move_body(crowd.bodies[i].0, to);
                crowd.obstacles.move_platform(crowd.platforms[i % 2], to);
            }
            let plain = Mover::new(&crowd.terrain);
            let mover = if random.one_in(6) { plain } else { plain.with_obstacles(&crowd.obstacles) };
            let way = motion(&mut random, 1);
            let (a, b) = if random.one_in(2) {
                (mover.walk(shape, at, tiles(way).x), mover.with_cache(&mut memory).walk(shape, at, tiles(way).x))
            } else {
                (mover.slide_units(shape, at, way), mover.with_cache(&mut memory).slide_units(shape, at, way))
            };
            assert_eq!(comparable(&a), comparable(&b));
            at = a.position;
        }
    }
}

/// Bodies on the canvas of a scene, in a symmetry.
struct Drawn {
    symmetry: Symmetry,
    terrain: Terrain,
    obstacles: Obstacles,
}

impl Drawn {
    fn new(canvas: &Canvas, bodies: &[(Shape, Position)], symmetry: Symmetry) -> Drawn {
        let mut obstacles = Obstacles::default();
        for (shape, at) in bodies {
            obstacles.add_body(symmetry.shape(*shape), symmetry.position(*at)).unwrap();
        }
        Drawn { symmetry, terrain: canvas.terrain(symmetry), obstacles }
    }

    fn mover(&self) -> Mover<'_> {
        Mover::new(&self.terrain).up(self.symmetry.up(Up::PlusY)).with_obstacles(&self.obstacles)
    }

    fn slide(&self, shape: Shape, from: Position, way: I64Vec2) -> MoveResult<'_> {
        let (from, way) = (self.symmetry.position(from), self.symmetry.vector(way));
        self.mover().slide_units(self.symmetry.shape(shape), from, way)
    }

    fn walk(&self, shape: Shape, from: Position, length: f64) -> MoveResult<'_> {
        let length = if self.symmetry.0.mirrored() { -length } else { length };
        self.mover().walk(self.symmetry.shape(shape), self.symmetry.position(from), length)
    }
}

fn way(x: f64, y: f64) -> I64Vec2 {
    position(x, y).units()
}

/// Slides a shape in all symmetries, and checks its end position and the sides that it touches.
#[track_caller]
fn check_slide(
    rows: &[&str],
    bodies: &[(Shape, Position)],
    (shape, from): (Shape, Position),
    by: I64Vec2,
    expected: (Position, &str),
) {
    let canvas = Canvas::rows(rows, "");
    for symmetry in Symmetry::all() {
        let drawn = Drawn::new(&canvas, bodies, symmetry);
        let moved = drawn.slide(shape, from, by);
        check_moved(&moved, symmetry, expected);
    }
}

/// Walks a shape in all symmetries, and checks its end position and the sides that it touches.
#[track_caller]
fn check_walk(
    rows: &[&str],
    bodies: &[(Shape, Position)],
    (shape, from): (Shape, Position),
    length: f64,
    expected: (Position, &str),
) {
    let canvas = Canvas::rows(rows, "");
    for symmetry in Symmetry::all() {
        let drawn = Drawn::new(&canvas, bodies, symmetry);
        let moved = drawn.walk(shape, from, length);
        check_moved(&moved, symmetry, expected);
    }
}

#[track_caller]
fn check_moved(moved: &MoveResult<'_>, symmetry: Symmetry, (position, sides): (Position, &str)) {
    let touching = moved.touching;
    let (left, right) = (touching.wall_left, touching.wall_right);
    let (left, right) = if symmetry.0.mirrored() { (right, left) } else { (left, right) };
    let touches = [(touching.floor, 'f'), (left, 'l'), (right, 'r'), (touching.ceiling, 'c')];
    let touched: String = touches.into_iter().filter(|side| side.0).map(|side| side.1).collect();
    assert_eq!((moved.position, touched.as_str()), (symmetry.position(position), sides), "{symmetry:?} {moved:?}");
}

fn crate_at(x: f64, y: f64) -> (Shape, Position) {
    (Shape::aabb(0.5, 0.5), position(x, y))
}

const HALF: f64 = 0.5;

/// A crate in a pit, with its top level with the floor at y = 1.
#[test]
fn a_box_slides_over_a_crate_flush_with_the_floor() {
    let pit = ["......", "......", "##.###"];
    let crates = [crate_at(2.5, HALF)];
    let block = Shape::aabb(0.25, 0.5);
    check_slide(&pit, &crates, (block, position(0.5, 1.5)), way(4.0, 0.0), (position(4.5, 1.5), "f"));
    // The block is pressed down all the way: onto the crate, over it, and off it.
    check_slide(&pit, &crates, (block, position(0.5, 1.5)), way(1.75, -1.0), (position(2.25, 1.5), "f"));
    check_slide(&pit, &crates, (block, position(2.25, 1.5)), way(2.0, -0.5), (position(4.25, 1.5), "f"));
    check_slide(&pit, &crates, (block, position(2.5, 1.5)), way(-2.0, -3.0), (position(0.5, 1.5), "f"));
    // The block falls onto the joint of crate and floor.
    check_slide(&pit, &crates, (block, position(1.0, 2.5)), way(3.0, -3.0), (position(4.0, 1.5), "f"));
    let ball = Shape::circle(0.5);
    check_slide(&pit, &crates, (ball, position(0.5, 1.5)), way(4.0, 0.0), (position(4.5, 1.5), "f"));
    check_slide(&pit, &crates, (ball, position(2.25, 1.5)), way(2.0, -0.5), (position(4.25, 1.5), "f"));
}

/// The wall's side is at x = 3. The crate stands on the floor in front of it, with its top at y = 2.
#[test]
fn a_box_falls_on_a_crate_next_to_a_wall() {
    let room = ["...#", "...#", "...#", "####"];
    let crates = [crate_at(2.5, 1.5)];
    let block = Shape::aabb(0.25, 0.25);
    check_slide(&room, &crates, (block, position(2.5, 3.5)), way(0.0, -3.0), (position(2.5, 2.25), "f"));
    // The block moves into the corner of crate and wall, hitting either one first.
    check_slide(&room, &crates, (block, position(2.0, 3.5)), way(3.0, -3.0), (position(2.75, 2.25), "fr"));
    check_slide(&room, &crates, (block, position(2.0, 2.5)), way(3.0, -3.0), (position(2.75, 2.25), "fr"));
    // The block slides down the side of the crate, and no further along the floor.
    check_slide(&room, &crates, (block, position(1.0, 1.75)), way(3.0, -3.0), (position(1.75, 1.25), "fr"));
    // The block comes from below: the crate's underside is at y = 3.
    let hung = [crate_at(1.5, 3.5)];
    check_slide(&room, &hung, (block, position(1.0, 1.5)), way(1.0, 3.0), (position(2.0, 2.75), "c"));
}

/// The corner of the box hits that of the crate, at (1.5, 2.5). The box stands on it, and continues along its top.
#[test]
fn corner_on_corner_stands() {
    let nothing = ["....", "....", "....", "...."];
    let (crates, block) = ([crate_at(2.0, 2.0)], Shape::aabb(0.25, 0.25));
    check_slide(&nothing, &crates, (block, position(0.75, 3.25)), way(1.5, -1.5), (position(2.25, 2.75), "f"));
}

/// A box in the corner of two crates hits each of them once.
#[test]
fn in_the_corner_of_two_crates_each_is_hit_once() {
    let crates = [crate_at(2.0, 0.5), crate_at(3.0, 1.5)];
    let canvas = Canvas::rows(&["....", "....", "...."], "");
    for symmetry in Symmetry::all() {
        let drawn = Drawn::new(&canvas, &crates, symmetry);
        let moved = drawn.slide(Shape::aabb(0.25, 0.25), position(1.75, 2.0), way(2.0, -2.0));
        check_moved(&moved, symmetry, (position(2.25, 1.25), "fr"));
        assert_eq!(moved.body_hits.len(), 2, "{symmetry:?} {moved:?}");
    }
}

/// A crate of half a tile at (2, 2) has a corner at (1.5, 2.5). A ball of radius 1/2 comes from the left and hits the
/// corner in the direction (-3, 4), with its centre at (1.2, 2.9).
#[test]
fn a_circle_slides_over_the_corner_of_a_crate() {
    let nothing = ["....", "....", "....", "...."];
    let (crates, ball) = ([crate_at(2.0, 2.0)], Shape::circle(0.5));
    let canvas = Canvas::rows(&nothing, "");
    let mut ends = Vec::new();
    for symmetry in Symmetry::all() {
        let drawn = Drawn::new(&canvas, &crates, symmetry);
        let moved = drawn.slide(ball, position(0.2, 2.9), way(2.0, 0.0));
        let hit = moved.body_hits[0];
        let normal = symmetry.inverse().velocity(hit.normal);
        assert!((normal - DVec2::new(-0.6, 0.8)).length() < 1e-8, "{normal}");
        assert_eq!(hit.point, symmetry.position(position(1.5, 2.5)));
        ends.push(symmetry.inverse().position(moved.position));
    }
    assert!(ends.iter().all(|end| *end == ends[0]), "{ends:?}");
    // A motion of length 1 is left, of which 0.8 is along the tangent (0.8, 0.6).
    let off = ends[0].to_dvec2() - DVec2::new(1.2 + 0.64, 2.9 + 0.48);
    assert!(off.length() < 1e-8, "{off}");
}

/// Balls with a gap narrower than the body that falls between them.
#[test]
fn a_body_stops_between_two_bodies() {
    let nothing = ["....", "....", "....", "...."];
    let balls = [(Shape::circle(0.5), position(1.0, 1.0)), (Shape::circle(0.5), position(2.0, 1.0))];
    let ball = Shape::circle(0.5);
    let canvas = Canvas::rows(&nothing, "");
    let mut ends = Vec::new();
    for symmetry in Symmetry::all() {
        let drawn = Drawn::new(&canvas, &balls, symmetry);
        for from in [position(1.5, 3.0), position(1.25, 3.0)] {
            let moved = drawn.slide(ball, from, way(0.0, -3.0));
            ends.push(symmetry.inverse().position(moved.position));
            if from == position(1.5, 3.0) {
                assert!(moved.touching.floor && moved.body_contacts.len() == 2, "{moved:?}");
            }
        }
    }
    // The centres of the three balls form a triangle with sides of 1.
    let wedge = DVec2::new(1.5, 1.0 + 0.75_f64.sqrt());
    for (i, end) in ends.iter().enumerate() {
        assert_eq!(*end, ends[i % 2]);
        assert!((end.to_dvec2() - wedge).length() < 1e-6, "{end}");
    }
    // Between two crates, a box wider than the gap stands on both, and a box exactly as wide falls through.
    let crates = [crate_at(1.0, 1.0), crate_at(2.75, 1.0)];
    let gap = Shape::aabb(0.375, 0.25);
    check_slide(&nothing, &crates, (gap, position(1.875, 3.0)), way(0.0, -2.0), (position(1.875, 1.0), "lr"));
    let (wide, at) = (Shape::aabb_units(gap.half_units() + I64Vec2::X), position(1.875, 3.0));
    check_slide(&nothing, &crates, (wide, at), way(0.0, -2.0), (position(1.875, 1.75), "f"));
}

/// Two crates are sunk into the floor, at y = 1, flush with it and with each other.
#[test]
fn a_walker_crosses_flush_crates() {
    let pit = [".......", ".......", ".......", "##..###"];
    let crates = [crate_at(2.5, HALF), crate_at(3.5, HALF)];
    for hero in [Shape::aabb(0.25, 0.5), Shape::circle(0.5)] {
        check_walk(&pit, &crates, (hero, position(0.75, 1.5)), 5.0, (position(5.75, 1.5), "f"));
        check_walk(&pit, &crates, (hero, position(5.75, 1.5)), -5.0, (position(0.75, 1.5), "f"));
        check_walk(&pit, &crates, (hero, position(2.6, 1.5)), 0.7, (position(3.3, 1.5), "f"));
        // The hero walks off the edge of a single crate, straight on.
        check_walk(&pit, &crates[..1], (hero, position(2.75, 1.5)), 1.0, (position(3.75, 1.5), ""));
        // A crate on top of them is a wall.
        let stacked = [crates[0], crates[1], crate_at(3.5, 1.5)];
        let stops = position(3.0 - hero.half_extents().x, 1.5);
        check_walk(&pit, &stacked, (hero, position(0.75, 1.5)), 5.0, (stops, "fr"));
    }
}

/// By a short distance in each tick, as a game walks.
#[test]
fn a_walker_keeps_to_flush_crates_from_tick_to_tick() {
    let pit = [".......", ".......", ".......", "##..###"];
    let canvas = Canvas::rows(&pit, "");
    let crates = [crate_at(2.5, HALF), crate_at(3.5, HALF)];
    for (hero, symmetry) in [Shape::aabb(0.25, 0.5), Shape::circle(0.5)]
        .into_iter()
        .flat_map(|hero| Symmetry::all().map(move |s| (hero, s)))
    {
        let drawn = Drawn::new(&canvas, &crates, symmetry);
        for (from, step) in [(0.75, 0.078125), (5.75, -0.078125)] {
            let (mut at, mut memory) = (symmetry.position(position(from, 1.5)), MoverCache::default());
            for tick in 1..=64 {
                let length = if symmetry.0.mirrored() { -step } else { step };
                let moved = drawn.mover().with_cache(&mut memory).walk(symmetry.shape(hero), at, length);
                at = moved.position;
                assert_eq!(at, symmetry.position(position(from + step * f64::from(tick), 1.5)), "{symmetry:?} {tick}");
                assert!(moved.touching.floor && moved.hits.is_empty() && moved.body_hits.is_empty());
            }
        }
    }
}

/// Next to the floor, slopes and crates.
#[test]
fn a_walker_goes_from_slopes_to_crates_and_back() {
    let hill = ["........", "........", "./\\...\\.", "#########"].map(|row| &row[..8]);
    // The slope ends at (3, 1). A crate with its top at y = 1.5 stands in the way at x = 2.25 to 3.25, with its left
    // half in the hill.
    let crates = [(Shape::aabb(0.5, 0.25), position(2.75, 1.25))];
    let hero = Shape::aabb(0.25, 0.5);
    let canvas = Canvas::rows(&hill, "");
    for symmetry in Symmetry::all() {
        let drawn = Drawn::new(&canvas, &crates, symmetry);
        // The box moves down from the top at (2, 2). Its lower left corner follows the slope until the underside is at
        // y = 1.5, with the corner at x = 2.5. From there the box moves horizontally to the end of the crate, and
        // straight on.
        let moved = drawn.walk(hero, position(2.25, 2.5), 0.25 + (0.5_f64).sqrt());
        let end = symmetry.inverse().position(moved.position).to_dvec2();
        assert!((end - DVec2::new(3.0, 2.0)).length() < 1e-8 && end.y == 2.0, "{symmetry:?} {end} {moved:?}");
        assert!(moved.touching.floor && moved.body_contacts.len() == 1 && moved.contacts().is_empty(), "{moved:?}");
        // The box moves back up: a quarter horizontally, and half a tile along the slope.
        let back = drawn.walk(hero, position(3.0, 2.0), -0.75);
        let end = symmetry.inverse().position(back.position).to_dvec2();
        let up = 0.5 * 0.5_f64.sqrt();
        assert!((end - DVec2::new(2.75 - up, 2.0 + up)).length() < 1e-8, "{symmetry:?} {end} {back:?}");
    }
}

#[test]
fn a_body_slides_over_a_round_top() {
    let nothing = ["....", "....", "....", "...."];
    let ball = [(Shape::circle(0.5), position(2.0, 1.0))];
    let canvas = Canvas::rows(&nothing, "");
    for symmetry in Symmetry::all() {
        let drawn = Drawn::new(&canvas, &ball, symmetry);
        // A ball on top of a ball moves straight on. A ball in front of it is stopped.
        let hero = Shape::circle(0.5);
        let moved = drawn.walk(hero, position(2.0, 2.0), 0.5);
        assert_eq!(symmetry.inverse().position(moved.position), position(2.5, 2.0));
        let floor = Canvas::rows(&["....", "....", "####"], "");
        let drawn = Drawn::new(&floor, &[(Shape::circle(0.5), position(2.5, 1.5))], symmetry);
        let moved = drawn.walk(hero, position(0.5, 1.5), 2.0);
        check_moved(&moved, symmetry, (position(1.5, 1.5), "fr"));
        assert_eq!(moved.body_hits.len(), 1);
        // A pebble that is hit where it is no steeper than a floor is not a wall.
        let drawn = Drawn::new(&floor, &[(Shape::circle(0.0625), position(2.5, 1.0625))], symmetry);
        let moved = drawn.walk(hero, position(0.5, 1.5), 3.0);
        let end = symmetry.inverse().position(moved.position).to_dvec2();
        // At the hit, the centres are 9/16 apart, of which 7/16 up. So the hero is sqrt(2) / 4 before the pebble. Of
        // the remaining motion, the part along the tangent is left.
        let (reach, apart) = (0.125_f64.sqrt(), 0.5625);
        let tangent = DVec2::new(0.4375, reach) / apart;
        let expected = DVec2::new(2.5 - reach, 1.5) + tangent * tangent.x * (1.0 + reach);
        assert!((end - expected).length() < 1e-8, "{symmetry:?} {end}");
    }
}

/// A body that the shape overlaps at the start lets it out, and stops it once it is out.
#[test]
fn an_overlapped_body_lets_the_shape_out() {
    let nothing = ["....", "....", "....", "...."];
    let crates = [crate_at(1.5, 1.5)];
    let block = Shape::aabb(0.25, 0.25);
    check_slide(&nothing, &crates, (block, position(1.75, 1.5)), way(1.5, 0.0), (position(3.25, 1.5), ""));
    check_slide(&nothing, &crates, (block, position(1.5, 1.5)), way(0.0, -1.0), (position(1.5, 0.5), ""));
    let mut obstacles = Obstacles::default();
    let own = obstacles.add_body(block, position(1.5, 1.5)).unwrap();
    let terrain = Terrain::bake(&map(&nothing));
    let mover = Mover::new(&terrain).with_obstacles(&obstacles);
    assert!(mover.overlaps(block, position(1.5, 1.5)) && !mover.overlaps(block, position(2.0, 1.5)));
    assert_eq!(mover.slide(block, position(1.5, 1.5), (1.0, 1.0)).position, position(2.5, 2.5));
    assert_eq!(obstacles.body(own), Some((block, position(1.5, 1.5))));
}

#[test]
fn a_shape_is_let_down_on_bodies() {
    let terrain = Terrain::bake(&map(&["....", "....", "....", "####"]));
    let mut obstacles = Obstacles::default();
    obstacles.add_body(Shape::aabb(0.5, 0.5), position(1.5, 1.5)).unwrap();
    obstacles.add_body(Shape::circle(0.25), position(3.5, 1.25)).unwrap();
    let mover = Mover::new(&terrain).with_obstacles(&obstacles);
    let hero = Shape::aabb(0.25, 0.5);
    assert_eq!(mover.stand_on_floor(hero, position(1.5, 3.3)), Some(position(1.5, 2.5)));
    assert_eq!(mover.stand_on_floor(hero, position(1.5, 1.7)), None, "it would overlap the crate");
    assert_eq!(mover.stand_on_floor(hero, position(2.5, 3.3)), Some(position(2.5, 1.5)));
    // The hero can stand on the ball straight above it. At the ball's steep side it cannot, because that is not a
    // floor.
    assert_eq!(mover.stand_on_floor(hero, position(3.5, 3.3)), Some(position(3.5, 2.0)));
    assert_eq!(mover.stand_on_floor(hero, position(3.02, 3.3)), None);
    let stands = mover.touching(hero, position(1.5, 2.5));
    assert!(stands.touching.floor && stands.body_contacts.len() == 1 && stands.contacts().is_empty());
}

/// Random scenes of tiles and bodies in the eight symmetries.
#[test]
fn mirrored_and_turned_scenes_move_alike() {
    let mut random = Random(0x0B5D);
    for _ in 0..often(60, 3000) {
        let rows = rows(&mut random, (8, 8));
        let canvas = Canvas::rows(&rows.iter().map(String::as_str).collect::<Vec<_>>(), "");
        let bodies: Vec<(Shape, Position)> =
            (0..8).map(|_| (shape(&mut random), point(&mut random, (0, 0), (8, 8)))).collect();
        let all: Vec<Drawn> = Symmetry::all().map(|symmetry| Drawn::new(&canvas, &bodies, symmetry)).collect();
        for _ in 0..12 {
            let (shape, from, way) = (shape(&mut random), point(&mut random, (0, 0), (8, 8)), motion(&mut random, 3));
            let ends = |drawn: &Drawn| {
                let back = drawn.symmetry.inverse();
                let slid = drawn.slide(shape, from, way);
                let walked = drawn.walk(shape, slid.position_in(back), tiles(way).x);
                let sides = |touching: Touching| {
                    let (l, r) = (touching.wall_left, touching.wall_right);
                    let (l, r) = if drawn.symmetry.0.mirrored() { (r, l) } else { (l, r) };
                    (touching.floor, l, r, touching.ceiling)
                };
                let hits = [&slid, &walked].map(|moved| moved.body_hits.len());
                let ends = [&slid, &walked].map(|moved| (moved.position_in(back), sides(moved.touching)));
                (ends, hits)
            };
            let first = ends(&all[0]);
            for drawn in &all[1..] {
                assert_eq!(ends(drawn), first, "{:?} {shape:?} {from:?} {way}", drawn.symmetry);
            }
        }
    }
}

trait PositionIn {
    fn position_in(&self, back: Symmetry) -> Position;
}

impl PositionIn for MoveResult<'_> {
    fn position_in(&self, back: Symmetry) -> Position {
        back.position(self.position)
    }
}

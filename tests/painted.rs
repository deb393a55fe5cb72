//! Bodies move alike on a map of closed solids and on the same map of open variants, which have only the visible sides.

use crate::prelude::*;

const SIZE: i32 = 12;

/// Content of a cell of the closed map.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Air,
    Block,
    /// A slope of 45 degrees, by clockwise quarter turns from the slope that rises to the right.
    Slope(u8),
}

/// Up, right, down, left: each a clockwise quarter turn after the one before.
const SIDES: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

struct Closed(Vec<Cell>);

impl Closed {
    fn at(&self, (x, y): (i32, i32)) -> Cell {
        let inside = (0..SIZE).contains(&x) && (0..SIZE).contains(&y);
        if inside { self.0[(y * SIZE + x) as usize] } else { Cell::Air }
    }

    /// Returns whether a whole side of a cell is solid.
    fn is_closed(&self, tile: (i32, i32), side: usize) -> bool {
        match self.at(tile) {
            Cell::Air => false,
            Cell::Block => true,
            // Without a turn, the right and the lower side are solid.
            Cell::Slope(turns) => [1, 2].contains(&((side + 4 - usize::from(turns)) % 4)),
        }
    }

    /// Returns whether the neighbour covers a side of a cell.
    fn is_covered(&self, (x, y): (i32, i32), side: usize) -> bool {
        let (dx, dy) = SIDES[side];
        self.is_closed((x + dx, y + dy), (side + 2) % 4)
    }

    /// Random blocks, then slopes at free corners of two solid sides. A block with all sides visible stays closed.
    fn random(random: &mut Random) -> Closed {
        let filled = random.range(0.2, 0.55);
        let border = random.below(2) == 0;
        let mut closed = Closed(vec![Cell::Air; (SIZE * SIZE) as usize]);
        for y in 0..SIZE {
            for x in 0..SIZE {
                let edge = x == 0 || y == 0 || x == SIZE - 1 || y == SIZE - 1;
                if (border && edge) || (!edge && random.range(0.0, 1.0) < filled) {
                    closed.0[(y * SIZE + x) as usize] = Cell::Block;
                }
            }
        }
        for y in 1..SIZE - 1 {
            for x in 1..SIZE - 1 {
                let turns = random.below(4) as u8;
                let legs = [1, 2].map(|side| (side + usize::from(turns)) % 4);
                let fits = legs.iter().all(|&leg| closed.is_covered((x, y), leg));
                if closed.at((x, y)) == Cell::Air && fits && random.below(3) == 0 {
                    closed.0[(y * SIZE + x) as usize] = Cell::Slope(turns);
                }
            }
        }
        closed
    }

    fn shown(&self, tile: (i32, i32)) -> Vec<usize> {
        (0..4).filter(|&side| !self.is_covered(tile, side)).collect()
    }

    fn map(&self, painted: bool) -> Map {
        let catalogue = Catalogue::builtin();
        let mut parts = MapParts::new(SIZE as u32, SIZE as u32);
        parts.kinds = TileKind::every_variant(&catalogue);
        for y in 0..SIZE {
            for x in 0..SIZE {
                let name = match self.at((x, y)) {
                    Cell::Air => continue,
                    Cell::Block if painted => match sides_shown(&self.shown((x, y))) {
                        Some(name) => name,
                        None => continue,
                    },
                    Cell::Block => "full_block".to_owned(),
                    Cell::Slope(turns) if painted => format!("one_way_slope_45 r{turns}"),
                    Cell::Slope(turns) => format!("slope_45 r{turns}"),
                };
                let variant = catalogue.find_variant(&name).expect("these variants exist");
                parts.layers[0].cells[(y * SIZE + x) as usize] = TileId(variant.0 + 1);
            }
        }
        Map::from_parts(parts).expect("it is a map")
    }
}

/// Returns the open variant with faces on these sides.
fn sides_shown(shown: &[usize]) -> Option<String> {
    Some(match *shown {
        [] => return None,
        [side] => format!("one_way r{side}"),
        [0, 2] => "one_way_pair".to_owned(),
        [1, 3] => "one_way_pair r1".to_owned(),
        // The corner's sides are the upper and the right one.
        [0, 3] => "one_way_corner r3".to_owned(),
        [side, _] => format!("one_way_corner r{side}"),
        // The missing side of the triple is the lower one.
        [_, _, _] => {
            let missing = (0..4).find(|side| !shown.contains(side))?;
            format!("one_way_triple r{}", (missing + 2) % 4)
        }
        _ => "full_block".to_owned(),
    })
}

#[derive(Debug)]
struct Plan {
    shape: Shape,
    start: Position,
    velocity: DVec2,
    response: Response,
    walks: bool,
}

/// Returns the path of a body and its contacts.
fn run(map: &Map, plan: &Plan) -> Vec<(Position, DVec2, Touching)> {
    let mut world = World::new(map.clone(), Settings::default());
    let mut body = Body::new(plan.shape).at(plan.start).velocity(plan.velocity).response(plan.response);
    if plan.walks {
        body = body.character(Character::default());
    }
    let body = world.spawn(body).unwrap();
    let mut way = Vec::new();
    for tick in 0..300 {
        if plan.walks {
            let walk = [127, -127, -127, 40, 0, 127][tick / 40 % 6];
            world.set_input(body, Input { walk, jump: tick % 30 < 4, ..Input::default() });
        }
        world.step();
        way.push((world[body].position(), world[body].velocity(), world[body].touching()));
    }
    way
}

#[test]
fn maps_painted_with_the_sides_that_show_move_bodies_like_closed_ones() {
    let mut random = Random(0x9A1D_7ED0);
    let (mut runs, mut met) = (0, 0);
    while runs < often(160, 20_000) {
        let closed = Closed::random(&mut random);
        let (solid, painted) = (closed.map(false), closed.map(true));
        let terrain = Terrain::bake(&solid);
        let aligned = random.below(2) == 0;
        let snap = |v: f64| if aligned { (v * 16.0).round() / 16.0 } else { v };
        let mut tries = 0;
        while tries < 4 {
            tries += 1;
            let (width, height) = (snap(random.range(0.07, 0.7)), snap(random.range(0.07, 0.7)));
            let shape = if random.below(2) == 0 { Shape::circle(width) } else { Shape::aabb(width, height) };
            let start = Position::new(snap(random.range(1.0, 11.0)), snap(random.range(1.0, 11.0))).unwrap();
            if Mover::new(&terrain).overlaps(shape, start) {
                continue;
            }
            let velocity = DVec2::new(random.range(-15.0, 15.0), random.range(-15.0, 15.0));
            let response = random.pick(&[Response::Bounce(0.0), Response::Bounce(0.9), Response::Slide]);
            let plan = Plan { shape, start, velocity, response, walks: random.below(4) == 0 };
            let (one, other) = (run(&solid, &plan), run(&painted, &plan));
            for (tick, (a, b)) in one.iter().zip(&other).enumerate() {
                assert_eq!(a.0.units(), b.0.units(), "run {runs} tick {tick} {plan:?}, {:?}", &one[tick.max(1) - 1]);
                assert_eq!((a.1, a.2), (b.1, b.2), "run {runs} tick {tick} {plan:?}");
            }
            met += one.iter().filter(|state| state.2 != Touching::default()).count();
            runs += 1;
        }
    }
    assert!(met > 10 * runs as usize, "the bodies meet things");
}

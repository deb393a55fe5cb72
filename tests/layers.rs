//! Several tile layers on one map: bodies collide with the union, without seams between layers.

use crate::scene::{I64Vec2, ONE, Random, often};
use crate::table::Way;
use crate::tunnelling::{Arena, SIZES, Verdict, attack, count, inhabit, motion, start, tuple};
use surefoot::catalogue::PatternKind;
use surefoot::map::{Border, Borders, MapParts, TileKind, TileLayer};
use surefoot::prelude::*;
use surefoot::{Input, Map, geometry::DVec2};
use surefoot_oracle::Time;

/// Half the width of a neighbourhood in tiles.
const HALF: i32 = 3;

/// The entries of all cells of a square neighbourhood, layer by layer.
type Cells = Vec<Vec<Option<VariantId>>>;

fn map(half: i32, layers: Vec<TileLayer>, beyond: Border) -> Map {
    let mut parts = MapParts::new(2 * half as u32, 2 * half as u32);
    parts.kinds = TileKind::every_variant(&parts.catalogue);
    let (origin, size) = ((-half, -half), parts.layers[0].size);
    parts.layers = layers.into_iter().map(|layer| TileLayer { origin, size, ..layer }).collect();
    parts.borders = Borders { left: beyond, right: beyond, bottom: beyond, top: beyond };
    Map::from_parts(parts).expect("the layers make a map")
}

fn layer(name: usize, cells: &[Option<VariantId>]) -> TileLayer {
    let entry = |cell: &Option<VariantId>| cell.map_or(TileId::EMPTY, |id| TileId(id.0 + 1));
    // `map` sets position and size.
    TileLayer { cells: cells.iter().map(entry).collect(), ..TileLayer::new(format!("layer {name}"), 1, 1) }
}

/// Random tiles in each layer. Tiles of different layers may share cells.
fn random(random: &mut Random, half: i32, layers: usize, from: &[VariantId]) -> Cells {
    let count = (4 * half * half) as usize;
    let filled = random.range(0.15, 0.75);
    let mut cells: Cells = vec![vec![None; count]; layers];
    for i in 0..count {
        let mut stack = Vec::new();
        for layer in &mut cells {
            let id = random.pick(from);
            stack.push(id);
            if random.range(0.0, 1.0) < filled && Catalogue::builtin().check_stack(&stack).is_ok() {
                layer[i] = Some(id);
            } else {
                stack.pop();
            }
        }
    }
    cells
}

fn arena(half: i32, cells: &Cells) -> Arena {
    let at = |i: usize| (i as i32 % (2 * half) - half, i as i32 / (2 * half) - half);
    let painted = cells.iter().flat_map(|layer| layer.iter().enumerate());
    let tiles = painted.filter_map(|(i, id)| id.map(|id| (at(i), id))).collect();
    let layers = cells.iter().enumerate().map(|(name, cells)| layer(name, cells)).collect();
    Arena::new(half, map(half, layers, Border::Open), tiles)
}

fn check(verdict: &Verdict) {
    println!("{} body-steps, {} moved, {} with hits", verdict.steps, verdict.moved, verdict.hits);
    assert!(verdict.faults.is_empty(), "{} faults:\n{}", verdict.faults.len(), verdict.faults.join("\n"));
    assert!(verdict.hits * 4 > verdict.steps, "the attack must meet something");
}

fn attacked(seed: u64, neighbourhoods: u32, from: &[VariantId]) {
    let mut random_numbers = Random(seed);
    let mut verdict = Verdict::default();
    for round in 0..neighbourhoods {
        let cells = random(&mut random_numbers, HALF, 2 + round as usize % 2, from);
        attack(&mut random_numbers, &arena(HALF, &cells), SIZES, 20, &mut verdict);
        if verdict.faults.len() > 20 {
            break;
        }
    }
    check(&verdict);
}

fn all() -> Vec<VariantId> {
    (0..96).map(VariantId).collect()
}

#[test]
fn nothing_enters_solids_of_several_layers() {
    let catalogue = Catalogue::builtin();
    let solids: Vec<_> = all().into_iter().filter(|&id| catalogue.variant(id).kind == PatternKind::Solid).collect();
    attacked(0x1A7E_0001, count(often(150, 400)), &solids);
}

#[test]
fn nothing_enters_or_crosses_tiles_of_several_layers() {
    attacked(0x1A7E_0002, count(often(150, 400)), &all());
}

#[test]
fn every_pair_that_may_share_a_cell_blocks_bodies() {
    let mut random_numbers = Random(0x1A7E_0003);
    let mut verdict = Verdict::default();
    let mut pairs: Vec<_> = (0..96).flat_map(|i| (0..i).map(move |j| [VariantId(i), VariantId(j)])).collect();
    pairs.retain(|pair| Catalogue::builtin().check_stack(pair).is_ok());
    assert_eq!(pairs.len(), 96 * 95 / 2 - 52);
    for pair in pairs {
        // Test the pair on its own, with nothing around it.
        if often(1, 20) > 1 || random_numbers.below(4) == 0 {
            let mut cells: Cells = vec![vec![None; 16]; 2];
            (cells[0][10], cells[1][10]) = (Some(pair[0]), Some(pair[1]));
            attack(&mut random_numbers, &arena(2, &cells), SIZES, often(3, 40), &mut verdict);
        }
    }
    println!("{} body-steps, {} moved, {} with hits", verdict.steps, verdict.moved, verdict.hits);
    assert!(verdict.faults.is_empty(), "{} faults:\n{}", verdict.faults.len(), verdict.faults.join("\n"));
    assert!(verdict.hits * 10 > verdict.steps, "the attack must meet something");
}

#[test]
fn characters_and_bodies_move_correctly_among_several_layers() {
    let mut random_numbers = Random(0x1A7E_0004);
    let mut verdict = Verdict::default();
    for round in 0..count(40) {
        let cells = random(&mut random_numbers, HALF, 2 + round as usize % 2, &all());
        inhabit(&mut random_numbers, &arena(HALF, &cells), 120, &mut verdict);
        if verdict.faults.len() > 20 {
            break;
        }
    }
    check(&verdict);
}

/// Casts boxes and circles along paths that the oracle knows. Returns how many hit something.
///
/// A motion along an axis must end where the oracle says, within two units. Any other motion is rounded to whole units
/// on the way. So a shape that passes a corner by less than a unit may be stopped by it; then a slightly larger shape
/// must hit something.
fn cast(random: &mut Random, arena: &Arena, tries: u32) -> u32 {
    const ROOM: i64 = 4;
    let terrain = Terrain::bake(&arena.map);
    let mover = Mover::new(&terrain);
    let mut met = 0;
    for _ in 0..tries {
        let aligned = random.below(2) == 0;
        let size = |random: &mut Random| {
            #[allow(
                clippy::disallowed_methods,
                reason = "sizes of all orders; the case follows from the size it comes to"
            )]
            let half = (SIZES.0 * (SIZES.1 / SIZES.0).powf(random.range(0.0, 1.0)) * ONE as f64) as i64;
            if aligned { ((half >> 28) + 1) << 28 } else { half }
        };
        let circle = random.below(2) == 0;
        let half = if circle { I64Vec2::splat(size(random)) } else { I64Vec2::new(size(random), size(random)) };
        let shape = if circle { Shape::circle_units(half.x) } else { Shape::aabb_units(half) };
        let at = start(random, arena.half, shape, aligned);
        if mover.overlaps(shape, at) {
            continue;
        }
        let mut motion = motion(random, arena.half, shape, at);
        let axis = random.below(3);
        if axis < 2 {
            motion *= [I64Vec2::X, I64Vec2::Y][axis as usize];
        }
        let straight = motion.min_element() == 0 || motion.max_element() == 0;
        let moved = mover.slide_units(shape, at, motion);
        let (from, way) = (tuple(at), (motion.x, motion.y));
        let how = format_args!("{shape:?} from {from:?} by {way:?}: {:?} {:?}", moved.hits, moved.path);
        let first = moved.path.first().map_or((0, 0), |first| (first.units().x - from.0, first.units().y - from.1));
        met += u32::from(!moved.hits.is_empty());
        if circle {
            let depth = |room| arena.scene.circle_path_depth(half.x + room, from, (from.0 + way.0, from.1 + way.1));
            assert!(depth(ROOM) > 0.0 || moved.hits.is_empty(), "{how}");
            assert!(depth(0) < 64.0 || !moved.hits.is_empty(), "{how}");
            continue;
        }
        let enters = |room| arena.scene.entry_time((half.x + room, half.y + room), from, way);
        let reach = i128::from(way.0.abs().max(way.1.abs()));
        let length = i128::from(first.0.abs().max(first.1.abs()));
        let until = |time: Option<Time>| time.map_or(reach, |time| reach * time.num / time.den);
        if straight && until(enters(0)) == 0 && reach > 0 {
            assert!(!moved.hits.is_empty(), "{how}");
        } else if straight {
            assert!((length - until(enters(0))).abs() <= 2, "{length} {:?} {how}", until(enters(0)));
        } else if !moved.hits.is_empty() {
            assert!(until(enters(ROOM)) <= length + 64 * ROOM as i128, "{how}");
        } else {
            assert!(enters(0).is_none() && moved.position == at + motion, "{how}");
        }
    }
    met
}

#[test]
fn shapes_stop_where_the_union_is_and_nowhere_else() {
    let catalogue = Catalogue::builtin();
    let solids: Vec<_> = all().into_iter().filter(|&id| catalogue.variant(id).kind == PatternKind::Solid).collect();
    let mut random_numbers = Random(0x1A7E_0005);
    let mut met = 0;
    for round in 0..count(often(150, 400)) {
        let cells = random(&mut random_numbers, HALF, 1 + round as usize % 3, &solids);
        met += cast(&mut random_numbers, &arena(HALF, &cells), 40);
    }
    assert!(met > 4 * count(often(150, 400)), "{met}");
}

/// Moves each cell of one layer to a layer of its own.
fn split(cells: &[Option<VariantId>], position: &[usize], layers: usize) -> Map {
    let mut all: Cells = vec![vec![None; cells.len()]; layers];
    for (i, id) in cells.iter().enumerate() {
        all[position[i] % layers][i] = *id;
    }
    map(HALF, all.iter().enumerate().map(|(name, cells)| layer(name, cells)).collect(), Border::Solid)
}

#[test]
fn a_map_split_over_layers_moves_bodies_to_the_same_bits() {
    let mut random_numbers = Random(0x1A7E_0006);
    let mut met = 0;
    for _ in 0..often(150, 6_000) {
        let cells = random(&mut random_numbers, HALF, 1, &all()).remove(0);
        let position: Vec<usize> = cells.iter().map(|_| random_numbers.below(3) as usize).collect();
        let half = (random_numbers.range(0.05, 0.6), random_numbers.range(0.05, 0.6));
        let shape = if random_numbers.below(2) == 0 { Shape::circle(half.0) } else { Shape::aabb(half.0, half.1) };
        let aligned = random_numbers.below(2) == 0;
        let at = start(&mut random_numbers, HALF, shape, aligned);
        let terrain = Terrain::bake(&split(&cells, &position, 3));
        if Mover::new(&terrain).overlaps(shape, at) {
            continue;
        }
        let velocity = DVec2::new(random_numbers.range(-20.0, 20.0), random_numbers.range(-20.0, 20.0));
        let walks = random_numbers.below(2) == 0;
        let run = |way: &Way, layers: usize| {
            let mut world = way.world(split(&cells, &position, layers), Settings::default());
            let body = Body::new(shape).at(at).velocity(velocity);
            let body = if walks { body.character(Character::default()) } else { body.bounce(0.8) };
            let body = world.spawn(body).expect("it is in order");
            let moments = (0..90).map(|tick| {
                world.set_input(
                    body,
                    Input { walk: [127, -127, 60][tick / 30], jump: tick % 20 < 3, ..Input::default() },
                );
                world.step();
                (world[body].position(), world[body].velocity(), world.contacts(body).len(), world.comparable_events())
            });
            moments.collect::<Vec<_>>()
        };
        let one = run(&Way::turned(0), 1);
        met += one.iter().filter(|moment| moment.2 > 0).count();
        for turned in 0..8 {
            for (tick, (found, expected)) in run(&Way::turned(turned), 3).iter().zip(&one).enumerate() {
                assert_eq!(found, expected, "{shape:?} at {at:?}, {turned}, tick {tick}");
            }
        }
    }
    assert!(met > 600, "{met}");
}

/// Under the top right corner of the first cell, two edges form a pocket of air that closes at the corner. They face
/// each other, and one of them also faces up. A body that slides on the floor above the pocket is not in it.
#[test]
fn a_box_slides_over_the_corner_at_which_a_pocket_closes() {
    let catalogue = Catalogue::builtin();
    let named = |name: &str| Some(catalogue.find_variant(name).expect("a variant"));
    let cells = |first, second| {
        let mut cells = vec![None; 4 * (HALF * HALF) as usize];
        let at = (HALF * 2 * HALF + HALF) as usize;
        (cells[at], cells[at + 1]) = (first, second);
        cells
    };
    let shape = Shape::aabb(0.25, 0.1875);
    let at = |x| Position::new(x, 1.1875).expect("a place");
    for (roof, side) in [
        ("slope_45 r2", "quarter_pipe r3"),
        ("half_slope_low r2", "diagonal_wall"),
        ("half_slope_low r2", "one_way_slope_45"),
    ] {
        let floor = layer(0, &cells(named(roof), named("full_block")));
        let layers = vec![floor, layer(1, &cells(named(side), None))];
        let terrain = Terrain::bake(&map(HALF, layers, Border::Open));
        let mover = Mover::new(&terrain);
        for (from, to) in [(0.5, 1.5), (1.5, 0.5)] {
            let moved = mover.slide(shape, at(from), (to - from, 0.0));
            assert_eq!(moved.position, at(to), "{side}: {:?}", moved.hits);
        }
        // Exactly at the corner, the shape touches only the floor, and walks on.
        let stands = mover.touching(shape, at(0.75));
        assert!(stands.touching.floor && !stands.touching.wall_right, "{side}: {:?}", stands.touching);
        assert!(stands.contacts().iter().all(|contact| contact.layer == 0), "{side}");
        assert_eq!(mover.walk(shape, at(0.75), 0.5).position, at(1.25), "{side}");
    }
}

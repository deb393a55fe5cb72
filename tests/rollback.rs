//! Late inputs that correct earlier guesses lead to the same world as inputs that were known in time.

use crate::bodies::{ball_at, crate_at, falling, hero_at};
use crate::prelude::*;

/// Number of ticks that the rollback keeps.
const KEPT: usize = 8;
/// Number of ticks in a run.
const TICKS: usize = 300;
/// Largest number of balls in a world.
const BALLS: usize = 5;

/// The input of a player in a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Pad {
    held: Input,
    dig: bool,
    throw: bool,
}

type Pads = [Pad; 2];

/// A world of two players who build and throw balls.
struct Arena {
    world: World,
    players: [BodyId; 2],
}

impl Arena {
    fn new() -> Arena {
        let mut world = World::new(map(&YARD), Settings::default());
        let shapes = [(Shape::circle(0.35), 2.0), (Shape::aabb(0.35, 0.45), 9.0)];
        let players = shapes.map(|(shape, x)| {
            world.spawn(Body::new(shape).at((x, 4.5)).character(Character::default())).expect("a body in order")
        });
        Arena { world, players }
    }
}

/// The game's tick function. It reads only the world, the inputs, and the ids of the players.
fn game(players: [BodyId; 2]) -> impl Fn(&mut World, &Pads) + Copy {
    move |world, pads| {
        let block = world.map().find_tile('#').expect("the built-in legend has blocks");
        for (player, pad) in players.into_iter().zip(pads) {
            world.set_input(player, pad.held);
            let (x, y) = world[player].position().cell();
            if pad.dig {
                // The command is rejected at the border of the map, in the same way in every replay of the tick.
                let ahead = (x + 2 * i32::from(pad.held.walk.signum()), y);
                let there = world.tile_at(0, ahead);
                let _ = world.set_tile(0, ahead, if there == Some(TileId::EMPTY) { block } else { TileId::EMPTY });
            }
            if pad.throw {
                let speed = 0.1 * f64::from(pad.held.walk);
                let ball =
                    Body::new(Shape::circle(0.2)).at(world[player].position()).velocity((speed, 9.0)).bounce(0.8);
                world.spawn(ball).expect("a body in order");
            }
        }
        let ball = world.bodies().map(|(id, _)| id).find(|id| !players.contains(id));
        if let Some(ball) = ball.filter(|_| world.bodies().count() > players.len() + BALLS) {
            world.despawn(ball).expect("it is there");
        }
    }
}

/// The inputs of two players, who hold buttons for a while.
fn script(random: &mut Random) -> Vec<Pads> {
    let mut pads = Pads::default();
    let mut script = Vec::new();
    for _ in 0..TICKS {
        for pad in &mut pads {
            if random.below(6) == 0 {
                let walk = random.pick(&[-127, -127, 0, 60, 127]);
                pad.held = Input { walk, jump: random.below(3) == 0, ..Input::default() };
            }
            (pad.dig, pad.throw) = (random.below(12) == 0, random.below(15) == 0);
        }
        script.push(pads);
    }
    script
}

/// Returns the checksums before each tick and at the end of a run with all inputs known, without saves.
fn checksums_with_known_inputs(script: &[Pads]) -> Vec<Checksum> {
    let Arena { mut world, players } = Arena::new();
    let mut sums = Vec::new();
    for pads in script {
        sums.push(world.checksum());
        game(players)(&mut world, pads);
        world.step();
    }
    sums.push(world.checksum());
    sums
}

/// Runs with each input of the second player late by some ticks, and guessed until then. Returns the checksums, the
/// number of ticks played again, and the number of changed checksums.
fn checksums_with_late_inputs(script: &[Pads], late: &[usize]) -> (Vec<Checksum>, usize, usize) {
    let Arena { mut world, players } = Arena::new();
    let (mut rollback, mut heard) = (Rollback::new(KEPT), Vec::<usize>::new());
    let (mut sums, mut again, mut changed) = (vec![None; script.len() + 1], 0, 0);
    let mut noted = |world: &mut World, pads: &Pads| {
        let sum = Some(world.checksum());
        let before = std::mem::replace(&mut sums[world.tick() as usize], sum);
        changed += usize::from(before.is_some_and(|_| before != sum));
        game(players)(world, pads);
    };
    for now in 0..script.len() + KEPT {
        for tick in (0..script.len().min(now)).filter(|&tick| tick + late[tick] == now) {
            let mut pads: Pads = *rollback.input(tick as u64).expect("it is kept");
            pads[1] = script[tick][1];
            again += rollback.correct(&mut world, tick as u64, pads, &mut noted).expect("it is not too old");
            heard.push(tick);
        }
        let Some(&(mut pads)) = script.get(now) else { continue };
        if late[now] == 0 {
            heard.push(now);
        } else {
            pads[1] = heard.iter().max().map_or(Pad::default(), |&last| script[last][1]);
        }
        rollback.advance(&mut world, pads, &mut noted);
    }
    let last = world.checksum();
    let known = sums.into_iter().map(|sum| sum.unwrap_or(last));
    (known.collect(), again, changed)
}

#[test]
fn inputs_that_came_late_end_in_the_same_world() {
    for seed in 1..=u64::from(often(10, 500)) {
        let mut random = Random(seed * 0x9E37_79B9);
        let script = script(&mut random);
        let late: Vec<usize> = (0..TICKS).map(|_| random.below(KEPT as u64 + 1) as usize).collect();
        let (sums, again, changed) = checksums_with_late_inputs(&script, &late);
        let known = checksums_with_known_inputs(&script);
        let differs = (0..=TICKS).find(|&tick| sums[tick] != known[tick]);
        assert_eq!(differs, None, "seed {seed}: the world before this tick");
        // Enough guesses must be wrong for the test to mean something.
        assert!(again > TICKS && changed > TICKS / 2, "seed {seed}: {again} played again, {changed} changed");
    }
}

#[test]
fn inputs_as_late_as_allowed_give_the_same_world_and_later_ones_are_refused() {
    let script = script(&mut Random(77));
    assert_eq!(checksums_with_late_inputs(&script, &[KEPT; TICKS]).0, checksums_with_known_inputs(&script));

    let Arena { mut world, players } = Arena::new();
    let mut rollback = Rollback::new(KEPT);
    for pads in &script[..=KEPT] {
        rollback.advance(&mut world, *pads, game(players));
    }
    let before = world.checksum();
    let refused = rollback.correct(&mut world, 0, Pads::default(), game(players));
    assert_eq!(refused, Err(RollbackError::TooOld { tick: 0, oldest: 1 }));
    assert_eq!(rollback.rewind_to(&mut world, 0), Err(RollbackError::TooOld { tick: 0, oldest: 1 }));
    assert_eq!((world.checksum(), rollback.ticks()), (before, 1..1 + KEPT as u64));
}

#[test]
fn a_rewound_world_continues_as_before() {
    let script = script(&mut Random(5));
    let known = checksums_with_known_inputs(&script);
    let Arena { mut world, players } = Arena::new();
    let (mut rollback, mut random) = (Rollback::new(KEPT), Random(99));
    let mut rewound = 0;
    while world.tick() < TICKS as u64 {
        let now = world.tick();
        rollback.advance(&mut world, script[now as usize], game(players));
        if random.below(5) == 0 && rewound < TICKS as u64 {
            let kept = rollback.ticks();
            let to = kept.start + random.below(kept.end - kept.start);
            rewound += kept.end - to;
            rollback.rewind_to(&mut world, to).expect("it is kept");
        }
        assert_eq!(world.checksum(), known[world.tick() as usize], "tick {}", world.tick());
    }
    assert!(rewound >= TICKS as u64);
}

#[test]
fn a_rollback_allocates_nothing_in_the_steady_state() {
    let Arena { mut world, players } = Arena::new();
    for i in 0..30 {
        let ball = Body::new(Shape::circle(0.2)).at((1.5 + 0.55 * f64::from(i), 4.6)).velocity((5.0, 2.0)).bounce(0.9);
        world.spawn(ball).expect("a body in order");
    }
    let game = |world: &mut World, inputs: &[Input; 2]| {
        players.into_iter().zip(inputs).for_each(|(player, &input)| world.set_input(player, input));
    };
    let mut rollback = Rollback::new(KEPT);
    let mut run = |world: &mut World, ticks: u64| {
        let mut again = 0;
        for _ in 0..ticks {
            let now = world.tick();
            let walk = if (now / 60).is_multiple_of(2) { 127 } else { -127 };
            let input = |jump| Input { walk, jump, ..Input::default() };
            rollback.advance(world, [input(now % 50 < 8), input(false)], game);
            let oldest = rollback.ticks().start;
            let late = [input(oldest % 50 < 8), input(oldest % 70 < 9)];
            again += rollback.correct(world, oldest, late, game).expect("it is kept");
            if now.is_multiple_of(100) {
                rollback.rewind_to(world, oldest + 1).expect("it is kept");
                // Play dropped ticks again, so that the rollback keeps as many ticks as it can.
                while rollback.ticks().end <= now {
                    rollback.advance(world, late, game);
                }
            }
        }
        again
    };
    run(&mut world, 2000);
    let mut again = 0;
    let counted = allocation_counter::measure(|| again = run(&mut world, 2000));
    assert!(again > 1000, "{again} ticks played again");
    assert_eq!(counted.count_total, 0, "{counted:?}");
}

/// The input of a player with platforms in a tick: drive the door to a height, spawn a lift next to the last one,
/// remove the oldest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Levers {
    door: Option<i16>,
    spawns: bool,
    removes: bool,
    walk: i8,
}

fn pull(world: &mut World, levers: &Levers) {
    let hero = world.bodies().next().map(|(id, _)| id).expect("the hero is the first body");
    world.set_input(hero, Input { walk: levers.walk, ..Input::default() });
    let door = world.find_platform("door").expect("the door stays");
    if let Some(height) = levers.door {
        world.drive_platform(door, (9.0, 1.0 + 0.1 * f64::from(height))).expect("a tile or two");
    }
    let lifts: Vec<_> = world.platforms().map(|(id, _)| id).filter(|id| *id != door).collect();
    if levers.spawns && lifts.len() < 4 {
        let points = vec![Position::ORIGIN, Position::new(0.0, 3.0).expect("in range")];
        let path = Path { points, timing: PathTiming::Speed(4.0), ..Path::default() };
        let lift = Platform::from_rows(world.map(), ["##"]).expect("rows in order").path(path);
        let x = 2.0 + 3.0 * lifts.len() as f64;
        let lift = lift.at((x, 0.5)).on_crush(OnCrush::PassThrough);
        world.spawn_platform(lift).expect("a platform in order");
    }
    if let Some(lift) = lifts.first().filter(|_| levers.removes) {
        world.despawn_platform(*lift).expect("it is there");
    }
}

/// Ticks by which inputs arrive late.
const LATE: u64 = 6;

/// Plays a script in one world in time, and in the other one late, guessed until then. After each correction, the world
/// equals the one in time. Returns in how many ticks the guess was wrong.
fn assert_late_inputs_lead_to_the_same<I: Clone + PartialEq>(
    known: &mut World,
    world: &mut World,
    script: &[I],
    guess: impl Fn(u64) -> I,
    game: impl Fn(&mut World, &I) + Copy,
) -> u32 {
    let (mut rollback, begun, mut sums, mut differed) = (Rollback::new(KEPT), known.tick(), Vec::new(), 0);
    for now in 0..script.len() as u64 + LATE {
        if let Some(input) = script.get(now as usize) {
            game(known, input);
            known.step();
            sums.push(known.checksum());
            rollback.advance(world, guess(now), game);
            differed += u32::from(world.checksum() != known.checksum());
        }
        if let Some(tick) = now.checked_sub(LATE) {
            rollback.correct(world, begun + tick, script[tick as usize].clone(), game).expect("it is kept");
            // Compare the world after that tick, if the rollback still has it.
            if let Some(after) = rollback.snapshot_before(begun + tick + 1) {
                let mut then = world.clone();
                then.restore(after).expect("a snapshot of this world");
                assert_eq!(then.checksum(), sums[tick as usize], "tick {tick}");
            }
        }
    }
    assert_eq!((world.checksum(), world.events()), (known.checksum(), known.events()));
    differed
}

fn engine_room() -> World {
    let mut world = World::new(map(&YARD), Settings::default());
    let door = Platform::from_rows(world.map(), ["|", "|"]).expect("rows in order").name("door");
    world.spawn_platform(door.at((9.0, 1.0))).expect("a platform in order");
    world.spawn(hero().at((5.0, 1.45))).expect("in order");
    for x in [3.0, 6.0, 12.0] {
        world.spawn(Body::new(Shape::circle(0.3)).at((x, 4.6)).bounce(0.4)).expect("in order");
    }
    world
}

/// Drives, spawns and removals of platforms arrive six ticks late, and lead to the same world as in time: motion, ids,
/// events.
#[test]
fn late_platform_commands_lead_to_the_same_world() {
    let mut random = Random(0x1EE5);
    let script: Vec<Levers> = (0..400)
        .map(|_| Levers {
            door: (random.below(3) == 0).then(|| random.below(20) as i16),
            spawns: random.below(20) == 0,
            removes: random.below(40) == 0,
            walk: random.pick(&[-127, 0, 127]),
        })
        .collect();
    let (mut known, mut world) = (engine_room(), engine_room());
    // No input is known in its tick, and the guesses are wrong.
    let guess = |now: u64| Levers { spawns: now % 13 == 5, removes: now % 11 == 3, ..Levers::default() };
    let differed = assert_late_inputs_lead_to_the_same(&mut known, &mut world, &script, guess, pull);
    let ids = |world: &World| world.platforms().map(|(id, state)| (id, state.position())).collect::<Vec<_>>();
    assert_eq!(ids(&world), ids(&known));
    assert!(differed > 300 && ids(&known).len() > 1, "{differed}");
}

/// 300 crates and balls in a heap between two walls, and a character next to them that can push many.
fn heap() -> (World, BodyId) {
    let (mut world, mut random) = (falling(&[-16, 15]), Random(0xBEEF));
    for row in 0..15 {
        for column in 0..20 {
            let (x, y) = (f64::from(column) * 1.125 - 8.0, f64::from(row) * 1.0625 + 0.5);
            let x = x + random.range(-0.0625, 0.0625);
            let body = if random.below(2) == 0 { crate_at(x, y) } else { ball_at(0.5, x, y).friction(0.4) };
            world.spawn(body).expect("a body in order");
        }
    }
    let strong = Character { max_push_mass: 60.0, ..Character::default() };
    let hero = world.spawn(hero_at(-13.0, 0.45).character(strong)).expect("a body in order");
    (0..150).for_each(|_| world.step());
    (world, hero)
}

/// The pusher's inputs arrive six ticks late. Until then, the guess is that it stands.
#[test]
fn a_late_push_into_a_heap_leads_to_the_same_world() {
    let (mut known, hero) = heap();
    let places = |world: &World| world.bodies().map(|(_, state)| state.position()).collect::<Vec<_>>();
    let at_first = places(&known);
    let mut random = Random(0x9A11);
    let mut held = Input { walk: 127, ..Input::default() };
    let script: Vec<Input> = (0..often(300, 2000))
        .map(|tick| {
            // First the hero runs into the heap.
            if tick > 40 && random.below(5) == 0 {
                held = Input { walk: random.pick(&[-127, 127, 127]), jump: random.below(3) == 0, ..Input::default() };
            }
            held
        })
        .collect();
    let game = |world: &mut World, input: &Input| world.set_input(hero, *input);
    let mut world = known.clone();
    let differed =
        assert_late_inputs_lead_to_the_same(&mut known, &mut world, &script, |_| Input::default(), game) as usize;
    assert_eq!(places(&world), places(&known));
    let moved = at_first.iter().zip(places(&known)).filter(|(before, after)| **before != *after).count();
    // All guesses were wrong, and affected the heap.
    assert!(differed >= script.len() - 1 && moved > 20, "{differed} {moved}");
}

/// Game state outside the world: the number of coins of each player, and when the last coin was taken.
#[derive(Clone, Debug, Default, PartialEq)]
struct Score {
    coins: [u32; 2],
    taken: Vec<u64>,
}

fn coin(at: (f64, f64)) -> Area {
    Area::new(AreaShape::aabb(0.25, 0.25).unwrap()).at(at)
}

/// A floor with coins above it, which are areas.
fn coins() -> (World, [BodyId; 2]) {
    let mut world = World::new(
        map(&["................", "................", "................", "================"]),
        Settings::default(),
    );
    for x in 0..16 {
        let at = (f64::from(x) + 0.25, if x % 2 == 0 { 1.25 } else { 2.75 });
        world.spawn_area(coin(at)).unwrap();
    }
    let hero = Body::new(Shape::circle(0.3)).character(Character::default());
    let heroes = [2.5, 12.5].map(|x| world.spawn(hero.clone().at((x, 1.3))).unwrap());
    (world, heroes)
}

/// The whole tick: inputs, step, and the coins in the area events.
fn collect(heroes: [BodyId; 2]) -> impl Fn(&mut World, &mut Score, &[Input; 2]) + Copy {
    move |world, score, held| {
        heroes.iter().zip(held).for_each(|(hero, held)| world.set_input(*hero, *held));
        world.step();
        for event in world.events().to_vec() {
            if let EventKind::AreaEntered { area } = event.kind {
                let player = heroes.iter().position(|hero| *hero == event.body).unwrap();
                score.coins[player] += 1;
                score.taken.push(world.tick());
                // A taken coin is replaced at once, at a position that depends on the scores.
                world.despawn_area(area).unwrap();
                let x = f64::from((score.coins[0] * 5 + score.coins[1] * 3) % 16) + 0.25;
                world.spawn_area(coin((x, 1.25))).unwrap();
            }
        }
    }
}

/// The second player's inputs arrive late, up to as many ticks as the rollback keeps. World and coins are as in a run
/// with known inputs, before each tick and at the end.
#[test]
fn game_state_outside_the_world_is_rolled_back_too() {
    let (mut wrong, mut most) = (0, 0);
    for seed in 1..=6 {
        let mut random = Random(seed);
        let mut held = [Input::default(); 2];
        let script: Vec<[Input; 2]> = (0..TICKS)
            .map(|_| {
                for held in &mut held {
                    if random.below(12) == 0 {
                        let walk = random.pick(&[-127, -127, 60, 127, 127]);
                        *held = Input { walk, jump: random.below(2) == 0, ..Input::default() };
                    }
                }
                held
            })
            .collect();
        let (mut world, heroes) = coins();
        let (mut score, mut known) = (Score::default(), Vec::new());
        for held in &script {
            known.push((world.checksum(), score.clone()));
            collect(heroes)(&mut world, &mut score, held);
        }
        known.push((world.checksum(), score));

        let (mut world, heroes) = coins();
        let (mut rollback, mut score) = (Rollback::new(KEPT), Score::default());
        for now in 0..TICKS {
            let away = Input { walk: -script[now][1].walk, jump: true, ..Input::default() };
            let guess = [script[now][0], away];
            rollback.advance_with(&mut world, &mut score, guess, collect(heroes));
            wrong += usize::from(score != known[now + 1].1);
            // Correct by all inputs that have arrived: usually none, until the rollback keeps no more ticks.
            if random.below(20) == 0 || now % KEPT == KEPT - 1 || now + 1 == TICKS {
                let first = rollback.ticks().start;
                let right = &script[first as usize..=now];
                rollback.correct_with(&mut world, &mut score, first, right, collect(heroes)).unwrap();
                assert_eq!(
                    (world.checksum(), &score),
                    (known[now + 1].0, &known[now + 1].1),
                    "seed {seed}, tick {now}"
                );
                for tick in rollback.ticks() {
                    assert_eq!(
                        rollback.game_state_before(tick),
                        Some(&known[tick as usize].1),
                        "seed {seed}, tick {tick}"
                    );
                }
            }
        }
        most = most.max(score.coins[1]);
        let first = rollback.ticks().start;
        rollback.rewind_with(&mut world, &mut score, first + 2).unwrap();
        assert_eq!((world.checksum(), score), known[first as usize + 2].clone());
        assert_eq!((rollback.ticks(), rollback.game_state_before(first + 2)), (first..first + 2, None));
    }
    assert!(wrong > 5 && most > 5, "guesses were wrong in {wrong} ticks, and {most} coins were taken");
}

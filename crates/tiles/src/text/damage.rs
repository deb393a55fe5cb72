//! Truncated and damaged files, for tests of parsers.

use crate::TextError;
use crate::testing::Random;
use std::fmt::{Debug, Display};

/// A map with every feature.
pub(crate) const MAP: &str = r##"#![enable(implicit_some)]
// A comment /* in a comment
Map(
    format: 1, /* and /* another */ one */
    tiles: [r#"@"é\."#, "c/-\"\\", r"é####"],
    legend: {'é': "slope_45 m r1", '"': (tile: "one_way", drop_through: true), 'c': (marker: "coin"), '\'': "stud"},
    only_this_legend: false,
    markers: {"door": [(-3, 7), (1, 9)]},
    platforms: [(name: "h\u{e9}", tiles: [r#"é"#], at: (1.5, -0.25), motion: Path(points: [(0, 0), Units(4294967297, -1)],
        speed: 2.5, repeat: Once, easing: Smooth, wait: 0.5, phase: 0.25), on_crush: PassThrough),
        Platform(layers: [(name: "a", tiles: ["#é"]), (name: "b", collides: false, origin: (-1, 2), tiles: [".."])]),
        (tiles: ["="], motion: Path(points: [(0, 0), (1, 0), (1, 1)], period: 9.5, repeat: Loop)), (tiles: ["_"], motion: Driven)],
    origin: (-3, 7),
    pixels_per_tile: 24,
    border: (left: Solid, top: Open),
    properties: {"music": "cave \u{1F3B5}", "gravity": 40.5, "list": [1, true, {"a": -2.5e-3}]},
)
"##;

/// A map with collision layers.
pub(crate) const LAYERS: &str = r##"// Ghosts pass the ledges, heroes land on them.
Map(
    format: 1,
    tiles: [r#"..~.."#, "#'###"],
    collision_layers: ["hero", "gho\u{73}t"], // A ghost is one of both at times.
    legend: {'~': (tile: "one_way", ignored_by: ["ghost", r"hero"]), '\'': (tile: "stud", material: (climbable: true))},
    properties: {"music": "the theme of the ghosts", "story": "A hero is afraid of them."},
)
"##;

/// A map with areas of all kinds.
pub(crate) const AREAS: &str = r##"// Areas tell which bodies come in and go out. Nothing of them stops a body; some change how it moves.
Map(
    format: 1,
    tiles: [r#"....."#, "====="],
    platforms: [(name: "hé", tiles: ["="]), (name: "floor", cells: '=', layer: "tiles", on_ride: Start)],
    areas: [(name: "a\u{e9}", tag: "b", shape: Obb(1, 2.5, (3, 4), (0.5, 0)), at: Units(1, -2), attached_to: "hé", priority: -1,
        effects: (gravity: (0, -1e1), gravity_scale: 0.5, drag: 1, buoyancy: 2, wind: (1, 0), speed_scale: 2, climbable: true, ground_wind: (1, 0), up: MinusY)),
        Area(shape: Polygon([(0, 0), (2, 0), (1, 1)])), (shape: Capsule((0, 0), (1, 0), 0.5), collision_mask: []),
        (shape: Triangle((0, 0), (1, 0), (0, 1))), (shape: Circle(1, (2, 3))), (shape: Aabb((0, 0), (1, 2)), at: (1, 1)),
        (shape: Boxes([((0, 0), (1, 2)), ((1, 0), (2.5, 1))]))],
    properties: {"music": "the theme of the water, which is calm", "story": "A hero who cannot swim goes through water all the same."},
)
"##;

/// A replay with every feature.
pub(crate) const REPLAY: &str = r##"// A comment /* in a comment
Replay(format: 1, physics: 1, map: Inline(Map(format: 1, tiles: [r#"@"é\."#, "é####"],
        collision_layers: ["hero", "ghost"], legend: {'é': "slope_45 m r1", '"': (tile: "one_way", drop_through: true)},
        platforms: [(name: "lift", tiles: ["é"], motion: Path(points: [(0, 0), (0, 1)], period: 2), paused: true)],
        areas: [(name: "pond", shape: Aabb(1, 1)), (name: "fan", shape: Circle(1), attached_to: "lift")])),
    settings: (tick: 0.01, gravity: (1.5, -30.25), up: PlusX, max_floor_slope: (2, 1)),
    bodies: [(name: "hé\"ro", shape: Aabb(0.35, 0.45), at: Marker("start"), character: (walk_speed: 7.1)),
        (name: "b", shape: Circle(0.1), at: At(4.1, 9.7), velocity: (0.1, -0.0), facing: Left, gravity_scale: 0.3,
            response: Bounce(0.6), friction: 0.2, rest_speed_threshold: 0.05, mass: 2.5, one_way: false, collision_layers: ["ghost"], collision_mask: All)],
    inputs: {"hé\"ro": [(ticks: 60, walk: -127), (ticks: 1, walk: 5, jump: true, down: true, up: true, dash: true)], "b": []},
    commands: [(tick: 1, do: SetTile((1, 0), "slope_45 r3")),
        (tick: 1, do: SetTiles((2, 1), (0, 0), ".", "tiles")), (tick: 1, do: SetVelocity("b", (1e-300, 2.0))),
        (tick: 2, do: Teleport("b", Units(1234567890123456789, -1))),
        (tick: 2, do: Grab("hé\"ro", "b")), (tick: 2, do: Carry("hé\"ro", "b", (0.5, -1.0))),
        (tick: 2, do: Release("b", (1.0, 2.0))),
        (tick: 2, do: SetCharacter("hé\"ro", (jump_height: 0.1, max_push_mass: 0.5, max_fall_speed: -0.0))), (tick: 3, do: Despawn("b")),
        (tick: 3, do: DrivePlatform("lift", At(0.5, -1.0))), (tick: 3, do: TeleportPlatform("lift", Units(1, 4294967296))),
        (tick: 3, do: PausePlatform("lift")), (tick: 3, do: DespawnArea("fan")), (tick: 4, do: DespawnPlatform("lift")),
        (tick: 4, do: MoveArea("pond", At(0.5, -1.0))),
        (tick: 4, do: SetCollisionLayers("hé\"ro", First)), (tick: 4, do: SetCollisionMask("hé\"ro", [])),
        (tick: 4, do: Spawn(Body(name: "c", shape: Circle(0.1), response: Pass)))],
    ticks: 100,
    checksums: [(tick: 50, state: "0123456789abcdef", motion: "fedcba9876543210",
        positions: {"hé\"ro": (-2305843009213693952, 7), "c": (0, -1)})])
"##;

/// Returns the number of damaged copies that a test reads: few by default, more with `SUREFOOT_RUNS`.
pub(crate) fn damaged_copy_count(everyday: usize, least: usize) -> usize {
    let runs: Option<usize> = std::env::var("SUREFOOT_RUNS").ok().and_then(|runs| runs.parse().ok());
    runs.map_or(everyday, |runs| runs.max(least))
}

/// Checks the parser with damaged copies of a file. The file must be readable. Each truncated copy must be refused with
/// a form error inside it. Each of `count` damaged copies must be readable and accepted by `reads`, or refused with a
/// message. At least one in twenty must be readable. Returns how many are.
pub(crate) fn check_damaged_copies<T: Debug, K: Display>(
    good: &str,
    count: usize,
    read: impl Fn(&str) -> Result<T, TextError<K>>,
    is_form: impl Fn(&K) -> bool,
    reads: impl Fn(T),
) -> usize {
    assert!(read(good).is_ok());
    for (text, lines) in truncated_copies(good) {
        let error = read(text).unwrap_err();
        assert!(is_form(&error.kind), "{error}");
        assert!((1..=lines).contains(&error.line), "{error}");
    }
    let (mut whole, mut bad) = (0, 0);
    for text in damaged_copies(good, count) {
        match read(&text) {
            Ok(value) => {
                whole += 1;
                reads(value);
            }
            Err(error) => {
                bad += 1;
                let lines = text.matches('\n').count() as u32 + 1;
                assert!(error.line <= lines && !error.kind.to_string().is_empty());
            }
        }
    }
    assert!(bad * 20 > count, "{whole} read, {bad} refused");
    whole
}

/// Returns each truncated copy of a file that lacks its last bracket, and the number of lines in it.
pub(crate) fn truncated_copies(good: &str) -> impl Iterator<Item = (&str, u32)> {
    let end = good.rfind(')').unwrap();
    let cuts = (0..=end).filter(|&cut| good.is_char_boundary(cut));
    cuts.map(|cut| (&good[..cut], good[..cut].matches('\n').count() as u32 + 1))
}

/// Returns `count` copies of a file with one to three damaged bytes each, always the same ones. Skips copies that are
/// not UTF-8.
pub(crate) fn damaged_copies(good: &str, count: usize) -> impl Iterator<Item = String> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut next = move |below: usize| random.index(below);
    let copies = (0..count).map(move |_| {
        let mut bytes = good.as_bytes().to_vec();
        for _ in 0..=next(3) {
            let at = next(bytes.len());
            // Half of the damage is a flipped bit, half another character of the file.
            bytes[at] = if next(2) == 0 { bytes[at] ^ (1 << next(8)) } else { bytes[next(bytes.len())] };
        }
        String::from_utf8(bytes)
    });
    copies.filter_map(Result::ok)
}

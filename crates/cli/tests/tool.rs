//! Tests `surefoot replay` and `surefoot trace` as a user runs them.

use crate::folder::{Folder, text};
use serde_json::{Value, json};
use std::process::{Command, Output, Stdio};

/// Returns a trace: a JSON object for each tick.
fn json_lines(done: &Output) -> Vec<Value> {
    text(&done.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

const DROP: &str = r#"Replay(format: 1, 
    map: Inline(Map(format: 1, tiles: ["...", "...", "==="])),
    bodies: [
        (name: "box", shape: Aabb(0.25, 0.25), at: At(1.5, 1.26)),
        (name: "ghost", shape: Circle(0.1), at: At(0.1, 0.2), velocity: (0.1, -0.0), gravity_scale: 0.0, response: Pass),
    ],
    ticks: 3,
)"#;

/// `DROP` with checksums, recorded by the library.
fn recorded() -> String {
    record_drop_replay(false)
}

fn record_drop_replay(positions: bool) -> String {
    use surefoot::World;
    use surefoot::prelude::*;
    use surefoot::record::RecordOptions;

    let replay = Replay::from_ron(DROP).expect("a replay");
    let mut world = World::new(replay.map().clone(), replay.settings());
    let mut recorder = Recorder::for_replay(
        &world,
        MapSource::Inline,
        RecordOptions { checksum_interval: 1, positions, ..RecordOptions::default() },
    )
    .unwrap();
    for (_, command) in replay.recording().commands() {
        if let Some(id) = world.apply(command.clone()).expect("a command") {
            recorder.name_body(id, replay.recording().name(id).expect("a name")).expect("a name of its own");
        }
    }
    for _ in 0..3 {
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    recorder.finish_replay(&world).expect("a recording").to_ron()
}

#[test]
fn each_replay_is_verified_and_gets_a_line() {
    let good = recorded();
    let second = good.rfind("state: \"").expect("checksums") + 8;
    let mut wrong = good.clone();
    wrong.replace_range(second..second + 16, "0123456789abcdef");
    let other_physics = good.replace("physics: 1", "physics: 2");
    let files = [
        ("good.ron", good.as_str()),
        ("wrong.ron", &wrong),
        ("drop.ron", DROP),
        ("bad.ron", "Replay(\n  map: Inline(Map(format: 1, tiles: [\"q\"])), ticks: 1)"),
        ("physics.ron", &other_physics),
    ];
    let folder = Folder::new("tool-replay").with_files(&files);
    let done = folder.tool(&["replay", "good.ron"]);
    assert!(done.status.success());
    let checksum = &good[second..second + 16];
    assert_eq!(text(&done.stdout), format!("good.ron: 3 ticks, checksum {checksum}, ok\n"));

    let done = folder.tool(&["replay", "wrong.ron", "bad.ron", "none.ron", "drop.ron", "physics.ron"]);
    assert_eq!(done.status.code(), Some(1));
    let lines: Vec<&str> = text(&done.stdout).lines().collect();
    let differs = format!("wrong.ron: the state differs after tick 3: checksum {checksum}, expected 0123456789abcdef");
    assert_eq!(lines[0], differs);
    assert_eq!(lines[1], format!("drop.ron: 3 ticks, checksum {checksum}, nothing to compare"));
    assert!(lines[2].ends_with("ok (motion only: recorded with physics version 2, this is version 1)"), "{}", lines[2]);
    let errors: Vec<&str> = text(&done.stderr).lines().collect();
    assert!(errors[0].starts_with("bad.ron:2:39: unknown symbol 'q'"), "{}", errors[0]);
    assert!(errors[1].starts_with("none.ron: "), "{}", errors[1]);
}

#[test]
fn a_changed_map_is_reported_and_refused_on_request() {
    let map = "Map(format: 1, tiles: [\"....\", \"@...\", \"====\"])";
    let replay = "Replay(map: File(\"a.ron\"), ticks: 30, map_checksum: \"0123456789abcdef\",
        bodies: [(name: \"hero\", shape: Circle(0.25), at: OnFloor(\"start\"), velocity: (1.0, 0.0))],
        checksums: [(tick: 30, state: \"0000000000000000\", motion: \"MOTION\")])";
    let folder = Folder::new("tool-changed")
        .with("a.ron", map)
        .with("a.replay.ron", replay.replace("MOTION", "0000000000000000"));
    let done = folder.tool(&["replay", "a.replay.ron"]);
    assert_eq!(done.status.code(), Some(1));
    let line = text(&done.stdout).to_owned();
    assert!(line.contains("the motion differs after tick 30") && line.contains("the map has changed since"), "{line}");
    let motion = &line[line.find("checksum ").expect("a checksum") + 9..][..16];
    std::fs::write(folder.0.join("a.replay.ron"), replay.replace("MOTION", motion)).expect("a temporary file");
    let done = folder.tool(&["replay", "a.replay.ron"]);
    assert_eq!(done.status.code(), Some(0));
    assert!(text(&done.stdout).ends_with("ok (motion only: the map has changed since the recording)\n"));
    let done = folder.tool(&["replay", "--same-map", "a.replay.ron"]);
    assert_eq!(done.status.code(), Some(1));
    let expected = "a.replay.ron: the map has changed since the recording; all bodies move as before\n";
    assert_eq!(text(&done.stdout), expected);
}

#[test]
fn unmet_expectations_are_reported() {
    let good = DROP.replacen("ticks: 3", "expect: [\"box landed 1\"], ticks: 60", 1);
    let bad = good.replacen("landed 1", "landed 2", 1);
    let folder = Folder::new("tool-expect").with("good.replay.ron", good).with("bad.replay.ron", bad);
    let done = folder.tool(&["replay", "good.replay.ron", "bad.replay.ron"]);
    assert_eq!(done.status.code(), Some(1));
    let lines: Vec<&str> = text(&done.stdout).lines().collect();
    assert!(lines[0].ends_with("nothing to compare"), "{lines:?}");
    assert_eq!(lines[1], "bad.replay.ron: expected `box landed 2`; found 1");
}

#[test]
fn a_run_on_a_changed_map_is_drawn_with_expected_positions() {
    let good = record_drop_replay(true);
    let changed = good.replacen("===", "...", 1);
    let folder = Folder::new("tool-astray").with("good.replay.ron", good).with("changed.replay.ron", changed);
    for (name, told) in [("good", ""), ("changed", "changed.replay.ron: after tick 2 the body \"box\" is at ")] {
        let done = folder.tool(&["draw", &format!("{name}.replay.ron"), "-o", &format!("{name}.svg")]);
        assert!(done.status.success() && text(&done.stderr).starts_with(told), "{}", text(&done.stderr));
        let picture = std::fs::read_to_string(folder.0.join(format!("{name}.svg"))).expect("a picture");
        assert_eq!(picture.contains("expected"), name == "changed");
    }
}

#[test]
fn the_first_diverged_body_is_named_after_the_difference() {
    let good = record_drop_replay(true);
    // Without the floor, the box keeps falling in the second tick. From y = 1.26 it falls 40 / 2 * (2 / 60)^2 tiles in
    // two ticks.
    let other_map = good.replacen("===", "...", 1);
    let state = good.find("state: \"").expect("checksums") + 8;
    let mut damaged = good.clone();
    damaged.replace_range(state..state + 16, "0123456789abcdef");
    let last = good.rfind("\"box\": (").expect("positions") + 8;
    let mut later = damaged.clone();
    later.replace_range(last..later.len(), &good[last..].replacen("6442450944, ", "6442450945, ", 1));
    let files = [("good.ron", &*good), ("map.ron", &other_map), ("damaged.ron", &damaged), ("later.ron", &later)];
    let folder = Folder::new("tool-elsewhere").with_files(&files);
    let done = folder.tool(&["replay", "good.ron", "map.ron", "damaged.ron", "later.ron"]);
    assert_eq!((done.status.code(), text(&done.stderr)), (Some(1), ""));
    let lines: Vec<&str> = text(&done.stdout).lines().collect();
    assert_eq!(lines.len(), 1 + 2 + 1 + 2, "{lines:?}");
    assert!(lines[0].ends_with(", ok"), "{}", lines[0]);
    // The states differ from tick 1 on, because they contain the tiles. The box is elsewhere only after tick 2.
    assert!(lines[1].starts_with("map.ron: the state differs after tick 1: "), "{}", lines[1]);
    assert!(lines[2].starts_with("map.ron: after tick 2 the body \"box\" is at (1.5, 1.23777777"), "{}", lines[2]);
    assert!(lines[2].ends_with("; expected (1.5, 1.25)"), "{}", lines[2]);
    assert!(lines[3].starts_with("damaged.ron: the state differs after tick 1: "), "{}", lines[3]);
    let found = "later.ron: after tick 3 the body \"box\" is at (1.5, 1.25); expected (1.5000000002, 1.25)";
    assert_eq!(lines[5], found);
}

#[test]
fn traces_read_back_to_the_same_bits() {
    let folder = Folder::new("tool-trace").with("drop.ron", DROP).with("bad.ron", "Replay(");
    let done = folder.tool(&["trace", "drop.ron"]);
    assert!(done.status.success());
    let ticks = json_lines(&done);
    assert_eq!(ticks.len(), 3);
    let mut player = surefoot::record::Playback::load(folder.0.join("drop.ron")).expect("a replay");
    for tick in &ticks {
        player.step().expect("a tick");
        assert_eq!(tick["tick"], player.world().tick());
        assert_eq!(tick["checksum"], player.checksum().to_string());
        for (body, (id, name)) in tick["bodies"].as_array().expect("bodies").iter().zip(player.names()) {
            assert_eq!(body["name"], name);
            let state = &player.world()[id];
            let integer = |field: &str, i: usize| body[field][i].as_i64().expect("an integer");
            let units = |i| (integer("tile", i) << 32) + integer("offset", i);
            assert_eq!((units(0), units(1)), state.position().units().into());
            let bits = |value: &Value| value.as_f64().expect("a number").to_bits();
            let (at, velocity) = (state.position().to_dvec2(), state.velocity());
            assert_eq!((bits(&body["x"]), bits(&body["y"])), (at.x.to_bits(), at.y.to_bits()));
            assert_eq!(
                (bits(&body["velocity"][0]), bits(&body["velocity"][1])),
                (velocity.x.to_bits(), velocity.y.to_bits())
            );
        }
    }
    // Under 40 tiles per second squared, falling the hundredth of a tile to the floor at y = 1 takes two ticks.
    let [first, second, third] = [0, 1, 2].map(|i| &ticks[i]["bodies"][0]);
    assert_eq!((&first["floor"], &second["floor"]), (&false.into(), &true.into()));
    let contact = json!([{ "normal": [0.0, 1.0], "tile": [1, 0], "layer": "tiles", "pattern": "one_way" }]);
    assert_eq!(third["contacts"], contact);
    assert_eq!(ticks[1]["events"][0]["kind"], "hit_tile");
    let landed = &ticks[1]["events"][1];
    // Without the floor, the box would fall at 40 * 2 / 60 tiles per second at the end of the second tick.
    assert_eq!((&landed["body"], &landed["kind"], &landed["tile"]), (&"box".into(), &"landed".into(), &json!([1, 0])));
    let speed = landed["speed"].as_f64().expect("a number");
    assert!((speed - 80.0 / 60.0).abs() < 1e-9, "{landed}");

    let done = folder.tool(&["trace", "bad.ron"]);
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stderr).starts_with("bad.ron:1:8: "), "{}", text(&done.stderr));
}

/// A box on plain ground next to ice, one on both, and one on a belt of a platform that can be climbed.
const SURFACES: &str = r##"Replay(format: 1,
    map: Inline(Map(
        format: 1,
        legend: {
            'i': (tile: "full_block", material: (friction: 0.1, traction: 0.25)),
            'b': (tile: "full_block", material: (bounce: 0.5)),
            '>': (tile: "full_block", material: (belt_velocity: -3.0, climbable: true)),
        },
        platforms: [(name: "cart", at: (5, 0), tiles: [">"])],
        tiles: ["......", "#ib..."],
    )),
    bodies: [
        (name: "plain", shape: Aabb(0.25, 0.25), at: At(0.5, 1.25)),
        (name: "between", shape: Aabb(0.25, 0.25), at: At(2.0, 1.25)),
        (name: "rider", shape: Aabb(0.25, 0.25), at: At(5.5, 1.25)),
    ],
    ticks: 1,
)"##;

#[test]
fn a_trace_lists_material_properties_that_are_not_default() {
    let done = Folder::new("tool-surfaces").with("a.ron", SURFACES).tool(&["trace", "a.ron"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let tick = &json_lines(&done)[0];
    let block = |x: i32, surface| {
        let (normal, tile) = ([0.0, 1.0], [x, 0]);
        let block = "full_block";
        json!({ "normal": normal, "tile": tile, "layer": "tiles", "pattern": block, "material": surface })
    };
    let [plain, between, rider] = [0, 1, 2].map(|i| &tick["bodies"][i]["contacts"]);
    let bare = json!([{ "normal": [0.0, 1.0], "tile": [0, 0], "layer": "tiles", "pattern": "full_block" }]);
    assert_eq!(*plain, bare);
    let ice = block(1, json!({ "friction": 0.1, "traction": 0.25 }));
    let rubber = block(2, json!({ "bounce": 0.5 }));
    assert_eq!(*between, json!([ice, rubber]));
    let mut belt = block(0, json!({ "belt_velocity": -3.0, "climbable": true }));
    belt["platform"] = "cart".into();
    assert_eq!(*rider, json!([belt]));

    let page = include_str!("../../../docs/formats/trace.md");
    for field in ["material", "friction", "traction", "bounce", "belt_velocity", "climbable", "platform"] {
        assert!(page.contains(&format!("`{field}`")), "{field} is not in docs/formats/trace.md");
    }
}

#[test]
fn a_trace_names_areas() {
    let run = concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/showcase/areas.replay.ron");
    let done = Folder::new("tool-areas").tool(&["trace", run]);
    let ticks = json_lines(&done);
    let told = |tick: usize| ticks[tick - 1]["events"].clone();
    let stone = |kind| json!([{ "body": "stone", "kind": kind, "area": "moon" }]);
    assert_eq!(told(1), stone("area_entered"));
    let all: Vec<_> = ticks.iter().flat_map(|tick| tick["events"].as_array().cloned().unwrap_or_default()).collect();
    let of_hero = |kind: &str| {
        let own = all.iter().filter(|event| event["body"] == "hero" && event["kind"] == kind);
        own.map(|event| event["area"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(of_hero("area_entered"), ["mud", "fan", "exit"]);
    assert_eq!(of_hero("area_exited"), ["mud", "fan"]);
}

#[test]
fn a_trace_names_colliding_bodies() {
    let run = concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/showcase/crates.replay.ron");
    let done = Folder::new("tool-crates").tool(&["trace", run]);
    let ticks = json_lines(&done);
    let told = |tick: usize, body: &str, kind: &str| {
        let events = ticks[tick - 1]["events"].as_array().cloned().unwrap_or_default();
        events.into_iter().find(|event| event["body"] == body && event["kind"] == kind).expect("an event")
    };
    let refused = json!({ "body": "pusher", "kind": "push_refused", "other": "a" });
    assert_eq!(told(42, "pusher", "push_refused"), refused);
    assert_eq!(told(121, "tower 4", "woke_up"), json!({ "body": "tower 4", "kind": "woke_up" }));
    // The box falls 1 tile under a gravity of 40, so its speed is sqrt(2 * 40 * 1).
    let hit = told(134, "tower 4", "hit_body");
    assert_eq!((&hit["other"], &hit["normal"]), (&"tower 2".into(), &json!([0.0, 1.0])));
    assert!((hit["speed"].as_f64().expect("a number") - 80.0_f64.sqrt()).abs() < 1e-6, "{hit}");
}

#[test]
fn every_field_of_a_trace_is_on_its_page() {
    let run = |name: &str| format!("{}/../../maps/{name}.replay.ron", env!("CARGO_MANIFEST_DIR"));
    let folder = Folder::new("tool-fields");
    let page = include_str!("../../../docs/formats/trace.md");
    let mut fields = std::collections::BTreeSet::new();
    let mut kinds = std::collections::BTreeSet::new();
    let traces = ["first_steps", "showcase/areas", "showcase/crates"].map(|name| folder.tool(&["trace", &run(name)]));
    for tick in traces.iter().flat_map(json_lines) {
        let mut open = vec![&tick];
        while let Some(value) = open.pop() {
            open.extend(value.as_array().into_iter().flatten());
            for (field, value) in value.as_object().into_iter().flatten() {
                fields.insert(field.clone());
                open.push(value);
                if field == "kind" || field == "side" {
                    kinds.extend(value.as_str().map(str::to_owned));
                }
            }
        }
    }
    assert!(fields.len() >= 19 && kinds.contains("hit_tile") && kinds.contains("floor"), "{fields:?} {kinds:?}");
    for name in fields.iter().chain(&kinds) {
        assert!(page.contains(&format!("`{name}`")), "{name} is not in docs/formats/trace.md");
    }
}

/// Names of the bodies in a line of a trace.
fn body_names(tick: &Value) -> Vec<&str> {
    tick["bodies"].as_array().expect("bodies").iter().map(|body| body["name"].as_str().expect("a name")).collect()
}

#[test]
fn the_tools_name_the_bodies_of_a_recorded_game() {
    let run = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/quarry/won.recording");
    let folder = Folder::new("tool-recording");
    let ticks = json_lines(&folder.tool(&["trace", run]));
    let mut names = body_names(&ticks[0]);
    names.sort_unstable();
    // The names end with the column and the row of the symbol in the level. The lowest row is 0.
    assert_eq!(names, ["crate 45,3", "hero 2,2", "walker 39,2"]);
    let of_hero = |kind: &str| {
        let all = ticks.iter().flat_map(|tick| tick["events"].as_array().expect("events"));
        all.filter(|event| event["kind"] == kind && event["body"] == "hero 2,2").cloned().collect::<Vec<_>>()
    };
    let froms: Vec<_> = of_hero("jumped").into_iter().map(|event| event["from"].clone()).collect();
    assert!(froms.contains(&"ground".into()) && froms.contains(&"wall".into()), "{froms:?}");
    assert!(of_hero("landed").iter().all(|event| event["speed"].as_f64().is_some_and(|speed| speed >= 0.0)));
    for arguments in [&["plot", run][..], &["plot", run, "--body", "hero 2,2"], &["draw", run]] {
        let done = folder.tool(&[arguments, &["-o", "a.svg"]].concat());
        assert!(done.status.success(), "{arguments:?}: {}", text(&done.stderr));
        assert!(String::from_utf8(folder.read("a.svg")).expect("text").contains("hero 2,2"), "{arguments:?}");
    }
    let done = folder.tool(&["plot", run, "--body", "hero", "-o", "b.svg"]);
    assert!(text(&done.stderr).contains("no body \"hero\"; expected one of `"), "{}", text(&done.stderr));
    assert!(text(&done.stderr).contains("`hero 2,2`"), "{}", text(&done.stderr));
}

/// A saved game is a run without ticks, and a game that was loaded from it is a run that begins with its tick.
#[test]
fn the_tools_read_saved_games_and_runs_that_begin_with_one() {
    use surefoot::prelude::*;
    use surefoot::record::{GameRun, GameRunOptions, Inputs, RecordOptions};
    use surefoot::{Map, World};
    let map = r#"Map(format: 1, legend: {'g': (body: (kind: "guard", shape: Aabb(0.4, 0.5), character: ()))},
        tiles: ["........", ".g......", "========"])"#;
    let folder = Folder::new("tool-saved").with("a.ron", map);
    let new_run = || -> GameRun<u32> {
        let rules = |world: &mut World, spawned: &mut u32, _: &Inputs| {
            if world.tick() == 25 {
                *spawned += 1;
                world.spawn(Body::new(Shape::circle(0.25)).at((4.5, 1.5))).expect("a body");
            }
            world.step();
        };
        let world = World::from_map(Map::load(folder.0.join("a.ron")).expect("a map"), Settings::default());
        let record = RecordOptions { map_file: Some("a.ron".to_owned()), ..RecordOptions::from(1) };
        let options = GameRunOptions { record, ..GameRunOptions::default() };
        GameRun::with_options(world, 0, rules, options).expect("a run")
    };
    let mut run = new_run();
    (0..20).for_each(|_| run.advance(&Inputs::default()).expect("a tick"));
    run.save_file(folder.0.join("a.save")).expect("a file");
    let mut run = new_run();
    run.load_file(folder.0.join("a.save")).expect("a saved game");
    (0..30).for_each(|_| run.advance(&Inputs::default()).expect("a tick"));
    run.record_to(folder.0.join("a.recording")).expect("a file");
    run.close_recording().expect("a file");

    assert!(json_lines(&folder.tool(&["trace", "a.save"])).is_empty(), "no tick");
    let ticks = json_lines(&folder.tool(&["trace", "a.recording"]));
    assert_eq!((ticks.len(), &ticks[0]["tick"]), (30, &21.into()));
    assert_eq!(body_names(&ticks[0]), ["guard 1,1"]);
    assert_eq!(body_names(&ticks[29]), ["guard 1,1", "body_2"]);
    for (file, body) in [("a.save", "guard 1,1"), ("a.recording", "body_2")] {
        for arguments in [&["plot", file, "--body", body][..], &["draw", file]] {
            let done = folder.tool(&[arguments, &["-o", "a.svg"]].concat());
            assert!(done.status.success(), "{arguments:?}: {}", text(&done.stderr));
        }
        let done = folder.tool(&["plot", file, "--body", body, "-o", "a.svg"]);
        assert!(done.status.success(), "{}", text(&done.stderr));
        assert!(String::from_utf8(folder.read("a.svg")).expect("text").contains(body), "{file}");
    }
    folder.expect_refusals(
        "draw",
        "b.svg",
        &[
            (
                &["a.recording", "--ticks", "1..5"],
                1,
                "a.recording: ticks 1..5 are out of range; expected ticks in 20..50",
            ),
            (
                &["a.recording", "--ticks", "30..60"],
                1,
                "a.recording: ticks 30..60 are out of range; expected ticks in 20..50",
            ),
            (&["a.recording", "--reach", "--body", "x"], 1, "a.recording: the replay has no character \"x\""),
        ],
    );
}

#[test]
fn a_closed_output_pipe_is_not_a_failure() {
    let folder = Folder::new("tool-pipe").with("long.ron", DROP.replace("ticks: 3", "ticks: 20000"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_surefoot"));
    command.args(["trace", "long.ron"]).current_dir(&folder.0).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the tool runs");
    drop(child.stdout.take());
    let done = child.wait_with_output().expect("the tool ends");
    assert_eq!((done.status.code(), text(&done.stderr)), (Some(0), ""));
}

#[test]
fn wrong_usage_has_its_own_exit_code() {
    let folder = Folder::new("tool-use");
    for arguments in [&["replay"][..], &["trace"], &["trace", "a", "b"], &["fly"], &[], &["replay", "--no-such"]] {
        assert_eq!(folder.tool(arguments).status.code(), Some(2), "{arguments:?}");
    }
    assert!(folder.tool(&["--help"]).status.success());
}

//! Tests pictures and lists of the tool.

use crate::folder::{Folder, text};
#[cfg(feature = "png")]
use std::path::Path;
#[cfg(feature = "png")]
use std::process::Command;

const MAP: &str = "Map(format: 1, tiles: [\"@..\", \"###\"])\n";

#[test]
fn tiles_end_in_the_totals() {
    let output = Folder::new("pictures-tiles").tool(&["tiles"]);
    assert!(output.status.success());
    let lines: Vec<_> = text(&output.stdout).lines().collect();
    assert_eq!(lines.len(), 33);
    assert_eq!(lines[32], "32 patterns, 96 variants");
    let words: Vec<_> = lines[7].split_whitespace().collect();
    assert_eq!(words[..6], ["7", "half_slope_low", "solid", "8", "r0,", "r1,"]);
    assert!(lines[7].contains("m, m r1, m r2, m r3"));
    let variants: usize =
        lines[..32].iter().map(|line| line.split_whitespace().nth(3).unwrap().parse::<usize>().unwrap()).sum();
    assert_eq!(variants, 96);
}

#[test]
fn the_sheet_is_written_in_both_forms() {
    let folder = Folder::new("pictures-sheet");
    assert!(folder.tool(&["tiles", "--svg", "a.svg"]).status.success());
    assert_eq!(text(&folder.read("a.svg")).matches("class=\"tile\"").count(), 96);
    let done = folder.tool(&["tiles", "--svg", "a.svg", "--png", "a.png"]);
    if cfg!(feature = "png") {
        assert!(done.status.success() && folder.read("a.png").starts_with(b"\x89PNG"));
    } else {
        assert_eq!(done.status.code(), Some(1));
        assert_eq!(
            text(&done.stderr),
            "a.png: this tool was built without PNG; build it with `--features png`, or draw an SVG\n"
        );
    }
    assert_eq!(folder.files(), if cfg!(feature = "png") { 2 } else { 1 });
}

#[cfg(feature = "png")]
#[test]
fn a_png_has_the_size_that_is_asked_for() {
    let folder = Folder::new("pictures-png").with("a.ron", MAP);
    assert!(folder.tool(&["draw", "a.ron", "-o", "a.PNG"]).status.success());
    // The picture has 3 x 2 tiles of 64 pixels, and half a tile of margin on each side.
    assert_eq!(folder.read("a.PNG")[16..24], [0, 0, 1, 0, 0, 0, 0, 192]);
    // Tiles of 20 pixels get a margin, tiles of 4 pixels do not. A region of a map gets a margin too.
    for (more, size) in [
        (&["--tile-pixels", "20"], [0, 0, 0, 80, 0, 0, 0, 60]),
        (&["--tile-pixels", "4"], [0, 0, 0, 12, 0, 0, 0, 8]),
        (&["--region", "1,0..2,0"], [0, 0, 0, 192, 0, 0, 0, 128]),
    ] {
        assert!(folder.tool(&[&["draw", "a.ron", "-o", "a.png"], &more[..]].concat()).status.success());
        assert_eq!(folder.read("a.png")[16..24], size, "{more:?}");
    }
}

#[test]
fn a_map_is_drawn_in_the_form_that_the_name_tells() {
    let folder = Folder::new("pictures-map").with("a.ron", MAP);
    assert!(folder.tool(&["draw", "a.ron", "-o", "a.svg"]).status.success());
    let svg = folder.read("a.svg");
    assert!(text(&svg).contains("class=\"normals\""));
}

#[test]
fn a_replay_shows_paths_and_contacts() {
    let replay = "Replay(map: File(\"a.ron\"), ticks: 90, bodies: [\
        (name: \"ball\", shape: Circle(0.25), at: Marker(\"start\"), velocity: (2.0, 0.0))])";
    let folder = Folder::new("pictures-replay").with("a.ron", MAP).with("a.replay.ron", replay);
    let output = folder.tool(&["draw", "a.replay.ron", "-o", "a.svg"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let svg = folder.read("a.svg");
    assert!(text(&svg).contains("<title>ball</title>"));
    assert!(text(&svg).contains("class=\"way\"") && text(&svg).contains("class=\"contacts\""));
}

/// Returns the path data of bodies in a drawing.
fn ways(svg: &[u8]) -> Vec<String> {
    let ways = text(svg).split("<g class=\"way\">").skip(1);
    ways.filter_map(|rest| Some(rest.split_once("d=\"")?.1.split_once('"')?.0.to_owned())).collect()
}

#[test]
fn a_part_of_a_map_and_a_part_of_a_run_are_drawn() {
    let replay = "Replay(map: File(\"a.ron\"), ticks: 90, bodies: [\
        (name: \"ball\", shape: Circle(0.25), at: Marker(\"start\"), velocity: (2.0, 0.0), gravity_scale: 0.0)])";
    let folder = Folder::new("pictures-part").with("a.ron", MAP).with("a.replay.ron", replay);
    let output = folder.tool(&["draw", "a.replay.ron", "--ticks", "31..60", "-o", "a.svg"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    // The ball moves 2 tiles per second for half a second, from x = 1.5 to x = 2.5. A tile has 32 pixels, and the
    // margin is half a tile.
    let spans = |name: &str| -> Vec<(String, String)> {
        let ends = |way: String| Some((way.split_once('H')?.0.to_owned(), way.rsplit_once('H')?.1.to_owned()));
        ways(&folder.read(name)).into_iter().filter_map(ends).collect()
    };
    assert_eq!(spans("a.svg"), [("M64 32".to_owned(), "96".to_owned())]);
    // Draw a region, and the path of the first 30 ticks.
    assert!(
        folder
            .tool(&["draw", "a.replay.ron", "--ticks", "0..30", "--region", "0,0..1,1", "-o", "b.svg"])
            .status
            .success()
    );
    assert_eq!(spans("b.svg"), [("M32 32".to_owned(), "64".to_owned())]);
    let wrong: [(&[&str], i32, &str); 7] = [
        (
            &["a.ron", "--region", "1,0..3,0"],
            1,
            "a.ron: a region from (1, 0) to (3, 0); expected tiles of the map, which",
        ),
        (
            &["a.ron", "--region", "2,0..1,0"],
            1,
            "a.ron: a region from (2, 0) to (1, 0); expected its lower left tile first",
        ),
        (
            &["a.ron", "--region", "2,0"],
            2,
            "error: invalid value '2,0' for '--region <X0,Y0..X1,Y1>': expected the lower",
        ),
        (
            &["a.ron", "--ticks", "1..2"],
            1,
            "a.ron: --ticks needs a replay or a recording; expected one instead of a map",
        ),
        (
            &["a.replay.ron", "--ticks", "1..91"],
            1,
            "a.replay.ron: ticks 1..91 are out of range; expected ticks up to 90, the length of the replay",
        ),
        (
            &["a.replay.ron", "--ticks", "9..1"],
            2,
            "error: invalid value '9..1' for '--ticks <A..B>': the last tick comes before the first one",
        ),
        (
            &["a.replay.ron", "--ticks", "9"],
            2,
            "error: invalid value '9' for '--ticks <A..B>': expected the first and the",
        ),
    ];
    folder.expect_refusals("draw", "c.svg", &wrong);
    assert_eq!(folder.files(), 4);
}

/// A ball that floats for a second. 60 ticks make 31 frames of 2 ticks; the last one stays for a second.
#[test]
fn a_replay_is_animated() {
    let replay = "Replay(map: File(\"a.ron\"), ticks: 60, bodies: [\
        (name: \"ball\", shape: Circle(0.25), at: Marker(\"start\"), velocity: (2.0, 0.0), gravity_scale: 0.0)])";
    let folder = Folder::new("pictures-animation").with("a.ron", MAP).with("a.replay.ron", replay);
    let draw = |file, more: &[&str]| folder.tool(&[&["draw", file, "-o", "a.gif"], more].concat());
    if !cfg!(feature = "png") {
        let words = "a.gif: this tool was built without GIF; build it with `--features png`, or draw an SVG\n";
        assert_eq!(text(&draw("a.replay.ron", &[]).stderr), words);
        return;
    }
    for (more, size, ticks) in [(&[][..], [128, 0, 96, 0], 60), (&["--ticks", "10..20"], [128, 0, 96, 0], 10)] {
        assert!(draw("a.replay.ron", more).status.success());
        let gif = folder.read("a.gif");
        // The picture has 3 x 2 tiles of 32 pixels, and half a tile of margin on each side.
        assert_eq!((&gif[..6], &gif[6..10]), (&b"GIF89a"[..], &size[..]));
        // Each frame begins with a graphic control block: length, flags, and the delay in hundredths of a second.
        let delays = gif.windows(8).filter(|w| w[..3] == [0x21, 0xf9, 4] && w[7] == 0);
        let delays: Vec<_> = delays.map(|w| u16::from_le_bytes([w[4], w[5]])).collect();
        assert_eq!(delays.len(), ticks / 2 + 1);
        assert_eq!(delays.iter().map(|&delay| usize::from(delay)).sum::<usize>(), (ticks * 100).div_ceil(60) + 100);
    }
    for (file, more, words) in [
        ("a.ron", &[][..], "a.ron: an animation needs a replay or a recording; expected one instead of a map\n"),
        (
            "a.replay.ron",
            &["--reach"],
            "a.gif: --reach cannot be animated; expected a file name that ends in .svg or .png\n",
        ),
    ] {
        assert_eq!(text(&draw(file, more).stderr), words);
    }
}

#[test]
fn a_catalogue_is_listed_and_drawn_or_its_errors_are() {
    let pattern = |points: &str| format!("(name: \"ramp\", kind: Solid, paths: [[{points}]]),\n");
    let catalogue = |patterns: String| format!("Catalogue(format: 1, patterns: [\n{patterns}])\n");
    let folder = Folder::new("pictures-own")
        .with("good.ron", catalogue(pattern("(0, 0), (16, 4), (16, 0)")))
        .with("bad.ron", catalogue(pattern("(0, 0), (16, 4), (16, 0), (0, 0)") + &pattern("(0, 0), (16, 0), (16, 4)")));
    let output = folder.tool(&["tiles", "--catalogue", "good.ron", "-o", "a.svg"]);
    let list = "  0  ramp  solid  8  r0, r1, r2, r3, m, m r1, m r2, m r3\n1 pattern, 8 variants\n";
    assert_eq!((text(&output.stdout), text(&output.stderr)), (list, ""));
    assert_eq!(text(&folder.read("a.svg")).matches("class=\"tile\"").count(), 8);

    let output = folder.tool(&["tiles", "--catalogue", "bad.ron", "-o", "b.svg"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), ""));
    let lines: Vec<&str> = text(&output.stderr).lines().collect();
    let repeats = "bad.ron:2:64: pattern `ramp`, path 1, point 4 repeats point 1; expected an outline without";
    assert!(lines[0].starts_with(repeats), "{}", lines[0]);
    assert!(lines.contains(&" 0  X---------------<---------------3"), "{lines:#?}");
    let positions: Vec<&str> = lines.iter().filter_map(|line| line.split_once(": pattern")).map(|(at, _)| at).collect();
    assert_eq!(positions, ["bad.ron:2:64", "bad.ron:3:8", "bad.ron:3:37"]);
    assert_eq!(lines.last(), Some(&"3 errors"));
    let output = folder.tool(&["tiles", "--catalogue", "none.ron"]);
    assert!(text(&output.stderr).ends_with("; expected a catalogue of tile patterns\n"), "{}", text(&output.stderr));
    assert_eq!(folder.files(), 3);
}

#[test]
fn no_bar_is_drawn_if_the_standard_error_is_not_a_terminal() {
    let replay = |ticks: u32| {
        format!(
            "Replay(map: File(\"a.ron\"), ticks: {ticks}, bodies: [\
            (name: \"ball\", shape: Circle(0.25), at: Marker(\"start\"))])"
        )
    };
    let folder = Folder::new("pictures-quiet").with("a.ron", MAP);
    // Measure a short replay first. Then play one that takes longer than the delay before the progress bar would be drawn.
    let mut ticks = 250_000;
    loop {
        std::fs::write(folder.0.join("a.replay.ron"), replay(ticks)).expect("a temporary file");
        let start = std::time::Instant::now();
        let output = folder.tool(&["replay", "a.replay.ron"]);
        assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
        let elapsed = start.elapsed().as_millis() as u32;
        if elapsed > 1200 {
            break;
        }
        ticks = ticks / elapsed.max(16) * 1600;
    }
}

/// A replay with a heavy character from the beginning and another character that appears later.
fn replay(map: &str) -> String {
    format!(
        "Replay(map: Inline({map}), ticks: 9, bodies: [
            (name: \"ball\", shape: Circle(0.25), at: At(0.5, 1.25)),
            (name: \"a\", shape: Aabb(0.35, 0.45), at: At(1.5, 1.45), character: (jump_height: 0.5)),
        ], commands: [
            (tick: 3, do: Spawn(Body(name: \"late\", shape: Circle(0.35), at: At(10.5, 1.35), character: ()))),
        ])"
    )
}

#[test]
fn the_reach_of_jumps_is_drawn_on_a_map() {
    // The gap between the two floors is 6 tiles wide. A default jump covers 6.4 tiles, plus 0.7 by the width of the
    // body.
    let air = ".".repeat(12);
    let gap =
        format!("Map(format: 1, tiles: [\"{air}\", \"{air}\", \"{air}\", \"{air}\", \"{air}\", \"###......###\"])");
    let folder = Folder::new("pictures-reach").with("a.ron", &gap).with("a.replay.ron", replay(&gap));
    // A jump that lands ends with the outline of the body, a box or a circle. Two of the four jumps leave the map
    // instead.
    let drawn_of = |file: &str, more: &[&str]| {
        let output = folder.tool(&[&["draw", file, "-o", "a.svg", "--no-normals"], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let svg = text(&folder.read("a.svg")).to_owned();
        let reach = svg.split("<g class=\"reach\">").skip(1).map(|rest| rest.split("</g>").next().unwrap_or(""));
        reach.map(|jump| (jump.contains("<rect"), jump.contains("<circle"))).collect::<Vec<_>>()
    };
    let drawn = |more: &[&str]| drawn_of("a.ron", more);
    assert!(drawn(&[]).is_empty());
    let lands = |jumps: Vec<(bool, bool)>| jumps.iter().filter(|(rect, circle)| *rect || *circle).count();
    let ends = drawn(&["--reach"]);
    assert_eq!((ends.len(), lands(ends)), (4, 2));
    // The jump of `heavy` covers 2.9 tiles, too few for the gap.
    assert_eq!(lands(drawn(&["--reach", "--character", "heavy"])), 0);
    assert!(drawn(&["--reach", "--shape", "circle:0.25"]).contains(&(false, true)));
    // The first character of the replay jumps only 0.5 tiles high. The character `late` jumps like the default.
    let of_replay = |more: &[&str]| lands(drawn_of("a.replay.ron", &[&["--reach"], more].concat()));
    assert_eq!(of_replay(&[]), 0);
    assert_eq!(of_replay(&["--body", "late"]), 2);
    assert_eq!(of_replay(&["--character", "default"]), 2);
    assert!(drawn_of("a.replay.ron", &["--reach", "--body", "late"]).contains(&(false, true)), "it is a circle");

    let wrong: [(&[&str], i32, &str); 8] = [
        (&["a.replay.ron", "--reach", "--body", "ball"], 1, "a.replay.ron: the replay has no character \"ball\"\n"),
        (
            &["a.replay.ron", "--reach", "--ticks", "1..2"],
            1,
            "a.replay.ron: --ticks cannot be used with --reach, which does not draw a run\n",
        ),
        (
            &["a.ron", "--reach", "--body", "a"],
            1,
            "a.ron: --body needs a replay, a recording or a saved game; expected one instead of a map",
        ),
        (&["a.ron", "--body", "a"], 2, "error: the following required arguments were not provided:\n  --reach"),
        (
            &["a.ron", "--character", "heavy"],
            2,
            "error: the following required arguments were not provided:\n  --reach",
        ),
        (
            &["a.ron", "--shape", "circle:0.25"],
            2,
            "error: the following required arguments were not provided:\n  --reach",
        ),
        (
            &["a.ron", "--reach", "--character", "hevy"],
            2,
            "error: invalid value 'hevy' for '--character <NAME>': expected default, precise, floaty, heavy or classic",
        ),
        (
            &["a.ron", "--reach", "--shape", "box:0"],
            2,
            "error: invalid value 'box:0' for '--shape <SHAPE>': expected box:",
        ),
    ];
    folder.expect_refusals("draw", "b.svg", &wrong);
    assert_eq!(folder.files(), 3);
}

/// Two characters and a box. The first character is the second body, and jumps 2 tiles under a gravity of 40.
const JUMPS: &str = "Replay(map: File(\"a.ron\"), ticks: 60, bodies: [\
    (name: \"box\", shape: Aabb(0.25, 0.25), at: At(2.5, 1.25)),\
    (name: \"hero\", shape: Aabb(0.25, 0.5), at: OnFloor(\"start\"), character: (jump_height: 2.0)),\
    (name: \"other\", shape: Aabb(0.25, 0.5), at: At(1.5, 1.5), character: ())],\
    inputs: {\"hero\": [(ticks: 9), (ticks: 30, jump: true)], \"other\": [(ticks: 19), (ticks: 5, jump: true)]})";

#[test]
fn the_curves_of_a_body_are_drawn() {
    let folder = Folder::new("pictures-plot").with("a.ron", MAP).with("a.replay.ron", JUMPS);
    let drawn = |more: &[&str]| {
        let output = folder.tool(&[&["plot", "a.replay.ron", "-o", "a.svg"], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&folder.read("a.svg")).to_owned()
    };
    let hero = drawn(&[]);
    assert!(hero.contains("<title>hero</title>") && hero.contains("<title>jump, tick 10</title>"));
    // The hero's height goes from 1 to 3. The box stays at 1.
    assert!(hero.contains("<title>1 to 3</title>") && hero.contains("<title>landed, tick "));
    assert!(drawn(&["--body", "other"]).contains("<title>jump, tick 20</title>"));
    let still = drawn(&["--body", "box"]);
    assert!(still.contains("<title>1 to 1</title>") && !still.contains("class=\"mark\""));
    let part = drawn(&["--ticks", "11..20"]);
    // The part has ten ticks, and the jump was in the tick before.
    let curve = part.split("<g class=\"height\">").nth(1).and_then(|rest| rest.split('"').nth(1)).expect("a curve");
    assert_eq!((curve.matches(char::is_alphabetic).count(), part.contains("class=\"mark\"")), (10, false), "{curve}");

    let wrong: [(&[&str], i32, &str); 6] = [
        (
            &["a.replay.ron", "--body", "hreo"],
            1,
            "a.replay.ron: the replay has no body \"hreo\"; expected one of `box`, `hero`, `other`\n",
        ),
        (
            &["a.replay.ron", "--ticks", "1..61"],
            1,
            "a.replay.ron: ticks 1..61 are out of range; expected ticks up to 60, the length of the replay\n",
        ),
        (&["a.replay.ron", "--ticks", "1"], 2, "error: invalid value '1' for '--ticks <A..B>'"),
        (&["a.ron"], 1, "a.ron:1:1: "),
        (&["none.replay.ron"], 1, "none.replay.ron: "),
        (&["ball.replay.ron"], 1, "ball.replay.ron: the replay has no character; expected --body with one of `ball`\n"),
    ];
    let ball = "Replay(map: File(\"a.ron\"), ticks: 9, bodies: [(name: \"ball\", shape: Circle(0.25), at: Marker(\"start\"))])";
    let folder =
        Folder::new("pictures-plot-wrong").with("a.ron", MAP).with("a.replay.ron", JUMPS).with("ball.replay.ron", ball);
    folder.expect_refusals("plot", "b.svg", &wrong);
    let output = folder.tool(&["plot", "a.replay.ron", "-o", "a.gif"]);
    assert!(text(&output.stderr).starts_with("a.gif: the picture format is unknown"), "{}", text(&output.stderr));
}

/// After a change of the drawing, look at these pictures and draw them again.
#[cfg(feature = "png")]
#[test]
fn the_shipped_pictures_are_what_the_tool_draws() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = Folder::new("pictures-shipped");
    let draw = |name: &str, options: &[&'static str]| {
        let mut call = vec!["draw".to_owned(), format!("maps/{name}.replay.ron")];
        call.extend(options.iter().map(|&option| option.to_owned()));
        (call, format!("maps/{name}.png"))
    };
    let mut pictures = vec![draw("first_steps", &[]), draw("highlands", &["--tile-pixels", "4"])];
    for name in [
        "platforms",
        "machines",
        "ledges",
        "belts",
        "ice",
        "crush",
        "lift",
        "ghosts",
        "driven",
        "areas",
        "crates",
        "balls",
        "porter",
        "feel",
        "ladder",
        "pool",
    ] {
        pictures.push(draw(&format!("showcase/{name}"), &[]));
    }
    for name in ["jump", "run", "help", "more", "hold", "swim", "told"] {
        pictures.push(draw(&format!("showcase/feel_{name}"), &["--no-normals", "--tile-pixels", "40"]));
    }
    for (call, picture) in [
        (&["draw", "maps/zoo.ron"][..], "maps/zoo.png"),
        (&["plot", "maps/showcase/feel_jump.replay.ron", "--body", "min_jump_height 1"], "maps/showcase/feel_tap.png"),
        (&["plot", "maps/showcase/feel_run.replay.ron", "--body", "ground_turning 22"], "maps/showcase/feel_turn.png"),
        (&["draw", "maps/first_steps.ron", "--reach", "--no-normals"], "maps/first_steps_reach.png"),
        (&["plot", "maps/showcase/feel.replay.ron", "--body", "climber"], "maps/showcase/feel_climber.png"),
        (&["draw", "maps/showcase/tour.replay.ron"], "maps/showcase/tour.gif"),
        (&["tiles"], "assets/tiles.png"),
        (&["tiles", "--catalogue", "assets/gentle.ron"], "assets/gentle.png"),
        (&["draw", "assets/art/cave.ron", "--art", "--tile-pixels", "24"], "docs/formats/art.png"),
        (
            &["draw", "assets/tiled/surefoot.tmx", "--no-normals", "--tile-pixels", "24"],
            "docs/guide/editors/sample.png",
        ),
    ] {
        pictures.push((call.iter().map(|&word| word.to_owned()).collect(), picture.to_owned()));
    }
    assert_eq!(pictures.len(), 35);
    for (call, picture) in &pictures {
        let drawn = folder.0.join("now").with_extension(Path::new(picture).extension().expect("a form of pictures"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_surefoot"));
        let output = command.args(call).arg("-o").arg(&drawn).current_dir(&root).output().expect("the tool runs");
        assert!(output.status.success(), "{picture}: {}", text(&output.stderr));
        let shipped = std::fs::read(root.join(picture)).expect("a shipped picture");
        assert!(
            folder.read(&drawn) == shipped,
            "{picture} is not what the tool draws now; look at the change and redraw it:\n\
             cargo run --release --features png -- {} -o {picture}",
            call.join(" ")
        );
    }
}

#[test]
fn mistakes_are_reported_and_nothing_is_written() {
    let folder = Folder::new("pictures-wrong").with("a.ron", MAP).with("bad.ron", "Map(format: 1,\n tiles: [\"q\"])");
    assert_eq!(folder.files(), 2);
    let format = "a.jpg: the picture format is unknown; expected a file name that ends in .svg or .png";
    for (map, output, words) in [
        ("a.ron", "a.jpg", format),
        ("bad.ron", "a.svg", "bad.ron:2:11: unknown symbol 'q'"),
        ("none.ron", "a.svg", "none.ron: "),
        ("a.ron", "no/such/folder/a.svg", "no/such/folder/a.svg: "),
    ] {
        folder.expect_refusals("draw", output, &[(&[map], 1, words)]);
    }
}

/// The pieces themselves have tests of the library.
#[test]
fn art_is_drawn_where_the_map_names_it() {
    let assets = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/art/cave.ron");
    let folder = Folder::new("pictures-art").with("a.ron", MAP).with("a.replay.ron", "");
    let done = folder.tool(&["draw", assets, "--art", "-o", "a.svg"]);
    let plain = folder.tool(&["draw", "a.ron", "--art", "-o", "b.svg"]);
    assert_eq!(plain.status.code(), Some(1));
    if cfg!(feature = "png") {
        assert!(done.status.success(), "{}", text(&done.stderr));
        // The SVG contains one picture of the tiles behind bodies, and one of the lift.
        assert_eq!(text(&folder.read("a.svg")).matches("<image ").count(), 2);
        assert_eq!(text(&plain.stderr), "a.ron: the map has no art; expected the property `art`\n");
    } else {
        assert!(text(&done.stderr).contains("built without pictures of tiles; build it with `--features png`"));
    }
    let replay = folder.tool(&["draw", "a.replay.ron", "--art", "-o", "b.svg"]);
    assert_eq!(text(&replay.stderr), "a.replay.ron: --art draws maps; expected a map instead of a replay\n");
}

//! Texts that are no replay: each must be refused at its place, and none may panic.

use super::ReplayErrorKind::{
    AbsentBody, Body, DuplicateBody, DuplicateInputs, DuplicatePosition, FloorLimit, Form, Format, MapPath,
    NamelessBody, NoCharacter, NoFloor, NoFolder, NoMarker, NotInLegend, Physics, RunTicks, Setting, TickOrder,
    TickOutside, Ticks, TileOutside, UnitsOutOfRange, UnknownBody, UnknownLayer, UnknownTile, Walk,
};
use super::*;
use crate::command::Command;
use crate::map::{MapErrorKind, MarkerError};
use crate::record::BodyPosition;
use crate::text::FormError;
use crate::text::damage::{cut, damaged};
use surefoot_geometry::Position;

/// Words with `<>` just before the place of the error, what kind of error, and words of its message.
type Case = (&'static str, fn(&ReplayErrorKind) -> bool, &'static str);

macro_rules! is {
    ($pattern:pat) => {
        |kind| matches!(kind, $pattern)
    };
}

/// Put after the map, which is `MAP` below; `ticks: 9` is added to those that have none.
#[rustfmt::skip]
const FIELDS: &[Case] = &[
    ("format: <>3", is!(Format { found: 3 }), "replay format 3, expected 2"),
    ("format: <>-1, layers: Maybe((((", is!(Format { found: -1 }), "expected 2"),
    ("physics: <>0", is!(Physics { found: 0 }), "expected 1 to 4294967295"),
    ("physics: <>4294967296", is!(Physics { .. }), "4294967296"),
    ("map_checksum: <>\"12\"", is!(ReplayErrorKind::Checksum(_)), "expected 16 hexadecimal digits"),
    ("source: <>\"seed\"", is!(ReplayErrorKind::Checksum(_)), "expected 16 hexadecimal digits"),
    ("ticks: <>-1", is!(Ticks { found: -1 }), "-1 ticks; expected 0 to 100000000"),
    ("ticks: <>100000001", is!(Ticks { .. }), "100000001"),
    ("ticks: <>1.5", is!(Form(FormError::Type { .. })), "expected an integer; found `1.5`"),
    ("<>tikcs: 1", is!(Form(FormError::UnknownField { .. })), "no field `tikcs` in `Replay`; expected one of `format`"),
    // Settings.
    ("settings: (tick: <>0.0)", is!(Setting(_)), "`tick` is 0; expected 0.000001 to 1"),
    ("settings: (gravity: (0.0, <>NaN))", is!(Setting(_)), "`gravity.y` is NaN"),
    ("settings: (gravity: (<>-inf, 0.0))", is!(Setting(_)), "`gravity.x` is -inf"),
    ("settings: (floor_limit: <>(1, 0))", is!(FloorLimit(_)), "run must not be 0"),
    ("settings: (up: <>Up)", is!(Form(FormError::UnknownName { .. })), "`PlusY`"),
    ("settings: (<>gravty: (0.0, 1.0))", is!(Form(_)), "`gravty`"),
    // Bodies.
    ("bodies: [(name: \"a\", shape: Circle(0.5)), (name: <>\"a\", shape: Circle(0.5))]",
        is!(DuplicateBody { .. }), "two bodies have the name \"a\""),
    ("bodies: [(name: <>\"\", shape: Circle(0.5))]", is!(NamelessBody), "empty name"),
    ("bodies: [(name: \"a\", shape: <>Circle(0.0))]", is!(Body { .. }), "body \"a\": a half size of 0 tiles"),
    ("bodies: [(name: \"a\", shape: <>Circle(NaN))]", is!(Body { .. }), "a half size of 0 tiles"),
    ("bodies: [(name: \"a\", shape: <>Circle(-0.45))]", is!(Body { .. }), "body \"a\": a half size of -0.45 tiles;"),
    ("bodies: [(name: \"a\", shape: <>Aabb(0.35))]", is!(Form(_)), "expected `Aabb` with a half width and a half height"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), at: <>At(0.35))]", is!(Form(_)), "expected `At` with an x and a y"),
    ("bodies: [(shape: <>Aabb(0.5, 65.0), name: \"a\")]", is!(Body { .. }), "65 tiles"),
    ("bodies: [(name: \"a\", shape: <>Sqare(0.5))]", is!(Form(_)), "unknown name `Sqare`; expected one of `Circle`, `Aabb`"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), at: <>At(inf, 0.0))]", is!(Body { .. }), "not finite"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), at: <>At(0, 1e9))]", is!(Body { .. }), "2^29"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), at: <>Units(0, 2305843009213693953))]", is!(UnitsOutOfRange { .. }), "2^61"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), at: <>Marker(\"strat\"))]", is!(NoMarker { .. }), "no marker \"strat\"; did you mean `start`?"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), at: <>OnFloor(\"goal\"))]", is!(NoFloor { .. }), "no floor below the marker \"goal\""),
    ("bodies: [(name: \"a\", shape: Circle(0.5), velocity: (1.0, <>2e9))]", is!(Body { .. }), "`velocity.y` is 2000000000"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), response: <>Bonce(0.5))]", is!(Form(_)), "did you mean `Bounce`?"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), response: <>Pass())]", is!(Form(FormError::Length { .. })), "`Pass` takes no values; expected no parentheses"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), response: Bounce(<>1.5))]", is!(Body { .. }), "`bounce` is 1.5; expected 0 to 1"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), friction: <>-1.0)]", is!(Body { .. }), "`friction` is -1"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), gravity_scale: <>NaN)]", is!(Body { .. }), "`gravity_scale` is NaN"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), rest_speed: <>inf)]", is!(Body { .. }), "`rest_speed` is inf"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: (fall_speed: <>-1.0))]", is!(Body { .. }), "character.fall_speed"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: (<>jump: 1.0))]", is!(Form(_)), "`jump` in `Character`"),
    ("bodies: [(name: \"a\"<>)]", is!(Form(_)), "`shape` is missing in `Body`"),
    // Inputs.
    ("inputs: {<>\"heor\": []}", is!(UnknownBody { .. }), "no body \"heor\" in the replay; there is none"),
    ("bodies: [(name: \"hero\", shape: Circle(0.5))], inputs: {<>\"heor\": []}", is!(UnknownBody { .. }), "did you mean `hero`?"),
    ("BODIES, inputs: {\"a\": [], <>\"a\": []}", is!(DuplicateInputs { .. }), "inputs of \"a\" are there twice"),
    ("BODIES, inputs: {\"a\": [(ticks: 1), (ticks: <>0)]}", is!(RunTicks { found: 0 }), "a run of 0 ticks; expected 1 to"),
    ("BODIES, inputs: {\"a\": [(ticks: 1, walk: <>128)]}", is!(Walk { found: 128 }), "walk is 128; expected -127 to 127"),
    ("BODIES, inputs: {\"a\": [(ticks: 1, walk: <>-128)]}", is!(Walk { found: -128 }), "walk is -128"),
    ("BODIES, inputs: {\"a\": [(walk: 1<>)]}", is!(Form(_)), "`ticks` is missing in `Run`"),
    ("BODIES, inputs: {\"a\": [(ticks: 1, <>jmup: true)]}", is!(Form(_)), "`jmup` in `Run`"),
    // Commands.
    ("commands: [(tick: 0, do: Remove(<>\"b\"))]", is!(UnknownBody { .. }), "no body \"b\""),
    ("BODIES, commands: [(tick: 0, do: Remove(\"a\")), (tick: 1, do: Remove(<>\"a\"))]",
        is!(AbsentBody { tick: 1, .. }), "\"a\" is not in the world at tick 1"),
    ("BODIES, commands: [(tick: 3, do: Remove(\"a\")), (tick: <>2, do: SetTile((0, 0), \"#\"))]",
        is!(TickOrder { found: 2, before: 3, least: 3 }), "tick 2 after tick 3"),
    ("commands: [(tick: <>9, do: SetTile((0, 0), \"#\"))]", is!(TickOutside { found: 9, most: 8, .. }), "expected 0 to 8"),
    ("commands: [(tick: <>-1, do: SetTile((0, 0), \"#\"))]", is!(TickOutside { found: -1, .. }), "tick -1"),
    ("commands: [(tick: 0, do: SetTile(<>(4, 0), \"#\"))]", is!(TileOutside { x: 4, y: 0, .. }), "(4, 0) is outside the map; expected x from 0 to 3 and y from 0 to 1"),
    ("commands: [(tick: 0, do: SetTile(<>(0, 4294967296), \"#\"))]", is!(TileOutside { .. }), "4294967296"),
    ("commands: [(tick: 0, do: SetTile((0, 0), <>\"@\"))]", is!(UnknownTile { .. }), "\"@\" is no character of the map's legend"),
    ("commands: [(tick: 0, do: SetTile((0, 0), <>\"legde\"))]", is!(UnknownTile { .. }), "no pattern is named `legde`; did you mean `ledge`?"),
    ("commands: [(tick: 0, do: SetTile((0, 0), <>\"ledge r1\"))]", is!(NotInLegend { .. }), "no character for \"ledge r1\""),
    ("commands: [(tick: 0, do: SetTiles(<>(4, 0), (0, 0), \"#\"))]", is!(TileOutside { x: 4, y: 0, .. }), "(4, 0) is outside the map"),
    ("commands: [(tick: 0, do: SetTiles((0, 0), <>(0, -1), \"#\"))]", is!(TileOutside { x: 0, y: -1, .. }), "(0, -1) is outside"),
    ("commands: [(tick: 0, do: SetTiles((0, 0), (1, 1), <>\"@\"))]", is!(UnknownTile { .. }), "\"@\" is no character"),
    ("commands: [(tick: 0, do: SetTiles((0, 0), (1, 1), \"#\", <>\"tlies\"))]",
        is!(UnknownLayer { .. }), "no layer \"tlies\"; did you mean `tiles`?"),
    ("commands: [(tick: 0, do: SetTile((0, 0), \"#\", <>\"\"))]", is!(UnknownLayer { .. }), "no layer \"\"; expected `tiles`"),
    ("commands: [(tick: 0, do: <>SetTile((0, 0)))]", is!(Form(_)), "expected `SetTile` with a tile's position and what"),
    ("commands: [(tick: 0, do: <>SetTiles((0, 0), \"#\"))]", is!(Form(_)), "`SetTiles` takes 4 values; found 2"),
    ("commands: [(tick: 0, do: <>SetTiles((0, 0), (1, 1)))]", is!(Form(_)), "expected `SetTiles` with two corners and what"),
    ("commands: [(tick: 0, do: <>Jump(\"a\"))]", is!(Form(_)), "`Spawn`"),
    ("BODIES, commands: [(tick: 0, do: SetVelocity(\"a\", (<>NaN, 0.0)))]", is!(Body { .. }), "`velocity.x` is NaN"),
    ("BODIES, commands: [(tick: 0, do: Teleport(\"a\", <>Marker(\"b\")))]", is!(NoMarker { .. }), "no marker \"b\"; expected one of `goal`, `start`"),
    ("BODIES, commands: [(tick: 0, do: SetCharacter(<>\"a\", ()))]", is!(NoCharacter { .. }), "\"a\" is no character; expected one that"),
    ("BODIES, commands: [(tick: 0, do: SetCharacter(<>\"b\", ()))]", is!(UnknownBody { .. }), "no body \"b\""),
    ("HERO, commands: [(tick: 0, do: Remove(\"h\")), (tick: 7, do: SetCharacter(<>\"h\", ()))]", is!(AbsentBody { tick: 7, .. }), "\"h\" is not in the world"),
    ("HERO, commands: [(tick: 0, do: <>SetCharacter(\"h\"))]", is!(Form(_)), "expected `SetCharacter` with a body's name and a character"),
    ("HERO, commands: [(tick: 0, do: SetCharacter(\"h\", (<>jump: 1.0)))]", is!(Form(_)), "`jump` in `Character`"),
    ("HERO, commands: [(tick: 0, do: SetCharacter(\"h\", (walk_speed: 2.0, fall_speed: <>-1.0)))]", is!(Body { .. }), "body \"h\": `character.fall_speed` is -1; expected 0 to"),
    ("HERO, commands: [(tick: 0, do: SetCharacter(\"h\", (walk_speed: <>NaN, fall_speed: inf)))]", is!(Body { .. }), "`character.walk_speed` is NaN"),
    ("BODIES, commands: [(tick: 0, do: Spawn(Body(name: <>\"a\", shape: Circle(1.0))))]", is!(DuplicateBody { .. }), "\"a\""),
    ("commands: [(tick: 0, do: Spawn(Body(name: \"a\", shape: Circle(1.0), at: <>Marker(\"x\"))))]", is!(NoMarker { .. }), "\"x\""),
    ("commands: [(tick: 4, do: Spawn(Body(name: \"a\", shape: Circle(1.0), response: Bounce(<>2.0))))]", is!(Body { .. }), "`bounce`"),
    // Checksums.
    ("checksums: [(tick: <>0, state: \"\", motion: \"\")]", is!(TickOutside { found: 0, least: 1, most: 9 }), "expected 1 to 9"),
    ("checksums: [(tick: <>10, state: \"\", motion: \"\")]", is!(TickOutside { .. }), "tick 10"),
    ("checksums: [SUMS, (tick: <>5, state: \"\", motion: \"\")]", is!(TickOrder { found: 5, before: 5, least: 6 }), "at least 6"),
    ("checksums: [(tick: 5, state: <>\"0123456789abcdeg\", motion: \"\")]", is!(ReplayErrorKind::Checksum(_)), "abcdeg"),
    ("checksums: [(tick: 5, state: \"0123456789abcdef\", motion: <>\"\")]", is!(ReplayErrorKind::Checksum(_)), "\"\" is no checksum"),
    ("checksums: [(tick: 5, state: <>12)]", is!(Form(_)), ""),
    // Places.
    ("checksums: [PLACES{<>\"a\": (0, 0)})]", is!(UnknownBody { .. }), "no body \"a\" in the replay; there is none"),
    ("BODIES, checksums: [PLACES{<>\"aa\": (0, 0)})]", is!(UnknownBody { .. }), "no body \"aa\""),
    ("BODIES, checksums: [PLACES{\"a\": (0, 0), <>\"a\": (0, 0)})]", is!(DuplicatePosition { .. }), "\"a\" has two positions; expected one"),
    ("BODIES, checksums: [PLACES{\"a\": <>(0, 2305843009213693953)})]", is!(UnitsOutOfRange { .. }), "2^61"),
    ("BODIES, checksums: [PLACES{\"a\": <>(-9223372036854775808, 0)})]", is!(UnitsOutOfRange { x: i64::MIN, y: 0 }), "2^61"),
    ("BODIES, checksums: [PLACES{\"a\": (<>9223372036854775808, 0)})]", is!(Form(_)), ""),
    ("BODIES, checksums: [PLACES{\"a\": (<>0.5, 0)})]", is!(Form(_)), ""),
    ("BODIES, checksums: [PLACES{\"a\": <>(0)})]", is!(Form(_)), ""),
    ("BODIES, checksums: [PLACES<>[(0, 0)])]", is!(Form(_)), ""),
    ("BODIES, commands: [(tick: 4, do: Remove(\"a\"))], checksums: [PLACES{<>\"a\": (0, 0)})]",
        is!(AbsentBody { tick: 5, .. }), "\"a\" is not in the world at tick 5; it is removed before"),
    ("commands: [(tick: 5, do: Spawn(Body(name: \"a\", shape: Circle(0.5))))], checksums: [PLACES{<>\"a\": (0, 0)})]",
        is!(AbsentBody { tick: 5, .. }), "or spawned later"),
];

const MAP: &str = "map: Inline(Map(format: 1, tiles: [\"*-@.\", \".###\"]))";

/// Whole texts.
#[rustfmt::skip]
const TEXTS: &[Case] = &[
    ("<>", is!(Form(FormError::EndsEarly { .. })), "the file ends here; expected opening `(`"),
    ("Replay(ticks: 1, bodies: [(name: \"a\"\n<>", is!(Form(FormError::EndsEarly { .. })), "the file ends here; expected `)` to close the `(` of line 1"),
    ("<>Map(format: 1, tiles: [\".\"])", is!(Form(FormError::Name { .. })), "this is a map; expected a replay"),
    ("Replay(ticks: 1<>)", is!(Form(_)), "`map` is missing in `Replay`"),
    ("Replay(map: <>Flie(\"a\"), ticks: 1)", is!(Form(_)), "unknown name `Flie`; did you mean `File`?"),
    ("Replay(map: File(<>\"a.ron\"), ticks: 1)", is!(NoFolder { .. }), "the map is the file \"a.ron\""),
    ("Replay(map: File(<>\"../a.ron\"), ticks: 1)", is!(MapPath { .. }), "expected one below the replay's folder"),
    ("Replay(map: File(<>\"/a.ron\"), ticks: 1)", is!(MapPath { .. }), "/a.ron"),
    ("Replay(map: File(<>\"\"), ticks: 1)", is!(MapPath { .. }), "\"\""),
    ("Replay(map: Inline(Map(format: <>2, tiles: [\".\"])), ticks: 1)",
        is!(ReplayErrorKind::Map(MapErrorKind::Format { found: 2 })), "map format 2, expected 1"),
    ("Replay(ticks: 1, map: Inline(Map(format: 1, tiles: [\n\"..\",\n\"<>q.\"])))",
        is!(ReplayErrorKind::Map(MapErrorKind::UnknownCharacter { character: 'q', row: 2, .. })), "unknown character 'q'"),
    ("Replay(ticks: 1, map: Inline(Map(format: 1, tiles: [\".\"], legend: {'x': (<>tlie: \"stud\")})))",
        is!(Form(_)), "`tlie` in `legend`"),
    ("Replay(ticks: 1, map: Inline(Map(format: 1, tiles: [\".\"], markers: {\"a\": [<>(1, 0)]})))",
        is!(ReplayErrorKind::Map(MapErrorKind::Marker(MarkerError::Outside { .. }))), "outside the map"),
    ("Replay(ticks: 1, map: Inline(Map(format: 1, tiles: [\".\"]))) <>Replay()", is!(Form(_)), "more after the end"),
];

fn check(marked: &str, is_kind: fn(&ReplayErrorKind) -> bool, words: &str) {
    let (before, after) = marked.split_once("<>").unwrap();
    let text = format!("{before}{after}");
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
    let error = Replay::from_ron(&text).expect_err(&text);
    assert!(is_kind(&error.kind), "{error:?} in\n{text}");
    assert_eq!((error.line as usize, error.column as usize), (line, column), "{error} in\n{text}");
    let message = error.in_file("maps/a.ron").to_string();
    assert!(message.starts_with(&format!("maps/a.ron:{line}:{column}: ")), "{message}");
    assert!(message.contains(words), "{message}");
}

#[test]
fn each_mistake_is_refused_at_its_place() {
    for &(text, is_kind, words) in TEXTS {
        check(text, is_kind, words);
    }
    for &(fields, is_kind, words) in FIELDS {
        let fields = fields
            .replace("HERO", "bodies: [(name: \"h\", shape: Circle(0.5), character: ())]")
            .replace("BODIES", "bodies: [(name: \"a\", shape: Circle(0.5))]")
            .replace("PLACES", "(tick: 5, state: \"0123456789abcdef\", motion: \"0123456789abcdef\", positions: ")
            .replace("SUMS", "(tick: 5, state: \"0123456789abcdef\", motion: \"0123456789abcdef\")");
        let ticks = if fields.contains("ticks: ") && !fields.contains("(ticks") { "" } else { "ticks: 9,\n  " };
        check(&format!("Replay(\n  {MAP}, {ticks}{fields}\n)"), is_kind, words);
    }
}

#[test]
fn too_many_bodies_are_refused() {
    let bodies: String = (0..=Replay::MAX_BODIES).map(|i| format!("(name:\"{i}\",shape:Circle(1)),")).collect();
    let error = Replay::from_ron(&format!("({MAP}, ticks: 1, bodies: [{bodies}])")).unwrap_err();
    assert!(matches!(error.kind, ReplayErrorKind::TooManyBodies), "{error}");
}

#[test]
fn too_many_commands_are_refused() {
    let commands = "(tick:0,do:SetTile((0,0),\".\")),".repeat(Replay::MAX_COMMANDS + 1);
    let error = Replay::from_ron(&format!("({MAP}, ticks: 1, commands: [{commands}])")).unwrap_err();
    assert!(matches!(error.kind, ReplayErrorKind::TooManyCommands), "{error}");
}

/// In the world from the tick after it was spawned in to that in which it is removed.
#[test]
fn places_are_of_bodies_that_are_in_the_world() {
    let text = |tick: u64| {
        let sums = "state: \"0123456789abcdef\", motion: \"0123456789abcdef\"";
        format!(
            "({MAP}, ticks: 9, commands: [(tick: 2, do: Spawn(Body(name: \"a\", shape: Circle(0.5)))),
                (tick: 6, do: Remove(\"a\"))], checksums: [(tick: {tick}, {sums}, positions: {{\"a\": (1, -2)}})])"
        )
    };
    for tick in 1..10 {
        match Replay::from_ron(&text(tick)) {
            Ok(replay) => {
                assert!((3..=6).contains(&tick), "{tick}");
                let body = replay.log().body("a").unwrap();
                let expected = BodyPosition { body, position: Position::from_units(1, -2).unwrap() };
                assert_eq!(replay.checksums()[0].positions, [expected]);
            }
            Err(error) => {
                assert!(!(3..=6).contains(&tick), "{tick}");
                assert!(matches!(error.kind, AbsentBody { tick: found, .. } if found == tick), "{error}");
            }
        }
    }
}

#[test]
fn too_many_places_are_refused() {
    let bodies: String = (0..1024).map(|i| format!("(name:\"{i}\",shape:Circle(1)),")).collect();
    let positions: String = (0..1024).map(|i| format!("\"{i}\":(0,0),")).collect();
    let sums = "state:\"0123456789abcdef\",motion:\"0123456789abcdef\"";
    let most = Replay::MAX_POSITIONS / 1024;
    let text = |more: &str| {
        let all: String =
            (1..=most).map(|tick| format!("(tick:{tick},{sums},positions: {{{positions}}}),\n")).collect();
        format!("({MAP}, ticks: 10000, bodies: [{bodies}], checksums: [{all}(tick: 9999, {sums}, positions: {more})])")
    };
    assert!(Replay::from_ron(&text("{}")).is_ok());
    let error = Replay::from_ron(&text("{\"1\": (0, 0)}")).unwrap_err();
    assert!(matches!(error.kind, ReplayErrorKind::TooManyPositions), "{error}");
    assert_eq!(error.line as usize, most + 1);
}

#[test]
fn deep_nesting_is_refused() {
    for brackets in ["[", "(", "{", "A(", "Some(", "{\"a\":", "/*", "Inline("] {
        let deep = brackets.repeat(100_000);
        for before in
            ["", "Replay(map: ", "Replay(bodies: ", "Replay(inputs: ", "Replay(commands: [(tick: 0, do: Spawn("]
        {
            let error = Replay::from_ron(&format!("{before}{deep}")).unwrap_err();
            assert!(matches!(error.kind, Form(_)), "{before} {brackets}");
        }
    }
}

/// A file with everything in it.
const GOOD: &str = r##"// A comment /* in a comment
Replay(format: 2, physics: 7, map: Inline(Map(format: 1, tiles: [r#"@"é\."#, "é####"],
        legend: {'é': "slope_45 m r1", '"': (tile: "ledge", drop_through: true)})),
    settings: (tick: 0.01, gravity: (1.5, -30.25), up: PlusX, floor_limit: (2, 1)),
    bodies: [(name: "hé\"ro", shape: Aabb(0.35, 0.45), at: Marker("start"), character: (walk_speed: 7.1)),
        (name: "b", shape: Circle(0.1), at: At(4.1, 9.7), velocity: (0.1, -0.0), gravity_scale: 0.3,
            response: Bounce(0.6), friction: 0.2, rest_speed: 0.05)],
    inputs: {"hé\"ro": [(ticks: 60, walk: -127), (ticks: 1, walk: 5, jump: true, down: true, up: true)], "b": []},
    commands: [(tick: 1, do: SetTile((1, 0), "slope_45 r3")),
        (tick: 1, do: SetTiles((2, 1), (0, 0), ".", "tiles")), (tick: 1, do: SetVelocity("b", (1e-300, 2.0))),
        (tick: 2, do: Teleport("b", Units(1234567890123456789, -1))),
        (tick: 2, do: SetCharacter("hé\"ro", (jump_height: 0.1, fall_speed: -0.0))), (tick: 3, do: Remove("b")),
        (tick: 4, do: Spawn(Body(name: "c", shape: Circle(0.1), response: Pass)))],
    ticks: 100,
    checksums: [(tick: 50, state: "0123456789abcdef", motion: "fedcba9876543210",
        positions: {"hé\"ro": (-2305843009213693952, 7), "c": (0, -1)})])
"##;

#[test]
fn what_is_written_reads_back_to_the_same_bits() {
    let replay = Replay::from_ron(GOOD).unwrap();
    let text = replay.to_ron();
    let back = Replay::from_ron(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    assert_eq!(back, replay, "{text}");
    assert_eq!(back.to_ron(), text);
    // Equal numbers may still differ in the sign of a zero.
    let second = back.log().given().nth(1).map(|(_, command)| command);
    assert!(matches!(second, Some(Command::Spawn(body)) if body.velocity.y.is_sign_negative()));
    for words in ["shape: Circle(0.1), at: At(4.1, 9.7), velocity: (0.1, -0.0)", "Units(1234567890123456789, -1)"] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn no_truncated_or_damaged_file_panics() {
    assert!(Replay::from_ron(GOOD).is_ok());
    for (text, lines) in cut(GOOD) {
        let error = Replay::from_ron(text).unwrap_err();
        assert!(matches!(error.kind, Form(_)), "{error}");
        assert!((1..=lines).contains(&error.line), "{error}");
    }
    let (mut good, mut bad) = (0, 0);
    for text in damaged(GOOD, 10_000) {
        match Replay::from_ron(&text) {
            Ok(replay) => {
                good += 1;
                assert_eq!(Replay::from_ron(&replay.to_ron()).unwrap(), replay);
                let mut log = Log::clone(&replay.log);
                log.checkpoints.clear();
                assert!(Player::new(&Replay { log: Arc::new(log), ..replay }).run_to(5).is_ok());
            }
            Err(error) => {
                bad += 1;
                assert!(error.line <= 22 && !error.to_string().is_empty());
            }
        }
    }
    assert!(good > 100 && bad > 500, "{good} good, {bad} bad");
}

//! Texts that are not replays: each must be refused at the right position, without a panic.

use super::ReplayErrorKind::{
    AbsentBody, AbsentPlatform, Body, CollisionLayer, DuplicateBody, DuplicateInputs, DuplicatePosition, Form, Format,
    Map, MapPath, MaxFloorSlope, NamelessBody, NoFloor, NoFolder, NotACharacter, NotInLegend, Physics, Platform,
    RunTicks, Setting, TickOrder, TickOutside, Ticks, TileOutside, TileOutsidePlatform, UnitsOutOfRange, UnknownBody,
    UnknownLayer, UnknownMarker, UnknownPlatform, UnknownPlatformLayer, UnknownTile, Walk,
};
use super::*;
use crate::command::Command;
use crate::damage::{REPLAY, check_damaged_copies, damaged_copy_count};
use crate::map::{MapErrorKind, MapPartsError, MarkerError};
use crate::record::BodyPosition;
use crate::replay::check::Limits;
use crate::replay::parse::read_with_limits;
use crate::text::FormError;
use surefoot_geometry::Position;

/// Words with `<>` just before the position of the error, the kind of error, and words of its message.
type Case = (&'static str, fn(&ReplayErrorKind) -> bool, &'static str);

macro_rules! is {
    ($pattern:pat) => {
        |kind| matches!(kind, $pattern)
    };
}

/// Fields after the map, which is `MAP` below. Adds `ticks: 9` to those without ticks.
#[rustfmt::skip]
const FIELDS: &[Case] = &[
    ("format: <>3", is!(Format { found: 3 }), "the replay has format 3; expected format 1"),
    ("format: <>-1, layers: Maybe((((", is!(Format { found: -1 }), "expected format 1"),
    ("physics: <>0", is!(Physics { found: 0 }), "no engine has physics version 0; expected a positive number"),
    ("physics: <>4294967296", is!(Physics { .. }), "4294967296"),
    ("map_checksum: <>\"12\"", is!(ReplayErrorKind::Checksum { .. }), "expected a checksum: a text of 16 hexadecimal digits"),
    ("source: <>\"seed\"", is!(ReplayErrorKind::Checksum { .. }), "`source` is \"seed\"; expected the fingerprint of a tile source: a text of 16 hexadecimal digits"),
    ("ticks: <>-1", is!(Ticks { found: -1 }), "-1 ticks; expected 0 to 100000000"),
    ("ticks: <>100000001", is!(Ticks { .. }), "100000001"),
    ("ticks: <>1.5", is!(Form(FormError::Type { .. })), "expected an integer; found `1.5`"),
    ("<>tikcs: 1", is!(Form(FormError::UnknownField { .. })), "unknown field `tikcs` in `Replay`; did you mean `ticks`?"),
    // Settings.
    ("settings: (tick: <>0.0)", is!(Setting(_)), "`tick` is 0; expected 0.000001 to 1 seconds"),
    ("settings: (gravity: (0.0, <>NaN))", is!(Setting(_)), "`gravity.y` is NaN"),
    ("settings: (gravity: (<>-inf, 0.0))", is!(Setting(_)), "`gravity.x` is -inf"),
    ("settings: (max_floor_slope: <>(1, 0))", is!(MaxFloorSlope(_)), "expected a run of at least 1"),
    ("settings: (up: <>Up)", is!(Form(FormError::UnknownName { .. })), "`PlusY`"),
    ("settings: (<>gravty: (0.0, 1.0))", is!(Form(_)), "`gravty`"),
    // Bodies.
    ("bodies: [(name: \"a\", shape: Circle(0.5)), (name: <>\"a\", shape: Circle(0.5))]",
        is!(DuplicateBody { .. }), "two bodies have the name \"a\""),
    ("bodies: [(name: <>\"\", shape: Circle(0.5))]", is!(NamelessBody), "the name of a body is empty"),
    ("bodies: [(name: \"a\", shape: <>Circle(0.0))]", is!(Body { .. }), "body \"a\": the radius or half size is 0 tiles"),
    ("bodies: [(name: \"a\", shape: <>Circle(NaN))]", is!(Body { .. }), "the radius or half size is 0 tiles"),
    ("bodies: [(name: \"a\", shape: <>Circle(-0.45))]", is!(Body { .. }), "body \"a\": the radius or half size is -0.45 tiles;"),
    ("bodies: [(name: \"a\", shape: <>Aabb(0.35))]", is!(Form(_)), "expected a half width and a half height"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), at: <>At(0.35))]", is!(Form(_)), "expected an x and a y"),
    ("bodies: [(shape: <>Aabb(0.5, 65.0), name: \"a\")]", is!(Body { .. }), "65 tiles"),
    ("bodies: [(name: \"a\", shape: <>Sqare(0.5))]", is!(Form(_)), "unknown name `Sqare`; expected one of `Circle`, `Aabb`"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), at: <>At(inf, 0.0))]", is!(Body { .. }), "not finite"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), at: <>At(0, 1e9))]", is!(Body { .. }), "2^29"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), at: <>Units(0, 2305843009213693953))]", is!(UnitsOutOfRange { .. }), "2^61"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), at: <>Marker(\"strat\"))]", is!(UnknownMarker { .. }), "no marker \"strat\"; did you mean `start`?"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), at: <>OnFloor(\"goal\"))]", is!(NoFloor { .. }), "marker \"goal\" has no floor below it"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), velocity: (1.0, <>2e9))]", is!(Body { .. }), "`velocity.y` is 2000000000"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), facing: <>Up)]", is!(Form(_)), "unknown name `Up`; expected one of `Left`, `Unset`, `Right`"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), response: <>Bonce(0.5))]", is!(Form(_)), "did you mean `Bounce`?"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), response: <>Pass())]", is!(Form(FormError::Length { .. })), "`Pass` takes no values; expected `Pass` without parentheses"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), response: Bounce(<>1.5))]", is!(Body { .. }), "`bounce` is 1.5; expected 0 to 1"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), friction: <>-1.0)]", is!(Body { .. }), "`friction` is -1"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), gravity_scale: <>NaN)]", is!(Body { .. }), "`gravity_scale` is NaN"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), rest_speed_threshold: <>inf)]", is!(Body { .. }), "`rest_speed_threshold` is inf"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), mass: <>0.0)]", is!(Body { .. }), "`mass` is 0; expected 0.000001 to 1000000"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), time_scale: <>1.5)]", is!(Body { .. }), "`time_scale` is 1.5; expected 0 to 1"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: (max_push_mass: <>1e7))]", is!(Body { .. }), "`character.max_push_mass` is 10000000; expected 0 to 1000000"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: (jump_height: 2, min_jump_height: <>2.5))]", is!(Body { .. }), "`character.min_jump_height` is 2.5; expected 0 to 2"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: (fall_gravity_scale: <>1001))]", is!(Body { .. }), "`character.fall_gravity_scale` is 1001; expected 0 to 1000"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: (corner_correction: <>16.5))]", is!(Body { .. }), "`character.corner_correction` is 16.5; expected 0 to 16"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: (wall_jump_speed: <>-1))]", is!(Body { .. }), "`character.wall_jump_speed` is -1; expected 0 to"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: (air_jumps: <>256))]", is!(Form(_)), "256"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: (apex_gravity_scale: <>0))]", is!(Body { .. }), "`character.apex_gravity_scale` is 0; expected 0.05 to 1"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: (apex_gravity_scale: <>1.5))]", is!(Body { .. }), "`character.apex_gravity_scale` is 1.5; expected 0.05 to 1"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: (dash_end_speed_scale: <>1.5))]", is!(Body { .. }), "`character.dash_end_speed_scale` is 1.5; expected 0 to 1"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: (step_height: <>16.5))]", is!(Body { .. }), "`character.step_height` is 16.5; expected 0 to 16"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: (uphill_speed_scale: <>101))]", is!(Body { .. }), "`character.uphill_speed_scale` is 101; expected 0 to 100"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: (wall_stick_time: <>-1))]", is!(Body { .. }), "`character.wall_stick_time` is -1; expected 0 to"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: (ledge_grab: <>17))]", is!(Body { .. }), "`character.ledge_grab` is 17; expected 0 to 16"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: (ledge_climb_time: <>-1))]", is!(Body { .. }), "`character.ledge_climb_time` is -1; expected 0 to"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: (platform_velocity: <>Up))]", is!(Form(_)), "unknown name `Up`"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: (max_fall_speed: <>-1.0))]", is!(Body { .. }), "character.max_fall_speed"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: <>Prescise)]", is!(Form(_)), "unknown name `Prescise`; did you mean `Precise`?"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: Floaty(jump_height: <>1))]", is!(Form(_)), "expected at least 1.5, the `min_jump_height` of the preset"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: (<>jump: 1.0))]", is!(Form(_)), "`jump` in `Character`"),
    ("bodies: [(name: \"a\"<>)]", is!(Form(_)), "`shape` is missing in `Body`"),
    // Inputs.
    ("inputs: {<>\"heor\": []}", is!(UnknownBody { .. }), "the replay has no body \"heor\"; no names are defined"),
    ("bodies: [(name: \"hero\", shape: Circle(0.5))], inputs: {<>\"heor\": []}", is!(UnknownBody { .. }), "did you mean `hero`?"),
    ("BODIES, inputs: {\"a\": [], <>\"a\": []}", is!(DuplicateInputs { .. }), "inputs of \"a\" are listed twice"),
    ("BODIES, inputs: {\"a\": [(ticks: 1), (ticks: <>0)]}", is!(RunTicks { found: 0 }), "the run of inputs has 0 ticks; expected 1 to"),
    ("BODIES, inputs: {\"a\": [(ticks: 1, walk: <>128)]}", is!(Walk { found: 128 }), "`walk` is 128; expected -127 to 127"),
    ("BODIES, inputs: {\"a\": [(ticks: 1, walk: <>-128)]}", is!(Walk { found: -128 }), "`walk` is -128"),
    ("BODIES, inputs: {\"a\": [(walk: 1<>)]}", is!(Form(_)), "`ticks` is missing in `Run`"),
    ("BODIES, inputs: {\"a\": [(ticks: 1, <>jmup: true)]}", is!(Form(_)), "`jmup` in `Run`"),
    // Commands.
    ("commands: [(tick: 0, do: Despawn(<>\"b\"))]", is!(UnknownBody { .. }), "no body \"b\""),
    ("BODIES, commands: [(tick: 0, do: Despawn(\"a\")), (tick: 1, do: Despawn(<>\"a\"))]",
        is!(AbsentBody { tick: 1, .. }), "\"a\" is not in the world at tick 1"),
    ("BODIES, commands: [(tick: 3, do: Despawn(\"a\")), (tick: <>2, do: SetTile((0, 0), \"#\"))]",
        is!(TickOrder { found: 2, before: 3, min: 3 }), "tick 2 comes after tick 3"),
    ("commands: [(tick: <>9, do: SetTile((0, 0), \"#\"))]", is!(TickOutside { found: 9, max: 8, .. }), "expected 0 to 8"),
    ("commands: [(tick: <>-1, do: SetTile((0, 0), \"#\"))]", is!(TickOutside { found: -1, .. }), "tick -1"),
    ("commands: [(tick: 0, do: SetTile(<>(4, 0), \"#\"))]", is!(TileOutside { x: 4, y: 0, .. }), "(4, 0) is outside the map; expected x from 0 to 3 and y from 0 to 1"),
    ("commands: [(tick: 0, do: SetTile(<>(0, 4294967296), \"#\"))]", is!(TileOutside { .. }), "4294967296"),
    ("commands: [(tick: 0, do: SetTile((0, 0), <>\"@\"))]", is!(UnknownTile { .. }), "\"@\" is neither a symbol of the map's legend nor a tile"),
    ("commands: [(tick: 0, do: SetTile((0, 0), <>\"one_wya\"))]", is!(UnknownTile { .. }), "no pattern is named `one_wya`; did you mean `one_way`?"),
    ("commands: [(tick: 0, do: SetTile((0, 0), <>\"one_way r1\"))]", is!(NotInLegend { .. }), "no symbol for \"one_way r1\""),
    ("commands: [(tick: 0, do: SetTiles(<>(4, 0), (0, 0), \"#\"))]", is!(TileOutside { x: 4, y: 0, .. }), "(4, 0) is outside the map"),
    ("commands: [(tick: 0, do: SetTiles((0, 0), <>(0, -1), \"#\"))]", is!(TileOutside { x: 0, y: -1, .. }), "(0, -1) is outside"),
    ("commands: [(tick: 0, do: SetTiles((0, 0), (1, 1), <>\"@\"))]", is!(UnknownTile { .. }), "\"@\" is neither a symbol"),
    ("commands: [(tick: 0, do: SetTiles((0, 0), (1, 1), \"#\", <>\"tlies\"))]",
        is!(UnknownLayer { .. }), "no layer \"tlies\"; did you mean `tiles`?"),
    ("commands: [(tick: 0, do: SetTile((0, 0), \"#\", <>\"\"))]", is!(UnknownLayer { .. }), "no layer \"\"; expected `tiles`"),
    ("commands: [(tick: 0, do: <>SetTile((0, 0)))]", is!(Form(_)), "expected a tile's place and what"),
    ("commands: [(tick: 0, do: <>SetTiles((0, 0), \"#\"))]", is!(Form(_)), "`SetTiles` has 2 values in its parentheses; expected two corners"),
    ("commands: [(tick: 0, do: <>SetTiles((0, 0), (1, 1)))]", is!(Form(_)), "expected two corners and what"),
    ("commands: [(tick: 0, do: <>Jump(\"a\"))]", is!(Form(_)), "`Spawn`"),
    ("BODIES, commands: [(tick: 0, do: SetVelocity(\"a\", (<>NaN, 0.0)))]", is!(Body { .. }), "`velocity.x` is NaN"),
    ("BODIES, commands: [(tick: 0, do: Teleport(\"a\", <>Marker(\"b\")))]", is!(UnknownMarker { .. }), "no marker \"b\"; expected one of `goal`, `start`"),
    ("BODIES, commands: [(tick: 0, do: SetCharacter(<>\"a\", ()))]", is!(NotACharacter { .. }), "\"a\" is not a character; expected a body that"),
    ("BODIES, commands: [(tick: 0, do: SetCharacter(<>\"b\", ()))]", is!(UnknownBody { .. }), "no body \"b\""),
    ("HERO, commands: [(tick: 0, do: Despawn(\"h\")), (tick: 7, do: SetCharacter(<>\"h\", ()))]", is!(AbsentBody { tick: 7, .. }), "\"h\" is not in the world"),
    ("HERO, commands: [(tick: 0, do: <>SetCharacter(\"h\"))]", is!(Form(_)), "expected a body's name and a character"),
    ("HERO, commands: [(tick: 0, do: SetCharacter(\"h\", (<>jump: 1.0)))]", is!(Form(_)), "`jump` in `Character`"),
    ("HERO, commands: [(tick: 0, do: SetCharacter(\"h\", (walk_speed: 2.0, max_fall_speed: <>-1.0)))]", is!(Body { .. }), "body \"h\": `character.max_fall_speed` is -1; expected 0 to"),
    ("HERO, commands: [(tick: 0, do: SetCharacter(\"h\", (walk_speed: <>NaN, max_fall_speed: inf)))]", is!(Body { .. }), "`character.walk_speed` is NaN"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), collision_layers: [<>\"ghots\"])]", is!(CollisionLayer(_)), "the map has no collision layer \"ghots\"; did you mean `ghost`?"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), collision_mask: [\"hero\", <>\"wall\"])]", is!(CollisionLayer(_)), "\"wall\"; expected one of `hero`, `ghost`"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), collision_layers: <>All)]", is!(Form(_)), "expected `First` or a list of collision layers, such as [\"enemy\"]; found `All`"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), collision_mask: <>\"hero\")]", is!(Form(_)), "did you mean [\"hero\"]?"),
    ("BODIES, commands: [(tick: 0, do: SetCollisionLayers(\"a\", [<>\"gost\"]))]", is!(CollisionLayer(_)), "did you mean `ghost`?"),
    ("BODIES, commands: [(tick: 0, do: SetCollisionMask(\"a\", [\"ghost\", <>\"\"]))]", is!(CollisionLayer(_)), "no collision layer \"\""),
    ("BODIES, commands: [(tick: 0, do: <>SetShape(\"a\"))]", is!(Form(_)), "expected a body's name and a shape"),
    ("BODIES, commands: [(tick: 0, do: SetShape(\"a\", <>Circle(0.0)))]", is!(Body { .. }), "the radius or half size is 0 tiles"),
    ("BODIES, commands: [(tick: 0, do: SetShape(\"a\", <>Sqare(0.5)))]", is!(Form(_)), "unknown name `Sqare`"),
    ("BODIES, commands: [(tick: 0, do: SetShape(<>\"x\", Circle(0.5)))]", is!(UnknownBody { .. }), "x"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), tag: <>-1)]", is!(Form(_)), "0 to 2^64 - 1"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), tag: <>18446744073709551616)]", is!(Form(_)), "0 to 2^64 - 1"),
    ("BODIES, commands: [(tick: 0, do: AddVelocity(\"a\", (0.0, <>2e9)))]", is!(Body { .. }), "`velocity.y` is 2000000000"),
    ("HERO, commands: [(tick: 0, do: Knockback(\"h\", (<>2e9, 0.0), 3))]", is!(Body { .. }), "`velocity.x` is 2000000000"),
    ("HERO, commands: [(tick: 0, do: Knockback(\"h\", (0.0, 0.0), <>65537))]", is!(Body { .. }), "`ticks` is 65537; expected 0 to 65536"),
    ("HERO, commands: [(tick: 0, do: Knockback(\"h\", (0.0, 0.0), <>-1))]", is!(Body { .. }), "`ticks` is -1; expected 0 to 65536"),
    ("HERO, commands: [(tick: 0, do: Knockback(\"h\", (0.0, 0.0), <>0.5))]", is!(Form(_)), "an integer"),
    ("HERO, commands: [(tick: 0, do: <>Knockback(\"h\", (0.0, 0.0)))]", is!(Form(_)), "expected a character's name, a velocity and ticks"),
    ("BODIES, commands: [(tick: 0, do: Knockback(<>\"a\", (0.0, 0.0), 3))]", is!(NotACharacter { .. }), "\"a\" is not a character"),
    ("BODIES, commands: [(tick: 0, do: HitStop(\"a\", <>65537))]", is!(Body { .. }), "`ticks` is 65537; expected 0 to 65536"),
    ("BODIES, commands: [(tick: 0, do: HitStop(<>\"x\", 3))]", is!(UnknownBody { .. }), "x"),
    ("BODIES, commands: [(tick: 0, do: MoveBy(\"a\", (<>-251.0, 0.0)))]", is!(Body { .. }), "`displacement.x` is -251; expected -250 to 250"),
    ("BODIES, commands: [(tick: 0, do: MoveBy(<>\"x\", (1.0, 0.0)))]", is!(UnknownBody { .. }), "x"),
    ("BODIES, commands: [(tick: 0, do: <>MoveBy(\"a\"))]", is!(Form(_)), "expected a body's name and a displacement"),
    ("BODIES, commands: [(tick: 0, do: SetFacing(\"a\", <>left))]", is!(Form(_)), "unknown name `left`"),
    ("BODIES, commands: [(tick: 0, do: SetUp(\"a\", <>Down))]", is!(Form(_)), "`MinusY`"),
    ("BODIES, commands: [(tick: 0, do: <>SetUp(\"a\"))]", is!(Form(_)), "expected a body's name and an up, such as SetUp"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), up: <>Minus)]", is!(Form(_)), "`MinusX`"),
    ("BODIES, commands: [(tick: 0, do: <>SetFacing(\"a\"))]", is!(Form(_)), "expected a body's name and a side"),
    ("BODIES, commands: [(tick: 0, do: <>HitStop(\"a\"))]", is!(Form(_)), "expected a body's name and ticks"),
    ("BODIES, commands: [(tick: 0, do: <>SetBody(\"a\"))]", is!(Form(_)), "expected a body's name and what it becomes"),
    ("BODIES, commands: [(tick: 0, do: SetBody(\"a\", (<>shape: Circle(0.5))))]", is!(Form(_)), "`shape` in `Body`"),
    ("BODIES, commands: [(tick: 0, do: SetBody(\"a\", (mass: <>0.0)))]", is!(Body { .. }), "`mass` is 0"),
    ("BODIES, commands: [(tick: 0, do: SetBody(\"a\", (<>facing: Left)))]", is!(Form(_)), "unknown field `facing` in `Body`"),
    ("BODIES, commands: [(tick: 0, do: SetBody(\"a\", (time_scale: <>-0.5)))]", is!(Body { .. }), "`time_scale` is -0.5"),
    ("BODIES, commands: [(tick: 0, do: SetBody(\"a\", (one_way: <>true)))]", is!(Body { .. }), "a circle cannot be one-way"),
    ("HERO, commands: [(tick: 0, do: SetBody(\"h\", ())), (tick: 0, do: SetCharacter(<>\"h\", ()))]", is!(NotACharacter { .. }), "\"h\" is not a character"),
    ("BODIES, commands: [(tick: 0, do: <>SetCollisionMask(\"a\"))]", is!(Form(_)), "expected a body's name and a list of layers"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: ())], commands: [(tick: 0, do: Grab(\"a\", <>\"c\"))]", is!(UnknownBody { .. }), "the replay has no body \"c\""),
    ("BODIES, commands: [(tick: 0, do: <>Carry(\"a\", \"b\"))]", is!(Form(_)), "expected the name of a character, of a body, and an offset"),
    ("BODIES, commands: [(tick: 0, do: Grab(<>\"a\", \"a\"))]", is!(NotACharacter { .. }), "\"a\" is not a character; expected a body that"),
    ("BODIES, commands: [(tick: 0, do: Carry(<>\"a\", \"a\", (0.0, 1.0)))]", is!(NotACharacter { .. }), "\"a\" is not a character"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), character: ()), (name: \"b\", shape: Circle(0.5))], commands: [(tick: 0, do: Carry(\"a\", \"b\", (0.0, <>-1025.0)))]", is!(Body { .. }), "`offset.y` is -1025"),
    ("BODIES, commands: [(tick: 0, do: Release(\"a\", (<>2e9, 0.0)))]", is!(Body { .. }), "`velocity.x` is 2000000000"),
    ("bodies: [(name: \"a\", shape: Circle(0.5), one_way: <>true)]", is!(Body { .. }), "a circle cannot be one-way; expected a box"),
    ("commands: [(tick: 0, do: SetCollisionLayers(<>\"z\", [\"ghost\"]))]", is!(UnknownBody { .. }), "no body \"z\""),
    ("BODIES, commands: [(tick: 0, do: Spawn(Body(name: <>\"a\", shape: Circle(1.0))))]", is!(DuplicateBody { .. }), "\"a\""),
    ("commands: [(tick: 0, do: Spawn(Body(name: \"a\", shape: Circle(1.0), at: <>Marker(\"x\"))))]", is!(UnknownMarker { .. }), "\"x\""),
    ("commands: [(tick: 4, do: Spawn(Body(name: \"a\", shape: Circle(1.0), response: Bounce(<>2.0))))]", is!(Body { .. }), "`bounce`"),
    ("commands: [(tick: 0, do: DrivePlatform(<>\"left\", At(0, 0)))]", is!(UnknownPlatform { .. }), "no platform \"left\"; did you mean `lift`?"),
    ("commands: [(tick: 0, do: DrivePlatform(\"lift\", <>Marker(\"start\")))]", is!(Form(_)), "unknown name `Marker`; expected one of `At`, `Units`"),
    ("commands: [(tick: 0, do: DrivePlatform(\"lift\", <>(1, 2)))]", is!(Form(_)), "did you mean At(1, 2)?"),
    ("commands: [(tick: 0, do: DrivePlatform(\"lift\", <>At(1e9, 0)))]", is!(Platform { .. }), "the position of \"lift\" is invalid: "),
    ("commands: [(tick: 0, do: TeleportPlatform(\"lift\", <>Units(2305843009213693953, 0)))]", is!(UnitsOutOfRange { .. }), "2^61"),
    ("commands: [(tick: 0, do: SetPlatformTile(<>\"left\", (0, 0), \"#\"))]", is!(UnknownPlatform { .. }), "did you mean `lift`?"),
    ("commands: [(tick: 0, do: SetPlatformTile(\"lift\", <>(1, 0), \"#\"))]", is!(TileOutsidePlatform { x: 1, y: 0, .. }), "tile (1, 0) is outside platform \"lift\""),
    ("commands: [(tick: 0, do: SetPlatformTile(\"lift\", (0, 0), <>\"@\"))]", is!(UnknownTile { .. }), "\"@\" is neither a symbol of the map's legend nor a tile"),
    ("commands: [(tick: 0, do: SetPlatformTile(\"lift\", (0, 0), \"#\", <>\"tile\"))]", is!(UnknownPlatformLayer { .. }), "platform \"lift\" has no layer \"tile\"; did you mean `tiles`?"),
    ("commands: [(tick: 0, do: <>SetPlatformTile(\"lift\"))]", is!(Form(_)), "expected a platform's name, a tile's place and what"),
    ("commands: [(tick: 0, do: <>TeleportPlatform(\"lift\"))]", is!(Form(_)), "expected a platform's name and a position"),
    ("commands: [(tick: 0, do: PausePlatform(<>\"left\"))]", is!(UnknownPlatform { .. }), "did you mean `lift`?"),
    ("commands: [(tick: 0, do: <>ResumePlatform)]", is!(Form(_)), "expected a platform's name, such as ResumePlatform(\"lift\")"),
    ("commands: [(tick: 0, do: DespawnArea(<>\"pnd\"))]", is!(ReplayErrorKind::UnknownArea { .. }), "no area \"pnd\""),
    ("commands: [(tick: 0, do: DespawnPlatform(\"lift\")), (tick: 3, do: ResumePlatform(<>\"lift\"))]",
        is!(AbsentPlatform { tick: 3, .. }), "platform \"lift\" is not in the world at tick 3; expected a tick before its removal"),
    ("commands: [(tick: 0, do: SpawnPlatform(<>\"lift\"))]", is!(Form(_)), "expected fields in parentheses"),
    ("commands: [(tick: 0, do: SpawnPlatform(Platform(name: \"a\"<>)))]", is!(Form(_)), "`tiles` is missing in `Platform`"),
    ("commands: [(tick: 0, do: SpawnPlatform(Platform(name: <>\"lift\", tiles: [\"#\"])))]",
        is!(ReplayErrorKind::Command(_)), "the platform name \"lift\" is already in use"),
    ("commands: [(tick: 0, do: SpawnPlatform(Platform(tiles: [\"#\", \"#<>#\"])))]", is!(Map(_)), "row 2"),
    ("commands: [(tick: 0, do: SpawnPlatform(Platform(tiles: [\".\", \"<>q\"])))]", is!(Map(_)), "unknown symbol 'q' in row 2"),
    ("commands: [(tick: 0, do: SpawnPlatform(Platform(tiles: <>[\".\"])))]", is!(Map(_)), "no tile that bodies collide with"),
    ("commands: [(tick: 0, do: SpawnPlatform(Platform(tiles: [\"#\"], attached_to: <>\"litf\")))]",
        is!(UnknownPlatform { .. }), "no platform \"litf\"; did you mean `lift`?"),
    ("commands: [(tick: 0, do: SpawnPlatform(Platform(tiles: [\"#\"], attached_to: <>\"platform 2\")))]", is!(UnknownPlatform { .. }), ""),
    ("commands: [(tick: 0, do: SpawnPlatform(Platform(tiles: [\"#\"], motion: Path(points: [(0, 0), (1, 0)], speed: <>-1))))]", is!(Map(_)), "-1"),
    ("commands: [(tick: 0, do: SpawnPlatform(Platform(tiles: [\"#\"], on_ride: Fall(delay: <>-1))))]", is!(Map(_)), "-1"),
    ("commands: [(tick: 0, do: SpawnPlatform(Platform(tiles: [\"#\"], <>nmae: \"a\"))), (tick: 1, do: PausePlatform(\"a\"))]", is!(Form(_)), "did you mean `name`?"),
    ("commands: [(tick: 0, do: SpawnPlatform(Platform(name: \"a\", tiles: [\"#\"]))), (tick: 1, do: SetPlatformTile(\"a\", <>(1, 0), \"#\"))]",
        is!(TileOutsidePlatform { .. }), "tile (1, 0) is outside platform \"a\""),
    ("commands: [(tick: 0, do: PausePlatform(<>\"a\")), (tick: 1, do: SpawnPlatform(Platform(name: \"a\", tiles: [\"#\"])))]", is!(UnknownPlatform { .. }), "no platform \"a\""),
    ("commands: [(tick: 0, do: SpawnArea(Area(name: \"a\"<>)))]", is!(Form(_)), "`shape` is missing in `Area`"),
    ("commands: [(tick: 0, do: SpawnArea(Area(shape: <>Circle(0.0))))]", is!(Map(_)), "the area's shape has no interior"),
    ("commands: [(tick: 0, do: SpawnArea(Area(shape: Circle(1.0), effects: (drag: <>-1))))]", is!(Map(_)), "drag"),
    ("commands: [(tick: 0, do: SpawnArea(Area(shape: Circle(1.0), collision_mask: [<>\"ghots\"])))]", is!(Map(_)), "did you mean `ghost`?"),
    ("commands: [(tick: 0, do: SpawnArea(Area(shape: Circle(1.0), attached_to: <>\"litf\")))]", is!(UnknownPlatform { .. }), "did you mean `lift`?"),
    ("BODIES, commands: [(tick: 0, do: SpawnArea(Area(shape: Circle(1.0), attached_to: Body(<>\"b\"))))]", is!(UnknownBody { .. }), "no body \"b\""),
    ("commands: [(tick: 0, do: SpawnArea(Area(shape: Circle(1.0), attached_to: <>3)))]", is!(Form(_)), "the name of a platform in double quotes, or a body"),
    ("commands: [(tick: 0, do: SpawnArea(Area(shape: Circle(1.0), attached_to: <>Bdoy(\"a\"))))]", is!(Form(_)), "did you mean `Body`?"),
    ("commands: [(tick: 0, do: SpawnArea(Area(name: \"a\", shape: Circle(1.0)))), (tick: 1, do: SpawnArea(Area(name: <>\"a\", shape: Circle(1.0))))]",
        is!(ReplayErrorKind::Command(_)), "the area name \"a\" is already in use"),
    ("commands: [(tick: 0, do: SpawnArea(Area(name: \"a\", shape: Circle(1.0)))), (tick: 1, do: SetArea(\"a\", Area(name: \"b\", shape: Circle(1.0)))), (tick: 2, do: DespawnArea(<>\"a\"))]",
        is!(ReplayErrorKind::AbsentArea { tick: 2, .. }), "area \"a\" is not in the world at tick 2"),
    ("commands: [(tick: 0, do: SpawnArea(Area(name: \"a\", shape: Circle(1.0), attached_to: \"lift\"))), (tick: 1, do: DespawnPlatform(\"lift\")), (tick: 2, do: DespawnArea(<>\"a\"))]",
        is!(ReplayErrorKind::AbsentArea { tick: 2, .. }), "the area or its carrier"),
    ("BODIES, commands: [(tick: 0, do: SpawnArea(Area(name: \"b\", shape: Circle(1.0), attached_to: Body(\"a\")))), (tick: 1, do: Despawn(\"a\")), (tick: 2, do: DespawnArea(<>\"b\"))]",
        is!(ReplayErrorKind::AbsentArea { tick: 2, .. }), "area \"b\""),
    ("commands: [(tick: 0, do: SetArea(<>\"a\", Area(shape: Circle(1.0))))]", is!(ReplayErrorKind::UnknownArea { .. }), "no area \"a\""),
    ("commands: [(tick: 0, do: SpawnArea(Area(name: \"a\", shape: <>Circle(-1.0)))), (tick: 1, do: DespawnArea(\"a\"))]", is!(Map(_)), "-1"),
    // Checksums.
    ("checksums: [(tick: <>0, state: \"\", motion: \"\")]", is!(TickOutside { found: 0, min: 1, max: 9 }), "expected 1 to 9"),
    ("checksums: [(tick: <>10, state: \"\", motion: \"\")]", is!(TickOutside { .. }), "tick 10"),
    ("checksums: [SUMS, (tick: <>5, state: \"\", motion: \"\")]", is!(TickOrder { found: 5, before: 5, min: 6 }), "at least 6"),
    ("checksums: [(tick: 5, state: <>\"0123456789abcdeg\", motion: \"\")]", is!(ReplayErrorKind::Checksum { .. }), "abcdeg"),
    ("checksums: [(tick: 5, state: \"0123456789abcdef\", motion: <>\"\")]", is!(ReplayErrorKind::Checksum { .. }), "`motion` is \"\"; expected a checksum"),
    ("checksums: [(tick: 5, state: <>12)]", is!(Form(_)), ""),
    // Positions.
    ("checksums: [PLACES{<>\"a\": (0, 0)})]", is!(UnknownBody { .. }), "the replay has no body \"a\"; no names are defined"),
    ("BODIES, checksums: [PLACES{<>\"aa\": (0, 0)})]", is!(UnknownBody { .. }), "no body \"aa\""),
    ("BODIES, checksums: [PLACES{\"a\": (0, 0), <>\"a\": (0, 0)})]", is!(DuplicatePosition { .. }), "\"a\" has two positions in one entry of `checksums`; expected at most one"),
    ("BODIES, checksums: [PLACES{\"a\": <>(0, 2305843009213693953)})]", is!(UnitsOutOfRange { .. }), "2^61"),
    ("BODIES, checksums: [PLACES{\"a\": <>(-9223372036854775808, 0)})]", is!(UnitsOutOfRange { x: i64::MIN, y: 0 }), "2^61"),
    ("BODIES, checksums: [PLACES{\"a\": (<>9223372036854775808, 0)})]", is!(Form(_)), ""),
    ("BODIES, checksums: [PLACES{\"a\": (<>0.5, 0)})]", is!(Form(_)), ""),
    ("BODIES, checksums: [PLACES{\"a\": <>(0)})]", is!(Form(_)), ""),
    ("BODIES, checksums: [PLACES<>[(0, 0)])]", is!(Form(_)), ""),
    ("BODIES, commands: [(tick: 4, do: Despawn(\"a\"))], checksums: [PLACES{<>\"a\": (0, 0)})]",
        is!(AbsentBody { tick: 5, .. }), "\"a\" is not in the world at tick 5; expected a tick between its spawn and its removal"),
    ("commands: [(tick: 5, do: Spawn(Body(name: \"a\", shape: Circle(0.5))))], checksums: [PLACES{<>\"a\": (0, 0)})]",
        is!(AbsentBody { tick: 5, .. }), "expected a tick between its spawn and its removal"),
];

const MAP: &str = "map: Inline(Map(format: 1, tiles: [\"*-@.\", \".###\"], collision_layers: [\"hero\", \"ghost\"], platforms: [(name: \"lift\", tiles: [\"#\"])]))";

/// Whole texts.
#[rustfmt::skip]
const TEXTS: &[Case] = &[
    ("<>", is!(Form(FormError::Truncated { .. })), "the file ends here; expected opening `(`"),
    ("Replay(ticks: 1, bodies: [(name: \"a\"\n<>", is!(Form(FormError::Truncated { .. })), "the file ends here; expected `)` to close the `(` of line 1"),
    ("<>Map(format: 1, tiles: [\".\"])", is!(Form(FormError::Name { .. })), "found a map; expected a replay"),
    ("Replay(ticks: 1<>)", is!(Form(_)), "`map` is missing in `Replay`"),
    ("Replay(map: <>Flie(\"a\"), ticks: 1)", is!(Form(_)), "unknown name `Flie`; did you mean `File`?"),
    ("Replay(map: File(<>\"a.ron\"), ticks: 1)", is!(NoFolder { .. }), "the map is the file \"a.ron\""),
    ("Replay(map: File(<>\"../a.ron\"), ticks: 1)", is!(MapPath { .. }), "expected a path below the replay's folder"),
    ("Replay(map: File(<>\"/a.ron\"), ticks: 1)", is!(MapPath { .. }), "/a.ron"),
    ("Replay(map: File(<>\"\"), ticks: 1)", is!(MapPath { .. }), "\"\""),
    ("Replay(map: Inline(Map(format: <>2, tiles: [\".\"])), ticks: 1)",
        is!(ReplayErrorKind::Map(MapErrorKind::Format { found: 2 })), "the map has format 2; expected format 1"),
    ("Replay(ticks: 1, map: Inline(Map(format: 1, tiles: [\n\"..\",\n\"<>q.\"])))",
        is!(ReplayErrorKind::Map(MapErrorKind::UnknownSymbol { symbol: 'q', row: 2, .. })), "unknown symbol 'q'"),
    ("Replay(ticks: 1, map: Inline(Map(format: 1, tiles: [\".\"], legend: {'x': (<>tlie: \"stud\")})))",
        is!(Form(_)), "`tlie` in `legend`"),
    ("Replay(ticks: 1, map: Inline(Map(format: 1, tiles: [\".\"], markers: {\"a\": [<>(1, 0)]})))",
        is!(ReplayErrorKind::Map(MapErrorKind::Parts(MapPartsError::Marker(MarkerError::Outside { .. })))), "outside the map"),
    ("Replay(ticks: 1, map: Inline(Map(format: 1, tiles: [\".\"]))) <>Replay()", is!(Form(_)), "after the end"),
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
fn each_mistake_is_refused_at_its_position() {
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

/// Small limits. With `SUREFOOT_LIMITS` also the real ones, whose texts take seconds each.
fn limits() -> impl Iterator<Item = Limits> {
    let own = std::env::var_os("SUREFOOT_LIMITS").map(|_| Limits::default());
    [Limits { bodies: 16, commands: 16, positions: 64 }].into_iter().chain(own)
}

/// Reads a replay within limits.
fn read(limits: Limits, text: &str) -> Result<Replay, ReplayError> {
    read_with_limits(text, 1, None, limits).map_err(|mistakes| mistakes.first_error(text))
}

#[test]
fn too_many_bodies_are_refused() {
    for limits in limits() {
        let text = |count: usize| {
            let bodies: String = (0..count).map(|i| format!("(name:\"{i}\",shape:Circle(1)),")).collect();
            format!("({MAP}, ticks: 1, bodies: [{bodies}])")
        };
        assert!(read(limits, &text(limits.bodies)).is_ok());
        let error = read(limits, &text(limits.bodies + 1)).unwrap_err();
        assert!(matches!(error.kind, ReplayErrorKind::TooManyBodies), "{error}");
    }
}

#[test]
fn too_many_commands_are_refused() {
    for limits in limits() {
        let text = |count: usize| {
            let commands = "(tick:0,do:SetTile((0,0),\".\")),".repeat(count);
            format!("({MAP}, ticks: 1, commands: [{commands}])")
        };
        assert!(read(limits, &text(limits.commands)).is_ok());
        let error = read(limits, &text(limits.commands + 1)).unwrap_err();
        assert!(matches!(error.kind, ReplayErrorKind::TooManyCommands), "{error}");
    }
}

/// A body is in the world from the tick after its spawn to that of its removal.
#[test]
fn positions_are_only_allowed_for_bodies_in_the_world() {
    let text = |tick: u64| {
        let sums = "state: \"0123456789abcdef\", motion: \"0123456789abcdef\"";
        format!(
            "({MAP}, ticks: 9, commands: [(tick: 2, do: Spawn(Body(name: \"a\", shape: Circle(0.5)))),
                (tick: 6, do: Despawn(\"a\"))], checksums: [(tick: {tick}, {sums}, positions: {{\"a\": (1, -2)}})])"
        )
    };
    for tick in 1..10 {
        match Replay::from_ron(&text(tick)) {
            Ok(replay) => {
                assert!((3..=6).contains(&tick), "{tick}");
                let body = replay.recording().body("a").unwrap();
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
fn too_many_positions_are_refused() {
    let sums = "state:\"0123456789abcdef\",motion:\"0123456789abcdef\"";
    for limits in limits() {
        let each = limits.bodies.min(1024);
        let bodies: String = (0..each).map(|i| format!("(name:\"{i}\",shape:Circle(1)),")).collect();
        let positions: String = (0..each).map(|i| format!("\"{i}\":(0,0),")).collect();
        let most = limits.positions / each;
        let text = |more: &str| {
            let all: String =
                (1..=most).map(|tick| format!("(tick:{tick},{sums},positions: {{{positions}}}),\n")).collect();
            format!(
                "({MAP}, ticks: 10000, bodies: [{bodies}], checksums: [{all}(tick: 9999, {sums}, positions: {more})])"
            )
        };
        assert!(read(limits, &text("{}")).is_ok());
        let error = read(limits, &text("{\"1\": (0, 0)}")).unwrap_err();
        assert!(matches!(error.kind, ReplayErrorKind::TooManyPositions), "{error}");
        assert_eq!(error.line as usize, most + 1);
    }
}

#[test]
fn deep_nesting_is_refused() {
    for brackets in ["[", "(", "{", "A(", "Some(", "{\"a\":", "/*", "Inline("] {
        let deep = brackets.repeat(damaged_copy_count(20_000, 100_000));
        for before in
            ["", "Replay(map: ", "Replay(bodies: ", "Replay(inputs: ", "Replay(commands: [(tick: 0, do: Spawn("]
        {
            let error = Replay::from_ron(&format!("{before}{deep}")).unwrap_err();
            assert!(matches!(error.kind, Form(_)), "{before} {brackets}");
        }
    }
}

#[test]
fn a_written_replay_reads_back_bit_by_bit() {
    let replay = Replay::from_ron(REPLAY).unwrap();
    let text = replay.to_ron();
    let back = Replay::from_ron(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    assert_eq!(back, replay, "{text}");
    assert_eq!(back.to_ron(), text);
    // Equal numbers may still differ in the sign of a zero.
    let second = back.recording().commands().nth(1).map(|(_, command)| command);
    assert!(matches!(second, Some(Command::Spawn(body)) if body.velocity.y.is_sign_negative()));
    for words in ["shape: Circle(0.1), at: At(4.1, 9.7), velocity: (0.1, -0.0)", "Units(1234567890123456789, -1)"] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn no_truncated_or_damaged_file_panics() {
    let count = damaged_copy_count(2000, 10_000);
    let read = check_damaged_copies(
        REPLAY,
        count,
        Replay::from_ron,
        |kind| matches!(kind, Form(_)),
        |replay| {
            assert_eq!(Replay::from_ron(&replay.to_ron()).unwrap(), replay);
            let mut log = Recording::clone(&replay.recording);
            log.checkpoints.clear();
            assert!(Playback::new(&Replay { recording: Arc::new(log), ..replay }).run_to(5).is_ok());
        },
    );
    assert!(read * 100 > count, "{read} read");
}

//! Texts that are not maps: each must be refused at the right position, without a panic.

use super::MapErrorKind::{
    CollisionLayer, ConfusableSymbol, ControlSymbol, DrawnPlatform, DropThrough, DuplicateMarker, DuplicateProperty,
    DuplicateSymbol, EmptyRow, Form, Format, IgnoredBy, Inside, InsideName, InvisibleSymbol, LargeInteger,
    MarkerOnPlatform, Material, NoFolder, NoRows, NoSpeedOrPeriod, NoTiles, Parts, RaggedRow, ShapeAndJoin,
    SpeedAndPeriod, TilesAndLayers, TooManyEntries, UnknownSymbol, UnknownTile,
};
use super::MapPartsError::{
    Area, Body, CataloguePath, CollisionLayer as Collision, Layer as InLayer, Marker, PixelsPerTile, Platform, Property,
};
use super::*;
use crate::area::AreaError;
use crate::catalogue::VariantNameError::{BadPlacement, UnknownPattern};
use crate::map::TileError;
use crate::platform::PlatformError;
use crate::text::FormError;
use crate::text::damage::{AREAS, LAYERS, MAP, check_damaged_copies, damaged_copy_count};
use surefoot::check::{FileKind, Report, text_as};

/// A text with `<>` just before the position of its error, the kind of error, and words of its message.
type Case = (&'static str, fn(&MapErrorKind) -> bool, &'static str);

macro_rules! is {
    ($pattern:pat) => {
        |kind| matches!(kind, $pattern)
    };
}

#[rustfmt::skip]
const CASES: &[Case] = &[
    // Rows.
    ("Map(format: 1, tiles: [\n  \"....\",\n  \"..<>q.\",\n])",
        is!(UnknownSymbol { symbol: 'q', row: 2, .. }), "unknown symbol 'q' in row 2; expected a symbol of the legend; add 'q' to `legend`"),
    ("Map(format: 1, tiles: [\"#é<>q\"], legend: {'é': \"stud\"})",
        is!(UnknownSymbol { symbol: 'q', row: 1, .. }), "'q'"),
    ("Map(format: 1, tiles: [r#\".\\<>x\"#])", is!(UnknownSymbol { symbol: 'x', row: 1, .. }), "'x'"),
    ("Map(format: 1, tiles: [\".\\\\\\u{2e}<>x\"])", is!(UnknownSymbol { symbol: 'x', row: 1, .. }), "'x'"),
    ("Map(format: 1, tiles: [\".<>\\n\"])", is!(UnknownSymbol { symbol: '\n', row: 1, .. }), "'\\n'"),
    ("Map(format: 1, only_this_legend: true, tiles: [\"<>.\"])", is!(UnknownSymbol { symbol: '.', .. }), "'.'"),
    ("Map(format: 1, tiles: [/* [\" */ \"..\", \"..<>.\", \"q\"])",
        is!(RaggedRow { row: 2, length: 3, expected: 2, .. }), "row 2 has 3 symbols; expected 2, as in row 1"),
    ("Map(format: 1, tiles: [\n\"..\",\n\"ü<>\"\n])", is!(RaggedRow { row: 2, length: 1, expected: 2, .. }), "expected 2"),
    ("Map(format: 1, tiles: <>[])", is!(NoRows), "the list of rows is empty"),
    ("Map(format: 1, tiles: [<>\"\", \"\"])", is!(EmptyRow), "row 1 is empty; expected at least one"),
    ("Map(format: 1, tiles: [\".\", \"<>\"])", is!(RaggedRow { row: 2, length: 0, expected: 1, .. }), "0 symbols"),
    // Things of the legend.
    ("Map(format: 1, tiles: [\".\"], legend: {'c': (area: (<>shap: Circle(0.5)))})",
        is!(Form(FormError::UnknownField { .. })), "unknown field `shap` in `area`; did you mean `shape`?"),
    ("Map(format: 1, tiles: [\".\"], legend: {'c': (area: (tag: \"coin\"<>))})",
        is!(Form(FormError::MissingField { .. })), "`shape` is missing in `area`"),
    ("Map(format: 1, tiles: [\".\"], legend: {'c': (area: (shape: Circle(0.5), <>at: (1, 1)))})",
        is!(Form(FormError::UnknownField { .. })), "unknown field `at` in `area`"),
    ("Map(format: 1, tiles: [\".\"], legend: {'c': (<>areas: (shape: Circle(0.5)))})",
        is!(Form(FormError::UnknownField { .. })), "unknown field `areas` in `legend`; did you mean `area`?"),
    ("Map(format: 1, tiles: [\".\"], legend: {'c': (area: <>Circle(0.5))})",
        is!(Form(FormError::Type { .. })), "expected fields in parentheses, such as (shape: ...)"),
    ("Map(format: 1, tiles: [\".\"], legend: {'c': (area: (tag: \"coin\", shape: <>Circle(-0.5)))})",
        is!(Parts(Area(MapAreaError::Shape { .. }))), "area \"coin\": the radius or half-extent -0.5 is out of range"),
    ("Map(format: 1, tiles: [\".\"], legend: {'c': (area: (shape: Circle(0.5), effects: (drag: <>-1.0)))})",
        is!(Parts(Area(MapAreaError::Refused { .. }))), "an area: `drag` is -1"),
    ("Map(format: 1, tiles: [\".\"], legend: {'c': (area: (shape: Circle(0.5), collision_mask: [<>\"hreo\"]))}, collision_layers: [\"hero\"])",
        is!(Parts(Area(MapAreaError::Refused { .. }))), "did you mean `hero`?"),
    ("Map(format: 1, tiles: [\".\"], legend: {'c': (area: (shape: Circle(0.5), attached_to: <>\"lift\"))})",
        is!(Parts(Area(MapAreaError::Refused { .. }))), "the area is attached to the unknown platform \"lift\""),
    ("Map(format: 1, tiles: [\"c\"], legend: {'c': (area: (tag: \"coin\", shape: Circle(0.5)))}, areas: [(name: <>\"coin 0,0\", shape: Circle(1))])",
        is!(Parts(Area(MapAreaError::Duplicate { .. }))), "two areas are named \"coin 0,0\""),
    ("Map(format: 1, tiles: [\".\"], legend: {'w': (area: (join: true, shape: <>Circle(1)))})",
        is!(ShapeAndJoin), "the area has both `shape` and `join: true`; expected one of the two"),
    ("Map(format: 1, tiles: [\".\"], legend: {'w': (area: (join: false<>))})",
        is!(Form(FormError::MissingField { .. })), "`shape` is missing in `area`"),
    ("Map(format: 1, tiles: [\".\"], legend: {'w': (area: (join: <>yes))})", is!(Form(FormError::Type { .. })), "expected `true` or `false`"),
    ("Map(format: 1, tiles: [\".\"], areas: [(shape: Circle(1), <>join: true)])",
        is!(Form(FormError::UnknownField { .. })), "unknown field `join` in `Area`"),
    ("Map(format: 1, tiles: [\".\"], legend: {'c': (marker: (<>nam: \"t\"))})",
        is!(Form(FormError::UnknownField { .. })), "unknown field `nam` in `marker`; did you mean `name`?"),
    ("Map(format: 1, tiles: [\".\"], legend: {'c': (marker: (properties: {\"a\": 1}<>))})",
        is!(Form(FormError::MissingField { .. })), "`name` is missing in `marker`"),
    ("Map(format: 1, tiles: [\".\"], legend: {'c': (marker: (name: <>\"\", properties: {\"a\": 1}))})",
        is!(Parts(Marker(MarkerError::Nameless))), "a marker has an empty name"),
    ("Map(format: 1, tiles: [\".\"], legend: {'c': (marker: (name: \"t\", properties: {\"a\": <>inf}))})",
        is!(Parts(Property(_))), "property \"a\" has a number that is not finite"),
    ("Map(format: 1, tiles: [\"c\"], legend: {'c': (marker: (name: \"t\", properties: {\"a\": 1}))}, markers: {\"t\": [<>(0, 0)]})",
        is!(Parts(Marker(MarkerError::Repeated { .. }))), "marker \"t\" is in cell (0, 0) twice"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (<>knd: \"a\", shape: Circle(0.5)))})",
        is!(Form(FormError::UnknownField { .. })), "unknown field `knd` in `body`; did you mean `kind`?"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (shape: Circle(0.5)<>))})",
        is!(Form(FormError::MissingField { .. })), "`kind` is missing in `body`"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (kind: \"a\", shape: Circle(0.5), <>at: (1, 1)))})",
        is!(Form(FormError::UnknownField { .. })), "unknown field `at` in `body`"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (kind: <>\"\", shape: Circle(0.5)))})",
        is!(Parts(Body(MapBodyError::NoKind { .. }))), "has an empty kind; expected a word of your game"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (kind: \"a\", shape: <>Circl(0.5)))})",
        is!(Form(FormError::UnknownName { .. })), "unknown name `Circl`; did you mean `Circle`?"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (kind: \"a\", shape: <>Circle(65)))})",
        is!(Parts(Body(MapBodyError::Refused { .. }))), "body \"a\": `shape` is 65; expected 0.0000152587890625 to 64"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (kind: \"a\", shape: Circle(1), character: (<>walk_sped: 3)))})",
        is!(Form(FormError::UnknownField { .. })), "unknown field `walk_sped` in `Character`; did you mean `walk_speed`?"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (kind: \"a\", shape: Circle(1), character: (walk_speed: <>-3)))})",
        is!(Parts(Body(MapBodyError::Refused { .. }))), "`character.walk_speed` is -3; expected 0 to 1000000000"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (kind: \"a\", shape: Circle(1), character: (jump_height: 2, min_jump_height: <>2.5)))})",
        is!(Parts(Body(MapBodyError::Refused { .. }))), "`character.min_jump_height` is 2.5; expected 0 to 2"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (kind: \"a\", shape: Circle(1), character: <>Precis))})",
        is!(Form(FormError::UnknownName { .. })), "unknown name `Precis`; did you mean `Precise`?"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (kind: \"a\", shape: Circle(1), character: <>\"precise\"))})",
        is!(Form(FormError::Type { .. })), "did you mean `Precise`, without quotes?"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (kind: \"a\", shape: Circle(1), character: Heavy(<>walk_sped: 3)))})",
        is!(Form(FormError::UnknownField { .. })), "unknown field `walk_sped` in `Heavy`; did you mean `walk_speed`?"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (kind: \"a\", shape: Circle(1), character: <>Characters()))})",
        is!(Form(FormError::UnknownName { .. })), "did you mean `Character`?"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (kind: \"a\", shape: Circle(1), character: Floaty(jump_height: <>1)))})",
        is!(Form(FormError::Range { .. })), "expected at least 1.5, the `min_jump_height` of the preset"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (kind: \"a\", shape: Circle(1), character: Classic(min_jump_height: <>4.5)))})",
        is!(Parts(Body(MapBodyError::Refused { .. }))), "`character.min_jump_height` is 4.5; expected 0 to 4"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (kind: \"a\", shape: Circle(1), character: (platform_velocity: <>Al)))})",
        is!(Form(FormError::UnknownName { .. })), "did you mean `All`?"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (kind: \"a\", shape: Circle(1), mass: <>0))})",
        is!(Parts(Body(MapBodyError::Refused { .. }))), "`mass` is 0; expected 0.000001 to 1000000"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (kind: \"a\", shape: Circle(1), response: Bounce(<>1.5)))})",
        is!(Parts(Body(MapBodyError::Refused { .. }))), "`bounce` is 1.5; expected 0 to 1"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (kind: \"a\", shape: Circle(1), one_way: <>true))})",
        is!(Parts(Body(MapBodyError::Refused { .. }))), "a circle cannot be one-way; expected a box"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (kind: \"a\", shape: Circle(1), collision_mask: [<>\"hero\"]))})",
        is!(Parts(Body(MapBodyError::Refused { .. }))), "the map has no collision layer \"hero\""),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (kind: \"a\", shape: Circle(1), collision_layers: <>All))})",
        is!(Form(FormError::Type { .. })), "expected `First` or a list of collision layers"),
    ("Map(format: 1, tiles: [\".\"], legend: {'g': (body: (kind: \"a\", shape: Circle(1), properties: {\"a\": <>NaN}))})",
        is!(Parts(Property(_))), "property \"a\" has a number that is not finite"),
    ("Map(format: 1, tiles: [\".\"], bodies: [(name: \"a\", kind: \"b\", shape: Circle(1), velocity: (0, <>1e10))])",
        is!(Parts(Body(MapBodyError::Refused { .. }))), "body \"a\": `velocity.y` is 10000000000"),
    ("Map(format: 1, tiles: [\".\"], bodies: [(name: \"a\", kind: \"b\", shape: Circle(1), facing: <>left)])",
        is!(Form(_)), "unknown name `left`; did you mean `Left`?"),
    ("Map(format: 1, tiles: [\".\"], bodies: [(name: <>\"\", kind: \"b\", shape: Circle(1))])",
        is!(Parts(Body(MapBodyError::Nameless))), "a body has an empty name"),
    ("Map(format: 1, tiles: [\".\"], bodies: [(kind: \"b\", shape: Circle(1)<>)])",
        is!(Form(FormError::MissingField { .. })), "`name` is missing in `Body`"),
    ("Map(format: 1, tiles: [\".\"], bodies: [(name: \"a\", kind: \"b\", shape: Circle(1)), (kind: \"b\", name: <>\"a\", shape: Circle(1))])",
        is!(Parts(Body(MapBodyError::Duplicate { .. }))), "two bodies are named \"a\""),
    ("Map(format: 1, tiles: [\".\"], bodies: [(name: \"a\", kind: \"b\", shape: Circle(1), at: (<>1e10, 0))])",
        is!(Form(FormError::Range { .. })), "expected -2^29 to 2^29"),
    ("Map(format: 1, tiles: [\"g\"], legend: {'g': (body: (kind: \"a\", shape: Circle(1)))}, bodies: [(name: <>\"a 0,0\", kind: \"b\", shape: Circle(1))])",
        is!(Parts(Body(MapBodyError::Duplicate { .. }))), "two bodies are named \"a 0,0\""),
    ("Map(format: 1, tiles: [\".\"], legend: {'c': (area: (shape: Circle(0.5)))}, platforms: [(name: \"lift\", tiles: [\"#<>c\"])])",
        is!(Parts(Platform(MapPlatformError::Things { .. }))), "platform \"lift\" has a tile that places things"),
    // Layers.
    ("Map(format: 1, tiles: [\".\"], layers: <>[(name: \"a\", tiles: [\".\"])])", is!(TilesAndLayers), "`tiles` and `layers`"),
    ("Map(format: 1, layers: <>[(name: \"a\", tiles: [\".\"])], tiles: [\".\"])", is!(TilesAndLayers), "expected one of the two"),
    ("Map(format: 1, layers: <>[])", is!(Parts(InLayer(TileLayerError::None))), "no tile layers; expected at least one"),
    ("Map(format: 1, layers: <>[(name:\"a\",tiles:[\".\"]), (name:\"b\",tiles:[\".\"]), (name:\"c\",tiles:[\".\"]),
        (name:\"d\",tiles:[\".\"]), (name:\"e\",tiles:[\".\"]), (name:\"f\",tiles:[\".\"]), (name:\"g\",tiles:[\".\"]),
        (name:\"h\",tiles:[\".\"]), (name:\"i\",tiles:[\".\"]), (name:\"j\",tiles:[\".\"]), (name:\"k\",tiles:[\".\"]),
        (name:\"l\",tiles:[\".\"]), (name:\"m\",tiles:[\".\"]), (name:\"n\",tiles:[\".\"]), (name:\"o\",tiles:[\".\"]),
        (name:\"p\",tiles:[\".\"]), (name:\"q\",tiles:[\".\"])])", is!(Parts(InLayer(TileLayerError::TooMany { count: 17, .. }))), "17 tile layers; expected at most 16"),
    ("Map(format: 1, layers: [(name: <>\"\", tiles: [\".\"])])", is!(Parts(InLayer(TileLayerError::Nameless))), "empty name"),
    ("Map(format: 1, layers: [(name: \"a\", tiles: [\".\"]), (tiles: [\".\"], name: <>\"a\")])",
        is!(Parts(InLayer(TileLayerError::Duplicate { .. }))), "two tile layers are named \"a\""),
    ("Map(format: 1, layers: [(name: \"a\", tiles: [\".\"]), (name: \"b\", tiles: [\"...\", \"..<>\"])])",
        is!(RaggedRow { row: 2, length: 2, expected: 3, .. }), "row 2 of tile layer \"b\" has 2 symbols; expected 3, as in row 1"),
    ("Map(format: 1, layers: [(name: \"a\", origin: <>(0, 268435457), tiles: [\".\"])])",
        is!(Parts(InLayer(TileLayerError::Origin { y: 268435457, .. }))), "-2^28 to 2^28"),
    ("Map(format: 1, origin: (-5, 0), layers: [(name: \"a\", tiles: [\".\"]), (name: \"b\", origin: <>(268435456, 0), tiles: [\".\"])])",
        is!(Parts(InLayer(TileLayerError::TooFarApart { width: 268435462, height: 1, .. }))), "the rectangle around all tile layers has 268435462 x 1 cells"),
    ("Map(format: 1, layers: [(name: \"a\", origin: (-268435456, 0), tiles: [\".\"]), <>(name: \"b\", tiles: [\".\"])])",
        is!(Parts(InLayer(TileLayerError::TooFarApart { width: 268435457, height: 1, .. }))), "the rectangle around all tile layers has 268435457 x 1 cells"),
    ("Map(format: 1, layers: [(name: \"a\", origin: (<>0.5, 0), tiles: [\".\"])])", is!(Form(FormError::Type { .. })), "expected an integer"),
    ("Map(format: 1, layers: [(name: \"a\", tiles: [\".\"]), (name: \"b\", tiles: [\"<>q\"])])",
        is!(UnknownSymbol { symbol: 'q', row: 1, .. }), "unknown symbol 'q' in row 1 of tile layer \"b\"; expected a symbol of the legend"),
    ("Map(format: 1, layers: [(name: \"a\", tiles: <>[])])", is!(NoRows), "the list of rows is empty"),
    ("Map(format: 1, layers: [(name: \"a\", tiles: [<>\"\"])])", is!(EmptyRow), "row 1 is empty"),
    ("Map(format: 1, layers: [(name: \"a\", tiles: [\".@\"]), (name: \"b\", tiles: [\".<>@\"])])",
        is!(Parts(Marker(MarkerError::Repeated { x: 1, y: 0, .. }))), "marker \"start\" is in cell (1, 0) twice"),
    ("Map(format: 1, layers: [(name: \"a\", tiles: [\".@\"]), (name: \"b\", tiles: [\"..\"])], markers: {\"start\": [<>(1, 0)]})",
        is!(Parts(Marker(MarkerError::Repeated { x: 1, y: 0, .. }))), "at most once per cell"),
    ("Map(format: 1, layers: [(name: \"a\"<>)])", is!(Form(FormError::MissingField { .. })), "`tiles` is missing in `Layer`"),
    ("Map(format: 1, layers: [(name: \"a\", <>solid: true)])", is!(Form(_)), "unknown field `solid` in `Layer`; expected one of `name`, `tiles`, `collides`, `origin`"),
    // Collision layers.
    ("Map(format: 1, tiles: [\".\"], collision_layers: [\"a\", \"b\", <>\"a\"])",
        is!(Parts(Collision(CollisionLayerError::Duplicate { .. }))), "two collision layers are named \"a\"; expected each name once"),
    ("Map(format: 1, tiles: [\".\"], collision_layers: [\"a\", <>\"\"])",
        is!(Parts(Collision(CollisionLayerError::Nameless))), "a collision layer has an empty name"),
    ("Map(format: 1, tiles: [\".\"], collision_layers: <>[\"0\", \"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\", \"9\", \"10\", \"11\",
        \"12\", \"13\", \"14\", \"15\", \"16\", \"17\", \"18\", \"19\", \"20\", \"21\", \"22\", \"23\", \"24\", \"25\", \"26\", \"27\", \"28\",
        \"29\", \"30\", \"31\", \"32\", \"33\"])", is!(Parts(Collision(CollisionLayerError::TooMany { count: 34, limit: 32 }))), "34 collision layers; expected at most 32"),
    ("Map(format: 1, tiles: [\".\"], collision_layers: <>\"a\")", is!(Form(FormError::Type { .. })), "did you mean [\"a\"]?"),
    ("Map(format: 1, tiles: [\".\"], collision_layers: [<>hero])", is!(Form(FormError::Type { .. })), "did you mean \"hero\"?"),
    ("Map(format: 1, tiles: [\".\"], collision_layers: [\"hero\", \"ghost\"], legend: {'i': (tile: \"one_way\", ignored_by: [\"hero\", <>\"gohst\"])})",
        is!(CollisionLayer { symbol: 'i', .. }), "legend entry 'i': the map has no collision layer \"gohst\"; did you mean `ghost`?"),
    ("Map(format: 1, tiles: [\".\"], legend: {'i': (tile: \"one_way\", ignored_by: [<>\"ghost\"])})",
        is!(CollisionLayer { symbol: 'i', .. }), "no collision layer \"ghost\"; no names are defined"),
    ("Map(format: 1, tiles: [\".\"], collision_layers: [\"ghost\"], legend: {'i': (tile: \"stud\", ignored_by: <>[\"ghost\"])})",
        is!(IgnoredBy { symbol: 'i', .. }), "legend entry 'i': `ignored_by` is set for `stud`, which is not one-way; expected a tile of a pattern with `kind: Open`, such as \"one_way\""),
    ("Map(format: 1, tiles: [\".\"], collision_layers: [\"ghost\"], legend: {'i': (ignored_by: <>[\"ghost\"])})",
        is!(IgnoredBy { symbol: 'i', .. }), "`ignored_by` is set for `empty`, which is not one-way"),
    ("Map(format: 1, tiles: [\".\"], legend: {'i': (tile: \"one_way\", ignored_by: <>\"ghost\")})", is!(Form(FormError::Type { .. })), "did you mean [\"ghost\"]?"),
    ("Map(format: 1, tiles: [\".\"], legend: {'i': (tile: \"one_way\", material: (climbable: <>1))})", is!(Form(FormError::Type { .. })), "expected `true` or `false`"),
    // Materials.
    ("Map(format: 1, tiles: [\".\"], legend: {'i': (tile: \"stud\", material: (friction: <>1000.1))})",
        is!(Material { symbol: 'i', .. }), "legend entry 'i': `friction` is 1000.1; expected 0 to 1000"),
    ("Map(format: 1, tiles: [\".\"], legend: {'i': (material: (bounce: 1, traction: <>-1))})",
        is!(Material { symbol: 'i', .. }), "`traction` is -1; expected 0 to 1000"),
    ("Map(format: 1, tiles: [\".\"], legend: {'i': (material: (bounce: <>1.5))})",
        is!(Material { symbol: 'i', .. }), "`bounce` is 1.5; expected 0 to 1"),
    ("Map(format: 1, tiles: [\".\"], legend: {'i': (material: (friction: <>NaN))})",
        is!(Material { symbol: 'i', .. }), "`friction` is NaN"),
    ("Map(format: 1, tiles: [\".\"], legend: {'i': (material: (friction: <>\"low\"))})", is!(Form(FormError::Type { .. })), "expected a number"),
    ("Map(format: 1, tiles: [\".\"], legend: {'i': (material: (<>grip: 1.0))})", is!(Form(_)), "unknown field `grip` in `material`; expected one of `friction`, `traction`, `bounce`"),
    ("Map(format: 1, tiles: [\".\"], legend: {'i': (material: <>0.5)})", is!(Form(FormError::Type { .. })), "expected fields in parentheses, such as (friction: ...)"),
    // The legend.
    ("Map(format: 1, tiles: [\".\"], legend: {<>'а': \"stud\", 'a': \"disc\"})",
        is!(ConfusableSymbol { other: 'a', .. }), "'а' (U+0430), which looks like 'a' (U+0061); expected symbols that can be told apart"),
    ("Map(format: 1, tiles: [\".\"], legend: {<>'＃': \"stud\"})",
        is!(ConfusableSymbol { other: '#', .. }), "looks like '#'"),
    ("Map(format: 1, tiles: [\".\"], legend: {<>'\u{202e}': \"stud\"})",
        is!(InvisibleSymbol { .. }), "the legend has the invisible character U+202E"),
    ("Map(format: 1, tiles: [\".\"], legend: {<>'\u{200b}': \"stud\"})", is!(InvisibleSymbol { .. }), "U+200B"),
    ("Map(format: 1, tiles: [\".\"], legend: {<>'\u{a0}': \"stud\"})", is!(InvisibleSymbol { .. }), "U+00A0"),
    // Another catalogue.
    ("Map(format: 1, tiles: [\".\"], catalogue: <>\"tiles.ron\")", is!(NoFolder { .. }), "`Map::from_ron_with`"),
    ("Map(format: 1, pixels_per_tile: 0, tiles: [\".\"], catalogue: <>\"tiles.ron\")", is!(NoFolder { .. }), "tiles.ron"),
    ("Map(format: 1, tiles: [\".\"], catalogue: <>\"../tiles.ron\")", is!(Parts(CataloguePath(_))), "without `..`"),
    ("Map(format: 1, tiles: [\".\"], legend: {'a': \"stud\", 'x': <>\"one_wya r1\"})",
        is!(UnknownTile { symbol: 'x', source: UnknownPattern { .. }, .. }), "no pattern is named `one_wya`; did you mean `one_way`?"),
    ("Map(format: 1, tiles: [\".\"], legend: {'x': (drop_through: true, tile: <>\"nothing\")})",
        is!(UnknownTile { symbol: 'x', source: UnknownPattern { .. }, .. }), "no pattern is named `nothing`; expected one of `empty`, `full_block`, "),
    ("Map(format: 1, tiles: [\".\"], legend: {'x': <>\"\"})", is!(UnknownTile { .. }), "no pattern is named ``; expected one of `empty`"),
    ("Map(format: 1, tiles: [\".\"], legend: {'x': <>\"one_way r4\"})",
        is!(UnknownTile { symbol: 'x', source: BadPlacement { .. }, .. }), "`r4` is not a placement; expected `m`"),
    ("Map(format: 1, tiles: [\".\"], legend: {'x': <>\"one_way r1 m\"})", is!(UnknownTile { .. }), "`m` stands after the turn; expected `m` (mirror) before the turn: `one_way m r3` is the same shape"),
    ("Map(format: 1, tiles: [\".\"], legend: {\n'x': \"stud\", // 'y'\n<>'x': \"disc\"})",
        is!(DuplicateSymbol { symbol: 'x' }), "the legend has 'x' twice"),
    ("Map(format: 1, tiles: [\".\"], legend: {<>'\\t': \"stud\"})", is!(ControlSymbol { .. }), "control character"),
    ("Map(format: 1, tiles: [\".\"], legend: {'x': (tile: \"stud\", drop_through: <>true)})",
        is!(DropThrough { symbol: 'x', .. }), "expected a tile of a pattern with `kind: Open`"),
    ("Map(format: 1, tiles: [\".\"], legend: {'x': (marker: \"a\", drop_through: <>true)})",
        is!(DropThrough { symbol: 'x', .. }), "bodies cannot drop through `empty`"),
    ("Map(format: 1, tiles: [\".\"], legend: {'x': (marker: <>\"\")})", is!(Parts(Marker(MarkerError::Nameless))), "empty name"),
    ("Map(format: 1, tiles: [\".\"], legend: {'x': (<>tlie: \"stud\")})",
        is!(Form(FormError::UnknownField { .. })), "unknown field `tlie` in `legend`; did you mean `tile`?"),
    ("Map(format: 1, tiles: [\".\"], legend: {<>\"x\": \"stud\"})",
        is!(Form(FormError::Type { .. })), "expected a single character, such as 'x'"),
    ("Map(format: 1, tiles: [\".\"], legend: {'x': <>12})",
        is!(Form(FormError::Type { .. })), "expected a tile's name such as \"slope_45 r1\""),
    ("Map(format: 1, tiles: [\".\"], legend: {'x': (properties: {\"a\": [1.0, <>inf]})})",
        is!(Parts(Property(PropertyError::NotFinite { .. }))), "property \"a\" has a number that is not finite"),
    ("Map(format: 1, tiles: [\".\"], legend: {'x': (properties: {\"a\": 1, <>\"a\": 2})})", is!(DuplicateProperty { .. }), "property \"a\" occurs twice"),
    ("Map(format: 1, tiles: [\".\"], legend: {'x': (properties: <>7)})", is!(Form(FormError::Type { .. })), "expected entries in braces, such as {\"coins\": 3}"),
    // Markers.
    ("Map(format: 1, tiles: [\".\"], markers: {\"a\": [(0, 0), <>(1, 0)]})",
        is!(Parts(Marker(MarkerError::Outside { x: 1, y: 0, .. }))), "outside the map; expected x from 0 to 0 and y from 0 to 0"),
    ("Map(format: 1, tiles: [\"..\"], origin: (5, -3), markers: {\"a\": [(6, -3)], \"b\": [<>(0, 0)]})",
        is!(Parts(Marker(MarkerError::Outside { .. }))), "expected x from 5 to 6 and y from -3 to -3"),
    ("Map(format: 1, tiles: [\".\"], markers: {\"a\": [(0, 0)], <>\"a\": []})",
        is!(DuplicateMarker { .. }), "has the name \"a\" twice"),
    ("Map(format: 1, tiles: [\".\"], markers: {\"a\": [(0, 0), <>(0, 0)]})",
        is!(Parts(Marker(MarkerError::Repeated { x: 0, y: 0, .. }))), "in cell (0, 0) twice"),
    ("Map(format: 1, tiles: [\".@\"], markers: {\"start\": [(0, 0), <>(1, 0)]})",
        is!(Parts(Marker(MarkerError::Repeated { x: 1, y: 0, .. }))), "at most once per cell"),
    ("Map(format: 1, tiles: [\".\"], markers: {<>\"\": []})", is!(Parts(Marker(MarkerError::Nameless))), "empty name"),
    // Areas.
    ("Map(format: 1, tiles: [\".\"], areas: [(shape: Circle(1), properties: <>{\"a\": 1})])",
        is!(Parts(Property(PropertyError::Nameless { .. }))), "the area has properties and no name; expected a `name`"),
    ("Map(format: 1, tiles: [\".\"], areas: [(name: \"a\", shape: Circle(1), properties: {\"a\": <>inf})])",
        is!(Parts(Property(PropertyError::NotFinite { .. }))), "property \"a\" has a number that is not finite"),
    ("Map(format: 1, tiles: [\".\"], areas: [(name: \"a\", shape: Circle(1), properties: <>7)])",
        is!(Form(FormError::Type { .. })), "expected entries in braces, such as {\"coins\": 3}"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], properties: <>{\"a\": 1})])",
        is!(Parts(Property(PropertyError::Nameless { .. }))), "the platform has properties and no name; expected a `name`"),
    ("Map(format: 1, tiles: [\"=.=\"], platforms: [(cells: '=', properties: <>{\"a\": 1})])",
        is!(Parts(Property(PropertyError::Nameless { .. }))), "the platform has properties and no name"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(name: \"a\", tiles: [\"#\"], properties: {\"a\": 1, <>\"a\": 2})])",
        is!(DuplicateProperty { .. }), "property \"a\" occurs twice"),
    ("Map(format: 1, tiles: [\".\"], areas: [(name: \"a\"<>)])", is!(Form(FormError::MissingField { .. })), "`shape`"),
    ("Map(format: 1, tiles: [\".\"], areas: [(shape: Circle(1.0), <>effect: ())])",
        is!(Form(FormError::UnknownField { .. })), "did you mean `effects`?"),
    ("Map(format: 1, tiles: [\".\"], areas: <>(shape: Circle(1.0)))", is!(Form(FormError::Type { .. })), "expected"),
    ("Map(format: 1, tiles: [\".\"], areas: [(shape: <>Box(1.0, 1.0))])", is!(Form(FormError::UnknownName { .. })), "unknown name `Box`"),
    ("Map(format: 1, tiles: [\".\"], areas: [(shape: <>Aabb(1.0))])",
        is!(Form(FormError::Length { .. })), "a half width and a half height, such as Aabb(2.0, 1.0)"),
    ("Map(format: 1, tiles: [\".\"], areas: [(name: \"a\", shape: <>Aabb(1.0, 0.0))])",
        is!(Parts(Area(MapAreaError::Refused { error: AreaError::NoInterior, .. }))), "area \"a\": the area's shape has no interior"),
    ("Map(format: 1, tiles: [\".\"], areas: [(shape: <>Circle(-1.0))])",
        is!(Parts(Area(MapAreaError::Shape { .. }))), "an area: the radius or half-extent -1"),
    ("Map(format: 1, tiles: [\".\"], areas: [(shape: <>Circle(NaN))])", is!(Parts(Area(MapAreaError::Shape { .. }))), "NaN"),
    ("Map(format: 1, tiles: [\".\"], areas: [(shape: <>Triangle((0, 0), (1, 1), (2, 2)))])",
        is!(Parts(Area(MapAreaError::Shape { .. }))), "the three corners of the triangle are on one line"),
    ("Map(format: 1, tiles: [\".\"], areas: [(shape: <>Polygon([(0, 0), (4, 0), (1, 1), (0, 4)]))])",
        is!(Parts(Area(MapAreaError::Shape { .. }))), "not convex at corner 2"),
    ("Map(format: 1, tiles: [\".\"], areas: [(shape: <>Obb(1, 1, (0, 0)))])", is!(Parts(Area(MapAreaError::Shape { .. }))), "no direction"),
    ("Map(format: 1, tiles: [\".\"], areas: [(shape: <>Capsule((0, 0), (1e5, 0), 1))])",
        is!(Parts(Area(MapAreaError::Refused { error: AreaError::TooLarge { .. }, .. }))), "expected at most 65536"),
    ("Map(format: 1, tiles: [\".\"], areas: [(name: \"a\", shape: Circle(1)), (shape: Circle(1), name: <>\"a\")])",
        is!(Parts(Area(MapAreaError::Duplicate { .. }))), "two areas are named \"a\""),
    ("Map(format: 1, tiles: [\".\"], areas: [(shape: Circle(1), attached_to: <>\"lift\")])",
        is!(Parts(Area(MapAreaError::Refused { error: AreaError::NoSuchPlatform { .. }, .. }))), "the unknown platform \"lift\""),
    ("Map(format: 1, tiles: [\".\"], areas: [(shape: Circle(1), attached_to: <>\"\")], platforms: [(tiles: [\"#\"])])",
        is!(Parts(Area(MapAreaError::Refused { error: AreaError::NoSuchPlatform { .. }, .. }))), "the unknown platform \"\""),
    ("Map(format: 1, tiles: [\".\"], collision_layers: [\"hero\"], areas: [(shape: Circle(1), collision_mask: [\"hero\", <>\"ghost\"])])",
        is!(Parts(Area(MapAreaError::Refused { error: AreaError::CollisionLayer(_), .. }))), "no collision layer \"ghost\""),
    ("Map(format: 1, tiles: [\".\"], areas: [(shape: Circle(1), effects: (up: <>MinusZ))])", is!(Form(_)), "`MinusX`"),
    ("Map(format: 1, tiles: [\".\"], areas: [(shape: Circle(1), effects: (drag: <>-1.0))])",
        is!(Parts(Area(MapAreaError::Refused { error: AreaError::Effect(_), .. }))), "`drag` is -1; expected 0 to 1000"),
    ("Map(format: 1, tiles: [\".\"], areas: [(shape: Circle(1), effects: (wind: <>(0.0, inf)))])",
        is!(Parts(Area(MapAreaError::Refused { error: AreaError::Effect(_), .. }))), "`wind.y` is inf"),
    ("Map(format: 1, tiles: [\".\"], areas: [(shape: Circle(1), effects: (gravity: <>7))])", is!(Form(FormError::Type { .. })), "an x and a y"),
    ("Map(format: 1, tiles: [\".\"], areas: [(shape: Circle(1), effects: (<>bouyancy: 1))])",
        is!(Form(FormError::UnknownField { .. })), "did you mean `buoyancy`?"),
    ("Map(format: 1, tiles: [\".\"], areas: [(shape: Circle(1), priority: <>3000000000)])",
        is!(Form(FormError::Range { .. })), "expected -2147483648 to 2147483647"),
    ("Map(format: 1, tiles: [\".\"], areas: [(shape: Circle(1), at: (0, <>1e10))])", is!(Form(FormError::Range { .. })), "-2^29 to 2^29"),
    // Platforms.
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\", \"#<>#\"])])",
        is!(RaggedRow { row: 2, length: 2, expected: 1, .. }), "row 2 has 2 symbols; expected 1"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"]), (name: \"b\", tiles: [\"#<>q\"])])",
        is!(UnknownSymbol { symbol: 'q', row: 1, .. }), "unknown symbol 'q' in row 1; expected a symbol of the legend"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(layers: [(name: \"a\", tiles: [\"#\"]), (name: \"b\", tiles: [\"<>q\"])])])",
        is!(UnknownSymbol { symbol: 'q', row: 1, .. }), "unknown symbol 'q' in row 1 of tile layer \"b\""),
    ("Map(format: 1, tiles: [\".\"], platforms: [(layers: [(name: \"a\", tiles: [\"#\"]), (name: <>\"a\", tiles: [\"#\"])])])",
        is!(Parts(InLayer(TileLayerError::Duplicate { .. }))), "two tile layers are named \"a\""),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], layers: <>[(name: \"a\", tiles: [\"#\"])])])",
        is!(TilesAndLayers), "the map has both `tiles` and `layers`; expected one of the two"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(name: \"a\"<>)])",
        is!(Form(FormError::MissingField { .. })), "`tiles` is missing in `Platform`"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], <>postion: (1, 1))])",
        is!(Form(FormError::UnknownField { .. })), "unknown field `postion` in `Platform`"),
    ("Map(format: 1, tiles: [\".\"], platforms: <>(tiles: [\"#\"]))",
        is!(Form(FormError::Type { .. })), "did you mean [(tiles: [\"#\"])]?"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#<>@\"])])",
        is!(MarkerOnPlatform { .. }), "marker \"start\" is drawn on a platform; expected tiles only"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(name: \"air\", tiles: <>[\"..\"])])",
        is!(Parts(Platform(MapPlatformError::Refused { error: PlatformError::Empty, .. }))),
        "platform \"air\": the platform has no tile that bodies collide with; expected at least one"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(layers: <>[(name: \"a\", collides: false, tiles: [\"#\"])])])",
        is!(Parts(Platform(MapPlatformError::Refused { error: PlatformError::Empty, .. }))), "a platform: the platform has no tile"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(name: \"a\", tiles: [\"#\"]), (tiles: [\"#\"], name: <>\"a\")])",
        is!(Parts(Platform(MapPlatformError::Duplicate { .. }))), "two platforms are named \"a\""),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], at: (0, <>1e10))])",
        is!(Form(FormError::Range { .. })), "`1e10` is out of range; expected -2^29 to 2^29"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], at: (<>NaN, 0))])",
        is!(Form(FormError::Range { .. })), "`NaN` is out of range"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], at: <>Units(2305843009213693953, 0))])",
        is!(Form(FormError::Range { .. })), "expected -2^61 to 2^61"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], at: <>Unit(1, 0))])",
        is!(Form(FormError::UnknownName { .. })), "unknown name `Unit`; did you mean `Units`?"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], at: <>7)])",
        is!(Form(FormError::Type { .. })), "expected an x and a y, such as (2.5, 1.0); found `7`"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], on_crush: <>PasThrough)])",
        is!(Form(FormError::UnknownName { .. })), "did you mean `PassThrough`?"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: <>Drive)])",
        is!(Form(FormError::UnknownName { .. })), "did you mean `Driven`?"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: <>(points: []))])",
        is!(Form(FormError::Type { .. })), "expected `Driven`, `Path` or `Circle`"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: <>Path)])",
        is!(Form(FormError::Type { .. })), "expected fields in parentheses, such as (points: ...)"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: Path(speed: 1.0<>))])",
        is!(Form(FormError::MissingField { .. })), "`points` is missing in `Path`"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: <>Path(points: [(0, 0), (1, 0)]))])",
        is!(NoSpeedOrPeriod), "the motion has neither `speed` nor `period`; expected one of the two"),
    // Cells inside joined areas.
    ("Map(format: 1, tiles: [\".\"], legend: {'~': (area: (join: true)), 'c': (tile: \"stud\", inside: <>'w')})",
        is!(Inside { .. }), "legend entry 'c': the symbol 'w' has no area with `join: true`; did you mean '~'?"),
    ("Map(format: 1, tiles: [\".\"], legend: {'c': (tile: \"stud\", inside: <>'#')})",
        is!(Inside { .. }), "`inside` is '#'; expected a symbol whose area has `join: true`"),
    ("Map(format: 1, tiles: [\".\"], legend: {'~': (area: (join: true)), 'c': (area: (join: true), inside: <>'~')})",
        is!(Inside { .. }), "in an entry without one"),
    ("Map(format: 1, tiles: [\".\"], legend: {'~': (area: (tag: \"w\", join: true)), 'o': (area: (tag: \"w\", shape: Circle(0.3)), inside: <>'~')})",
        is!(InsideName { .. }), "legend entry 'o': its area and the area of '~' would both be named \"w\" with the cell; expected another `tag`"),
    ("Map(format: 1, tiles: [\".\"], legend: {'~': (area: (join: true)), 'o': (area: (shape: Circle(0.3)), inside: <>'~')})",
        is!(InsideName { .. }), "would both be named \"area\" with the cell"),
    ("Map(format: 1, tiles: [\".\"], legend: {'c': (tile: \"stud\", inside: <>\"~\")})",
        is!(Form(FormError::Type { .. })), "did you mean '~'?"),
    ("Map(format: 1, tiles: [\".\"], legend: {'c': (area: (shape: Circle(1), properties: {\"a\": <>inf}))})",
        is!(Parts(Property(PropertyError::NotFinite { .. }))), "property \"a\" has a number that is not finite"),
    // Platforms drawn in the rows.
    ("Map(format: 1, tiles: [\"=\"], platforms: [(cells: <>\"=\")])",
        is!(Form(FormError::Type { .. })), "did you mean '='?"),
    ("Map(format: 1, tiles: [\"=\"], platforms: [(cells: '=', name: \"a\", at: <>(1, 0))])",
        is!(DrawnPlatform { error: DrawnPlatformError::OtherField { field: "at" }, .. }), "platform \"a\": `cells` and `at` are both given"),
    ("Map(format: 1, tiles: [\"=\"], platforms: [(cells: '=', tiles: <>[\"=\"])])",
        is!(DrawnPlatform { error: DrawnPlatformError::OtherField { field: "tiles" }, .. }), "`cells` and `tiles` are both given"),
    ("Map(format: 1, tiles: [\"=\"], platforms: [(tiles: [\"=\"], <>layer: \"tiles\")])",
        is!(Form(FormError::UnknownField { .. })), "did you mean `layers`?"),
    ("Map(format: 1, tiles: [\"=\"], platforms: [(<>cell: '=')])", is!(Form(FormError::UnknownField { .. })), "unknown field `cell`"),
    ("Map(format: 1, tiles: [\"=\"], legend: {'p': \"stud\"}, platforms: [(cells: <>'P')])",
        is!(DrawnPlatform { error: DrawnPlatformError::UnknownSymbol { .. }, .. }), "the legend has no symbol 'P'; did you mean 'p'?"),
    ("Map(format: 1, tiles: [\"=\"], platforms: [(cells: <>'P')])",
        is!(DrawnPlatform { error: DrawnPlatformError::UnknownSymbol { .. }, .. }), "add 'P' to `legend`"),
    ("Map(format: 1, tiles: [\"=.\"], platforms: [(cells: <>'.')])",
        is!(DrawnPlatform { error: DrawnPlatformError::Empty { .. }, .. }), "the symbol '.' is an empty cell; expected a symbol with a tile"),
    ("Map(format: 1, tiles: [\"@\"], platforms: [(cells: <>'@')])",
        is!(DrawnPlatform { error: DrawnPlatformError::Things { .. }, .. }), "the symbol '@' places things"),
    ("Map(format: 1, layers: [(name: \"lifts\", tiles: [\"=\"])], platforms: [(cells: '=', layer: <>\"lift\")])",
        is!(DrawnPlatform { error: DrawnPlatformError::UnknownLayer { .. }, .. }), "no tile layer is named \"lift\"; did you mean `lifts`?"),
    ("Map(format: 1, layers: [(name: \"a\", collides: false, tiles: [\"=\"])], platforms: [(cells: '=', layer: <>\"a\")])",
        is!(DrawnPlatform { error: DrawnPlatformError::NoCollision { .. }, .. }), "the tile layer \"a\" has `collides: false`"),
    ("Map(format: 1, layers: [(name: \"a\", tiles: [\"=\"]), (name: \"b\", tiles: [\".\"])], platforms: [(cells: <>'=', layer: \"b\")])",
        is!(DrawnPlatform { error: DrawnPlatformError::NoCells { .. }, .. }),
        "no cell of tile layer \"b\" has the symbol '='; expected at least one; did you mean `layer: \"a\"`, which has some?"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(cells: <>'=')])",
        is!(DrawnPlatform { error: DrawnPlatformError::NoCells { .. }, .. }), "no cell has the symbol '='; expected at least one"),
    ("Map(format: 1, tiles: [\"=\"], platforms: [(cells: '='), (name: \"b\", cells: <>'=')])",
        is!(DrawnPlatform { error: DrawnPlatformError::Taken { .. }, .. }), "platform \"b\": an earlier platform already uses the cells of '='"),
    ("Map(format: 1, tiles: [\"=.=\"], platforms: [(cells: '=', name: \"a\"), (name: <>\"a 2\", tiles: [\"#\"])])",
        is!(Parts(Platform(MapPlatformError::Duplicate { .. }))), "two platforms are named \"a 2\""),
    ("Map(format: 1, tiles: [\"=.=\"], platforms: [(cells: '=', name: \"a\"), (attached_to: <>\"a\", tiles: [\"#\"])])",
        is!(DrawnPlatform { error: DrawnPlatformError::Several { count: 2, .. }, .. }),
        "platform \"a\": the map has 2 platforms drawn as \"a\"; expected one of the names \"a 1\" to \"a 2\""),
    ("Map(format: 1, tiles: [\"=.=c\"], platforms: [(cells: '=', name: \"a\")], legend: {'c': (area: (shape: Circle(1), attached_to: <>\"a\"))})",
        is!(DrawnPlatform { error: DrawnPlatformError::Several { .. }, .. }), "expected one of the names \"a 1\" to \"a 2\""),
    ("Map(format: 1, tiles: [\"=\"], platforms: [(cells: '=', name: \"a\")], areas: [(shape: Circle(1), attached_to: <>\"b\")])",
        is!(Parts(Area(MapAreaError::Refused { error: AreaError::NoSuchPlatform { .. }, .. }))), "the unknown platform \"b\""),
    ("Map(format: 1, tiles: [\"=.=\"], platforms: [(cells: '=', attached_to: <>\"b\")])",
        is!(Parts(Platform(MapPlatformError::AttachedToNothing { .. }))), "no platform has that name"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: Path(points: [(0, 0), (1, 0)], speed: 1, period: <>2))])",
        is!(SpeedAndPeriod), "the motion has both `speed` and `period`; expected one of the two"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(name: \"a\", tiles: [\"#\"], motion: Path(points: <>[(1, 2)], speed: 1))])",
        is!(Parts(Platform(_))), "platform \"a\": the path has 1 point; expected at least 2"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: Path(points: <>[(1, 2), (1, 2)], speed: 1))])",
        is!(Parts(Platform(_))), "a platform: all points of the path are equal; expected at least two different points"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: Path(points: [(0, 0), (1, 0)], speed: <>0))])",
        is!(Parts(Platform(_))), "the speed is 0; expected a finite number above 0"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: Path(points: [(0, 0), (1, 0)], period: <>inf))])",
        is!(Parts(Platform(_))), "the period is inf; expected a finite number above 0"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: Path(points: [(0, 0), (1, 0)], period: <>2, wait: 1))])",
        is!(Parts(Platform(_))), "the waits of the path take 2 seconds; expected less than the period of 2 seconds"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: <>Path(points: [(0, 0), (2000, 0)], speed: 1e9))])",
        is!(Parts(Platform(_))), "leg 0 of the path moves 2000 tiles in a tick; expected at most 250"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: <>Path(points: [(0, 0), (1, 0)], speed: 1e-9))])",
        is!(Parts(Platform(_))), "the path takes 60000000000 ticks"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: Circle(speed: 1.0<>))])",
        is!(Form(FormError::MissingField { .. })), "`radius` is missing in `Circle`"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: <>Circle(radius: 1))])",
        is!(NoSpeedOrPeriod), "the motion has neither `speed` nor `period`; expected one of the two"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: Circle(radius: 1, speed: 1, period: <>2))])",
        is!(SpeedAndPeriod), "the motion has both `speed` and `period`; expected one of the two"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: Circle(radius: <>-0.5, speed: 1))])",
        is!(Parts(Platform(_))), "a platform: the radius is -0.5; expected a finite number above 0"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: Circle(radius: 1, speed: <>NaN))])",
        is!(Parts(Platform(_))), "the speed is NaN; expected a finite number above 0"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: Circle(radius: 1, period: 1, phase: <>1.5))])",
        is!(Parts(Platform(_))), "the phase is 1.5; expected 0 to 1"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: Circle(radius: 1, period: 1, clockwise: <>1))])",
        is!(Form(FormError::Type { .. })), "found `1`"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: Circle(radius: 1, period: 1, <>wait: 1))])",
        is!(Form(FormError::UnknownField { .. })), "unknown field `wait` in `Circle`"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: <>Circle(radius: 1000, period: 0.1))])",
        is!(Parts(Platform(_))), "the circle moves 1047.1975511965977 tiles in a tick; expected at most 250"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: <>Circle(radius: 1, period: 1e9))])",
        is!(Parts(Platform(_))), "a round of the circle takes 60000000000 ticks"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], on_ride: <>Crumbl)])",
        is!(Form(FormError::UnknownName { .. })), "did you mean `Crumble`?"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], on_ride: <>(after: 1))])",
        is!(Form(FormError::Type { .. })), "expected `Nothing`, `Start`, `Fall` or `Crumble`"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], on_ride: Fall(respawn_time: 1<>))])",
        is!(Form(FormError::MissingField { .. })), "`delay` is missing in `Fall`"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], on_ride: <>Fall)])",
        is!(Form(FormError::Type { .. })), "expected fields in parentheses, such as (delay: ...)"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], on_ride: Crumble(delay: <>-1))])",
        is!(Parts(Platform(_))), "a platform: `delay` is -1 seconds; expected at least 0 seconds, and at most 2097152 ticks"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(name: \"a\", tiles: [\"#\"], on_ride: Fall(delay: 1, respawn_time: <>inf))])",
        is!(Parts(Platform(_))), "platform \"a\": `respawn_time` is inf seconds"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], attached_to: <>7)])", is!(Form(FormError::Type { .. })), "found `7`"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(name: \"a\", tiles: [\"#\"]), (tiles: [\"#\"], attached_to: <>\"b\")])",
        is!(Parts(Platform(MapPlatformError::AttachedToNothing { .. }))),
        "a platform is attached to \"b\", but no platform has that name"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(name: \"a\", tiles: [\"#\"], attached_to: <>\"a\")])",
        is!(Parts(Platform(MapPlatformError::AttachedToItself { .. }))), "platform \"a\" is attached to itself"),
    ("Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], attached_to: \"b\"), (name: \"c\", tiles: [\"#\"], attached_to: <>\"b\"),
        (name: \"b\", tiles: [\"#\"], attached_to: \"c\")])",
        is!(Parts(Platform(MapPlatformError::AttachedToItself { .. }))),
        "platform \"c\" is attached to itself, through \"b\""),
    // The other fields.
    ("Map(format: <>2, tiles: [\".\"])", is!(Format { found: 2 }), "the map has format 2; expected format 1"),
    ("Map(format: <>0, levels: [Level()], tiles: 7)", is!(Format { found: 0 }), "expected format 1"),
    ("Map(format: 1, tiles: [\".\"], origin: <>(268435457, 0))", is!(Parts(InLayer(TileLayerError::Origin { .. }))), "-2^28 to 2^28"),
    ("Map(format: 1, tiles: [\".\"], origin: <>(0, -268435457))", is!(Parts(InLayer(TileLayerError::Origin { .. }))), "-2^28 to 2^28"),
    ("Map(format: 1, tiles: [\".\"], pixels_per_tile: <>0)", is!(Parts(PixelsPerTile(PixelsError { found: 0 }))), "expected 1 to 65536"),
    ("Map(format: 1, tiles: [\".\"], pixels_per_tile: <>-16)", is!(Parts(PixelsPerTile(PixelsError { found: -16 }))), "pixels per tile is -16"),
    ("Map(format: 1, tiles: [\".\"], border: (left: <>Sold))",
        is!(Form(FormError::UnknownName { .. })), "unknown name `Sold`; did you mean `Solid`?"),
    ("Map(format: 1, tiles: [\".\"], border: (<>west: Solid))",
        is!(Form(FormError::UnknownField { .. })), "`west`"),
    ("Map(format: 1, tiles: [\".\"], properties: {\"a\": 1, \"b\": [1.0, {\"c\": <>inf}]})",
        is!(Parts(Property(PropertyError::NotFinite { .. }))), "property \"b\" has a number that is not finite"),
    ("Map(format: 1, tiles: [\".\"], properties: {\"a\": <>-NaN})", is!(Parts(Property(PropertyError::NotFinite { .. }))), "not finite"),
    ("Map(format: 1, tiles: [\".\"], properties: {\"a\": <>1e999})", is!(Parts(Property(PropertyError::NotFinite { .. }))), "not finite"),
    ("Map(format: 1, tiles: [\".\"], properties: {\"a\": 1, <>\"a\": 2})", is!(DuplicateProperty { .. }), "property \"a\" occurs twice"),
    ("Map(format: 1, tiles: [\".\"], properties: {\"a\": (b: 1, <>b: 2)})", is!(DuplicateProperty { .. }), "\"b\""),
    ("Map(format: 1, tiles: [\".\"], properties: {\"a\": <>18446744073709551615})", is!(LargeInteger { .. }), "property \"a\" has an integer beyond 64 bits; expected -2^63 to"),
    ("Map(format: 1, tiles: [\".\"], properties: {\"a\": <>9223372036854775808})", is!(LargeInteger { .. }), "property \"a\" has an integer beyond 64 bits; expected -2^63 to"),
    ("Map(format: 1, tiles: [\".\"], properties: {\"a\": <>18446744073709551616})", is!(LargeInteger { .. }), "property \"a\" has an integer beyond 64 bits; expected -2^63 to"),
    ("Map(format: 1, tiles: [\".\"], properties: {\"a\": <>-9223372036854775809})", is!(LargeInteger { .. }), "property \"a\" has an integer beyond 64 bits; expected -2^63 to"),
    ("Map(format: 1, tiles: [\".\"], properties: {\"a\": [1, {\"b\": <>1000000000000000000000000000000}]})", is!(LargeInteger { .. }), "property \"a\" has an integer beyond 64 bits; expected -2^63 to"),
    // Not RON, or of another form.
    ("<>", is!(Form(FormError::Truncated { .. })), "the file ends here; expected opening `(`"),
    ("Map(format: 1, tiles: [\".\"], <>pixels_per_tile\u{301}: 9)", is!(Form(FormError::UnknownField { .. })), "unknown field"),
    ("Map(format: 1, tiles: [\".\"], r#<>pixels_per_tile.x: 9)", is!(Form(FormError::UnknownField { .. })), "unknown field"),
    ("Map(format: 1, tiles: [\".\"], border: (left: <>Solid\u{301}))", is!(Form(FormError::UnknownName { .. })), "unknown name"),
    ("<>Level(format: 1)", is!(Form(FormError::Name { .. })), "expected `Map`; found `Level`"),
    ("<>Map(format: 1)", is!(NoTiles), "neither `tiles` nor `layers`; expected one of the two"),
    ("<>Map(tiles: [\".\"])", is!(Form(FormError::MissingField { .. })), "`format` is missing in `Map`"),
    ("Map(format: 1,\n  tiles: [\".\"],\n  <>sides: ())", is!(Form(_)), "unknown field `sides` in `Map`; expected one of `format`, "),
    ("Map(format: 1, tiles: <>\"...\")", is!(Form(FormError::Type { .. })), "expected a list in square brackets; found the text \"...\"; did you mean [\"...\"]?"),
    ("Map(format: 1, tiles: [\"..\"<>", is!(Form(FormError::Truncated { .. })), "the file ends here; expected `]` to close the `[` of line 1"),
    ("Map(format: 1, tiles: [\"..\"],\n<>", is!(Form(FormError::Truncated { .. })), "the file ends here; expected "),
    ("Map(format: 1, tiles: [\"..\"] // and so on\n/* */<>", is!(Form(FormError::Truncated { .. })), "ends here"),
    ("Map(format: <>", is!(Form(FormError::Truncated { .. })), "the file ends here; expected "),
    ("Map(format: 1, tiles: [\"<>..", is!(Form(FormError::Syntax { .. })), "the text that begins here is not closed; expected a closing quote"),
    ("Map(format: 1, tiles: [r#\"<>..\", ", is!(Form(FormError::Syntax { .. })), "the text that begins here is not closed"),
    ("Map(format: 1, <>/* tiles: [\"..\"])", is!(Form(FormError::Syntax { .. })), "a comment is not closed"),
    ("Map(format: 1, tiles: [\".\"], legend: {'x': (tile: <>\"one_wy\")})", is!(UnknownTile { .. }), "; did you mean `one_way`?"),
    ("Map(format: 1, tiles: [\"..<>\\.\"])", is!(Form(FormError::Syntax { .. })), "expected a raw string for a text with backslashes"),
    ("Map(format: 1, tiles: [\".\"]) <>Map()", is!(Form(FormError::Syntax { .. })), "after the end"),
    ("Map(format: 1, tiles: [\".\"], origin: (<>0.5, 0))", is!(Form(FormError::Type { .. })), "expected an integer; found `0.5`"),
];

#[test]
fn each_mistake_is_refused_at_its_position() {
    for &(marked, is_kind, words) in CASES {
        let (before, after) = marked.split_once("<>").unwrap();
        let text = format!("{before}{after}");
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
        let error = Map::from_ron(&text).err().unwrap_or_else(|| panic!("{text}"));
        assert!(is_kind(&error.kind), "{error:?} in\n{text}");
        assert_eq!((error.line as usize, error.column as usize), (line, column), "{error} in\n{text}");
        let message = error.in_file("maps/a.ron").to_string();
        assert!(message.starts_with(&format!("maps/a.ron:{line}:{column}: ")), "{message}");
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn errors_name_the_file_if_there_is_one() {
    let text = "Map(format: 1, tiles: [\".\"], legend: {'x': \"one_wya\"})";
    let error = Map::from_ron(text).unwrap_err();
    let words = "legend entry 'x': no pattern is named `one_wya`; did you mean `one_way`?";
    assert_eq!(error.to_string(), format!("line 1, column 44: {words}"));
    assert_eq!(Map::from_ron(text).unwrap_err().in_file("a.ron").to_string(), format!("a.ron:1:44: {words}"));
    assert_eq!(std::error::Error::source(&error).unwrap().to_string(), "no pattern is named `one_wya`");
}

#[test]
fn deep_nesting_is_refused() {
    for brackets in ["[", "(", "{", "A(", "Some(", "{\"a\":", "/*"] {
        let deep = brackets.repeat(damaged_copy_count(20_000, 100_000));
        let in_property = format!("Map(format: 1, tiles: [\".\"], properties: {{\"a\": {deep}");
        for text in [deep.clone(), in_property, format!("Map(format: {deep}"), format!("Map(tiles: {deep}")] {
            assert!(matches!(Map::from_ron(&text), Err(MapError { kind: Form(_), .. })), "{brackets}");
        }
    }
    let closed = |depth: usize| {
        let value = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        Map::from_ron(&format!("Map(format: 1, tiles: [\".\"], properties: {{\"a\": {value}}})"))
    };
    assert!(closed(Map::MAX_DEPTH).is_ok());
    let error = closed(Map::MAX_DEPTH + 1).unwrap_err();
    assert!(
        matches!(
            error,
            MapError { line: 1, column: 48, kind: Parts(Property(PropertyError::TooDeep { depth: 33, .. })), .. }
        ),
        "{error}"
    );
}

#[test]
fn a_map_too_large_is_refused() {
    let entries = |count: usize, tile: &str| -> String {
        look::unused_letters('\u{a1}', look::Looks::default())
            .take(count)
            .map(|letter| format!("'{letter}': \"{tile}\","))
            .collect()
    };
    let with = |entries: &str| {
        Map::from_ron(&format!("Map(format: 1, tiles: [\"a\"], only_this_legend: true, legend: {{{entries}}})"))
    };
    // If the first entry is empty, it takes the place of the empty kind, which exists anyway. So one more entry fits.
    for (most, tile) in [(Map::MAX_KINDS - 1, "stud"), (Map::MAX_KINDS, "empty")] {
        let error = with(&entries(most + 1, tile)).unwrap_err();
        assert!(matches!(error.kind, TooManyEntries { count: 65_535, .. }), "{error}");
        // With one entry fewer, the legend is valid but lacks the row's symbol.
        let error = with(&entries(most, tile)).unwrap_err();
        assert!(matches!(error.kind, UnknownSymbol { symbol: 'a', .. }), "{error}");
    }

    // The shortest text with that many cells is larger than any file that is loaded, so test the limit directly.
    let limit = Map::MAX_CELLS;
    assert!(matches!(parts::checked_cell_count(1 << 14, 1 << 14, limit), Ok(0x1000_0000)));
    for (width, height) in [((1 << 14) + 1, 1 << 14), (1, Map::MAX_CELLS + 1), (u64::MAX, 2), (0, 1), (1, 0)] {
        assert_eq!(parts::checked_cell_count(width, height, limit), Err(TileLayerError::Size { width, height, limit }));
    }
    // This short text claims 2^28 cells. The reader refuses the short rows before it makes room for any cell.
    let rows = format!("\"{}\"{}", ".".repeat(1 << 14), ",\"\"".repeat((1 << 14) - 1));
    let error = Map::from_ron(&format!("Map(format: 1, tiles: [{rows}])")).unwrap_err();
    assert!(matches!(error.kind, RaggedRow { row: 2, length: 0, expected: 0x4000, .. }), "{error}");
}

#[test]
fn no_truncated_or_damaged_file_panics() {
    let count = damaged_copy_count(3000, 20_000);
    for text in [MAP, LAYERS, AREAS] {
        let read = check_damaged_copies(
            text,
            count,
            Map::from_ron,
            |kind| matches!(kind, Form(_)),
            |map| assert_eq!(Map::from_ron(&map.to_ron()), Ok(map)),
        );
        assert!(read * 20 > count, "{read} read");
    }
}

#[test]
fn a_map_may_have_up_to_the_maximum_of_areas() {
    let read = |count: usize| {
        let areas = "(shape:Circle(1)),".repeat(count);
        Map::from_ron(&format!("Map(format: 1, tiles: [\".\"], areas: [{areas}])"))
    };
    assert_eq!(read(Map::MAX_LISTED_AREAS).unwrap().areas().len(), Map::MAX_LISTED_AREAS);
    let error = read(Map::MAX_LISTED_AREAS + 1).unwrap_err();
    assert_eq!(error.to_string(), "line 1, column 37: the map has 65537 areas; expected at most 65536");
}

#[test]
fn a_map_may_have_up_to_the_maximum_of_platforms() {
    let read = |platforms: &str| {
        Map::from_ron(&format!("Map(format: 1, tiles: [\".\"], platforms: [{platforms}])")).map_err(|error| error.kind)
    };
    let many = "(tiles:[\"#\"]),".repeat(Map::MAX_PLATFORMS);
    assert_eq!(read(&many).unwrap().platforms().len(), Map::MAX_PLATFORMS);
    let error = read(&format!("{many}(tiles:[\"#\"])")).unwrap_err();
    assert_eq!(error.to_string(), "the map has 131073 platforms; expected at most 131072");
    let path = |points: usize| {
        let points = "(0,0),".repeat(points);
        format!("(tiles:[\"#\"],motion:Path(speed:1,points:[{points}(1,0)]))")
    };
    assert!(read(&path(Map::MAX_PATH_POINTS - 1)).is_ok());
    let error = read(&path(Map::MAX_PATH_POINTS)).unwrap_err();
    assert_eq!(error.to_string(), "the paths of all platforms have 524289 points; expected at most 524288");
    // Two layers of one tile at the two ends of 2^17 columns are 2^22 cells in whole chunks: the maximum distance.
    let apart = "(layers:[(name:\"a\",tiles:[\"#\"]),(name:\"b\",origin:(131071,0),tiles:[\"#\"])]),";
    assert!(read(&apart.repeat(32)).is_ok());
    let error = read(&format!("{}(tiles:[\"#\"])", apart.repeat(32))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "all platforms together have 134218752 cells, in whole chunks of 32 x 32; expected at most 134217728"
    );
}

/// Each `<>` in the text is the position of an error. The messages begin with `words`.
fn all(marked: &str, words: &[&str]) {
    let text = marked.replace("<>", "");
    let mut places = Vec::new();
    let mut before = String::new();
    for part in marked.split("<>") {
        before.push_str(part);
        let line = before.matches('\n').count() + 1;
        places.push((line as u32, before.rsplit('\n').next().unwrap().chars().count() as u32 + 1));
    }
    places.pop();
    let report = text_as(FileKind::Map, &text);
    let found: Vec<_> = report.diagnostics.iter().map(|found| (found.line, found.column)).collect();
    assert_eq!(found, places, "{report:?}\nin\n{text}");
    assert_eq!((found.len(), report.more), (words.len(), 0), "{report:?}");
    for (found, words) in report.diagnostics.iter().zip(words) {
        assert!(found.to_string().contains(words), "{found}; expected {words}");
    }
    // `Map::from_ron` returns one error only. That error must be among the reported ones.
    let first = Map::from_ron(&text).unwrap_err();
    assert!(report.diagnostics.iter().any(|found| found.to_string() == first.to_string()), "{first}");
}

#[test]
fn all_mistakes_are_reported_in_the_order_of_the_text() {
    let text = r##"Map(
        pixels_per_tile: <>0,
        format: 1,
        tiles: ["..<>q.<>x", "...<>", "<>qy@.<>."],
        origin: <>(0, 999999999),
        legend: {'y': <>"slop_45", '#': (tile: "stud", drop_through: <>true), <>'y': "disc", <>'\t': "empty",
            'z': (tile: <>"disk", marker: <>"")},
        markers: {"a": [(0, 0), (1, 9)], <>"": [(0, 0)], <>"a": [(0, 0)]},
        properties: {"a": [<>inf, {"b": 1, <>"b": 2}], "c": <>99999999999999999999, <>"a": 1},
    )"##;
    let expected = [
        "pixels per tile is 0",
        "unknown symbol 'q' in row 1",
        "unknown symbol 'x' in row 1",
        "row 2 has 3 symbols; expected 5",
        "unknown symbol 'q' in row 3",
        "unknown symbol '.' in row 9",
    ];
    // Make the last row as long as the first.
    let text = text.replace("y@.<>.", "y@..");
    let rest = [
        "the origin is (0, 999999999)",
        "legend entry 'y': no pattern is named `slop_45`",
        "legend entry '#': bodies cannot drop through `stud`",
        "the legend has 'y' twice",
        "the legend has the control character '\\t'",
        "legend entry 'z': no pattern is named `disk`",
        "a marker has an empty name",
        "a marker has an empty name",
        "`markers` has the name \"a\" twice",
        "property \"a\" has a number that is not finite",
        "property \"b\" occurs twice",
        "property \"c\" has an integer beyond 64 bits",
        "property \"a\" occurs twice",
    ];
    all(&text, &[&expected[..5], &rest[..]].concat());
    all(
        "Map(format: 1, markers: {\"a\": [<>(9, 9), (0, 0), <>(0, 0), <>(-1, 0)]}, layers: [(name: \"a\", tiles: [\"@\"]),
            (name: <>\"\", tiles: [\"@\"]), (name: <>\"a\", tiles: [\"<>@\"])])",
        &[
            "marker \"a\" is at (9, 9), outside",
            "marker \"a\" is in cell (0, 0) twice",
            "marker \"a\" is at (-1, 0), outside",
            "a tile layer has an empty name",
            "two tile layers are named \"a\"",
            "marker \"start\" is in cell (0, 0) twice",
        ],
    );
    all(
        "Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\", \"<>q<>#\"], at: (<>1e99, <>-1e99), on_crush: <>Stay), (motion: Path(
            points: <>[(0, 0)], speed: <>-1, wait: <>-1, phase: <>2), name: \"a\", tiles: <>[\".\"]), (name: <>\"a\", tiles: [\"#\"],
            motion: Path(points: [(0, 0), (1, 0, <>0)]))])"
            .replace("(1, 0, <>0)", "<>(1, 0, 0)")
            .as_str(),
        &[
            "unknown symbol 'q' in row 2",
            "row 2 has 2 symbols; expected 1",
            "`1e99` is out of range",
            "`-1e99` is out of range",
            "unknown name `Stay`",
            "the path has 1 point",
            "the speed is -1;",
            "the wait is -1 seconds",
            "the phase is 2;",
            "no tile that bodies collide with",
            "two platforms are named \"a\"",
            "3 values",
        ],
    );
    all(
        "Map(format: 1, tiles: [\".\"], platforms: [(tiles: [\"#\"], motion: Circle(radius: <>0, period: <>-1, phase: <>2))])",
        &["the radius is 0;", "the period is -1;", "the phase is 2;"],
    );
    all("Map(format: 1, tiles: [<>", &["the file ends here"]);
    // The tiles of another format are unknown, but the text must still be RON.
    all("Map(format: <>3, tiles: [\"qq\"])", &["the map has format 3"]);
    all("Map(format: <>3, tiles: [\"qq\"] <>7)", &["the map has format 3", "expected a comma"]);
}

#[test]
fn a_flood_of_mistakes_is_counted() {
    // An unknown symbol is reported for at most ten runs.
    let row = "qq.".repeat(300);
    let report = text_as(FileKind::Map, &format!("Map(format: 1, tiles: [\"{row}\"], pixels_per_tile: 0)"));
    assert_eq!((report.diagnostics.len(), report.more), (11, 290));
    assert!(report.diagnostics[10].to_string().ends_with("pixels per tile is 0; expected 1 to 65536"), "{report:?}");
    let many: String = ('α'..='ω').cycle().take(25 * 20).collect();
    let report = text_as(FileKind::Map, &format!("Map(format: 1, tiles: [\"{many}\"])"));
    assert_eq!((report.diagnostics.len(), report.more), (Report::MAX, 400));
    let columns: Vec<u32> = report.diagnostics.iter().map(|found| found.column).collect();
    assert_eq!(columns, (25..125).collect::<Vec<_>>());
}

#[test]
fn tiles_that_cannot_share_a_cell_are_refused_at_the_upper_tile() {
    let catalogue = Catalogue::builtin();
    let ids = || (0..catalogue.variants().len()).map(|i| VariantId(i as u16));
    let refused = |pair: &(VariantId, VariantId)| catalogue.check_stack(&[pair.0, pair.1]).is_err();
    let (a, b) = ids().flat_map(|a| ids().map(move |b| (a, b))).find(refused).unwrap();
    let (a, b) = (catalogue.variant_name(a), catalogue.variant_name(b));
    let marked = format!(
        "Map(format: 1, origin: (5, 5), legend: {{'a': \"{a}\", 'b': \"{b}\"}}, layers: [
        (name: \"low\", tiles: [\"a.a\", \".b#\"]), (name: \"none\", collides: false, tiles: [\"bbb\", \"aaa\"]),
        (name: \"high\", tiles: [\".b<>b\", \".<>a-\"])])"
    );
    let words = [
        format!(
            "cell (7, 6), `{b}` of tile layer \"high\" and `{a}` behind it cannot be combined: their outlines cross at ("
        ),
        format!(
            "cell (6, 5), `{a}` of tile layer \"high\" and `{b}` behind it cannot be combined: their outlines cross at ("
        ),
    ];
    all(&marked, &words.each_ref().map(String::as_str));
    // Code cannot make this map either.
    let text = marked.replace("<>", "").replace(".bb", ".b.").replace(".a-", "..-");
    let mut map = Map::from_ron(&text).unwrap();
    let before = map.clone();
    let b = map.find_tile('b').unwrap();
    let error = map.set_tile(2, (7, 6), b).unwrap_err();
    assert!(matches!(error, TileError::CannotShare { tile: (7, 6), .. }), "{error}");
    assert_eq!(map, before);
    assert_eq!(map.set_tile(1, (7, 6), b), Ok(()));
    let mut parts = map.into_parts();
    parts.layers[1].collides = true;
    assert!(matches!(Map::from_parts(parts), Err(MapPartsError::Layer(TileLayerError::SharedCell { .. }))));
}

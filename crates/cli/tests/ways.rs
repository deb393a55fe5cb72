//! Draws the pictures of docs/guide/editors.md: each way in which a tile of an editor says what it is.
//!
//! Each picture shows two cells of a level on the left, and on the right the tiles that the import makes of them.
//! `SUREFOOT_WRITE_PICTURES=1` writes the pictures.

use crate::folder::Folder;
use std::path::Path;
use surefoot_draw::{Canvas, Paint, Palette, PathData, Point, Svg, View, paint_variant};
use surefoot_import::load;

/// A way to match a tile, shown by a level of Tiled with two cells: a tile, and the same tile mirrored.
struct Way {
    /// Name of the picture.
    name: &'static str,
    /// Lines next to the cells: what the editor says.
    lines: [&'static str; 2],
    /// Properties of the map and of the layer, and the inside of the tile's element in the tileset.
    map: &'static str,
    layer: &'static str,
    tile: &'static str,
    /// Points of the tile's collision shape, in pixels of a tile of 16 pixels.
    shape: &'static [(f64, f64)],
    /// Names of both tiles of the engine.
    tiles: [&'static str; 2],
}

const PLAIN: Way = Way { name: "", lines: [""; 2], map: "", layer: "", tile: "", shape: &[], tiles: [""; 2] };

const WAYS: [Way; 5] = [
    Way {
        name: "by_names",
        lines: ["Tile class: mud", "Map of names: mud is half_slab"],
        map: r#"<properties><property name="surefoot" value="names.ron"/></properties>"#,
        tile: r#"<tile id="0" type="mud"/>"#,
        tiles: ["half_slab", "half_slab"],
        ..PLAIN
    },
    Way {
        name: "by_property",
        lines: ["Tile property: surefoot = slope_45", "or tile class: surefoot:slope_45"],
        tile: r#"<tile id="0"><properties><property name="surefoot" value="slope_45"/></properties></tile>"#,
        // A mirrored slope has the same shape as a slope turned by a quarter, so its variant is `slope_45 r1`.
        tiles: ["slope_45", "slope_45 r1"],
        ..PLAIN
    },
    Way {
        name: "by_shape",
        lines: ["Collision shape of the tile:", "polygon (0, 16) (16, 8) (16, 16)"],
        tile: r#"<tile id="0"><objectgroup><object id="1" x="0" y="16"><polygon points="0,0 16,-8 16,0"/></object></objectgroup></tile>"#,
        shape: &[(0.0, 16.0), (16.0, 8.0), (16.0, 16.0)],
        tiles: ["half_slope_low", "half_slope_low m"],
        ..PLAIN
    },
    Way {
        name: "by_class",
        lines: ["Tile class: spikes", "in LDtk: IntGrid value: spikes"],
        tile: r#"<tile id="0" type="spikes"/>"#,
        tiles: ["spike", "spike"],
        ..PLAIN
    },
    Way {
        name: "by_layer",
        lines: ["Layer property: surefoot = full_block", "The tile says nothing."],
        layer: r#"<properties><property name="surefoot" value="full_block"/></properties>"#,
        tiles: ["full_block", "full_block"],
        ..PLAIN
    },
];

const NAMES: &str =
    r#"Map(format: 1, tiles: ["."], legend: {'s': (tile: "half_slab", properties: {"import": ["mud"]})})"#;

impl Way {
    fn level(&self) -> String {
        let Way { map, layer, tile, .. } = self;
        format!(
            r#"<map orientation="orthogonal" width="2" height="1" tilewidth="16" tileheight="16">{map}
            <tileset firstgid="1" name="cave" tilewidth="16" tileheight="16" tilecount="8" columns="8">{tile}</tileset>
            <layer name="ground" width="2" height="1">{layer}<data encoding="csv">1,2147483649</data></layer></map>"#
        )
    }

    /// Draws the level's cells, and the tiles of its map.
    fn draw(&self, map: &surefoot::Map) -> Svg {
        let palette = &Palette::NIGHT;
        let mut svg = Svg::new(720.0, SIDE + 2.0 * EDGE + TEXT, self.name);
        svg.rect(Point { x: 0.0, y: 0.0 }, svg.width(), svg.height(), &Paint::fill(palette.background));
        for mirrored in [false, true] {
            let corner = Point { x: EDGE + if mirrored { SIDE } else { 0.0 }, y: EDGE };
            paint_editor_tile(&mut svg, corner, mirrored, self.shape);
        }
        svg.text("in the editor", Point { x: EDGE, y: svg.height() - EDGE / 2.0 }, 9.0, palette.quiet_text);
        for (line, y) in self.lines.into_iter().zip([EDGE + 20.0, EDGE + 42.0]) {
            svg.text(line, Point { x: 2.0 * EDGE + 2.0 * SIDE, y }, 10.0, palette.text);
        }
        let (left, middle) = (svg.width() - 2.0 * SIDE - GAP - 3.0 * EDGE, EDGE + SIDE / 2.0);
        let mut arrow = PathData::new();
        for points in [&[(-54.0, 0.0), (-24.0, 0.0)][..], &[(-32.0, -6.0), (-24.0, 0.0), (-32.0, 6.0)]] {
            arrow.run(points.iter().map(|(x, y)| Point { x: left + x, y: middle + y }));
        }
        svg.path(&arrow, &Paint::stroke(palette.marker, 2.0));
        for (column, x) in [(0, left), (1, left + SIDE + GAP)] {
            let variant = map.variant_at(0, (column, 0)).expect("a tile");
            let view = View::with_origin_at(Point { x, y: EDGE + SIDE }, SIDE);
            paint_variant(&mut svg, &view, map.catalogue().variant(variant), (0, 0), palette);
            let below = Point { x: x + SIDE / 2.0, y: svg.height() - EDGE / 2.0 };
            svg.centred_text(&map.catalogue().variant_name(variant), below, 8.0, palette.text);
        }
        svg
    }
}

/// Side of a cell, gap between the tiles of the engine, width of the edge, and height of the line of text below, in
/// pixels.
const SIDE: f64 = 64.0;
const GAP: f64 = 48.0;
const EDGE: f64 = 12.0;
const TEXT: f64 = 16.0;

/// Paints a tile as an editor shows it: a picture with a grain that shows how the tile is mirrored.
fn paint_editor_tile(svg: &mut Svg, corner: Point, mirrored: bool, shape: &[(f64, f64)]) {
    let palette = &Palette::NIGHT;
    let point = |(x, y): (f64, f64)| {
        let x = if mirrored { 16.0 - x } else { x };
        Point { x: corner.x + x * SIDE / 16.0, y: corner.y + y * SIDE / 16.0 }
    };
    svg.rect(corner, SIDE, SIDE, &Paint::stroke(palette.rim, 1.0).filled(palette.grid));
    let mut grain = PathData::new();
    for (x, y) in [(2.0, 6.0), (6.0, 3.0), (9.0, 10.0), (4.0, 13.0), (11.0, 6.0)] {
        grain.run([(x, y), (x + 3.0, y - 1.5)].map(point));
    }
    svg.path(&grain, &Paint::stroke(palette.quiet_text, 2.0));
    let mut outline = PathData::new();
    outline.polygon(shape.iter().copied().map(point));
    svg.path(&outline, &Paint::stroke(palette.contact, 2.0));
}

#[test]
fn the_pictures_of_the_ways_to_match_a_tile_are_true() {
    let folder = Folder::new("ways").with("names.ron", NAMES);
    let pictures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/editors");
    for way in &WAYS {
        let file = folder.0.join("level.tmx");
        std::fs::write(&file, way.level()).expect("a file");
        let map = load(&file).expect("a level");
        let names = [0, 1].map(|x| map.catalogue().variant_name(map.variant_at(0, (x, 0)).expect("a tile")));
        assert_eq!(names, way.tiles, "{}", way.name);
        let (drawn, path) = (way.draw(&map).to_string(), pictures.join(way.name).with_extension("svg"));
        if std::env::var_os("SUREFOOT_WRITE_PICTURES").is_some() {
            std::fs::write(&path, &drawn).expect("a file");
        }
        let shipped = std::fs::read_to_string(&path).expect("a shipped picture");
        assert!(
            shipped == drawn,
            "{} is another picture now; look at it after SUREFOOT_WRITE_PICTURES=1",
            path.display()
        );
    }
}

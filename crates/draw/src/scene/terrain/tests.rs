use super::*;
use crate::scene::raster::{Pixels, rasterize, render_with_resvg, triangles_on_each_pixel};
use crate::{Canvas, MapStyle, Paint, Palette, Point, Svg, draw_map, paint_variant, paint_variant_normals};
use surefoot::prelude::*;
use surefoot::{Map, World};
use surefoot_random::Random;

const NIGHT: &Palette = &Palette::NIGHT;

fn shipped_map(name: &str) -> Map {
    Map::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/").to_owned() + name).expect("a shipped map")
}

fn layered_map() -> Map {
    let text = r####"Map(format: 1, legend: {
        'd': (tile: "one_way", drop_through: true),
        '>': (tile: "full_block", material: (belt_velocity: 3.0)),
        'i': (tile: "slope_45", material: (friction: 0.1, belt_velocity: -3.0)),
        'r': (tile: "one_way", material: (traction: 2.0, belt_velocity: 1.0)),
        'b': (tile: "mid_wall", material: (bounce: 0.5)),
    }, layers: [
        (name: "far", tiles: ["#./=|.#=.|/.#./=|.#=.|/.", "#|-=.#.|=/=##|-=.#.|=/=#"], collides: false),
        (name: "ground", tiles: [".#=-|@.##.r=.#=-b@.>#.=d", "##..*/>>.i=|##..*/#>.i=b"]),
        (name: "near", tiles: ["=.|/#.=.|.#/=.|/#.=.|.#/", "...-.=##|./=...-.=##|./="], collides: false),
    ], origin: (5, -1))"####;
    Map::from_ron(text).expect("a map")
}

/// A map with every variant on a grid of touching neighbours, over several chunks.
fn crowded_map() -> Map {
    let entries = (0..96).map(|i| {
        let name = Catalogue::builtin().variant_name(VariantId(i));
        format!("'{}': \"{name}\"", char::from_u32(0xAC00 + u32::from(i)).expect("a letter"))
    });
    let legend = entries.collect::<Vec<_>>().join(", ");
    let tile = |x: u32, y: u32| match (x * 7 + y * 13 + x * y) % 5 {
        0 => '.',
        _ => char::from_u32(0xAC00 + (x * 31 + y * 57 + x * y * 3) % 96).expect("a letter"),
    };
    let rows: Vec<String> = (0..36).map(|y| (0..40).map(|x| tile(x, y)).collect()).collect();
    Map::from_ron(&format!("Map(format: 1, legend: {{{legend}}}, tiles: {rows:?}, origin: (-9, -20))")).expect("a map")
}

fn size(map: &Map, scale: f64) -> (usize, usize) {
    ((f64::from(map.size().0) * scale) as usize, (f64::from(map.size().1) * scale) as usize)
}

/// Returns a pass painted by chunks, and painted as a whole.
fn paint_in_chunks_and_whole(map: &Map, pass: Pass, scale: f64) -> (Mesh, Mesh) {
    let terrain = Terrain::bake(map);
    let painter = TerrainPainter::new(map, &terrain, NIGHT);
    let (mut chunks, mut whole) = (Mesh::new(), Mesh::new());
    TerrainCache::new(scale).append_to(&mut chunks, &painter, &[pass], Region::of(map), 0.0, 0.0);
    let ((low, high), view) =
        ((Region::of(map).low(), Region::of(map).high()), view_with_map_corner_at_top_left(&painter, scale));
    let around = Region::spanning((low.0 - 1, low.1 - 1), (high.0 + 1, high.1 + 1));
    painter.paint(&mut whole, &view, pass, around);
    (chunks, whole)
}

#[test]
fn chunks_cover_the_same_pixels_as_the_whole_map() {
    for (map, name) in
        [(layered_map(), "layers"), (crowded_map(), "crowded"), (shipped_map("first_steps.ron"), "first_steps")]
    {
        let scale = 24.0;
        let size = size(&map, scale);
        for pass in Pass::ALL {
            let (chunks, whole) = paint_in_chunks_and_whole(&map, pass, scale);
            let (a, b) = (rasterize(&chunks, size, 1), rasterize(&whole, size, 1));
            let different = a.colors.iter().zip(&b.colors).filter(|(a, b)| a != b).count();
            let seen = b.colors.iter().filter(|color| **color != [0.0; 3]).count();
            // In chunks, some lines end round where the same lines of the whole map have a round join. The polygons of
            // the two differ by up to a twentieth of a pixel.
            assert!(different * 2000 <= seen, "{name}, {pass:?}: {different} of {seen} pixels");
        }
    }
}

#[test]
fn shades_and_bands_are_painted_once() {
    let map = crowded_map();
    for pass in [Pass::Solids, Pass::Shades] {
        let (chunks, _) = paint_in_chunks_and_whole(&map, pass, 24.0);
        let counts = triangles_on_each_pixel(&chunks, size(&map, 24.0));
        let (once, twice) = (counts.iter().filter(|&&n| n == 1).count(), counts.iter().filter(|&&n| n > 1).count());
        assert!(once > 10_000 && twice == 0, "{pass:?}: {once} once, {twice} more often");
    }
}

/// Counts of differing pixels between a mesh and a picture.
#[derive(Debug, Default)]
struct Difference {
    pixels: usize,
    /// Differing pixels away from edges, where the picture has one colour all around.
    plain: usize,
    wrong: usize,
    /// Pixels near edges that differ by more than an eighth of the range. Both are anti-aliased there.
    edges: usize,
    unlike: usize,
}

/// Above the rounding of two blends, below the difference of any two colours.
const SAME: f64 = 3.0;

fn compare(mesh: &Pixels, picture: &Pixels) -> Difference {
    assert_eq!((mesh.width, mesh.colors.len()), (picture.width, picture.colors.len()));
    let (width, mut found) = (mesh.width, Difference::default());
    let apart = |a: [f64; 3], b: [f64; 3]| (0..3).map(|i| (a[i] - b[i]).abs()).fold(0.0, f64::max);
    let height = mesh.colors.len() / width;
    for (x, y) in (1..height - 1).flat_map(|y| (1..width - 1).map(move |x| (x, y))) {
        let at = y * width + x;
        let around = (y - 1..=y + 1).flat_map(|y| (x - 1..=x + 1).map(move |x| y * width + x));
        let distance = apart(mesh.colors[at], picture.colors[at]);
        found.pixels += 1;
        if around.map(|i| apart(picture.colors[i], picture.colors[at])).all(|d| d == 0.0) {
            found.plain += 1;
            found.wrong += usize::from(distance > SAME);
        } else {
            found.edges += 1;
            found.unlike += usize::from(distance > 32.0);
        }
    }
    found
}

/// resvg anti-aliases each shape on its own, the rasterizer of this crate all shapes together. So edges differ
/// slightly, most where two shapes share a border. All other pixels are equal.
fn check(name: &str, mesh: &Mesh, svg: &Svg) {
    let size = (svg.width() as usize, svg.height() as usize);
    let found = compare(&rasterize(mesh, size, 4), &render_with_resvg(svg));
    assert!(found.wrong == 0 && found.plain * 3 > found.pixels, "{name}: {found:?}");
    assert!(found.unlike * 200 < found.edges, "{name}: {found:?}");
}

#[test]
fn a_window_shows_what_a_picture_shows() {
    for (map, name) in
        [(shipped_map("first_steps.ron"), "first_steps"), (shipped_map("zoo.ron"), "zoo"), (layered_map(), "layers")]
    {
        let style = MapStyle { tile: 24, ..MapStyle::default() };
        let terrain = Terrain::bake(&map);
        let svg = draw_map(&map, &terrain, &style);
        let mut mesh = Mesh::new();
        mesh.rect(Point { x: 0.0, y: 0.0 }, svg.width(), svg.height(), &Paint::fill(NIGHT.background));
        let painter = TerrainPainter::new(&map, &terrain, NIGHT);
        TerrainCache::new(24.0).append_to(&mut mesh, &painter, &Pass::ALL, Region::of(&map), 12.0, 12.0);
        check(name, &mesh, &svg);
    }
}

#[test]
fn a_part_of_a_long_level_is_the_same_in_a_picture() {
    let map = shipped_map("highlands.ron");
    let (low, terrain) = (Region::of(&map).low(), Terrain::bake(&map));
    let region = Region::spanning((low.0 + 100, low.1 + 2), (low.0 + 150, low.1 + 30));
    let painter = TerrainPainter::new(&map, &terrain, NIGHT);
    let (scale, top) = (20.0, f64::from(region.high().1 + 1));
    let (mut svg, mut mesh) = (Svg::new(51.0 * scale, 29.0 * scale, "highlands"), Mesh::new());
    let (width, height) = (svg.width(), svg.height());
    svg.rect(Point { x: 0.0, y: 0.0 }, width, height, &Paint::fill(NIGHT.background));
    mesh.rect(Point { x: 0.0, y: 0.0 }, width, height, &Paint::fill(NIGHT.background));
    let view = View { left: region.low().0.into(), top, scale };
    let around = Region::spanning((low.0 + 99, low.1 + 1), (low.0 + 151, low.1 + 31));
    Pass::ALL.iter().for_each(|&pass| painter.paint(&mut svg, &view, pass, around));
    let above = f64::from(low.1) + f64::from(map.size().1) - top;
    TerrainCache::new(scale).append_to(&mut mesh, &painter, &Pass::ALL, region, -100.0 * scale, -above * scale);
    check("highlands", &mesh, &svg);
}

#[test]
fn the_tile_strip_shows_the_tiles_of_the_sheet() {
    let catalogue = Catalogue::builtin();
    let mut svg = Svg::new(12.0 * 48.0, 8.0 * 48.0, "all variants");
    let mut mesh = Mesh::new();
    fn paint(canvas: &mut impl Canvas, catalogue: &Catalogue) {
        canvas.rect(Point { x: 0.0, y: 0.0 }, 12.0 * 48.0, 8.0 * 48.0, &Paint::fill(NIGHT.background));
        for (i, variant) in catalogue.variants().iter().enumerate() {
            let corner = Point { x: (i % 12) as f64 * 48.0 + 8.0, y: (i / 12) as f64 * 48.0 + 40.0 };
            let view = View::with_origin_at(corner, 32.0);
            paint_variant(canvas, &view, variant, (0, 0), NIGHT);
            paint_variant_normals(canvas, &view, variant, (0, 0), NIGHT);
        }
    }
    paint(&mut svg, &catalogue);
    paint(&mut mesh, &catalogue);
    check("variants", &mesh, &svg);
}

fn frame(cache: &mut TerrainCache, painter: &TerrainPainter<'_>) -> Mesh {
    let mut mesh = Mesh::new();
    cache.append_to(&mut mesh, painter, &Pass::ALL, Region::of(painter.map()), 0.0, 0.0);
    mesh
}

#[test]
fn meshes_that_a_tile_edit_changes_are_made_again() {
    let map = crowded_map();
    let ((left, bottom), (columns, rows)) = (map.origin(), map.size());
    let (mut terrain, mut cache) = (Terrain::bake(&map), TerrainCache::new(8.0));
    frame(&mut cache, &TerrainPainter::new(&map, &terrain, NIGHT));
    let mut numbers = Random(0x5EED_0703);
    let mut random = |below: u32| numbers.below(below.into()) as u32;
    for edit in 0..60 {
        // Each tile is within two tiles of a chunk border, on either side.
        let near = |at: i32, off: u32| (at.div_euclid(CHUNK) * CHUNK + off as i32 - 2).max(bottom);
        let off = random(4);
        let tile = (left + random(columns) as i32, near(bottom + random(rows) as i32, off));
        terrain.set_tile(0, tile, TileId(random(map.kinds().len() as u32) as u16)).expect("a tile of the map");
        cache.invalidate(tile);
        let painter = TerrainPainter::new(&map, &terrain, NIGHT);
        let fresh = frame(&mut TerrainCache::new(8.0), &painter);
        assert!(frame(&mut cache, &painter) == fresh, "edit {edit} at {tile:?}");
    }
}

#[test]
fn edited_tiles_of_layers_that_do_not_collide_are_shown() {
    let map = layered_map();
    let near = map.find_tile('#').expect("a block");
    let mut world = World::new(map, Settings::default());
    let mut cache = TerrainCache::new(16.0);
    let before = frame(&mut cache, &TerrainPainter::of_world(&world, NIGHT));
    world.set_tile(2, (10, -1), near).expect("a tile of the map");
    world.set_tile(0, (11, 0), near).expect("a tile of the map");
    let stale = frame(&mut cache, &TerrainPainter::of_world(&world, NIGHT));
    assert!(stale == before);
    cache.invalidate((10, -1));
    cache.invalidate((11, 0));
    let mut edited = layered_map();
    edited.set_tile(2, (10, -1), near).expect("a tile of the map");
    edited.set_tile(0, (11, 0), near).expect("a tile of the map");
    let terrain = Terrain::bake(&edited);
    let expected = frame(&mut TerrainCache::new(16.0), &TerrainPainter::new(&edited, &terrain, NIGHT));
    let after = frame(&mut cache, &TerrainPainter::of_world(&world, NIGHT));
    assert!(after == expected && after != before);
}

#[test]
fn only_meshes_of_visible_chunks_and_passes_are_made() {
    let map = crowded_map();
    let terrain = Terrain::bake(&map);
    let painter = TerrainPainter::new(&map, &terrain, NIGHT);
    let mut cache = TerrainCache::new(16.0);
    let seen = Region::spanning((2, 2), (13, 14));
    cache.append_to(&mut Mesh::new(), &painter, &[Pass::Solids], seen, 0.0, 0.0);
    let made: Vec<_> = cache.chunks.iter().map(|(&chunk, own)| (chunk, own.meshes.iter().flatten().count())).collect();
    assert_eq!(made, [((0, 0), 1)]);
    // The window reaches the left border of its chunk, so shapes of the next chunk can extend into the window.
    let seen = Region::spanning((0, 2), (13, 14));
    cache.append_to(&mut Mesh::new(), &painter, &[Pass::Solids, Pass::Rim], seen, 0.0, 0.0);
    assert_eq!(cache.chunks.keys().copied().collect::<Vec<_>>(), [(-1, 0), (0, 0)]);
    cache.set_scale(16.0);
    assert_eq!(cache.chunks.len(), 2);
    cache.set_scale(17.0);
    assert_eq!((cache.chunks.len(), cache.scale()), (0, 17.0));
}

use super::*;
use crate::error::DrawError;
use crate::map::{MapStyle, draw_map_art};
use crate::palette::{Color, Palette};
use crate::png::{color_at, render_pixels};
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8};
use surefoot::io::ReadError;
use surefoot::prelude::Settings;

/// A folder with a map, its art file and a picture. Removed at the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Returns the picture in which each letter is a pixel: `.` is clear, and letters are shades of grey.
fn pixels(rows: &[&str]) -> Pixmap {
    let mut picture = Pixmap::new(rows[0].len() as u32, rows.len() as u32).unwrap();
    for (pixel, letter) in picture.pixels_mut().iter_mut().zip(rows.iter().flat_map(|row| row.bytes())) {
        if letter != b'.' {
            *pixel = PremultipliedColorU8::from_rgba(letter, letter, letter, 255).unwrap();
        }
    }
    picture
}

/// Returns the letters of a picture that is made of pixels of [`pixels`].
fn letters(picture: &Pixmap) -> Vec<String> {
    let letter = |pixel: &PremultipliedColorU8| if pixel.alpha() == 0 { '.' } else { char::from(pixel.red()) };
    picture.pixels().chunks(picture.width() as usize).map(|row| row.iter().map(letter).collect()).collect()
}

fn write(name: &str, art: &str, picture: &[&str]) -> Folder {
    let folder = Folder(std::env::temp_dir().join(format!("surefoot-art-{name}-{}", std::process::id())));
    std::fs::create_dir_all(folder.0.join("sub")).unwrap();
    std::fs::write(folder.0.join("a.art.ron"), art).unwrap();
    std::fs::write(folder.0.join("a.png"), pixels(picture).encode_png().unwrap()).unwrap();
    folder
}

/// Shows a map once. Returns the cells, from back to front.
fn cells_of(art: &Art, map: &Map) -> Vec<CellPicture> {
    let mut cells = Vec::new();
    let layers = ArtLayers { region: Region::of(map), in_front: false, seconds: 0.0 };
    art.show_map(map, &Terrain::bake(map), layers, &mut |cell| cells.push(cell));
    cells
}

#[test]
fn files_in_memory_give_the_art_of_the_disk() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/art");
    let map = Map::load(folder.join("cave.ron")).unwrap();
    let disk = Art::load(folder.join("cave.ron"), &map).unwrap().unwrap();
    let bytes = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let mut files: BTreeMap<PathBuf, Vec<u8>> =
        ["cave.art.ron", "cave.png"].map(|name| (Path::new("levels").join(name), bytes(name))).into();
    let memory = Art::from_memory("levels/cave.ron", &map, &files).unwrap().unwrap();
    assert_eq!(memory.picture(), disk.picture());
    assert_eq!((memory.picture_size(), memory.pixels()), (disk.picture_size(), disk.pixels()));
    let cells = cells_of(&memory, &map);
    assert!(cells.iter().any(|cell| matches!(cell, CellPicture::Sprite(_))));
    assert_eq!(cells, cells_of(&disk, &map));
    assert_eq!(memory.shows_areas("coin"), disk.shows_areas("coin"));

    // If the path of the map has no folder, the files are found by their bare names.
    let own = files.iter().map(|(path, bytes)| (path.file_name().unwrap().into(), bytes.clone())).collect();
    let own = Art::from_memory("cave.ron", &map, &own).unwrap().unwrap();
    assert_eq!(cells_of(&own, &map), cells);

    files.remove(Path::new("levels/cave.png"));
    let error = Art::from_memory("levels/cave.ron", &map, &files).unwrap_err().to_string();
    assert_eq!(error, "levels/cave.png: there is no such file in memory; expected a picture in PNG");
    files.insert("levels/cave.png".into(), vec![0; 1 + MAX_PICTURE as usize]);
    let error = Art::from_memory("levels/cave.ron", &map, &files).unwrap_err();
    assert!(matches!(error.problem(), ArtProblem::Read(ReadError::TooLarge { .. })), "{error}");
    let outside = Map::from_ron(r#"Map(format: 1, properties: {"art": "../cave.art.ron"}, tiles: ["."])"#).unwrap();
    let error = Art::from_memory("levels/cave.ron", &outside, &files).unwrap_err();
    assert!(matches!(error.problem(), ArtProblem::Outside { .. }), "{error}");
}

fn load(folder: &Folder, map: &str) -> (Map, Result<Option<Art>, ArtError>) {
    let map = Map::from_ron(map).unwrap();
    let art = Art::load(folder.0.join("a.ron"), &map);
    (map, art)
}

/// Returns the letters of a map that shows tiles with pieces only.
fn shown(name: &str, fields: &str, picture: &[&str], map: &str, seconds: f64) -> Vec<String> {
    let folder = write(name, &format!("Art(format: 1, picture: \"a.png\", pixels: 2, {fields})"), picture);
    let (map, art) = load(&folder, &format!("Map(format: 1, properties: {{\"art\": \"a.art.ron\"}}, {map})"));
    let art = art.unwrap().unwrap();
    let mut cells = Vec::new();
    let terrain = Terrain::bake(&map);
    for in_front in [false, true] {
        let layers = ArtLayers { region: Region::of(&map), in_front, seconds };
        art.show_map(&map, &terrain, layers, &mut |cell| cells.push(cell));
    }
    let mut of_world = Vec::new();
    for in_front in [false, true] {
        let layers = ArtLayers { region: Region::of(&map), in_front, seconds };
        art.show_world(&World::from_map(map.clone(), Settings::default()), layers, &mut |cell| of_world.push(cell));
    }
    assert_eq!(cells, of_world);
    let source = picture::decode_art(&art).unwrap();
    letters(picture::compose_layer(&source, 2, Region::of(&map), &cells).unwrap().unwrap().pixels())
}

#[test]
fn pieces_are_mirrored_and_turned_with_their_tiles() {
    let fields = r##"tiles: {"slope_45": Piece(1, 0), "#": Piece(0, 0)}"##;
    // The first slope is not turned, the others by a quarter turn clockwise, a half turn, and a quarter turn
    // counterclockwise.
    let rows = shown("turns", fields, &["##ab", "##cd"], r##"tiles: ["/\\'`", "#..."]"##, 0.0);
    assert_eq!(rows, ["abcadcbd", "cddbbaac", "##......", "##......"]);
    let low = r#"tiles: {"half_slope_low": Piece(1, 0)}"#;
    // `4` is the mirror of `1`.
    assert_eq!(shown("mirror", low, &["##ab", "##cd"], r#"tiles: ["14"]"#, 0.0), ["abba", "cddc"]);
}

#[test]
fn sprites_of_several_pictures_make_a_new_picture() {
    let pictures = [&["ab..", "cd.."][..], &["....", "wx.."]].map(|rows| pixels(rows).encode_png().unwrap());
    // Each list gives points of the picture for the corners of a tile, from its lower left corner on.
    let plain = [(0, 2), (2, 2), (2, 0), (0, 0)];
    let turned = [(2, 2), (2, 0), (0, 0), (0, 2)];
    let sprite = |picture: usize, at: (f64, f64), corners| {
        (picture, Sprite { corner: dvec2(at.0, at.1), side: 1.0, picture: corners })
    };
    // Far outside of the picture there is nothing to show.
    let outside = plain.map(|(x, y)| (x + 100, y + 100));
    let sprites = [
        sprite(0, (0.0, 1.0), plain),
        sprite(0, (1.0, 1.0), turned),
        sprite(0, (0.0, 0.0), plain),
        sprite(1, (0.0, 0.0), plain),
        sprite(1, (1.0, 0.0), outside),
    ];
    let png = draw_sprites(&pictures, &sprites, (2, 2), 2).unwrap();
    let drawn = letters(&Pixmap::decode_png(&png).unwrap());
    // Turned clockwise, the lower left pixel `c` comes to the upper left.
    assert_eq!(drawn, ["abca", "cddb", "ab..", "wx.."]);
    assert!(matches!(draw_sprites(&[b"GIF".to_vec()], &[], (1, 1), 2), Err(DrawError::Decode { .. })));
}

#[test]
fn symbols_count_before_areas_and_tiles() {
    let map =
        r##"legend: {'w': (area: (tag: "water", join: true)), 'x': "full_block", 'y': "full_block"}, tiles: ["wxy#"]"##;
    let fields = r#"tiles: {"x": Piece(0, 0), "full_block": Piece(1, 0), "area water": Piece(2, 0)}"#;
    assert_eq!(shown("keys", fields, &["aabbcc", "aabbcc"], map, 0.0), ["ccaabbbb", "ccaabbbb"]);
}

#[test]
fn frames_follow_each_other_and_begin_again() {
    let fields = r##"frame_seconds: 0.5, tiles: {"#": Frames([(0, 0), (2, 0), (1, 0)])}"##;
    let at = |seconds| shown("frames", fields, &["aabbcc", "aabbcc"], r##"tiles: ["#"]"##, seconds).remove(0);
    assert_eq!([0.0, 0.49, 0.5, 1.0, 1.5, -1.0].map(at), ["aa", "aa", "cc", "bb", "aa", "aa"]);
}

#[test]
fn joined_tiles_choose_their_quarters_by_neighbours() {
    // The picture has five pieces, and each pixel of a piece is the number of the piece. A drawn tile has 2 x 2 pixels.
    // So each pixel is a quarter, and shows the number of the piece for this quarter.
    let picture = ["0011223344", "0011223344"];
    let fields = r##"tiles: {"#": Joined(0, 0)}"##;
    let corner = shown("corner", fields, &picture, r###"tiles: ["##", "#."]"###, 0.0);
    assert_eq!(corner, ["0110", "2310", "22..", "00.."]);
    assert_eq!(shown("square", fields, &picture, r###"tiles: ["##", "##"]"###, 0.0), ["0110", "2442", "2442", "0110"]);
    // A slope is solid along the block, so the block joins it; a solid border joins too.
    let slope = r##"border: (bottom: Solid), tiles: ["#\\"]"##;
    assert_eq!(shown("slope", fields, &picture, slope, 0.0), ["01..", "24.."]);
    // Tiles that are not solid join tiles of the same kind.
    let water = r#"legend: {'w': (area: (tag: "water", join: true))}, tiles: ["ww"]"#;
    assert_eq!(shown("water", r#"tiles: {"w": Joined(0, 0)}"#, &picture, water, 0.0), ["0110", "0110"]);
}

/// All neighbourhoods of a block at once: 16 x 16 squares of 3 x 3 cells with a gap, in which the middle is solid. Each
/// quarter of a tile has its side next to it, the side above or below it, and the corner between them.
#[test]
fn joined_tiles_fit_all_neighbourhoods() {
    const AROUND: [(usize, usize); 8] = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)];
    let mut solid = vec![[false; 64]; 64];
    for number in 0..256 {
        let (left, top) = (number % 16 * 4, number / 16 * 4);
        solid[top + 1][left + 1] = true;
        for (bit, (x, y)) in AROUND.into_iter().enumerate() {
            solid[top + y][left + x] = number >> bit & 1 == 1;
        }
    }
    let rows: Vec<String> =
        solid.iter().map(|row| row.iter().map(|solid| if *solid { '#' } else { '.' }).collect()).collect();
    let is_solid = |x: i32, y: i32| (0..64).contains(&x) && (0..64).contains(&y) && solid[y as usize][x as usize];
    // Returns the expected piece at a pixel of the picture, which has two pixels a tile.
    let quarter = |x: i32, y: i32| {
        let (column, row) = (x / 2, y / 2);
        if !is_solid(column, row) {
            return '.';
        }
        let (dx, dy) = (x % 2 * 2 - 1, y % 2 * 2 - 1);
        match (is_solid(column + dx, row), is_solid(column, row + dy), is_solid(column + dx, row + dy)) {
            (false, false, _) => '0',
            (true, false, _) => '1',
            (false, true, _) => '2',
            (true, true, false) => '3',
            (true, true, true) => '4',
        }
    };
    let expected: Vec<String> = (0..128).map(|y| (0..128).map(|x| quarter(x, y)).collect()).collect();
    let fields = r##"tiles: {"#": Joined(0, 0)}"##;
    let picture = ["0011223344", "0011223344"];
    assert_eq!(shown("neighbourhoods", fields, &picture, &format!("tiles: {rows:?}"), 0.0), expected);
}

#[test]
fn higher_layers_are_over_lower_ones_and_clear_pixels_show_them() {
    let map = r##"layers: [(name: "back", collides: false, tiles: ["#="]), (name: "ground", tiles: [".#"]), (name: "front", collides: false, tiles: ["=="])]"##;
    let fields = r##"tiles: {"#": Piece(0, 0), "=": Piece(1, 0)}"##;
    assert_eq!(shown("layers", fields, &["aab.", "aa.b"], map, 0.0), ["baba", "abab"]);
}

#[test]
fn a_drawn_map_has_pieces_and_plain_tiles() {
    let folder =
        write("drawn", r##"Art(format: 1, picture: "a.png", pixels: 2, tiles: {"#": Piece(0, 0)})"##, &["ab", "cd"]);
    let map = r##"Map(format: 1, properties: {"art": "a.art.ron"}, tiles: ["#..", "..+"],
        platforms: [(name: "lift", at: (2.5, 1.0), tiles: ["#"])])"##;
    let (map, art) = load(&folder, map);
    let (art, terrain) = (art.unwrap().unwrap(), Terrain::bake(&map));
    let svg = draw_map_art(&map, &terrain, &art, &MapStyle { margin: 0.0, ..MapStyle::default() }).unwrap();
    let picture = render_pixels(&svg, 1.0).unwrap();
    let grey = |letter: u8| Color([letter; 3]);
    // The piece has 2 x 2 pixels, so each of its pixels fills 16 x 16 pixels of the drawn tile.
    for (x, y, letter) in [(0, 0, b'a'), (15, 15, b'a'), (16, 0, b'b'), (31, 31, b'd'), (0, 31, b'c')] {
        assert_eq!(color_at(&picture, x, y), grey(letter), "{x} {y}");
    }
    // The platform begins at x = 2.5 tiles, which is pixel 80.
    assert_eq!([79, 80, 95].map(|x| color_at(&picture, x, 1)), [Palette::NIGHT.background, grey(b'a'), grey(b'a')]);
    // The art has no piece for the stud (`+`), so the stud is drawn plain.
    assert_eq!(color_at(&picture, 80, 48), Palette::NIGHT.solid);
    assert_eq!(color_at(&picture, 40, 48), Palette::NIGHT.background);
}

#[test]
fn areas_whose_cells_have_pieces_have_no_other_picture() {
    let folder = write(
        "areas",
        r##"Art(format: 1, picture: "a.png", pixels: 2, tiles: {"area coin": Piece(0, 0)})"##,
        &["ab", "cd"],
    );
    let area = |tag: &str| format!(r#"(area: (tag: "{tag}", shape: Circle(0.3)))"#);
    let map = format!(
        r#"Map(format: 1, properties: {{"art": "a.art.ron"}}, legend: {{'c': {}, 'k': {}}}, tiles: ["ck"])"#,
        area("coin"),
        area("key")
    );
    let (map, art) = load(&folder, &map);
    let art = art.unwrap().unwrap();
    assert_eq!(["coin", "key"].map(|tag| art.shows_areas(tag)), [true, false]);
    let svg = draw_map_art(&map, &Terrain::bake(&map), &art, &MapStyle::default()).unwrap();
    assert_eq!(crate::svg::tests::groups(&svg, "area").len(), 1);
}

/// Errors name the file and the place in the file.
#[test]
fn wrong_art_is_refused() {
    let whole = |tiles: &str| format!("Art(format: 1, picture: \"a.png\", pixels: 2, tiles: {{{tiles}}})");
    let cases = [
        (
            whole("\"#\": Piece(2, 0)"),
            "a.art.ron: \"#\": the piece (2, 0); expected a piece of the picture, which has 2 columns and 1 rows",
        ),
        (
            whole("\"#\": Joined(0, 0)"),
            "a.art.ron: \"#\": the piece (4, 0); expected a piece of the picture, which has 2 columns and 1 rows",
        ),
        (
            whole("\"#\": Joined(4294967295, 0)"),
            "a.art.ron: \"#\": the piece (4294967295, 0); expected a piece of the picture, which has 2 columns and 1 rows",
        ),
        (
            whole("\"#\": Frames([])"),
            "a.art.ron: \"#\": no frames; expected at least one piece, such as Frames([(0, 0)])",
        ),
        (whole("\"slope\": Piece(0, 0)"), "a.art.ron: \"slope\": "),
        (
            whole("\"#\": Piece(0, 0),\n \"#\": Piece(1, 0)"),
            "a.art.ron:2:3: the tile \"#\" stands here twice; expected each tile once",
        ),
        (
            whole("\n\"#\": Tile(0, 0)"),
            "a.art.ron:2:6: Unexpected variant named `Tile` in enum `pieces`, expected one of `Piece`, `Frames`, or `Joined`",
        ),
        (whole("").replace("pixels: 2", "pixels: 0"), "a.art.ron: \"pixels\": 0; expected 1 to 256"),
        (
            whole("").replace("pixels: 2", "frame_seconds: 0.0"),
            "a.art.ron: \"frame_seconds\": 0; expected at least 0.001",
        ),
        (whole("").replace("format: 1", "format: 2"), "a.art.ron: \"format\": 2; expected 1"),
        (whole("").replace("pixels: 2", "side: 2"), "a.art.ron:1:"),
        (
            whole("").replace("a.png", "../a.png"),
            "a.art.ron: the file \"../a.png\" is not in the folder of this file or below it; expected a path such as \"cave.art.ron\"",
        ),
        (whole("").replace("a.png", "a.art.ron"), "a.art.ron: the picture is not a PNG of at most 8192 x 8192 pixels"),
        (whole("").replace("a.png", "b.png"), "b.png: "),
        (
            whole("\"#\": Joined(0, 0)").replace("pixels: 2", "pixels: 1"),
            "a.art.ron: \"#\": quarters of pieces of 1 pixels; expected an even number of pixels",
        ),
    ];
    for (index, (art, expected)) in cases.iter().enumerate() {
        let folder = write(&format!("wrong{index}"), art, &["abcd", "abcd"]);
        let (_, result) = load(&folder, r#"Map(format: 1, tiles: ["."], properties: {"art": "a.art.ron"})"#);
        let error = result.expect_err(art).to_string().replace(&format!("{}/", folder.0.display()), "");
        assert!(error.starts_with(expected), "{error}\n{expected}");
    }
    let folder = write("wrong_map", "", &["a"]);
    let of_property = |property: &str| {
        load(&folder, &format!(r#"Map(format: 1, tiles: ["."], properties: {{"art": {property}}})"#)).1
    };
    let error = |property: &str| of_property(property).unwrap_err().to_string();
    assert!(error("1").ends_with("a.ron: the property `art` is not a text; expected the name of an art file"));
    for outside in [r#""/etc/a.art.ron""#, r#""../a.art.ron""#, r#""sub\\a.ron""#, r#""""#] {
        assert!(error(outside).contains("is not in the folder of this file or below it"), "{outside}");
    }
    assert!(load(&folder, r#"Map(format: 1, tiles: ["."])"#).1.unwrap().is_none());
}

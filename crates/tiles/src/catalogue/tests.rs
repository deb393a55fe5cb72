//! Tests of catalogues that are refused, and of the error messages.

use super::*;

/// Returns a catalogue of one solid pattern with these paths.
fn solid(paths: &str) -> String {
    format!("Catalogue(format: 1, patterns: [\n(name: \"a\", kind: Solid, paths: [{paths}]),\n])")
}

fn of_kind(kind: &str, paths: &str) -> String {
    solid(paths).replace("Solid", kind)
}

/// Returns a catalogue of complete patterns, one per line.
fn patterns(all: &[&str]) -> String {
    format!("Catalogue(format: 1, patterns: [\n{}\n])", all.join(",\n"))
}

fn errors(text: &str) -> CatalogueErrors {
    Catalogue::from_ron(text).expect_err(text)
}

/// Expects these messages in this order. For an expected line that ends in `...`, only the beginning must match.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let found = errors(text);
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    let same = |(found, expected): (&String, &&str)| match expected.strip_suffix("...") {
        Some(start) => found.starts_with(start),
        None => found == expected,
    };
    assert!(found.len() == expected.len() && found.iter().zip(expected).all(same), "{text}\ngives\n{found:#?}");
    assert!(found.iter().all(|line| !line.contains('\n')), "{found:#?}");
}

#[test]
fn the_form_of_the_file() {
    check("", &["line 1, column 1: the file ends here; expected ..."]);
    check("Catalogue(format: 2, tiles: {})", &["line 1, column 19: the catalogue has format 2; expected format 1"]);
    check(
        "Catalogue(patterns: [])",
        &[
            "line 1, column 1: `format` is missing in `Catalogue`; expected `format: 1`",
            "line 1, column 21: the catalogue has...",
        ],
    );
    let none = "line 1, column 32: the catalogue has no patterns; expected at least one";
    check("Catalogue(format: 1, patterns: [])", &[none]);
    check(
        "Catalogue(format: 1, patterns: [(name: \"a\")])",
        &[
            "line 1, column 43: `kind` is missing in `Pattern`...",
            "line 1, column 43: `paths` is missing in `Pattern`...",
        ],
    );
    check(&of_kind("Solids", ""), &["line 2, column 19: unknown name `Solids`; did you mean `Solid`?"]);
    check(&solid("[(0, 0), (16, 0.5), (0, 3)]"), &["line 2, column 48: expected an integer; found `0.5`"]);
    check(
        &solid("[(0, 0), (16), (0, 3)]"),
        &["line 2, column 43: expected an x and a y, such as (0, 0); found 1 value"],
    );
    let huge = "line 2, column 44: `99999999999999999999` is out of range; expected 0 to 16";
    check(&solid("[(0, 0), (99999999999999999999, 3), (0, 3)]"), &[huge]);
    check(
        &solid("], colour: 3, x: ["),
        &[
            "line 2, column 33: pattern `a` has no paths; expected at least one",
            "line 2, column 37: unknown field `colour` in `Pattern`; expected one of `name`, `kind`, `paths`, `use`, `variants`",
            "line 2, column 48: unknown field `x` in `Pattern`; expected one of `name`, `kind`, `paths`, `use`, `variants`",
        ],
    );
    let open = "(name: \"a\", kind: Open, paths: [[(0, 0), (1, 1)]])";
    check(&patterns(&[open; 4097]), &["line 1, column 32: the catalogue has 4097 patterns; expected at most 4096"]);
}

#[test]
fn names() {
    let named = |name: &str, y: usize| format!("(name: {name:?}, kind: Open, paths: [[(0, {y}), (16, 16)]])");
    let names = ["a", "slope m r1", "a", "r1", "", "x y", "a-b", &"n".repeat(65), "m", "r4", "über_1"];
    let all: Vec<String> = names.iter().enumerate().map(|(i, name)| named(name, i)).collect();
    let placements =
        "ends with `m` or `r0` to `r3`, which maps write after a name to mirror or turn the tile; expected";
    let form = "is invalid; expected 1 to 64 letters, digits and underscores";
    let expected = [
        format!("line 3, column 8: pattern name \"slope m r1\" {placements} the name without them: \"slope\""),
        "line 4, column 8: pattern `a` occurs twice, first as pattern 1 of the list; expected different names"
            .to_owned(),
        format!("line 5, column 8: pattern name \"r1\" {placements} another name"),
        format!("line 6, column 8: pattern name \"\" {form}"),
        format!("line 7, column 8: pattern name \"x y\" {form}"),
        format!("line 8, column 8: pattern name \"a-b\" {form}"),
        format!("line 9, column 8: pattern name \"{}\" {form}", "n".repeat(65)),
        format!("line 10, column 8: pattern name \"m\" {placements} another name"),
    ];
    check(&patterns(&all.each_ref_str()), &expected.each_ref_str());
    let block = solid("[(0, 8), (16, 8), (16, 0), (0, 0)]").replace("\"a\"", "\"full_block\"");
    check(
        &block,
        &[
            "line 2, column 42: pattern `full_block` is not a solid block that fills the whole tile; expected `kind: Solid, ...",
        ],
    );
}

#[test]
fn paths_and_points() {
    check(&solid(""), &["line 2, column 33: pattern `a` has no paths; expected at least one"]);
    check(
        &solid("[]"),
        &["line 2, column 34: pattern `a`, path 1 has 0 points; expected at least 3 for a closed outline"],
    );
    check(
        &solid("[(0, 0), (16, 16)]"),
        &["line 2, column 34: pattern `a`, path 1 has 2 points; expected at least 3 for a closed outline"],
    );
    check(&of_kind("Open", "[(0, 0)]"), &["line 2, column 33: pattern `a`, path 1 has 1 point; expected at least 2"]);
    check(
        &solid("[(0, 0), (16, 17), (200, -1)]"),
        &[
            "line 2, column 43: pattern `a`, path 1, point 2: (16, 17) is outside the tile; expected coordinates from 0 to 16, in sixteenths of a tile",
            "line 2, column 53: pattern `a`, path 1, point 3: (200, -1) is outside the tile; expected coordinates from 0 to 16, in sixteenths of a tile",
        ],
    );
    let twice = "line 2, column 53: pattern `a`, path 1, point 3 repeats the point before it; \
        expected neighbouring points to differ";
    check(&solid("[(0, 0), (16, 16), (16, 16), (16, 0)]"), &[twice]);
    let closed = "line 2, column 62: pattern `a`, path 1, point 4 repeats point 1; expected an outline without ...";
    check(&solid("[(0, 0), (16, 16), (16, 0), (0, 0)]"), &[closed]);
    // Each edge of a wall counts twice, so 128 edges are too many. A one-way path may have 255 edges.
    let zigzag = |points: usize| (0..points).map(|i| format!("({}, {}), ", i % 16, i / 16)).collect::<String>();
    let many = "pattern `a` has 256 edges (each edge of a wall counts twice, once per side); expected at most 255";
    check(&of_kind("Wall", &format!("[{}]", zigzag(129))), &[&format!("line 2, column 32: {many}")]);
    let many = "line 2, column 32: pattern `a` has 256 edges; expected at most 255";
    check(&of_kind("Open", &format!("[{}(16, 16)]", zigzag(256))), &[many]);
    assert!(Catalogue::from_ron(&of_kind("Open", &format!("[{}]", zigzag(256)))).is_ok());
}

#[test]
fn outlines() {
    let turned = "line 2, column 34: pattern `a`, path 1 runs counterclockwise, with the solid on its left; expected clockwise points, ...";
    check(&solid("[(0, 0), (16, 0), (16, 16)]"), &[turned]);
    // Edges 1 and 3 lie on the lines y = x and y = 12 - 3/4 x.
    let crossing = "line 2, column 53: pattern `a`, path 1, edges 1 and 3 cross at (6.86, 6.86); expected edges ...";
    check(&solid("[(0, 0), (16, 16), (16, 0), (0, 12)]"), &[crossing]);
    let back = "line 2, column 61: pattern `a`, path 1, edges 3 and 4 overlap from (8, 12) to (8, 8); \
        expected a path that does not turn back on itself";
    check(&solid("[(0, 0), (0, 16), (8, 16), (8, 8), (8, 12), (16, 12), (16, 0)]"), &[back]);
    let touches = "line 2, column 70: pattern `a`, path 1, edges 1 and 5: the outline touches itself at (8, 8); \
        expected two separate outlines that touch there";
    check(&solid("[(0, 8), (8, 8), (8, 16), (16, 16), (16, 8), (8, 8), (8, 0), (0, 0)]"), &[touches]);
    let flat = "line 2, column 51: pattern `a`, path 1, edges 1 and 3 overlap from (0, 0) to (8, 8); ...";
    check(&solid("[(0, 0), (8, 8), (16, 16)]"), &[flat]);
    let inside = "line 2, column 68: pattern `a`, paths 1 and 2: one outline is inside the other; expected outlines that do not ...";
    check(&solid("[(0, 8), (8, 8), (8, 0), (0, 0)], [(2, 6), (6, 6), (6, 2), (2, 2)]"), &[inside]);
    // The next text has the same two outlines in reverse order. In the text after it, two vertices of the inner outline
    // touch vertices of the outer one.
    check(&solid("[(2, 6), (6, 6), (6, 2), (2, 2)], [(0, 8), (8, 8), (8, 0), (0, 0)]"), &[inside]);
    let through = "line 2, column 70: pattern `a`, paths 1 and 2: one outline is inside the other; ...";
    check(&solid("[(8, 0), (0, 8), (8, 16), (16, 8)], [(0, 8), (8, 10), (16, 8), (8, 6)]"), &[through]);
    let cross = "line 2, column 97: pattern `a`, path 1, edge 1 and path 2, edge 4 cross at (4, 8); ...";
    check(&solid("[(0, 8), (8, 8), (8, 0), (0, 0)], [(4, 12), (12, 12), (12, 4), (4, 4)]"), &[cross]);
    let beside = "line 2, column 97: pattern `a`, path 1, edge 2 and path 2, edge 4 overlap from (8, 8) \
        to (8, 4); expected edges that share no part";
    check(&solid("[(0, 8), (8, 8), (8, 0), (0, 0)], [(8, 12), (12, 12), (12, 4), (8, 4)]"), &[beside]);
    // Outlines that touch in points, corner to corner or corner to side, are valid.
    let corners = "[(0, 8), (8, 8), (8, 0), (0, 0)], [(8, 16), (16, 16), (16, 8), (8, 8)], [(12, 0), (12, 8), (16, 4)]";
    assert!(Catalogue::from_ron(&solid(corners)).is_ok());
}

#[test]
fn runs_of_edges() {
    let cross = "line 2, column 54: pattern `a`, path 1, edge 1 and path 2, edge 1 cross at (8, 8); expected both \
        paths to have a point there";
    check(&of_kind("Wall", "[(0, 0), (16, 16)], [(0, 16), (16, 0)]"), &[cross]);
    // The edges lie on y = 7/16 x and y = 8 - 6/16 x, which cross at x = 128/13.
    let cross = "line 2, column 53: pattern `a`, path 1, edge 1 and path 2, edge 1 cross at (9.85, 4.31); ...";
    check(&of_kind("Open", "[(0, 0), (16, 7)], [(0, 8), (16, 2)]"), &[cross]);
    let opposite = "line 2, column 53: pattern `a`, path 1, edge 1 and path 2, edge 1 overlap from ...";
    check(&of_kind("Open", "[(0, 0), (16, 8)], [(8, 4), (0, 0)]"), &[opposite]);
    let back = "line 2, column 42: pattern `a`, path 1, edges 1 and 2 overlap from (4, 4) to (8, 8); ...";
    check(&of_kind("Wall", "[(0, 0), (8, 8), (4, 4)]"), &[back]);
    // Rings are valid, and so is an end that lies on another edge.
    for fine in ["[(0, 0), (0, 8), (8, 0), (0, 0)]", "[(0, 8), (16, 8)], [(8, 8), (8, 0)]"] {
        assert!(
            Catalogue::from_ron(&of_kind("Wall", fine)).is_ok() && Catalogue::from_ron(&of_kind("Open", fine)).is_ok()
        );
    }
}

#[test]
fn orbits() {
    let wrong = patterns(&[
        "(name: \"a\", kind: Open, variants: 4, paths: [[(0, 0), (16, 4)]])",
        // Pattern `b` is pattern `a` upside down, with an additional point on a straight edge.
        "(name: \"b\", kind: Open, paths: [[(16, 12), (8, 14), (0, 16)]])",
        "(name: \"c\", kind: Wall, variants: 4, paths: [[(0, 0), (16, 4)]])",
        "(name: \"d\", kind: Wall, variants: 2, paths: [[(0, 0), (16, 16)]])",
    ]);
    check(
        &wrong,
        &[
            "line 2, column 35: pattern `a` has 8 variants (mirrored and turned), but the file says 4; expected `variants: 8`, or no such field",
            "line 3, column 8: pattern `b` has the same shape as `a m r2`; expected each shape once; maps can write `a m r2` for it",
            "line 4, column 35: pattern `c` has 8 variants (mirrored and turned), but the file says 4; expected `variants: 8`, or no such field",
        ],
    );
}

#[test]
fn up_to_a_hundred_mistakes_of_a_file_are_reported() {
    let one = "(name: \"\", kind: Solid, paths: [[(0, 17), (0, 0)], [(0, 0), (0, 0), (1, 1), (1, 0)]])";
    let found = errors(&patterns(&[one, one]));
    assert_eq!(found.iter().map(|error| error.position.unwrap().0).collect::<Vec<_>>(), [2, 2, 2, 2, 3, 3, 3, 3]);
    assert_eq!(errors(&patterns(&[one; 40])).len(), CatalogueErrors::MAX);
    let named = Catalogue::from_ron(&patterns(&[one])).unwrap_err().in_file("x.ron");
    assert!(named.to_string().starts_with("x.ron:2:8: pattern name \"\" is invalid"), "{named}");
    // Patterns from a program have no position in a file.
    let pattern =
        Pattern { name: "m".to_owned(), kind: PatternKind::Open, purpose: String::new(), paths: vec![vec![(0, 0)]] };
    let errors = Catalogue::new(vec![pattern]).unwrap_err();
    assert_eq!(errors.iter().map(|error| error.position).collect::<Vec<_>>(), [None, None]);
    assert!(errors[1].to_string().starts_with("pattern `m`, path 1 has 1 point"));
}

#[test]
fn errors_of_shapes_have_a_drawing() {
    let found = errors(&solid("[(0, 0), (16, 16), (16, 0), (0, 12)]"));
    let expected = "\
16  .       .       .       .       2
                                  / |
                                /   |
                              /     |
12  4-      .       .       /       |
    | ---                 /         |
    |    --             /           |
    |      ---        /             |
 8  |       . ---   >       .       v
    |            -X                 |
    v           /  -<-              |
    |         /       ---           |
 4  |       /       .    -- .       |
    |     /                ---      |
    |   /                     ---   |
    | /                          -- |
 0  1       .       .       .      -3
    0       4       8      12      16";
    assert_eq!(found[0].drawing(), Some(expected), "{}", found[0].drawing().unwrap());
    assert_eq!(errors(&solid(""))[0].drawing(), None);
    // The error shows the second of two equal patterns next to the placed first one.
    let two = [
        "(name: \"a\", kind: Wall, paths: [[(8, 0), (8, 16)]])",
        "(name: \"b\", kind: Wall, paths: [[(0, 8), (16, 8)]])",
    ];
    let drawing = errors(&patterns(&two))[0].drawing().unwrap().to_owned();
    assert!(drawing.starts_with("    a r1                                      b\n16  .       .  "), "{drawing}");
    assert!(
        drawing.contains("\n 8  1-------------------------------2  8  1-------------------------------2\n"),
        "{drawing}"
    );
}

/// Returns texts as `&str`.
trait EachRefStr {
    fn each_ref_str(&self) -> Vec<&str>;
}

impl EachRefStr for [String] {
    fn each_ref_str(&self) -> Vec<&str> {
        self.iter().map(String::as_str).collect()
    }
}

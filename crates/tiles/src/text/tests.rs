//! Tests of values and their positions.

use super::Step::{Character, Field, Item, Key, Value};
use super::*;

/// Expects the steps to lead to the only `^` in the second text, laid over the first.
fn check(text: &str, marks: &str, steps: &[Step<'_>]) {
    let mut expected = None;
    for (line, row) in marks.lines().enumerate() {
        if let Some(column) = row.chars().position(|c| c == '^') {
            expected = Some((line as u32 + 1, column as u32 + 1));
        }
    }
    assert_eq!(Some(locate(text, steps)), expected, "{steps:?} in\n{text}");
}

#[test]
fn parts_are_found_behind_comments_strings_and_brackets() {
    let text = concat!(
        "#![enable(implicit_some)]\n",
        "/* a: /* ( */ \" */ Map( // b: 1\n",
        "  a: \"),b: \\\" \", c: {'\"': [(1, \")\"), 2], '\\'': r##\"x\"#,\"##, ',': 3},\n",
        "  b: (Some(4), x(y: 5, z: 'ü')),\n",
        ")\n",
    );
    check(text, "\n\n     ^", &[Field("a")]);
    check(text, "\n\n           ^", &[Field("a"), Character(5)]);
    check(text, "\n\n             ^", &[Field("a"), Character(6)]);
    check(text, "\n\n              ^", &[Field("a"), Character(99)]);
    check(text, "\n\n                     ^", &[Field("c"), Key(0)]);
    check(text, "\n\n                          ^", &[Field("c"), Value(0)]);
    check(text, "\n\n                                     ^", &[Field("c"), Value(0), Item(1)]);
    check(text, "\n\n                                               ^", &[Field("c"), Value(1)]);
    check(text, "\n\n                                                    ^", &[Field("c"), Value(1), Character(1)]);
    check(text, "\n\n                                                            ^", &[Field("c"), Key(2)]);
    check(text, "\n\n\n               ^", &[Field("b"), Item(1)]);
    check(text, "\n\n\n                          ^", &[Field("b"), Item(1), Field("z")]);
}

#[test]
fn a_path_to_a_missing_value_ends_at_its_last_existing_part() {
    check("(a: 1)", "    ^", &[Field("a"), Field("b")]);
    check("(a: 1)", "^", &[]);
}

#[test]
fn shapes_of_values_are_recognised() {
    use Shape::{Char, Float, Integer, List, Map, Other, Struct, Text, Tuple, Word};
    let text = concat!(
        "(1, -2_0 /* . */, 7i64, 0x1e, 3.0, 4e5, inf, -inf, 6., 'x', \"a\", r\"b\", r##\"c\"##, b\"d\", b'e', true, rail, r#rail,",
        "[], {}, (), (1,), (a: 1), (/* a: */ a /* : */ : 1), A(1), A /* ( */ (b: 2), A(), Some(1), (rail: 1), (a(1)))"
    );
    let tree = Tree::new(text);
    let shapes: Vec<Shape> = tree.items(tree.root().unwrap()).map(Node::shape).collect();
    let expected = [
        [Integer, Integer, Integer, Integer, Float, Float, Word, Float, Float, Char, Text, Text, Text, Other, Other]
            .to_vec(),
        [Word, Word, Word, List, Map, Tuple, Tuple, Struct, Struct, Tuple, Struct, Tuple, Tuple, Struct, Tuple]
            .to_vec(),
    ];
    assert_eq!(shapes, expected.concat());
}

/// The first value of a text, and the values in it that steps lead to, have these sources.
#[test]
fn a_value_ends_before_space_and_comments() {
    let text = "#![enable(implicit_some)] // (\n(a: 1 /* x */ , b /*:*/ : [\"//\" // y\n , (2 )  ], ) // z";
    let tree = Tree::new(text);
    let source = |steps: &[Step<'_>]| tree.find(steps).map(Node::source);
    assert_eq!(source(&[Field("a")]), Some("1"));
    assert_eq!(source(&[Field("b"), Item(0)]), Some("\"//\""));
    assert_eq!(source(&[Field("b"), Item(1)]), Some("(2 )"));
    assert_eq!(source(&[Key(1)]).map(str::trim), Some("b"));
    assert_eq!(source(&[Field("b"), Item(2)]), None);
    assert!(source(&[]).is_some_and(|whole| whole.starts_with("(a: 1") && whole.ends_with(", )")));
}

#[test]
fn values_before_a_syntax_error_are_readable() {
    for (text, whole, broken) in [
        ("(a: 1, b: [2, 3 4], c: 5)", "2", "3"),
        ("(a: 1, b: [2, \"3", "2", "\"3"),
        ("(a: 1, b: [2, {", "2", "{"),
        ("(a: 1, b: [2, '\\'' \"(\"", "2", "'\\''"),
        ("(a: 1, b: /* [ */ [2 /* , */, (3, ]", "2", "(3, ]"),
    ] {
        let reader = Reader::checked(text);
        let tree = &reader.tree;
        assert_eq!(reader.faults.len(), 1, "{text}");
        let source = |steps: &[Step<'_>]| tree.find(steps).map(Node::source);
        assert_eq!((source(&[Field("a")]), source(&[Field("b"), Item(0)])), (Some("1"), Some(whole)), "{text}");
        assert!(source(&[Field("b"), Item(1)]).is_some_and(|rest| rest.starts_with(broken)), "{text}");
        let list = tree.find(&[Field("b")]).unwrap();
        assert!(tree.is_broken(list) && !tree.is_broken(tree.find(&[Field("a")]).unwrap()), "{text}");
        assert_eq!(source(&[Field("c")]), None, "{text}");
    }
}

#[test]
fn an_integer_field_is_found_in_invalid_ron() {
    assert_eq!(Tree::new("Map(format: 2, <>").integer_field("format"), Some(2));
    assert_eq!(Tree::new("Map(x: [\"format: 3\"], format: /* */ -7)").integer_field("format"), Some(-7));
    for text in ["", "Map(", "Map(format", "Map(format:", "Map(format: \"", "Map(a: (((", "/* /*", "'", "r#"] {
        assert_eq!(Tree::new(text).integer_field("format"), None);
    }
}

#[test]
fn the_length_of_a_raw_name_includes_its_prefix() {
    for (text, name, length) in
        [("r#\u{2c1}r(", "\u{2c1}r", 5), ("Map(", "Map", 3), ("r#a.b: 1", "a.b", 5), ("(", "", 0)]
    {
        let node = Node::new(text);
        assert_eq!((node.name(), node.name_len()), (name, length), "{text}");
    }
}

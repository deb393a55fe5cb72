use super::Step::{Character, Field, Item, Key, Value};
use super::*;

/// The steps must lead to the only `^` in the second text, laid over the first.
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
fn a_way_that_leads_nowhere_ends_before_it() {
    check("(a: 1)", "    ^", &[Field("a"), Field("b")]);
    check("(a: 1)", "^", &[]);
}

#[test]
fn integers_are_told_from_other_numbers() {
    let text = "(a: [1, -2_0 /* . */, 3.0, 4e5, inf, 6.], b: 7)";
    let integers = [true, true, false, false, false, false];
    for (i, expected) in integers.into_iter().enumerate() {
        assert_eq!(is_integer(text, &[Field("a"), Item(i)]), expected, "{i}");
    }
    assert!(is_integer(text, &[Field("b")]) && !is_integer(text, &[Field("c")]) && !is_integer("", &[]));
}

#[test]
fn a_text_ends_before_white_space_and_comments() {
    let text = "a\nüb // c\n/* d */\n";
    for (line, column, ends) in [(1, 1, false), (1, 2, false), (2, 2, false), (2, 3, true), (4, 1, true), (9, 9, true)]
    {
        assert_eq!(ends_at(text, line, column), ends, "{line}:{column}");
    }
    assert!(ends_at("", 1, 1));
}

#[test]
fn an_integer_is_found_in_text_that_is_no_ron() {
    assert_eq!(integer_field("Map(format: 2, <>", "format"), Some(2));
    assert_eq!(integer_field("Map(x: [\"format: 3\"], format: /* */ -7)", "format"), Some(-7));
    for text in ["", "Map(", "Map(format", "Map(format:", "Map(format: \"", "Map(a: (((", "/* /*", "'", "r#"] {
        assert_eq!(integer_field(text, "format"), None);
    }
}

//! Suggestions for misspelt names.

use std::borrow::Cow;
use std::collections::BTreeSet;

/// Maximum number of edits between a name and the suggested one, and maximum number of listed names.
const MAX_EDITS: usize = 2;
const MAX_LISTED: usize = 16;

/// Minimum length of an unknown name for which the list starts with the names that contain it.
const MIN_PART: usize = 3;

/// Returns the end of a message about an unknown name: the name that was probably meant, or else a list of the known
/// names.
///
/// The list starts with the names that contain the unknown one. Empty and repeated names are left out, because they are
/// reported elsewhere.
pub fn name_hint<S: AsRef<str>>(name: &str, known: &[S]) -> Cow<'static, str> {
    name_hint_listing_up_to(MAX_LISTED, name, known)
}

/// As [`name_hint`], with a list of at most `max_listed` names.
pub(super) fn name_hint_listing_up_to<S: AsRef<str>>(max_listed: usize, name: &str, known: &[S]) -> Cow<'static, str> {
    if let Some(meant) = similar_name(name, known) {
        return format!("; did you mean `{}`?", meant.as_ref()).into();
    }
    let mut seen = BTreeSet::new();
    let mut names: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
    names.retain(|known| !known.is_empty() && seen.insert(*known));
    names.sort_by_key(|known| name.len() < MIN_PART || !known.contains(name));
    let listed: Vec<String> = names.iter().take(max_listed).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(max_listed) {
        _ if names.is_empty() => "; no names are defined".into(),
        0 if names.len() == 1 => format!("; expected {}", listed.join(", ")).into(),
        0 => format!("; expected one of {}", listed.join(", ")).into(),
        more => format!("; expected one of {} and {more} more", listed.join(", ")).into(),
    }
}

/// Returns the known name that was probably meant.
pub fn similar_name<'k, S: AsRef<str>>(name: &str, known: &'k [S]) -> Option<&'k S> {
    let distance = |other: &&'k S| edit_distance(name, other.as_ref());
    // Allow fewer edits in short names, because they are similar to many others: `left` is two edits from `west`.
    known.iter().min_by_key(distance).filter(|other| {
        let edits = distance(other);
        edits <= MAX_EDITS && edits * (edits + 1) <= name.chars().count().min(other.as_ref().chars().count())
    })
}

/// Returns the number of characters to insert, remove, replace or swap to change one text into the other. More than
/// [`MAX_EDITS`] if their lengths differ by more.
fn edit_distance(a: &str, b: &str) -> usize {
    // Names may be as long as the file, so do not compare them letter by letter without need.
    let is_far = a.chars().count().abs_diff(b.chars().count()) > MAX_EDITS;
    if is_far { MAX_EDITS + 1 } else { strsim::osa_distance(a, b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        for (a, b, count) in [
            ("", "", 0),
            ("start", "start", 0),
            ("strat", "start", 1),
            ("one_wya", "one_way", 1),
            ("stard", "start", 1),
            ("star", "start", 1),
            ("sstart", "start", 1),
            ("tsart_", "start", 2),
            ("goal", "start", 4),
            ("", "ab", 2),
            ("", "abc", 3),
            ("zürch", "zürich", 1),
        ] {
            assert_eq!(edit_distance(a, b), count, "{a} {b}");
            assert_eq!(edit_distance(b, a), count, "{b} {a}");
        }
    }

    #[test]
    fn the_nearest_name_is_offered_or_all_are_listed() {
        let known = |names: &str| names.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(name_hint("strat", &known("goal stark start")), "; did you mean `start`?");
        assert_eq!(name_hint("b", &known("a")), "; expected `a`");
        assert_eq!(name_hint("west", &known("left right")), "; expected one of `left`, `right`");
        assert_eq!(name_hint("door", &known("goal start")), "; expected one of `goal`, `start`");
        assert_eq!(name_hint::<&str>("door", &[]), "; no names are defined");
        assert_eq!(name_hint("door", &["goal", "", "start", "goal"]), "; expected one of `goal`, `start`");
        assert_eq!(name_hint("door", &["", ""]), "; no names are defined");
        assert_eq!(
            name_hint("jump", &known("walk_speed jump_height")),
            "; expected one of `jump_height`, `walk_speed`"
        );
        let listed = "`a`, `b`, `c`, `d`, `e`, `f`, `g`, `h`, `i`, `j`, `k`, `l`, `m`, `n`, `o`, `p`";
        assert_eq!(name_hint("door", &known("a b c d e f g h i j k l m n o p")), format!("; expected one of {listed}"));
        let more = name_hint("door", &known("a b c d e f g h i j k l m n o p q r"));
        assert_eq!(more, format!("; expected one of {listed} and 2 more"));
    }
}

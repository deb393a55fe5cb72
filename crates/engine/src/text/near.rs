//! What a misspelt name may have been meant to be.

use std::borrow::Cow;

/// The most edits between a name and one that is held to be meant, and the most names that are listed.
const MAX_EDITS: usize = 2;
const MAX_LISTED: usize = 8;

/// The end of a message on an unknown name: the one that was probably meant, or else what there is.
pub(crate) fn hint<S: AsRef<str>>(name: &str, known: &[S]) -> Cow<'static, str> {
    if let Some(meant) = meant(name, known) {
        return format!("; did you mean `{}`?", meant.as_ref()).into();
    }
    let listed: Vec<String> = known.iter().take(MAX_LISTED).map(|name| format!("`{}`", name.as_ref())).collect();
    match known.len().saturating_sub(MAX_LISTED) {
        _ if known.is_empty() => "; no names are defined".into(),
        0 if known.len() == 1 => format!("; expected {}", listed.join(", ")).into(),
        0 => format!("; expected one of {}", listed.join(", ")).into(),
        more => format!("; expected one of {} and {more} more", listed.join(", ")).into(),
    }
}

/// The known name that was probably meant.
pub(crate) fn meant<'k, S: AsRef<str>>(name: &str, known: &'k [S]) -> Option<&'k S> {
    let distance = |other: &&'k S| edits(name, other.as_ref());
    // A name of one or two characters is near to every other such name.
    known.iter().min_by_key(distance).filter(|other| {
        let edits = distance(other);
        edits <= MAX_EDITS && edits < name.chars().count().min(other.as_ref().chars().count())
    })
}

/// How many characters to insert, remove, replace or swap with their neighbour to get from one text to the other;
/// more than [`MAX_EDITS`] if their lengths differ by more.
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > MAX_EDITS {
        return MAX_EDITS + 1;
    }
    // The rows of the usual table: two before, one before, this one.
    let mut rows = [Vec::new(), (0..=b.len()).collect::<Vec<usize>>(), vec![0; b.len() + 1]];
    for i in 1..=a.len() {
        rows[2][0] = i;
        for j in 1..=b.len() {
            let replaced = rows[1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            rows[2][j] = replaced.min(rows[1][j] + 1).min(rows[2][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                rows[2][j] = rows[2][j].min(rows[0][j - 2] + 1);
            }
        }
        rows.rotate_left(1);
        rows[2] = vec![0; b.len() + 1];
    }
    rows[1][b.len()]
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
            assert_eq!(edits(a, b), count, "{a} {b}");
            assert_eq!(edits(b, a), count, "{b} {a}");
        }
    }

    #[test]
    fn the_nearest_name_is_offered_or_all_are_listed() {
        let known = |names: &str| names.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(hint("strat", &known("goal stark start")), "; did you mean `start`?");
        assert_eq!(hint("b", &known("a")), "; expected `a`");
        assert_eq!(hint("door", &known("goal start")), "; expected one of `goal`, `start`");
        assert_eq!(hint::<&str>("door", &[]), "; no names are defined");
        let listed = "`a`, `b`, `c`, `d`, `e`, `f`, `g`, `h`";
        assert_eq!(hint("door", &known("a b c d e f g h")), format!("; expected one of {listed}"));
        assert_eq!(hint("door", &known("a b c d e f g h i j")), format!("; expected one of {listed} and 2 more"));
    }
}

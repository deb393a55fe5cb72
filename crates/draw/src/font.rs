//! A small line font, so that labels look the same in SVG, PNG and a window without any installed font. It has the
//! printable characters of ASCII; all others are shown as a box.

use crate::path::PathData;
use crate::view::{Point, View};
use surefoot::geometry::DVec2;

/// Height of a capital above the baseline, in font steps.
const CAPITAL_STEPS: f64 = 6.0;

/// Height of the baseline in font steps. Descenders are below it.
const BASELINE_STEPS: f64 = 2.0;

/// Gap between two letters in font steps.
const GAP_STEPS: f64 = 2.0;

/// Width of a space in font steps.
const SPACE_STEPS: f64 = 2.0;

/// The printable characters of ASCII from `!` on, in the order of their codes, each with the lines of its glyph.
///
/// Each run lists points as two digits: steps to the right and steps up. The baseline is at 2, the top of a small
/// letter at 6, and that of a capital at 8.
const GLYPHS: [(char, &str); 94] = [
    ('!', "0804 0203"),
    ('"', "0806 1816"),
    ('#', "0343 0646 1218 3238"),
    ('$', "3616051424332202 2721"),
    ('%', "0248 0708 4342"),
    ('&', "4206072837351403123244"),
    ('\'', "0806"),
    ('(', "18070312"),
    (')', "08171302"),
    ('*', "0636 1247 2703"),
    ('+', "0444 2622"),
    (',', "130201"),
    ('-', "0424"),
    ('.', "0203"),
    ('/', "0238"),
    ('0', "182837332212030718"),
    ('1', "071812 0222"),
    ('2', "07182837360232"),
    ('3', "0718283736253433221203 1525"),
    ('4', "22280434"),
    ('5', "3808052534332202"),
    ('6', "372818070312223334250504"),
    ('7', "083812"),
    ('8', "150607182837362515040312223334 2534"),
    ('9', "031222333728180706153536"),
    (':', "0203 0506"),
    (';', "0506 130201"),
    ('<', "360432"),
    ('=', "0333 0535"),
    ('>', "063402"),
    ('?', "071828373624 2223"),
    ('@', "3415243435 45361605031242"),
    ('A', "0206284642 0444"),
    ('B', "0208384746350502 3544433202"),
    ('C', "4738180703123243"),
    ('D', "02083847433202"),
    ('E', "48080242 0535"),
    ('F', "480802 0535"),
    ('G', "47381807031232434525"),
    ('H', "0802 4842 0545"),
    ('I', "0802"),
    ('J', "3833221203"),
    ('K', "0802 480542"),
    ('L', "080242"),
    ('M', "0208254842"),
    ('N', "02084248"),
    ('O', "183847433212030718"),
    ('P', "02083847463505"),
    ('Q', "183847433212030718 2442"),
    ('R', "02083847463505 2542"),
    ('S', "473818070615354443321203"),
    ('T', "0848 2822"),
    ('U', "080312324348"),
    ('V', "082248"),
    ('W', "0812263248"),
    ('X', "0842 4802"),
    ('Y', "082548 2522"),
    ('Z', "08480242"),
    ('[', "18080212"),
    ('\\', "0832"),
    (']', "08181202"),
    ('^', "062846"),
    ('_', "0131"),
    ('`', "0817"),
    ('a', "06263532 3414031232"),
    ('b', "0802 0516263533221203"),
    ('c', "3526160503122233"),
    ('d', "3832 3526160503122233"),
    ('e', "043435261605031232"),
    ('f', "38281712 0626"),
    ('g', "3631201001 3526160503122233"),
    ('h', "0802 0516263532"),
    ('i', "0502 0708"),
    ('j', "15111000 1718"),
    ('k', "0802 360432"),
    ('l', "080312"),
    ('m', "0602 05162522 25364542"),
    ('n', "0602 0516263532"),
    ('o', "162635332212030516"),
    ('p', "0600 0516263533221203"),
    ('q', "3630 3526160503122233"),
    ('r', "0602 051626"),
    ('s', "3616051424332202"),
    ('t', "18131222 0626"),
    ('u', "0603122233 3632"),
    ('v', "0604122426"),
    ('w', "0612253246"),
    ('x', "0632 3602"),
    ('y', "0603122233 36312010"),
    ('z', "06360232"),
    ('{', "28171605141322"),
    ('|', "0801"),
    ('}', "08171625141302"),
    ('~', "04153445"),
];

/// The lines of the box that stands for every character without a glyph.
const UNKNOWN_GLYPH: &str = "0208383202";

/// Returns the lines of a glyph in the form of [`GLYPHS`].
fn encoded_glyph_lines(character: char) -> &'static str {
    let index = (character as usize).checked_sub(GLYPHS[0].0 as usize);
    index.and_then(|index| GLYPHS.get(index)).map_or(UNKNOWN_GLYPH, |(_, lines)| lines)
}

/// Returns the runs of a glyph, in font steps from the left end of its baseline; none for a space.
fn glyph_lines(character: char) -> impl Iterator<Item = Vec<DVec2>> {
    let text = if character == ' ' { "" } else { encoded_glyph_lines(character) };
    let digit = |byte: u8| f64::from(byte - b'0');
    let point = move |pair: &[u8]| DVec2::new(digit(pair[0]), digit(pair[1]) - BASELINE_STEPS);
    text.split_ascii_whitespace().map(move |run| run.as_bytes().chunks_exact(2).map(point).collect())
}

/// Returns the width of a glyph in font steps.
fn glyph_width(character: char) -> f64 {
    if character == ' ' { SPACE_STEPS } else { glyph_lines(character).flatten().map(|at| at.x).fold(0.0, f64::max) }
}

/// Returns the width of a text in pixels, with capitals `height` pixels high.
#[must_use]
pub fn width(text: &str, height: f64) -> f64 {
    let steps: f64 = text.chars().map(|character| glyph_width(character) + GAP_STEPS).sum();
    (steps - GAP_STEPS).max(0.0) * height / CAPITAL_STEPS
}

/// Returns the distance in pixels from a letter to the next one.
#[must_use]
pub fn advance(character: char, height: f64) -> f64 {
    (glyph_width(character) + GAP_STEPS) * height / CAPITAL_STEPS
}

/// Returns the line width of letters in pixels. Their ends and joins are round.
#[must_use]
pub fn pen(height: f64) -> f64 {
    height / CAPITAL_STEPS * 0.95
}

/// Returns the lines of a text with capitals `height` pixels high. `at`: left end of the baseline.
#[must_use]
pub fn lines(text: &str, at: Point, height: f64) -> PathData {
    let view = View::with_origin_at(at, height / CAPITAL_STEPS);
    let mut path = PathData::new();
    let mut pen = DVec2::ZERO;
    for character in text.chars() {
        for run in glyph_lines(character) {
            path.run(run.into_iter().map(|point| view.point(pen + point)));
        }
        pen.x += glyph_width(character) + GAP_STEPS;
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_printable_ascii_character_has_its_own_glyph() {
        let mut known = BTreeSet::from([UNKNOWN_GLYPH]);
        for (character, glyph) in ('!'..='~').zip(GLYPHS) {
            assert_eq!(character, glyph.0, "the glyphs are in the order of their codes");
            assert!(known.insert(encoded_glyph_lines(character)), "{character}");
            for run in encoded_glyph_lines(character).split(' ') {
                assert!(run.len() >= 4 && run.len() % 2 == 0, "{character}: {run}");
                for point in run.as_bytes().chunks_exact(2) {
                    assert!((b'0'..=b'4').contains(&point[0]) && (b'0'..=b'8').contains(&point[1]), "{character}");
                }
            }
        }
    }

    #[test]
    fn the_width_of_a_text_is_that_of_its_lines() {
        // The letter n is three steps wide, l is one step wide, and the gap is two steps. If capitals are 6 pixels
        // high, a step is a pixel.
        assert_eq!(width("nl", 6.0), 6.0);
        assert_eq!(width("", 6.0), 0.0);
        // The text has two n of 3 steps, two gaps of 2, and a space of 2. A step is two pixels.
        assert_eq!(width("n n", 12.0), 24.0);
    }
}

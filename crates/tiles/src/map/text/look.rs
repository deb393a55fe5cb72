//! Checks that the symbols of a legend look different.

use super::MapErrorKind;
use std::collections::BTreeMap;
use unicode_security::confusable_detection::skeleton;

/// Invisible characters and characters that change how their neighbours are shown: Unicode's default ignorable code
/// points, including the marks that change the direction of writing.
const INVISIBLE: [(char, char); 19] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{2800}', '\u{2800}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
    ('\u{300}', '\u{36f}'),
];

/// Refuses a symbol that is invisible in a row.
pub(super) fn check_visible(character: char) -> Result<(), MapErrorKind> {
    if character.is_control() {
        return Err(MapErrorKind::ControlSymbol { symbol: character });
    }
    let hidden = |&(first, last): &(char, char)| (first..=last).contains(&character);
    if INVISIBLE.iter().any(hidden) || (character.is_whitespace() && character != ' ') {
        return Err(MapErrorKind::InvisibleSymbol { symbol: character });
    }
    Ok(())
}

/// Symbols of a legend by their look.
///
/// Two ASCII symbols never count as alike, since programmers tell `1`, `l` and `|` apart. Signs may look like other
/// signs.
/// Drawing characters (lines, blocks, shapes) may look like anything: the Unicode table calls many of them alike that
/// differ clearly in a picture.
#[derive(Default)]
pub(super) struct Looks {
    /// Symbols of each look: one that is not ASCII, or any number of ASCII.
    seen: BTreeMap<String, char>,
}

impl Looks {
    /// Adds a symbol, or returns one that looks the same.
    pub(super) fn add_unless_alike(&mut self, character: char) -> Result<(), char> {
        if ('\u{2500}'..='\u{25ff}').contains(&character) {
            return Ok(());
        }
        let plain = |c: char| c.is_ascii() || c.is_alphanumeric();
        let look: String = skeleton(character.encode_utf8(&mut [0; 4])).collect();
        match self.seen.get(&look) {
            Some(&other) if other == character || (other.is_ascii() && character.is_ascii()) => Ok(()),
            Some(&other) if plain(other) || plain(character) => Err(other),
            Some(_) => Ok(()),
            None => {
                self.seen.insert(look, character);
                Ok(())
            }
        }
    }
}

/// Returns the ASCII symbol among `known` that a character beyond ASCII looks like.
pub(super) fn ascii_lookalike(character: char, known: impl Iterator<Item = char>) -> Option<char> {
    if character.is_ascii() {
        return None;
    }
    let mut looks = Looks::default();
    for known in known.filter(char::is_ascii) {
        // Cannot fail: all symbols here are ASCII, and two ASCII symbols never count as alike.
        let _ = looks.add_unless_alike(known);
    }
    looks.add_unless_alike(character).err()
}

/// Returns new symbols for tile kinds: letters from a character on, each with its own look.
pub(super) fn unused_letters(from: char, mut looks: Looks) -> impl Iterator<Item = char> {
    (from..).filter(move |&c| c.is_alphabetic() && check_visible(c).is_ok() && looks.add_unless_alike(c).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_symbols_are_refused() {
        for c in [' ', '.', 'é', '░', '漢', '😀', '\u{e000}'] {
            assert_eq!(check_visible(c), Ok(()), "{c:?}");
        }
        // The characters are, in order: tab, no-break space, soft hyphen, zero width space, right-to-left override and
        // mark, byte order mark, ideographic space, variation selector, combining acute.
        for c in "\t\u{a0}\u{ad}\u{200b}\u{202e}\u{200f}\u{feff}\u{3000}\u{fe0f}\u{301}".chars() {
            assert!(check_visible(c).is_err(), "{c:?}");
        }
    }

    #[test]
    fn characters_that_look_alike_are_found() {
        let mut looks = Looks::default();
        // Two ASCII characters never count as alike.
        assert!((' '..='~').all(|c| looks.add_unless_alike(c).is_ok()));
        // The first characters are, in order: Cyrillic a and o, Greek omicron, full-width number sign, division slash.
        for (c, like) in [('а', 'a'), ('о', 'o'), ('ο', 'o'), ('＃', '#'), ('∕', '/')] {
            assert_eq!(looks.add_unless_alike(c), Err(like), "{c:?}");
        }
        for c in "éä░▒▓▌▐│漢あ".chars() {
            assert_eq!(looks.add_unless_alike(c), Ok(()), "{c:?}");
        }
        // The first letter has a caron, the second a breve.
        assert_eq!((looks.add_unless_alike('ě'), looks.add_unless_alike('ĕ')), (Ok(()), Err('ě')));
        assert!(unused_letters('a', Looks::default()).nth(1_000).is_some());
    }
}

//! The name that the player types for the next placed thing.

use crate::controls::Typed;

/// Maximum number of letters of a name.
const MAX_LETTERS: usize = 40;

/// A typed name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Name {
    text: String,
    is_typed: bool,
}

impl Name {
    /// Begins to type.
    pub(crate) fn begin_typing(&mut self) {
        self.is_typed = true;
    }

    /// Ends typing: keys count as keys again.
    pub(crate) fn end_typing(&mut self) {
        self.is_typed = false;
    }

    /// Returns whether keys count as letters.
    pub(crate) fn is_being_typed(&self) -> bool {
        self.is_typed
    }

    /// Takes the keys of a frame. Does nothing if no name is typed.
    pub(crate) fn type_keys(&mut self, keys: &[Typed]) {
        for key in keys {
            match *key {
                _ if !self.is_typed => return,
                Typed::Letter(letter) if !letter.is_control() && self.text.chars().count() < MAX_LETTERS => {
                    self.text.push(letter);
                }
                Typed::Letter(_) => {}
                Typed::Erase => {
                    self.text.pop();
                }
                Typed::Done => self.end_typing(),
            }
        }
    }

    /// Returns the name as far as it is typed, with the spaces around it.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the whole name; `None` if there is none.
    pub(crate) fn trimmed_text(&self) -> Option<&str> {
        Some(self.text.trim()).filter(|name| !name.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_letters_only_while_a_name_is_typed() {
        let letters = |text: &str| text.chars().map(Typed::Letter).collect::<Vec<_>>();
        let mut name = Name::default();
        name.type_keys(&letters("lost"));
        assert_eq!(name.trimmed_text(), None);
        name.begin_typing();
        name.type_keys(&letters(" dooor"));
        name.type_keys(&[Typed::Erase, Typed::Erase, Typed::Letter('r'), Typed::Letter('\u{8}'), Typed::Letter(' ')]);
        assert_eq!((name.text(), name.trimmed_text()), (" door ", Some("door")));
        name.type_keys(&[Typed::Letter('1'), Typed::Done, Typed::Letter('2')]);
        assert_eq!((name.trimmed_text(), name.is_being_typed()), (Some("door 1"), false));
        name.begin_typing();
        name.type_keys(&letters(&"x".repeat(100)));
        assert_eq!(name.text().chars().count(), MAX_LETTERS);
    }
}

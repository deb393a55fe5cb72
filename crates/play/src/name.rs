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
    pub(crate) fn begin(&mut self) {
        self.is_typed = true;
    }

    /// Ends typing: keys count as keys again.
    pub(crate) fn end(&mut self) {
        self.is_typed = false;
    }

    /// Returns whether keys count as letters.
    pub(crate) fn is_typed(&self) -> bool {
        self.is_typed
    }

    /// Takes the keys of a frame. Does nothing if no name is typed.
    pub(crate) fn take(&mut self, keys: &[Typed]) {
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
                Typed::Done => self.end(),
            }
        }
    }

    /// Returns the name as far as it is typed, with the spaces around it.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the whole name; `None` if there is none.
    pub(crate) fn get(&self) -> Option<&str> {
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
        name.take(&letters("lost"));
        assert_eq!(name.get(), None);
        name.begin();
        name.take(&letters(" dooor"));
        name.take(&[Typed::Erase, Typed::Erase, Typed::Letter('r'), Typed::Letter('\u{8}'), Typed::Letter(' ')]);
        assert_eq!((name.text(), name.get()), (" door ", Some("door")));
        name.take(&[Typed::Letter('1'), Typed::Done, Typed::Letter('2')]);
        assert_eq!((name.get(), name.is_typed()), (Some("door 1"), false));
        name.begin();
        name.take(&letters(&"x".repeat(100)));
        assert_eq!(name.text().chars().count(), MAX_LETTERS);
    }
}

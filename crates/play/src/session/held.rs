use surefoot::body::{Buttons, Input};

/// The keys that the player holds in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Walks to the left.
    pub left: bool,
    /// Walks to the right.
    pub right: bool,
    /// Jumps.
    pub jump: bool,
    /// Drops through one-way tiles.
    pub down: bool,
    /// Climbs or swims up.
    pub up: bool,
    /// Dashes.
    pub dash: bool,
}

impl Held {
    /// Sets buttons to the keys of this frame.
    pub(super) fn set_buttons(self, buttons: &mut Buttons) {
        buttons.left(self.left);
        buttons.right(self.right);
        buttons.jump(self.jump);
        buttons.down(self.down);
        buttons.up(self.up);
        buttons.dash(self.dash);
    }

    /// Returns the held keys as a character's input.
    pub(super) fn to_input(self) -> Input {
        let mut buttons = Buttons::default();
        self.set_buttons(&mut buttons);
        buttons.next_input()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_becomes_its_part_of_the_input() {
        let keys = Held { left: true, jump: true, down: true, ..Held::default() };
        assert_eq!(keys.to_input(), Input { walk: -127, jump: true, down: true, ..Input::default() });
        let keys = Held { right: true, up: true, dash: true, ..Held::default() };
        assert_eq!(keys.to_input(), Input { walk: 127, up: true, dash: true, ..Input::default() });
    }
}

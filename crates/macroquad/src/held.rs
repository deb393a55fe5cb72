//! Buttons held in a frame, whichever device they come from.

use surefoot::prelude::Buttons;

/// The buttons that the player holds in a frame, and the position of a stick.
///
/// [`Keys`](crate::Keys), [`TouchPad`](crate::TouchPad) and `Gamepad` return one each. [`Held::or`] combines them, and
/// [`Held::tell`] passes the result on to [`Buttons`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Held {
    /// Left is held.
    pub left: bool,
    /// Right is held.
    pub right: bool,
    /// Up is held.
    pub up: bool,
    /// Down is held.
    pub down: bool,
    /// Jump is held.
    pub jump: bool,
    /// Dash is held.
    pub dash: bool,
    /// Position of the stick, -1 to 1 on each axis; up is 1.
    pub stick: (f32, f32),
}

impl Held {
    /// Combines two devices: a button is held if it is held on one of them. The stick that is further from its centre
    /// counts.
    #[must_use]
    pub fn or(self, other: Held) -> Held {
        let reach = |(x, y): (f32, f32)| x.abs().max(y.abs());
        Held {
            left: self.left || other.left,
            right: self.right || other.right,
            up: self.up || other.up,
            down: self.down || other.down,
            jump: self.jump || other.jump,
            dash: self.dash || other.dash,
            stick: if reach(other.stick) > reach(self.stick) { other.stick } else { self.stick },
        }
    }

    /// Sets [`Buttons`] to what is held in this frame.
    pub fn tell(self, buttons: &mut Buttons) {
        buttons.left(self.left);
        buttons.right(self.right);
        buttons.up(self.up);
        buttons.down(self.down);
        buttons.jump(self.jump);
        buttons.dash(self.dash);
        buttons.stick(self.stick.0, self.stick.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::Input;

    #[test]
    fn a_button_counts_whichever_device_holds_it() {
        let pad = Held { right: true, jump: true, stick: (-0.3, 0.0), ..Held::default() };
        let keys = Held { dash: true, stick: (0.2, 0.9), ..Held::default() };
        let both = Held { right: true, jump: true, dash: true, stick: (0.2, 0.9), ..Held::default() };
        assert_eq!((pad.or(keys), keys.or(pad)), (both, both));
        assert_eq!(pad.or(Held::default()), pad);
    }

    #[test]
    fn each_button_reaches_the_input_of_its_name() {
        let input = |held: Held| {
            let mut buttons = Buttons::default();
            held.tell(&mut buttons);
            buttons.next_input()
        };
        let none = Held::default();
        assert_eq!(input(none), Input::default());
        assert_eq!(input(Held { left: true, ..none }), Input::walk(-1.0));
        assert_eq!(input(Held { right: true, ..none }), Input::walk(1.0));
        assert_eq!(input(Held { up: true, ..none }), Input { up: true, ..Input::default() });
        assert_eq!(input(Held { down: true, ..none }), Input { down: true, ..Input::default() });
        assert_eq!(input(Held { jump: true, ..none }), Input { jump: true, ..Input::default() });
        assert_eq!(input(Held { dash: true, ..none }), Input { dash: true, ..Input::default() });
        assert_eq!(input(Held { stick: (-1.0, 0.0), ..none }), Input::walk(-1.0));
    }
}

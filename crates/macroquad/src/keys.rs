//! Keys of the keyboard.

use crate::held::Held;
use macroquad::input::{KeyCode, is_key_down};

/// The keys of each button. A button is held as long as any of its keys is down.
///
/// The default is arrows or WASD to walk and climb, space, up or W to jump, and shift or K to dash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    /// Keys that walk to the left.
    pub left: Vec<KeyCode>,
    /// Keys that walk to the right.
    pub right: Vec<KeyCode>,
    /// Keys that climb and swim up.
    pub up: Vec<KeyCode>,
    /// Keys that climb and swim down, and drop through one-way tiles.
    pub down: Vec<KeyCode>,
    /// Keys that jump.
    pub jump: Vec<KeyCode>,
    /// Keys that dash.
    pub dash: Vec<KeyCode>,
}

impl Default for Keys {
    fn default() -> Keys {
        Keys {
            left: vec![KeyCode::Left, KeyCode::A],
            right: vec![KeyCode::Right, KeyCode::D],
            up: vec![KeyCode::Up, KeyCode::W],
            down: vec![KeyCode::Down, KeyCode::S],
            jump: vec![KeyCode::Space, KeyCode::Up, KeyCode::W],
            dash: vec![KeyCode::LeftShift, KeyCode::RightShift, KeyCode::K],
        }
    }
}

impl Keys {
    /// Returns the buttons whose keys are down in this frame.
    #[must_use]
    pub fn held(&self) -> Held {
        self.buttons_of_keys_held(is_key_down)
    }

    fn buttons_of_keys_held(&self, is_down: impl Fn(KeyCode) -> bool) -> Held {
        let any = |keys: &[KeyCode]| keys.iter().any(|key| is_down(*key));
        Held {
            left: any(&self.left),
            right: any(&self.right),
            up: any(&self.up),
            down: any(&self.down),
            jump: any(&self.jump),
            dash: any(&self.dash),
            stick: (0.0, 0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_key_of_a_button_holds_it() {
        let held = |down: &[KeyCode]| Keys::default().buttons_of_keys_held(|key| down.contains(&key));
        assert_eq!(held(&[]), Held::default());
        for left in [KeyCode::Left, KeyCode::A] {
            assert_eq!(held(&[left, KeyCode::Q]), Held { left: true, ..Held::default() });
        }
        assert_eq!(held(&[KeyCode::W]), Held { up: true, jump: true, ..Held::default() });
        let own = Keys { jump: vec![KeyCode::X], ..Keys::default() };
        assert!(
            own.buttons_of_keys_held(|key| key == KeyCode::X).jump
                && !own.buttons_of_keys_held(|key| key == KeyCode::Space).jump
        );
    }
}

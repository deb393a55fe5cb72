//! The player's controls: keys, gamepad and touch become the input of each tick.

#[cfg(all(feature = "gamepad", not(target_arch = "wasm32")))]
use crate::gamepad::Gamepad;
use crate::held::Held;
use crate::keys::Keys;
use crate::screen::{Screen, window_size};
use crate::touch::{TouchPad, fingers};
use macroquad::camera::set_default_camera;
use surefoot::Input;
use surefoot::prelude::Buttons;
use surefoot_draw::Palette;
use surefoot_draw::scene::Mesh;

/// The controls of a player. No press between two ticks is lost, and none is given twice.
///
/// Call [`read`](Controls::read) once in each frame, and [`next_input`](Controls::next_input) once for each tick.
#[derive(Debug, Default)]
pub struct Controls {
    /// The keys of each button. Change them to your own.
    pub keys: Keys,
    /// The pad on touch screens.
    pub touch: TouchPad,
    #[cfg(all(feature = "gamepad", not(target_arch = "wasm32")))]
    gamepad: Option<Gamepad>,
    buttons: Buttons,
    held: Held,
}

impl Controls {
    /// Creates controls with the default keys. With the feature `gamepad`, looks for gamepads.
    #[must_use]
    pub fn new() -> Controls {
        Controls {
            #[cfg(all(feature = "gamepad", not(target_arch = "wasm32")))]
            gamepad: Gamepad::new().ok(),
            ..Controls::default()
        }
    }

    /// Reads the keys, the gamepad and the fingers of this frame.
    pub fn read(&mut self) {
        let fingers = fingers();
        self.touch.is_shown |= !fingers.is_empty();
        self.held = self.keys.held().or(self.touch.held(window_size(), &fingers));
        #[cfg(all(feature = "gamepad", not(target_arch = "wasm32")))]
        if let Some(gamepad) = &mut self.gamepad {
            gamepad.read();
            self.held = self.held.or(gamepad.held());
        }
        self.held.tell(&mut self.buttons);
    }

    /// Returns the input of the next tick.
    pub fn next_input(&mut self) -> Input {
        self.buttons.next_input()
    }

    /// Forgets all presses so far, as [`Buttons::forget_presses`] does. Call it after [`read`](Controls::read): in the
    /// frame of a restart, or in the frame in which the game continues after a menu or a dialog.
    pub fn forget_presses(&mut self) {
        self.buttons.forget_presses();
    }

    /// Returns the buttons held in this frame.
    #[must_use]
    pub fn held(&self) -> Held {
        self.held
    }

    /// Returns the gamepads, for menus.
    #[cfg(all(feature = "gamepad", not(target_arch = "wasm32")))]
    #[must_use]
    pub fn gamepad(&self) -> Option<&Gamepad> {
        self.gamepad.as_ref()
    }

    /// Draws the touch pad, once the player has touched the screen. Call it after everything else of a frame.
    pub fn draw(&self) {
        let mut mesh = Mesh::new();
        self.touch.paint(&mut mesh, window_size(), &self.held, &Palette::NIGHT);
        set_default_camera();
        Screen::default().draw(&mesh);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The button that chose "continue" in a menu is still held when the game continues.
    #[test]
    fn a_press_in_a_menu_is_not_one_in_the_game() {
        let mut controls = Controls::default();
        Held { jump: true, left: true, ..Held::default() }.tell(&mut controls.buttons);
        controls.forget_presses();
        let input = controls.next_input();
        assert_eq!((input.jump, input.walk), (false, -127));
    }
}

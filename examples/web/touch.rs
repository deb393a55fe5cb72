//! Fingers as controls, with the pad and the buttons of `surefoot-macroquad`.

use crate::input::hold;
use surefoot_draw::Palette;
use surefoot_macroquad::{Held, TouchPad, fingers};
use surefoot_play::{Button, Controls, Mesh, Size};

/// The pad, and what fingers hold.
#[derive(Default)]
pub(crate) struct Touch {
    pad: TouchPad,
    held: Held,
    /// The last frame had a finger. Its end is a click for macroquad too.
    had_finger: bool,
    mesh: Mesh,
}

impl Touch {
    /// Adds the buttons that fingers hold. `is_played`: the game is steered, so a finger is not a mouse.
    pub(crate) fn add_to(&mut self, controls: &mut Controls, size: Size, is_played: bool) {
        let fingers = fingers();
        let was_touched = std::mem::replace(&mut self.had_finger, !fingers.is_empty());
        self.held = if is_played { self.pad.held(size, &fingers) } else { Held::default() };
        if !is_played || (fingers.is_empty() && !was_touched) {
            return;
        }
        self.pad.is_shown = true;
        // macroquad also reports a finger as the left mouse button, which would throw a ball.
        controls.pointer.left = Button::default();
        hold(controls, self.held);
    }

    /// Returns whether the screen is for fingers.
    pub(crate) fn is_shown(&self) -> bool {
        self.pad.is_shown
    }

    /// Shows the pad and the buttons before a finger touches the screen.
    pub(crate) fn show(&mut self) {
        self.pad.is_shown = true;
    }

    /// Returns the drawing of the pad and the buttons.
    pub(crate) fn paint(&mut self, size: Size) -> &Mesh {
        self.mesh.clear();
        self.pad.paint(&mut self.mesh, size, &self.held, &Palette::NIGHT);
        &self.mesh
    }
}

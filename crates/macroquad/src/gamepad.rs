//! Gamepads: stick or pad to walk and climb, the lower button to jump, the left one to dash.

use crate::held::Held;
use gilrs::{Axis, Button, EventType, GamepadId, Gilrs};

/// All connected gamepads. The input is that of the gamepad that was used last.
#[derive(Debug)]
pub struct Gamepad {
    pads: Gilrs,
    last: Option<GamepadId>,
    pressed: Vec<Button>,
}

impl Gamepad {
    /// Looks for gamepads, and later finds those that are connected while the game runs.
    ///
    /// # Errors
    /// Returns the error of gilrs if the system does not support gamepads.
    pub fn new() -> Result<Gamepad, Box<gilrs::Error>> {
        Ok(Gamepad { pads: Gilrs::new().map_err(Box::new)?, last: None, pressed: Vec::new() })
    }

    /// Reads what has happened since the last frame. Call it once in each frame.
    pub fn read(&mut self) {
        self.pressed.clear();
        while let Some(event) = self.pads.next_event() {
            self.last = Some(event.id);
            if let EventType::ButtonPressed(button, _) = event.event {
                self.pressed.push(button);
            }
        }
    }

    /// Returns the buttons that went down in this frame, in order. For menus.
    #[must_use]
    pub fn pressed(&self) -> &[Button] {
        &self.pressed
    }

    /// Returns whether a button is down.
    #[must_use]
    pub fn is_down(&self, button: Button) -> bool {
        self.last.and_then(|id| self.pads.connected_gamepad(id)).is_some_and(|pad| pad.is_pressed(button))
    }

    /// Returns the buttons of a character that are held in this frame.
    #[must_use]
    pub fn held(&self) -> Held {
        let Some(pad) = self.last.and_then(|id| self.pads.connected_gamepad(id)) else { return Held::default() };
        Held {
            left: pad.is_pressed(Button::DPadLeft),
            right: pad.is_pressed(Button::DPadRight),
            up: pad.is_pressed(Button::DPadUp),
            down: pad.is_pressed(Button::DPadDown),
            jump: pad.is_pressed(Button::South),
            dash: pad.is_pressed(Button::West),
            stick: (pad.value(Axis::LeftStickX), pad.value(Axis::LeftStickY)),
        }
    }
}

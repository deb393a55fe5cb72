//! Buttons of a gamepad that are no buttons of a character: to pause, to rewind, and for menus.

use crate::input::hold;
use gilrs::Button;
use surefoot_macroquad::Gamepad;
use surefoot_play::{Action, Controls};

/// Action of each button when it is pressed.
const ACTIONS: [(Button, Action); 7] = [
    (Button::Start, Action::Pause),
    (Button::Select, Action::Restart),
    (Button::South, Action::Choose),
    (Button::West, Action::PlayOn),
    (Button::East, Action::Back),
    (Button::DPadUp, Action::Previous),
    (Button::DPadDown, Action::Next),
];

/// Adds the buttons that are held now, and those that were pressed since the last frame.
pub(crate) fn add_to(controls: &mut Controls, gamepad: &mut Gamepad) {
    gamepad.read();
    hold(controls, gamepad.held());
    let pressed = |button| ACTIONS.iter().filter(move |(known, _)| *known == button).map(|(_, action)| *action);
    controls.actions.extend(gamepad.pressed().iter().flat_map(|&button| pressed(button)));
    controls.rewind |= gamepad.is_down(Button::LeftTrigger) || gamepad.is_down(Button::LeftTrigger2);
}

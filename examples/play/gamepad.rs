//! Gamepad controls in addition to the keyboard: stick or pad to walk, the lower button to jump, the left one to dash.

use gilrs::{Axis, Button as Pad, EventType, Gilrs};
use surefoot_play::{Action, Controls};

/// Dead zone of a stick, 0 to 1.
const DEAD: f32 = 0.35;

/// Action of each button when it is pressed.
const ACTIONS: [(Pad, Action); 6] = [
    (Pad::Start, Action::Pause),
    (Pad::Select, Action::Restart),
    (Pad::South, Action::Choose),
    (Pad::East, Action::Back),
    (Pad::DPadUp, Action::Previous),
    (Pad::DPadDown, Action::Next),
];

/// All connected gamepads. The one used last counts.
pub(crate) struct Gamepad {
    /// `None` if the system does not support gamepads.
    pads: Option<Gilrs>,
    last: Option<gilrs::GamepadId>,
}

impl Gamepad {
    pub(crate) fn new() -> Gamepad {
        let pads = Gilrs::new().inspect_err(|error| eprintln!("no gamepad: {error}")).ok();
        Gamepad { pads, last: None }
    }

    /// Adds buttons held now, and buttons pressed since the last frame.
    pub(crate) fn add_to(&mut self, controls: &mut Controls) {
        let Some(pads) = &mut self.pads else { return };
        while let Some(event) = pads.next_event() {
            self.last = Some(event.id);
            if let EventType::ButtonPressed(button, _) = event.event {
                controls
                    .actions
                    .extend(ACTIONS.iter().filter(|(known, _)| *known == button).map(|(_, action)| *action));
            }
        }
        let Some(pad) = self.last.and_then(|id| pads.connected_gamepad(id)) else { return };
        let (x, y) = (pad.value(Axis::LeftStickX), pad.value(Axis::LeftStickY));
        let held = &mut controls.held;
        held.left |= x < -DEAD || pad.is_pressed(Pad::DPadLeft);
        held.right |= x > DEAD || pad.is_pressed(Pad::DPadRight);
        held.down |= y < -DEAD || pad.is_pressed(Pad::DPadDown);
        held.up |= y > DEAD || pad.is_pressed(Pad::DPadUp);
        held.jump |= pad.is_pressed(Pad::South);
        held.dash |= pad.is_pressed(Pad::West);
        controls.rewind |= pad.is_pressed(Pad::LeftTrigger) || pad.is_pressed(Pad::LeftTrigger2);
    }
}

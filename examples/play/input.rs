//! Keyboard and mouse controls.

use macroquad::prelude::*;
use surefoot_draw::Point;
use surefoot_macroquad::{Held, Keys};
use surefoot_play::{Action, Button, Controls, Pointer, Typed};

/// Action of each key when it is pressed.
const ACTIONS: [(KeyCode, Action); 36] = [
    (KeyCode::R, Action::Restart),
    (KeyCode::P, Action::Pause),
    (KeyCode::Period, Action::SingleTick),
    (KeyCode::L, Action::SlowMotion),
    (KeyCode::N, Action::Normals),
    (KeyCode::C, Action::Contacts),
    (KeyCode::T, Action::Swept),
    (KeyCode::F, Action::Reach),
    (KeyCode::G, Action::Ghost),
    // Browsers keep F5, F6 and tab for themselves. So each of these keys has a second key for the same action.
    (KeyCode::F2, Action::SaveReplay),
    (KeyCode::F5, Action::SaveReplay),
    (KeyCode::X, Action::CopyLink),
    (KeyCode::B, Action::Build),
    (KeyCode::Z, Action::Undo),
    (KeyCode::Y, Action::Redo),
    (KeyCode::E, Action::Name),
    (KeyCode::V, Action::NextLayer),
    (KeyCode::F4, Action::SaveMap),
    (KeyCode::F6, Action::SaveMap),
    (KeyCode::U, Action::Tune),
    (KeyCode::Tab, Action::Tune),
    (KeyCode::H, Action::Help),
    (KeyCode::F1, Action::Help),
    (KeyCode::Escape, Action::Back),
    (KeyCode::Equal, Action::ZoomIn),
    (KeyCode::KpAdd, Action::ZoomIn),
    (KeyCode::Minus, Action::ZoomOut),
    (KeyCode::KpSubtract, Action::ZoomOut),
    (KeyCode::Up, Action::Previous),
    (KeyCode::W, Action::Previous),
    (KeyCode::Down, Action::Next),
    (KeyCode::S, Action::Next),
    (KeyCode::Space, Action::Choose),
    (KeyCode::Enter, Action::PlayOn),
    (KeyCode::KpEnter, Action::PlayOn),
    (KeyCode::Delete, Action::Forget),
];

/// Distance of a stick from its centre from which it counts as a key, 0 to 1.
const STICK_REACH: f32 = 0.35;

/// Reads the held and pressed keys of a frame, and the mouse.
pub(crate) fn read() -> Controls {
    let (x, y) = mouse_position();
    let button = |button| Button { pressed: is_mouse_button_pressed(button), down: is_mouse_button_down(button) };
    let mut controls = Controls {
        rewind: is_key_down(KeyCode::Backspace),
        actions: ACTIONS.iter().filter(|(key, _)| is_key_pressed(*key)).map(|(_, action)| *action).collect(),
        typed: typed_keys(),
        pointer: Pointer {
            at: Point { x: x.into(), y: y.into() },
            left: button(MouseButton::Left),
            right: button(MouseButton::Right),
            wheel: mouse_wheel().1.into(),
        },
        ..Controls::default()
    };
    hold(&mut controls, Keys::default().held());
    controls
}

/// Adds the buttons that a device holds.
pub(crate) fn hold(controls: &mut Controls, device: Held) {
    let (held, (x, y)) = (&mut controls.held, device.stick);
    held.left |= device.left || x < -STICK_REACH;
    held.right |= device.right || x > STICK_REACH;
    held.up |= device.up || y > STICK_REACH;
    held.down |= device.down || y < -STICK_REACH;
    held.jump |= device.jump;
    held.dash |= device.dash;
}

/// Returns the keys of a frame as text.
fn typed_keys() -> Vec<Typed> {
    let mut typed = Vec::new();
    while let Some(letter) = get_char_pressed() {
        // Keys such as backspace send a control character on some systems.
        typed.extend((!letter.is_control()).then_some(Typed::Letter(letter)));
    }
    typed.extend(is_key_pressed(KeyCode::Backspace).then_some(Typed::Erase));
    typed.extend((is_key_pressed(KeyCode::Enter) || is_key_pressed(KeyCode::KpEnter)).then_some(Typed::Done));
    typed
}

//! Keyboard and mouse controls.

use macroquad::prelude::*;
use surefoot_draw::Point;
use surefoot_play::{Action, Button, Controls, Held, Pointer, Typed};

/// Action of each key when it is pressed.
const ACTIONS: [(KeyCode, Action); 35] = [
    (KeyCode::R, Action::Restart),
    (KeyCode::P, Action::Pause),
    (KeyCode::Period, Action::SingleTick),
    (KeyCode::L, Action::SlowMotion),
    (KeyCode::N, Action::Normals),
    (KeyCode::C, Action::Contacts),
    (KeyCode::T, Action::Swept),
    (KeyCode::F, Action::Reach),
    (KeyCode::G, Action::Ghost),
    // Browsers keep F5, F6 and tab for themselves.
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
    (KeyCode::Enter, Action::Choose),
    (KeyCode::KpEnter, Action::Choose),
];

/// Reads the held and pressed keys of a frame, and the mouse.
pub(crate) fn read() -> Controls {
    let down = |keys: &[KeyCode]| keys.iter().any(|key| is_key_down(*key));
    let (x, y) = mouse_position();
    let button = |button| Button { pressed: is_mouse_button_pressed(button), down: is_mouse_button_down(button) };
    Controls {
        held: Held {
            left: down(&[KeyCode::Left, KeyCode::A]),
            right: down(&[KeyCode::Right, KeyCode::D]),
            up: down(&[KeyCode::Up, KeyCode::W]),
            down: down(&[KeyCode::Down, KeyCode::S]),
            jump: down(&[KeyCode::Space, KeyCode::Up, KeyCode::W]),
            dash: down(&[KeyCode::LeftShift, KeyCode::RightShift, KeyCode::K]),
        },
        rewind: down(&[KeyCode::Backspace]),
        actions: ACTIONS.iter().filter(|(key, _)| is_key_pressed(*key)).map(|(_, action)| *action).collect(),
        typed: typed_keys(),
        pointer: Pointer {
            at: Point { x: x.into(), y: y.into() },
            left: button(MouseButton::Left),
            right: button(MouseButton::Right),
            wheel: mouse_wheel().1.into(),
        },
    }
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

//! The panel for tuning a character in play, with a slider for each parameter.

use crate::camera::Size;
use crate::controls::Pointer;
use crate::session::default_hero_character;
use surefoot::prelude::Character;
use surefoot_draw::Point;

/// A parameter of a character.
pub(crate) struct Parameter {
    /// Name, as in the engine.
    pub(crate) name: &'static str,
    /// Unit.
    pub(crate) unit: &'static str,
    /// Limits of the slider.
    pub(crate) range: (f64, f64),
    /// Step of the slider.
    pub(crate) step: f64,
    /// Reads the parameter.
    pub(crate) get: fn(&Character) -> f64,
    set: fn(&mut Character, f64),
}

/// Defines a parameter by its field. The name is that of the field.
macro_rules! parameter {
    ($field:ident, $unit:literal, $least:literal to $most:literal by $step:literal) => {
        Parameter {
            name: stringify!($field),
            unit: $unit,
            range: ($least, $most),
            step: $step,
            get: |character| character.$field,
            set: |character, value| character.$field = value,
        }
    };
}

/// All parameters in the order of the rows.
pub(crate) const PARAMETERS: [Parameter; 7] = [
    parameter!(walk_speed, "tiles/s", 0.0 to 20.0 by 0.25),
    parameter!(ground_acceleration, "tiles/s2", 5.0 to 200.0 by 1.0),
    parameter!(ground_braking, "tiles/s2", 5.0 to 200.0 by 1.0),
    parameter!(air_acceleration, "tiles/s2", 0.0 to 200.0 by 1.0),
    parameter!(jump_height, "tiles", 0.0 to 10.0 by 0.1),
    parameter!(max_fall_speed, "tiles/s", 1.0 to 60.0 by 0.5),
    parameter!(max_push_mass, "boxes", 0.0 to 20.0 by 1.0),
];

/// The panel and the slider that is dragged.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Panel {
    held: Option<usize>,
}

/// A rectangle of the window, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    /// Top left corner.
    pub(crate) corner: Point,
    /// Width.
    pub(crate) width: f64,
    /// Height.
    pub(crate) height: f64,
}

impl Area {
    /// Returns whether a point is in the area.
    pub(crate) fn contains(&self, at: Point) -> bool {
        (self.corner.x..self.corner.x + self.width).contains(&at.x)
            && (self.corner.y..self.corner.y + self.height).contains(&at.y)
    }
}

/// Layout in pixels: width of the panel, height of its header and footer, height of a row, margin, and height of a bar.
const WIDTH: f64 = 300.0;
const HEAD: f64 = 34.0;
const FOOT: f64 = 40.0;
const ROW: f64 = 44.0;
const SPACE: f64 = 16.0;
const BAR: f64 = 14.0;

impl Panel {
    /// Returns the area of the panel.
    pub(crate) fn panel_area(size: Size) -> Area {
        let height = HEAD + PARAMETERS.len() as f64 * ROW + FOOT;
        Area { corner: Point { x: size.width - WIDTH - SPACE, y: 56.0 }, width: WIDTH, height }
    }

    /// Returns the area of a row's slider.
    pub(crate) fn slider_area(size: Size, row: usize) -> Area {
        let Area { corner, width, .. } = Panel::panel_area(size);
        let y = corner.y + HEAD + row as f64 * ROW + ROW - BAR - 6.0;
        Area { corner: Point { x: corner.x + SPACE, y }, width: width - 2.0 * SPACE, height: BAR }
    }

    /// Returns the position of a value on its slider, 0 to 1.
    pub(crate) fn slider_part(row: usize, value: f64) -> f64 {
        let (least, most) = PARAMETERS[row].range;
        ((value - least) / (most - least)).clamp(0.0, 1.0)
    }

    /// Handles the mouse. Returns the changed character, or `None` if nothing changed. A slider is dragged until the
    /// button is released; the right button resets a parameter to its default.
    pub(crate) fn drag_sliders(&mut self, pointer: &Pointer, size: Size, character: &Character) -> Option<Character> {
        if !pointer.left.down {
            self.held = None;
        }
        let under = (0..PARAMETERS.len()).find(|&row| {
            let Area { corner, width, height } = Panel::slider_area(size, row);
            // The clickable area is slightly larger than the bar.
            let grip = Area { corner: Point { y: corner.y - 6.0, ..corner }, width, height: height + 12.0 };
            grip.contains(pointer.at)
        });
        if pointer.left.pressed {
            self.held = under;
        }
        let mut tuned = *character;
        if let Some(row) = self.held {
            let (slider, Parameter { range: (least, most), step, set, .. }) =
                (Panel::slider_area(size, row), &PARAMETERS[row]);
            let part = ((pointer.at.x - slider.corner.x) / slider.width).clamp(0.0, 1.0);
            let steps = ((most - least) * part / step).round();
            // Round to two decimals, so that values read well: 3.2 instead of 3.2000000000000002.
            set(&mut tuned, (((least + steps * step) * 100.0).round() / 100.0).clamp(*least, *most));
        } else if let (true, Some(row)) = (pointer.right.pressed, under) {
            let Parameter { get, set, .. } = &PARAMETERS[row];
            set(&mut tuned, get(&default_hero_character()));
        }
        (tuned != *character).then_some(tuned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::controls::Button;

    const SIZE: Size = Size { width: 1280.0, height: 800.0 };

    /// In steps: far below one, far above the rounding of a decimal step.
    const ROUNDING: f64 = 1e-9;

    fn pointer(x: f64, y: f64, pressed: bool, down: bool) -> Pointer {
        Pointer { at: Point { x, y }, left: Button { pressed, down }, ..Pointer::default() }
    }

    #[test]
    fn every_default_is_a_step_of_its_slider() {
        for Parameter { name, range, step, get, set, .. } in &PARAMETERS {
            let value = get(&default_hero_character());
            assert!(range.0 <= value && value <= range.1, "{name}");
            let steps = (value - range.0) / step;
            assert!((steps - steps.round()).abs() < ROUNDING, "{name}: {value}");
            for end in [range.0, range.1] {
                let mut character = Character::default();
                set(&mut character, end);
                assert_eq!((get(&character), character.check()), (end, Ok(())), "{name}");
            }
        }
    }

    #[test]
    fn a_slider_follows_the_mouse_until_the_button_is_released() {
        let mut panel = Panel::default();
        let walk = Panel::slider_area(SIZE, 0);
        let (left, y) = (walk.corner.x, walk.corner.y + 4.0);
        let mut character = Character::default();
        character = panel.drag_sliders(&pointer(left + walk.width * 0.5, y, true, true), SIZE, &character).unwrap();
        assert_eq!(character, Character { walk_speed: 10.0, ..Character::default() });
        // The slider is still dragged while the pointer is far above the bar and beyond its end.
        character = panel.drag_sliders(&pointer(left + walk.width * 2.0, 0.0, false, true), SIZE, &character).unwrap();
        assert_eq!(character.walk_speed, 20.0);
        assert_eq!(panel.drag_sliders(&pointer(left, y, false, false), SIZE, &character), None);
        assert_eq!(panel.drag_sliders(&pointer(left, y, false, true), SIZE, &character), None, "it was not taken");
        let right = Pointer { right: Button { pressed: true, down: true }, ..pointer(left, y, false, false) };
        assert_eq!(panel.drag_sliders(&right, SIZE, &character), Some(Character::default()));
    }

    #[test]
    fn sliders_do_not_overlap_and_are_within_the_panel() {
        let area = Panel::panel_area(SIZE);
        for row in 0..PARAMETERS.len() {
            let Area { corner, width, height } = Panel::slider_area(SIZE, row);
            assert!(area.contains(corner) && area.contains(Point { x: corner.x + width, y: corner.y + height }));
            if row > 0 {
                let above = Panel::slider_area(SIZE, row - 1);
                assert!(above.corner.y + above.height + 12.0 <= corner.y);
            }
        }
        assert_eq!(Panel::slider_part(4, 5.0), 0.5);
    }
}

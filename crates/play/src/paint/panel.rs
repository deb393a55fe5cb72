//! Paints the panel of the character's parameters.

use super::widgets::{
    HEADING_HEIGHT, NORMAL_TEXT_HEIGHT, paint_sheet, paint_slider, paint_text_centred_at, paint_text_ending_at,
};
use crate::camera::Size;
use crate::panel::{Area, PARAMETERS, Panel};
use surefoot::prelude::Character;
use surefoot_draw::{Canvas, Palette, Point};

pub(crate) fn paint(canvas: &mut impl Canvas, size: Size, character: &Character, palette: &Palette) {
    let area = Panel::panel_area(size);
    paint_sheet(canvas, area, palette);
    let Area { corner, width, height } = area;
    canvas.text("Character", Point { x: corner.x + 16.0, y: corner.y + 24.0 }, HEADING_HEIGHT, palette.text);
    let hint = Point { x: corner.x + width / 2.0, y: corner.y + height - 14.0 };
    paint_text_centred_at(canvas, "right click a slider to reset it", hint, NORMAL_TEXT_HEIGHT, palette.text);
    for (row, parameter) in PARAMETERS.iter().enumerate() {
        let (value, bar) = ((parameter.get)(character), Panel::slider_area(size, row));
        let y = bar.corner.y - 8.0;
        canvas.text(parameter.name, Point { x: bar.corner.x, y }, NORMAL_TEXT_HEIGHT, palette.text);
        let right = Point { x: bar.corner.x + bar.width, y };
        paint_text_ending_at(canvas, &format!("{value} {}", parameter.unit), right, NORMAL_TEXT_HEIGHT, palette.marker);
        paint_slider(canvas, bar, Panel::slider_part(row, value), palette);
    }
}

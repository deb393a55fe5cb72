//! Brush strokes: the tiles that the mouse paints while a button is held.

use crate::controls::Pointer;
use crate::palette::Brush;
use surefoot::geometry::DVec2;

/// A brush stroke, from pressing a button to releasing it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stroke {
    /// The brush.
    pub(crate) brush: Brush,
    /// Whether the stroke removes what the brush would place.
    pub(crate) removes: bool,
    /// The last painted tile.
    last: Option<(i32, i32)>,
}

impl Stroke {
    /// Returns the stroke that begins in a frame. The left button places, the right one removes.
    pub(crate) fn begin(pointer: &Pointer, brush: Brush) -> Option<Stroke> {
        match (pointer.left.pressed, pointer.right.pressed) {
            (true, _) => Some(Stroke { brush, removes: false, last: None }),
            (false, true) => Some(Stroke { brush, removes: true, last: None }),
            (false, false) => None,
        }
    }

    /// Returns whether the button of the stroke is still held.
    pub(crate) fn is_held(&self, pointer: &Pointer) -> bool {
        if self.removes { pointer.right.down } else { pointer.left.down }
    }

    /// Interrupts the stroke: the tiles between the last position of the mouse and its next one are not painted.
    pub(crate) fn interrupt(&mut self) {
        self.last = None;
    }

    /// Returns the tiles to paint if the mouse moves to `tile`: a straight line without gaps, or none if the tile is
    /// the same.
    pub(crate) fn tiles_to_paint_up_to(&mut self, tile: (i32, i32)) -> Vec<(i32, i32)> {
        match self.last.replace(tile) {
            Some(last) if last == tile => Vec::new(),
            last => tiles_on_line(last.unwrap_or(tile), tile).collect(),
        }
    }
}

/// Returns the tiles on a straight line without gaps. Leaves out the first tile unless it is the only one.
fn tiles_on_line(from: (i32, i32), to: (i32, i32)) -> impl Iterator<Item = (i32, i32)> {
    let way = DVec2::new(f64::from(to.0) - f64::from(from.0), f64::from(to.1) - f64::from(from.1));
    let steps = way.abs().max_element().max(1.0);
    (1..=steps as i64).map(move |step| {
        let gone = (way * (step as f64 / steps)).round();
        ((f64::from(from.0) + gone.x) as i32, (f64::from(from.1) + gone.y) as i32)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::controls::Button;

    const PRESSED: Button = Button { pressed: true, down: true };
    const HELD: Button = Button { pressed: false, down: true };

    #[test]
    fn a_stroke_lasts_as_long_as_its_button_is_held() {
        let brush = Brush::Variant(surefoot::prelude::VariantId(3));
        let pointer = |left, right| Pointer { left, right, ..Pointer::default() };
        let up = Button::default();
        assert_eq!(Stroke::begin(&pointer(HELD, HELD), brush), None, "held since before");
        let left = Stroke::begin(&pointer(PRESSED, up), brush).unwrap();
        assert_eq!(left.brush, brush);
        assert!(left.is_held(&pointer(HELD, up)) && !left.is_held(&pointer(up, HELD)));
        let right = Stroke::begin(&pointer(up, PRESSED), brush).unwrap();
        assert_eq!((right.brush, right.removes), (brush, true));
        assert!(right.is_held(&pointer(up, HELD)) && !right.is_held(&pointer(HELD, up)));
    }

    #[test]
    fn a_stroke_has_gaps_only_where_it_was_interrupted() {
        let pointer = Pointer { left: PRESSED, ..Pointer::default() };
        let mut stroke = Stroke::begin(&pointer, Brush::Eraser).unwrap();
        assert_eq!(stroke.tiles_to_paint_up_to((2, -1)), [(2, -1)]);
        assert_eq!(stroke.tiles_to_paint_up_to((2, -1)), []);
        assert_eq!(stroke.tiles_to_paint_up_to((-1, -4)), [(1, -2), (0, -3), (-1, -4)]);
        stroke.interrupt();
        assert_eq!(stroke.tiles_to_paint_up_to((9, 9)), [(9, 9)]);
    }
}

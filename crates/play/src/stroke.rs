//! Strokes of the brush: the tiles that the mouse paints while a button is held.

use crate::controls::Pointer;
use crate::palette::Brush;
use surefoot::geometry::DVec2;

/// A stroke, from the moment that a button went down until it is let go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stroke {
    /// What it paints.
    pub(crate) brush: Brush,
    with_right: bool,
    /// The tile that the mouse was over when it last painted.
    last: Option<(i32, i32)>,
}

impl Stroke {
    /// The stroke that begins in a frame: the left button paints with a brush, the right one takes tiles away.
    pub(crate) fn begun(pointer: &Pointer, brush: Brush) -> Option<Stroke> {
        match (pointer.left.pressed, pointer.right.pressed) {
            (true, _) => Some(Stroke { brush, with_right: false, last: None }),
            (false, true) => Some(Stroke { brush: Brush(None), with_right: true, last: None }),
            (false, false) => None,
        }
    }

    /// Whether its button is still down.
    pub(crate) fn is_held(&self, pointer: &Pointer) -> bool {
        if self.with_right { pointer.right.down } else { pointer.left.down }
    }

    /// Where the mouse goes next it does not paint what lies between.
    pub(crate) fn lift(&mut self) {
        self.last = None;
    }

    /// The tiles to be painted now that the mouse is over one: those on the straight way to it, without gaps, and none
    /// while it stays.
    pub(crate) fn reach(&mut self, tile: (i32, i32)) -> Vec<(i32, i32)> {
        match self.last.replace(tile) {
            Some(last) if last == tile => Vec::new(),
            last => between(last.unwrap_or(tile), tile).collect(),
        }
    }
}

/// The tiles on the straight way from one to another without gaps: all but the first, or that one if there are no others.
fn between(from: (i32, i32), to: (i32, i32)) -> impl Iterator<Item = (i32, i32)> {
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
    fn a_stroke_lasts_as_long_as_the_button_that_began_it() {
        let brush = Brush(Some(surefoot::prelude::VariantId(3)));
        let pointer = |left, right| Pointer { left, right, ..Pointer::default() };
        let up = Button::default();
        assert_eq!(Stroke::begun(&pointer(HELD, HELD), brush), None, "held since before");
        let left = Stroke::begun(&pointer(PRESSED, up), brush).unwrap();
        assert_eq!(left.brush, brush);
        assert!(left.is_held(&pointer(HELD, up)) && !left.is_held(&pointer(up, HELD)));
        let right = Stroke::begun(&pointer(up, PRESSED), brush).unwrap();
        assert_eq!(right.brush, Brush(None));
        assert!(right.is_held(&pointer(up, HELD)) && !right.is_held(&pointer(HELD, up)));
    }

    #[test]
    fn it_has_no_gaps_but_where_it_was_lifted() {
        let pointer = Pointer { left: PRESSED, ..Pointer::default() };
        let mut stroke = Stroke::begun(&pointer, Brush(None)).unwrap();
        assert_eq!(stroke.reach((2, -1)), [(2, -1)]);
        assert_eq!(stroke.reach((2, -1)), []);
        assert_eq!(stroke.reach((-1, -4)), [(1, -2), (0, -3), (-1, -4)]);
        stroke.lift();
        assert_eq!(stroke.reach((9, 9)), [(9, 9)]);
    }
}

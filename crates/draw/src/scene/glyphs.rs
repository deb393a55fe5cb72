//! Letters as triangles. Each is made once and then scaled and moved.

use crate::scene::tessellate::{Line, Tessellation, stroke_path};
use crate::{Point, font};
use std::sync::LazyLock;
use surefoot::geometry::DVec2;

/// Capital height in pixels for which the curves of letters are smooth. They may be shown a few times larger.
const CAPITAL_HEIGHT_PIXELS: f64 = 32.0;

/// A letter with a capital height of one pixel, from the left end of its baseline.
#[derive(Debug)]
pub(crate) struct Glyph {
    pub(crate) points: Vec<DVec2>,
    pub(crate) indices: Vec<u32>,
    /// Distance to the next letter.
    pub(crate) advance: f64,
}

/// The ASCII letters by code. The last entry is the box for all other characters.
static GLYPHS: LazyLock<[Glyph; 128]> = LazyLock::new(|| std::array::from_fn(|code| Glyph::new(code as u8 as char)));

impl Glyph {
    /// Returns the triangles of a letter.
    pub(crate) fn of_letter(letter: char) -> &'static Glyph {
        &GLYPHS[(letter as usize).min(127)]
    }

    fn new(letter: char) -> Glyph {
        let lines = font::lines(letter.encode_utf8(&mut [0; 4]), Point { x: 0.0, y: 0.0 }, CAPITAL_HEIGHT_PIXELS);
        let Tessellation { points, indices } =
            stroke_path(&lines, Line { width: font::pen(CAPITAL_HEIGHT_PIXELS), round: true, dash: None });
        let points = points.into_iter().map(|at| at / CAPITAL_HEIGHT_PIXELS).collect();
        Glyph { points, indices, advance: font::advance(letter, 1.0) }
    }
}

//! Letters as triangles, made once and then only moved.

use crate::tessellate::{Line, Tessellation, stroke};
use std::sync::LazyLock;
use surefoot::geometry::DVec2;
use surefoot_draw::{Point, font};

/// The height of capitals in pixels for which letters are made round enough; they may be shown a few times larger.
const HEIGHT: f64 = 32.0;

/// A letter whose capitals are one pixel high, from the left end of its baseline.
#[derive(Debug)]
pub(crate) struct Glyph {
    pub(crate) points: Vec<DVec2>,
    pub(crate) indices: Vec<u32>,
    /// How far the next one is to the right.
    pub(crate) advance: f64,
}

/// The letters of ASCII by their numbers. The last stands for all others, too: those without lines of their own are a
/// box.
static GLYPHS: LazyLock<[Glyph; 128]> = LazyLock::new(|| std::array::from_fn(|code| Glyph::new(code as u8 as char)));

impl Glyph {
    /// The triangles of a letter.
    pub(crate) fn of(letter: char) -> &'static Glyph {
        &GLYPHS[(letter as usize).min(127)]
    }

    fn new(letter: char) -> Glyph {
        let lines = font::lines(letter.encode_utf8(&mut [0; 4]), Point { x: 0.0, y: 0.0 }, HEIGHT);
        let Tessellation { points, indices } =
            stroke(&lines, Line { width: font::pen(HEIGHT), round: true, dash: None });
        let points = points.into_iter().map(|at| at / HEIGHT).collect();
        Glyph { points, indices, advance: font::advance(letter, 1.0) }
    }
}

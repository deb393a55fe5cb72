//! What is written over the game: figures, the state of time, notices.

use super::widgets::{NORMAL, SMALL, plate, text_to};
use crate::camera::Size;
use surefoot_draw::{Canvas, Color, Paint, Palette, Point};

/// What the figures and the state of time say.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Hud<'a> {
    /// The map or the replay.
    pub(crate) title: &'a str,
    pub(crate) tick: u64,
    pub(crate) bodies: usize,
    pub(crate) step_micros: f64,
    pub(crate) frames: f64,
    /// What is on, such as `PAUSED`.
    pub(crate) states: Vec<String>,
    /// What was just said, and whether it is bad news.
    pub(crate) notice: Option<(&'a str, bool)>,
    /// How far a replay is, 0 to 1, and where in it something differs.
    pub(crate) progress: Option<(f64, Option<f64>)>,
    /// What is said of the first difference.
    pub(crate) differs: Option<String>,
}

/// What is left free at the sides of the window, in pixels.
const SPACE: f64 = 16.0;

pub(crate) fn paint(canvas: &mut impl Canvas, size: Size, hud: &Hud<'_>, bottom: f64, palette: &Palette) {
    strip(canvas, Point { x: 0.0, y: 0.0 }, size.width, 34.0, palette);
    canvas.text(hud.title, Point { x: SPACE, y: 22.0 }, NORMAL, palette.text);
    let figures = format!(
        "tick {}   bodies {}   {:.1} us a step   {:.0} fps   H help",
        hud.tick, hud.bodies, hud.step_micros, hud.frames
    );
    text_to(canvas, &figures, Point { x: size.width - SPACE, y: 22.0 }, NORMAL, palette.quiet_text);
    let mut x = size.width / 2.0 - 40.0 * (hud.states.len() as f64 - 1.0);
    for state in &hud.states {
        super::widgets::text_around(canvas, state, Point { x, y: 22.0 }, NORMAL, palette.marker);
        x += 110.0;
    }
    if let Some((part, differs)) = hud.progress {
        progress(canvas, size, bottom, part, differs, palette);
    }
    if let Some(differs) = &hud.differs {
        plate(canvas, differs, Point { x: size.width / 2.0, y: bottom - 72.0 }, palette.wall, palette);
    }
    if let Some((text, bad)) = hud.notice {
        let color: Color = if bad { palette.wall } else { palette.text };
        plate(canvas, text, Point { x: size.width / 2.0, y: bottom - 36.0 }, color, palette);
    }
}

/// A dark strip under a line of text.
fn strip(canvas: &mut impl Canvas, corner: Point, width: f64, height: f64, palette: &Palette) {
    canvas.rect(corner, width, height, &Paint::fill(palette.background).opacity(0.82));
}

/// How far a replay is, along the bottom of the window.
fn progress(canvas: &mut impl Canvas, size: Size, bottom: f64, part: f64, differs: Option<f64>, palette: &Palette) {
    let (x, y, width) = (SPACE, bottom - 10.0, size.width - 2.0 * SPACE);
    canvas.rect(Point { x, y }, width, 4.0, &Paint::fill(palette.solid));
    canvas.rect(Point { x, y }, width * part, 4.0, &Paint::fill(palette.normal));
    if let Some(at) = differs {
        canvas.rect(Point { x: x + width * at - 1.5, y: y - 5.0 }, 3.0, 14.0, &Paint::fill(palette.wall));
        canvas.text("differs", Point { x: x + width * at + 6.0, y: y - 6.0 }, SMALL, palette.wall);
    }
}

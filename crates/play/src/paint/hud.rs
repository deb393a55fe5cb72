//! Paints the text over the game: figures, the state of time, notices.

use super::widgets::{
    NORMAL_TEXT_HEIGHT, SMALL_TEXT_HEIGHT, break_into_lines, paint_plate, paint_sheet, paint_text_centred_at,
    paint_text_ending_at, shorten_to_width,
};
use crate::camera::Size;
use crate::game::Notice;
use crate::panel::Area;
use crate::watch_bar::WatchBar;
use std::borrow::Cow;
use surefoot::checksum::PHYSICS_VERSION;
use surefoot_draw::font::width as text_width;
use surefoot_draw::{Canvas, Paint, Palette, PathData, Point};

/// Content of the text over the game.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Hud<'a> {
    /// Title of the map or the replay.
    pub(crate) title: Cow<'a, str>,
    /// A game with rules of its own is played: its figures are those of the rules.
    pub(crate) is_game: bool,
    /// The screen is for fingers: figures are for developers at a keyboard.
    pub(crate) has_fingers: bool,
    pub(crate) tick: u64,
    pub(crate) bodies: usize,
    pub(crate) step_micros: f64,
    pub(crate) frames: f64,
    /// Active states, such as `PAUSED`.
    pub(crate) states: Vec<String>,
    /// Seconds that can still be rewound, while time goes back.
    pub(crate) rewind: Option<f64>,
    /// Version of the physics that recorded the replay, if it is another one.
    pub(crate) other_physics: Option<u32>,
    /// The current message.
    pub(crate) notice: Option<&'a Notice>,
    /// Progress of a watched run.
    pub(crate) progress: Option<Progress>,
    /// Error message if the watched level or its art cannot be loaded.
    pub(crate) broken: Option<&'a str>,
    /// Words about the goals and coins that the hero reaches, if they are shown.
    pub(crate) reach: Option<String>,
    /// Description of the first divergence.
    pub(crate) differs: Option<String>,
}

/// Progress of a watched run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Progress {
    /// The shown part of the run, 0 to 1.
    pub(crate) part: f64,
    /// The shown and the last moment, in seconds.
    pub(crate) seconds: (f64, f64),
    /// The part at which a replay diverges.
    pub(crate) differs: Option<f64>,
    pub(crate) is_paused: bool,
}

/// Margin at the sides of the window, in pixels.
const SPACE: f64 = 16.0;

/// Gap between two texts, in pixels.
const GAP: f64 = 22.0;

pub(crate) fn paint(canvas: &mut impl Canvas, size: Size, hud: &Hud<'_>, bottom: f64, palette: &Palette) {
    paint_line_along_top(canvas, size, hud, palette);
    if let Some(seconds) = hud.rewind {
        paint_rewind_sign(canvas, size, seconds, palette);
    }
    let mut plates = bottom - 36.0;
    if let Some(progress) = &hud.progress {
        paint_watch_bar(canvas, size, progress, palette);
        plates = plates.min(WatchBar::new(size).area.corner.y - 20.0);
    }
    if let Some(differs) = &hud.differs {
        plates = paint_plate(canvas, differs, size.width, plates, palette.wall, palette);
    }
    if let Some(physics) = hud.other_physics {
        let words = format!(
            "recorded with version {physics} of the physics; this is version {PHYSICS_VERSION}: only the motion is compared"
        );
        plates = paint_plate(canvas, &words, size.width, plates, palette.marker, palette);
    }
    if let Some(broken) = hud.broken {
        plates = paint_plate(canvas, broken, size.width, plates, palette.wall, palette);
    }
    if let Some(reach) = &hud.reach {
        plates = paint_plate(canvas, reach, size.width, plates, palette.text, palette);
    }
    if let Some(notice) = hud.notice {
        paint_plate(canvas, &notice.text, size.width, plates, notice.color(palette), palette);
    }
}

/// Paints the title, the state of time and the figures along the top. If there is no room, the figures are below.
fn paint_line_along_top(canvas: &mut impl Canvas, size: Size, hud: &Hud<'_>, palette: &Palette) {
    let figures = if hud.has_fingers {
        String::new()
    } else if hud.is_game {
        "H help".to_owned()
    } else {
        format!(
            "tick {}   bodies {}   {:.1} microseconds a step   {:.0} fps   H help",
            hud.tick, hud.bodies, hud.step_micros, hud.frames
        )
    };
    let states = hud.states.join("    ");
    if size.width < NARROW_PIXELS {
        paint_lines_along_top_of_narrow_window(canvas, size, hud, &states, &figures, palette);
        return;
    }
    let (states_width, figures_width) =
        (text_width(&states, NORMAL_TEXT_HEIGHT), text_width(&figures, NORMAL_TEXT_HEIGHT));
    let room = size.width - 2.0 * SPACE;
    let title = shorten_to_width(&hud.title, NORMAL_TEXT_HEIGHT, room - GAP - states_width);
    let title_width = text_width(&title, NORMAL_TEXT_HEIGHT);
    let beside = title_width + GAP + states_width + GAP + figures_width <= room;
    paint_text_background(canvas, Point { x: 0.0, y: 0.0 }, size.width, if beside { 34.0 } else { 56.0 }, palette);
    canvas.text(&title, Point { x: SPACE, y: 22.0 }, NORMAL_TEXT_HEIGHT, palette.text);
    let end = size.width - SPACE;
    // Centre the states, or place them as close to the centre as the other texts allow.
    let last = if beside { end - figures_width - GAP - states_width } else { end - states_width };
    let x = ((size.width - states_width) / 2.0).min(last).max(SPACE + title_width + GAP).round();
    canvas.text(&states, Point { x, y: 22.0 }, NORMAL_TEXT_HEIGHT, palette.marker);
    paint_text_ending_at(
        canvas,
        &figures,
        Point { x: end, y: if beside { 22.0 } else { 44.0 } },
        NORMAL_TEXT_HEIGHT,
        palette.quiet_text,
    );
}

/// Width in pixels below which the texts at the top are below each other.
const NARROW_PIXELS: f64 = 700.0;

/// Paints the title and below it the state of time and the figures, in as many lines as they need.
fn paint_lines_along_top_of_narrow_window(
    canvas: &mut impl Canvas,
    size: Size,
    hud: &Hud<'_>,
    states: &str,
    figures: &str,
    palette: &Palette,
) {
    let room = size.width - 2.0 * SPACE;
    let title = shorten_to_width(&hud.title, NORMAL_TEXT_HEIGHT, room);
    let broken = |text: &str, color| {
        let lines = break_into_lines(text, NORMAL_TEXT_HEIGHT, room).into_iter().filter(|line| !line.is_empty());
        lines.map(move |line| (line, color)).collect::<Vec<_>>()
    };
    let lines =
        [vec![(title, palette.text)], broken(states, palette.marker), broken(figures, palette.quiet_text)].concat();
    paint_text_background(canvas, Point { x: 0.0, y: 0.0 }, size.width, 12.0 + 20.0 * lines.len() as f64, palette);
    for (i, (line, color)) in lines.iter().enumerate() {
        canvas.text(line, Point { x: SPACE, y: 20.0 + 20.0 * i as f64 }, NORMAL_TEXT_HEIGHT, *color);
    }
}

/// Sheet that shows that time goes back, in pixels: size, top, margin, and half the height of its two triangles.
const REWIND_PIXELS: (f64, f64) = (196.0, 58.0);
const REWIND_TOP: f64 = 64.0;
const REWIND_MARGIN: f64 = 14.0;
const REWIND_HALF: f64 = 9.0;
/// Seconds that the whole bar stands for.
const REWIND_SECONDS: f64 = 10.0;

/// Paints two triangles that point back and the time that is left. Without them, the hero seems to walk backwards by
/// itself.
fn paint_rewind_sign(canvas: &mut impl Canvas, size: Size, seconds: f64, palette: &Palette) {
    let (width, height) = REWIND_PIXELS;
    let corner = Point { x: ((size.width - width) / 2.0).round(), y: REWIND_TOP };
    paint_sheet(canvas, Area { corner, width, height }, palette);
    let (left, middle) = (corner.x + REWIND_MARGIN, corner.y + REWIND_MARGIN + REWIND_HALF);
    let mut triangles = PathData::new();
    for x in [left, left + REWIND_HALF * 1.5] {
        let tip = Point { x, y: middle };
        let back = |y: f64| Point { x: x + REWIND_HALF * 1.5, y: middle + y };
        triangles.polygon([tip, back(-REWIND_HALF), back(REWIND_HALF)]);
    }
    canvas.path(&triangles, &Paint::fill(palette.marker));
    let text =
        if seconds > 0.0 { format!("rewinding: {seconds:.1} s left") } else { "this is the beginning".to_owned() };
    let at = Point { x: left + REWIND_HALF * 3.0 + 12.0, y: middle + NORMAL_TEXT_HEIGHT / 2.0 };
    canvas.text(&text, at, NORMAL_TEXT_HEIGHT, palette.marker);
    let (bar, y) = (width - 2.0 * REWIND_MARGIN, corner.y + height - REWIND_MARGIN);
    canvas.rect(Point { x: left, y }, bar, 4.0, &Paint::fill(palette.rim));
    let part = (seconds / REWIND_SECONDS).clamp(0.0, 1.0);
    canvas.rect(Point { x: left, y }, bar * part, 4.0, &Paint::fill(palette.marker));
}

/// Paints a dark strip behind a line of text.
fn paint_text_background(canvas: &mut impl Canvas, corner: Point, width: f64, height: f64, palette: &Palette) {
    canvas.rect(corner, width, height, &Paint::fill(palette.background));
}

/// Paints the bar of a watched run along the bottom of the window.
fn paint_watch_bar(canvas: &mut impl Canvas, size: Size, progress: &Progress, palette: &Palette) {
    let WatchBar { area, pause, play_on, line } = WatchBar::new(size);
    canvas.rect(area.corner, area.width, area.height, &Paint::fill(palette.background));
    for button in [pause, play_on] {
        canvas.rect(button.corner, button.width, button.height, &Paint::stroke(palette.rim, 1.0));
    }
    let middle = |area: Area| Point { x: area.corner.x + area.width / 2.0, y: area.corner.y + area.height / 2.0 };
    let Point { x, y } = middle(pause);
    if progress.is_paused {
        let mut triangle = PathData::new();
        triangle.polygon([
            Point { x: x - 6.0, y: y - 9.0 },
            Point { x: x + 10.0, y },
            Point { x: x - 6.0, y: y + 9.0 },
        ]);
        canvas.path(&triangle, &Paint::fill(palette.text));
    } else {
        for left in [x - 8.0, x + 2.0] {
            canvas.rect(Point { x: left, y: y - 9.0 }, 6.0, 18.0, &Paint::fill(palette.text));
        }
    }
    let Point { x, y } = middle(play_on);
    let at = Point { x, y: y + NORMAL_TEXT_HEIGHT / 2.0 };
    paint_text_centred_at(canvas, "play on", at, NORMAL_TEXT_HEIGHT, palette.text);
    let Area { corner: Point { x, y }, width, height } = line;
    canvas.rect(Point { x, y }, width, height, &Paint::fill(palette.rim));
    canvas.rect(Point { x, y }, width * progress.part, height, &Paint::fill(palette.normal));
    let knob = Point { x: x + width * progress.part, y: y + height / 2.0 };
    canvas.circle(knob, 7.0, &Paint::fill(palette.text));
    let (now, all) = progress.seconds;
    let time = Point { x: x + width, y: y - 10.0 };
    paint_text_ending_at(canvas, &format!("{now:.1} of {all:.1} s"), time, SMALL_TEXT_HEIGHT, palette.quiet_text);
    if let Some(part) = progress.differs {
        let at = x + width * part;
        canvas.rect(Point { x: at - 1.5, y: y - 5.0 }, 3.0, 14.0, &Paint::fill(palette.wall));
        let word = "differs";
        let left = (at - 1.5).min(x + width - text_width(word, SMALL_TEXT_HEIGHT));
        canvas.text(word, Point { x: left, y: y + 20.0 }, SMALL_TEXT_HEIGHT, palette.wall);
    }
}

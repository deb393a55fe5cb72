//! Reports the content of the screen, for tests that look at the screen.

use crate::game::Game;
use crate::paint::{Help, state_labels};
use crate::palette::{Strip, TILE_PIXELS};
use crate::panel::{Area, Panel};
use crate::watch_bar::WatchBar;
use serde::Serialize;
use surefoot::geometry::DVec2;
use surefoot::prelude::Shape;
use surefoot_draw::View;

/// The content of a frame. Positions are in pixels of the window, right and down.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// `menu`, `play` or `watch`.
    pub screen: &'static str,
    /// Number of ticks.
    pub tick: u64,
    /// Checksum of the world.
    pub checksum: String,
    /// Number of bodies.
    pub bodies: usize,
    /// Drawn bounds of the body that the camera follows: left, top, right, bottom.
    pub hero: Option<[f64; 4]>,
    /// Drawn bounds of the other bodies, in the order of their slots.
    pub others: Vec<[f64; 4]>,
    /// World x of the window's left edge, world y of its top edge, in tiles, and pixels per tile.
    pub view: Option<[f64; 3]>,
    /// Words at the top of the window, such as `PAUSED`.
    pub states: Vec<String>,
    /// Version of the physics that recorded the watched replay.
    pub physics: Option<u32>,
    /// Time is paused.
    pub paused: bool,
    /// Time is being rewound.
    pub rewinding: bool,
    /// Drawn bounds of the ghost.
    pub ghost: Option<[f64; 4]>,
    /// Name of the brush.
    pub brush: String,
    /// Middles of the squares of the tile strip in the window: the eraser, the variants in the order of the catalogue,
    /// the special kinds of the legend, and the markers by name.
    pub brushes: Vec<[f64; 2]>,
    /// Bounds of the tabs of the tile strip, if the window is small.
    pub tabs: Vec<[f64; 4]>,
    /// Bounds of the tile strip.
    pub strip: Option<[f64; 4]>,
    /// Bounds of the help, if it is over the game.
    pub help: Option<[f64; 4]>,
    /// Bounds of the line of a watched run, and of its buttons to pause and to play on.
    pub bar: Option<[[f64; 4]; 3]>,
    /// Bounds of the entries of the menu. `None` if an entry is not visible.
    pub entries: Vec<Option<[f64; 4]>>,
    /// For each entry of the menu, the bounds of the button that forgets its file. `None` if it has no such button.
    pub forget: Vec<Option<[f64; 4]>>,
    /// Name that the player is typing.
    pub typed: Option<String>,
    /// Name of the tile layer to paint.
    pub layer: String,
    /// Bounds of the panel's first slider, if the panel is open.
    pub slider: Option<[f64; 4]>,
    /// Walk speed of the hero.
    pub walk_speed: f64,
    /// Parts of an editor's level that the import left out, if the window shows their list.
    pub notes: Vec<String>,
    /// The current message.
    pub notice: Option<String>,
    /// The last saved file.
    pub saved: Option<String>,
    /// The line about a game with rules of its own.
    pub status: Option<String>,
    /// Error message if the watched level or its art cannot be loaded.
    pub broken: Option<String>,
    /// Sentence about the places that the hero can reach, if the window shows them.
    pub reach: Option<String>,
    /// First tick after which a replay diverges.
    pub differs: Option<u64>,
    /// Bounds of the expected positions of bodies after that tick.
    pub expected: Vec<[f64; 4]>,
    /// Duration of building the drawing of the frame, in microseconds.
    pub drawing_micros: f64,
}

impl Report {
    /// Returns the report of the last painted frame. `drawing_micros`: see [`Painter::micros`](crate::Painter::micros).
    #[must_use]
    pub fn of(game: &Game, drawing_micros: f64) -> Report {
        let mut report = Report {
            screen: "menu",
            notice: game.notice.as_ref().map(|notice| notice.text.clone()),
            saved: game.opening.saved.as_ref().map(|file| file.display().to_string()),
            drawing_micros,
            ..Report::default()
        };
        let Some(open) = &game.open else {
            let all = 0..game.menu.entries().len();
            report.entries = all.clone().map(|i| game.menu.entry_area(game.size, i).map(area_bounds)).collect();
            report.forget = all.map(|i| game.menu.forget_button_area(game.size, i).map(area_bounds)).collect();
            return report;
        };
        let (session, view) = (&open.session, open.view());
        let (world, fraction) = (session.world(), session.fraction());
        report.screen = if session.watched().is_some() { "watch" } else { "play" };
        (report.tick, report.bodies) = (world.tick(), world.bodies().count());
        report.checksum = world.checksum().to_string();
        report.view = Some([view.left, view.top, view.scale]);
        let hero = open.followed_body().and_then(|id| world.get(id));
        report.hero = hero.map(|hero| open.drawn_bounds(hero));
        let others = world.bodies().filter(|(id, _)| Some(*id) != open.followed_body());
        report.others =
            others.map(|(_, body)| shape_bounds(&view, body.shape(), body.position_at(fraction).as_dvec2())).collect();
        report.ghost = session.ghost_at(fraction).map(|(shape, at)| shape_bounds(&view, shape, at));
        (report.paused, report.rewinding) = (session.time().paused, session.time().rewinding);
        report.states = state_labels(game, open);
        report.brush = game.brush_name();
        report.typed = game.tools.name.is_being_typed().then(|| game.tools.name.text().to_owned());
        report.layer = world.map().layers()[session.layer()].name.clone();
        if game.shows.build {
            let strip = Strip::new(world.map(), game.size, game.tools.group);
            let middle = TILE_PIXELS / 2.0;
            report.brushes =
                strip.brushes().map(|(_, area)| [area.corner.x + middle, area.corner.y + middle]).collect();
            report.tabs = strip.tabs().map(|(_, area, _)| area_bounds(area)).collect();
            report.strip = Some(area_bounds(strip.area()));
        }
        (report.status, report.broken) = (session.status(), open.broken.clone());
        if game.shows.notes {
            report.notes = session.notes().to_vec();
        }
        report.reach = game.shows.reach.then(|| open.explorer.answer_in_words());
        report.help = game.shows.help.then(|| area_bounds(Help::new(game.size, game.menu.has_fingers).area));
        report.walk_speed = session.character().walk_speed;
        if game.shows.tune {
            let Area { corner, width, height } = Panel::slider_area(game.size, 0);
            report.slider = Some([corner.x, corner.y, corner.x + width, corner.y + height]);
        }
        if let Some(watched) = session.watched() {
            let WatchBar { line, pause, play_on, .. } = WatchBar::new(game.size);
            report.bar = Some([line, pause, play_on].map(area_bounds));
            report.physics = Some(watched.physics);
            report.differs = watched.divergence.map(|divergence| divergence.tick);
            report.expected =
                watched.expected.iter().map(|body| shape_bounds(&view, body.shape, body.position.to_dvec2())).collect();
        }
        report
    }

    /// Returns the report as a line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // All fields can be written as JSON, so this does not fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Returns the bounds of an area of the window: left, top, right, bottom.
fn area_bounds(Area { corner, width, height }: Area) -> [f64; 4] {
    [corner.x, corner.y, corner.x + width, corner.y + height]
}

/// Returns the bounds of a shape in the window: left, top, right, bottom.
pub(crate) fn shape_bounds(view: &View, shape: Shape, centre: DVec2) -> [f64; 4] {
    let half = shape.half_extents();
    let (low, high) = (view.point(centre - half), view.point(centre + half));
    [low.x, high.y, high.x, low.y]
}

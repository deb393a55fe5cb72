//! What is on the screen and where, for tests that look at the screen.

use crate::game::Game;
use crate::palette::{Strip, TILE};
use crate::panel::{Area, Panel};
use serde::Serialize;
use surefoot::geometry::DVec2;
use surefoot::prelude::Shape;
use surefoot_draw::View;

/// A frame, as it is told to a test: places in pixels of the window, right and down.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// `menu`, `play` or `watch`.
    pub screen: &'static str,
    /// How many ticks have been stepped.
    pub tick: u64,
    /// The checksum of the world.
    pub checksum: String,
    /// How many bodies there are.
    pub bodies: usize,
    /// The bounds of the one that the camera follows, as it is drawn: left, top, right, bottom.
    pub hero: Option<[f64; 4]>,
    /// Where other bodies are, as the hero, in the order of their slots.
    pub others: Vec<[f64; 4]>,
    /// The x of the window's left edge and the y of its top edge, in tiles, and the pixels of a tile.
    pub view: Option<[f64; 3]>,
    /// Time stands still.
    pub paused: bool,
    /// Time goes back.
    pub rewinding: bool,
    /// Where the ghost is, as the hero.
    pub ghost: Option<[f64; 4]>,
    /// What is painted with.
    pub brush: String,
    /// Where what was asked after is in the window: the tiles to build with, by the middle of each square, in the order
    /// of the catalogue and the eraser first.
    pub brushes: Vec<[f64; 2]>,
    /// The bounds of the panel's first slider, if the panel is open, as the hero.
    pub slider: Option<[f64; 4]>,
    /// How fast the hero walks.
    pub walk_speed: f64,
    /// What was said.
    pub notice: Option<String>,
    /// The file that was saved last.
    pub saved: Option<String>,
    /// The first tick after which a replay differs.
    pub differs: Option<u64>,
    /// Where bodies should have been then, as the hero.
    pub expected: Vec<[f64; 4]>,
    /// How long it took to build the drawing of the frame, in microseconds.
    pub drawing_micros: f64,
}

impl Report {
    /// The report of the frame that was painted last; how long that took is known to the painter.
    #[must_use]
    pub fn of(game: &Game, drawing_micros: f64) -> Report {
        let mut report = Report {
            screen: "menu",
            tick: 0,
            checksum: String::new(),
            bodies: 0,
            hero: None,
            others: Vec::new(),
            view: None,
            paused: false,
            rewinding: false,
            ghost: None,
            brush: String::new(),
            brushes: Vec::new(),
            slider: None,
            walk_speed: 0.0,
            notice: game.notice.as_ref().map(|notice| notice.text.clone()),
            saved: game.saved.as_ref().map(|file| file.display().to_string()),
            differs: None,
            expected: Vec::new(),
            drawing_micros,
        };
        let Some(open) = &game.open else { return report };
        let (session, view) = (&open.session, open.view());
        let (world, fraction) = (session.world(), session.fraction());
        report.screen = if session.watched().is_some() { "watch" } else { "play" };
        (report.tick, report.bodies) = (world.tick(), world.bodies().count());
        report.checksum = world.checksum().to_string();
        report.view = Some([view.left, view.top, view.scale]);
        let hero = open.followed().and_then(|id| world.get(id));
        report.hero = hero.map(|hero| bounds(&view, hero.shape(), hero.position_at(fraction).as_dvec2()));
        let others = world.bodies().filter(|(id, _)| Some(*id) != open.followed());
        report.others =
            others.map(|(_, body)| bounds(&view, body.shape(), body.position_at(fraction).as_dvec2())).collect();
        report.ghost = session.ghost_at(fraction).map(|(shape, at)| bounds(&view, shape, at));
        (report.paused, report.rewinding) = (session.time().paused, session.time().rewinding);
        report.brush = game.brush_name();
        if game.shows.build {
            let strip = Strip::new(world.map().catalogue(), game.size);
            let middle = TILE / 2.0;
            report.brushes =
                strip.brushes().map(|(_, area)| [area.corner.x + middle, area.corner.y + middle]).collect();
        }
        report.walk_speed = session.character().walk_speed;
        if game.shows.tune {
            let Area { corner, width, height } = Panel::slider(game.size, 0);
            report.slider = Some([corner.x, corner.y, corner.x + width, corner.y + height]);
        }
        if let Some(watched) = session.watched() {
            report.differs = watched.divergence.map(|divergence| divergence.tick);
            report.expected =
                watched.expected.iter().map(|body| bounds(&view, body.shape, body.position.to_dvec2())).collect();
        }
        report
    }

    /// A line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // There is nothing in it that JSON could not hold.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The bounds of a shape in the window: left, top, right, bottom.
fn bounds(view: &View, shape: Shape, centre: DVec2) -> [f64; 4] {
    let half = shape.half_extents();
    let (low, high) = (view.point(centre - half), view.point(centre + half));
    [low.x, high.y, high.x, low.y]
}

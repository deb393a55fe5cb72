//! Reports the content of the screen, for tests that look at the screen.

use crate::camera::Size;
use crate::game::Game;
use crate::open::Open;
use crate::paint::{Help, state_labels};
use crate::palette::{Strip, TILE_PIXELS};
use crate::panel::{Area, Panel};
use crate::session::Session;
use crate::watch_bar::WatchBar;
use serde::Serialize;
use surefoot::geometry::DVec2;
use surefoot::prelude::Shape;
use surefoot_draw::View;

/// The content of a frame. Positions are in pixels of the window, right and down.
///
/// The JSON has the fields of all parts side by side, without the names of the parts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// `menu`, `play` or `watch`.
    pub screen: &'static str,
    /// State of the open map or replay.
    #[serde(flatten)]
    pub world: WorldReport,
    /// Bodies as the window shows them.
    #[serde(flatten)]
    pub scene: SceneReport,
    /// Words at the top of the window, such as `PAUSED`.
    pub states: Vec<String>,
    /// The tools to edit the map.
    #[serde(flatten)]
    pub building: BuildingReport,
    /// The panels over the game.
    #[serde(flatten)]
    pub panels: PanelReport,
    /// The watched replay.
    #[serde(flatten)]
    pub watch: WatchReport,
    /// The menu.
    #[serde(flatten)]
    pub menu: MenuReport,
    /// The current message.
    pub notice: Option<String>,
    /// The last saved file.
    pub saved: Option<String>,
    /// The line about a game with rules of its own.
    pub status: Option<String>,
    /// Error message if the watched level or its art cannot be loaded.
    pub broken: Option<String>,
    /// Duration of building the drawing of the frame, in microseconds.
    pub drawing_micros: f64,
}

/// State of the open map or replay.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WorldReport {
    /// Number of ticks.
    pub tick: u64,
    /// Checksum of the world.
    pub checksum: String,
    /// Number of bodies.
    pub bodies: usize,
    /// Time is paused.
    pub paused: bool,
    /// Time is being rewound.
    pub rewinding: bool,
    /// Walk speed of the hero.
    pub walk_speed: f64,
}

/// Bodies as the window shows them. Bounds are left, top, right, bottom.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SceneReport {
    /// Drawn bounds of the body that the camera follows.
    pub hero: Option<[f64; 4]>,
    /// Drawn bounds of the other bodies, in the order of their slots.
    pub others: Vec<[f64; 4]>,
    /// World x of the window's left edge, world y of its top edge, in tiles, and pixels per tile.
    pub view: Option<[f64; 3]>,
    /// Drawn bounds of the ghost.
    pub ghost: Option<[f64; 4]>,
}

/// The tools to edit the map.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BuildingReport {
    /// Name of the brush.
    pub brush: String,
    /// Middles of the squares of the tile strip in the window: the eraser, the variants in the order of the catalogue,
    /// the special kinds of the legend, and the markers by name.
    pub brushes: Vec<[f64; 2]>,
    /// Bounds of the tabs of the tile strip, if the window is small.
    pub tabs: Vec<[f64; 4]>,
    /// Bounds of the tile strip.
    pub strip: Option<[f64; 4]>,
    /// Name that the player is typing.
    pub typed: Option<String>,
    /// Name of the tile layer to paint.
    pub layer: String,
}

/// The panels over the game.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PanelReport {
    /// Bounds of the help, if it is over the game.
    pub help: Option<[f64; 4]>,
    /// Bounds of the first slider of the character's panel, if the panel is open.
    pub slider: Option<[f64; 4]>,
    /// Parts of an editor's level that the import left out, if the window shows their list.
    pub notes: Vec<String>,
    /// Sentence about the places that the hero can reach, if the window shows them.
    pub reach: Option<String>,
}

/// The watched replay.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WatchReport {
    /// Version of the physics that recorded the replay.
    pub physics: Option<u32>,
    /// Bounds of the line of the run, and of its buttons to pause and to play on.
    pub bar: Option<[[f64; 4]; 3]>,
    /// First tick after which the replay diverges.
    pub differs: Option<u64>,
    /// Bounds of the expected positions of bodies after that tick.
    pub expected: Vec<[f64; 4]>,
}

/// The menu.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MenuReport {
    /// Bounds of the entries. `None` if an entry is not visible.
    pub entries: Vec<Option<[f64; 4]>>,
    /// For each entry, the bounds of the button that forgets its file. `None` if it has no such button.
    pub forget: Vec<Option<[f64; 4]>>,
}

impl Report {
    /// Returns the report of the last painted frame. `drawing_micros`: see [`Painter::micros`](crate::Painter::micros).
    #[must_use]
    pub fn of(game: &Game, drawing_micros: f64) -> Report {
        let report = Report {
            screen: "menu",
            notice: game.notice.as_ref().map(|notice| notice.text.clone()),
            saved: game.files.saved.as_ref().map(|file| file.display().to_string()),
            drawing_micros,
            ..Report::default()
        };
        let Some(open) = &game.open else { return Report { menu: MenuReport::of_game(game), ..report } };
        let session = &open.session;
        Report {
            screen: if session.watched().is_some() { "watch" } else { "play" },
            world: WorldReport::of_session(session),
            scene: SceneReport::of_open(open),
            states: state_labels(game, open),
            building: BuildingReport::of_game(game, session),
            panels: PanelReport::of_game(game, open),
            watch: WatchReport::of_open(open, game.size),
            status: session.status(),
            broken: open.broken.clone(),
            ..report
        }
    }

    /// Returns the report as a line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // All fields can be written as JSON, so this does not fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl WorldReport {
    fn of_session(session: &Session) -> WorldReport {
        let world = session.world();
        WorldReport {
            tick: world.tick(),
            checksum: world.checksum().to_string(),
            bodies: world.bodies().count(),
            paused: session.time().paused,
            rewinding: session.time().rewinding,
            walk_speed: session.character().walk_speed,
        }
    }
}

impl SceneReport {
    fn of_open(open: &Open) -> SceneReport {
        let (session, view) = (&open.session, open.view());
        let (world, fraction) = (session.world(), session.fraction());
        let followed = open.followed_body();
        let others = world.bodies().filter(|(id, _)| Some(*id) != followed);
        SceneReport {
            hero: followed.and_then(|id| world.get(id)).map(|hero| open.drawn_bounds(hero)),
            others: others
                .map(|(_, body)| shape_bounds(&view, body.shape(), body.position_at(fraction).as_dvec2()))
                .collect(),
            view: Some([view.left, view.top, view.scale]),
            ghost: session.ghost_at(fraction).map(|(shape, at)| shape_bounds(&view, shape, at)),
        }
    }
}

impl BuildingReport {
    fn of_game(game: &Game, session: &Session) -> BuildingReport {
        let map = session.world().map();
        let report = BuildingReport {
            brush: game.brush_name(),
            typed: game.tools.name.is_being_typed().then(|| game.tools.name.text().to_owned()),
            layer: map.layers()[session.layer()].name.clone(),
            ..BuildingReport::default()
        };
        if !game.shows.build {
            return report;
        }
        let strip = Strip::new(map, game.size, game.tools.group);
        let middle = TILE_PIXELS / 2.0;
        BuildingReport {
            brushes: strip.brushes().map(|(_, area)| [area.corner.x + middle, area.corner.y + middle]).collect(),
            tabs: strip.tabs().map(|(_, area, _)| area_bounds(area)).collect(),
            strip: Some(area_bounds(strip.area())),
            ..report
        }
    }
}

impl PanelReport {
    fn of_game(game: &Game, open: &Open) -> PanelReport {
        let shows = game.shows;
        PanelReport {
            help: shows.help.then(|| area_bounds(Help::new(game.size, game.menu.has_fingers).area)),
            slider: shows.tune.then(|| area_bounds(Panel::slider_area(game.size, 0))),
            notes: if shows.notes { open.session.notes().to_vec() } else { Vec::new() },
            reach: shows.reach.then(|| open.explorer.answer_in_words()),
        }
    }
}

impl WatchReport {
    fn of_open(open: &Open, size: Size) -> WatchReport {
        let Some(watched) = open.session.watched() else { return WatchReport::default() };
        let (view, WatchBar { line, pause, play_on, .. }) = (open.view(), WatchBar::new(size));
        let expected = watched.expected.iter();
        WatchReport {
            physics: Some(watched.physics),
            bar: Some([line, pause, play_on].map(area_bounds)),
            differs: watched.divergence.map(|divergence| divergence.tick),
            expected: expected.map(|body| shape_bounds(&view, body.shape, body.position.to_dvec2())).collect(),
        }
    }
}

impl MenuReport {
    fn of_game(game: &Game) -> MenuReport {
        let all = 0..game.menu.entries().len();
        MenuReport {
            entries: all.clone().map(|i| game.menu.entry_area(game.size, i).map(area_bounds)).collect(),
            forget: all.map(|i| game.menu.forget_button_area(game.size, i).map(area_bounds)).collect(),
        }
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

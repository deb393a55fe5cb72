//! Paints a frame: everything in the window as one mesh in pixels.

use super::help::Help;
use super::hud::{Hud, Progress};
use super::notes::Notes;
use super::reach::ReachCache;
use super::strip::StripCache;
use super::widgets::{SMALL_TEXT_HEIGHT, paint_text_centred_at};
use super::{bodies, hud, menu, names, panel, strip};
use crate::Mesh;
use crate::camera::{Bounds, Size};
use crate::game::{Game, Shows};
use crate::open::Open;
use crate::palette::Strip;
use crate::pose::{Axes, Pose, ground_below};
use crate::session::{Changes, Session, Watched};
use crate::stopwatch::Stopwatch;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use surefoot::checksum::PHYSICS_VERSION;
use surefoot::prelude::Terrain;
use surefoot::record::{Divergence, DivergenceKind};
use surefoot::{Map, geometry::DVec2};
use surefoot_draw::scene::{Moment, Overlay, ScenePainter};
use surefoot_draw::{
    Canvas, Color, Paint, Palette, Pass, Point, Region, TerrainPainter, View, first_markers, paint_body,
};

/// Opacity of the background over the run behind the menu. Between cards and keys, more of the run would be clutter.
const DEMO_COVER: f64 = 0.72;

/// Passes of a map's picture in the menu.
const PICTURE: [Pass; 4] = [Pass::Behind, Pass::Solids, Pass::Walls, Pass::OpenEdges];

/// Draws frames. Caches meshes that do not change between frames.
pub struct Painter {
    palette: Palette,
    scene: ScenePainter,
    reach: ReachCache,
    strip: StripCache,
    /// The first marker of each name. `None` until the names are painted for the first time.
    names: Option<Vec<(String, (i32, i32))>>,
    /// Pictures of the maps in the menu. Each is stored with its width, which changes with the window.
    pictures: BTreeMap<PathBuf, (f64, Mesh)>,
    frame: Mesh,
    /// Whether the last frame showed the menu.
    is_menu: bool,
    micros: f64,
}

impl Default for Painter {
    fn default() -> Painter {
        Painter::new()
    }
}

impl Painter {
    /// Creates a painter with the colours of pictures.
    #[must_use]
    pub fn new() -> Painter {
        Painter {
            palette: Palette::NIGHT,
            scene: ScenePainter::new(),
            reach: ReachCache::default(),
            strip: StripCache::default(),
            names: None,
            pictures: BTreeMap::new(),
            frame: Mesh::new(),
            is_menu: true,
            micros: 0.0,
        }
    }

    /// Returns the background colour.
    #[must_use]
    pub fn background(&self) -> Color {
        self.palette.background
    }

    /// Returns how long the last drawing took, in microseconds.
    #[must_use]
    pub fn micros(&self) -> f64 {
        self.micros
    }

    /// Draws the current state of the game, in pixels of its window.
    pub fn paint(&mut self, game: &mut Game) -> &Mesh {
        let watch = Stopwatch::start();
        self.frame.clear();
        let is_menu = game.open.is_none();
        if std::mem::replace(&mut self.is_menu, is_menu) != is_menu {
            self.drop_outdated_meshes(&Changes::All);
        }
        if let Some(open) = game.open.as_mut().or(game.demo.as_mut()) {
            let changes = open.session.take_changes();
            self.drop_outdated_meshes(&changes);
        }
        if is_menu {
            self.paint_menu(game)
        } else {
            self.paint_game(game)
        }
        self.micros = watch.micros();
        &self.frame
    }

    /// Drops cached meshes of changed tiles.
    fn drop_outdated_meshes(&mut self, changes: &Changes) {
        match changes {
            Changes::All => {
                self.scene.clear();
                self.reach.clear();
                self.strip.clear();
                self.names = None;
            }
            Changes::Tiles(tiles) => tiles.iter().for_each(|&tile| self.scene.invalidate(tile)),
            Changes::None => {}
        }
    }

    fn paint_menu(&mut self, game: &Game) {
        if let Some(demo) = &game.demo {
            self.paint_world(demo, game.size, Shows::default(), None);
        }
        let Painter { palette, pictures, frame, .. } = self;
        menu::paint_cover(frame, game.size, if game.demo.is_some() { DEMO_COVER } else { 1.0 }, palette);
        for (i, entry) in game.menu.entries().iter().enumerate() {
            let Some(area) = game.menu.picture_area(game.size, i) else { continue };
            menu::paint_entry(frame, game.size, &game.menu, i, palette);
            let (made_for, picture) = pictures.entry(entry.file.clone()).or_insert_with(|| (0.0, Mesh::new()));
            if *made_for != area.width {
                *made_for = area.width;
                picture.clear();
                if let Ok(map) = game.files.load_map(&entry.file) {
                    paint_map_in_middle_of_picture(picture, &map, (area.width, area.height), palette);
                }
            }
            frame.append(picture, area.corner.x, area.corner.y);
        }
        menu::paint_title(frame, game.size, &game.menu, palette);
        if let Some(notice) = &game.notice {
            menu::paint_notice(frame, game.size, notice, game.menu.has_fingers, palette);
        }
    }

    fn paint_game(&mut self, game: &Game) {
        let Some(open) = &game.open else { return };
        let (size, palette) = (game.size, self.palette);
        self.paint_world(open, size, game.shows, game.shows.build.then_some(game));
        let Painter { frame, strip, .. } = self;
        let bottom =
            if game.shows.build { paint_strip_and_get_top(frame, strip, game, open, &palette) } else { size.height };
        hud::paint(frame, size, &collect_hud(game, open), bottom, &palette);
        if game.shows.tune {
            panel::paint(frame, size, &open.session.character(), &palette);
        }
        if game.shows.notes {
            Notes::new(open.session.notes(), size).paint(frame, &palette);
        }
        if game.shows.help {
            Help::new(size, game.menu.has_fingers).paint(frame, &palette);
        }
    }

    /// Paints everything but the texts over the game. `builder`: the game whose brush aims at a tile.
    fn paint_world(&mut self, open: &Open, size: Size, shows: Shows, builder: Option<&Game>) {
        let (view, session, palette) = (open.view(), &open.session, self.palette);
        let moment = Moment {
            world: session.world(),
            fraction: session.fraction(),
            view,
            size,
            art: open.art.as_deref(),
            palette,
            overlay: Overlay {
                edges: shows.normals,
                contacts: shows.contacts,
                swept: shows.swept,
                // Only a player who builds needs the markers.
                markers: builder.is_some(),
                areas: false,
            },
        };
        let (world, frame) = (moment.world, &mut self.frame);
        self.scene.paint_behind(frame, &moment);
        if builder.is_some() {
            paint_grid(frame, &view, size, world.map(), &palette);
        }
        if let Some(game) = builder {
            paint_aim(frame, game, open, &view, &palette);
        }
        if let Some(reach) = open.explorer.latest_answer() {
            self.reach.append_to(frame, world.map(), reach, &view, &palette);
        }
        let first = self
            .names
            .get_or_insert_with(|| first_markers(world.map()).map(|(name, tile)| (name.to_owned(), tile)).collect());
        names::paint(frame, builder.map(|_| first.as_slice()), open, &view, size, &palette);
        paint_bodies(frame, open, &moment, shows.ghost);
        self.scene.paint_before(frame, &moment);
        paint_expected_positions(frame, session, &view, &palette);
    }
}

/// Minimum pixels per tile at which one-way tiles and walls are more than specks.
const MIN_LINES_SCALE: f64 = 4.0;

/// Draws a whole map in the middle of a picture of that size, from the picture's top left corner.
fn paint_map_in_middle_of_picture(mesh: &mut Mesh, map: &Map, (width, height): (f64, f64), palette: &Palette) {
    let terrain = Terrain::bake(map);
    let Bounds { low, high } = Bounds::of_map(map);
    let extent = high - low;
    let scale = (width / extent.x).min(height / extent.y);
    let margin = (DVec2::new(width, height) / scale - extent) / 2.0;
    let view = View { left: low.x - margin.x, top: high.y + margin.y, scale };
    let corner = view.point(DVec2::new(low.x, high.y));
    mesh.rect(corner, extent.x * scale, extent.y * scale, &Paint::fill(palette.background));
    let painter = TerrainPainter::new(map, &terrain, palette);
    for pass in if scale < MIN_LINES_SCALE { &PICTURE[..2] } else { &PICTURE } {
        painter.paint(mesh, &view, *pass, Region::of(map));
    }
}

fn paint_bodies(frame: &mut Mesh, open: &Open, moment: &Moment<'_>, ghost: bool) {
    let Moment { world, fraction, view, ref palette, .. } = *moment;
    if let (true, Some((shape, at))) = (ghost, open.session.ghost_at(fraction)) {
        let hero = open.followed_body().and_then(|id| world.get(id));
        let axes = hero.map_or(Axes { right: DVec2::X, up: DVec2::Y }, Axes::of_body);
        bodies::ghost(frame, &view, shape, (at, axes), &open.ghost.pose, palette);
    }
    let followed = open.followed_body();
    bodies::dust(frame, &view, &open.dust, palette);
    // The hero is in front of all other bodies.
    let mut order: Vec<_> = world.bodies().map(|(id, _)| (Some(id) == followed, id)).collect();
    order.sort_by_key(|(hero, _)| *hero);
    for (hero, id) in order {
        let Some(body) = world.get(id) else { continue };
        let look = match (body.character().is_some(), hero) {
            (true, true) => bodies::Look::Hero,
            (true, false) => bodies::Look::Other,
            (false, _) => bodies::Look::Object,
        };
        let other = (look == bodies::Look::Other).then(|| {
            let centre = body.position_at(moment.fraction).as_dvec2();
            Pose::of_body(body, centre).on_ground(ground_below(moment.world, id, centre))
        });
        let pose = if hero { Some(&open.actor.pose) } else { other.as_ref() };
        moment.paint_body(frame, body, look, pose, palette);
    }
}

/// Outlines the expected positions of bodies that diverged from a replay.
fn paint_expected_positions(frame: &mut Mesh, session: &Session, view: &View, palette: &Palette) {
    for body in session.watched().map_or_else(Vec::new, |watched| watched.expected) {
        let at = body.position.to_dvec2();
        paint_body(frame, view, body.shape, at, &Paint::fill(palette.wall).opacity(0.25));
        paint_body(frame, view, body.shape, at, &Paint::stroke(palette.wall, 2.0).dashed(5.0, 4.0));
        let name = view.point(at + DVec2::new(0.0, body.shape.half_extents().y + 0.2));
        paint_text_centred_at(frame, &format!("{} expected here", body.name), name, SMALL_TEXT_HEIGHT, palette.wall);
    }
}

/// Paints the tile under the mouse below the bodies, so that the tile does not hide a body.
fn paint_aim(frame: &mut Mesh, game: &Game, open: &Open, view: &View, palette: &Palette) {
    let map = open.session.world().map();
    if !Strip::new(map, game.size, game.tools.group).area().contains(game.pointer.at) {
        strip::paint_aim(frame, view, map, game.tools.brush, view.tile(game.pointer.at), palette);
    }
}

/// Pixels per tile below which a grid would hide the level.
const MIN_GRID_SCALE: f64 = 10.0;

/// Paints lines between the visible cells of a map, and a frame around the map.
fn paint_grid(frame: &mut Mesh, view: &View, size: Size, map: &Map, palette: &Palette) {
    let Bounds { low, high } = Bounds::of_map(map);
    let (left, bottom) = (view.point(low).x, view.point(low).y);
    let (right, top) = (view.point(high).x, view.point(high).y);
    let line = Paint::fill(palette.edge).opacity(0.1);
    if view.scale >= MIN_GRID_SCALE {
        let first = |start: f64| start + (-start / view.scale).ceil().max(0.0) * view.scale;
        let (width, height) = (right.min(size.width) - left.max(0.0), bottom.min(size.height) - top.max(0.0));
        let places = |start: f64, end: f64| {
            std::iter::successors(Some(first(start)), |at| Some(at + view.scale)).take_while(move |at| *at <= end)
        };
        for x in places(left, right.min(size.width)) {
            frame.rect(Point { x: x.round(), y: top.max(0.0) }, 1.0, height, &line);
        }
        for y in places(top, bottom.min(size.height)) {
            frame.rect(Point { x: left.max(0.0), y: y.round() }, width, 1.0, &line);
        }
    }
    frame.rect(Point { x: left, y: top }, right - left, bottom - top, &Paint::stroke(palette.marker, 1.0).opacity(0.5));
}

/// Paints the tile strip. Returns the y of its top.
fn paint_strip_and_get_top(
    frame: &mut Mesh,
    cache: &mut StripCache,
    game: &Game,
    open: &Open,
    palette: &Palette,
) -> f64 {
    let map = open.session.world().map();
    let laid_out = Strip::new(map, game.size, game.tools.group);
    let chosen = (game.tools.brush, open.session.layer());
    let under = laid_out.brush_at(game.pointer.at);
    strip::paint(frame, cache, (&laid_out, map), chosen, (under, &game.tools.name), palette);
    laid_out.area().corner.y
}

/// Returns the first difference of a replay in words. If the replay has positions, they say more than checksums.
fn describe_difference(differs: &Divergence, watched: Option<&Watched<'_>>) -> String {
    let names: Vec<&str> = watched.into_iter().flat_map(|watched| &watched.expected).map(|body| body.name).collect();
    match names.as_slice() {
        [] if matches!(differs.kind, DivergenceKind::Motion | DivergenceKind::State) => {
            format!("after tick {} the replay differs; it has no positions that say where", differs.tick)
        }
        [] => differs.to_string(),
        [name] => format!("after tick {} the replay differs: {name} should be in the dashed outline", differs.tick),
        _ => format!(
            "after tick {} the replay differs: {} should be in the dashed outlines",
            differs.tick,
            names.join(", ")
        ),
    }
}

/// Returns the words at the top of the window, such as `PAUSED`.
pub(crate) fn state_labels(game: &Game, open: &Open) -> Vec<String> {
    let (session, time) = (&open.session, open.session.time());
    let mut states = Vec::new();
    for (on, name) in [(time.paused, "PAUSED"), (time.slow, "SLOW 1/4")] {
        if on {
            states.push(name.to_owned());
        }
    }
    if game.shows.build {
        states.push(match session.world().map().layers() {
            layers @ [_, _, ..] => format!("BUILDING on layer {:?}", layers[session.layer()].name),
            _ => "BUILDING".to_owned(),
        });
    }
    if open.followed_body().and_then(|id| session.world().get(id)).is_some_and(|body| body.is_stuck()) {
        states.push("STUCK".to_owned());
    }
    states.extend(session.status());
    if session.watched().is_some_and(|watched| session.world().tick() >= watched.ticks) {
        // Two people who open the same link can compare the checksum.
        states.extend(["END".to_owned(), format!("checksum {}", session.world().checksum())]);
    }
    states
}

fn collect_hud<'a>(game: &'a Game, open: &'a Open) -> Hud<'a> {
    let (session, time) = (&open.session, open.session.time());
    let rewind = time.rewinding.then(|| session.rewindable_ticks() as f64 * session.world().settings().tick);
    let watched = session.watched();
    let part = |tick: u64, all: u64| tick as f64 / all.max(1) as f64;
    let tick = session.world().tick();
    let seconds = |ticks: u64| ticks as f64 * session.world().settings().tick;
    let differs = watched.as_ref().and_then(|watched| watched.divergence);
    Hud {
        title: if open.has_unsaved_edits() {
            Cow::Owned(format!("{} (edited, F4 saves)", open.title))
        } else {
            Cow::Borrowed(&open.title)
        },
        is_game: session.has_rules(),
        has_fingers: game.menu.has_fingers,
        tick,
        bodies: session.world().bodies().count(),
        step_micros: session.step_micros(),
        frames: 1.0 / game.frame_seconds.max(0.001),
        states: state_labels(game, open),
        rewind,
        other_physics: watched.as_ref().map(|watched| watched.physics).filter(|physics| *physics != PHYSICS_VERSION),
        notice: game.notice.as_ref(),
        progress: watched.as_ref().map(|watched| Progress {
            part: part(tick, watched.ticks),
            seconds: (seconds(tick), seconds(watched.ticks)),
            differs: differs.map(|differs| part(differs.tick, watched.ticks)),
            is_paused: time.paused,
        }),
        broken: open.broken.as_deref(),
        reach: game.shows.reach.then(|| open.explorer.answer_in_words()),
        differs: differs.map(|differs| describe_difference(&differs, watched.as_ref())),
    }
}

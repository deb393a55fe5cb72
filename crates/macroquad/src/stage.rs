//! Shows a world in the window: ticks, camera, drawing, and events.

use crate::pixels::Pixels;
use crate::screen::{Screen, window_size};
use macroquad::camera::{Camera2D, set_camera, set_default_camera};
use macroquad::color::Color;
use macroquad::math::vec2;
use macroquad::time::get_frame_time;
use macroquad::window::clear_background;
use std::fmt;
use std::sync::Arc;
use surefoot::geometry::DVec2;
use surefoot::prelude::*;
use surefoot::{Event, Map, World};
use surefoot_draw::scene::bodies::Look;
use surefoot_draw::scene::camera::{Bounds, Camera, Size};
use surefoot_draw::scene::dust::Dust;
use surefoot_draw::scene::{Actor, Mesh, Moment, Overlay, ScenePainter, bodies};
use surefoot_draw::{Art, Color as Tint, Palette, View};

/// How a body is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum BodyLook {
    /// Draws the body in the colour of its kind: heroes, other characters, balls and boxes.
    #[default]
    Plain,
    /// Draws the body in this colour.
    Tinted(Color),
    /// Does not draw the body. The game draws its own picture between [`Stage::draw_behind`] and
    /// [`Stage::draw_before`].
    Hidden,
}

type Dresser = Box<dyn Fn(BodyId, &BodyState) -> BodyLook>;
type Hook = Box<dyn FnMut(&World, &Event, &mut Dust)>;

/// A world in the window: how many ticks a frame has, where the camera is, and what is drawn.
///
/// In each frame, make [`ticks`](Stage::ticks) steps of the world and let the stage [`observe`](Stage::observe) each.
/// Then [`follow`](Stage::follow) a body, and [`draw`](Stage::draw) the world between its last two ticks.
///
/// The world never depends on the stage.
pub struct Stage {
    /// The camera: its scale in pixels per tile, and how it follows.
    pub camera: Camera,
    /// Colours of everything that is drawn. Set them before the first frame: tiles that were drawn before keep theirs.
    pub palette: Palette,
    /// Borders of the camera: the map, or [`Bounds::INFINITE`] for a streamed world. The camera shows at most
    /// [`CameraSettings::margin_tiles`](crate::CameraSettings::margin_tiles) beyond them, as long as the body is
    /// inside.
    pub borders: Bounds,
    /// Lines that are drawn for debugging. None of them by default.
    pub overlay: Overlay,
    clock: FixedTimestep,
    painter: ScenePainter,
    screen: Screen,
    art: Option<Arc<Art>>,
    mesh: Mesh,
    /// The followed body, and how it is drawn.
    hero: Option<(BodyId, Actor)>,
    /// Dust and other particles.
    dust: Dust,
    dresser: Dresser,
    hook: Hook,
    /// The tick and the map of the last observed or drawn world.
    seen: (u64, Arc<Map>),
}

impl fmt::Debug for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stage").field("camera", &self.camera).field("clock", &self.clock).finish_non_exhaustive()
    }
}

/// Pixels along one side of a tile, unless the game changes them.
const SCALE: f64 = 40.0;

impl Stage {
    /// Creates a stage for a world, at 40 pixels per tile. The camera is in the middle of the map.
    #[must_use]
    pub fn new(world: &World) -> Stage {
        let Bounds { low, high } = Bounds::of_map(world.map());
        Stage {
            camera: Camera::new((low + high) / 2.0, SCALE),
            borders: camera_borders(world),
            palette: Palette::NIGHT,
            overlay: Overlay::default(),
            clock: FixedTimestep::new(&world.settings()),
            painter: ScenePainter::new(),
            screen: Screen::default(),
            art: None,
            mesh: Mesh::new(),
            hero: None,
            dust: Dust::default(),
            dresser: Box::new(|_, _| BodyLook::Plain),
            hook: Box::new(|_, _, _| {}),
            seen: (world.tick(), Arc::clone(world.map())),
        }
    }

    /// Sets the pictures of the tiles: [`Art::load`] reads the art file that a map names, and [`Art::from_memory`]
    /// reads it without a disk. With `None`, tiles are plain.
    ///
    /// # Errors
    /// Returns the error of macroquad if the picture is not a PNG that it reads. The tiles are then plain.
    pub fn set_art(&mut self, art: Option<Art>) -> Result<(), macroquad::Error> {
        self.art = art.map(Arc::new);
        let taken = self.screen.set_art(self.art.as_ref());
        if taken.is_err() {
            self.art = None;
        }
        taken
    }

    /// Sets how each body is drawn.
    pub fn dress(&mut self, dresser: impl Fn(BodyId, &BodyState) -> BodyLook + 'static) {
        self.dresser = Box::new(dresser);
    }

    /// Sets the function that [`observe`](Stage::observe) calls for each event, to play a sound or to add particles.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot_macroquad::{Stage, Tint};
    ///
    /// fn add_sparks(stage: &mut Stage) {
    ///     stage.on_event(|world, event, dust| {
    ///         // The rules of the game run before `observe`. They may have removed the body.
    ///         let Some(body) = world.get(event.body) else { return };
    ///         match event.kind {
    ///             // The area of a coin that was taken is gone. Water and ladders are still there.
    ///             EventKind::AreaEntered { area } if world.area(area).is_none() => {
    ///                 dust.spray(body.position().to_dvec2(), 12, 4.0, Tint([255, 200, 0]));
    ///             }
    ///             _ => {}
    ///         }
    ///     });
    /// }
    /// ```
    pub fn on_event(&mut self, hook: impl FnMut(&World, &Event, &mut Dust) + 'static) {
        self.hook = Box::new(hook);
    }

    /// Returns how many ticks to step in this frame, from the time since the last frame: 0, 1 or more, see
    /// [`FixedTimestep`]. Do not call it while the game is paused.
    pub fn ticks(&mut self) -> u32 {
        self.ticks_of_frame(get_frame_time().into())
    }

    /// Returns how many ticks to step in a frame of `seconds`. For replays, tests and slow motion; otherwise, use
    /// [`ticks`](Stage::ticks).
    pub fn ticks_of_frame(&mut self, seconds: f64) -> u32 {
        self.clock.advance(seconds)
    }

    /// Returns the part of the next tick that has passed, 0 to 1: for `position_at` of bodies, platforms and areas.
    #[must_use]
    pub fn fraction(&self) -> f32 {
        self.clock.alpha()
    }

    /// Redraws the tiles that changed in the last tick. Then calls the function of [`on_event`](Stage::on_event) for
    /// each event of this tick.
    ///
    /// Call `observe` once in each tick, after `world.step()` and after the rules of your game. Then the function of
    /// `on_event` sees a world in which a taken coin is already gone.
    ///
    /// A rewind needs no other call: the next frame draws everything again. For a world with another map, the
    /// camera also takes the borders of that map, and jumps to the body that it follows next.
    pub fn observe(&mut self, world: &World) {
        if self.is_last_seen_world_after_ticks(world, 1) {
            self.painter.observe(world);
            self.seen.0 += 1;
        } else {
            self.clear_meshes_and_remember_world(world);
        }
        for event in world.events() {
            (self.hook)(world, event, &mut self.dust);
        }
    }

    /// Moves the camera towards a body, and ahead of the body's motion. A followed character is drawn as the hero. Call
    /// it once in each frame: it also moves the particles.
    pub fn follow(&mut self, world: &World, body: BodyId) {
        self.follow_for_seconds(world, body, get_frame_time().into(), window_size());
    }

    fn follow_for_seconds(&mut self, world: &World, body: BodyId, seconds: f64, size: Size) {
        let Some(state) = world.get(body) else { return };
        let (at, borders) = (state.position_at(self.fraction()).as_dvec2(), self.borders);
        let actor = match &mut self.hero {
            Some((followed, actor)) if *followed == body => actor,
            hero => {
                self.camera.jump(at, borders, size);
                &mut hero.insert((body, Actor::default())).1
            }
        };
        self.camera.follow(at, state.velocity(), seconds, borders, size);
        actor.update(state, at, seconds, &mut self.dust);
        self.dust.advance(seconds);
    }

    /// Returns the conversion between the world and the window in this frame.
    #[must_use]
    pub fn pixels(&self) -> Pixels {
        Pixels::of_view(self.view(window_size()))
    }

    /// Sets a camera of macroquad that draws in tiles with y up, where the camera of the stage looks now. For texts,
    /// `set_default_camera` returns to pixels with y down.
    pub fn use_tiles(&self) {
        let (view, size) = (self.view(window_size()), window_size());
        let middle = view.position(surefoot_draw::Point { x: size.width / 2.0, y: size.height / 2.0 });
        let zoom = 2.0 * view.scale / DVec2::new(size.width, -size.height);
        set_camera(&Camera2D {
            target: vec2(middle.x as f32, middle.y as f32),
            zoom: vec2(zoom.x as f32, zoom.y as f32),
            ..Camera2D::default()
        });
    }

    /// Draws everything: the background, the map, platforms, areas, bodies and the overlay.
    pub fn draw(&mut self, world: &World) {
        self.draw_behind(world);
        self.draw_before(world);
    }

    /// Clears the window, and draws everything behind the bodies. Draw your own things next, and then call
    /// [`Stage::draw_before`].
    pub fn draw_behind(&mut self, world: &World) {
        if !self.is_last_seen_world_after_ticks(world, 0) {
            self.clear_meshes_and_remember_world(world);
        }
        let Tint([red, green, blue]) = self.palette.background;
        clear_background(Color::from_rgba(red, green, blue, 255));
        self.paint_and_draw(world, |painter, mesh, moment, _| painter.paint_behind(mesh, moment));
    }

    /// Draws the bodies that are not hidden, particles, and everything in front of the bodies.
    pub fn draw_before(&mut self, world: &World) {
        self.paint_and_draw(world, |painter, mesh, moment, stage| {
            paint_bodies(mesh, moment, stage);
            painter.paint_before(mesh, moment);
        });
    }

    fn view(&self, size: Size) -> View {
        self.camera.view(size)
    }

    /// Paints into the mesh, and shows it.
    fn paint_and_draw(&mut self, world: &World, paint: impl FnOnce(&mut ScenePainter, &mut Mesh, &Moment<'_>, &Stage)) {
        let (mut painter, mut mesh) = (std::mem::take(&mut self.painter), std::mem::take(&mut self.mesh));
        let size = window_size();
        let moment = Moment {
            world,
            fraction: self.fraction(),
            view: self.view(size),
            size,
            art: self.art.as_deref(),
            palette: self.palette,
            overlay: self.overlay,
        };
        mesh.clear();
        set_default_camera();
        paint(&mut painter, &mut mesh, &moment, self);
        self.screen.draw(&mesh);
        (self.painter, self.mesh) = (painter, mesh);
    }

    /// Forgets cached meshes: the world is another one, or has been rewound.
    fn clear_meshes_and_remember_world(&mut self, world: &World) {
        self.painter.clear();
        if !Arc::ptr_eq(world.map(), &self.seen.1) {
            (self.borders, self.hero) = (camera_borders(world), None);
        }
        self.seen = (world.tick(), Arc::clone(world.map()));
    }

    /// Returns whether the last seen world is this one, `ticks` earlier.
    fn is_last_seen_world_after_ticks(&self, world: &World, ticks: u64) -> bool {
        world.tick() == self.seen.0 + ticks && Arc::ptr_eq(world.map(), &self.seen.1)
    }
}

/// Returns the borders of the camera in a world.
fn camera_borders(world: &World) -> Bounds {
    if world.terrain().is_streamed() { Bounds::INFINITE } else { Bounds::of_map(world.map()) }
}

/// Paints the bodies, the followed one last.
fn paint_bodies(mesh: &mut Mesh, moment: &Moment<'_>, stage: &Stage) {
    let hero = stage.hero.map(|(id, _)| id);
    bodies::dust(mesh, &moment.view, &stage.dust, &moment.palette);
    let others = moment.world.bodies().filter(|(id, _)| Some(*id) != hero);
    let hero = hero.and_then(|id| Some((id, moment.world.get(id)?)));
    for (id, body) in others.chain(hero) {
        let actor = stage.hero.filter(|(followed, _)| *followed == id).map(|(_, actor)| actor);
        let palette = match (stage.dresser)(id, body) {
            BodyLook::Plain => moment.palette,
            BodyLook::Tinted(Color { r, g, b, .. }) => {
                let color = Tint([r, g, b].map(|part| (part * 255.0).round() as u8));
                Palette { bodies: [color; 6], ..moment.palette }
            }
            BodyLook::Hidden => continue,
        };
        let look = match (body.character().is_some(), actor.is_some()) {
            (true, true) => Look::Hero,
            (true, false) => Look::Other,
            (false, _) => Look::Object,
        };
        moment.paint_body(mesh, body, look, actor.as_ref().map(|actor| &actor.pose), &palette);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;
    use surefoot::Input;
    use surefoot_random::Random;

    const SIZE: Size = Size { width: 640.0, height: 320.0 };

    /// A level that is the same from the left and from the right, with the hero in its middle.
    fn world() -> (World, BodyId) {
        let rows = [&".".repeat(80)[..], &format!("{}##{}", ".".repeat(39), ".".repeat(39)), &"#".repeat(80)];
        let mut rows = rows.map(str::to_owned).to_vec();
        (0..30).for_each(|_| rows.insert(0, ".".repeat(80)));
        let map = Map::from_rows(rows.iter().map(String::as_str)).expect("a map");
        let mut world = World::new(map, Settings::default());
        let hero = Body::new(Shape::aabb(0.35, 0.45)).at((40.0, 2.45)).character(Character::precise());
        let hero = world.spawn(hero).expect("there is room");
        (world, hero)
    }

    /// Frames of any length that last a number of ticks have that many ticks together. A tick is 1/64 s and a frame is
    /// some 4096ths of a second, so sums are exact.
    #[test]
    fn frames_of_any_length_have_the_ticks_of_their_sum() {
        let map = Map::from_rows(["....", "===="]).expect("a map");
        let world = World::new(map, Settings { tick: 1.0 / 64.0, ..Settings::default() });
        let mut random = Random(7);
        for _ in 0..200 {
            let (mut stage, mut parts, mut ticks) = (Stage::new(&world), 0, 0);
            for _ in 0..100 {
                // A frame has at most 8 ticks of 64 parts, because longer frames are cut off.
                let frame = random.below(512);
                parts += frame;
                ticks += u64::from(stage.ticks_of_frame(frame as f64 / 4096.0));
                assert_eq!(ticks, parts / 64);
                assert_eq!(f64::from(stage.fraction()), (parts % 64) as f64 / 64.0);
            }
        }
    }

    /// A ball flies a tile in each tick. Half a tick after its first, the camera is where the ball is drawn: half a
    /// tile on.
    #[test]
    fn the_camera_is_where_the_body_is_drawn_between_two_ticks() {
        let (mut world, _) = world();
        let ball = Body::new(Shape::circle(0.25)).at((20.0, 20.0)).velocity((60.0, 0.0));
        let ball = world.spawn(ball).expect("there is room");
        let mut stage = Stage::new(&world);
        stage.camera.settings.look_ahead_seconds = 0.0;
        assert_eq!(stage.ticks_of_frame(1.5 / 60.0), 1);
        world.step();
        stage.follow_for_seconds(&world, ball, 1.0 / 60.0, SIZE);
        let view = stage.camera.view(SIZE);
        let middle = view.position(surefoot_draw::Point { x: SIZE.width / 2.0, y: SIZE.height / 2.0 });
        // A tile has 40 pixels. The corner of the view is rounded to a whole pixel.
        assert!((middle.x - 20.5).abs() <= 1.0 / 40.0, "{middle}");
    }

    /// Returns the middle of the view relative to the middle of the level, after each frame of a run with jumps.
    fn camera_path(walk: f32) -> Vec<DVec2> {
        let ((mut world, hero), mut path) = (world(), Vec::new());
        let mut stage = Stage::new(&world);
        for frame in 0..240 {
            for _ in 0..stage.ticks_of_frame(1.0 / 45.0) {
                let walk = if frame < 150 { walk } else { -walk };
                world.set_input(hero, Input { jump: frame % 40 < 10, ..Input::walk(walk) });
                world.step();
                stage.observe(&world);
            }
            stage.follow_for_seconds(&world, hero, 1.0 / 45.0, SIZE);
            let view = stage.camera.view(SIZE);
            let middle = view.position(surefoot_draw::Point { x: SIZE.width / 2.0, y: SIZE.height / 2.0 });
            path.push(middle - DVec2::new(40.0, 0.0));
        }
        path
    }

    #[test]
    fn mirrored_input_gives_a_mirrored_camera() {
        let (right, left) = (camera_path(1.0), camera_path(-1.0));
        // The camera moves to the right, stops at the border of the level, and comes back. The border is 40 tiles from
        // the middle of the level. The window is 16 tiles wide, and shows at most half a tile beyond the border.
        let most = right.iter().map(|at| at.x).fold(0.0, f64::max);
        assert!(most > 10.0 && most <= 40.0 + 0.5 - 8.0, "{most}");
        for (frame, (right, left)) in right.iter().zip(&left).enumerate() {
            // A tile has 40 pixels. The corner of the view is rounded to a whole pixel.
            let error = (*right - DVec2::new(-left.x, left.y)).abs().max_element();
            assert!(error <= 1.0 / 40.0, "frame {frame}: {right} {left}");
        }
    }

    #[test]
    fn each_event_of_each_observed_tick_reaches_the_hook_once() {
        let (mut world, hero) = world();
        let (mut stage, heard) = (Stage::new(&world), Rc::new(RefCell::new(Vec::new())));
        let list = Rc::clone(&heard);
        stage.on_event(move |world, event, dust| {
            list.borrow_mut().push((world.tick(), event.kind.name()));
            dust.add(DVec2::ZERO, DVec2::ZERO);
        });
        let mut expected = Vec::new();
        for tick in 0..90 {
            world.set_input(hero, Input { jump: tick == 20, ..Input::walk(1.0) });
            world.step();
            expected.extend(world.events().iter().map(|event| (world.tick(), event.kind.name())));
            stage.observe(&world);
        }
        assert_eq!(*heard.borrow(), expected);
        assert!(expected.iter().any(|(_, name)| *name == "jumped"), "{expected:?}");
        assert_eq!(stage.dust.puffs().len(), expected.len());
    }

    /// The stage observes tick after tick of one world; after a rewind, and for another world, it begins again.
    #[test]
    fn a_rewound_or_another_world_is_noticed() {
        let (mut world, hero) = world();
        let mut stage = Stage::new(&world);
        assert!(stage.is_last_seen_world_after_ticks(&world, 0));
        let earlier = world.clone();
        world.step();
        assert!(stage.is_last_seen_world_after_ticks(&world, 1));
        stage.observe(&world);
        assert!(
            stage.is_last_seen_world_after_ticks(&world, 0)
                && !stage.is_last_seen_world_after_ticks(&earlier, 0)
                && !stage.is_last_seen_world_after_ticks(&earlier, 1)
        );
        let (mut other, _) = self::world();
        other.step();
        assert!(!stage.is_last_seen_world_after_ticks(&other, 0));
        stage.follow_for_seconds(&world, hero, 0.1, SIZE);
        stage.observe(&other);
        assert!(stage.is_last_seen_world_after_ticks(&other, 0) && stage.hero.is_none());
        let mut small = World::new(Map::from_rows(["....", "===="]).expect("a map"), Settings::default());
        small.step();
        stage.observe(&small);
        assert_eq!(stage.borders, Bounds { low: DVec2::ZERO, high: DVec2::new(4.0, 2.0) });
    }
}

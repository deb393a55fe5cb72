use super::near::Home;
use crate::body::{Body, Character, CharacterState, Input, Response};
use crate::motion::{Nearby, Path, Shape, Touched, Touching};
use glam::{DVec2, Vec2};
use surefoot_geometry::Place;

/// A body in a world.
#[derive(Clone, Debug)]
pub struct BodyState {
    pub(crate) kind: Kind,
    pub(crate) now: Now,
    pub(crate) touched: Touched,
    pub(crate) path: Path,
    /// The pieces around it, kept from tick to tick; nothing in it is state.
    pub(crate) near: Box<Nearby>,
    /// What is kept of the pieces is of another time: to be cleared before it is asked.
    pub(crate) stale: bool,
    /// What of a streamed world is loaded for it; nothing in it is state.
    pub(crate) home: Home,
}

/// What a body is, apart from where it is and what it does. Only how a character moves changes between its spawn and its
/// removal, by a command; the edition of its bodies is then another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Kind {
    pub(crate) shape: Shape,
    pub(crate) gravity_scale: f64,
    pub(crate) response: Response,
    pub(crate) friction: f64,
    pub(crate) rest_speed: f64,
    pub(crate) character: Option<Character>,
}

/// What of a body changes from tick to tick, but for its lists. Small fields stand side by side, to be copied and hashed as
/// one word.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct Now {
    pub(crate) place: Place,
    pub(crate) previous: Place,
    pub(crate) velocity: DVec2,
    /// That of a character; a body that is none remembers nothing.
    pub(crate) memory: CharacterState,
    pub(crate) input: Input,
    pub(crate) touching: Touching,
    /// It overlaps a solid and does not move until it is free.
    pub(crate) stuck: bool,
    /// It has left the map and was reported.
    pub(crate) outside: bool,
    /// Something from outside may have changed what it touches or overlaps.
    pub(crate) disturbed: bool,
    /// It touches a floor that it is not on its way off: what landed and left the floor are told by.
    pub(crate) stands: bool,
}

impl Kind {
    fn of(body: &Body) -> Kind {
        Kind {
            shape: body.shape,
            gravity_scale: body.gravity_scale,
            response: body.response,
            friction: body.friction,
            rest_speed: body.rest_speed,
            character: body.character,
        }
    }
}

impl Now {
    /// That of nobody.
    pub(crate) const NONE: Now = Now {
        place: Place::ORIGIN,
        previous: Place::ORIGIN,
        velocity: DVec2::ZERO,
        memory: CharacterState { speed: 0.0, standing: false, jump_held: false },
        input: Input { walk: 0, jump: false, down: false, up: false },
        touching: Touching { floor: false, wall_left: false, wall_right: false, ceiling: false },
        stuck: false,
        outside: false,
        disturbed: false,
        stands: false,
    };

    /// That of a body that was just put there.
    fn at(place: Place, velocity: DVec2) -> Now {
        Now {
            place,
            previous: place,
            velocity,
            memory: CharacterState::default(),
            input: Input::default(),
            touching: Touching::default(),
            stuck: false,
            outside: false,
            disturbed: true,
            stands: false,
        }
    }
}

impl BodyState {
    pub(crate) fn new(body: &Body, place: Place) -> BodyState {
        BodyState::restored(Kind::of(body), Now::at(place, body.velocity))
    }

    /// One whose lists are still to be filled.
    pub(crate) fn restored(kind: Kind, now: Now) -> BodyState {
        let (touched, path, near) = (Touched::default(), Path::new(), Box::new(Nearby::new()));
        BodyState { kind, now, touched, path, near, stale: false, home: Home::NONE }
    }

    /// Another body in the memory of this one, for which nothing is loaded any more.
    pub(crate) fn renewed(mut self, body: &Body, place: Place) -> BodyState {
        (self.kind, self.now, self.home) = (Kind::of(body), Now::at(place, body.velocity), Home::NONE);
        self.touched.renew().clear();
        self.path.clear();
        self.near.clear();
        self.stale = false;
        self
    }

    /// Becomes another body in its own memory; that one is of the same kind, if that is known.
    pub(super) fn copy(&mut self, from: &BodyState, same_kind: bool) {
        let BodyState { kind, now, touched, path, near: _, stale: _, home } = from;
        if !same_kind {
            self.kind = *kind;
        }
        (self.now, self.home) = (*now, *home);
        self.touched.copy(touched);
        if !(path.is_empty() && self.path.is_empty()) {
            self.path.clear();
            self.path.extend_from_slice(path);
        }
        // What it keeps counts from where it was.
        self.stale = true;
    }

    /// What it keeps of the pieces around it, cleared if that is of another time.
    #[inline(always)]
    pub(crate) fn freshen(&mut self) {
        if self.stale {
            self.near.clear();
            self.stale = false;
        }
    }

    /// Makes a body ready for a tick.
    #[inline(always)]
    pub(super) fn begin_tick(&mut self) {
        self.freshen();
        self.now.previous = self.now.place;
        if !self.path.is_empty() {
            self.path.clear();
        }
    }

    /// Whether it drops through what may be dropped through.
    pub(super) fn drops(&self) -> bool {
        self.kind.character.is_some() && self.now.input.down
    }

    /// The centre, in tiles, for drawing.
    #[must_use]
    pub fn position(&self) -> Vec2 {
        self.now.place.to_vec2()
    }

    /// The centre between the last tick and this one, for drawing at a moment between ticks: `fraction` 0 is the last tick,
    /// 1 is this one. A teleport is not smoothed over.
    #[must_use]
    pub fn position_at(&self, fraction: f32) -> Vec2 {
        let from = self.now.previous.to_dvec2();
        (from + (self.now.place.to_dvec2() - from) * f64::from(fraction)).as_vec2()
    }

    /// The centre, exactly.
    #[must_use]
    pub fn place(&self) -> Place {
        self.now.place
    }

    /// The centre at the beginning of the last tick, exactly. Of a body that was spawned or teleported since, it is where
    /// it was put: the same as [`BodyState::place`].
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    ///
    /// let map = Map::from_ron(r#"Map(format: 1, tiles: ["....", "===="])"#)?;
    /// let mut world = World::new(map, Settings::default());
    /// let hero = world.spawn(Body::new(Shape::aabb(0.25, 0.25)).at((0.5, 1.25)).moving((6.0, 0.0)))?;
    /// let start = world[hero].place();
    /// world.step();
    /// assert_eq!(world[hero].previous_place(), start);
    /// assert_ne!(world[hero].place(), start);
    ///
    /// world.teleport(hero, (2.5, 1.25))?;
    /// assert_eq!(world[hero].previous_place(), world[hero].place());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn previous_place(&self) -> Place {
        self.now.previous
    }

    /// Tiles per second.
    #[must_use]
    pub fn velocity(&self) -> DVec2 {
        self.now.velocity
    }

    /// The shape.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.kind.shape
    }

    /// How it moves by its input, if it is a character.
    #[must_use]
    pub fn character(&self) -> Option<&Character> {
        self.kind.character.as_ref()
    }

    /// What the player of a character holds down.
    #[must_use]
    pub fn input(&self) -> Input {
        self.now.input
    }

    /// Which sides touch something: floor, walls, ceiling.
    #[must_use]
    pub fn touching(&self) -> Touching {
        self.now.touching
    }

    /// Whether it stands on a floor.
    #[must_use]
    pub fn on_floor(&self) -> bool {
        self.now.touching.floor
    }

    /// Whether it overlaps a solid and does not move until it is free: as the last step found it.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        self.now.stuck
    }

    /// The way of the last tick: where each straight part of it ended. Empty if it did not move.
    #[must_use]
    pub fn path(&self) -> &[Place] {
        // A way ends where the body is, and one of a single part is not always written down.
        match &self.path[..] {
            [] if self.now.place == self.now.previous => &[],
            [] | [_] => std::slice::from_ref(&self.now.place),
            way => way,
        }
    }
}

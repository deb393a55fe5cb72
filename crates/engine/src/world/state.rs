use super::near::Home;
use crate::body::{Body, Character, CharacterState, Input, Response};
use crate::motion::{Nearby, Path, Shape, Touched, Touching};
use glam::{DVec2, Vec2};
use surefoot_geometry::Place;

/// A body in a world.
#[derive(Clone, Debug)]
pub struct BodyState {
    pub(crate) shape: Shape,
    pub(crate) place: Place,
    pub(crate) previous: Place,
    pub(crate) velocity: DVec2,
    pub(crate) gravity_scale: f64,
    pub(crate) response: Response,
    pub(crate) friction: f64,
    pub(crate) rest_speed: f64,
    pub(crate) character: Option<(Character, CharacterState)>,
    pub(crate) input: Input,
    /// It overlaps a solid and does not move until it is free.
    pub(crate) stuck: bool,
    /// It has left the map and was reported.
    pub(crate) outside: bool,
    /// Something from outside may have changed what it touches or overlaps.
    pub(crate) disturbed: bool,
    pub(crate) touched: Touched,
    /// The pieces around it, kept from tick to tick; nothing in it is state.
    pub(crate) near: Nearby,
    pub(crate) touching: Touching,
    /// It touches a floor that it is not on its way off: what landed and left the floor are told by.
    pub(crate) stands: bool,
    pub(crate) path: Path,
    /// What of a streamed world is loaded for it; nothing in it is state.
    pub(crate) home: Home,
}

impl BodyState {
    pub(crate) fn new(body: &Body, place: Place) -> BodyState {
        BodyState {
            shape: body.shape,
            place,
            previous: place,
            velocity: body.velocity,
            gravity_scale: body.gravity_scale,
            response: body.response,
            friction: body.friction,
            rest_speed: body.rest_speed,
            character: body.character.map(|character| (character, CharacterState::default())),
            input: Input::default(),
            stuck: false,
            outside: false,
            disturbed: true,
            touched: Touched::default(),
            near: Nearby::new(),
            touching: Touching::default(),
            stands: false,
            path: Path::new(),
            home: Home::NONE,
        }
    }

    /// The centre, in tiles, for drawing.
    #[must_use]
    pub fn position(&self) -> Vec2 {
        self.place.to_vec2()
    }

    /// The centre between the last tick and this one, for drawing at a moment between ticks: `fraction` 0 is the last tick,
    /// 1 is this one. A teleport is not smoothed over.
    #[must_use]
    pub fn position_at(&self, fraction: f32) -> Vec2 {
        let from = self.previous.to_dvec2();
        (from + (self.place.to_dvec2() - from) * f64::from(fraction)).as_vec2()
    }

    /// The centre, exactly.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }

    /// Tiles per second.
    #[must_use]
    pub fn velocity(&self) -> DVec2 {
        self.velocity
    }

    /// The shape.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// What the player of a character holds down.
    #[must_use]
    pub fn input(&self) -> Input {
        self.input
    }

    /// Which sides touch something: floor, walls, ceiling.
    #[must_use]
    pub fn touching(&self) -> Touching {
        self.touching
    }

    /// Whether it stands on a floor.
    #[must_use]
    pub fn on_floor(&self) -> bool {
        self.touching.floor
    }

    /// Whether it overlaps a solid and does not move until it is free: as the last step found it.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        self.stuck
    }

    /// The way of the last tick: where each straight part of it ended. Empty if it did not move.
    #[must_use]
    pub fn path(&self) -> &[Place] {
        &self.path
    }
}

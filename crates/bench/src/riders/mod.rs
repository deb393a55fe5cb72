//! Riders of moving platforms: the cost of carrying them, and the errors.
//!
//! # The scene
//! Platforms of 4 x 1 tiles go back and forth over [`LEG`] tiles at a constant speed, a third of them up and down, a
//! third sideways, a third slanted, and turn from one tick to the next. Boxes stand on them, as many on each, and do
//! nothing. They meet platforms and a floor far below, and not each other. Everything rests for [`REST`] ticks, until
//! each engine has its skin between rider and platform; then the platforms start.
//!
//! # What is told
//! [`witness`] judges all of them by one function of the centres of boxes, and uses no engine. A rider's place is its
//! centre as seen from the centre of the platform that it started on. What an engine says itself is only whether the
//! rider stands on something.
//!
//! # How each is set up
//! Platforms are where [`Route::at`] has them after each tick, for all of them.
//!
//! - **surefoot**: platforms with a path, characters without input. The game does nothing.
//! - **rapier2d's controller**: platforms are position-based kinematic bodies, as rapier's guide recommends for paths.
//!   After the step `move_shape` moves each rider, downwards as rapier's own example of the controller does. Where it hits a
//!   kinematic body it takes that body's velocity along by itself, which is then that of the tick that has just been.
//!   Moved before the step, as in the example, riders are kept up by a platform that is about to sink, and lag behind it.
//! - **rapier2d's controller, carried**: what games do about it. After the step the game adds the way of the platform
//!   under a rider to the rider, and moves it by `move_shape` then. That is asked without bodies, colliders alone, so that
//!   it does not carry a second time.
//! - **rapier2d's bodies, by friction**, **Box2D's bodies, by friction**: dynamic bodies that do not turn on kinematic
//!   bodies, held by the engines' own default friction (0.5 and 0.6). rapier's platforms are position-based; Box2D's get
//!   the velocity that brings them to their next place from `b2Body_SetTargetTransform`, which Box2D has for kinematic
//!   bodies. Friction cannot hold a box on a platform that turns from one tick to the next, and gravity cannot hold it down:
//!   these two lines are what bodies do where a game leaves them alone.
//! - **…, carried**: what games do about it. A body that has a contact with its platform below gets the platform's
//!   velocity of the tick that begins, before the step.
//!
//! Riders of the controllers are shapes without a collider, which is the cheapest that rapier's guide offers. Gravity
//! is that of surefoot's default settings. All else is as each engine has it by default: sleep, sub-steps, continuous
//! collision, skins. Reading contacts through `boxdd` makes a list each time; only the line that is carried reads them
//! while it is timed.

#[cfg(feature = "box2d")]
pub mod box2d;
pub mod measure;
#[cfg(feature = "peers")]
pub mod rapier;
#[cfg(feature = "peers")]
pub mod rapier_bodies;
pub mod surefoot;
pub mod witness;

use crate::scene::TICK;
use ::surefoot::geometry::DVec2;

/// Half a platform's width and height, in tiles.
pub const PLATFORM: DVec2 = DVec2::new(2.0, 0.5);
/// Half a rider's width and height, in tiles: like the platform's exact in every engine.
pub const RIDER: DVec2 = DVec2::new(0.375, 0.4375);
/// Distance that a platform moves before it turns, in tiles.
pub const LEG: f64 = 6.0;
/// Ticks before the platforms start.
pub const REST: u64 = 60;
/// Tiles per second of the slow platforms and of the fast ones.
pub const SPEEDS: [u32; 2] = [3, 12];

/// Size of a platform's room in tiles. The platform sweeps 10 x 8 tiles.
const ROOM: f64 = 12.0;
/// Rooms side by side.
const ROOMS: usize = 10;
/// Tiles of floor beside the rooms: what falls off lands on them.
const MARGIN: f64 = 40.0;
/// Height of the lowest platform's start above the floor, in tiles.
const HEIGHT: f64 = 2.5;
/// Width in tiles over which riders are spread on a platform. The outermost riders stand on it with their whole width.
const SPREAD: f64 = 2.5;

/// The path of a platform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Route {
    /// Start position of the centre, in tiles.
    pub start: DVec2,
    /// Displacement from the start to the turning point.
    pub leg: DVec2,
    /// Ticks until it turns.
    pub ticks: u64,
}

impl Route {
    /// Returns the platform's centre after `ticks` ticks: on a straight path back and forth at constant speed.
    #[must_use]
    pub fn at(&self, ticks: u64) -> DVec2 {
        let phase = ticks.saturating_sub(REST) % (2 * self.ticks);
        let done = phase.min(2 * self.ticks - phase);
        self.start + self.leg * (done as f64 / self.ticks as f64)
    }

    /// Returns the displacement of the platform in a tick. The first tick is 0.
    #[must_use]
    pub fn step(&self, tick: u64) -> DVec2 {
        self.at(tick + 1) - self.at(tick)
    }

    /// Returns the velocity of the platform in a tick, in tiles per second.
    #[must_use]
    pub fn velocity(&self, tick: u64) -> DVec2 {
        self.step(tick) / TICK
    }
}

/// A rider at its start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// Its platform.
    pub platform: usize,
    /// Its centre, in tiles: it stands on the platform.
    pub at: DVec2,
}

/// Platforms and riders.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// The platforms.
    pub routes: Vec<Route>,
    /// The riders, as many on each platform.
    pub starts: Vec<Start>,
}

impl Course {
    /// Places `platforms` platforms with `riders_on_each` riders on each. `speed` is in tiles per second.
    #[must_use]
    pub fn new(platforms: usize, riders_on_each: usize, speed: u32) -> Course {
        let ticks = (LEG / (f64::from(speed) * TICK)).round() as u64;
        let legs = [DVec2::new(0.0, LEG), DVec2::new(LEG, 0.0), DVec2::new(0.6 * LEG, 0.8 * LEG)];
        let route = |i: usize| {
            let room = DVec2::new((i % ROOMS) as f64, (i / ROOMS) as f64) * ROOM;
            Route { start: room + DVec2::new(MARGIN + 1.0 + PLATFORM.x, HEIGHT + PLATFORM.y), leg: legs[i % 3], ticks }
        };
        let routes: Vec<Route> = (0..platforms).map(route).collect();
        let place = |j: usize| {
            let part = (j as f64 + 0.5) / riders_on_each as f64 - 0.5;
            DVec2::new(SPREAD * part, PLATFORM.y + RIDER.y)
        };
        let riders = |(platform, route): (usize, &Route)| {
            let start = route.start;
            (0..riders_on_each).map(move |j| Start { platform, at: start + place(j) })
        };
        let starts = routes.iter().enumerate().flat_map(riders).collect();
        Course { routes, starts }
    }

    /// Returns the columns and rows of a map for the course. The lowest row is the floor.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        let rooms = self.routes.len().div_ceil(ROOMS);
        (2 * MARGIN as usize + ROOMS * ROOM as usize, (rooms + 1) * ROOM as usize)
    }
}

/// Riders in one engine. Queries take `&mut self`, because `boxdd` only lends bodies mutably.
pub trait Riders {
    /// Computes a tick. The first tick is 0.
    fn tick(&mut self, tick: u64);
    /// Returns the centre of a rider in tiles.
    fn rider(&mut self, rider: usize) -> DVec2;
    /// Returns the centre of a platform in tiles.
    fn platform(&mut self, platform: usize) -> DVec2;
    /// Returns whether the engine reports that a rider stands on something.
    fn stands(&mut self, rider: usize) -> bool;
}

/// An engine that carries riders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttachedTo {
    /// This engine's world.
    Surefoot,
    /// rapier2d's character controller by itself.
    #[cfg(feature = "peers")]
    Rapier,
    /// rapier2d's character controller, which the game moves with the platform.
    #[cfg(feature = "peers")]
    RapierCarried,
    /// rapier2d's dynamic bodies, held by friction.
    #[cfg(feature = "peers")]
    RapierBodies,
    /// rapier2d's dynamic bodies, which the game gives the platform's velocity.
    #[cfg(feature = "peers")]
    RapierBodiesCarried,
    /// Box2D's dynamic bodies, held by friction.
    #[cfg(feature = "box2d")]
    Box2dBodies,
    /// Box2D's dynamic bodies, which the game gives the platform's velocity.
    #[cfg(feature = "box2d")]
    Box2dBodiesCarried,
}

impl AttachedTo {
    /// All carriers, the engine first.
    pub const ALL: &'static [AttachedTo] = &[
        AttachedTo::Surefoot,
        #[cfg(feature = "peers")]
        AttachedTo::Rapier,
        #[cfg(feature = "peers")]
        AttachedTo::RapierCarried,
        #[cfg(feature = "peers")]
        AttachedTo::RapierBodies,
        #[cfg(feature = "peers")]
        AttachedTo::RapierBodiesCarried,
        #[cfg(feature = "box2d")]
        AttachedTo::Box2dBodies,
        #[cfg(feature = "box2d")]
        AttachedTo::Box2dBodiesCarried,
    ];

    /// Returns the name on the command line.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            AttachedTo::Surefoot => "surefoot",
            #[cfg(feature = "peers")]
            AttachedTo::Rapier => "rapier",
            #[cfg(feature = "peers")]
            AttachedTo::RapierCarried => "rapier-carried",
            #[cfg(feature = "peers")]
            AttachedTo::RapierBodies => "rapier-bodies",
            #[cfg(feature = "peers")]
            AttachedTo::RapierBodiesCarried => "rapier-bodies-carried",
            #[cfg(feature = "box2d")]
            AttachedTo::Box2dBodies => "box2d-bodies",
            #[cfg(feature = "box2d")]
            AttachedTo::Box2dBodiesCarried => "box2d-bodies-carried",
        }
    }

    /// Returns the carrier of a key.
    #[must_use]
    pub fn find(key: &str) -> Option<AttachedTo> {
        AttachedTo::ALL.iter().copied().find(|carrier| carrier.key() == key)
    }

    /// Returns the name in the table.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            AttachedTo::Surefoot => "surefoot",
            #[cfg(feature = "peers")]
            AttachedTo::Rapier => "rapier2d's controller",
            #[cfg(feature = "peers")]
            AttachedTo::RapierCarried => "rapier2d's controller, carried",
            #[cfg(feature = "peers")]
            AttachedTo::RapierBodies => "rapier2d's bodies, by friction",
            #[cfg(feature = "peers")]
            AttachedTo::RapierBodiesCarried => "rapier2d's bodies, carried",
            #[cfg(feature = "box2d")]
            AttachedTo::Box2dBodies => "Box2D's bodies, by friction",
            #[cfg(feature = "box2d")]
            AttachedTo::Box2dBodiesCarried => "Box2D's bodies, carried",
        }
    }

    /// Makes the riders of a course.
    #[must_use]
    pub fn riders(self, course: &Course) -> Box<dyn Riders> {
        let course = course.clone();
        match self {
            AttachedTo::Surefoot => Box::new(surefoot::Characters::new(&course)),
            #[cfg(feature = "peers")]
            AttachedTo::Rapier => Box::new(rapier::Controlled::new(course, By::Engine)),
            #[cfg(feature = "peers")]
            AttachedTo::RapierCarried => Box::new(rapier::Controlled::new(course, By::Game)),
            #[cfg(feature = "peers")]
            AttachedTo::RapierBodies => Box::new(rapier_bodies::Bodies::new(course, By::Engine)),
            #[cfg(feature = "peers")]
            AttachedTo::RapierBodiesCarried => Box::new(rapier_bodies::Bodies::new(course, By::Game)),
            #[cfg(feature = "box2d")]
            AttachedTo::Box2dBodies => Box::new(box2d::Bodies::new(course, By::Engine)),
            #[cfg(feature = "box2d")]
            AttachedTo::Box2dBodiesCarried => Box::new(box2d::Bodies::new(course, By::Game)),
        }
    }
}

/// The mechanism that carries a rider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The engine's own mechanism.
    Engine,
    /// The game's own code.
    Game,
}

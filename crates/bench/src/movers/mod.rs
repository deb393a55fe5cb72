//! The movers of bodies: surefoot, its peers, and a typical hand-written one.

pub mod bare;
#[cfg(feature = "box2d")]
pub mod box2d;
#[cfg(feature = "box2d")]
pub mod box2d_bodies;
pub mod casts;
pub mod grid;
#[cfg(feature = "peers")]
pub mod parry;
mod parts;
#[cfg(feature = "peers")]
pub mod rapier;
pub mod surefoot;

use crate::oracle::{Form, Solids};
use crate::scene::{Scene, input};
#[cfg(feature = "peers")]
use crate::shots::RADIUS;
use crate::shots::Shooter;
use crate::walker::Walker;
use ::surefoot::geometry::{DVec2, Vec2};
#[cfg(feature = "box2d")]
use box2d_bodies::{Bodies, Collision};

/// One of the two bodies of the crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// A circle of radius 0.35.
    Circle,
    /// A box of half sizes 0.35 and 0.45.
    Box,
}

impl Body {
    /// Both.
    pub const ALL: [Body; 2] = [Body::Circle, Body::Box];

    /// The name on the command line and in the table.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Body::Circle => "circle",
            Body::Box => "box",
        }
    }

    /// The shape, in tiles.
    #[must_use]
    pub fn form(self) -> Form {
        match self {
            Body::Circle => Form::circle(0.35),
            Body::Box => Form::aabb(0.35, 0.45),
        }
    }

    /// Half its width and height.
    #[must_use]
    pub fn half(self) -> DVec2 {
        match self {
            Body::Circle => DVec2::splat(0.35),
            Body::Box => DVec2::new(0.35, 0.45),
        }
    }
}

/// A mover of the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// This engine's world.
    Surefoot,
    /// This engine's mover without a world.
    Bare,
    /// This engine's mover with a memory for each entity.
    CachedMover,
    /// rapier2d's character controller over a compound of the tiles that show.
    #[cfg(feature = "peers")]
    Rapier,
    /// rapier2d's character controller over a polyline of the outlines.
    #[cfg(feature = "peers")]
    RapierOutlines,
    /// rapier2d's character controller over a voxels shape: slopes are blocks.
    #[cfg(feature = "peers")]
    RapierVoxels,
    /// A slide loop over parry2d's `cast_shapes`.
    #[cfg(feature = "peers")]
    Parry,
    /// Box2D's mover over chains.
    #[cfg(feature = "box2d")]
    Box2d,
    /// Box2D's dynamic bodies over chains, without rotation.
    #[cfg(feature = "box2d")]
    Box2dBodies,
    /// Box2D's dynamic bodies without continuous collision.
    #[cfg(feature = "box2d")]
    Box2dDiscrete,
    /// Axis by axis over a grid of bools: slopes are blocks, circles boxes.
    Grid,
}

impl Subject {
    /// All of them, the engine first.
    pub const ALL: &'static [Subject] = &[
        Subject::Surefoot,
        Subject::Bare,
        Subject::CachedMover,
        #[cfg(feature = "peers")]
        Subject::Rapier,
        #[cfg(feature = "peers")]
        Subject::RapierOutlines,
        #[cfg(feature = "peers")]
        Subject::RapierVoxels,
        #[cfg(feature = "peers")]
        Subject::Parry,
        #[cfg(feature = "box2d")]
        Subject::Box2d,
        #[cfg(feature = "box2d")]
        Subject::Box2dBodies,
        #[cfg(feature = "box2d")]
        Subject::Box2dDiscrete,
        Subject::Grid,
    ];

    /// The name on the command line.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Subject::Surefoot => "surefoot",
            Subject::Bare => "mover",
            Subject::CachedMover => "mover-memory",
            #[cfg(feature = "peers")]
            Subject::Rapier => "rapier",
            #[cfg(feature = "peers")]
            Subject::RapierOutlines => "rapier-outlines",
            #[cfg(feature = "peers")]
            Subject::RapierVoxels => "rapier-voxels",
            #[cfg(feature = "peers")]
            Subject::Parry => "parry",
            #[cfg(feature = "box2d")]
            Subject::Box2d => "box2d",
            #[cfg(feature = "box2d")]
            Subject::Box2dBodies => "box2d-bodies",
            #[cfg(feature = "box2d")]
            Subject::Box2dDiscrete => "box2d-discrete",
            Subject::Grid => "grid",
        }
    }

    /// Returns the mover of a key.
    #[must_use]
    pub fn find(key: &str) -> Option<Subject> {
        Subject::ALL.iter().copied().find(|subject| subject.key() == key)
    }

    /// The name in the table.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Subject::Surefoot => "surefoot",
            Subject::Bare => "surefoot's `Mover` without a world",
            Subject::CachedMover => "surefoot's `Mover` with a memory",
            #[cfg(feature = "peers")]
            Subject::Rapier => "rapier2d over tiles",
            #[cfg(feature = "peers")]
            Subject::RapierOutlines => "rapier2d over outlines",
            #[cfg(feature = "peers")]
            Subject::RapierVoxels => "rapier2d over voxels \\*",
            #[cfg(feature = "peers")]
            Subject::Parry => "parry2d over tiles",
            #[cfg(feature = "box2d")]
            Subject::Box2d => "Box2D over chains",
            #[cfg(feature = "box2d")]
            Subject::Box2dBodies => "Box2D's dynamic bodies",
            #[cfg(feature = "box2d")]
            Subject::Box2dDiscrete => "Box2D's dynamic bodies, not continuous",
            Subject::Grid => "axis by axis over a grid \\*",
        }
    }

    /// Returns whether slopes are blocks for the mover.
    #[must_use]
    pub fn knows_blocks_only(self) -> bool {
        #[cfg(feature = "peers")]
        if self == Subject::RapierVoxels {
            return true;
        }
        self == Subject::Grid
    }

    /// Returns the solids that the oracle uses for the mover.
    #[must_use]
    pub fn solids(self, scene: &Scene) -> &Solids {
        if self.knows_blocks_only() { &scene.judged_blocks } else { &scene.judged }
    }

    /// Makes bouncing balls. Returns `None` for a mover without casts of its own.
    #[must_use]
    pub fn balls(self, scene: &Scene, starts: &[DVec2]) -> Option<Box<dyn Crowd>> {
        Some(match self {
            Subject::Surefoot => Box::new(surefoot::InWorld::balls(scene, starts)),
            #[cfg(feature = "peers")]
            Subject::Rapier => Box::new(casts::Balls::new(rapier::Rapier::caster(scene, casts::BALL), starts)),
            #[cfg(feature = "peers")]
            Subject::Parry => Box::new(casts::Balls::new(parry::Parry::new(scene, Form::circle(casts::BALL)), starts)),
            #[cfg(feature = "box2d")]
            Subject::Box2d => Box::new(casts::Balls::new(box2d::Box2d::caster(scene, casts::BALL), starts)),
            #[cfg(feature = "box2d")]
            Subject::Box2dBodies => Box::new(Bodies::balls(scene, starts, Collision::Continuous)),
            #[cfg(feature = "box2d")]
            Subject::Box2dDiscrete => Box::new(Bodies::balls(scene, starts, Collision::Discrete)),
            #[cfg(feature = "peers")]
            Subject::RapierOutlines | Subject::RapierVoxels => return None,
            Subject::Bare | Subject::CachedMover | Subject::Grid => return None,
        })
    }

    /// The loop around the casts of bullets, with everything but the casts: what is not theirs of their instructions.
    /// `hits` says whether a hit's distance is worked out too.
    #[must_use]
    pub fn aim(self, hits: bool) -> Box<dyn Shooter> {
        match self {
            Subject::Surefoot => Box::new(surefoot::Aim { hits }),
            _ => Box::new(casts::Aim),
        }
    }

    /// Returns the caster of bullets; `None` for a mover without casts of its own.
    #[must_use]
    pub fn shooter(self, scene: &Scene) -> Option<Box<dyn Shooter>> {
        Some(match self {
            Subject::Surefoot => Box::new(surefoot::Shots::new(scene)),
            #[cfg(feature = "peers")]
            Subject::Rapier => Box::new(casts::Shots(rapier::Rapier::caster(scene, RADIUS))),
            #[cfg(feature = "peers")]
            Subject::Parry => Box::new(casts::Shots(parry::Parry::new(scene, Form::circle(RADIUS)))),
            #[cfg(feature = "box2d")]
            Subject::Box2d => Box::new(casts::Shots(box2d::Box2d::caster(scene, RADIUS))),
            #[cfg(feature = "box2d")]
            Subject::Box2dBodies | Subject::Box2dDiscrete => return None,
            #[cfg(feature = "peers")]
            Subject::RapierOutlines | Subject::RapierVoxels => return None,
            Subject::Bare | Subject::CachedMover | Subject::Grid => return None,
        })
    }

    /// Makes a crowd of bodies.
    #[must_use]
    pub fn crowd(self, scene: &Scene, body: Body, starts: &[DVec2]) -> Box<dyn Crowd> {
        match self {
            Subject::Surefoot => Box::new(surefoot::InWorld::walkers(scene, body, starts)),
            Subject::Bare => Box::new(bare::Bare::<bare::Anew>::new(scene, body, starts)),
            Subject::CachedMover => Box::new(bare::Bare::<::surefoot::motion::MoverCache>::new(scene, body, starts)),
            #[cfg(feature = "peers")]
            Subject::Rapier => Box::new(Walked::new(rapier::Rapier::compound(scene, body), starts)),
            #[cfg(feature = "peers")]
            Subject::RapierOutlines => Box::new(Walked::new(rapier::Rapier::outlines(scene, body), starts)),
            #[cfg(feature = "peers")]
            Subject::RapierVoxels => Box::new(Walked::new(rapier::Rapier::voxels(scene, body), starts)),
            #[cfg(feature = "peers")]
            Subject::Parry => Box::new(Walked::new(parry::Parry::new(scene, body.form()), starts)),
            #[cfg(feature = "box2d")]
            Subject::Box2d => Box::new(Walked::new(box2d::Box2d::new(scene, body), starts)),
            #[cfg(feature = "box2d")]
            Subject::Box2dBodies => Box::new(Bodies::walkers(scene, body, starts, Collision::Continuous)),
            #[cfg(feature = "box2d")]
            Subject::Box2dDiscrete => Box::new(Bodies::walkers(scene, body, starts, Collision::Discrete)),
            Subject::Grid => Box::new(Walked::new(grid::Grid::new(scene, body.half()), starts)),
        }
    }
}

/// Bodies that walk and jump.
pub trait Crowd {
    /// Computes a tick of all bodies, each with its input of the tick.
    fn tick(&mut self, tick: u64);
    /// Returns the position of a body in tiles.
    fn place(&self, body: usize) -> DVec2;
    /// Returns the number of bodies.
    fn bodies(&self) -> usize;
    /// Returns the moved shape, which the oracle judges.
    fn form(&self) -> Form;
}

/// A peer that moves one shape by one motion. [`Walker`] computes the motion.
pub trait Slide {
    /// Moves the walker by a motion and slides along surfaces. A walker that stood on a floor stays on it. Reports hits
    /// and the floor to the walker.
    fn slide(&mut self, walker: &mut Walker, motion: Vec2);
    /// The shape.
    fn form(&self) -> Form;
}

/// A crowd of [`Walker`]s over a peer.
#[derive(Clone, Debug)]
pub struct Walked<S> {
    mover: S,
    walkers: Vec<Walker>,
}

impl<S: Slide> Walked<S> {
    /// Makes walkers at rest at their starts.
    pub fn new(mover: S, starts: &[DVec2]) -> Walked<S> {
        let walkers = starts.iter().map(|at| Walker::new(at.as_vec2())).collect();
        Walked { mover, walkers }
    }
}

impl<S: Slide> Crowd for Walked<S> {
    fn tick(&mut self, tick: u64) {
        for (i, walker) in self.walkers.iter_mut().enumerate() {
            let motion = walker.steer(input(tick, i));
            self.mover.slide(walker, motion);
        }
    }

    fn place(&self, body: usize) -> DVec2 {
        self.walkers[body].at.as_dvec2()
    }

    fn bodies(&self) -> usize {
        self.walkers.len()
    }

    fn form(&self) -> Form {
        self.mover.form()
    }
}

//! Collisions between bodies: cost and final overlap depth, compared with the dynamic bodies of rapier2d and Box2D.
//!
//! # The scenes
//! [`Scene::ALL`], in a room of tiles with walls on all sides. What needs characters or masks is measured on this
//! engine alone.
//!
//! # How each is set up
//! Shapes, starts, velocities, gravity, bounce and friction are alike. All bodies weigh as much, and none of them
//! turns, for this engine's do not. A peer's walls are four boxes with the bodies' own bounce and friction, so that it
//! does not matter how a peer combines two of them. Below 1 tile per second Box2D takes all bounce, below 0.1 this
//! engine does. All else is as each engine has it by default: sleep, sub-steps, continuous collision, skins. Peers
//! compute in f32.
//!
//! # What is told
//! [`deepest`] judges all of them by one function of positions, and uses no engine. A body moves in a tick if its
//! position changes by anything, so a body that jams and is computed anew in each tick does not move: only the
//! instructions tell of it.

#[cfg(feature = "box2d")]
pub mod box2d;
#[cfg(feature = "peers")]
pub mod rapier;
pub mod surefoot;

use crate::random::Random;
use crate::scene::TICK;
use crate::tolerance::PAIR_DEPTH;
use ::surefoot::geometry::DVec2;

/// Two numbers of ticks whose difference is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticks {
    /// The first tick that is counted.
    pub from: u64,
    /// The first one that is not.
    pub to: u64,
}

/// A scene of colliding bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scene {
    /// Characters that walk to and fro and never come near each other, without collision masks.
    Ghosts,
    /// Ghosts, each in an area of its own, which it never leaves.
    InAreas,
    /// Characters that walk, with masks of all layers.
    Crowd,
    /// Ghosts with all abilities of characters.
    AbleGhosts,
    /// Characters with all abilities, with masks of all layers.
    AbleCrowd,
    /// Crates in stacks of four, at rest.
    Stacks,
    /// The crates of `Stacks`, and a character that walks next to them.
    Walker,
    /// A number of circles and boxes in flight, without gravity.
    Flight(u32),
    /// Crates that drop in columns.
    Crates,
    /// Balls that drop in columns.
    Balls,
    /// Balls that drop in rows, every second one half a place to the side, so that they roll off each other.
    Heap,
    /// The heap long after it has come to rest.
    Settled,
}

impl Scene {
    /// All scenes.
    pub const ALL: [Scene; 14] = [
        Scene::Ghosts,
        Scene::InAreas,
        Scene::Crowd,
        Scene::AbleGhosts,
        Scene::AbleCrowd,
        Scene::Stacks,
        Scene::Walker,
        Scene::Flight(1_000),
        Scene::Flight(10_000),
        Scene::Flight(100_000),
        Scene::Crates,
        Scene::Balls,
        Scene::Heap,
        Scene::Settled,
    ];

    /// The name on the command line.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Scene::Ghosts => "ghosts",
            Scene::InAreas => "in_areas",
            Scene::Crowd => "crowd",
            Scene::AbleGhosts => "able_ghosts",
            Scene::AbleCrowd => "able_crowd",
            Scene::Stacks => "stacks",
            Scene::Walker => "walker",
            Scene::Flight(1_000) => "flight",
            Scene::Flight(10_000) => "flight_10000",
            Scene::Flight(_) => "flight_100000",
            Scene::Crates => "crates",
            Scene::Balls => "balls",
            Scene::Heap => "heap",
            Scene::Settled => "settled",
        }
    }

    /// The name in the table.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Scene::Ghosts => "1000 characters that walk, spread out, without masks",
            Scene::InAreas => "and each in an area of its own",
            Scene::Crowd => "with masks by which they may meet",
            Scene::AbleGhosts => "1000 that walk and may do everything, without masks",
            Scene::AbleCrowd => "and with masks by which those may meet",
            Scene::Stacks => "1000 crates in stacks of 4, at rest",
            Scene::Walker => "999 of them, and a character that walks",
            Scene::Flight(1_000) => "1000 circles and boxes in flight, bounce 1",
            Scene::Flight(10_000) => "10,000 of them",
            Scene::Flight(_) => "100,000 of them",
            Scene::Crates => "300 crates that drop in columns, 1 s",
            Scene::Balls => "300 balls that drop in columns, 1 s",
            Scene::Heap => "300 balls that drop into a heap, 2 s",
            Scene::Settled => "and once nothing moves, from 5 s",
        }
    }

    /// Number of measured worlds. The cost of one heap depends on how its balls happen to fall.
    #[must_use]
    pub fn worlds(self) -> u64 {
        if matches!(self, Scene::Heap | Scene::Settled) { 8 } else { 1 }
    }

    /// Returns whether the scene needs characters or masks, which other engines lack.
    #[must_use]
    pub fn is_of_surefoot_alone(self) -> bool {
        self.is_of_characters() || matches!(self, Scene::Stacks | Scene::Walker | Scene::Flight(100_000))
    }

    /// Returns whether all bodies are characters.
    #[must_use]
    pub fn is_of_characters(self) -> bool {
        matches!(self, Scene::Ghosts | Scene::InAreas | Scene::Crowd | Scene::AbleGhosts | Scene::AbleCrowd)
    }

    /// Returns whether the bodies pass through each other.
    #[must_use]
    pub fn is_without_masks(self) -> bool {
        matches!(self, Scene::Ghosts | Scene::InAreas | Scene::AbleGhosts)
    }

    /// Returns whether the characters have all abilities.
    #[must_use]
    pub fn is_able(self) -> bool {
        matches!(self, Scene::AbleGhosts | Scene::AbleCrowd)
    }

    /// Returns the counted ticks: while bodies drop and settle, or three seconds of a steady scene.
    #[must_use]
    pub fn counted(self) -> Ticks {
        match self {
            Scene::Crates | Scene::Balls => Ticks { from: 0, to: 60 },
            Scene::Heap => Ticks { from: 0, to: 120 },
            Scene::Settled => Ticks { from: 300, to: 480 },
            Scene::Flight(10_000) => Ticks { from: 60, to: 120 },
            Scene::Flight(100_000) => Ticks { from: 10, to: 20 },
            _ => Ticks { from: 120, to: 300 },
        }
    }

    /// Returns the starts of the bodies and the room of one of the scene's worlds.
    #[must_use]
    pub fn course(self, world: u64) -> Course {
        match self {
            Scene::Ghosts | Scene::InAreas | Scene::Crowd | Scene::AbleGhosts | Scene::AbleCrowd => {
                let start =
                    |i| Start { half: DVec2::new(0.35, 0.45), ..Start::crate_at(6.0 * f64::from(i) + 3.0, 1.45) };
                Course { starts: (0..1000).map(start).collect(), ..Course::of_size(6010, 8) }
            }
            Scene::Stacks => {
                let start = |i: u32| Start::crate_at(2.0 * f64::from(i / 4) + 3.0, f64::from(i % 4) + 1.5);
                Course { starts: (0..1000).map(start).collect(), friction: 0.6, ..Course::of_size(510, 10) }
            }
            Scene::Walker => {
                let mut course = Scene::Stacks.course(world);
                course.starts[999] = Start { half: DVec2::new(0.35, 0.45), ..Start::crate_at(506.0, 1.45) };
                course
            }
            Scene::Flight(bodies) => flight(bodies),
            Scene::Crates => Course { friction: 0.4, ..pile(false, 0.0, world) },
            Scene::Balls => Course { friction: 0.4, bounce: 0.3, ..pile(true, 0.0, world) },
            Scene::Heap | Scene::Settled => Course { friction: 0.4, bounce: 0.3, ..pile(true, 0.5, world) },
        }
    }
}

/// A body at its start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// Its centre, in tiles.
    pub at: DVec2,
    /// The velocity in tiles per second.
    pub velocity: DVec2,
    /// Half its width and height, in tiles. They are alike if it is round.
    pub half: DVec2,
    /// A circle, not a box.
    pub is_round: bool,
}

impl Start {
    /// A box of one tile at rest.
    fn crate_at(x: f64, y: f64) -> Start {
        Start { at: DVec2::new(x, y), velocity: DVec2::ZERO, half: DVec2::splat(0.5), is_round: false }
    }

    /// Its mass divided by its area, so that all bodies weigh as much.
    #[must_use]
    pub fn density(&self) -> f32 {
        let area = if self.is_round {
            std::f64::consts::PI * self.half.x * self.half.x
        } else {
            4.0 * self.half.x * self.half.y
        };
        area.recip() as f32
    }
}

/// Bodies in a room.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// The bodies.
    pub starts: Vec<Start>,
    /// Columns and rows of tiles. The outermost ones are solid.
    pub size: (usize, usize),
    /// Tiles per second squared, downwards.
    pub gravity: f64,
    /// The part of the speed that an impact gives back.
    pub bounce: f64,
    /// The coefficient of friction.
    pub friction: f64,
}

impl Course {
    fn of_size(columns: usize, rows: usize) -> Course {
        Course { starts: Vec::new(), size: (columns, rows), gravity: 30.0, bounce: 0.0, friction: 0.0 }
    }

    /// The walls: the centre and half the width and height of each.
    #[must_use]
    pub fn walls(&self) -> [(DVec2, DVec2); 4] {
        let (size, tile) = (DVec2::new(self.size.0 as f64, self.size.1 as f64), DVec2::splat(0.5));
        let (wide, high) = (DVec2::new(0.5 * size.x, 0.5), DVec2::new(0.5, 0.5 * size.y));
        let far = size - tile;
        let (middle_x, middle_y) = (wide.x, high.y);
        [
            (DVec2::new(middle_x, tile.y), wide),
            (DVec2::new(middle_x, far.y), wide),
            (DVec2::new(tile.x, middle_y), high),
            (DVec2::new(far.x, middle_y), high),
        ]
    }
}

/// Returns bodies on a grid, each with its own velocity.
fn flight(bodies: u32) -> Course {
    let mut random = Random(0x5EED);
    let columns = f64::from(bodies).sqrt().ceil() as u32;
    let start = |i: u32| {
        let at = DVec2::new(f64::from(i % columns), f64::from(i / columns)) * 2.4375 + 2.0;
        let velocity = DVec2::new(random.sixteenths(-10, 10), random.sixteenths(-10, 10));
        Start { at, velocity, half: DVec2::splat(0.4), is_round: i.is_multiple_of(2) }
    };
    let size = (f64::from(columns) * 2.4375).ceil() as usize + 3;
    Course { starts: (0..bodies).map(start).collect(), gravity: 0.0, bounce: 1.0, ..Course::of_size(size, size) }
}

/// Returns rows of 21 bodies, one row above the other. Every second row is `aside` places to the side, and each body is
/// a little out of line.
fn pile(is_round: bool, aside: f64, world: u64) -> Course {
    let mut random = Random(0x5EED + world);
    let start = |i: u32| {
        let (place, row) = (i % 21, i / 21);
        let x = 1.0625 * (f64::from(place) + aside * f64::from(row % 2)) + random.below(3) as f64 / 64.0;
        Start { is_round, ..Start::crate_at(2.0 + x, 2.0 + 1.25 * f64::from(row)) }
    };
    Course { starts: (0..300).map(start).collect(), ..Course::of_size(26, 32) }
}

/// Bodies in one engine. `position` takes `&mut self`, because `boxdd` only lends bodies mutably.
pub trait Bodies {
    /// Computes a tick. The first tick is 0.
    fn tick(&mut self, tick: u64);
    /// Returns the centre of a body in tiles.
    fn position(&mut self, body: usize) -> DVec2;
}

/// An engine that moves bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// This engine's world.
    Surefoot,
    /// rapier2d's dynamic bodies.
    #[cfg(feature = "peers")]
    Rapier,
    /// Box2D's dynamic bodies.
    #[cfg(feature = "box2d")]
    Box2d,
}

impl Engine {
    /// All engines, this one first.
    pub const ALL: &'static [Engine] = &[
        Engine::Surefoot,
        #[cfg(feature = "peers")]
        Engine::Rapier,
        #[cfg(feature = "box2d")]
        Engine::Box2d,
    ];

    /// Returns the name on the command line and in the table.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Engine::Surefoot => "surefoot",
            #[cfg(feature = "peers")]
            Engine::Rapier => "rapier2d",
            #[cfg(feature = "box2d")]
            Engine::Box2d => "Box2D",
        }
    }

    /// Puts the bodies of one of a scene's worlds at their starts.
    #[must_use]
    pub fn bodies(self, scene: Scene, world: u64) -> Box<dyn Bodies> {
        let course = scene.course(world);
        match self {
            Engine::Surefoot => Box::new(surefoot::World::new(scene, &course)),
            #[cfg(feature = "peers")]
            Engine::Rapier => Box::new(rapier::World::new(&course)),
            #[cfg(feature = "box2d")]
            Engine::Box2d => Box::new(box2d::World::new(&course)),
        }
    }
}

/// The final state of the bodies; of several worlds, the worst.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct End {
    /// Greatest overlap depth of two bodies, in tiles.
    pub deepest: f64,
    /// Number of bodies that moved in the last tick.
    pub moving: usize,
    /// Mean speed of the moving bodies in the last tick, in tiles per second.
    pub speed: f64,
}

impl End {
    /// Returns whether two bodies overlap by more than rounding.
    #[must_use]
    pub fn is_deep(&self) -> bool {
        self.deepest > PAIR_DEPTH
    }
}

/// Moves the bodies of a scene for `ticks` ticks, at least one.
#[must_use]
pub fn end(engine: Engine, scene: Scene, ticks: u64) -> End {
    (0..scene.worlds()).map(|world| end_of_one(engine, scene, world, ticks)).fold(End::default(), |all, one| End {
        deepest: all.deepest.max(one.deepest),
        moving: all.moving.max(one.moving),
        speed: all.speed.max(one.speed),
    })
}

fn end_of_one(engine: Engine, scene: Scene, world: u64, ticks: u64) -> End {
    let starts = scene.course(world).starts;
    let mut bodies = engine.bodies(scene, world);
    let mut before = Vec::new();
    for tick in 0..ticks {
        if tick + 1 == ticks {
            before = (0..starts.len()).map(|body| bodies.position(body)).collect();
        }
        bodies.tick(tick);
    }
    let after: Vec<DVec2> = (0..starts.len()).map(|body| bodies.position(body)).collect();
    let moving = before.iter().zip(&after).filter(|(before, after)| before != after).count();
    let way: f64 = before.iter().zip(&after).map(|(before, after)| before.distance(*after)).sum();
    End { deepest: deepest(&starts, &after), moving, speed: way / TICK / starts.len() as f64 }
}

/// Returns the greatest overlap depth of two bodies in tiles: the distance that separates them. 0 if they only touch.
#[must_use]
pub fn deepest(starts: &[Start], positions: &[DVec2]) -> f64 {
    let mut bodies: Vec<_> = starts.iter().zip(positions).collect();
    bodies.sort_by(|(_, a), (_, b)| a.x.total_cmp(&b.x));
    let widest = starts.iter().map(|start| start.half.x).fold(0.0, f64::max);
    let mut deepest: f64 = 0.0;
    for (i, &(a, at)) in bodies.iter().enumerate() {
        // Bodies further to the right are out of reach.
        let near = bodies[i + 1..].iter().take_while(|(_, b_at)| b_at.x - at.x < 2.0 * widest);
        deepest = near.map(|&(b, b_at)| depth(a, b, *b_at - *at)).fold(deepest, f64::max);
    }
    deepest
}

/// Returns the overlap depth of two bodies. `way`: from the first centre to the second.
fn depth(a: &Start, b: &Start, way: DVec2) -> f64 {
    if a.is_round && b.is_round {
        return a.half.x + b.half.x - way.length();
    }
    // For a circle and a box, compare the centre of the circle with the box.
    let room = if a.is_round {
        b.half
    } else if b.is_round {
        a.half
    } else {
        a.half + b.half
    } - way.abs();
    let radius = if a.is_round {
        a.half.x
    } else if b.is_round {
        b.half.x
    } else {
        0.0
    };
    radius + if room.min_element() >= 0.0 { room.min_element() } else { -(-room).max(DVec2::ZERO).length() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_those_of_hand_geometry() {
        let (square, ball) = (Start::crate_at(0.0, 0.0), Start { is_round: true, ..Start::crate_at(0.0, 0.0) });
        // At the corner of the box, the distance is that of a 3-4-5 triangle.
        let corner = DVec2::new(0.5 + 0.3, 0.5 + 0.4);
        for (a, b, way, expected) in [
            (square, square, DVec2::new(0.75, 0.5), 0.25),
            (square, square, DVec2::new(0.5, 1.0), 0.0),
            (ball, ball, DVec2::new(0.3, 0.4), 0.5),
            (square, ball, DVec2::new(0.0, 0.75), 0.25),
            (square, ball, corner, 0.0),
            (ball, square, 0.75 * corner, 0.5 - DVec2::new(0.1, 0.175).length()),
            (square, ball, DVec2::new(0.25, 0.0), 0.75),
        ] {
            let found = deepest(&[a, b], &[DVec2::ONE, DVec2::ONE + way]);
            assert!((found - expected).abs() < 1e-12, "{way}: {found}, not {expected}");
        }
        assert_eq!(deepest(&[square, ball], &[DVec2::ZERO, DVec2::new(2.0, 2.0)]), 0.0);
    }

    #[test]
    fn nothing_overlaps_at_its_start() {
        for scene in Scene::ALL {
            let Course { starts, size, .. } = scene.course(0);
            let positions: Vec<DVec2> = starts.iter().map(|start| start.at).collect();
            assert_eq!(deepest(&starts, &positions), 0.0, "{}", scene.key());
            let last = DVec2::new(size.0 as f64, size.1 as f64) - 1.0;
            let is_inside = |start: &Start| {
                (start.at - start.half).min_element() >= 1.0 && (last - start.at - start.half).min_element() >= 0.0
            };
            assert!(starts.iter().all(is_inside), "{}", scene.key());
        }
    }
}

//! How far a move goes in one call: to its end, or to a moment or a missing chunk on the way.
//!
//! A move goes on by rounds and legs, each a cast and what follows from it. A pause comes before anything of a round or
//! a leg has counted, and so changes nothing: the next call makes the same cast again. Around the end of a round or leg
//! all chunks are there before it counts, so contacts and the reach for the floor need no check of their own.
//!
//! A move with everything loaded and without interruption takes [`Whole`], which compiles to nothing.

use super::advance::{Approach, Course};
use super::cast::Probe;
use super::tolerance;
use super::visit::{Bounds, CellRange};
use crate::terrain::ChunkKey;
use glam::I64Vec2;
use std::convert::Infallible;
use surefoot_geometry::Position;

/// How far a move goes.
pub(crate) trait Limit: Copy {
    /// Why the move may pause.
    type Pause;

    /// Whether the move may pause, and may be one that has paused before.
    const PAUSES: bool;

    /// Whether what is known of the surroundings may answer for the rest of the move at once.
    fn takes_shortcuts(self) -> bool;

    /// The limit as a part of the move sees it that begins at a moment and ends with the move.
    fn within(self, begin: f64) -> Self;

    /// Pauses if something is not loaded that has been looked at, or may be in the course of a round that ends there.
    fn check_seen(self, probe: &Probe<'_>, end: Position) -> Result<(), Self::Pause>;

    /// Pauses if the limit is on a part of the way, which is free and takes a time, from a moment to another.
    fn check_time(
        self,
        probe: &mut Probe<'_>,
        from: Position,
        course: Course,
        time: impl FnOnce() -> (f64, f64),
    ) -> Result<(), Self::Pause>;

    /// Pauses if the limit is on a way through everything.
    fn check_pass(self, from: Position, motion: I64Vec2) -> Result<(), Self::Pause>;
}

/// A move to its end, over chunks that are known to be there.
#[derive(Clone, Copy)]
pub(crate) struct Whole;

impl Limit for Whole {
    type Pause = Infallible;

    const PAUSES: bool = false;

    #[inline(always)]
    fn takes_shortcuts(self) -> bool {
        true
    }

    #[inline(always)]
    fn within(self, _begin: f64) -> Whole {
        self
    }

    #[inline(always)]
    fn check_seen(self, _probe: &Probe<'_>, _end: Position) -> Result<(), Infallible> {
        Ok(())
    }

    #[inline(always)]
    fn check_time(
        self,
        _probe: &mut Probe<'_>,
        _from: Position,
        _course: Course,
        _time: impl FnOnce() -> (f64, f64),
    ) -> Result<(), Infallible> {
        Ok(())
    }

    #[inline(always)]
    fn check_pass(self, _from: Position, _motion: I64Vec2) -> Result<(), Infallible> {
        Ok(())
    }
}

/// A move up to a moment, as far as the chunks on the way are loaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Until {
    /// The moment as a fraction of the move; infinite for all of the move.
    pub(crate) time: f64,
}

impl Until {
    /// A move to its end, as far as chunks are loaded.
    pub(crate) const END: Until = Until { time: f64::INFINITY };
}

/// Why a move has paused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pause {
    /// A chunk is looked at that is not loaded.
    Missing(ChunkKey),
    /// The moment has come.
    Moment(Cut),
}

/// Where a move is at a moment: on a straight part of its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cut {
    /// Where that part began.
    pub(crate) from: Position,
    /// What is made of that part.
    pub(crate) made: Course,
    /// The moment, as a fraction of the whole move.
    pub(crate) time: f64,
}

impl Cut {
    pub(crate) fn position(&self) -> Position {
        self.from + self.made.displacement()
    }
}

impl Limit for Until {
    type Pause = Pause;

    const PAUSES: bool = true;

    fn takes_shortcuts(self) -> bool {
        self.time == f64::INFINITY
    }

    fn within(self, begin: f64) -> Until {
        if begin == 0.0 || self.takes_shortcuts() {
            return self;
        }
        Until { time: ((self.time - begin) / (1.0 - begin)).max(0.0) }
    }

    fn check_seen(self, probe: &Probe<'_>, end: Position) -> Result<(), Pause> {
        let terrain = probe.scene.around.terrain().terrain;
        let missing = || {
            let CellRange { low, high } = Bounds::around(end, I64Vec2::ZERO, probe.shape.half_units()).cells();
            let room = tolerance::LOOK_ROOM;
            terrain.first_missing((low.0 - room, low.1 - room), (high.0 + room, high.1 + room))
        };
        terrain.take_missed().or_else(missing).map_or(Ok(()), |key| Err(Pause::Missing(key)))
    }

    fn check_time(
        self,
        probe: &mut Probe<'_>,
        from: Position,
        course: Course,
        time: impl FnOnce() -> (f64, f64),
    ) -> Result<(), Pause> {
        if self.takes_shortcuts() {
            return Ok(());
        }
        let (start, end) = time();
        if end <= self.time {
            return Ok(());
        }
        let fraction = ((self.time - start) / (end - start)).clamp(0.0, 1.0);
        let part = probe.swept_clean(from, course, course.part(fraction));
        let cut = Cut { from, made: course.to(part), time: self.time };
        self.check_seen(probe, cut.position())?;
        Err(Pause::Moment(cut))
    }

    fn check_pass(self, from: Position, motion: I64Vec2) -> Result<(), Pause> {
        if self.time >= 1.0 {
            return Ok(());
        }
        let made = Course::Free(Course::Free(motion).part(self.time));
        Err(Pause::Moment(Cut { from, made, time: self.time }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::cast::{Scene, Scratch};
    use super::super::{Frame, Nearby, Shape, Surroundings};
    use super::*;
    use crate::map::{Map, MapParts, TileId};
    use crate::terrain::{Terrain, TileSource};
    use std::sync::Arc;

    /// Nothing at all.
    struct Empty;

    impl TileSource for Empty {
        fn fill(&self, _layer: usize, _chunk: (i32, i32), _cells: &mut [TileId; 1024]) {}
    }

    #[test]
    fn what_is_around_the_end_of_a_round_has_to_be_loaded() {
        let map = Map::from_parts(MapParts::new(1, 1)).unwrap();
        let mut terrain = Terrain::streamed(&map, Arc::new(Empty));
        // Tiles 0 to 31.
        terrain.load_chunks((0, 0), (0, 0));
        let beyond = terrain.first_missing((0, 0), (32, 0));
        let scene = Scene { around: Surroundings::new(&terrain, &[]), frame: Frame::default() };
        let (mut near, mut scratch) = (Nearby::once(), Scratch::default());
        let probe = Probe::new(&scene, Shape::aabb(0.25, 0.25), &mut near, &mut scratch);
        let seen = |x: f64| Until::END.check_seen(&probe, Position::new(x, 16.0).unwrap());
        assert_eq!(seen(16.0), Ok(()));
        // In tile 30 the next one is still there; in tile 31 it is not.
        assert_eq!(seen(30.5), Ok(()));
        assert_eq!(seen(31.5), Err(Pause::Missing(beyond.unwrap())));
        assert_eq!(Whole.check_seen(&probe, Position::new(31.5, 16.0).unwrap()), Ok(()));
    }
}

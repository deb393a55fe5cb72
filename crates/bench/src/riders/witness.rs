//! Judges riders by the centres of boxes alone.

use super::{Course, PLATFORM, RIDER, Riders};
use crate::oracle::FINE;
use surefoot::geometry::DVec2;

/// How deep a rider is in its platform: the shortest way along an axis that parts the two boxes, in tiles; 0 where they
/// only touch. Takes the rider's centre as seen from the platform's.
#[must_use]
pub fn depth(place: DVec2) -> f64 {
    let room = PLATFORM + RIDER - place.abs();
    room.x.min(room.y).max(0.0)
}

/// Whether a rider has lost its platform: it is beyond one of its sides, or its centre is not above the top. Takes the
/// rider's centre as seen from the platform's.
#[must_use]
pub fn is_lost(place: DVec2) -> bool {
    // A rider without a finite position is lost too.
    let is_over = place.x.abs() < PLATFORM.x + RIDER.x && place.y > PLATFORM.y;
    !is_over
}

/// The final state of the riders of a course.
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    /// Positions of the riders on their platforms before the platforms started. `None` for a lost rider.
    places: Vec<Option<DVec2>>,
    /// Rider-ticks that were looked at: those of a rider until it is lost.
    pub seen: u64,
    /// Rider-ticks in which the engine says that the rider stands on nothing.
    pub off: u64,
    /// Rider-ticks deeper in the platform than [`FINE`].
    pub deep: u64,
    /// The deepest, in tiles.
    pub deepest: f64,
    /// The farthest that a rider was from its first place on its platform, in tiles.
    pub farthest: f64,
    /// The farthest in the tick that was looked at last, in tiles.
    pub drift: f64,
}

impl Witness {
    /// Takes down where riders are on their platforms.
    #[must_use]
    pub fn new(places: impl IntoIterator<Item = DVec2>) -> Witness {
        let places = places.into_iter().map(|place| Some(place).filter(|&place| !is_lost(place))).collect();
        Witness { places, seen: 0, off: 0, deep: 0, deepest: 0.0, farthest: 0.0, drift: 0.0 }
    }

    /// Takes down where the riders of an engine are.
    #[must_use]
    pub fn of(course: &Course, riders: &mut dyn Riders) -> Witness {
        Witness::new((0..course.starts.len()).map(|rider| place(course, riders, rider)))
    }

    /// Looks at a tick: where riders are on their platforms, and whether their engine says that they stand.
    pub fn see(&mut self, tick: impl IntoIterator<Item = (DVec2, bool)>) {
        self.drift = 0.0;
        for (first, (place, stands)) in self.places.iter_mut().zip(tick) {
            let Some(from) = first.filter(|_| !is_lost(place)) else {
                *first = None;
                continue;
            };
            let depth = depth(place);
            self.seen += 1;
            self.off += u64::from(!stands);
            self.deep += u64::from(depth > FINE);
            self.deepest = self.deepest.max(depth);
            self.drift = self.drift.max(place.distance(from));
        }
        self.farthest = self.farthest.max(self.drift);
    }

    /// Looks at where an engine's riders ended a tick.
    pub fn see_tick(&mut self, course: &Course, riders: &mut dyn Riders) {
        let look = |rider| (place(course, riders, rider), riders.stands(rider));
        self.see((0..course.starts.len()).map(look));
    }

    /// Number of lost riders.
    #[must_use]
    pub fn lost(&self) -> usize {
        self.places.iter().filter(|place| place.is_none()).count()
    }

    /// Number of riders.
    #[must_use]
    pub fn riders(&self) -> usize {
        self.places.len()
    }
}

/// Returns the position of a rider on its platform: from the centre of the platform to that of the rider.
fn place(course: &Course, riders: &mut dyn Riders, rider: usize) -> DVec2 {
    riders.rider(rider) - riders.platform(course.starts[rider].platform)
}

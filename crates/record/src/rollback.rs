//! Rollback for online games: returns to an earlier tick, corrects an input that arrived late, and steps to the present
//! again. See [`Rollback`].

use crate::snapshot::{Snapshot, SnapshotError};
use crate::told::debug_is_display;
use crate::world::World;
use std::collections::VecDeque;
use std::ops::Range;
use thiserror::Error;

/// History of the last ticks of a world, with their inputs and snapshots, to correct inputs that arrive late.
///
/// `I` is the input of one tick: everything that comes from outside, such as the inputs of all players. A closure
/// `game` turns it into the commands of that tick: inputs, spawns, tile edits. `Rollback` steps the world after the
/// closure.
///
/// Corrected ticks run the same closure again. For equal results:
///
/// - The closure reads only the world and the input.
/// - The world changes only inside the closure. Changes made elsewhere are lost when a tick is corrected.
/// - Sounds do not play inside the closure. Read [`World::events`] after the frame, and compare [`World::tick`]
///   with the last tick that you played.
///
/// `G` is state of your game outside the world, such as coins or a clock. The methods that end in `_with`, such as
/// [`advance_with`](Rollback::advance_with), restore it too. Their closure does the whole tick, including the step.
///
/// Once the history is full and its lists have grown, no call allocates memory.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::{Input, Map, World};
///
/// let map = Map::from_ron(r#"Map(format: 1, tiles: ["........", "========"])"#)?;
/// let mut world = World::new(map, Settings::default());
/// let hero = world.spawn(Body::new(Shape::circle(0.3)).at((1.5, 1.3)).character(Character::default()))?;
/// let game = |world: &mut World, walk: &i8| world.set_input(hero, Input { walk: *walk, ..Input::default() });
///
/// let mut rollback = Rollback::new(8);
/// for _ in 0..4 {
///     // A guess: the player stands still.
///     rollback.advance(&mut world, 0, game);
/// }
/// assert_eq!(world[hero].velocity().x, 0.0);
/// // The real input arrives: the player has walked since tick 2.
/// assert_eq!(rollback.correct_from(&mut world, 2, &[127, 127], game)?, 2);
/// assert!(world[hero].velocity().x > 0.0);
/// // The guess for tick 1 was right, so nothing is stepped again.
/// assert_eq!(rollback.correct(&mut world, 1, 0, game)?, 0);
/// // Tick 4 has not been stepped yet.
/// assert!(rollback.correct(&mut world, 4, 127, game).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Example with state of the game outside the world, here a count of landings:
/// ```
/// use surefoot::event::EventKind;
/// use surefoot::prelude::*;
/// use surefoot::{Input, Map, World};
///
/// let mut world = World::new(Map::from_rows(["....", "....", "===="])?, Settings::default());
/// let hero = world.spawn(Body::new(Shape::circle(0.3)).at((1.5, 1.3)).character(Character::default()))?;
/// let tick = |world: &mut World, landings: &mut u32, jump: &bool| {
///     world.set_input(hero, Input { jump: *jump, ..Input::default() });
///     world.step();
///     *landings += world.events().iter().filter(|event| matches!(event.kind, EventKind::Landed { .. })).count() as u32;
/// };
///
/// let (mut rollback, mut landings) = (Rollback::new(120), 0);
/// for _ in 0..120 {
///     rollback.advance_with(&mut world, &mut landings, false, tick);
/// }
/// assert_eq!(landings, 0);
/// // A late input arrives: the player jumped in the first tick.
/// rollback.correct_with(&mut world, &mut landings, 0, &[true], tick)?;
/// assert_eq!(landings, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rollback<I, G: Clone = ()> {
    most: usize,
    /// The stored ticks, without gaps, the oldest first.
    kept: VecDeque<Kept<I, G>>,
    /// Entries of dropped ticks, whose memory is reused.
    spare: Vec<(Snapshot, G)>,
}

/// A tick to which the world can return.
#[derive(Clone, Debug)]
struct Kept<I, G> {
    before: Snapshot,
    /// The game's own state before the tick.
    own: G,
    input: I,
}

/// Error of a rollback. The world and the history stay unchanged.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum RollbackError {
    /// The requested tick is older than the oldest tick in the history.
    #[error("tick {tick} is too old; expected tick {oldest} or later, which the rollback history still has")]
    TooOld {
        /// Requested tick.
        tick: u64,
        /// Oldest tick in the history.
        oldest: u64,
    },
    /// The requested tick has not been stepped yet, so it has no input to correct.
    #[error("tick {tick} has not been stepped; expected a tick before {now}, the tick of the world")]
    NotYet {
        /// Requested tick.
        tick: u64,
        /// The next tick of the world. Only ticks before this one can be corrected.
        now: u64,
    },
    /// The world is not at the tick where the history ends. Other code stepped or restored it, or it is a different
    /// world.
    #[error("the world is at tick {found}, but the rollback history ends at tick {expected}")]
    WrongTick {
        /// Tick of the world.
        found: u64,
        /// Tick after the last tick in the history.
        expected: u64,
    },
    /// The snapshot in the history cannot be restored, because the world is on a different map.
    #[error(transparent)]
    Snapshot(Box<SnapshotError>),
}

debug_is_display!(RollbackError);

impl From<SnapshotError> for RollbackError {
    fn from(error: SnapshotError) -> RollbackError {
        RollbackError::Snapshot(Box::new(error))
    }
}

impl<I> Rollback<I> {
    /// Plays one tick: captures the world, calls `game` with `input`, and steps the world.
    ///
    /// If [`World::tick`] is not the tick where the history ends, for example after a restore, the history is cleared
    /// first.
    pub fn advance(&mut self, world: &mut World, input: I, game: impl FnMut(&mut World, &I)) {
        self.advance_with(world, &mut (), input, game_then_world_step(game));
    }

    /// Replaces the input of the earlier tick `tick` and steps to the present again. Returns the number of ticks
    /// stepped again.
    ///
    /// If `input` equals the old input, the call does nothing and returns 0.
    ///
    /// # Errors
    /// Returns [`RollbackError`] if `tick` is too old or not stepped yet, or if `world` is not the world of
    /// [`Rollback::advance`].
    pub fn correct(
        &mut self,
        world: &mut World,
        tick: u64,
        input: I,
        game: impl FnMut(&mut World, &I),
    ) -> Result<usize, RollbackError>
    where
        I: Clone + PartialEq,
    {
        self.correct_from(world, tick, &[input], game)
    }

    /// Replaces the inputs of several successive ticks and steps to the present again. `tick` is the first of these
    /// ticks. Returns the number of ticks stepped again.
    ///
    /// The call steps again from the first tick whose input differs, and steps each tick only once.
    ///
    /// # Errors
    /// Returns the errors of [`Rollback::correct`]. If one input is refused, none is replaced.
    pub fn correct_from(
        &mut self,
        world: &mut World,
        tick: u64,
        inputs: &[I],
        game: impl FnMut(&mut World, &I),
    ) -> Result<usize, RollbackError>
    where
        I: Clone + PartialEq,
    {
        self.correct_with(world, &mut (), tick, inputs, game_then_world_step(game))
    }

    /// Returns the world to its state before `tick`, and removes that tick and all later ticks from the history.
    ///
    /// If `tick` is the next tick that the world will step, nothing changes.
    ///
    /// # Errors
    /// Returns the errors of [`Rollback::correct`].
    pub fn rewind_to(&mut self, world: &mut World, tick: u64) -> Result<(), RollbackError> {
        self.rewind_with(world, &mut (), tick)
    }
}

/// Combines the game's own function with the step of the world after it.
fn game_then_world_step<I>(mut game: impl FnMut(&mut World, &I)) -> impl FnMut(&mut World, &mut (), &I) {
    move |world, (), input| {
        game(world, input);
        world.step();
    }
}

impl<I, G: Clone> Rollback<I, G> {
    /// Creates an empty history that keeps the last `ticks` ticks. 0 counts as 1.
    #[must_use]
    pub fn new(ticks: usize) -> Rollback<I, G> {
        Rollback { most: ticks.max(1), kept: VecDeque::new(), spare: Vec::new() }
    }

    /// Plays one tick of a game that has state `own` outside the world: captures `world` and `own`, then calls `game`
    /// with `input`.
    ///
    /// `game` does the whole tick: it steps the world once, and may read the events after the step. `game` must read
    /// and change only the world and `own`. See also [`Rollback::advance`].
    pub fn advance_with(
        &mut self,
        world: &mut World,
        own: &mut G,
        input: I,
        mut game: impl FnMut(&mut World, &mut G, &I),
    ) {
        if self.ticks().end != world.tick() {
            self.drop_stored_ticks_from_index(0);
        }
        let full = self.kept.len() >= self.most;
        let spare = if full { self.kept.pop_front().map(|kept| (kept.before, kept.own)) } else { self.spare.pop() };
        let (mut before, own_before) = match spare {
            Some((before, mut spare)) => {
                spare.clone_from(own);
                (before, spare)
            }
            None => (Snapshot::default(), own.clone()),
        };
        world.capture_into(&mut before);
        game(world, own, &input);
        self.kept.push_back(Kept { before, own: own_before, input });
    }

    /// Replaces the inputs of several successive ticks, from `tick` on, in a game that has state `own` outside the
    /// world. Works like [`Rollback::correct_from`].
    ///
    /// `game` is the same closure as for [`Rollback::advance_with`].
    ///
    /// # Errors
    /// Returns the errors of [`Rollback::correct`]. If one input is refused, none is replaced.
    pub fn correct_with(
        &mut self,
        world: &mut World,
        own: &mut G,
        tick: u64,
        inputs: &[I],
        mut game: impl FnMut(&mut World, &mut G, &I),
    ) -> Result<usize, RollbackError>
    where
        I: Clone + PartialEq,
    {
        let first = self.index_of_tick(world, tick)?;
        let now = world.tick();
        if inputs.len() > self.kept.len() - first {
            return Err(RollbackError::NotYet { tick: now, now });
        }
        let mut pairs = self.kept.range(first..).zip(inputs);
        let Some(right) = pairs.position(|(kept, input)| kept.input != *input) else { return Ok(0) };
        let first = first + right;
        world.restore(&self.kept[first].before)?;
        own.clone_from(&self.kept[first].own);
        for (kept, input) in self.kept.range_mut(first..).zip(&inputs[right..]) {
            kept.input.clone_from(input);
        }
        for (again, kept) in self.kept.range_mut(first..).enumerate() {
            // Keep the state before the first of these ticks: the correction does not change it.
            if again > 0 {
                world.capture_into(&mut kept.before);
                kept.own.clone_from(own);
            }
            game(world, own, &kept.input);
        }
        Ok(self.kept.len() - first)
    }

    /// Sets the world back to its state before `tick`, and with it `own`, the state of your game outside the world.
    ///
    /// Like [`Rollback::rewind_to`], but for a game with such state.
    ///
    /// # Errors
    /// If [`Rollback::correct`] would fail for that tick.
    pub fn rewind_with(&mut self, world: &mut World, own: &mut G, tick: u64) -> Result<(), RollbackError> {
        let first = self.index_of_tick(world, tick)?;
        if let Some(kept) = self.kept.get(first) {
            world.restore(&kept.before)?;
            own.clone_from(&kept.own);
            self.drop_stored_ticks_from_index(first);
        }
        Ok(())
    }

    /// Returns the range of ticks in the history, oldest first. The number of a tick is what [`World::tick`] returned
    /// just before that tick was stepped. Returns `0..0` for an empty history.
    #[must_use]
    pub fn ticks(&self) -> Range<u64> {
        let first = self.kept.front().map_or(0, |oldest| oldest.before.tick());
        first..first + self.kept.len() as u64
    }

    /// Returns the input of `tick`, or `None` if `tick` is not in the history.
    #[must_use]
    pub fn input(&self, tick: u64) -> Option<&I> {
        self.find_stored_tick(tick).map(|kept| &kept.input)
    }

    /// Returns the snapshot of the world before `tick`, or `None` if `tick` is not in the history.
    #[must_use]
    pub fn snapshot_before(&self, tick: u64) -> Option<&Snapshot> {
        self.find_stored_tick(tick).map(|kept| &kept.before)
    }

    /// Returns the state of your game outside the world (`G`) before `tick`, or `None` if `tick` is not in the history.
    #[must_use]
    pub fn game_state_before(&self, tick: u64) -> Option<&G> {
        self.find_stored_tick(tick).map(|kept| &kept.own)
    }

    fn find_stored_tick(&self, tick: u64) -> Option<&Kept<I, G>> {
        let index = tick.checked_sub(self.ticks().start)?;
        self.kept.get(usize::try_from(index).ok()?)
    }

    /// Returns the index of a stored tick, or the number of stored ticks for the present.
    fn index_of_tick(&self, world: &World, tick: u64) -> Result<usize, RollbackError> {
        let now = world.tick();
        let Range { start: oldest, end } = if self.kept.is_empty() { now..now } else { self.ticks() };
        if now != end {
            return Err(RollbackError::WrongTick { found: now, expected: end });
        }
        if tick > now {
            return Err(RollbackError::NotYet { tick, now });
        }
        tick.checked_sub(oldest).map(|index| index as usize).ok_or(RollbackError::TooOld { tick, oldest })
    }

    /// Drops a tick of the history and all later ones.
    pub(crate) fn drop_ticks_from(&mut self, tick: u64) {
        let first = tick.saturating_sub(self.ticks().start);
        self.drop_stored_ticks_from_index(self.kept.len().min(first as usize));
    }

    fn drop_stored_ticks_from_index(&mut self, first: usize) {
        self.spare.extend(self.kept.drain(first..).map(|kept| (kept.before, kept.own)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Body, Character, Input};
    use crate::event::BodyId;
    use crate::map::Map;
    use crate::motion::Shape;
    use crate::world::Settings;

    fn set_walk_of_bodies(world: &mut World, walk: &i8) {
        let bodies: Vec<BodyId> = world.bodies().map(|(id, _)| id).collect();
        bodies.iter().for_each(|&body| world.set_input(body, Input { walk: *walk, ..Input::default() }));
    }

    fn world_with_character(rows: &str) -> World {
        let map = Map::from_ron(&format!("Map(format: 1, tiles: [{rows}])")).unwrap();
        let mut world = World::new(map, Settings::default());
        world.spawn(Body::new(Shape::circle(0.25)).at((1.5, 1.25)).character(Character::default())).unwrap();
        world
    }

    /// Returns a world whose body has walked for `ticks` ticks, and a rollback that stores the last four.
    fn world_and_rollback_after(ticks: i8) -> (World, Rollback<i8>) {
        let (mut world, mut rollback) = (world_with_character(r#""........", "========""#), Rollback::new(4));
        (0..ticks).for_each(|input| rollback.advance(&mut world, input, set_walk_of_bodies));
        (world, rollback)
    }

    /// All of these calls are refused, and change nothing.
    fn check_refused(world: &mut World, rollback: &mut Rollback<i8>, tick: u64, error: RollbackError) {
        let before = (world.checksum(), world.tick(), rollback.ticks());
        assert_eq!(rollback.correct(world, tick, 99, set_walk_of_bodies), Err(error.clone()));
        assert_eq!((world.checksum(), world.tick(), rollback.ticks()), before);
        assert!(rollback.ticks().all(|tick| rollback.input(tick) != Some(&99)));
        if !matches!(error, RollbackError::NotYet { tick, now } if tick == now) {
            assert_eq!(rollback.rewind_to(world, tick), Err(error));
            assert_eq!((world.checksum(), world.tick(), rollback.ticks()), before);
        }
    }

    #[test]
    fn the_last_ticks_are_kept() {
        let (mut world, mut rollback) = world_and_rollback_after(0);
        assert_eq!((rollback.ticks(), rollback.input(0)), (0..0, None));
        check_refused(&mut world, &mut rollback, 0, RollbackError::NotYet { tick: 0, now: 0 });

        let (mut world, mut rollback) = world_and_rollback_after(7);
        assert_eq!(rollback.ticks(), 3..7);
        assert_eq!(
            (2..8).map(|tick| rollback.input(tick).copied()).collect::<Vec<_>>(),
            [None, Some(3), Some(4), Some(5), Some(6), None]
        );
        assert_eq!(rollback.snapshot_before(5).map(Snapshot::tick), Some(5));
        check_refused(&mut world, &mut rollback, 2, RollbackError::TooOld { tick: 2, oldest: 3 });
        check_refused(&mut world, &mut rollback, 7, RollbackError::NotYet { tick: 7, now: 7 });
        check_refused(&mut world, &mut rollback, 8, RollbackError::NotYet { tick: 8, now: 7 });
    }

    #[test]
    fn inputs_that_were_right_cost_nothing_and_others_all_from_there() {
        let (mut world, mut rollback) = world_and_rollback_after(7);
        let mut played = Vec::new();
        let mut note = |world: &mut World, input: &i8| {
            played.push((world.tick(), *input));
            set_walk_of_bodies(world, input);
        };
        assert_eq!(rollback.correct(&mut world, 4, 4, &mut note), Ok(0));
        assert_eq!(rollback.correct_from(&mut world, 3, &[], &mut note), Ok(0));
        assert_eq!(rollback.correct_from(&mut world, 3, &[3, 4, -50, 6], &mut note), Ok(2));
        assert_eq!(rollback.correct_from(&mut world, 3, &[-3, 4, 5], &mut note), Ok(4));
        let refused = RollbackError::NotYet { tick: 7, now: 7 };
        assert_eq!(rollback.correct_from(&mut world, 5, &[0, 0, 0], &mut note), Err(refused));
        assert_eq!(played, [(5, -50), (6, 6), (3, -3), (4, 4), (5, 5), (6, 6)]);
        assert_eq!(world.tick(), 7);
    }

    #[test]
    fn going_back_drops_later_ticks() {
        let (mut world, mut rollback) = world_and_rollback_after(7);
        let was = rollback.snapshot_before(5).cloned().unwrap();
        assert_eq!(rollback.rewind_to(&mut world, 7), Ok(()));
        assert_eq!((world.tick(), rollback.ticks()), (7, 3..7));
        assert_eq!(rollback.rewind_to(&mut world, 5), Ok(()));
        assert_eq!((world.tick(), rollback.ticks()), (5, 3..5));
        assert_eq!(world.capture().to_bytes(), was.to_bytes());
        assert_eq!(rollback.rewind_to(&mut world, 3), Ok(()));
        assert_eq!((world.tick(), rollback.ticks()), (3, 0..0));
        for input in 3..9 {
            rollback.advance(&mut world, input, set_walk_of_bodies);
        }
        assert_eq!(rollback.ticks(), 5..9);
        assert_eq!(world.checksum(), world_and_rollback_after(9).0.checksum());
    }

    #[test]
    fn a_world_stepped_elsewhere_restarts_the_history() {
        let (mut world, mut rollback) = world_and_rollback_after(7);
        world.step();
        check_refused(&mut world, &mut rollback, 5, RollbackError::WrongTick { found: 8, expected: 7 });
        rollback.advance(&mut world, 0, set_walk_of_bodies);
        assert_eq!(rollback.ticks(), 8..9);
    }

    #[test]
    fn a_world_on_another_map_is_refused() {
        let (_, mut rollback) = world_and_rollback_after(2);
        let mut other = world_with_character(r#""........", "===..===""#);
        other.step();
        other.step();
        let before = other.checksum();
        assert!(matches!(rollback.correct(&mut other, 1, 99, set_walk_of_bodies), Err(RollbackError::Snapshot(_))));
        assert!(matches!(rollback.rewind_to(&mut other, 1), Err(RollbackError::Snapshot(_))));
        assert_eq!((other.checksum(), rollback.input(1)), (before, Some(&1)));
    }

    #[test]
    fn one_tick_is_kept_at_least() {
        let (mut world, _) = world_and_rollback_after(0);
        let mut rollback = Rollback::new(0);
        rollback.advance(&mut world, 1, set_walk_of_bodies);
        rollback.advance(&mut world, 2, set_walk_of_bodies);
        assert_eq!(rollback.ticks(), 1..2);
        assert_eq!(rollback.correct(&mut world, 1, 3, set_walk_of_bodies), Ok(1));
    }
}

//! Inputs that are worth trying in a state. Other inputs would change nothing, or are left to a pass with smaller
//! cells.

use crate::cell::{CellSize, Surroundings};
use crate::error::SearchError;
use crate::options::{MAX_EXTRA_INPUTS, Options};
use crate::simulation::Simulation;
use surefoot::geometry::to_lengths;
use surefoot::map::TileKind;
use surefoot::prelude::*;
use surefoot::world::{AreaState, Footing, MotionMode};
use surefoot::{Input, World};

/// Maximum number of moves of a state without extra inputs: those without a dash for five speeds of walking, and the
/// dashes.
const MAX_MOVES: usize = 5 * 5 + 3 * 3;

/// Inputs that the character can use somewhere in the level.
pub(crate) struct Moves {
    /// The character at the start. The rules of a game may replace it later.
    first: Character,
    /// Whether bodies drop through the tiles of each kind. Empty if they drop through none.
    drop_kinds: Vec<bool>,
    /// Whether a floor to drop through may be anywhere, on a platform or a body.
    drops_anywhere: bool,
    /// Inputs that are tried in every state.
    extra: Vec<Input>,
}

/// An input is held this number of times longer in the open.
const OPEN_FACTOR: u32 = 3;

/// Greatest distance in tiles at which a search looks for a tile to drop through.
const MAX_DROP_REACH: f64 = 8.0;

/// Input that is held for some ticks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Move {
    pub(crate) input: Input,
    pub(crate) ticks: u32,
}

impl Moves {
    /// Returns [`SearchError`] if the body is not a character, or if there are too many extra inputs.
    pub(crate) fn new(hero: &BodyState, world: &World, options: &Options) -> Result<Moves, SearchError> {
        let first = *hero.character().ok_or(SearchError::NotACharacter)?;
        let extra = options.extra_inputs.clone();
        if extra.len() > MAX_EXTRA_INPUTS {
            return Err(SearchError::TooManyInputs { count: extra.len() });
        }
        let mut bodies = world.bodies();
        let kinds = world.map().kinds().iter();
        let mut drop_kinds: Vec<bool> = kinds.map(|kind: &TileKind| kind.drop_through).collect();
        if !drop_kinds.contains(&true) {
            drop_kinds.clear();
        }
        let on_platforms = !drop_kinds.is_empty() && world.platforms().next().is_some();
        let drops_anywhere = on_platforms || bodies.any(|(_, state)| state.body().one_way);
        Ok(Moves { first, drop_kinds, drops_anywhere, extra })
    }

    /// Returns the maximum number of moves of a state.
    pub(crate) fn max_moves(&self) -> usize {
        MAX_MOVES + self.extra.len()
    }

    /// Returns the maximum speed that the character at the start can keep up, in tiles per second.
    pub(crate) fn max_speed(&self) -> f64 {
        max_speed(&self.first)
    }

    /// Returns the speeds at which a window estimates motion to the side, and up or down, in tiles per second. To the
    /// side: the greatest of walking, swimming, climbing and a dash. Up or down: the fall speed, if that is greater. A
    /// guess: platforms and jumps may be faster.
    pub(crate) fn window_speeds(&self) -> (f64, f64) {
        let side = self.max_speed().max(self.first.dash_speed).max(0.1);
        (side, self.first.max_fall_speed.max(side))
    }

    /// Writes the moves of a state to `moves`.
    pub(crate) fn list_moves<G: Clone>(
        &self,
        simulation: &Simulation<G>,
        surroundings: &Surroundings,
        cells: &CellSize,
        moves: &mut Vec<Move>,
    ) {
        moves.clear();
        let Some(hero) = simulation.hero() else { return };
        let Some(character) = hero.character() else {
            // The rules of a game may end the control of a body.
            moves.push(Move { input: Input::default(), ticks: cells.ticks });
            return;
        };
        let (world, body, mode) = (&simulation.world, simulation.body, hero.mode());
        let pause = world.hit_stop_left(body).max(world.input_lock_left(body));
        if pause > 0 || matches!(mode, MotionMode::LedgeClimb | MotionMode::Stuck) {
            moves.push(Move { input: Input::default(), ticks: pause.clamp(1, 60) });
            return;
        }
        let held = hero.input();
        let jump = can_jump_button_matter(simulation, hero, character, mode);
        let climb = || can_climb(world, hero, character);
        let down = self.can_down_button_matter(world, (hero, character), mode, OPEN_FACTOR * cells.ticks) || climb();
        let up = matches!(mode, MotionMode::Climb | MotionMode::Swim | MotionMode::LedgeHang) || climb();
        let dash = character.dash_speed > 0.0 && !hero.abilities().has_dashed && !held.dash;
        // A held button must be released before the next press.
        let is_release = held.jump && hero.on_floor() && character.jump_height > 0.0;
        let ticks = ticks_to_hold_input(simulation, surroundings, (hero, character), cells);
        for &walk in cells.walks {
            let plain = Input { walk, ..Input::default() };
            moves.push(Move { input: plain, ticks: if is_release { 1 } else { ticks } });
            if jump {
                moves.push(Move { input: Input { jump: true, ..plain }, ticks });
                if mode == MotionMode::Climb {
                    // With down, the character lets go of the ladder instead of jumping.
                    moves.push(Move { input: Input { jump: true, down: true, ..plain }, ticks });
                }
            }
            if down {
                moves.push(Move { input: Input { down: true, ..plain }, ticks });
            }
            if up {
                moves.push(Move { input: Input { up: true, ..plain }, ticks });
            }
            if dash && walk.unsigned_abs() != 64 {
                for (up, down) in [(false, false), (true, false), (false, true)] {
                    if walk != 0 || up || down {
                        moves.push(Move { input: Input { dash: true, up, down, ..plain }, ticks });
                    }
                }
            }
        }
        moves.extend(self.extra.iter().map(|&input| Move { input, ticks }));
    }

    /// Returns whether the button down may change something, besides climbing.
    fn can_down_button_matter(
        &self,
        world: &World,
        (hero, character): (&BodyState, &Character),
        mode: MotionMode,
        ticks: u32,
    ) -> bool {
        match mode {
            MotionMode::Climb | MotionMode::Swim | MotionMode::LedgeHang => true,
            MotionMode::Ground => self.may_reach_drop_through_floor(world, hero, ticks),
            _ => {
                (character.fast_fall_speed > 0.0 && hero.velocity().y < 0.0)
                    || self.may_reach_drop_through_floor(world, hero, ticks)
            }
        }
    }

    /// Returns whether the body may come to a floor to drop through within some ticks.
    fn may_reach_drop_through_floor(&self, world: &World, hero: &BodyState, ticks: u32) -> bool {
        if self.drops_anywhere || self.drop_kinds.is_empty() {
            return self.drops_anywhere;
        }
        let motion = hero.velocity().abs() * f64::from(ticks) * world.settings().tick;
        let (at, reach) = (hero.position().to_dvec2(), hero.shape().half_extents() + motion + 0.5);
        if reach.max_element() > MAX_DROP_REACH {
            return true;
        }
        let (low, high) = ((at - reach).floor().as_i64vec2(), (at + reach).floor().as_i64vec2());
        let layers = world.map().layers().iter().enumerate().filter(|(_, layer)| layer.collides);
        let mut cells = layers.flat_map(|(layer, _)| {
            (low.y..=high.y).flat_map(move |y| (low.x..=high.x).map(move |x| (layer, (x as i32, y as i32))))
        });
        cells.any(|(layer, cell)| {
            world.tile_at(layer, cell).is_some_and(|id| self.drop_kinds.get(usize::from(id.0)) == Some(&true))
        })
    }
}

/// Returns the maximum speed that a character can keep up, in tiles per second.
fn max_speed(character: &Character) -> f64 {
    character.walk_speed.max(character.swim_speed).max(character.climb_speed)
}

/// Returns for how many ticks inputs are held: longer in the open, where nothing can be hit or missed meanwhile. The
/// smallest cells hold each input for one tick everywhere, so that nothing is left out.
fn ticks_to_hold_input<G: Clone>(
    simulation: &Simulation<G>,
    surroundings: &Surroundings,
    (hero, character): (&BodyState, &Character),
    cells: &CellSize,
) -> u32 {
    if cells.ticks == 1 {
        return 1;
    }
    let ticks = OPEN_FACTOR * cells.ticks;
    let speed = hero.velocity().abs().max_element().max(max_speed(character));
    let motion = speed * f64::from(ticks) * simulation.world.settings().tick;
    let reach = motion + hero.shape().half_extents().max_element() + 1.0;
    if surroundings.is_far_from_obstacles(simulation, hero, reach) { ticks } else { cells.ticks }
}

/// Returns whether pressing jump, or holding it longer, may change something.
fn can_jump_button_matter<G: Clone>(
    simulation: &Simulation<G>,
    hero: &BodyState,
    character: &Character,
    mode: MotionMode,
) -> bool {
    if mode == MotionMode::Swim {
        return true;
    }
    if hero.input().jump {
        let rises = character.min_jump_height > 0.0 || character.apex_speed_threshold > 0.0;
        return mode == MotionMode::Air && rises;
    }
    if character.jump_height <= 0.0 {
        return false;
    }
    let in_air = || {
        let touching = hero.touching();
        let walls = character.wall_jump_speed > 0.0
            && (touching.wall_left || touching.wall_right || character.wall_coyote_time > 0.0);
        walls || hero.abilities().air_jumps < character.air_jumps || late_jump_may_work(hero, &simulation.world)
    };
    hero.on_floor() || matches!(mode, MotionMode::Climb | MotionMode::LedgeHang) || in_air()
}

/// Returns whether a late jump may still work.
pub(crate) fn late_jump_may_work(hero: &BodyState, world: &World) -> bool {
    let (Footing::Air { since }, Some(character)) = (hero.footing(), hero.character()) else { return false };
    // `coyote` is the number of ticks after leaving a floor in which a jump still works.
    let coyote = (character.coyote_time / world.settings().tick).ceil().min(1e6) as u64;
    coyote > 0 && world.tick().saturating_sub(since) <= coyote
}

/// Returns whether a climbable area is at the body or next to it. At the top of a ladder, the body is above the area.
fn can_climb(world: &World, hero: &BodyState, character: &Character) -> bool {
    if character.climb_speed <= 0.0 {
        return false;
    }
    let (at, reach) = (hero.position().to_dvec2(), hero.shape().half_extents() + 0.25);
    let is_near = |state: &AreaState| {
        let (low, high) = state.area().shape.bounds();
        let from = state.position().to_dvec2() + to_lengths(low) - reach;
        let to = state.position().to_dvec2() + to_lengths(high) + reach;
        at.cmpge(from).all() && at.cmple(to).all()
    };
    world.areas().any(|(_, state)| state.area().effects.climbable == Some(true) && is_near(state))
}

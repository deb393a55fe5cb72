//! All that stays the same during a search: targets, moves and the estimated way from each place.

use crate::cell::Surroundings;
use crate::distance::{Field, Grid};
use crate::error::SearchError;
use crate::goal::Targets;
use crate::moves::Moves;
use crate::search::Search;
use glam::DVec2;
use serde::Serialize;
use surefoot::World;

/// Tiles beyond the map at which a body counts as lost.
const LOST: f64 = 64.0;
/// Part of the memory of a search that its floods may take.
const FLOODS_SHARE: usize = 4;
/// Part of the memory of a search that the distances to walls may take.
pub(crate) const SURROUNDINGS_SHARE: usize = 16;

/// All that stays the same during a search.
pub(crate) struct Plan<'a, G> {
    pub(crate) targets: Targets<'a, G>,
    pub(crate) moves: Moves,
    pub(crate) surroundings: Surroundings,
    pub(crate) grid: Grid,
    pub(crate) fields: Vec<Field>,
    /// Estimated ticks for a tile of the way.
    pub(crate) ticks_per_tile: f64,
    /// Region outside of which a body counts as lost.
    pub(crate) region: (DVec2, DVec2),
    /// Memory of the flood fills that estimate the way to the goal, and of the surroundings, in bytes.
    pub(crate) bytes: usize,
}

impl<'a, G: Clone + Serialize + Send + Sync> Plan<'a, G> {
    pub(crate) fn new(search: &Search<'a, G>) -> Result<Plan<'a, G>, SearchError> {
        let (world, options) = (search.world, &search.options);
        let hero = world.get(search.body).ok_or(SearchError::NoSuchBody)?;
        let moves = Moves::new(hero, world, options)?;
        search.check_game_is_hashable()?;
        let weight = options.weight;
        if !(0.0..=1000.0).contains(&weight) {
            return Err(SearchError::Weight { weight });
        }
        if options.beam == Some(0) {
            return Err(SearchError::Beam);
        }
        let targets = Targets::new(search.goal.as_ref().ok_or(SearchError::NoGoal)?, world)?;
        // If any one of several targets is enough, one flood from all of them is enough too.
        let count = if targets.mask_of_all_boxes().is_some() { targets.boxes.len() } else { 1 };
        let grid = Grid::new(world, hero.shape(), search.tick.is_some(), options.max_memory / FLOODS_SHARE / count);
        let share = targets.boxes.len().div_ceil(count).max(1);
        let fields: Vec<Field> = targets.boxes.chunks(share).map(|boxes| grid.flood_from_targets(boxes)).collect();
        let speed = moves.max_speed().max(0.1) * world.settings().tick;
        let surroundings = Surroundings::new(world, search.tick.is_some(), options.max_memory / SURROUNDINGS_SHARE);
        Ok(Plan {
            targets,
            moves,
            bytes: grid.memory_bytes_with(fields.len()) + surroundings.memory_bytes(),
            surroundings,
            grid,
            fields,
            ticks_per_tile: 1.0 / speed,
            region: region_around_map(world),
        })
    }

    /// Returns the estimated way to the nearest target, or to all targets that are left, in tiles.
    pub(crate) fn estimate_distance(&self, at: DVec2, visited: u64) -> f64 {
        let Some(all) = self.targets.mask_of_all_boxes() else {
            return self.fields.first().map_or(0.0, |field| self.grid.estimate_distance(field, at));
        };
        // Always visit the nearest target next: a short tour, though not the shortest.
        let (mut at, mut left, mut way) = (at, all & !visited, 0.0);
        while left != 0 {
            let open = (0..self.fields.len()).filter(|i| left >> i & 1 == 1);
            let distances = open.map(|i| (self.grid.estimate_distance(&self.fields[i], at), i));
            let Some((distance, i)) = distances.min_by(|a, b| a.0.total_cmp(&b.0)) else { break };
            way += distance;
            at = self.targets.boxes[i].0;
            left &= !(1 << i);
        }
        way
    }

    /// Returns the nearest target that is left, for words: its flood, its middle, and the estimated way to it in tiles.
    /// `None` if the goal has no place, or if all targets were visited.
    pub(crate) fn next_target(&self, at: DVec2, visited: u64) -> Option<(&Field, DVec2, f64)> {
        let middle = |(low, high): (DVec2, DVec2)| (low + high) / 2.0;
        if self.targets.mask_of_all_boxes().is_none() {
            let field = self.fields.first()?;
            let end = self.grid.end_of_path(field, at);
            let distance = |(low, high): &(DVec2, DVec2)| (end - end.clamp(*low, *high)).length();
            let nearest = self.targets.boxes.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
            return Some((field, middle(*nearest), self.grid.estimate_distance(field, at)));
        }
        let left = self.fields.iter().zip(&self.targets.boxes).enumerate().filter(|(i, _)| visited >> i & 1 == 0);
        let ways = left.map(|(_, (field, target))| (field, middle(*target), self.grid.estimate_distance(field, at)));
        ways.min_by(|a, b| a.2.total_cmp(&b.2))
    }
}

/// Returns the region outside of which a body counts as lost: its lower left and upper right corner.
pub(crate) fn region_around_map(world: &World) -> (DVec2, DVec2) {
    let (origin, size) = (world.map().origin(), world.map().size());
    let low = DVec2::new(origin.0.into(), origin.1.into());
    (low - LOST, low + DVec2::new(size.0.into(), size.1.into()) + LOST)
}

//! Bodies that the game shifts by [`Command::MoveBy`]. Platforms carry them in the same pass as the bodies that ride
//! platforms.

use super::StepScratch;
use crate::command::Command;
use crate::motion::motion_to_units;
use crate::motion::tiles_to_units;
use crate::platform::Path as PlatformPath;
use crate::world::World;
use glam::I64Vec2;

impl World {
    #[inline(always)]
    pub(super) fn clear_and_find_shifts(&mut self) {
        self.scratch.overrides.shifts.clear();
        if !self.log.given.is_empty() {
            self.find_shifts();
        }
    }

    /// Adds the shifts to the paths of shifted bodies and of the bodies that these carried, before the paths of their
    /// own moves.
    #[inline(always)]
    pub(super) fn add_shifts_to_paths(&mut self) {
        if !self.scratch.overrides.shifts.is_empty() {
            self.add_each_shift_to_path();
        }
    }

    /// Lists the displacements of this tick's shift commands.
    #[inline(never)]
    fn find_shifts(&mut self) {
        for command in self.log.given.without_spawns_of_map() {
            let Command::MoveBy(body, way) = command else { continue };
            let (shifts, way) = (&mut self.scratch.overrides.shifts, motion_to_units(*way));
            let most = I64Vec2::splat(tiles_to_units(PlatformPath::MAX_STEP_TILES));
            match shifts.iter_mut().find(|(shifted, _)| shifted == body) {
                Some((_, all)) => *all = (*all + way).clamp(-most, most),
                None if self.bodies.get(*body).is_some() => shifts.push((*body, way)),
                None => {}
            }
        }
    }

    /// Wakes the bodies that the shifted ones have pushed off their supports.
    #[inline(never)]
    pub(super) fn wake_bodies_pushed_off(&mut self) {
        let carries = std::mem::take(&mut self.scratch.carries);
        carries
            .carried_paths()
            .filter(|(_, from, _, to)| from != to)
            .for_each(|(body, ..)| self.wake_with_bodies_on_top(body));
        self.scratch.carries = carries;
    }

    /// Adds the shift to the recorded paths of shifted bodies and of the bodies that they carried, before the rest of
    /// the path.
    #[inline(never)]
    fn add_each_shift_to_path(&mut self) {
        let StepScratch { carries, path, .. } = &mut self.scratch;
        for (body, from, corners, to) in carries.carried_paths() {
            if let Some(state) = self.bodies.get_mut(body).filter(|_| from != to) {
                state.start_path(from, (corners, to), path);
            }
        }
    }
}

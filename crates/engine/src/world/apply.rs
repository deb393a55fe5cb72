use super::near::{leave, settle_in};
use super::step::{set_down, settle, stands};
use super::{BodyState, World};
use crate::body::check_velocity;
use crate::command::{Command, CommandError};
use crate::event::BodyId;
use crate::map::EntryId;
use surefoot_geometry::ONE;

impl World {
    /// Carries out a command at once, and keeps it for a recorder. A spawn answers with the new body's id.
    ///
    /// # Errors
    /// [`CommandError`]; the world is then as it was, and nothing is kept.
    pub fn apply(&mut self, command: Command) -> Result<Option<BodyId>, CommandError> {
        let mut spawned = None;
        match &command {
            Command::Spawn(body) => {
                body.check()?;
                if self.bodies.len() >= Self::MAX_BODIES {
                    return Err(CommandError::Full);
                }
                let place = body.place?;
                let mut state = BodyState::new(body, place);
                if self.terrain.is_streamed() {
                    settle_in(&mut self.terrain, &self.settings, &mut state);
                }
                let scene = super::scene(&self.terrain, &self.settings);
                settle(&scene, &mut state, &mut self.scratch);
                set_down(&scene, &mut state);
                state.stands = stands(&scene, &state);
                spawned = Some(self.bodies.insert(state));
            }
            Command::Remove(body) => {
                let mut state = self.bodies.remove(*body).ok_or(CommandError::NoSuchBody(*body))?;
                if self.terrain.is_streamed() {
                    leave(&mut self.terrain, &mut state);
                }
            }
            Command::SetInput(body, input) => self.body(*body)?.input = *input,
            Command::SetVelocity(body, velocity) => {
                check_velocity(*velocity)?;
                let scene = super::scene(&self.terrain, &self.settings);
                let state = self.bodies.get_mut(*body).ok_or(CommandError::NoSuchBody(*body))?;
                state.velocity = *velocity;
                set_down(&scene, state);
            }
            Command::Teleport(body, place) => {
                let state = self.bodies.get_mut(*body).ok_or(CommandError::NoSuchBody(*body))?;
                (state.place, state.previous, state.disturbed) = (*place, *place, true);
                state.path.clear();
                if self.terrain.is_streamed() {
                    settle_in(&mut self.terrain, &self.settings, state);
                }
                let scene = super::scene(&self.terrain, &self.settings);
                settle(&scene, state, &mut self.scratch);
                set_down(&scene, state);
            }
            Command::SetTile(tile, entry) => {
                let before = self.terrain.find_entry(*tile);
                self.terrain.set(*tile, *entry)?;
                if before != *entry {
                    self.paint(*tile, *entry);
                    self.disturb(*tile);
                }
            }
        }
        self.pending.push(command);
        Ok(spawned)
    }

    fn body(&mut self, body: BodyId) -> Result<&mut BodyState, CommandError> {
        self.bodies.get_mut(body).ok_or(CommandError::NoSuchBody(body))
    }

    /// Remembers how a cell now differs from the map, if it does.
    fn paint(&mut self, tile: (i32, i32), entry: EntryId) {
        // From the lowest row up and from left to right.
        let key = (tile.1, tile.0);
        let came = self.as_it_came(tile);
        if came == Some(entry) || (came.is_none() && self.terrain.is_streamed()) {
            self.painted.remove(&key);
        } else {
            self.painted.insert(key, entry);
        }
    }

    /// Marks the bodies that reach a cell or one beside it.
    fn disturb(&mut self, tile: (i32, i32)) {
        for state in self.bodies.values_mut() {
            let reach = state.shape.half() + 2 * ONE;
            let units = state.place.units();
            let near = |at: i64, reach: i64, cell: i32| {
                at - reach <= (i64::from(cell) + 1) * ONE && at + reach >= i64::from(cell) * ONE
            };
            state.disturbed |= near(units.x, reach.x, tile.0) && near(units.y, reach.y, tile.1);
        }
    }
}

use super::{BodyState, World};
use crate::body::check_velocity;
use crate::command::{Command, CommandError};
use crate::event::BodyId;
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
                let scene = super::scene(&self.terrain, &self.settings);
                super::step::settle(&scene, &mut state, &mut self.scratch);
                spawned = Some(self.bodies.insert(state));
            }
            Command::Remove(body) => {
                self.bodies.remove(*body).ok_or(CommandError::NoSuchBody(*body))?;
            }
            Command::SetInput(body, input) => self.body(*body)?.input = *input,
            Command::SetVelocity(body, velocity) => {
                check_velocity(*velocity)?;
                let state = self.body(*body)?;
                state.velocity = *velocity;
                if let Some((_, character)) = &mut state.character {
                    character.standing = false;
                }
            }
            Command::Teleport(body, place) => {
                let state = self.body(*body)?;
                (state.place, state.previous, state.disturbed) = (*place, *place, true);
                state.path.clear();
                if let Some((_, character)) = &mut state.character {
                    character.standing = false;
                }
                let scene = super::scene(&self.terrain, &self.settings);
                super::step::settle(&scene, &mut self.bodies[*body], &mut self.scratch);
            }
            Command::SetTile(tile, entry) => {
                self.terrain.set(*tile, *entry)?;
                self.painted.push((*tile, *entry));
                self.disturb(*tile);
            }
        }
        self.pending.push(command);
        Ok(spawned)
    }

    fn body(&mut self, body: BodyId) -> Result<&mut BodyState, CommandError> {
        self.bodies.get_mut(body).ok_or(CommandError::NoSuchBody(body))
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

//! The level as it is painted now, for programs that look at it while the game goes on.

use super::run::Run;
use super::{Mode, Session};
use crate::legend::map_with_edits;
use surefoot::body::Character;
use surefoot::event::BodyId;
use surefoot::map::MapPartsError;
use surefoot::terrain::Terrain;
use surefoot::world::World;

/// The level as it is painted now, and its hero.
#[derive(Debug)]
pub(crate) struct Draft {
    world: World,
    character: Character,
}

/// Equal keys mean equal drafts of one session.
pub(crate) type DraftKey = (u64, Character);

impl Draft {
    /// Returns a world in which the level begins, and its hero.
    ///
    /// # Errors
    /// [`MapPartsError`] if the painted tiles are not a valid map.
    pub(crate) fn start_world(&self) -> Result<(World, Option<BodyId>), MapPartsError> {
        let map = map_with_edits(self.world.map(), &self.world)?;
        let terrain = Terrain::bake(&map);
        let run = Run::new(map, terrain, self.world.settings(), self.character, 0);
        Ok((run.world, run.hero))
    }
}

impl Session {
    /// Returns the level as it is painted now; `None` if no map is played.
    pub(crate) fn draft(&self) -> Option<Draft> {
        self.draft_key().map(|(_, character)| Draft { world: self.world().clone(), character })
    }

    /// Returns the key of [`Session::draft`], which costs nothing.
    pub(crate) fn draft_key(&self) -> Option<DraftKey> {
        matches!(self.mode, Mode::Play(_)).then(|| (self.edit_count, self.character()))
    }
}

use super::EntryId;

/// One layer of a map's tiles: as wide and as high as the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    pub(super) name: String,
    pub(super) collides: bool,
    /// Row by row, the lowest row first, from left to right.
    pub(super) cells: Vec<EntryId>,
}

impl Layer {
    /// The name of the layer of a map that has but one and does not name it.
    pub const ONLY: &'static str = "tiles";

    /// What the map calls it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether bodies meet its tiles; a layer that does not collide is there to be drawn.
    #[must_use]
    pub fn collides(&self) -> bool {
        self.collides
    }

    /// All cells row by row, the lowest row first, from left to right.
    #[must_use]
    pub fn cells(&self) -> &[EntryId] {
        &self.cells
    }

    /// The layer of a map that has but one.
    pub(super) fn only(cells: Vec<EntryId>) -> Layer {
        Layer { name: Layer::ONLY.to_owned(), collides: true, cells }
    }
}

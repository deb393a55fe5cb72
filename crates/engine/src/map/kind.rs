use super::{KindError, LayerMask, Map, Surface, Value};
use crate::catalogue::{Catalogue, Kind, VariantId};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Names a tile kind within its map: an index into [`Map::kinds`]. Kind 0 is always the empty cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(transparent))]
pub struct TileId(pub u16);

impl TileId {
    /// The empty cell.
    pub const EMPTY: TileId = TileId(0);
}

/// What a cell of a map can be.
///
/// A map may have several kinds of one variant: bodies meet their edges alike, on surfaces that may differ, and a game tells
/// them apart by their properties. [`Contact::tile_id`](crate::motion::Contact::tile_id) and the events of hits name the kind,
/// so that a tag such as `"spikes"` is a property like any other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TileKind {
    /// The edges; `None` for a cell that bodies pass through.
    pub variant: Option<VariantId>,
    /// Whether a character may drop through it; only for variants of an open pattern.
    pub drop_through: bool,
    /// The collision layers whose bodies it lets pass, from all sides; only for variants of an open pattern. A body passes if
    /// one of its [`Body::collision_layers`](crate::body::Body::collision_layers) is among them: to it the tile is not there.
    pub lets_pass: LayerMask,
    /// What its sides are like to bodies that touch them.
    pub surface: Surface,
    /// The game's own data, by name; the physics does not use it.
    pub properties: BTreeMap<String, Value>,
}

impl TileKind {
    /// The kind of a variant, without properties.
    #[must_use]
    pub fn new(variant: VariantId) -> TileKind {
        TileKind { variant: Some(variant), ..TileKind::default() }
    }

    /// The empty cell, then a kind for every variant of a catalogue: kind `i + 1` is the variant `i`.
    #[must_use]
    pub fn every_variant(catalogue: &Catalogue) -> Vec<TileKind> {
        let variants = (0..catalogue.variants().len()).map(|i| TileKind::new(VariantId(i as u16)));
        std::iter::once(TileKind::default()).chain(variants).collect()
    }

    /// Whether it can be dropped through, if it is to be; the variant is one of the catalogue's.
    pub(super) fn can_drop(&self, catalogue: &Catalogue) -> bool {
        !self.drop_through || self.is_open(catalogue)
    }

    /// Whether it can let bodies pass, if it is to; the variant is one of the catalogue's.
    pub(super) fn can_let_pass(&self, catalogue: &Catalogue) -> bool {
        self.lets_pass.is_none() || self.is_open(catalogue)
    }

    fn is_open(&self, catalogue: &Catalogue) -> bool {
        self.variant.is_some_and(|variant| catalogue.variant(variant).kind == Kind::Open)
    }
}

/// Refuses kinds that no map can have that names so many collision layers.
pub(super) fn check(catalogue: &Catalogue, kinds: &[TileKind], names: usize) -> Result<(), KindError> {
    if kinds.first().is_none_or(|kind| kind.variant.is_some()) {
        return Err(KindError::NoEmpty);
    }
    let (count, limit) = (kinds.len(), Map::MAX_KINDS);
    if count > limit {
        return Err(KindError::TooMany { count, limit });
    }
    let variants = catalogue.variants().len();
    for (kind, own) in (0..).map(TileId).zip(kinds) {
        if let Some(variant) = own.variant.filter(|variant| usize::from(variant.0) >= variants) {
            return Err(KindError::UnknownVariant { kind, variant, variants });
        }
        let tile = || own.variant.map_or_else(|| super::EMPTY_TILE.to_owned(), |id| catalogue.name(id));
        if !own.can_drop(catalogue) {
            return Err(KindError::DropThrough { kind, tile: tile() });
        }
        if !own.can_let_pass(catalogue) {
            return Err(KindError::LetsPass { kind, tile: tile() });
        }
        own.lets_pass.check_named(names).map_err(|source| KindError::CollisionLayer { kind, source })?;
        own.surface.check().map_err(|source| KindError::Surface { kind, source })?;
    }
    Ok(())
}

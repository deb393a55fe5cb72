use super::{CollisionLayers, Map, Material, TileKindError, Value};
use crate::catalogue::{Catalogue, PatternKind, VariantId};
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
    pub ignored_by: CollisionLayers,
    /// What its sides are like to bodies that touch them.
    pub material: Material,
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
        self.ignored_by.is_empty() || self.is_open(catalogue)
    }

    fn is_open(&self, catalogue: &Catalogue) -> bool {
        self.variant.is_some_and(|variant| catalogue.variant(variant).kind == PatternKind::Open)
    }
}

/// Refuses kinds that no map can have that names so many collision layers.
pub(super) fn check(catalogue: &Catalogue, kinds: &[TileKind], names: usize) -> Result<(), TileKindError> {
    if kinds.first().is_none_or(|kind| kind.variant.is_some()) {
        return Err(TileKindError::NoEmpty);
    }
    let (count, limit) = (kinds.len(), Map::MAX_KINDS);
    if count > limit {
        return Err(TileKindError::TooMany { count, limit });
    }
    let variants = catalogue.variants().len();
    for (kind, own) in (0..).map(TileId).zip(kinds) {
        if let Some(variant) = own.variant.filter(|variant| usize::from(variant.0) >= variants) {
            return Err(TileKindError::UnknownVariant { kind, variant, variants });
        }
        let tile = || own.variant.map_or_else(|| super::EMPTY_TILE.to_owned(), |id| catalogue.variant_name(id));
        if !own.can_drop(catalogue) {
            return Err(TileKindError::DropThrough { kind, tile: tile() });
        }
        if !own.can_let_pass(catalogue) {
            return Err(TileKindError::IgnoredBy { kind, tile: tile() });
        }
        own.ignored_by.check_named(names).map_err(|source| TileKindError::CollisionLayer { kind, source })?;
        own.material.check().map_err(|source| TileKindError::Material { kind, source })?;
    }
    Ok(())
}

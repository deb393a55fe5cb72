use super::{Map, Material, Things, TileKindError, Value, things};
use crate::catalogue::{Catalogue, PatternKind, VariantId};
use crate::ids::{CollisionLayers, TileId};
use std::collections::BTreeMap;

/// A kind of tile: its shape, its material and data for your game.
///
/// Several kinds may have the same shape but different materials or properties. Contacts and hit events name the tile
/// kind: see [`Contact::tile_id`](../motion/struct.Contact.html#structfield.tile_id). So to mark spikes, add a property
/// such as `"damage"`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TileKind {
    /// The tile's shape: a variant (possibly mirrored or turned pattern) of the map's catalogue of tile shapes.
    ///
    /// `None` makes an empty cell, which bodies pass through.
    pub variant: Option<VariantId>,
    /// Whether a character on the tile drops through it while its player holds down. `true` is allowed only for one-way
    /// tiles, which have the pattern kind [`PatternKind::Open`](crate::catalogue::PatternKind::Open).
    pub drop_through: bool,
    /// Collision layers (groups of bodies) whose bodies pass through the tile from all sides. Only for one-way tiles.
    ///
    /// Must be empty for other tiles: a one-way tile has the pattern kind
    /// [`PatternKind::Open`](crate::catalogue::PatternKind::Open). A body passes if one of its
    /// [`Body::collision_layers`](../body/struct.Body.html#structfield.collision_layers) is in the set.
    pub ignored_by: CollisionLayers,
    /// Friction, traction, bounce, belt velocity and climbability of all sides of the tile.
    pub material: Material,
    /// Data for your game, by name. The physics ignores it.
    pub properties: BTreeMap<String, Value>,
    /// Things that the kind places in each of its cells, such as an area. Nothing for kind 0, the empty cell.
    pub things: Things,
}

impl TileKind {
    /// Creates a tile kind with the shape `variant` (a pattern, possibly mirrored or turned), the default material and
    /// no properties.
    #[must_use]
    pub fn new(variant: VariantId) -> TileKind {
        TileKind { variant: Some(variant), ..TileKind::default() }
    }

    /// Returns the empty cell, then one tile kind for every variant (shape) of `catalogue`. Kind `i + 1` has the shape
    /// of variant `i`.
    #[must_use]
    pub fn every_variant(catalogue: &Catalogue) -> Vec<TileKind> {
        let variants = (0..catalogue.variants().len()).map(|i| TileKind::new(VariantId(i as u16)));
        std::iter::once(TileKind::default()).chain(variants).collect()
    }

    /// Returns whether bodies can drop through the tile if `drop_through` is set. The catalogue must have its variant.
    pub(super) fn is_drop_through_valid(&self, catalogue: &Catalogue) -> bool {
        !self.drop_through || self.has_open_pattern(catalogue)
    }

    /// Returns whether the tile can let collision layers pass. The catalogue must have its variant.
    pub(super) fn is_ignored_by_valid(&self, catalogue: &Catalogue) -> bool {
        self.ignored_by.is_empty() || self.has_open_pattern(catalogue)
    }

    fn has_open_pattern(&self, catalogue: &Catalogue) -> bool {
        self.variant.is_some_and(|variant| catalogue.variant(variant).kind == PatternKind::Open)
    }
}

/// Refuses invalid tile kinds. `names` is the number of named collision layers.
pub(super) fn check_kinds(catalogue: &Catalogue, kinds: &[TileKind], names: usize) -> Result<(), TileKindError> {
    if kinds.first().is_none_or(|kind| kind.variant.is_some()) {
        return Err(TileKindError::NoEmpty);
    }
    let (count, limit) = (kinds.len(), Map::MAX_KINDS);
    if count > limit {
        return Err(TileKindError::TooMany { count, limit });
    }
    if !kinds[0].things.is_empty() {
        return Err(TileKindError::EmptyPlaces);
    }
    let variants = catalogue.variants().len();
    for (kind, own) in (0..).map(TileId).zip(kinds) {
        if let Some(variant) = own.variant.filter(|variant| usize::from(variant.0) >= variants) {
            return Err(TileKindError::UnknownVariant { kind, variant, variants });
        }
        let tile = || own.variant.map_or_else(|| super::EMPTY_TILE.to_owned(), |id| catalogue.variant_name(id));
        if !own.is_drop_through_valid(catalogue) {
            return Err(TileKindError::DropThrough { kind, tile: tile() });
        }
        if !own.is_ignored_by_valid(catalogue) {
            return Err(TileKindError::IgnoredBy { kind, tile: tile() });
        }
        own.ignored_by.check_named(names).map_err(|source| TileKindError::CollisionLayer { kind, source })?;
        if let Some(inside) = own.things.inside {
            let outer = kinds.get(usize::from(inside.0)).and_then(|kind| kind.things.area.as_ref());
            let joins = own.things.area.as_ref().is_some_and(|area| area.join);
            if joins || outer.is_none_or(|area| !area.join) {
                return Err(TileKindError::Inside { kind, inside });
            }
            if let Some(word) = things::shared_first_name_word(own.things.area.as_deref(), outer.map(|area| &**area)) {
                return Err(TileKindError::InsideName { kind, inside, name: word.to_owned() });
            }
        }
        own.material.check().map_err(|source| TileKindError::Material { kind, source })?;
    }
    Ok(())
}

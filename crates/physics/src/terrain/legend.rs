use super::OUTSIDE;
use super::shape::{Shape, Tile};
use crate::catalogue::{Catalogue, StackError, VariantId};
use crate::map::{CollisionLayers, Map, Material, TileId, TileKind};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// Id of a stack in its legend: the tiles of a cell in all colliding layers.
///
/// If one layer collides, the id of a stack equals its entry's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct StackId(pub(super) u32);

impl StackId {
    /// No tile in any layer.
    pub(super) const EMPTY: StackId = StackId(0);
    /// Space beyond a solid side of the map.
    pub(super) const OUTSIDE: StackId = StackId(u32::MAX);
}

/// Shapes of a map's cells, and of the space beyond its sides.
#[derive(Clone, Debug)]
pub(super) struct Legend {
    pub(super) catalogue: Arc<Catalogue>,
    /// The tile of each entry in the map's legend.
    tiles: Vec<Tile>,
    /// Material of each entry. Empty if all are the default.
    surfaces: Arc<[Material]>,
    /// Colliding layers of the map, in order.
    layers: Vec<usize>,
    stacks: Vec<Stack>,
    /// Stacks by their entries. Used only with several layers: with one, a stack's id is the entry's.
    ids: HashMap<Box<[TileId]>, StackId>,
    /// Layers that entries let pass, each set once.
    lets_pass: Arc<[CollisionLayers]>,
    /// Entries without a shape.
    absent: Absent,
    outside: Shape,
    block: Option<VariantId>,
    empty: Shape,
}

/// Tiles that a body passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Absent {
    /// Whether drop-through tiles are passed.
    drops: bool,
    /// Tiles that let some of these layers pass.
    layers: CollisionLayers,
}

impl Absent {
    fn contains(self, tile: Tile) -> bool {
        self.drops && tile.drop_through || self.layers.intersects(tile.lets_pass)
    }
}

#[derive(Clone, Debug)]
struct Stack {
    /// An entry for each colliding layer.
    entries: Box<[TileId]>,
    /// Composed when a cell with the stack is first baked: a platform uses few of the map's entries.
    shape: OnceLock<Shape>,
}

/// Features of the materials in use, so that queries can be skipped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surfaced {
    /// Whether any entry has a material other than the default one.
    pub(crate) any: bool,
    /// Whether any entry has a bounce.
    pub(crate) bouncy: bool,
    /// Speed of the fastest belt, in tiles per second; 0 without belts.
    pub(crate) fastest_belt: f64,
}

/// Origin of a side of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Source {
    /// Layer of the map.
    pub(crate) layer: usize,
    pub(crate) tile_id: TileId,
    pub(crate) variant: Option<VariantId>,
    /// Edge of the variant.
    pub(crate) edge: u8,
    pub(crate) surface: Material,
}

impl Legend {
    pub(super) fn from_map(map: &Map) -> Legend {
        let catalogue = map.catalogue().clone();
        let tiles: Vec<Tile> = map.kinds().iter().map(tile_of_kind).collect();
        let mut lets_pass: Vec<CollisionLayers> = tiles.iter().map(|tile| tile.lets_pass).collect();
        lets_pass.sort_unstable();
        lets_pass.dedup();
        lets_pass.retain(|layers| !layers.is_empty());
        let layers = map.layers().iter().enumerate().filter(|(_, layer)| layer.collides).map(|(i, _)| i).collect();
        let block = catalogue.find_variant("full_block").ok();
        let mut legend = Legend {
            catalogue,
            tiles,
            surfaces: materials_of_kinds(map.kinds()),
            layers,
            stacks: Vec::new(),
            ids: HashMap::new(),
            lets_pass: lets_pass.into(),
            absent: Absent::default(),
            outside: Shape::full(),
            block,
            empty: Shape::empty(),
        };
        legend.add_permanent_stacks();
        legend
    }

    /// Adds the stacks that always exist. The empty one is the first. With one layer, every entry is a stack of its
    /// own.
    fn add_permanent_stacks(&mut self) {
        let first = if self.layers.len() == 1 { self.tiles.len() } else { 1 };
        for entry in 0..first {
            self.add_stack(&vec![TileId(entry as u16); self.layers.len()]);
        }
    }

    /// Returns the legend without the stacks added later.
    pub(super) fn without_added_stacks(&self) -> Legend {
        let mut legend = Legend { stacks: Vec::new(), ids: HashMap::new(), ..self.clone() };
        legend.add_permanent_stacks();
        legend
    }

    /// Returns the stack that equals one of another legend of the same map. It takes over a composed shape: its cells
    /// are baked already, so the shape would be composed, and memory allocated, in a later tick.
    pub(super) fn find_or_add_equal_stack(&mut self, other: &Legend, stack: StackId) -> StackId {
        let Some(known) = other.stacks.get(stack.0 as usize) else { return stack };
        let id = self.find_or_add_stack(&known.entries);
        if let (Some(own), Some(shape)) = (self.stacks.get(id.0 as usize), known.shape.get()) {
            own.shape.get_or_init(|| shape.clone());
        }
        id
    }

    /// Returns the colliding layers of the map, in order.
    pub(super) fn layers(&self) -> &[usize] {
        &self.layers
    }

    /// Returns the stack of entries, one for each colliding layer.
    #[inline]
    pub(super) fn find_or_add_stack(&mut self, entries: &[TileId]) -> StackId {
        self.find_stack(entries).unwrap_or_else(|| self.add_stack(entries))
    }

    /// Returns the stack of these entries in a shared legend. Copies a legend that does not have the stack.
    #[inline]
    pub(super) fn intern_stack_in_shared(legend: &mut Arc<Legend>, entries: &[TileId]) -> StackId {
        legend.find_stack(entries).unwrap_or_else(|| Arc::make_mut(legend).add_stack(entries))
    }

    pub(super) fn entries_with_replaced(&self, stack: StackId, index: usize, entry: TileId) -> Vec<TileId> {
        let own = |other| if other == index { entry } else { self.entry_of_stack(stack, other) };
        (0..self.layers.len()).map(own).collect()
    }

    /// Returns the stack of entries, if the legend has it.
    #[inline]
    pub(super) fn find_stack(&self, entries: &[TileId]) -> Option<StackId> {
        match *entries {
            [entry] => Some(StackId(entry.0.into())),
            _ if entries.iter().all(|entry| *entry == TileId::EMPTY) => Some(StackId::EMPTY),
            _ => self.ids.get(entries).copied(),
        }
    }

    fn add_stack(&mut self, entries: &[TileId]) -> StackId {
        let id = StackId(self.stacks.len() as u32);
        self.stacks.push(Stack { entries: entries.into(), shape: OnceLock::new() });
        if entries.len() > 1 {
            self.ids.insert(entries.into(), id);
        }
        id
    }

    fn compose_shape(&self, entries: &[TileId]) -> Shape {
        let shown = |tile: Tile| if self.absent.contains(tile) { Tile::default() } else { tile };
        let tiles: Vec<Tile> = entries.iter().map(|entry| shown(self.tile_of_entry(*entry))).collect();
        Shape::of_tiles(&self.catalogue, &tiles)
    }

    /// Returns the shape of a stack; empty for an unknown one.
    #[inline]
    pub(super) fn shape(&self, stack: StackId) -> &Shape {
        match self.stacks.get(stack.0 as usize) {
            Some(stack) => stack.shape.get_or_init(|| self.compose_shape(&stack.entries)),
            None if stack == StackId::OUTSIDE => &self.outside,
            None => &self.empty,
        }
    }

    fn tile_of_entry(&self, entry: TileId) -> Tile {
        self.tiles.get(usize::from(entry.0)).copied().unwrap_or_default()
    }

    /// Returns the entry of a stack in one of the colliding layers. `index` counts only colliding layers.
    pub(super) fn entry_of_stack(&self, stack: StackId, index: usize) -> TileId {
        match self.stacks.get(stack.0 as usize) {
            Some(stack) => stack.entries.get(index).copied().unwrap_or(TileId::EMPTY),
            None if stack == StackId::OUTSIDE => OUTSIDE,
            None => TileId::EMPTY,
        }
    }

    /// Returns the variant of an entry.
    pub(super) fn variant(&self, entry: TileId) -> Option<VariantId> {
        if entry == OUTSIDE { self.block } else { self.tile_of_entry(entry).variant }
    }

    /// Returns the features of the entries' materials.
    pub(super) fn material_features(&self) -> Surfaced {
        let is_bouncy = self.surfaces.iter().any(|surface| surface.bounce > 0.0);
        let fastest_belt = self.surfaces.iter().map(|surface| surface.belt_velocity.abs()).fold(0.0, f64::max);
        Surfaced { any: self.surfaces.iter().any(|surface| !surface.is_plain()), bouncy: is_bouncy, fastest_belt }
    }

    /// Returns the material of an entry; the default one for an unknown entry.
    pub(super) fn material(&self, entry: TileId) -> Material {
        self.surfaces.get(usize::from(entry.0)).copied().unwrap_or_default()
    }

    /// Returns the origin of a side of a stack's shape.
    // Inlined, because each hit calls it, and a call copies the result. Affects speed only.
    #[inline]
    pub(super) fn origin_of_side(&self, stack: StackId, side: u8) -> Source {
        let (index, edge) =
            self.shape(stack).sides.get(usize::from(side)).map_or((0, 0), |side| (side.part, side.edge));
        let entry = self.entry_of_stack(stack, usize::from(index));
        let layer = self.layers.get(usize::from(index)).copied().unwrap_or(0);
        Source { layer, tile_id: entry, variant: self.variant(entry), edge, surface: self.material(entry) }
    }

    /// Returns whether a map's entries mean the same, in the same layers.
    pub(super) fn has_same_entries(&self, map: &Map) -> bool {
        let layers = map.layers().iter().enumerate().filter(|(_, layer)| layer.collides).map(|(i, _)| i);
        self.layers.iter().copied().eq(layers)
            && self.tiles.iter().copied().eq(map.kinds().iter().map(tile_of_kind))
            && *self.surfaces == *materials_of_kinds(map.kinds())
    }

    /// Returns whether bodies can drop through an entry.
    pub(super) fn is_drop_through(&self, entry: TileId) -> bool {
        self.tile_of_entry(entry).drop_through
    }

    /// Returns the layers that some entry lets pass.
    pub(super) fn layers_let_through(&self) -> CollisionLayers {
        self.lets_pass.iter().fold(CollisionLayers::NONE, |all, layers| all.union(*layers))
    }

    /// Returns the largest set of layers whose bodies hit the same tiles as those in `layers`. Empty if they hit all
    /// tiles.
    pub(super) fn layers_passing_same_tiles(&self, layers: CollisionLayers) -> CollisionLayers {
        let stopped = self.lets_pass.iter().filter(|let_pass| !let_pass.intersects(layers));
        stopped.fold(self.layers_let_through(), |alike, let_pass| alike.without(*let_pass))
    }

    /// Returns whether a stack has an entry without a shape.
    pub(super) fn has_entry_without_shape(&self, stack: StackId) -> bool {
        let stack = self.stacks.get(stack.0 as usize);
        stack.is_some_and(|stack| stack.entries.iter().any(|entry| self.absent.contains(self.tile_of_entry(*entry))))
    }

    /// Returns the legend with empty cells for drop-through tiles.
    pub(super) fn without_drop_through_tiles(&self) -> Legend {
        self.without_absent_tiles(Absent { drops: true, ..self.absent })
    }

    /// Returns the legend with empty cells for tiles that let some of the layers pass.
    pub(super) fn without_tiles_passed_by(&self, layers: CollisionLayers) -> Legend {
        self.without_absent_tiles(Absent { layers, ..self.absent })
    }

    fn without_absent_tiles(&self, absent: Absent) -> Legend {
        let mut legend = Legend { absent, ..self.clone() };
        let is_changed = |tile: Tile| absent.contains(tile) != self.absent.contains(tile);
        // The other shapes stay: a form keeps the cells that have them, and does not bake these cells again.
        for stack in &mut legend.stacks {
            if stack.entries.iter().any(|entry| is_changed(self.tile_of_entry(*entry))) {
                stack.shape.take();
            }
        }
        legend
    }

    /// Returns whether an entry is in the map's legend.
    pub(super) fn has_entry(&self, entry: TileId) -> bool {
        usize::from(entry.0) < self.tiles.len()
    }

    /// Checks that an entry can be put into a stack. `index` counts only colliding layers.
    pub(super) fn check_fits_in_stack(&self, stack: StackId, index: usize, entry: TileId) -> Result<(), StackError> {
        let others =
            (0..self.layers.len()).filter(|other| *other != index).map(|other| self.entry_of_stack(stack, other));
        let variants: Vec<_> = others.chain([entry]).filter_map(|entry| self.variant(entry)).collect();
        self.catalogue.check_stack(&variants)
    }

    /// Returns the number of known stacks.
    #[cfg(test)]
    pub(super) fn stack_count(&self) -> usize {
        self.stacks.len()
    }

    /// Checks that entries can share a cell, one for each colliding layer.
    pub(super) fn check_entries(&self, entries: &[TileId]) -> Result<(), StackError> {
        let variants: Vec<_> = entries.iter().filter_map(|entry| self.variant(*entry)).collect();
        self.catalogue.check_stack(&variants)
    }

    /// Makes entries fit for one cell: an entry that conflicts with earlier ones becomes empty.
    pub(super) fn entries_without_conflicts(&self, entries: &[TileId]) -> Box<[TileId]> {
        let mut fitting = vec![TileId::EMPTY; entries.len()].into_boxed_slice();
        for (i, entry) in entries.iter().enumerate() {
            fitting[i] = *entry;
            if self.check_entries(&fitting).is_err() {
                fitting[i] = TileId::EMPTY;
            }
        }
        fitting
    }
}

/// Returns the materials of kinds. Empty if all kinds with edges have the default one.
fn materials_of_kinds(kinds: &[TileKind]) -> Arc<[Material]> {
    let own = |kind: &TileKind| if kind.variant.is_some() { kind.material } else { Material::default() };
    let surfaces: Arc<[Material]> = kinds.iter().map(own).collect();
    if surfaces.iter().all(|surface| *surface == Material::default()) { Arc::new([]) } else { surfaces }
}

fn tile_of_kind(kind: &TileKind) -> Tile {
    if kind.variant.is_none() {
        return Tile::default();
    }
    Tile { variant: kind.variant, drop_through: kind.drop_through, lets_pass: kind.ignored_by }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_from_another_legend_keeps_its_shape() {
        let map = Map::from_rows(["#"]).unwrap();
        let old = Legend::from_map(&map);
        let stack = old.find_stack(&[map.layers()[0].cells[0]]).unwrap();
        assert!(old.shape(stack).is_full());
        let mut renewed = old.without_added_stacks();
        let stack = renewed.find_or_add_equal_stack(&old, stack);
        assert!(renewed.stacks[stack.0 as usize].shape.get().is_some());
    }
}

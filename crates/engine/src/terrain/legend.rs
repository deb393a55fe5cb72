use super::OUTSIDE;
use super::shape::{Shape, Tile};
use crate::catalogue::{Catalogue, StackError, VariantId};
use crate::map::{CollisionLayers, Map, Material, TileId, TileKind};
use std::collections::HashMap;
use std::sync::Arc;

/// Names a stack within its legend: what the tiles of a cell are in all layers that collide.
///
/// Where one layer collides, a stack is an entry, of the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct StackId(pub(super) u32);

impl StackId {
    /// Nothing in any layer.
    pub(super) const EMPTY: StackId = StackId(0);
    /// What lies beyond a solid side of the map.
    pub(super) const OUTSIDE: StackId = StackId(u32::MAX);
}

/// The shapes of a map's cells, and of what lies beyond its sides.
#[derive(Clone, Debug)]
pub(super) struct Legend {
    pub(super) catalogue: Arc<Catalogue>,
    /// What each entry of the map's legend paints.
    tiles: Vec<Tile>,
    /// The surface of each entry; empty if all are the default one.
    surfaces: Arc<[Material]>,
    /// The layers of the map that collide, in order.
    layers: Vec<usize>,
    stacks: Vec<Stack>,
    /// The stacks by their entries. Used only with several layers: with one, a stack's id is the entry's.
    ids: HashMap<Box<[TileId]>, StackId>,
    /// The layers that entries let pass, each set once.
    lets_pass: Arc<[CollisionLayers]>,
    /// Which entries have no shape.
    absent: Absent,
    outside: Shape,
    block: Option<VariantId>,
    empty: Shape,
}

/// Tiles that are not there for a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Absent {
    /// Those that may be dropped through.
    drops: bool,
    /// Those that let some of these layers pass.
    layers: CollisionLayers,
}

impl Absent {
    fn holds(self, tile: Tile) -> bool {
        self.drops && tile.drop_through || self.layers.intersects(tile.lets_pass)
    }
}

#[derive(Clone, Debug)]
struct Stack {
    /// An entry for each layer that collides.
    entries: Box<[TileId]>,
    shape: Shape,
}

/// What surfaces tiles may have, so that nothing is asked for where none has any.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surfaced {
    /// Some entry has a surface that bodies move over otherwise than over the default one.
    pub(super) any: bool,
    /// Some entry throws bodies back.
    pub(super) bouncy: bool,
    /// How fast the fastest belt among them is, in tiles per second; 0 without any.
    pub(super) fastest_belt: f64,
}

/// Where a side of a cell comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Source {
    /// The map's layer.
    pub(crate) layer: usize,
    pub(crate) tile_id: TileId,
    pub(crate) variant: Option<VariantId>,
    /// Which edge of the variant.
    pub(crate) edge: u8,
    pub(crate) surface: Material,
}

impl Legend {
    pub(super) fn of(map: &Map) -> Legend {
        let catalogue = map.catalogue().clone();
        let tiles: Vec<Tile> = map.kinds().iter().map(tile).collect();
        let mut lets_pass: Vec<CollisionLayers> = tiles.iter().map(|tile| tile.lets_pass).collect();
        lets_pass.sort_unstable();
        lets_pass.dedup();
        lets_pass.retain(|layers| !layers.is_empty());
        let layers = map.layers().iter().enumerate().filter(|(_, layer)| layer.collides).map(|(i, _)| i).collect();
        let block = catalogue.find_variant("full_block").ok();
        let mut legend = Legend {
            catalogue,
            tiles,
            surfaces: surfaces(map.kinds()),
            layers,
            stacks: Vec::new(),
            ids: HashMap::new(),
            lets_pass: lets_pass.into(),
            absent: Absent::default(),
            outside: Shape::full(),
            block,
            empty: Shape::empty(),
        };
        legend.add_first();
        legend
    }

    /// The stacks that there are in any case: the empty one is the first; with one layer, every entry is a stack of its
    /// own.
    fn add_first(&mut self) {
        let first = if self.layers.len() == 1 { self.tiles.len() } else { 1 };
        for entry in 0..first {
            self.add(&vec![TileId(entry as u16); self.layers.len()]);
        }
    }

    /// The legend without the stacks that it has come to know.
    pub(super) fn renewed(&self) -> Legend {
        let mut legend = Legend { stacks: Vec::new(), ids: HashMap::new(), ..self.clone() };
        legend.add_first();
        legend
    }

    /// The stack that is another legend's: of the same map, with the same entries.
    pub(super) fn adopt(&mut self, other: &Legend, stack: StackId) -> StackId {
        match other.stacks.get(stack.0 as usize) {
            Some(known) => self.stack(&known.entries),
            None => stack,
        }
    }

    /// The layers of the map that collide, in order.
    pub(super) fn layers(&self) -> &[usize] {
        &self.layers
    }

    /// The stack of entries, one for each layer that collides.
    #[inline]
    pub(super) fn stack(&mut self, entries: &[TileId]) -> StackId {
        self.find(entries).unwrap_or_else(|| self.add(entries))
    }

    /// The stack that another one becomes with another entry in one of the layers that collide, counted without the others.
    pub(super) fn replaced(&mut self, stack: StackId, index: usize, entry: TileId) -> StackId {
        let entries = self.entries_with(stack, index, entry);
        self.stack(&entries)
    }

    /// As `replaced`, for a stack that the legend knows already.
    pub(super) fn find_replaced(&self, stack: StackId, index: usize, entry: TileId) -> Option<StackId> {
        self.find(&self.entries_with(stack, index, entry))
    }

    fn entries_with(&self, stack: StackId, index: usize, entry: TileId) -> Vec<TileId> {
        let own = |other| if other == index { entry } else { self.tile_of(stack, other) };
        (0..self.layers.len()).map(own).collect()
    }

    /// The stack of entries, if the legend knows it.
    #[inline]
    pub(super) fn find(&self, entries: &[TileId]) -> Option<StackId> {
        match *entries {
            [entry] => Some(StackId(entry.0.into())),
            _ if entries.iter().all(|entry| *entry == TileId::EMPTY) => Some(StackId::EMPTY),
            _ => self.ids.get(entries).copied(),
        }
    }

    fn add(&mut self, entries: &[TileId]) -> StackId {
        let id = StackId(self.stacks.len() as u32);
        self.stacks.push(Stack { entries: entries.into(), shape: self.compose(entries) });
        if entries.len() > 1 {
            self.ids.insert(entries.into(), id);
        }
        id
    }

    fn compose(&self, entries: &[TileId]) -> Shape {
        let tile = |entry: &TileId| self.tiles.get(usize::from(entry.0)).copied().unwrap_or_default();
        let shown = |tile: Tile| if self.absent.holds(tile) { Tile::default() } else { tile };
        let tiles: Vec<Tile> = entries.iter().map(|entry| shown(tile(entry))).collect();
        Shape::of(&self.catalogue, &tiles)
    }

    /// The shape of a stack; empty for one that the legend lacks.
    #[inline]
    pub(super) fn shape(&self, stack: StackId) -> &Shape {
        match self.stacks.get(stack.0 as usize) {
            Some(stack) => &stack.shape,
            None if stack == StackId::OUTSIDE => &self.outside,
            None => &self.empty,
        }
    }

    /// The entry of a stack in one of the layers that collide, counted without the others.
    pub(super) fn tile_of(&self, stack: StackId, index: usize) -> TileId {
        match self.stacks.get(stack.0 as usize) {
            Some(stack) => stack.entries.get(index).copied().unwrap_or(TileId::EMPTY),
            None if stack == StackId::OUTSIDE => OUTSIDE,
            None => TileId::EMPTY,
        }
    }

    /// The variant of an entry.
    pub(super) fn variant(&self, entry: TileId) -> Option<VariantId> {
        match self.tiles.get(usize::from(entry.0)) {
            Some(tile) => tile.variant,
            None if entry == OUTSIDE => self.block,
            None => None,
        }
    }

    /// What surfaces the entries have.
    pub(super) fn surfaced(&self) -> Surfaced {
        let is_bouncy = self.surfaces.iter().any(|surface| surface.bounce > 0.0);
        let fastest_belt = self.surfaces.iter().map(|surface| surface.belt_velocity.abs()).fold(0.0, f64::max);
        Surfaced { any: self.surfaces.iter().any(|surface| !surface.is_plain()), bouncy: is_bouncy, fastest_belt }
    }

    /// The surface of an entry; the default one for what is not in the legend.
    pub(super) fn surface(&self, entry: TileId) -> Material {
        self.surfaces.get(usize::from(entry.0)).copied().unwrap_or_default()
    }

    /// Where a side of a stack's shape comes from.
    pub(super) fn source(&self, stack: StackId, side: u8) -> Source {
        let (index, edge) =
            self.shape(stack).sides.get(usize::from(side)).map_or((0, 0), |side| (side.part, side.edge));
        let entry = self.tile_of(stack, usize::from(index));
        let layer = self.layers.get(usize::from(index)).copied().unwrap_or(0);
        Source { layer, tile_id: entry, variant: self.variant(entry), edge, surface: self.surface(entry) }
    }

    /// Whether a map's entries mean the same, in the same layers.
    pub(super) fn paints_as(&self, map: &Map) -> bool {
        let layers = map.layers().iter().enumerate().filter(|(_, layer)| layer.collides).map(|(i, _)| i);
        self.layers.iter().copied().eq(layers)
            && self.tiles.iter().copied().eq(map.kinds().iter().map(tile))
            && *self.surfaces == *surfaces(map.kinds())
    }

    /// Whether an entry may be dropped through.
    pub(super) fn drops(&self, entry: TileId) -> bool {
        self.tiles.get(usize::from(entry.0)).is_some_and(|tile| tile.drop_through)
    }

    /// The layers that some entry lets pass.
    pub(super) fn lets_pass(&self) -> CollisionLayers {
        self.lets_pass.iter().fold(CollisionLayers::NONE, |all, layers| all.union(*layers))
    }

    /// The largest set of layers whose bodies meet the same tiles as those of some layers; no layers if they meet all tiles.
    pub(super) fn passing_alike(&self, layers: CollisionLayers) -> CollisionLayers {
        let stopped = self.lets_pass.iter().filter(|let_pass| !let_pass.intersects(layers));
        stopped.fold(self.lets_pass(), |alike, let_pass| alike.without(*let_pass))
    }

    /// Whether a stack has an entry without a shape.
    pub(super) fn lacks_some(&self, stack: StackId) -> bool {
        let tile = |entry: &TileId| self.tiles.get(usize::from(entry.0)).copied().unwrap_or_default();
        let stack = self.stacks.get(stack.0 as usize);
        stack.is_some_and(|stack| stack.entries.iter().any(|entry| self.absent.holds(tile(entry))))
    }

    /// The legend with empty cells for tiles that may be dropped through.
    pub(super) fn without_drops(&self) -> Legend {
        self.without(Absent { drops: true, ..self.absent })
    }

    /// The legend with empty cells for tiles that let some of those layers pass.
    pub(super) fn without_passed(&self, layers: CollisionLayers) -> Legend {
        self.without(Absent { layers, ..self.absent })
    }

    fn without(&self, absent: Absent) -> Legend {
        let mut legend = Legend { absent, stacks: Vec::new(), ..self.clone() };
        let compose =
            |Stack { entries, .. }: &Stack| Stack { entries: entries.clone(), shape: legend.compose(entries) };
        legend.stacks = self.stacks.iter().map(compose).collect();
        legend
    }

    /// Whether an entry is in the map's legend.
    pub(super) fn has(&self, entry: TileId) -> bool {
        usize::from(entry.0) < self.tiles.len()
    }

    /// Whether an entry may be put into a stack, in one of the layers that collide, counted without the others.
    pub(super) fn check(&self, stack: StackId, index: usize, entry: TileId) -> Result<(), StackError> {
        let others = (0..self.layers.len()).filter(|other| *other != index).map(|other| self.tile_of(stack, other));
        let variants: Vec<_> = others.chain([entry]).filter_map(|entry| self.variant(entry)).collect();
        self.catalogue.check_stack(&variants)
    }
}

impl Legend {
    /// How many stacks it knows.
    #[cfg(test)]
    pub(super) fn stacks_len(&self) -> usize {
        self.stacks.len()
    }

    /// Whether entries may be in one cell, one for each layer that collides.
    pub(super) fn check_entries(&self, entries: &[TileId]) -> Result<(), StackError> {
        let variants: Vec<_> = entries.iter().filter_map(|entry| self.variant(*entry)).collect();
        self.catalogue.check_stack(&variants)
    }

    /// Entries made fit for one cell: an entry that may not be in it with the entries before becomes empty.
    pub(super) fn fitting(&self, entries: &[TileId]) -> Box<[TileId]> {
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

/// The surfaces of kinds; empty if all that have edges have the default one.
fn surfaces(kinds: &[TileKind]) -> Arc<[Material]> {
    let own = |kind: &TileKind| if kind.variant.is_some() { kind.material } else { Material::default() };
    let surfaces: Arc<[Material]> = kinds.iter().map(own).collect();
    if surfaces.iter().all(|surface| *surface == Material::default()) { Arc::new([]) } else { surfaces }
}

fn tile(kind: &TileKind) -> Tile {
    if kind.variant.is_none() {
        return Tile::default();
    }
    Tile { variant: kind.variant, drop_through: kind.drop_through, lets_pass: kind.ignored_by }
}

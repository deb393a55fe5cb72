use super::turn::perpendicular;
use crate::map::CollisionLayers;
use crate::tiles::catalogue::{Catalogue, LATTICE, Part, PatternKind, VariantId, compose};
use glam::{I8Vec2, IVec2};

/// A tile as the bake sees it: the shape of one legend entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tile {
    pub(super) variant: Option<VariantId>,
    pub(super) drop_through: bool,
    pub(super) lets_pass: CollisionLayers,
}

/// Combined shape of a cell's tiles in all colliding layers, precomputed for the bake.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// Sides: those of solids first.
    pub(super) sides: Vec<Side>,
    /// Closed outlines, with the solid on the right. One-way edges and walls have none. Outlines of several tiles may
    /// overlap.
    pub(super) outlines: Vec<Vec<I8Vec2>>,
    /// Triangles that fill the outlines.
    pub(super) triangles: Vec<[I8Vec2; 3]>,
    /// Lattice intervals of each border that a solid covers; see [`Border::index`].
    covers: [u16; 4],
    full: bool,
}

/// One edge of a shape, in lattice steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) a: IVec2,
    pub(super) b: IVec2,
    /// Direction from `a` to `b` as the smallest integer vector.
    pub(super) tangent: IVec2,
    pub(super) kind: PatternKind,
    /// The border of the cell on which the side lies. Only for sides of solids.
    pub(super) border: Option<Border>,
    /// Whether the side ends inside a solid of another tile, at `a` and at `b`, so that nothing can reach that end.
    pub(super) buried: [bool; 2],
    /// Index of the colliding layer that the side belongs to.
    pub(super) part: u8,
    /// Index of the edge in the variant of the tile.
    pub(super) edge: u8,
}

/// One of the four borders of a cell. The numbers of opposite borders differ in the lowest bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Border {
    Left,
    Right,
    Bottom,
    Top,
}

impl Border {
    const ALL: [Border; 4] = [Border::Left, Border::Right, Border::Bottom, Border::Top];

    /// Returns the direction out of the cell.
    pub(super) const fn outward(self) -> IVec2 {
        match self {
            Border::Left => IVec2::NEG_X,
            Border::Right => IVec2::X,
            Border::Bottom => IVec2::NEG_Y,
            Border::Top => IVec2::Y,
        }
    }
}

impl Shape {
    /// Returns an empty cell.
    pub(super) fn empty() -> Shape {
        Shape { sides: Vec::new(), outlines: Vec::new(), triangles: Vec::new(), covers: [0; 4], full: false }
    }

    /// Returns a completely solid cell, as beyond a solid side of the map.
    pub(super) fn full() -> Shape {
        let corners = [(0, LATTICE), (LATTICE, LATTICE), (LATTICE, 0), (0, 0)].map(I8Vec2::from);
        let side = |i: usize| Side { edge: i as u8, ..Side::new(corners[i], corners[(i + 1) % 4], PatternKind::Solid) };
        let sides = (0..4).map(side).collect();
        let [a, b, c, d] = corners;
        let triangles = vec![[c, b, a], [a, d, c]];
        Shape { sides, outlines: vec![corners.to_vec()], triangles, covers: [u16::MAX; 4], full: true }
    }

    /// Returns a cell with those tiles, one in each colliding layer.
    ///
    /// Tiles that [`Catalogue::check_stack`] refuses are combined too; a body may then catch on a refused point. If
    /// there are more sides than a cell may have, the last ones are omitted.
    pub(super) fn of_tiles(catalogue: &Catalogue, tiles: &[Tile]) -> Shape {
        let own = |(layer, tile): (usize, &Tile)| {
            let variant = catalogue.variant(tile.variant?);
            Some((layer as u8, Part { variant, drop_through: tile.drop_through }))
        };
        let (layers, parts): (Vec<u8>, Vec<Part<'_>>) = tiles.iter().enumerate().filter_map(own).unzip();
        let mut covers = [0; 4];
        let (mut outlines, mut triangles) = (Vec::new(), Vec::new());
        for Part { variant, .. } in parts.iter().filter(|part| part.variant.kind == PatternKind::Solid) {
            outlines.extend_from_slice(&variant.paths);
            triangles.extend(variant.triangles());
            for side in variant.edges.iter().map(|edge| Side::new(edge.a, edge.b, PatternKind::Solid)) {
                if let Some(border) = side.border {
                    covers[border as usize] |= side.covered_interval_bits();
                }
            }
        }
        let mut sides = compose(&parts).sides;
        sides.truncate(crate::catalogue::Pattern::MAX_EDGES);
        let side = |side: &crate::tiles::catalogue::ComposedSide| Side {
            buried: [side.buried_a, side.buried_b],
            part: layers[side.part],
            edge: side.edge as u8,
            ..Side::new(side.a, side.b, side.kind)
        };
        let sides: Vec<Side> = sides.iter().map(side).collect();
        let full = covers == [u16::MAX; 4] && sides.iter().all(|side| side.border.is_some());
        Shape { sides, outlines, triangles, covers, full }
    }

    /// Returns whether the shape has no edges, so that nothing can touch it. Coins and markers are blank too.
    pub(super) fn is_blank(&self) -> bool {
        self.sides.is_empty()
    }

    /// Returns whether the shape is solid along all four borders and has no other edge.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// Returns whether a stretch of `border` is solid on both sides, with `across` as the neighbour there.
    pub(super) fn is_solid_on_both_sides(&self, border: Border, across: &Shape) -> bool {
        self.covers[border as usize] & across.covers[border as usize ^ 1] != 0
    }

    /// Returns the remaining parts of a side next to a neighbour of that shape, in the order of the side.
    pub(super) fn uncovered_parts(side: &Side, across: &Shape) -> impl Iterator<Item = (IVec2, IVec2)> {
        let covered = side.border.map_or(0, |border| across.covers[border as usize ^ 1]);
        // A side that is not on a border of the cell stays whole: no neighbour can cover it. The side may be slanted,
        // so it has no intervals.
        let whole = side.border.is_none().then_some((side.a, side.b));
        let open = if side.border.is_some() { side.covered_interval_bits() & !covered } else { 0 };
        let base = side.a - side.a * side.tangent.abs();
        let at = move |along: u32| base + side.tangent.abs() * along as i32;
        let forward = side.tangent.x + side.tangent.y > 0;
        let mut runs: Vec<_> = runs_of_bits(open).map(|(low, high)| (at(low), at(high))).collect();
        if !forward {
            runs.reverse();
            runs.iter_mut().for_each(|run| *run = (run.1, run.0));
        }
        whole.into_iter().chain(runs)
    }
}

impl Side {
    /// Returns a side of a single tile in the first layer.
    fn new(a: I8Vec2, b: I8Vec2, kind: PatternKind) -> Side {
        let (a, b) = (a.as_ivec2(), b.as_ivec2());
        let tangent = primitive_vector(b - a);
        let normal = perpendicular(tangent);
        let last = i32::from(LATTICE);
        let border = Border::ALL.into_iter().find(|border| {
            let outward = border.outward();
            let line = if outward.max_element() > 0 { last } else { 0 };
            kind == PatternKind::Solid && normal == outward && (a * outward.abs()).max_element() == line
        });
        Side { a, b, tangent, kind, border, buried: [false; 2], part: 0, edge: 0 }
    }

    /// Returns the lattice intervals that an axis-aligned side covers, as bits.
    fn covered_interval_bits(&self) -> u16 {
        let axis = self.tangent.abs();
        let (from, to) = (axis.dot(self.a), axis.dot(self.b));
        let (low, high) = (from.min(to), from.max(to));
        (((1u32 << high) - 1) & !((1u32 << low) - 1)) as u16
    }
}

/// Returns the runs of set bits, lowest first, each as its first bit and the one after its last.
fn runs_of_bits(mut bits: u16) -> impl Iterator<Item = (u32, u32)> {
    std::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let low = bits.trailing_zeros();
        let high = low + (bits >> low).trailing_ones();
        bits &= !(((1u32 << high) - 1) as u16);
        Some((low, high))
    })
}

fn primitive_vector(v: IVec2) -> IVec2 {
    let (mut a, mut b) = (v.x.abs(), v.y.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    v / a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;

    fn shape_of_variant(name: &str) -> Shape {
        let catalogue = Catalogue::builtin();
        let variant = Some(catalogue.find_variant(name).unwrap());
        Shape::of_tiles(&catalogue, &[Tile { variant, ..Tile::default() }])
    }

    #[test]
    fn sides_covered_by_both_cells_are_removed() {
        let block = Shape::full();
        let right = block.sides.iter().find(|side| side.border == Some(Border::Right)).unwrap();
        let left = |across: &str| Shape::uncovered_parts(right, &shape_of_variant(across)).collect::<Vec<_>>();
        assert_eq!(left("full_block"), []);
        assert_eq!(left("half_slab"), [(IVec2::new(16, 16), IVec2::new(16, 8))]);
        assert_eq!(
            left("beam r1"),
            [(IVec2::new(16, 16), IVec2::new(16, 12)), (IVec2::new(16, 4), IVec2::new(16, 0)),]
        );
        assert_eq!(left("mid_wall"), [(IVec2::new(16, 16), IVec2::new(16, 0))]);
        assert_eq!(left("one_way r3"), [(IVec2::new(16, 16), IVec2::new(16, 0))], "open edges cover nothing");
    }

    #[test]
    fn only_full_blocks_count_as_full() {
        assert!(Shape::full().is_full() && shape_of_variant("full_block").is_full());
        assert!(
            !shape_of_variant("octagon").is_full()
                && !shape_of_variant("tunnel").is_full()
                && !Shape::empty().is_full()
        );
    }
}

use super::turn::perp;
use crate::catalogue::{Kind, LATTICE, Variant, VariantId};
use glam::{I8Vec2, IVec2};

/// What one legend entry puts into a cell, worked out for the bake.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) variant: Option<VariantId>,
    pub(super) kind: Kind,
    pub(super) drop_through: bool,
    pub(super) sides: Vec<Side>,
    /// Closed outlines, the solid on the right hand; none for open edges and walls.
    pub(super) outlines: Vec<Vec<I8Vec2>>,
    /// Which lattice intervals of each border a solid covers; see [`Border::index`].
    covers: [u16; 4],
    full: bool,
}

/// One edge of a shape in lattice steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) a: IVec2,
    pub(super) b: IVec2,
    /// Direction from `a` to `b` as the smallest integer vector.
    pub(super) tangent: IVec2,
    /// The border of the cell on which it lies; only for solids.
    pub(super) border: Option<Border>,
}

/// One of the four borders of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Border {
    Left,
    Right,
    Bottom,
    Top,
}

impl Border {
    const ALL: [Border; 4] = [Border::Left, Border::Right, Border::Bottom, Border::Top];

    /// The way out of the cell.
    pub(super) const fn outward(self) -> IVec2 {
        match self {
            Border::Left => IVec2::NEG_X,
            Border::Right => IVec2::X,
            Border::Bottom => IVec2::NEG_Y,
            Border::Top => IVec2::Y,
        }
    }

    const fn opposite(self) -> Border {
        match self {
            Border::Left => Border::Right,
            Border::Right => Border::Left,
            Border::Bottom => Border::Top,
            Border::Top => Border::Bottom,
        }
    }

    const fn index(self) -> usize {
        self as usize
    }
}

impl Shape {
    /// An empty cell.
    pub(super) fn empty() -> Shape {
        Shape {
            variant: None,
            kind: Kind::Solid,
            drop_through: false,
            sides: Vec::new(),
            outlines: Vec::new(),
            covers: [0; 4],
            full: false,
        }
    }

    /// A cell that is solid all over, as it lies beyond a solid side of the map.
    pub(super) fn full(variant: Option<VariantId>) -> Shape {
        let corners = [(0, LATTICE), (LATTICE, LATTICE), (LATTICE, 0), (0, 0)].map(I8Vec2::from);
        let ends = (0..4).map(|i| (corners[i], corners[(i + 1) % 4]));
        Shape::from_edges(Kind::Solid, ends, vec![corners.to_vec()], variant, false)
    }

    pub(super) fn of(id: VariantId, variant: &Variant, drop_through: bool) -> Shape {
        let outlines = if variant.kind == Kind::Solid { variant.paths.clone() } else { Vec::new() };
        let ends = variant.edges.iter().map(|edge| (edge.a, edge.b));
        Shape::from_edges(variant.kind, ends, outlines, Some(id), drop_through)
    }

    fn from_edges(
        kind: Kind,
        ends: impl Iterator<Item = (I8Vec2, I8Vec2)>,
        outlines: Vec<Vec<I8Vec2>>,
        variant: Option<VariantId>,
        drop_through: bool,
    ) -> Shape {
        let sides: Vec<_> = ends.map(|(a, b)| Side::new(a.as_ivec2(), b.as_ivec2(), kind)).collect();
        let mut covers = [0; 4];
        for side in &sides {
            if let Some(border) = side.border {
                covers[border.index()] |= side.interval();
            }
        }
        let full = covers == [u16::MAX; 4] && sides.iter().all(|side| side.border.is_some());
        Shape { variant, kind, drop_through, sides, outlines, covers, full }
    }

    /// Whether it is solid along all four borders and has no other edge.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// Whether it has closed outlines.
    pub(super) fn is_solid(&self) -> bool {
        !self.outlines.is_empty()
    }

    /// What is left of a side where the cell across its border is of that shape, in the order of the side.
    pub(super) fn remains(side: &Side, across: &Shape) -> impl Iterator<Item = (IVec2, IVec2)> {
        let covered = side.border.map_or(0, |border| across.covers[border.opposite().index()]);
        // A side off the borders may be slanted; nothing is taken from it, so it has no use for intervals.
        let whole = side.border.is_none().then_some((side.a, side.b));
        let open = if side.border.is_some() { side.interval() & !covered } else { 0 };
        let base = side.a - side.a * side.tangent.abs();
        let at = move |along: u32| base + Side::along_axis(side.tangent) * along as i32;
        let forward = side.tangent.x + side.tangent.y > 0;
        let mut runs: Vec<_> = runs(open).map(|(low, high)| (at(low), at(high))).collect();
        if !forward {
            runs.reverse();
            runs.iter_mut().for_each(|run| *run = (run.1, run.0));
        }
        whole.into_iter().chain(runs)
    }
}

impl Side {
    fn new(a: IVec2, b: IVec2, kind: Kind) -> Side {
        let tangent = primitive(b - a);
        let normal = perp(tangent);
        let last = i32::from(LATTICE);
        let border = Border::ALL.into_iter().find(|border| {
            let outward = border.outward();
            let line = if outward.max_element() > 0 { last } else { 0 };
            kind == Kind::Solid && normal == outward && (a * outward.abs()).max_element() == line
        });
        Side { a, b, tangent, border }
    }

    fn along_axis(tangent: IVec2) -> IVec2 {
        tangent.abs()
    }

    /// The lattice intervals that an axis-aligned side covers, as bits.
    fn interval(&self) -> u16 {
        let axis = Side::along_axis(self.tangent);
        let (from, to) = (axis.dot(self.a), axis.dot(self.b));
        let (low, high) = (from.min(to), from.max(to));
        (((1u32 << high) - 1) & !((1u32 << low) - 1)) as u16
    }
}

/// The runs of set bits, lowest first, each as its first bit and the one after its last.
fn runs(mut bits: u16) -> impl Iterator<Item = (u32, u32)> {
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

fn primitive(v: IVec2) -> IVec2 {
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

    fn shape(name: &str) -> Shape {
        let catalogue = Catalogue::builtin();
        let id = catalogue.find(name).unwrap();
        Shape::of(id, catalogue.variant(id), false)
    }

    #[test]
    fn what_both_cells_cover_is_gone() {
        let block = Shape::full(None);
        let right = block.sides.iter().find(|side| side.border == Some(Border::Right)).unwrap();
        let left = |across: &str| Shape::remains(right, &shape(across)).collect::<Vec<_>>();
        assert_eq!(left("full_block"), []);
        assert_eq!(left("half_slab"), [(IVec2::new(16, 16), IVec2::new(16, 8))]);
        assert_eq!(
            left("beam r1"),
            [(IVec2::new(16, 16), IVec2::new(16, 12)), (IVec2::new(16, 4), IVec2::new(16, 0)),]
        );
        assert_eq!(left("mid_wall"), [(IVec2::new(16, 16), IVec2::new(16, 0))]);
        assert_eq!(left("ledge r3"), [(IVec2::new(16, 16), IVec2::new(16, 0))], "open edges cover nothing");
    }

    #[test]
    fn only_the_block_is_full() {
        assert!(Shape::full(None).is_full() && shape("full_block").is_full());
        assert!(!shape("octagon").is_full() && !shape("tunnel").is_full() && !Shape::empty().is_full());
    }
}

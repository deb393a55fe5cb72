use super::triangles::triangulate;
use super::{Pattern, PatternId, PatternKind, Placement, VariantId};
use glam::I8Vec2;
use std::collections::BTreeMap;

/// A variant: a pattern (tile shape) after mirroring and turning by one [`Placement`], with the resulting edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The pattern (tile shape) that the variant is made from, by mirroring and turning.
    pub pattern: PatternId,
    /// Mirroring and turns that turn the pattern into this variant.
    ///
    /// If several placements give the same shape, this is the first one in the order of [`Placement::all`].
    pub placement: Placement,
    /// Kind of the pattern: solid tile, one-way tile or thin wall.
    pub kind: PatternKind,
    /// Points of each path after mirroring and turning, in lattice steps (1/16 tile) from the tile's lower left corner.
    ///
    /// The solid is on the right-hand side when following a path from point to point.
    pub paths: Vec<Vec<I8Vec2>>,
    /// All edges, in the order of the paths. A thin wall has two edges per segment, one after the other: one for each
    /// side.
    pub edges: Vec<LatticeEdge>,
}

impl Variant {
    /// Returns triangles that fill the shape once, for drawing. One-way tiles and thin walls have none.
    ///
    /// The corners are in lattice steps (1/16 tile) from the tile's lower left corner, counter-clockwise.
    /// [`Terrain::solid_triangles`](../terrain/struct.Terrain.html#method.solid_triangles) returns those of a tile of a
    /// level as positions.
    #[must_use]
    pub fn triangles(&self) -> Vec<[I8Vec2; 3]> {
        let outlines = self.paths.iter().filter(|_| self.kind == PatternKind::Solid);
        outlines.flat_map(|outline| triangulate(outline)).collect()
    }
}

/// An edge of a tile's shape, in lattice steps (1/16 tile) from the tile's lower left corner.
///
/// Looking from `a` to `b`, the air is on the left and the solid on the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LatticeEdge {
    /// Start point of the edge, in sixteenths of a tile from the lower left corner of the tile, 0 to 16.
    pub a: I8Vec2,
    /// End point of the edge, in sixteenths of a tile from the lower left corner of the tile, 0 to 16.
    pub b: I8Vec2,
}

impl LatticeEdge {
    /// Returns a vector at right angles to the edge that points into the air.
    ///
    /// The result is the smallest vector with integer coordinates, for example (0, 1) for a flat top: (-dy, dx) divided
    /// by the greatest common divisor of dx and dy, where (dx, dy) is `b - a`.
    #[must_use]
    pub const fn normal(self) -> I8Vec2 {
        let (dx, dy) = (self.b.x - self.a.x, self.b.y - self.a.y);
        let divisor = gcd(dx.unsigned_abs(), dy.unsigned_abs()) as i8;
        I8Vec2::new(-dy / divisor, dx / divisor)
    }

    fn end_coordinates(self) -> [i8; 4] {
        [self.a.x, self.a.y, self.b.x, self.b.y]
    }
}

const fn gcd(mut a: u8, mut b: u8) -> u8 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// All distinct variants, and for each pattern its variant under each placement.
pub(super) type Expansion = (Vec<Variant>, Vec<[VariantId; Placement::COUNT]>);

/// A pattern that equals another one under a placement, both by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Repeat {
    pub(super) first: usize,
    pub(super) second: usize,
    /// Placement under which the first pattern equals the second.
    pub(super) placement: Placement,
}

/// Expands patterns into variants, and finds patterns that equal an earlier one under a placement.
pub(super) fn expand_patterns(patterns: &[&Pattern]) -> (Expansion, Vec<Repeat>) {
    let mut variants: Vec<Variant> = Vec::new();
    let mut by_placement = Vec::new();
    let mut repeats = Vec::new();
    let mut known: BTreeMap<(u8, Vec<[i8; 4]>), VariantId> = BTreeMap::new();
    for (index, pattern) in patterns.iter().enumerate() {
        let id = PatternId(index as u16);
        let mut ids = [VariantId(0); Placement::COUNT];
        for placement in Placement::all() {
            let variant = place_pattern(pattern, id, placement);
            let next = VariantId(variants.len() as u16);
            let found = *known.entry((variant.kind as u8, shape_key(&variant.edges))).or_insert(next);
            let same = variants.get(usize::from(found.0));
            match same.filter(|same| same.pattern != id) {
                // The default placement leaves this pattern unchanged. So `same.placement` turns the other pattern into
                // this pattern.
                Some(same) if placement == Placement::default() => {
                    let (first, placement) = (usize::from(same.pattern.0), same.placement);
                    repeats.push(Repeat { first, second: index, placement });
                }
                Some(_) => {}
                None if found == next => variants.push(variant),
                None => {}
            }
            ids[placement.index()] = found;
        }
        by_placement.push(ids);
    }
    ((variants, by_placement), repeats)
}

/// Returns a key that is equal for equal shapes: their edges sorted, with straight continuations joined.
fn shape_key(edges: &[LatticeEdge]) -> Vec<[i8; 4]> {
    // Sort by direction and line, then along the line.
    let key = |edge: &LatticeEdge| {
        let (normal, a) = (edge.normal().as_ivec2(), edge.a.as_ivec2());
        (normal.to_array(), normal.dot(a), normal.perp_dot(a))
    };
    let mut edges = edges.to_vec();
    edges.sort_unstable_by_key(key);
    // Reverse the list, because `normal.perp_dot` grows against the direction of an edge.
    edges.reverse();
    let mut merged: Vec<LatticeEdge> = Vec::new();
    for edge in edges {
        match merged.last_mut() {
            Some(last) if last.b == edge.a && last.normal() == edge.normal() => last.b = edge.b,
            _ => merged.push(edge),
        }
    }
    let mut all: Vec<_> = merged.iter().map(|edge| edge.end_coordinates()).collect();
    all.sort_unstable();
    all
}

/// Returns the paths of a pattern under a placement, with the solid on the right.
pub(super) fn placed_paths(pattern: &Pattern, placement: Placement) -> impl Iterator<Item = Vec<I8Vec2>> {
    pattern.lattice_paths().map(move |mut path| {
        path.iter_mut().for_each(|point| *point = placement.apply(*point));
        if placement.mirrored() {
            // A mirror swaps left and right. In reverse order, the solid is on the right again.
            path.reverse();
        }
        path
    })
}

fn place_pattern(pattern: &Pattern, id: PatternId, placement: Placement) -> Variant {
    let paths: Vec<Vec<I8Vec2>> = placed_paths(pattern, placement).collect();
    let edges = paths.iter().flat_map(|path| path_edges(path, pattern.kind)).collect();
    Variant { pattern: id, placement, kind: pattern.kind, paths, edges }
}

fn path_edges(path: &[I8Vec2], kind: PatternKind) -> Vec<LatticeEdge> {
    let mut edges: Vec<_> = path.windows(2).map(|ends| LatticeEdge { a: ends[0], b: ends[1] }).collect();
    match kind {
        PatternKind::Open => edges,
        PatternKind::Solid => {
            edges.push(LatticeEdge { a: path[path.len() - 1], b: path[0] });
            edges
        }
        PatternKind::Wall => edges.iter().flat_map(|&edge| [edge, LatticeEdge { a: edge.b, b: edge.a }]).collect(),
    }
}

//! Join: finds how the outline continues at each end of an edge. The bake uses it.
//!
//! At its end, an edge continues into the edge that bounds the same air. To find it, turn through the air around the
//! end, starting from the direction back along the edge: the first edge found is the one. Solids join only solids.
//! Thin walls join solids and walls. One-way edges join everything.

use super::turn::{Reach, Turn, perpendicular};
use crate::catalogue::PatternKind;
use glam::IVec2;

/// An edge after culling, in lattice steps from the lower left corner of the baked cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) a: IVec2,
    pub(super) b: IVec2,
    pub(super) tangent: IVec2,
    pub(super) kind: PatternKind,
}

/// One end of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Start,
    Finish,
}

/// How the outline continues at an end of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    /// The outline ends there.
    Free,
    /// The outline continues straight.
    Flat,
    /// The outline turns towards the air.
    Concave { normal: IVec2, kind: PatternKind },
    /// The outline turns away from the air, by 180 degrees at the tip of a thin wall. `mutual`: the neighbour's own end
    /// continues into this edge.
    Convex { normal: IVec2, mutual: bool },
}

impl End {
    /// Returns the direction out of this end for an edge with that tangent. Applied to a direction out of the end,
    /// returns the tangent.
    pub(super) fn outward(self, tangent: IVec2) -> IVec2 {
        match self {
            End::Start => -tangent,
            End::Finish => tangent,
        }
    }

    /// Returns the direction of rotation round the vertex that sweeps the air first, starting along the edge itself.
    /// The normal turns in the same direction at a convex corner.
    pub(super) fn air_side_turn(self) -> Turn {
        match self {
            End::Start => Turn::CounterClockwise,
            End::Finish => Turn::Clockwise,
        }
    }

    fn opposite(self) -> End {
        match self {
            End::Start => End::Finish,
            End::Finish => End::Start,
        }
    }
}

impl Edge {
    /// Returns whether a lattice point lies on the edge, without its ends.
    pub(super) fn contains_between_ends(&self, at: IVec2) -> bool {
        let from = at - self.a;
        self.tangent.perp_dot(from) == 0 && self.tangent.dot(from) > 0 && self.tangent.dot(at - self.b) < 0
    }

    /// Returns whether the outline can continue along the edge from a vertex at another edge's `end`: the vertex is on
    /// the edge, and part of the edge lies beyond it.
    fn continues_outline_from(&self, at: IVec2, end: End) -> bool {
        let near = match end {
            End::Start => self.b,
            End::Finish => self.a,
        };
        at == near || self.contains_between_ends(at)
    }
}

/// Returns whether edges of kind `own` continue into edges of kind `other`. A closed edge never continues into one that
/// bodies can pass.
pub(super) const fn may_join(own: PatternKind, other: PatternKind) -> bool {
    match own {
        PatternKind::Solid => matches!(other, PatternKind::Solid),
        PatternKind::Wall => matches!(other, PatternKind::Solid | PatternKind::Wall),
        PatternKind::Open => true,
    }
}

/// Returns how the outline continues at vertex `at`, the end of an edge of that kind and direction, among all edges
/// that touch the cell.
pub(super) fn find_join(edges: &[Edge], kind: PatternKind, tangent: IVec2, at: IVec2, end: End) -> Join {
    let Some(next) = find_nearest_edge(edges, kind, tangent, at, end) else { return Join::Free };
    let normal = perpendicular(next.tangent);
    match end.air_side_turn().rough_angle_between(-end.outward(tangent), end.outward(next.tangent)) {
        Reach::BelowHalf => Join::Concave { normal, kind: next.kind },
        Reach::Half => Join::Flat,
        Reach::BeyondHalf | Reach::Whole => {
            let back = find_nearest_edge(edges, next.kind, next.tangent, at, end.opposite());
            Join::Convex { normal, mutual: back.is_some_and(|back| back.tangent == tangent) }
        }
    }
}

/// Returns the edge that bounds the same air beyond an end: the first one after the direction back along the edge,
/// turning through the air. Of edges that overlap, the most closed one, which stops a body from more sides.
fn find_nearest_edge(edges: &[Edge], kind: PatternKind, tangent: IVec2, at: IVec2, end: End) -> Option<&Edge> {
    let back = -end.outward(tangent);
    edges.iter().filter(|edge| may_join(kind, edge.kind) && edge.continues_outline_from(at, end)).min_by(
        |first, second| {
            end.air_side_turn()
                .compare(back, end.outward(first.tangent), end.outward(second.tangent))
                .then_with(|| sort_rank_of_edge_kind(first.kind).cmp(&sort_rank_of_edge_kind(second.kind)))
        },
    )
}

/// Returns a sort key of a kind of edge: the more a kind blocks, the smaller the key.
const fn sort_rank_of_edge_kind(kind: PatternKind) -> u8 {
    match kind {
        PatternKind::Solid => 0,
        PatternKind::Wall => 1,
        PatternKind::Open => 2,
    }
}

//! Where an edge goes on at each of its ends.
//!
//! An edge goes on into the one that bounds the same air: at its end, the first one found turning through the air from
//! the way back along the edge. Solids join only solids, thin walls join solids and walls, one-sided edges join
//! everything.

use super::turn::{Reach, Turn, perp};
use crate::catalogue::PatternKind;
use glam::IVec2;

/// An edge that is left after culling, in lattice steps from the lower left corner of the cell that is baked.
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

/// What an end of an edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    /// Nothing goes on there.
    Free,
    /// The outline goes on straight.
    Flat,
    /// The outline turns towards the air.
    Concave { normal: IVec2, kind: PatternKind },
    /// The outline turns away from the air, by half a turn at the tip of a thin wall. `mutual` if the neighbour, asked
    /// at its own end, goes on into this edge.
    Convex { normal: IVec2, mutual: bool },
}

impl End {
    /// Which way out of the end an edge in that direction points, and the direction of an edge that points there.
    pub(super) fn outward(self, tangent: IVec2) -> IVec2 {
        match self {
            End::Start => -tangent,
            End::Finish => tangent,
        }
    }

    /// The way round the vertex that sweeps the air first, beginning along the edge itself; also the way in which the
    /// normal turns at a convex corner.
    pub(super) fn turn(self) -> Turn {
        match self {
            End::Start => Turn::CounterClockwise,
            End::Finish => Turn::Clockwise,
        }
    }

    fn other(self) -> End {
        match self {
            End::Start => End::Finish,
            End::Finish => End::Start,
        }
    }
}

impl Edge {
    /// Whether a lattice point lies on the edge, without its ends.
    pub(super) fn has_inside(&self, at: IVec2) -> bool {
        let from = at - self.a;
        self.tangent.perp_dot(from) == 0 && self.tangent.dot(from) > 0 && self.tangent.dot(at - self.b) < 0
    }

    /// Whether the outline can go on along the edge from a vertex after another edge's `end`: the vertex is on it, and
    /// some of it lies beyond.
    fn goes_on_from(&self, at: IVec2, end: End) -> bool {
        let near = match end {
            End::Start => self.b,
            End::Finish => self.a,
        };
        at == near || self.has_inside(at)
    }
}

/// Whether edges of one kind go on into edges of another: what is closed never goes on into what may be passed.
pub(super) const fn may_join(own: PatternKind, other: PatternKind) -> bool {
    match own {
        PatternKind::Solid => matches!(other, PatternKind::Solid),
        PatternKind::Wall => matches!(other, PatternKind::Solid | PatternKind::Wall),
        PatternKind::Open => true,
    }
}

/// What the end at vertex `at` of an edge of that kind and direction is, among all edges that touch the cell.
pub(super) fn join(edges: &[Edge], kind: PatternKind, tangent: IVec2, at: IVec2, end: End) -> Join {
    let Some(next) = nearest(edges, kind, tangent, at, end) else { return Join::Free };
    let normal = perp(next.tangent);
    match end.turn().reach(-end.outward(tangent), end.outward(next.tangent)) {
        Reach::BelowHalf => Join::Concave { normal, kind: next.kind },
        Reach::Half => Join::Flat,
        Reach::BeyondHalf | Reach::Whole => {
            let back = nearest(edges, next.kind, next.tangent, at, end.other());
            Join::Convex { normal, mutual: back.is_some_and(|back| back.tangent == tangent) }
        }
    }
}

/// The edge that bounds the same air beyond an end: the first one after the way back along the edge, turning through
/// the air. Of edges that lie in each other the most closed one, which holds a body from more sides.
fn nearest(edges: &[Edge], kind: PatternKind, tangent: IVec2, at: IVec2, end: End) -> Option<&Edge> {
    let back = -end.outward(tangent);
    edges.iter().filter(|edge| may_join(kind, edge.kind) && edge.goes_on_from(at, end)).min_by(|first, second| {
        end.turn()
            .compare(back, end.outward(first.tangent), end.outward(second.tangent))
            .then_with(|| openness(first.kind).cmp(&openness(second.kind)))
    })
}

const fn openness(kind: PatternKind) -> u8 {
    match kind {
        PatternKind::Solid => 0,
        PatternKind::Wall => 1,
        PatternKind::Open => 2,
    }
}

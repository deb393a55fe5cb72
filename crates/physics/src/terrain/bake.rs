//! Bake: computes the collision pieces of one cell from the shapes of the cell and its eight neighbours. A piece is a
//! part of the outline that a moving shape can hit. The bake runs when a chunk is loaded or a tile is edited.
//!
//! Each edge becomes a face, for circles and boxes. Each corner becomes an arc for circles. For boxes, a corner
//! becomes a vertex for each axis direction strictly between the normals of its two edges: the flat side of a box
//! touches the corner there. Two kinds of ends need more:
//!
//! - Concave corner with a slanted edge, not between two one-way edges: a box with its corner exactly at the end of
//!   the slanted edge may have to reach behind the other edge, such as in a pocket narrower than 90 degrees. Such an
//!   end is marked. A box that is there nevertheless is in another region of air, for example on the floor above the
//!   pocket. The edge then neither stops the box nor touches it.
//! - Concave corner between two one-way edges: each edge keeps its free end, since a body can pass the other edge
//!   from behind and then hit this one. The end is ignored only for a body that started in front of the other edge and
//!   is about to reach its line. An axis-aligned edge also keeps its neighbour's direction there, so that a box that is
//!   exactly next to it for a moment still hits it.

use super::join::{Edge, End, Join, find_join, may_join};
use super::piece::{Piece, Role};
use super::shape::{Shape, Side};
use super::turn::perpendicular;
use crate::catalogue::{LATTICE, PatternKind};
use glam::{I8Vec2, IVec2};

/// Shapes of a cell and its eight neighbours, row by row, the lowest row first. The cell itself is in the middle.
pub(super) type Around<'a> = [&'a Shape; 9];

/// Pieces of a cell. Each kind is in the order of the variant's edges and along each edge.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    arcs: Vec<Piece>,
    faces: Vec<Piece>,
    vertices: Vec<Piece>,
}

impl Pieces {
    /// Returns how many of the faces are sides of solids. They come before the other faces.
    pub(super) fn solid_face_count(&self, home: &Shape) -> usize {
        let solid = |face: &&Piece| home.sides[usize::from(face.edge)].kind == PatternKind::Solid;
        self.faces.iter().filter(solid).count()
    }

    /// Returns all pieces in one list: arcs, faces, vertices.
    pub(super) fn into_vec(self) -> Vec<Piece> {
        let mut all = self.arcs;
        all.extend(self.faces);
        all.extend(self.vertices);
        all
    }
}

pub(super) fn bake_pieces(around: &Around<'_>) -> Pieces {
    let home = around[4];
    let mut pieces = Pieces::default();
    if home.is_blank() {
        return pieces;
    }
    let edges = gather_edges(around);
    for (index, side) in home.sides.iter().enumerate() {
        for (a, b) in Shape::uncovered_parts(side, shape_across_border(around, IVec2::ZERO, side)) {
            let whole = Edge { a, b, tangent: side.tangent, kind: side.kind };
            let mut at = a;
            for end in split_points(&edges, &whole).into_iter().chain([b]) {
                let buried = [side.buried[0] && at == side.a, side.buried[1] && end == side.b];
                // The index fits into eight bits because a pattern has at most `Pattern::MAX_EDGES` edges.
                pieces.add_face(&edges, &Edge { a: at, b: end, ..whole }, index as u8, buried);
                at = end;
            }
        }
    }
    pieces
}

/// Returns all edges that touch the closed square of the cell in the middle, without those that neighbours hide.
///
/// Nine cells are enough: a cell further out can only hide the border of a neighbour that does not touch the middle.
fn gather_edges(around: &Around<'_>) -> Vec<Edge> {
    let last = i32::from(LATTICE);
    let mut edges = Vec::new();
    for y in -1..=1 {
        for x in -1..=1 {
            let cell = IVec2::new(x, y);
            let shape = shape_at(around, cell).expect("a neighbour");
            for side in &shape.sides {
                for (a, b) in Shape::uncovered_parts(side, shape_across_border(around, cell, side)) {
                    let (a, b) = (a + cell * last, b + cell * last);
                    if a.max(b).min_element() >= 0 && a.min(b).max_element() <= last {
                        edges.push(Edge { a, b, tangent: side.tangent, kind: side.kind });
                    }
                }
            }
        }
    }
    edges
}

fn shape_at<'a>(around: &Around<'a>, cell: IVec2) -> Option<&'a Shape> {
    let inside = cell.abs().max_element() <= 1;
    inside.then(|| around[((cell.y + 1) * 3 + cell.x + 1) as usize])
}

/// Returns the shape across the border on which a side lies. Returns the cell's own shape if the side is on no border,
/// or if the neighbour is unknown and does not matter.
fn shape_across_border<'a>(around: &Around<'a>, cell: IVec2, side: &Side) -> &'a Shape {
    let next = side.border.map_or(cell, |border| cell + border.outward());
    shape_at(around, next).or_else(|| shape_at(around, cell)).expect("a neighbour")
}

/// Returns the vertices inside an edge at which another edge divides the air next to it, in the edge's order.
///
/// A vertex that touches the edge from behind, or lies flat on it, does not split it.
fn split_points(edges: &[Edge], edge: &Edge) -> Vec<IVec2> {
    let mut all: Vec<IVec2> = edges
        .iter()
        .filter(|other| may_join(edge.kind, other.kind))
        .flat_map(|other| [other.a, other.b])
        .filter(|&at| edge.contains_between_ends(at))
        .collect();
    all.sort_unstable_by_key(|at| edge.tangent.dot(*at));
    all.dedup();
    all.retain(|&at| {
        let turns = |end| matches!(find_join(edges, edge.kind, edge.tangent, at, end), Join::Concave { .. });
        turns(End::Start) || turns(End::Finish)
    });
    all
}

impl Pieces {
    /// Adds a face and the pieces at its ends. An end inside a solid (buried) gets no piece, because no shape can
    /// reach it.
    fn add_face(&mut self, edges: &[Edge], edge: &Edge, index: u8, buried: [bool; 2]) {
        let mut next =
            |end, buried: bool| if buried { IVec2::ZERO } else { self.add_end_pieces(edges, edge, index, end) };
        let (before, after) = (next(End::Start, buried[0]), next(End::Finish, buried[1]));
        self.faces.push(Piece {
            role: Role::Face,
            edge: index,
            a: edge.a.as_i8vec2(),
            b: edge.b.as_i8vec2(),
            normal: perpendicular(edge.tangent).as_i8vec2(),
            before: before.as_i8vec2(),
            after: after.as_i8vec2(),
            gate: I8Vec2::ZERO,
            partner: I8Vec2::ZERO,
        });
    }

    /// Adds the pieces at one end of an edge. Returns the next normal of the outline there.
    fn add_end_pieces(&mut self, edges: &[Edge], edge: &Edge, index: u8, end: End) -> IVec2 {
        let at = match end {
            End::Start => edge.a,
            End::Finish => edge.b,
        };
        let normal = perpendicular(edge.tangent);
        match find_join(edges, edge.kind, edge.tangent, at, end) {
            Join::Flat => IVec2::ZERO,
            Join::Free => self.add_free_end_pieces(edge, index, at, end, IVec2::ZERO),
            Join::Concave { normal: partner, kind } => {
                if edge.kind != PatternKind::Open || kind != PatternKind::Open {
                    return if can_box_corner_reach_end(edge, end, partner) { IVec2::ZERO } else { -normal };
                }
                // Both edges are one-way, so a body can pass the other edge from behind and then hit the end of this
                // one. So this end gets the pieces of a free end. A box can also arrive exactly beside the end, in line
                // with it, and move over the edge. A slanted edge stops such a box anyway. An axis-aligned edge stops
                // it only if the face stores the next normal.
                let next = self.add_free_end_pieces(edge, index, at, end, partner);
                if normal.x == 0 || normal.y == 0 { next } else { IVec2::ZERO }
            }
            Join::Convex { normal: next, mutual } => {
                let chain = end.air_side_turn().axis_directions_between(normal, next);
                // If both edges find this corner (`mutual`), only the edge that ends at it stores the pieces.
                if end == End::Finish || !mutual {
                    let corner = Corner { at, index, end, gate: IVec2::ZERO, partner: IVec2::ZERO };
                    let tangent = -perpendicular(next);
                    let (first, second) = match end {
                        End::Start => (tangent, -edge.tangent),
                        End::Finish => (edge.tangent, -tangent),
                    };
                    self.arcs.push(corner.arc_piece(normal + next, first, second));
                    self.vertices.extend(corner.vertex_pieces(&chain));
                }
                chain[1]
            }
        }
    }

    fn add_free_end_pieces(&mut self, edge: &Edge, index: u8, at: IVec2, end: End, partner: IVec2) -> IVec2 {
        let (normal, outward) = (perpendicular(edge.tangent), end.outward(edge.tangent));
        let corner = Corner { at, index, end, gate: normal, partner };
        let chain = end.air_side_turn().axis_directions_past(normal, outward);
        // A circle can hit the free end with all normals between `normal` and `outward`: this is the cone of the end.
        // It is stored as two vectors with which such a normal has no negative dot product. The first is perpendicular
        // to the direction in which the cone begins, going clockwise, the second to the one in which it ends. Here the
        // two directions are perpendicular to each other, so each of them is the bound at the other one.
        let (first, second) = match end {
            End::Start => (normal, outward),
            End::Finish => (outward, normal),
        };
        self.arcs.push(corner.arc_piece(normal + outward, first, second));
        self.vertices.extend(corner.vertex_pieces(&chain));
        chain[1]
    }
}

/// Returns whether the corner of a box can reach a concave end of a slanted edge from the air between the edge and its
/// partner.
///
/// The corner fills the quadrant that contains the normal. If part of the quadrant is behind the partner, a box at that
/// point is in another region of air that ends there, such as on a floor above the pocket.
fn can_box_corner_reach_end(edge: &Edge, end: End, partner: IVec2) -> bool {
    let normal = perpendicular(edge.tangent);
    let (back, to) = (-end.outward(edge.tangent), end.outward(-perpendicular(partner)));
    let quarter = [IVec2::new(normal.x.signum(), 0), IVec2::new(0, normal.y.signum())];
    let slanted = normal.x != 0 && normal.y != 0;
    !slanted || quarter.into_iter().all(|side| end.air_side_turn().compare(back, side, to).is_le())
}

/// Properties that all pieces of one corner share.
struct Corner {
    at: IVec2,
    index: u8,
    end: End,
    gate: IVec2,
    partner: IVec2,
}

impl Corner {
    fn new_piece(&self, role: Role, normal: IVec2, before: IVec2, after: IVec2) -> Piece {
        Piece {
            role,
            edge: self.index,
            a: self.at.as_i8vec2(),
            b: self.at.as_i8vec2(),
            normal: normal.as_i8vec2(),
            before: before.as_i8vec2(),
            after: after.as_i8vec2(),
            gate: self.gate.as_i8vec2(),
            partner: self.partner.as_i8vec2(),
        }
    }

    fn arc_piece(&self, sum: IVec2, first: IVec2, second: IVec2) -> Piece {
        self.new_piece(Role::Arc, sum, first, second)
    }

    /// Returns one piece for every direction in a chain that starts at the edge's normal, except the first and the
    /// last direction. The order is that of the outline, clockwise.
    fn vertex_pieces(&self, chain: &[IVec2]) -> Vec<Piece> {
        let mut chain = chain.to_vec();
        if self.end == End::Start {
            chain.reverse();
        }
        chain.windows(3).map(|w| self.new_piece(Role::Vertex, w[1], w[0], w[2])).collect()
    }
}

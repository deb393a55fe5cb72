use super::Terrain;
use super::intern::BakedCell;
use super::piece::{Piece, STEP};
use super::shape::Border;
use super::stream::Band;
use crate::catalogue::PatternKind;
use crate::map::TileId;
use glam::{I8Vec2, I64Vec2};
use surefoot_geometry::{ONE, Position};

/// Visible side of a tile: the side, or the stretch of it, that no neighbouring solid covers. For drawing outlines of
/// solids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExposedFace {
    /// Column and row of the tile. For a side of a solid border of the map, the tile is just outside the map, for
    /// example in column -1.
    pub tile: (i32, i32),
    /// Index of the tile layer of the tile, from 0.
    pub layer: usize,
    /// Tile kind of the tile. [`OUTSIDE`](super::OUTSIDE) beyond the map.
    pub tile_id: TileId,
    /// Kind of the tile's edges: outline of a solid, one-way edges, or a thin wall.
    pub kind: PatternKind,
    /// Index of the edge in the outline of the tile's shape, from 0: see [`Terrain::variant_at`].
    pub edge: usize,
    /// Start of the side. Seen in the direction from `a` to `b`, the air is on the left.
    pub a: Position,
    /// End of the side. Seen in the direction from `a` to `b`, the air is on the left.
    pub b: Position,
    /// Normal that points out of the tile into the air, as the smallest integer vector in that direction: (0, 1) for a
    /// flat top.
    pub normal: I8Vec2,
}

impl Terrain {
    /// Returns whether a position is inside a solid or on its outline. The test is exact.
    ///
    /// If several tiles share the position, the position is solid if at least one of them is solid there. A position on
    /// the common edge of two neighbouring solids is solid. One-way edges and thin walls have no inside, so they are
    /// never solid.
    #[must_use]
    pub fn is_solid(&self, position: Position) -> bool {
        let (cell, offset) = (position.cell(), position.in_cell());
        // A position on a border belongs to the tiles on both sides. In the tile on the lower side, its coordinate is
        // `ONE`.
        let candidates = |at: i32, offset: u32| {
            [(at, i64::from(offset)), (at - 1, ONE)].into_iter().take(1 + usize::from(offset == 0))
        };
        candidates(cell.1, offset.1).any(|(y, v)| {
            candidates(cell.0, offset.0).any(|(x, u)| {
                let at = I64Vec2::new(u, v);
                self.solid_outlines((x, y)).iter().any(|outline| outline_contains(outline, at))
            })
        })
    }

    /// Returns the outlines of the solids in a tile, in steps of 1/16 tile from the tile's lower left corner.
    ///
    /// The solid is on the right of each outline. Empty tiles, one-way edges and thin walls have no outline. Outlines
    /// of several tile layers can overlap. A tile beyond a solid border of the map is a full block.
    #[must_use]
    pub fn solid_outlines(&self, tile: (i32, i32)) -> &[Vec<I8Vec2>] {
        &self.legend.shape(self.cell(tile.0, tile.1).stack()).outlines
    }

    /// Returns the outlines of the solids in a tile as closed polygons, clockwise.
    ///
    /// The polygons are those of [`Terrain::solid_outlines`], as positions.
    pub fn solid_polygons(&self, tile: (i32, i32)) -> impl Iterator<Item = impl Iterator<Item = Position> + '_> + '_ {
        self.solid_outlines(tile).iter().map(move |outline| outline.iter().map(move |&at| lattice_position(tile, at)))
    }

    /// Returns triangles that fill the solids of a tile, for drawing. The corners are counter-clockwise.
    ///
    /// Triangles of one tile layer do not overlap. Triangles of several tile layers can overlap.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::Map;
    ///
    /// let terrain = Terrain::bake(&Map::from_rows(["./", "##"])?);
    /// // A full tile is two triangles, a slope is one.
    /// let triangles = |tile| terrain.solid_triangles(tile).map(|corners| corners.map(Position::to_vec2));
    /// assert_eq!((triangles((0, 0)).count(), triangles((1, 1)).count(), triangles((0, 1)).count()), (2, 1, 0));
    /// for [a, b, c] in triangles((1, 1)) {
    ///     // With macroquad: draw_triangle(vec2(a.x, a.y), vec2(b.x, b.y), vec2(c.x, c.y), WHITE);
    ///     println!("{a} {b} {c}");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solid_triangles(&self, tile: (i32, i32)) -> impl Iterator<Item = [Position; 3]> + '_ {
        let shape = self.legend.shape(self.stack_at(tile));
        shape.triangles.iter().map(move |corners| corners.map(|at| lattice_position(tile, at)))
    }

    /// Returns which neighbours the solids of a tile join, as a bit mask for autotiling.
    ///
    /// | bit | value | neighbour | | bit | value | neighbour |
    /// |--:|--:|---|---|--:|--:|---|
    /// | 0 | 1 | above | | 4 | 16 | below |
    /// | 1 | 2 | above right | | 5 | 32 | below left |
    /// | 2 | 4 | right | | 6 | 64 | left |
    /// | 3 | 8 | below right | | 7 | 128 | above left |
    ///
    /// A neighbour at a side joins if both tiles are solid along a stretch of the common border. A diagonal neighbour
    /// joins if both tiles between join the tile and the diagonal neighbour. So there are 47 different masks. One-way
    /// tiles and thin walls join nothing. "Above" is the direction of larger y. A tile of a solid border of the map
    /// joins as a full block.
    ///
    /// # Examples
    /// ```
    /// use surefoot::Map;
    /// use surefoot::terrain::Terrain;
    ///
    /// let map = Map::from_ron("Map(format: 1, tiles: [\".....\", \".###.\", \".##..\", \".....\"])")?;
    /// let terrain = Terrain::bake(&map);
    /// // The lower left block joins the blocks above, above right and right.
    /// assert_eq!(terrain.joined_neighbours((1, 1)), 1 + 2 + 4);
    /// // The block at the right end joins only the block to its left: the tile below is empty.
    /// assert_eq!(terrain.joined_neighbours((3, 2)), 64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn joined_neighbours(&self, tile: (i32, i32)) -> u8 {
        let at = |x: i32, y: i32| (tile.0.saturating_add(x), tile.1.saturating_add(y));
        let joins = |from: (i32, i32), side: Border| {
            let (x, y) = side.outward().into();
            let across = self.stack_at((from.0.saturating_add(x), from.1.saturating_add(y)));
            self.legend.shape(self.stack_at(from)).is_solid_on_both_sides(side, self.legend.shape(across))
        };
        // The bits go clockwise from the neighbour above.
        let sides = [Border::Top, Border::Right, Border::Bottom, Border::Left];
        let mut bits = 0;
        for (i, side) in sides.into_iter().enumerate() {
            let next = sides[(i + 1) % 4];
            let (ahead, beside) = (side.outward(), next.outward());
            let is_side = joins(tile, side);
            let is_diagonal = is_side
                && joins(tile, next)
                && joins(at(ahead.x, ahead.y), next)
                && joins(at(beside.x, beside.y), side);
            bits |= u8::from(is_side) << (2 * i) | u8::from(is_diagonal) << (2 * i + 1);
        }
        bits
    }

    /// Returns all sides of tiles that no neighbouring solid covers, for drawing outlines. This includes sides of
    /// solid borders just outside the map.
    ///
    /// The sides are ordered by tile: the lowest row first, and each row from left to right. A
    /// [streamed](Terrain::streamed) terrain returns the sides of its loaded tiles.
    pub fn exposed_faces(&self) -> impl Iterator<Item = ExposedFace> + '_ {
        self.loaded_bands().into_iter().flat_map(move |Band { rows, columns }| {
            (rows.0..=rows.1).flat_map(move |y| {
                let columns = columns.clone();
                columns
                    .into_iter()
                    .flat_map(move |(from, to)| (from..=to).flat_map(move |x| self.exposed_faces_of((x, y))))
            })
        })
    }

    /// Returns the sides of one tile that no neighbouring solid covers.
    pub fn exposed_faces_of(&self, tile: (i32, i32)) -> impl Iterator<Item = ExposedFace> + '_ {
        let cell = self.cell(tile.0, tile.1);
        let stack = cell.stack();
        let position = move |at: I8Vec2| lattice_position(tile, at);
        self.cells.faces(cell).iter().map(move |piece| {
            let source = self.legend.origin_of_side(stack, piece.edge);
            ExposedFace {
                tile,
                layer: source.layer,
                tile_id: source.tile_id,
                kind: self.legend.shape(stack).sides[usize::from(piece.edge)].kind,
                edge: usize::from(source.edge),
                a: position(piece.a),
                b: position(piece.b),
                normal: piece.normal,
            }
        })
    }

    /// Returns the visible sides of a cell, and how many of them, from the first, are sides of solids. Walls and
    /// one-way edges follow.
    #[inline]
    pub(crate) fn faces_and_solid_count(&self, cell: &BakedCell) -> (&[Piece], usize) {
        (self.cells.faces(cell), cell.solid_face_count())
    }

    /// Returns whether a piece of a tile belongs to a one-way edge.
    pub(crate) fn is_one_way(&self, tile: (i32, i32), piece: &Piece) -> bool {
        let sides = &self.legend.shape(self.stack_at(tile)).sides;
        sides.get(usize::from(piece.edge)).is_some_and(|side| side.kind == PatternKind::Open)
    }

    /// Returns the kind of a tile's solid. If several layers have one, the first one counts.
    pub(crate) fn solid_kind(&self, tile: (i32, i32)) -> TileId {
        let stack = self.stack_at(tile);
        let sides = &self.legend.shape(stack).sides;
        let side = sides.iter().position(|side| side.kind == PatternKind::Solid).unwrap_or(0);
        self.legend.origin_of_side(stack, side as u8).tile_id
    }

    /// Returns whether a point of a tile is in one of its solids or on its outline. The point is in units from the
    /// tile's corner.
    pub(crate) fn solid_contains(&self, tile: (i32, i32), at: I64Vec2) -> bool {
        self.solid_outlines(tile).iter().any(|outline| outline_contains(outline, at))
    }
}

/// Returns the position of a lattice point of a tile.
fn lattice_position(tile: (i32, i32), at: I8Vec2) -> Position {
    let corner = I64Vec2::new(i64::from(tile.0), i64::from(tile.1)) * ONE;
    Position::clamped(corner + at.as_i64vec2() * STEP)
}

/// Returns whether a point is inside a closed outline or on it. The point is in units, the outline in lattice steps.
fn outline_contains(outline: &[I8Vec2], at: I64Vec2) -> bool {
    let mut inside = false;
    for (i, end) in outline.iter().enumerate() {
        let start = outline[(i + outline.len() - 1) % outline.len()].as_i64vec2();
        let end = end.as_i64vec2();
        let (a, b) = (start * STEP, end * STEP);
        // The product is in lattice steps times units, and below 2^39.
        let side = (end - start).perp_dot(at - a);
        let (low, high) = (a.min(b), a.max(b));
        if side == 0 && low.cmple(at).all() && at.cmple(high).all() {
            return true;
        }
        // The point is inside if a ray from it to the right crosses an odd number of edges. The lower end of an edge
        // counts as part of the edge, its upper end does not.
        if (a.y <= at.y) != (b.y <= at.y) && (side > 0) == (b.y > a.y) {
            inside = !inside;
        }
    }
    inside
}

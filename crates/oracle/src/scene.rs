use crate::crossing::{Crossing, Edge, Manner};
use crate::time::{Span, Time};
use crate::{UNITS_PER_CELL, Vector, convex, disc, outline};
use std::collections::BTreeMap;

/// A shape around its centre, in units. Its size must be positive; see the crate's documentation for why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An axis-aligned box.
    Box {
        /// Half of the width and half of the height.
        half: (i64, i64),
    },
    /// A disc.
    Circle {
        /// The radius.
        radius: i64,
    },
}

impl Shape {
    fn half_extents(&self) -> (i64, i64) {
        match *self {
            Shape::Box { half } => half,
            Shape::Circle { radius } => (radius, radius),
        }
    }
}

/// A side of the world that [`Scene::add_solid_beyond`] fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// Everything with x below the tile.
    Left,
    /// Everything with x from the tile on.
    Right,
    /// Everything with y below the tile.
    Bottom,
    /// Everything with y from the tile on.
    Top,
}

/// The solid that a shape overlaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A solid in this cell.
    Cell((i32, i32)),
    /// The solid half-plane beyond this side.
    Beyond(Side),
}

/// The interiors of a shape and a solid intersect. Touching is not an overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// The solid; any of them if the shape overlaps several.
    pub obstacle: Obstacle,
}

/// Solids, one-sided edges and walls in cells, and solid half-planes around them.
///
/// # Examples
/// ```
/// use surefoot_oracle::{Scene, Shape, Time};
///
/// const ONE: i64 = 1 << 32;
/// let mut scene = Scene::new();
/// scene.add_solid((0, 0), &[(0, 0), (0, 16), (16, 16), (16, 0)]);
/// let half = (ONE / 4, ONE / 4);
/// let touching = (ONE / 2, ONE + ONE / 4);
/// assert!(scene.overlap(&Shape::Box { half }, touching).is_none());
/// assert!(scene.overlap(&Shape::Box { half }, (touching.0, touching.1 - 1)).is_some());
/// // The box starts one cell higher and moves two cells down: it enters the block after half of its motion.
/// let from = (touching.0, touching.1 + ONE);
/// assert_eq!(scene.entry_time(half, from, (0, -2 * ONE)), Some(Time::new(1, 2)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Sorted by column, then row.
    cells: BTreeMap<(i32, i32), Cell>,
    beyond: Vec<(Side, i32)>,
}

#[derive(Clone, Debug, Default)]
struct Cell {
    triangles: Vec<[(i32, i32); 3]>,
    edges: Vec<Edge>,
}

impl Scene {
    /// Creates an empty scene.
    #[must_use]
    pub fn new() -> Scene {
        Scene::default()
    }

    /// Fills a closed simple outline, of either winding, in a cell. Keeps the previous content of the cell.
    ///
    /// # Panics
    /// If a vertex is off the lattice of 0 to 16, or the outline has no area or crosses itself.
    pub fn add_solid(&mut self, cell: (i32, i32), outline: &[(i32, i32)]) {
        outline.iter().for_each(|&vertex| assert_on_lattice(vertex));
        self.cells.entry(cell).or_default().triangles.extend(outline::triangulate(outline));
    }

    /// Adds a one-sided edge to a cell; the air is on the left of the direction from `a` to `b`.
    ///
    /// # Panics
    /// If an end is off the lattice of 0 to 16, or both are the same.
    pub fn add_one_sided_edge(&mut self, cell: (i32, i32), a: (i32, i32), b: (i32, i32)) {
        self.add_edge(cell, Edge { a, b, wall: false });
    }

    /// Adds a thin wall to a cell. It blocks shapes from both sides and at its tips.
    ///
    /// # Panics
    /// Like [`Scene::add_one_sided_edge`].
    pub fn add_wall(&mut self, cell: (i32, i32), a: (i32, i32), b: (i32, i32)) {
        self.add_edge(cell, Edge { a, b, wall: true });
    }

    fn add_edge(&mut self, cell: (i32, i32), edge: Edge) {
        assert_on_lattice(edge.a);
        assert_on_lattice(edge.b);
        assert!(edge.a != edge.b, "an edge needs a length: {:?}", edge.a);
        self.cells.entry(cell).or_default().edges.push(edge);
    }

    /// Makes the half-plane beyond one side of `tile` solid. [`Side`] says which half-plane.
    pub fn add_solid_beyond(&mut self, side: Side, tile: i32) {
        self.beyond.push((side, tile));
    }

    /// Returns a solid that a shape overlaps, by one unit or more. Touching is not an overlap. Exact.
    ///
    /// # Panics
    /// If the shape has no size.
    #[must_use]
    pub fn overlap(&self, shape: &Shape, at: (i64, i64)) -> Option<Overlap> {
        let radius = match *shape {
            Shape::Box { half } => return self.path_overlap(half, at, at),
            Shape::Circle { radius } => i128::from(radius),
        };
        let reach = (radius, radius);
        assert_has_size(reach);
        let beyond = self.beyond.iter().find(|&&beyond| half_plane_overlap_span(beyond, reach, at, (0, 0)).is_some());
        if let Some(&(side, _)) = beyond {
            return Some(Overlap { obstacle: Obstacle::Beyond(side) });
        }
        self.cells_near(reach, at, (0, 0))
            .find(|&(_, cell, origin)| {
                cell.triangles.iter().any(|&corners| disc::disc_overlaps_triangle((0, 0), radius, origin, corners))
            })
            .map(|(cell, ..)| Overlap { obstacle: Obstacle::Cell(cell) })
    }

    /// Returns a solid that a box overlaps anywhere on the straight path, including its ends. Exact.
    ///
    /// # Panics
    /// If the box has no size.
    #[must_use]
    pub fn path_overlap(&self, half: (i64, i64), from: (i64, i64), to: (i64, i64)) -> Option<Overlap> {
        let obstacle = self.overlap_spans(half, from, difference(to, from)).next()?.0;
        Some(Overlap { obstacle })
    }

    /// Returns when a box that moves straight from `from` by `motion` begins to overlap a solid: the infimum of the
    /// times, from 0 to 1, at which it overlaps. Exact.
    ///
    /// Returns 0 for a box that overlaps at the start, or that touches a solid and moves into it. Returns `None` for a
    /// box that only touches solids along the path or at its end.
    ///
    /// # Panics
    /// If the box has no size.
    #[must_use]
    pub fn entry_time(&self, half: (i64, i64), from: (i64, i64), motion: (i64, i64)) -> Option<Time> {
        let motion = (motion.0.into(), motion.1.into());
        self.overlap_spans(half, from, motion).map(|(_, span)| span.enter.max(Time::ZERO)).min()
    }

    /// Returns the greatest depth of a disc in a solid on the straight path, in units: the radius minus the least
    /// distance of its centre from a solid. 0 if the disc overlaps no solid, at most the radius. The error is at most
    /// two units.
    ///
    /// # Panics
    /// If the disc has no size.
    #[must_use]
    pub fn circle_path_depth(&self, radius: i64, from: (i64, i64), to: (i64, i64)) -> f64 {
        let reach = (i128::from(radius), i128::from(radius));
        assert_has_size(reach);
        let motion = difference(to, from);
        // The depth beyond a side is linear along the path, so it is largest at an end.
        let beyond = self.beyond.iter().flat_map(|&beyond| {
            [(0, 0), motion].map(|at| {
                let (speed, bound) = speed_and_bound_towards_side(beyond, reach, from, at);
                (speed - bound).clamp(0, reach.0) as f64
            })
        });
        let solids = self.cells_near(reach, from, motion).flat_map(|(_, cell, origin)| {
            cell.triangles.iter().map(move |&corners| {
                let distance = disc::path_distance_to_triangle((0, 0), motion, origin, corners);
                (radius as f64 - distance).max(0.0)
            })
        });
        beyond.chain(solids).fold(0.0, f64::max)
    }

    /// Returns an edge or a wall that a shape goes through on the straight path although it should be blocked.
    ///
    /// An edge is crossed under two conditions:
    ///
    /// - The whole shape is in front of the edge's line at the start; touching is allowed.
    /// - The shape then enters the edge against its normal: on the front, or at an end with a side that faces against the
    ///   normal.
    ///
    /// A shape that goes round an end and enters from the side or from behind does not cross the edge. Nor does a shape
    /// that starts behind the line or straddling it. An edge along an axis blocks nothing sideways, so the side of a
    /// box never enters at its end. A disc enters at an end from the front while its centre is in front of the line.
    ///
    /// A wall is crossed if the shape overlaps it later but not at the start.
    ///
    /// Exact for boxes. For discs exact at the end of the path, unless the centre has passed the line. In between, a
    /// disc that enters no deeper than 64 units does not count.
    ///
    /// # Panics
    /// If the shape has no size.
    #[must_use]
    pub fn find_crossing(&self, shape: &Shape, from: (i64, i64), to: (i64, i64)) -> Option<Crossing> {
        let reach = shape.half_extents();
        let reach = (reach.0.into(), reach.1.into());
        assert_has_size(reach);
        let motion = difference(to, from);
        self.cells_near(reach, from, motion).find_map(|(cell, content, origin)| {
            content.edges.iter().find_map(|edge| {
                let manner = edge.crossing_manner(shape, motion, origin)?;
                Some(Crossing { cell, a: edge.a, b: edge.b, manner })
            })
        })
    }

    /// Returns whether a shape enters the crossed edge legally: from behind or from a side, or by starting inside it.
    ///
    /// All joined edges in one line count as one edge, and edges that end where it ends count too. The shape must enter
    /// none of them from the front. A disc counts as inside if it is deeper than a few units.
    ///
    /// # Panics
    /// If the shape has no size.
    #[must_use]
    pub fn crosses_legally(&self, shape: &Shape, from: (i64, i64), to: (i64, i64), crossing: &Crossing) -> bool {
        let reach = shape.half_extents();
        assert_has_size((reach.0.into(), reach.1.into()));
        let motion = difference(to, from);
        let mut overlaps = false;
        for (cell, edge) in self.edges_joined_to_crossed_edge(crossing) {
            let origin = (
                i128::from(cell.0) * UNITS_PER_CELL - i128::from(from.0),
                i128::from(cell.1) * UNITS_PER_CELL - i128::from(from.1),
            );
            if edge.crossing_manner(shape, motion, origin) == Some(Manner::Front) {
                return false;
            }
            overlaps |= edge.is_overlapped_along(shape, motion, origin);
        }
        overlaps
    }

    /// Returns the edges in one line with the crossed edge, and those of the lines that end where this line ends.
    fn edges_joined_to_crossed_edge(&self, crossing: &Crossing) -> Vec<((i32, i32), &Edge)> {
        let all: Vec<_> =
            self.cells.iter().flat_map(|(cell, content)| content.edges.iter().map(|edge| (*cell, edge))).collect();
        let at = |cell: (i32, i32), point: (i32, i32)| (16 * cell.0 + point.0, 16 * cell.1 + point.1);
        let ends = |(cell, edge): &((i32, i32), &Edge)| [at(*cell, edge.a), at(*cell, edge.b)];
        let direction = |edge: &Edge| (edge.b.0 - edge.a.0, edge.b.1 - edge.a.1);
        let is_straight = |one: &Edge, other: &Edge| {
            let (u, v) = (direction(one), direction(other));
            u.0 * v.1 == u.1 * v.0 && u.0 * v.0 + u.1 * v.1 > 0
        };
        let open = |i: &usize| !all[*i].1.wall;
        let share = |i: usize, j: usize| ends(&all[i]).iter().any(|end| ends(&all[j]).contains(end));
        let grow = |mut line: Vec<usize>| {
            loop {
                let next = (0..all.len()).filter(open).find(|j| {
                    !line.contains(j) && line.iter().any(|i| share(*i, *j) && is_straight(all[*i].1, all[*j].1))
                });
                match next {
                    Some(j) => line.push(j),
                    None => return line,
                }
            }
        };
        let is_crossed =
            |i: &usize| all[*i].0 == crossing.cell && (all[*i].1.a, all[*i].1.b) == (crossing.a, crossing.b);
        let own = grow((0..all.len()).filter(open).filter(is_crossed).collect());
        // `outer` contains the two ends of the line: points at which only one of its edges ends.
        let count = |end: &(i32, i32)| own.iter().filter(|i| ends(&all[**i]).contains(end)).count();
        let outer: Vec<_> = own.iter().flat_map(|i| ends(&all[*i])).filter(|end| count(end) == 1).collect();
        let adjacent = (0..all.len()).filter(open).filter(|j| ends(&all[*j]).iter().any(|end| outer.contains(end)));
        let mut joined = grow(adjacent.collect());
        joined.extend(own);
        joined.sort_unstable();
        joined.dedup();
        joined.into_iter().map(|i| all[i]).collect()
    }

    /// Returns whether a shape overlaps a thin wall. Such a shape is on both sides already, so it may also leave
    /// through the edges that the wall is joined to. Exact.
    #[must_use]
    pub fn straddles_wall(&self, shape: &Shape, at: (i64, i64)) -> bool {
        let reach = shape.half_extents();
        let reach = (reach.0.into(), reach.1.into());
        assert_has_size(reach);
        self.cells_near(reach, at, (0, 0)).any(|(_, content, origin)| {
            content.edges.iter().any(|edge| edge.wall && edge.is_overlapped_at_start(shape, origin))
        })
    }

    /// Returns each solid triangle and side that a box overlaps on its path, with the times.
    fn overlap_spans(
        &self,
        half: (i64, i64),
        from: (i64, i64),
        motion: Vector,
    ) -> impl Iterator<Item = (Obstacle, Span)> + '_ {
        let half = (half.0.into(), half.1.into());
        assert_has_size(half);
        let beyond = self.beyond.iter().filter_map(move |&beyond| {
            half_plane_overlap_span(beyond, half, from, motion).map(|span| (Obstacle::Beyond(beyond.0), span))
        });
        let solids = self.cells_near(half, from, motion).flat_map(move |(cell, content, origin)| {
            content.triangles.iter().filter_map(move |corners| {
                convex::overlap_span(half, motion, origin, corners).map(|span| (Obstacle::Cell(cell), span))
            })
        });
        beyond.chain(solids).filter(|(_, span)| span.overlaps_motion())
    }

    /// Returns the cells near the path of a shape's bounds, and the offset of each cell's lower left corner from the
    /// start. The bounds are inflated by a unit. Columns are visited one by one, so that a long slanted path does not
    /// visit all cells of its bounding box.
    fn cells_near(
        &self,
        reach: Vector,
        from: (i64, i64),
        motion: Vector,
    ) -> impl Iterator<Item = ((i32, i32), &Cell, Vector)> + '_ {
        let start = (i128::from(from.0), i128::from(from.1));
        let reach = (reach.0 + 1, reach.1 + 1);
        let first = (start.0 + motion.0.min(0) - reach.0).div_euclid(UNITS_PER_CELL);
        let last = (start.0 + motion.0.max(0) + reach.0).div_euclid(UNITS_PER_CELL);
        (first..=last).flat_map(move |column| {
            // `begin` and `end` are displacements in x while the shape is over this column, `low` and `high` in y at
            // the same times.
            let left = column * UNITS_PER_CELL - start.0;
            let begin = (left - reach.0).clamp(motion.0.min(0), motion.0.max(0));
            let end = (left + UNITS_PER_CELL + reach.0).clamp(motion.0.min(0), motion.0.max(0));
            let (low, high) = if motion.0 == 0 {
                (motion.1.min(0), motion.1.max(0))
            } else {
                let at = |x: i128| (motion.1 * x).div_euclid(motion.0);
                (at(begin).min(at(end)) - 1, at(begin).max(at(end)) + 1)
            };
            let row = |y: i128| (start.1 + y).div_euclid(UNITS_PER_CELL) as i32;
            let rows = (column as i32, row(low - reach.1))..=(column as i32, row(high + reach.1));
            self.cells.range(rows).map(move |(&cell, content)| {
                let origin =
                    (i128::from(cell.0) * UNITS_PER_CELL - start.0, i128::from(cell.1) * UNITS_PER_CELL - start.1);
                (cell, content, origin)
            })
        })
    }
}

/// Returns speed and bound of a shape towards a side: the shape overlaps it once `speed * t > bound`.
fn speed_and_bound_towards_side(
    (side, tile): (Side, i32),
    reach: Vector,
    from: (i64, i64),
    motion: Vector,
) -> (i128, i128) {
    let border = i128::from(tile) * UNITS_PER_CELL;
    let (x, y) = (i128::from(from.0), i128::from(from.1));
    match side {
        Side::Left => (-motion.0, x - reach.0 - border),
        Side::Right => (motion.0, border - x - reach.0),
        Side::Bottom => (-motion.1, y - reach.1 - border),
        Side::Top => (motion.1, border - y - reach.1),
    }
}

fn half_plane_overlap_span(beyond: (Side, i32), reach: Vector, from: (i64, i64), motion: Vector) -> Option<Span> {
    let (speed, bound) = speed_and_bound_towards_side(beyond, reach, from, motion);
    Span::below(-speed, -bound)
}

fn difference(to: (i64, i64), from: (i64, i64)) -> Vector {
    (i128::from(to.0) - i128::from(from.0), i128::from(to.1) - i128::from(from.1))
}

fn assert_has_size(reach: Vector) {
    assert!(reach.0 > 0 && reach.1 > 0, "a shape needs a size: {reach:?}");
}

fn assert_on_lattice((x, y): (i32, i32)) {
    assert!((0..=16).contains(&x) && (0..=16).contains(&y), "({x}, {y}) is off the lattice of 0 to 16");
}

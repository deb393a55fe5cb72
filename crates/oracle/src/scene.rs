use crate::crossing::{Crossing, Edge, Manner};
use crate::time::{Span, Time};
use crate::{CELL, Vector, convex, disc, outline};
use std::collections::BTreeMap;

/// A shape around its centre, in units. Its size must be positive; see the crate's documentation for why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An axis-aligned box.
    Box {
        /// Half its width and half its height.
        half: (i64, i64),
    },
    /// A disc.
    Circle {
        /// Its radius.
        radius: i64,
    },
}

impl Shape {
    fn reach(&self) -> (i64, i64) {
        match *self {
            Shape::Box { half } => half,
            Shape::Circle { radius } => (radius, radius),
        }
    }
}

/// A side of the world that [`Scene::solid_beyond`] fills.
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

/// What solid was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// One in this cell.
    Cell((i32, i32)),
    /// What lies beyond this side.
    Beyond(Side),
}

/// Interiors meet: by whatever little, but not merely by touching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// With what; one of them where there are several.
    pub obstacle: Obstacle,
}

/// Solids, one-sided edges and walls in cells, and what is solid without end around them.
///
/// # Examples
/// ```
/// use surefoot_oracle::{Scene, Shape, Time};
///
/// const ONE: i64 = 1 << 32;
/// let mut scene = Scene::new();
/// scene.solid((0, 0), &[(0, 0), (0, 16), (16, 16), (16, 0)]);
/// let half = (ONE / 4, ONE / 4);
/// let touching = (ONE / 2, ONE + ONE / 4);
/// assert!(scene.overlap(&Shape::Box { half }, touching).is_none());
/// assert!(scene.overlap(&Shape::Box { half }, (touching.0, touching.1 - 1)).is_some());
/// // From one cell higher it comes down two cells: it meets the block after half of them.
/// let from = (touching.0, touching.1 + ONE);
/// assert_eq!(scene.entry_time(half, from, (0, -2 * ONE)), Some(Time::new(1, 2)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// By column, then row.
    cells: BTreeMap<(i32, i32), Cell>,
    beyond: Vec<(Side, i32)>,
}

#[derive(Clone, Debug, Default)]
struct Cell {
    triangles: Vec<[(i32, i32); 3]>,
    edges: Vec<Edge>,
}

impl Scene {
    /// A scene of nothing.
    #[must_use]
    pub fn new() -> Scene {
        Scene::default()
    }

    /// Fills a closed simple outline, of either winding, in a cell. What is there already stays.
    ///
    /// # Panics
    /// If a vertex is off the lattice of 0 to 16, or the outline has no area or crosses itself.
    pub fn solid(&mut self, cell: (i32, i32), outline: &[(i32, i32)]) {
        outline.iter().for_each(|&vertex| check_vertex(vertex));
        self.cells.entry(cell).or_default().triangles.extend(outline::triangles(outline));
    }

    /// Adds a one-sided edge to a cell; the air is on the left hand of the way from `a` to `b`.
    ///
    /// # Panics
    /// If an end is off the lattice of 0 to 16, or both are the same.
    pub fn edge(&mut self, cell: (i32, i32), a: (i32, i32), b: (i32, i32)) {
        self.add_edge(cell, Edge { a, b, wall: false });
    }

    /// Adds a thin wall to a cell: nothing that is apart from it may come to meet it, from either side or at its tips.
    ///
    /// # Panics
    /// As [`Scene::edge`].
    pub fn wall(&mut self, cell: (i32, i32), a: (i32, i32), b: (i32, i32)) {
        self.add_edge(cell, Edge { a, b, wall: true });
    }

    fn add_edge(&mut self, cell: (i32, i32), edge: Edge) {
        check_vertex(edge.a);
        check_vertex(edge.b);
        assert!(edge.a != edge.b, "an edge needs a length: {:?}", edge.a);
        self.cells.entry(cell).or_default().edges.push(edge);
    }

    /// Makes everything beyond one side solid, without end: see [`Side`] for which side of the tile's border.
    pub fn solid_beyond(&mut self, side: Side, tile: i32) {
        self.beyond.push((side, tile));
    }

    /// Whether a shape overlaps a solid, by as little as one unit. Touching is no overlap. Exact.
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
        check_size(reach);
        let beyond = self.beyond.iter().find(|&&beyond| beyond_span(beyond, reach, at, (0, 0)).is_some());
        if let Some(&(side, _)) = beyond {
            return Some(Overlap { obstacle: Obstacle::Beyond(side) });
        }
        self.near(reach, at, (0, 0))
            .find(|&(_, cell, origin)| {
                cell.triangles.iter().any(|&corners| disc::meets_triangle((0, 0), radius, origin, corners))
            })
            .map(|(cell, ..)| Overlap { obstacle: Obstacle::Cell(cell) })
    }

    /// Whether a box overlaps a solid anywhere on the straight path, its ends included. Exact.
    ///
    /// # Panics
    /// If the box has no size.
    #[must_use]
    pub fn path_overlap(&self, half: (i64, i64), from: (i64, i64), to: (i64, i64)) -> Option<Overlap> {
        let obstacle = self.meetings(half, from, difference(to, from)).next()?.0;
        Some(Overlap { obstacle })
    }

    /// When a box moving straight from `from` by `motion` begins to overlap a solid: the infimum of the times, from 0
    /// to 1, at which it does. Exact.
    ///
    /// A box that overlaps at the start, and one that touches and moves in, give 0. Touching along the way, or
    /// reaching a solid only at the end, is none.
    ///
    /// # Panics
    /// If the box has no size.
    #[must_use]
    pub fn entry_time(&self, half: (i64, i64), from: (i64, i64), motion: (i64, i64)) -> Option<Time> {
        let motion = (motion.0.into(), motion.1.into());
        self.meetings(half, from, motion).map(|(_, span)| span.enter.max(Time::ZERO)).min()
    }

    /// How deep a disc gets into a solid on the straight path, in units: its radius less the least distance of its
    /// centre from a solid; 0 if it overlaps none, at most the radius. Good to a unit or two.
    ///
    /// # Panics
    /// If the disc has no size.
    #[must_use]
    pub fn circle_path_depth(&self, radius: i64, from: (i64, i64), to: (i64, i64)) -> f64 {
        let reach = (i128::from(radius), i128::from(radius));
        check_size(reach);
        let motion = difference(to, from);
        // Beyond a side the depth is linear along the way: it is largest at an end.
        let beyond = self.beyond.iter().flat_map(|&beyond| {
            [(0, 0), motion].map(|at| {
                let (speed, bound) = beyond_line(beyond, reach, from, at);
                (speed - bound).clamp(0, reach.0) as f64
            })
        });
        let solids = self.near(reach, from, motion).flat_map(|(_, cell, origin)| {
            cell.triangles.iter().map(move |&corners| {
                let distance = disc::distance_of_triangle((0, 0), motion, origin, corners);
                (radius as f64 - distance).max(0.0)
            })
        });
        beyond.chain(solids).fold(0.0, f64::max)
    }

    /// An edge or a wall that a shape passes on the straight path and should not.
    ///
    /// An edge counts if the whole shape is in front of its line at the start, touching allowed, and then comes to
    /// meet the edge against its normal: on its front, or at an end with a side that faces against the normal. A shape
    /// that goes round an end and meets it from beside or behind, and one that starts behind the line or straddling it,
    /// has nothing to answer for with that edge. A box's side never meets the end of an edge along an axis in this
    /// sense: such an edge stops nothing sideways. A disc meets an end from the front while its centre is in front
    /// of the line.
    ///
    /// A wall counts if the shape does not meet it at the start and does later.
    ///
    /// Exact for boxes. For discs exact where they are at the end of the path, unless the centre has passed the line, and
    /// to 64 units in between: what is not deeper is let pass.
    ///
    /// # Panics
    /// If the shape has no size.
    #[must_use]
    pub fn crossed(&self, shape: &Shape, from: (i64, i64), to: (i64, i64)) -> Option<Crossing> {
        let reach = shape.reach();
        let reach = (reach.0.into(), reach.1.into());
        check_size(reach);
        let motion = difference(to, from);
        self.near(reach, from, motion).find_map(|(cell, content, origin)| {
            content.edges.iter().find_map(|edge| {
                let manner = edge.crossed(shape, motion, origin)?;
                Some(Crossing { cell, a: edge.a, b: edge.b, manner })
            })
        })
    }

    /// Whether a shape on its way comes into the ledge that was crossed, or into one that ends where that ends, from behind or
    /// from a side, or begins in it; and into none of these from the front. A ledge is all edges in one line that are joined. A
    /// disc is in it that is deeper than a few units.
    ///
    /// # Panics
    /// If the shape has no size.
    #[must_use]
    pub fn comes_past(&self, shape: &Shape, from: (i64, i64), to: (i64, i64), crossing: &Crossing) -> bool {
        let reach = shape.reach();
        check_size((reach.0.into(), reach.1.into()));
        let motion = difference(to, from);
        let mut met = false;
        for (cell, edge) in self.joined(crossing) {
            let origin =
                (i128::from(cell.0) * CELL - i128::from(from.0), i128::from(cell.1) * CELL - i128::from(from.1));
            if edge.crossed(shape, motion, origin) == Some(Manner::Front) {
                return false;
            }
            met |= edge.met(shape, motion, origin);
        }
        met
    }

    /// The edges of the ledge that was crossed, and of those that end where it ends.
    fn joined(&self, crossing: &Crossing) -> Vec<((i32, i32), &Edge)> {
        let all: Vec<_> =
            self.cells.iter().flat_map(|(cell, content)| content.edges.iter().map(|edge| (*cell, edge))).collect();
        let at = |cell: (i32, i32), point: (i32, i32)| (16 * cell.0 + point.0, 16 * cell.1 + point.1);
        let ends = |(cell, edge): &((i32, i32), &Edge)| [at(*cell, edge.a), at(*cell, edge.b)];
        let way = |edge: &Edge| (edge.b.0 - edge.a.0, edge.b.1 - edge.a.1);
        let is_straight = |one: &Edge, other: &Edge| {
            let (u, v) = (way(one), way(other));
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
        // The two points at which one edge of the line ends and no other one.
        let count = |end: &(i32, i32)| own.iter().filter(|i| ends(&all[**i]).contains(end)).count();
        let outer: Vec<_> = own.iter().flat_map(|i| ends(&all[*i])).filter(|end| count(end) == 1).collect();
        let beside = (0..all.len()).filter(open).filter(|j| ends(&all[*j]).iter().any(|end| outer.contains(end)));
        let mut joined = grow(beside.collect());
        joined.extend(own);
        joined.sort_unstable();
        joined.dedup();
        joined.into_iter().map(|i| all[i]).collect()
    }

    /// Whether a shape stands in a thin wall: what does so is already on both sides, and may leave through whatever the wall
    /// is joined to. Exact.
    #[must_use]
    pub fn straddles_wall(&self, shape: &Shape, at: (i64, i64)) -> bool {
        let reach = shape.reach();
        let reach = (reach.0.into(), reach.1.into());
        check_size(reach);
        self.near(reach, at, (0, 0))
            .any(|(_, content, origin)| content.edges.iter().any(|edge| edge.wall && edge.met_at_rest(shape, origin)))
    }

    /// Every solid triangle and side that a box meets on its way, with the times.
    fn meetings(
        &self,
        half: (i64, i64),
        from: (i64, i64),
        motion: Vector,
    ) -> impl Iterator<Item = (Obstacle, Span)> + '_ {
        let half = (half.0.into(), half.1.into());
        check_size(half);
        let beyond = self.beyond.iter().filter_map(move |&beyond| {
            beyond_span(beyond, half, from, motion).map(|span| (Obstacle::Beyond(beyond.0), span))
        });
        let solids = self.near(half, from, motion).flat_map(move |(cell, content, origin)| {
            content.triangles.iter().filter_map(move |corners| {
                convex::meeting(half, motion, origin, corners).map(|span| (Obstacle::Cell(cell), span))
            })
        });
        beyond.chain(solids).filter(|(_, span)| span.meets_motion())
    }

    /// The cells that the bounds of a shape come near on the way, and where each one's lower left corner is from the start.
    /// Generous by a unit each way; column by column, so that a long slanted way does not visit its whole bounds.
    fn near(
        &self,
        reach: Vector,
        from: (i64, i64),
        motion: Vector,
    ) -> impl Iterator<Item = ((i32, i32), &Cell, Vector)> + '_ {
        let start = (i128::from(from.0), i128::from(from.1));
        let reach = (reach.0 + 1, reach.1 + 1);
        let first = (start.0 + motion.0.min(0) - reach.0).div_euclid(CELL);
        let last = (start.0 + motion.0.max(0) + reach.0).div_euclid(CELL);
        (first..=last).flat_map(move |column| {
            // How far the shape has come in x while it is over this column, and in y at the same times.
            let left = column * CELL - start.0;
            let begin = (left - reach.0).clamp(motion.0.min(0), motion.0.max(0));
            let end = (left + CELL + reach.0).clamp(motion.0.min(0), motion.0.max(0));
            let (low, high) = if motion.0 == 0 {
                (motion.1.min(0), motion.1.max(0))
            } else {
                let at = |x: i128| (motion.1 * x).div_euclid(motion.0);
                (at(begin).min(at(end)) - 1, at(begin).max(at(end)) + 1)
            };
            let row = |y: i128| (start.1 + y).div_euclid(CELL) as i32;
            let rows = (column as i32, row(low - reach.1))..=(column as i32, row(high + reach.1));
            self.cells.range(rows).map(move |(&cell, content)| {
                let origin = (i128::from(cell.0) * CELL - start.0, i128::from(cell.1) * CELL - start.1);
                (cell, content, origin)
            })
        })
    }
}

/// Speed and bound of a shape towards a side: it is beyond, in part, once `speed * t > bound`.
fn beyond_line((side, tile): (Side, i32), reach: Vector, from: (i64, i64), motion: Vector) -> (i128, i128) {
    let border = i128::from(tile) * CELL;
    let (x, y) = (i128::from(from.0), i128::from(from.1));
    match side {
        Side::Left => (-motion.0, x - reach.0 - border),
        Side::Right => (motion.0, border - x - reach.0),
        Side::Bottom => (-motion.1, y - reach.1 - border),
        Side::Top => (motion.1, border - y - reach.1),
    }
}

fn beyond_span(beyond: (Side, i32), reach: Vector, from: (i64, i64), motion: Vector) -> Option<Span> {
    let (speed, bound) = beyond_line(beyond, reach, from, motion);
    Span::below(-speed, -bound)
}

fn difference(to: (i64, i64), from: (i64, i64)) -> Vector {
    (i128::from(to.0) - i128::from(from.0), i128::from(to.1) - i128::from(from.1))
}

fn check_size(reach: Vector) {
    assert!(reach.0 > 0 && reach.1 > 0, "a shape needs a size: {reach:?}");
}

fn check_vertex((x, y): (i32, i32)) {
    assert!((0..=16).contains(&x) && (0..=16).contains(&y), "({x}, {y}) is off the lattice of 0 to 16");
}

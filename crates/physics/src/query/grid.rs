use super::ray::Sink;
use super::tolerance::{MAX_BLOCKS_PER_BODY, MAX_SIDE_BITS, MAX_WITHOUT_GRID};
use super::way::StraightPath;
use super::{BodyContact, Filter};
use crate::ids::BodyId;
use crate::map::CollisionLayers;
use crate::motion::{Bounds, Resting, Shape};
use crate::version::Version;
use glam::I64Vec2;
use surefoot_geometry::Position;
use surefoot_geometry::exact::tolerance::TOUCH;

/// Side of a block in units, as a power of two: 8 tiles.
const SHIFT: u32 = 35;

/// Spatial hash of the bodies of a world, in blocks of 8 by 8 tiles. Indices wrap round after the size of the grid.
/// Affects speed only.
#[derive(Debug, Default)]
pub(crate) struct BodyGrid {
    /// State of the world that the grid shows.
    moment: Option<Version>,
    /// In the order of the slots.
    entries: Vec<Entry>,
    /// Blocks along a side, as a power of two.
    bits: u32,
    /// Start of each block's entries in `list`, and the end of the last block. Empty if there are few bodies.
    starts: Vec<u32>,
    list: Vec<u32>,
    large: Vec<u32>,
}

/// A body as queries see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(super) id: BodyId,
    pub(super) body: Resting,
    layers: CollisionLayers,
}

impl Entry {
    pub(crate) fn new(id: BodyId, shape: Shape, at: I64Vec2, layers: CollisionLayers) -> Entry {
        Entry { id, body: Resting { shape, center: at }, layers }
    }

    /// Returns whether a filter accepts the body.
    #[inline]
    pub(super) fn is_accepted(&self, filter: &Filter<'_>) -> bool {
        self.layers.intersects(filter.target_mask) && !filter.exclude.contains(&self.id)
    }

    fn bounds(&self) -> Bounds {
        Bounds {
            low: self.body.center - self.body.shape.half_units(),
            high: self.body.center + self.body.shape.half_units(),
        }
    }

    /// Returns whether a path may hit the body; `false` is certain. Rounding in f64 is less than the margin.
    #[inline]
    fn is_near(&self, path: &StraightPath, bounds: &Bounds) -> bool {
        bounds.intersects(&self.bounds()) && {
            let (offset, motion) = ((self.body.center - path.from).as_dvec2(), path.motion.as_dvec2());
            let reach =
                (self.body.shape.half_units() + path.half).as_dvec2() + crate::motion::tolerance::SLAB_ROOM_UNITS;
            offset.perp_dot(motion).abs() <= reach.x * motion.y.abs() + reach.y * motion.x.abs()
                || path.motion == I64Vec2::ZERO
        }
    }
}

impl BodyGrid {
    /// The grid of no bodies.
    pub(crate) const EMPTY: &'static BodyGrid = &BodyGrid {
        moment: None,
        entries: Vec::new(),
        bits: 0,
        starts: Vec::new(),
        list: Vec::new(),
        large: Vec::new(),
    };

    /// Returns whether the grid shows that state of the world.
    pub(crate) fn is_filled_for(&self, moment: Version) -> bool {
        self.moment == Some(moment)
    }

    /// Fills the grid with the bodies of a world in that state, in the order of their slots. Reuses its memory.
    pub(crate) fn fill_with(&mut self, moment: Version, bodies: impl Iterator<Item = Entry>) {
        self.moment = Some(moment);
        self.entries.clear();
        self.entries.extend(bodies);
        self.starts.clear();
        self.list.clear();
        self.large.clear();
        if self.entries.len() <= MAX_WITHOUT_GRID {
            return;
        }
        // Choose more blocks than bodies, but at most four times as many, and at most 4 to the power of
        // `MAX_SIDE_BITS`. A body smaller than 8 tiles is in at most four blocks. So a block has fewer than four bodies
        // on average, as long as `MAX_SIDE_BITS` does not limit the blocks.
        self.bits = (usize::BITS - self.entries.len().leading_zeros()).div_ceil(2).min(MAX_SIDE_BITS);
        let BodyGrid { entries, bits, starts, list, large, .. } = self;
        starts.resize((1 << (2 * *bits)) + 1, 0);
        // Counting sort: count the entries per block, turn the counts into the end index of each block, then insert
        // backwards from there.
        for (i, entry) in (0..).zip(&*entries) {
            let range = block_range(&entry.bounds());
            if covers_too_many_blocks(range, *bits) {
                large.push(i);
            } else {
                for_each_block(range, *bits, |block| starts[block] += 1);
            }
        }
        let mut total = 0;
        for start in starts.iter_mut() {
            total += *start;
            *start = total;
        }
        // Reserve four blocks per body, as many as a body smaller than 8 tiles can be in. So the list does not grow
        // when bodies move.
        list.reserve(4 * entries.len());
        list.resize(total as usize, 0);
        for (i, entry) in (0..entries.len() as u32).zip(&*entries).rev() {
            let range = block_range(&entry.bounds());
            if !covers_too_many_blocks(range, *bits) {
                for_each_block(range, *bits, |block| {
                    starts[block] -= 1;
                    list[starts[block] as usize] = i;
                });
            }
        }
    }

    pub(super) fn entry(&self, i: u32) -> &Entry {
        &self.entries[i as usize]
    }

    /// Calls `see` with the bodies that a path may hit, some of them several times. Skips bodies after the time that
    /// the sink knows.
    #[inline]
    pub(super) fn for_each_on_path<S: Sink>(
        &self,
        path: &StraightPath,
        sink: &mut S,
        mut see: impl FnMut(&mut S, u32, &Entry),
    ) {
        let bounds = path.bounds();
        let mut look = |sink: &mut S, i: u32| {
            let entry = &self.entries[i as usize];
            if entry.is_near(path, &bounds) {
                see(sink, i, entry);
            }
        };
        if self.starts.is_empty() {
            (0..self.entries.len() as u32).for_each(|i| look(sink, i));
            return;
        }
        self.large.iter().for_each(|i| look(sink, *i));
        let (bottom, top) = path.rows(SHIFT);
        for step in 0..=top - bottom {
            let row = if path.motion.y >= 0 { bottom + step } else { top - step };
            let span = path.columns_within_rows((row, row), SHIFT);
            if sink.time_limit().is_some_and(|known| known < span.enter) {
                return;
            }
            let (left, right) = span.columns;
            for step in 0..(right - left + 1).min(1 << self.bits) {
                let column = if path.is_forward() { left + step } else { right - step };
                let block = block_index(column, row, self.bits);
                let (start, end) = (self.starts[block] as usize, self.starts[block + 1] as usize);
                if start == end {
                    continue;
                }
                if sink.time_limit().is_some_and(|known| known < path.column_entry_time(column, SHIFT)) {
                    break;
                }
                self.list[start..end].iter().for_each(|i| look(sink, *i));
            }
        }
    }

    /// Adds the bodies that a shape at a position touches to a list, in the order of the slots.
    pub(crate) fn find_contacts_of_shape(&self, shape: Shape, at: Position, found: &mut Vec<BodyContact>) {
        let bounds = Bounds::of_motion(shape, at, I64Vec2::ZERO).grown(TOUCH);
        let entries = self.find_within(&bounds).into_iter().map(|i| self.entry(i));
        found.extend(entries.filter_map(|entry| {
            let (point, normal) = entry.body.contact_with(shape, at)?;
            Some(BodyContact { other: entry.id, point, normal })
        }));
    }

    /// Returns the bodies that `bounds` may reach, each once, in the order of the slots.
    pub(super) fn find_within(&self, bounds: &Bounds) -> smallvec::SmallVec<[u32; 64]> {
        let half = (bounds.high - bounds.low) / 2 + 1;
        let path = StraightPath::of_box(bounds.low + half, I64Vec2::ZERO, half);
        let mut found = smallvec::SmallVec::new();
        self.for_each_on_path(&path, &mut (), |_, i, _| found.push(i));
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn block_range(bounds: &Bounds) -> (I64Vec2, I64Vec2) {
    (bounds.low >> SHIFT, bounds.high >> SHIFT)
}

fn covers_too_many_blocks((low, high): (I64Vec2, I64Vec2), bits: u32) -> bool {
    let size = high - low + 1;
    size.max_element() > 1 << bits || size.x * size.y > MAX_BLOCKS_PER_BODY
}

#[inline]
fn block_index(column: i64, row: i64, bits: u32) -> usize {
    let mask = (1 << bits) - 1;
    ((row & mask) << bits | (column & mask)) as usize
}

#[inline]
fn for_each_block((low, high): (I64Vec2, I64Vec2), bits: u32, mut see: impl FnMut(usize)) {
    for row in low.y..=high.y {
        (low.x..=high.x).for_each(|column| see(block_index(column, row, bits)));
    }
}

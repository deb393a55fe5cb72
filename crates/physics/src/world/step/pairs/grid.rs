//! Spatial hash: finds the bodies whose zones overlap. A zone is the bounds that contain a body during the tick.
//!
//! A zone is in all cells that it covers, and a zone that grows is added again. Every hit is tested with its exact
//! bounds and sorted by slot, so neither cells nor buckets affect a result.

use crate::motion::Bounds;
use surefoot_geometry::ONE;

/// Cell size as a power of two in units: four tiles. Affects speed only.
const CELL_SIZE_LOG2: u32 = 34;
const _: () = assert!(1 << CELL_SIZE_LOG2 == 4 * ONE, "four tiles");

/// Largest number of cells for one zone. A larger zone goes into the list `large`. Affects speed only.
const MAX_CELLS_PER_ZONE: i64 = 64;

/// Ends a chain of entries.
const END: u32 = u32::MAX;

#[derive(Debug, Default)]
pub(in crate::world::step) struct Grid {
    /// The first entry of each bucket.
    heads: Vec<u32>,
    entries: Vec<Entry>,
    /// Bodies whose zones cover too many cells.
    large: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    body: u32,
    next: u32,
}

impl Grid {
    /// Empties the grid and makes room for `bodies` bodies.
    pub(in crate::world::step) fn clear(&mut self, bodies: usize) {
        let buckets = (2 * bodies).next_power_of_two().max(16);
        self.heads.clear();
        self.heads.resize(buckets, END);
        self.entries.clear();
        self.large.clear();
    }

    /// Makes room for `entries` entries.
    pub(super) fn reserve(&mut self, entries: usize) {
        self.entries.reserve(entries);
    }

    /// Number of entries, outdated ones included. Each body has one in each of its cells.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Adds a body.
    pub(in crate::world::step) fn insert(&mut self, body: u32, zone: &Bounds) {
        let Some((low, high)) = cell_range_within(zone) else {
            if !self.large.contains(&body) {
                self.large.push(body);
            }
            return;
        };
        for y in low.1..=high.1 {
            for x in low.0..=high.0 {
                let bucket = self.bucket_of_cell(x, y);
                let next = self.heads[bucket];
                // Two cells of the zone may share a bucket. Then the first entry of the bucket is already of this body.
                if next != END && self.entries[next as usize].body == body {
                    continue;
                }
                self.heads[bucket] = self.entries.len() as u32;
                self.entries.push(Entry { body, next });
            }
        }
    }

    /// Adds a body, and passes every earlier body whose zone overlaps its own to `see`, each once.
    pub(in crate::world::step) fn insert_and_visit_overlapping(
        &mut self,
        body: u32,
        zone: &Bounds,
        zones: impl Fn(u32) -> Bounds,
        mut see: impl FnMut(u32),
    ) {
        let Some((low, high)) = cell_range_within(zone) else {
            (0..body).filter(|other| zones(*other).intersects(zone)).for_each(&mut see);
            self.large.push(body);
            return;
        };
        for y in low.1..=high.1 {
            for x in low.0..=high.0 {
                let bucket = self.bucket_of_cell(x, y);
                let first = self.heads[bucket];
                if first != END && self.entries[first as usize].body == body {
                    // Two cells of the zone share a bucket, which has been visited.
                    continue;
                }
                let mut next = first;
                while next != END {
                    let Entry { body: other, next: after } = self.entries[next as usize];
                    let there = zones(other);
                    if there.intersects(zone) {
                        // The two zones may share several cells. Report the pair only in the lowest of them.
                        let lowest = there.low.max(zone.low);
                        let cell = (lowest.x >> CELL_SIZE_LOG2, lowest.y >> CELL_SIZE_LOG2);
                        if self.bucket_of_cell(cell.0, cell.1) == bucket {
                            see(other);
                        }
                    }
                    next = after;
                }
                self.heads[bucket] = self.entries.len() as u32;
                self.entries.push(Entry { body, next: first });
            }
        }
        self.large.iter().filter(|other| zones(**other).intersects(zone)).for_each(|other| see(*other));
    }

    /// Fills `found` with the bodies whose zones overlap `bounds`, as `is_hit` tells, in order and each once. `count`:
    /// number of all bodies.
    pub(in crate::world::step) fn find_overlapping(
        &self,
        bounds: &Bounds,
        is_hit: impl Fn(u32) -> bool,
        count: usize,
        found: &mut Vec<u32>,
    ) {
        found.clear();
        match cell_range_within(bounds) {
            Some((low, high)) => {
                for y in low.1..=high.1 {
                    for x in low.0..=high.0 {
                        let mut next = self.heads[self.bucket_of_cell(x, y)];
                        while next != END {
                            let Entry { body, next: after } = self.entries[next as usize];
                            if is_hit(body) {
                                found.push(body);
                            }
                            next = after;
                        }
                    }
                }
                found.extend(self.large.iter().filter(|body| is_hit(**body)));
            }
            None => {
                let all = 0..count as u32;
                found.extend(all.filter(|body| is_hit(*body)));
            }
        }
        found.sort_unstable();
        found.dedup();
    }

    fn bucket_of_cell(&self, x: i64, y: i64) -> usize {
        let hash = (x as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (y as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        (hash ^ hash >> 32) as usize & (self.heads.len() - 1)
    }
}

/// Returns the lowest and the highest cell of `bounds`. `None` if there are too many cells.
fn cell_range_within(bounds: &Bounds) -> Option<((i64, i64), (i64, i64))> {
    let (low, high) = (bounds.low, bounds.high);
    let low = (low.x >> CELL_SIZE_LOG2, low.y >> CELL_SIZE_LOG2);
    let high = (high.x >> CELL_SIZE_LOG2, high.y >> CELL_SIZE_LOG2);
    ((high.0 - low.0 + 1) * (high.1 - low.1 + 1) <= MAX_CELLS_PER_ZONE).then_some((low, high))
}

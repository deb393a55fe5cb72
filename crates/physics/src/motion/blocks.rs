//! Uniform grid of platforms, and the total distance that platforms have travelled. Both only tell bodies when they
//! need not search for platforms. Affects speed only.

use super::source::Platform;
use super::visit::Bounds;
use glam::I64Vec2;
use surefoot_geometry::ONE;

/// The platforms in each block of 8 by 8 tiles. Indices wrap round: a block stands for all blocks 64 blocks away from
/// it. Affects speed only.
#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    /// For each row of blocks, a bit for each column with a platform.
    rows: [u64; 64],
    /// Start of each block's platforms in `platforms`, row by row, and the end of the row's last block. Only valid for
    /// rows with a platform.
    starts: Vec<u32>,
    platforms: Vec<u32>,
    /// Platforms that span 64 blocks or more, so that indices would wrap onto each other.
    large: Vec<u32>,
    /// Distance in units: the sum of the fastest platform's step over all ticks. A teleport counts as
    /// [`Blocks::TELEPORT_DISTANCE`].
    travelled: u64,
    /// Distance in units, like `travelled`, but only of strays: platforms whose path has no known bounds.
    strayed: u64,
    /// Value of `strayed` when the blocks were last filled.
    filled: u64,
    /// Whether platforms were teleported since the last tick.
    put_elsewhere: bool,
}

impl Default for Blocks {
    fn default() -> Blocks {
        let (starts, platforms, large) = (Vec::new(), Vec::new(), Vec::new());
        Blocks { rows: [0; 64], starts, platforms, large, travelled: 0, strayed: 0, filled: 0, put_elsewhere: false }
    }
}

/// A travelled distance of the world's platforms, in 1/16 tiles: either the present distance, or the distance up to
/// which a cached fact stays valid.
///
/// The 16-bit numbers wrap round. So a fact must be dropped in the tick in which it becomes invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TravelMark(u16);

impl TravelMark {
    /// Mark of a fact that is not valid.
    pub(crate) const NONE: TravelMark = TravelMark(0);
    /// Units in a step of a mark, as a power of two.
    const STEP_SHIFT: u32 = 28;
    /// Maximum distance of a mark ahead of the present one, in steps.
    const MAX_STEPS_AHEAD: u16 = 8 << (32 - TravelMark::STEP_SHIFT);

    /// Returns whether a fact with this mark is valid when the travelled distance is `now`.
    #[inline(always)]
    pub(crate) fn is_valid_at(self, now: TravelMark) -> bool {
        self.0.wrapping_sub(now.0) <= TravelMark::MAX_STEPS_AHEAD
    }
}

/// The distances that the platforms of a world have travelled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlatformTravel {
    /// All platforms.
    pub(crate) all: TravelMark,
    /// Platforms whose path has no known bounds.
    pub(crate) strays: TravelMark,
}

impl PlatformTravel {
    /// The distances in a world without platforms.
    pub(crate) const NONE: PlatformTravel = PlatformTravel { all: TravelMark::NONE, strays: TravelMark::NONE };
}

/// Returns the lowest and the highest block that `bounds` reaches.
fn block_range(bounds: &Bounds) -> (I64Vec2, I64Vec2) {
    (bounds.low >> Blocks::BLOCK_SHIFT, bounds.high >> Blocks::BLOCK_SHIFT)
}

/// Calls `see` with the row and the column of each block of a range.
#[inline]
fn for_each_block((low, high): (I64Vec2, I64Vec2), mut see: impl FnMut(usize, usize)) {
    for y in low.y..=high.y {
        (low.x..=high.x).for_each(|x| see((y & 63) as usize, (x & 63) as usize));
    }
}

impl Blocks {
    /// Units in a block, as a power of two.
    const BLOCK_SHIFT: u32 = 35;
    /// Distance that platforms can travel before the blocks must be filled again, in units: 2 tiles. Each platform is
    /// entered with this margin.
    const REFILL_DISTANCE: i64 = 2 * ONE;
    /// A travelled distance greater than every mark allows, in units: 16 tiles. After a teleport it makes all cached
    /// facts invalid.
    const TELEPORT_DISTANCE: u64 = 16 * ONE as u64;
    /// Number of starts in a row of blocks, plus the end of the last block.
    const STARTS_PER_ROW: usize = 65;

    /// Adds the steps of the platforms in this tick to the travelled distances. `longest` is an upper bound of all
    /// steps, `longest_stray` of the steps of platforms whose path has no known bounds.
    pub(crate) fn add_travel(&mut self, platforms: &[Platform], longest: i64, longest_stray: i64) {
        let far = if std::mem::take(&mut self.put_elsewhere) { Self::TELEPORT_DISTANCE } else { 0 };
        self.travelled = self.travelled.wrapping_add(longest as u64 + far);
        self.strayed = self.strayed.wrapping_add(longest_stray as u64 + far);
        if self.strayed.wrapping_sub(self.filled) > Self::REFILL_DISTANCE as u64 {
            self.fill_with_platforms(platforms);
        }
    }

    /// Call after platforms were teleported, added or removed.
    pub(crate) fn refill_after_teleport(&mut self, platforms: &[Platform]) {
        self.put_elsewhere = true;
        self.fill_with_platforms(platforms);
    }

    /// Returns the distances travelled until now.
    #[inline]
    pub(crate) fn travel_so_far(&self) -> PlatformTravel {
        let mark = |way: u64| {
            TravelMark((way.wrapping_add((1 << TravelMark::STEP_SHIFT) - 1) >> TravelMark::STEP_SHIFT) as u16)
        };
        PlatformTravel { all: mark(self.travelled), strays: mark(self.strayed) }
    }

    /// Returns the distances after the fastest platform has moved `units` further, at most 8 tiles.
    pub(crate) fn travel_after(&self, units: i64) -> PlatformTravel {
        let mark = |way: u64| TravelMark((way.wrapping_add(units as u64) >> TravelMark::STEP_SHIFT) as u16);
        PlatformTravel { all: mark(self.travelled), strays: mark(self.strayed) }
    }

    /// Fills the blocks. Each platform is entered in the blocks of all cells that it can reach before the next fill.
    fn fill_with_platforms(&mut self, platforms: &[Platform]) {
        self.filled = self.strayed;
        let Blocks { rows, starts, platforms: list, large, .. } = self;
        *rows = [0; 64];
        if platforms.is_empty() {
            return;
        }
        starts.resize(64 * Self::STARTS_PER_ROW, 0);
        list.clear();
        large.clear();
        let there = || (0..platforms.len()).rev().filter(|i| platforms[*i].is_there);
        for i in there() {
            let bounds = Self::bounds_platform_can_reach(&platforms[i]);
            let columns = column_bits(&bounds);
            for_each_row(&bounds, |row| rows[row] |= columns);
        }
        // Clear only the rows that have a platform: the other rows are never read.
        let used = |row: &usize| rows[*row] != 0;
        (0..64).filter(used).for_each(|row| starts[row * Self::STARTS_PER_ROW..][..Self::STARTS_PER_ROW].fill(0));
        // Counting sort: count the platforms per block, turn the counts into the end index of each block, then insert
        // backwards from there.
        for i in there() {
            let range = block_range(&Self::bounds_platform_can_reach(&platforms[i]));
            if (range.1 - range.0).max_element() >= 64 {
                large.push(i as u32);
            } else {
                for_each_block(range, |row, column| starts[row * Self::STARTS_PER_ROW + column] += 1);
            }
        }
        let mut total = 0;
        for row in (0..64).filter(used) {
            for start in &mut starts[row * Self::STARTS_PER_ROW..][..Self::STARTS_PER_ROW] {
                total += *start;
                *start = total;
            }
        }
        list.resize(total as usize, 0);
        for i in there() {
            let range = block_range(&Self::bounds_platform_can_reach(&platforms[i]));
            if (range.1 - range.0).max_element() < 64 {
                for_each_block(range, |row, column| {
                    let start = &mut starts[row * Self::STARTS_PER_ROW + column];
                    *start -= 1;
                    list[*start as usize] = i as u32;
                });
            }
        }
    }

    /// Returns the cells that a platform can reach before the blocks are filled again.
    fn bounds_platform_can_reach(platform: &Platform) -> Bounds {
        platform.path_bounds().unwrap_or_else(|| platform.bounds().grown(Self::REFILL_DISTANCE))
    }

    /// Copies other blocks into this memory.
    pub(crate) fn copy(&mut self, from: &Blocks) {
        self.rows = from.rows;
        self.starts.clone_from(&from.starts);
        self.platforms.clone_from(&from.platforms);
        self.large.clone_from(&from.large);
        (self.travelled, self.strayed) = (from.travelled, from.strayed);
        (self.filled, self.put_elsewhere) = (from.filled, from.put_elsewhere);
    }

    /// Calls `see` with the platforms in the blocks that `bounds` reaches, some of them several times. `None` if
    /// `bounds` spans too many blocks.
    #[inline]
    pub(super) fn try_for_each_near_platform(&self, bounds: &Bounds, mut see: impl FnMut(u32)) -> Option<()> {
        if !self.may_reach_platforms(bounds) {
            return Some(());
        }
        let range = block_range(bounds);
        if (range.1 - range.0).max_element() >= 8 {
            return None;
        }
        self.large.iter().for_each(|i| see(*i));
        for_each_block(range, |row, column| {
            if self.rows[row] >> column & 1 != 0 {
                let block = row * Self::STARTS_PER_ROW + column;
                let (start, end) = (self.starts[block] as usize, self.starts[block + 1] as usize);
                self.platforms[start..end].iter().for_each(|i| see(*i));
            }
        });
        Some(())
    }

    /// Returns whether a platform may be within `bounds`.
    #[inline]
    pub(crate) fn may_reach_platforms(&self, bounds: &Bounds) -> bool {
        let columns = column_bits(bounds);
        let mut met = 0;
        for_each_row(bounds, |row| met |= self.rows[row] & columns);
        met != 0
    }
}

#[inline]
fn for_each_row(bounds: &Bounds, mut see: impl FnMut(usize)) {
    let (low, high) = (bounds.low.y >> Blocks::BLOCK_SHIFT, bounds.high.y >> Blocks::BLOCK_SHIFT);
    (low..=high.min(low.saturating_add(63))).for_each(|row| see((row & 63) as usize));
}

#[inline]
fn column_bits(bounds: &Bounds) -> u64 {
    let (low, high) = (bounds.low.x >> Blocks::BLOCK_SHIFT, bounds.high.x >> Blocks::BLOCK_SHIFT);
    match high - low {
        more @ 0..63 => (u64::MAX >> (63 - more as u32)).rotate_left((low & 63) as u32),
        ..0 => 0,
        _ => u64::MAX,
    }
}

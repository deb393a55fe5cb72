//! Where the platforms of a world are, by blocks of tiles, and how far they have gone. It decides about speed alone.

use super::source::Platform;
use super::visit::Bounds;
use glam::I64Vec2;
use surefoot_geometry::ONE;

/// Which platforms are in which blocks of 8 by 8 tiles, each block standing for all those 64 blocks away from it. It
/// decides about speed alone.
#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    /// Whether some platform is in a block: a bit for each column.
    rows: [u64; 64],
    /// Where the platforms of a block begin in the list, row by row, and where the last one's of a row end; only of rows
    /// with a platform.
    starts: Vec<u32>,
    platforms: Vec<u32>,
    /// Platforms over more blocks than stand for different ones.
    large: Vec<u32>,
    /// How far the fastest platform of each tick has gone in all of them, in units; what platforms that were put elsewhere
    /// have gone counts as [`Blocks::FAR`].
    travelled: u64,
    /// How far that of those has gone of which it is not known where they stay.
    strayed: u64,
    /// How far these had gone when the blocks were filled last.
    filled: u64,
    /// Platforms were put elsewhere since the last tick.
    put_elsewhere: bool,
}

impl Default for Blocks {
    fn default() -> Blocks {
        let (starts, platforms, large) = (Vec::new(), Vec::new(), Vec::new());
        Blocks { rows: [0; 64], starts, platforms, large, travelled: 0, strayed: 0, filled: 0, put_elsewhere: false }
    }
}

/// How far the platforms of a world have gone, in 1/16 tiles, and up to where that may go for something to stay true. It counts
/// round: what is not true any more has to be given up in the tick in which that comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark(u16);

impl Mark {
    /// A mark for what is given up.
    pub(crate) const NONE: Mark = Mark(0);
    /// Units in a step of a mark, as a power of two.
    const SHIFT: u32 = 28;
    /// The furthest that a mark is ahead, in its own steps.
    const MOST: u16 = 8 << (32 - Mark::SHIFT);

    /// Whether what is true up to this mark is true at another one.
    #[inline(always)]
    pub(crate) fn allows(self, now: Mark) -> bool {
        self.0.wrapping_sub(now.0) <= Mark::MOST
    }

    /// Of two marks ahead, the one that comes first.
    #[inline]
    pub(crate) fn sooner(self, other: Mark, now: Mark) -> Mark {
        if other.0.wrapping_sub(now.0) < self.0.wrapping_sub(now.0) { other } else { self }
    }

    /// The mark furthest ahead.
    #[inline]
    pub(crate) fn furthest(now: Mark) -> Mark {
        Mark(now.0.wrapping_add(Mark::MOST))
    }
}

/// How far the platforms of a world have gone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gone {
    /// All platforms.
    pub(crate) all: Mark,
    /// The platforms of which it is not known where they stay.
    pub(crate) strays: Mark,
}

impl Gone {
    /// Of a world without platforms.
    pub(crate) const NONE: Gone = Gone { all: Mark::NONE, strays: Mark::NONE };
}

/// The blocks that bounds reach.
fn block_range(bounds: &Bounds) -> (I64Vec2, I64Vec2) {
    (bounds.low >> Blocks::SHIFT, bounds.high >> Blocks::SHIFT)
}

/// Shows the row and the column of each block of a range.
#[inline]
fn each_block((low, high): (I64Vec2, I64Vec2), mut see: impl FnMut(usize, usize)) {
    for y in low.y..=high.y {
        (low.x..=high.x).for_each(|x| see((y & 63) as usize, (x & 63) as usize));
    }
}

impl Blocks {
    /// Units in a block, as a power of two.
    const SHIFT: u32 = 35;
    /// How far platforms may go until the blocks are filled anew, in units: 2 tiles.
    const AROUND: i64 = 2 * ONE;
    /// More than any mark is ahead, in units: 16 tiles.
    const FAR: u64 = 16 * ONE as u64;
    /// The starts of a row of blocks, and the end of the last one.
    const ROW: usize = 65;

    /// The platforms have set out, each by its step, of which none is longer than that, and none of a platform of which it
    /// is not known where it stays is longer than the other length.
    pub(crate) fn set_out(&mut self, platforms: &[Platform], longest: i64, longest_stray: i64) {
        let far = if std::mem::take(&mut self.put_elsewhere) { Self::FAR } else { 0 };
        self.travelled = self.travelled.wrapping_add(longest as u64 + far);
        self.strayed = self.strayed.wrapping_add(longest_stray as u64 + far);
        if self.strayed.wrapping_sub(self.filled) > Self::AROUND as u64 {
            self.fill(platforms);
        }
    }

    /// Platforms were put elsewhere, have come or have gone.
    pub(crate) fn put_elsewhere(&mut self, platforms: &[Platform]) {
        self.put_elsewhere = true;
        self.fill(platforms);
    }

    /// How far the platforms have gone until now.
    #[inline]
    pub(crate) fn now(&self) -> Gone {
        let mark = |way: u64| Mark((way.wrapping_add((1 << Mark::SHIFT) - 1) >> Mark::SHIFT) as u16);
        Gone { all: mark(self.travelled), strays: mark(self.strayed) }
    }

    /// How far they will have gone when the fastest one has gone so many units more, at most 8 tiles.
    pub(crate) fn after(&self, units: i64) -> Gone {
        let mark = |way: u64| Mark((way.wrapping_add(units as u64) >> Mark::SHIFT) as u16);
        Gone { all: mark(self.travelled), strays: mark(self.strayed) }
    }

    /// Makes these the blocks of platforms, of their ways in the tick under way, and of what they may come to later.
    fn fill(&mut self, platforms: &[Platform]) {
        self.filled = self.strayed;
        let Blocks { rows, starts, platforms: list, large, .. } = self;
        *rows = [0; 64];
        if platforms.is_empty() {
            return;
        }
        starts.resize(64 * Self::ROW, 0);
        list.clear();
        large.clear();
        let there = || (0..platforms.len()).rev().filter(|i| platforms[*i].is_there);
        for i in there() {
            let bounds = Self::reach_of(&platforms[i]);
            let columns = columns(&bounds);
            each_row(&bounds, |row| rows[row] |= columns);
        }
        // Rows without a platform are not asked for.
        let used = |row: &usize| rows[*row] != 0;
        (0..64).filter(used).for_each(|row| starts[row * Self::ROW..][..Self::ROW].fill(0));
        // How many there are in each block, then where each block's end, and last the platforms from there back.
        for i in there() {
            let range = block_range(&Self::reach_of(&platforms[i]));
            if (range.1 - range.0).max_element() >= 64 {
                large.push(i as u32);
            } else {
                each_block(range, |row, column| starts[row * Self::ROW + column] += 1);
            }
        }
        let mut total = 0;
        for row in (0..64).filter(used) {
            for start in &mut starts[row * Self::ROW..][..Self::ROW] {
                total += *start;
                *start = total;
            }
        }
        list.resize(total as usize, 0);
        for i in there() {
            let range = block_range(&Self::reach_of(&platforms[i]));
            if (range.1 - range.0).max_element() < 64 {
                each_block(range, |row, column| {
                    let start = &mut starts[row * Self::ROW + column];
                    *start -= 1;
                    list[*start as usize] = i as u32;
                });
            }
        }
    }

    /// What a platform may come to until the blocks are filled anew.
    fn reach_of(platform: &Platform) -> Bounds {
        platform.home().unwrap_or_else(|| platform.bounds().grown(Self::AROUND))
    }

    /// Becomes a copy of other blocks, in its own memory.
    pub(crate) fn copy(&mut self, from: &Blocks) {
        self.rows = from.rows;
        self.starts.clone_from(&from.starts);
        self.platforms.clone_from(&from.platforms);
        self.large.clone_from(&from.large);
        (self.travelled, self.strayed) = (from.travelled, from.strayed);
        (self.filled, self.put_elsewhere) = (from.filled, from.put_elsewhere);
    }

    /// Shows the platforms in the blocks that bounds reach, some of them several times; `None` for bounds over too many blocks.
    #[inline]
    pub(super) fn each_near(&self, bounds: &Bounds, mut see: impl FnMut(u32)) -> Option<()> {
        if !self.may_meet(bounds) {
            return Some(());
        }
        let range = block_range(bounds);
        if (range.1 - range.0).max_element() >= 8 {
            return None;
        }
        self.large.iter().for_each(|i| see(*i));
        each_block(range, |row, column| {
            if self.rows[row] >> column & 1 != 0 {
                let block = row * Self::ROW + column;
                let (start, end) = (self.starts[block] as usize, self.starts[block + 1] as usize);
                self.platforms[start..end].iter().for_each(|i| see(*i));
            }
        });
        Some(())
    }

    /// Whether some platform may be within bounds.
    #[inline]
    pub(crate) fn may_meet(&self, bounds: &Bounds) -> bool {
        let columns = columns(bounds);
        let mut met = 0;
        each_row(bounds, |row| met |= self.rows[row] & columns);
        met != 0
    }
}

#[inline]
fn each_row(bounds: &Bounds, mut see: impl FnMut(usize)) {
    let (low, high) = (bounds.low.y >> Blocks::SHIFT, bounds.high.y >> Blocks::SHIFT);
    (low..=high.min(low.saturating_add(63))).for_each(|row| see((row & 63) as usize));
}

#[inline]
fn columns(bounds: &Bounds) -> u64 {
    let (low, high) = (bounds.low.x >> Blocks::SHIFT, bounds.high.x >> Blocks::SHIFT);
    match high - low {
        more @ 0..63 => (u64::MAX >> (63 - more as u32)).rotate_left((low & 63) as u32),
        ..0 => 0,
        _ => u64::MAX,
    }
}

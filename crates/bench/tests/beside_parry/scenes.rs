//! The random scenes, and the counts of their verdicts.

use std::collections::BTreeMap;
use std::fmt::Debug;
use surefoot_bench::geometry::shapes::Draw;
use surefoot_bench::random::Random;

/// Returns the number of scenes of a query.
pub fn count() -> u64 {
    match std::env::var("SUREFOOT_SCENES") {
        Ok(count) => count.parse().expect("SUREFOOT_SCENES is a number"),
        Err(_) => 20_000,
    }
}

/// The witness judges one of this many scenes on which both agree.
pub const SAMPLE: u64 = 16;

/// Number of pairs of kinds for a query on two shapes.
pub const PAIRS: u64 = 18;

/// Calls a function that is generic over two kinds of shapes for each of the [`PAIRS`].
macro_rules! for_each_pair {
    ($compare:ident, $tally:expr) => {{
        use surefoot_geometry::{Aabb, Capsule, Circle, ConvexPolygon, Obb, Segment, Triangle};
        $compare::<Circle, Circle>($tally);
        $compare::<Circle, Segment>($tally);
        $compare::<Circle, Aabb>($tally);
        $compare::<Circle, Obb>($tally);
        $compare::<Circle, Capsule>($tally);
        $compare::<Circle, Triangle>($tally);
        $compare::<Circle, ConvexPolygon>($tally);
        $compare::<Aabb, Aabb>($tally);
        $compare::<Aabb, Obb>($tally);
        $compare::<Obb, Obb>($tally);
        $compare::<Aabb, Segment>($tally);
        $compare::<Aabb, Triangle>($tally);
        $compare::<Obb, Triangle>($tally);
        $compare::<Segment, Segment>($tally);
        $compare::<Capsule, Capsule>($tally);
        $compare::<Triangle, Triangle>($tally);
        $compare::<ConvexPolygon, ConvexPolygon>($tally);
        $compare::<ConvexPolygon, Segment>($tally);
    }};
}
pub(crate) use for_each_pair;

/// In what scenes differ: on a coarse grid much touches and is parallel, on a fine one nothing is. On both, differences
/// of coordinates are exact, so that parry's frames of shapes round nothing but what they turn.
const GRAINS: [f64; 4] = [0.25, 1.0 / 16.0, 1.0 / 1024.0, 1.0 / 1_048_576.0];

/// Returns the random numbers of each scene of one pair of shapes.
pub fn draws(seed: u64, count: u64) -> impl Iterator<Item = (u64, Draw)> {
    let draw = move |index: u64| Draw {
        random: Random((index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (seed << 32) | 1),
        grain: GRAINS[(index % 4) as usize],
    };
    (0..count).map(move |index| (index, draw(index)))
}

/// Counts the verdicts of each pair of shapes.
#[derive(Debug)]
pub struct Tally<V> {
    /// Number of scenes of each pair.
    pub scenes: u64,
    verdicts: BTreeMap<V, BTreeMap<String, u64>>,
}

impl<V: Ord + Copy + Debug> Tally<V> {
    /// Makes an empty tally for a number of pairs.
    pub fn of(pairs: u64) -> Tally<V> {
        Tally { scenes: count().div_ceil(pairs), verdicts: BTreeMap::new() }
    }

    pub fn add(&mut self, pair: &str, verdict: V) {
        *self.verdicts.entry(verdict).or_default().entry(pair.to_owned()).or_default() += 1;
    }

    pub fn count(&self, verdict: V) -> u64 {
        self.verdicts.get(&verdict).map_or(0, |pairs| pairs.values().sum())
    }

    /// Prints the counts. For verdicts that are not common, also prints the counts of each pair.
    pub fn print(&self, question: &str, common: &[V]) {
        for (verdict, pairs) in &self.verdicts {
            println!("{question}: {verdict:?} {}", self.count(*verdict));
            if !common.contains(verdict) {
                println!("    {pairs:?}");
            }
        }
    }
}

//! Runs each mover under the oracle, then times all movers in alternating rounds.

use crate::movers::{Crowd, Subject};
use crate::oracle::Faults;
use crate::scene::{Scene, TICK};
use crate::shots::{Shooter, Shot, ShotFaults};
use cpu_time::ThreadTime;
use surefoot::geometry::DVec2;

/// The length of a run.
#[derive(Clone, Copy, Debug)]
pub struct Length {
    /// Ticks under the oracle.
    pub judged: u64,
    /// Timed rounds.
    pub rounds: usize,
    /// Ticks of a timed round.
    pub ticks: u64,
    /// Casts.
    pub shots: usize,
}

impl Length {
    /// Lengths with which the tables in `docs/benchmarks.md` are measured.
    pub const FULL: Length = Length { judged: 900, rounds: 9, ticks: 60, shots: crate::shots::SHOTS };
    /// Lengths of some seconds, with every assertion.
    pub const QUICK: Length = Length { judged: 60, rounds: 3, ticks: 10, shots: 5_000 };
}

/// A crowd's result.
#[derive(Clone, Copy, Debug, Default)]
pub struct Crowded {
    /// Nanoseconds of a body-step: the median of the rounds.
    pub nanos: f64,
    /// The faults that the oracle found.
    pub faults: Faults,
    /// Length of the path of a body in a second, in tiles: a body that is stuck is cheap to move.
    pub speed: f64,
}

/// Runs crowds on the same scene.
pub fn crowds(scene: &Scene, crowds: &mut [(Subject, Box<dyn Crowd>)], length: Length) -> Vec<Crowded> {
    let mut results = vec![Crowded::default(); crowds.len()];
    for ((subject, crowd), result) in crowds.iter_mut().zip(&mut results) {
        let mut way = 0.0;
        let mut positions: Vec<DVec2> = (0..crowd.bodies()).map(|i| crowd.place(i)).collect();
        for tick in 0..length.judged {
            crowd.tick(tick);
            for (i, before) in positions.iter_mut().enumerate() {
                let at = crowd.place(i);
                result.faults.see(subject.solids(scene), crowd.form(), at);
                way += before.distance(at);
                *before = at;
            }
        }
        result.speed = way / (length.judged as f64 * TICK * crowd.bodies() as f64);
    }
    let nanos = medians(crowds, length.rounds, |(_, crowd), _, round| {
        let first = length.judged + round * length.ticks;
        (first..first + length.ticks).for_each(|tick| crowd.tick(tick));
        length.ticks * crowd.bodies() as u64
    });
    for (((subject, crowd), result), nanos) in crowds.iter().zip(&mut results).zip(nanos) {
        result.nanos = nanos;
        for i in 0..crowd.bodies() {
            result.faults.count_lost(subject.solids(scene), scene.size(), crowd.place(i));
        }
    }
    results
}

/// A result of casts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shooting {
    /// Nanoseconds of a cast: the median of the rounds.
    pub nanos: f64,
    /// The faults that the oracle found.
    pub faults: ShotFaults,
}

/// Runs the same casts by all shooters.
pub fn shots(
    scene: &Scene,
    shooters: &mut [(Subject, Box<dyn Shooter>)],
    shots: &[Shot],
    length: Length,
) -> Vec<Shooting> {
    let mut results = vec![Shooting::default(); shooters.len()];
    for ((_, shooter), result) in shooters.iter_mut().zip(&mut results) {
        shots.iter().for_each(|shot| result.faults.see(scene, shot, shooter.shoot(shot)));
    }
    let times = shot_times(shooters, shots, length.rounds);
    results.iter_mut().zip(times).for_each(|(result, nanos)| result.nanos = nanos);
    results
}

/// Measures nanoseconds of a cast by each shooter: the median of the rounds.
pub fn shot_times(shooters: &mut [(Subject, Box<dyn Shooter>)], shots: &[Shot], rounds: usize) -> Vec<f64> {
    medians(shooters, rounds, |(_, shooter), _, _| {
        std::hint::black_box(shots.iter().map(|shot| shooter.shoot(shot)).sum::<f64>());
        shots.len() as u64
    })
}

/// Measures nanoseconds of a body-step of each crowd from a tick on: the median of the rounds. `ticks` is the length of
/// a round for each crowd.
pub fn crowd_times(crowds: &mut [Box<dyn Crowd>], from: u64, ticks: &[u64], rounds: usize) -> Vec<f64> {
    medians(crowds, rounds, |crowd, index, round| {
        let first = from + round * ticks[index];
        (first..first + ticks[index]).for_each(|tick| crowd.tick(tick));
        ticks[index] * crowd.bodies() as u64
    })
}

/// Times items in alternating rounds. Returns the median of the nanoseconds of a step of each item. `run` gets the
/// item, its index and the round, and returns the number of its steps.
pub fn medians<T>(items: &mut [T], rounds: usize, mut run: impl FnMut(&mut T, usize, u64) -> u64) -> Vec<f64> {
    let mut times = vec![Vec::new(); items.len()];
    for round in 0..rounds as u64 {
        for (index, (item, times)) in items.iter_mut().zip(&mut times).enumerate() {
            let begin = ThreadTime::now();
            let steps = run(item, index, round);
            times.push(begin.elapsed().as_nanos() as f64 / steps as f64);
        }
    }
    times.into_iter().map(median).collect()
}

/// Returns the median, or NaN without values.
#[must_use]
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

//! Measures riders: a few for long under the witness, then the time of a crowd.

use super::witness::Witness;
use super::{AttachedTo, Course, REST, Riders};
use crate::callgrind;
use crate::measure::{Length, medians};

/// Platforms of the timed crowd, and riders on each.
const CROWD: (usize, usize) = (100, 10);
/// Platforms of the long run, and riders on each.
const FEW: (usize, usize) = (10, 2);
/// Platforms of the run whose instructions are counted, and riders on each.
const COUNTED: (usize, usize) = (20, 10);
/// Two numbers of ticks whose difference is counted. In both, platforms of both speeds make whole rounds.
const COUNTED_TICKS: (u64, u64) = (REST + 240, REST + 480);

/// The printed results of one carrier.
#[derive(Clone, Debug)]
pub struct Ridden {
    /// The carrier.
    pub carrier: AttachedTo,
    /// Nanoseconds of a body-step, including the platforms: the median of the rounds.
    pub nanos: f64,
    /// Instructions of a body-step.
    pub instructions: Option<f64>,
    /// The witness of the long run.
    pub witness: Witness,
}

impl Ridden {
    /// Returns the faults of surefoot's riders, which must have none.
    #[must_use]
    pub fn wrong(&self, ticks: u64) -> Option<String> {
        let Witness { seen, off, deep, deepest, farthest, .. } = self.witness;
        let all = ticks * self.witness.riders() as u64;
        let is_perfect = (seen, off, deep, self.witness.lost()) == (all, 0, 0, 0) && deepest == 0.0 && farthest == 0.0;
        (self.carrier == AttachedTo::Surefoot && !is_perfect).then(|| format!("riders: {:?}", self.witness))
    }
}

/// Returns the length of the long run in ticks, from the start of the platforms.
#[must_use]
pub fn long(length: Length) -> u64 {
    if length.judged == Length::QUICK.judged { 300 } else { 36_000 }
}

/// Measures all carriers with platforms of one speed.
#[must_use]
pub fn riders(speed: u32, length: Length, counts: bool) -> Vec<Ridden> {
    let nanos = times(speed, length);
    let line = |(&carrier, nanos): (&AttachedTo, f64)| Ridden {
        carrier,
        nanos,
        instructions: if counts { instructions(carrier, speed) } else { None },
        witness: judge(carrier, speed, long(length)),
    };
    AttachedTo::ALL.iter().zip(nanos).map(line).collect()
}

/// Runs a few riders for `ticks` ticks under the witness.
#[must_use]
pub fn judge(carrier: AttachedTo, speed: u32, ticks: u64) -> Witness {
    let course = Course::new(FEW.0, FEW.1, speed);
    let mut riders = carrier.riders(&course);
    (0..REST).for_each(|tick| riders.tick(tick));
    let mut witness = Witness::of(&course, &mut *riders);
    for tick in REST..REST + ticks {
        riders.tick(tick);
        witness.see_tick(&course, &mut *riders);
    }
    witness
}

/// Measures nanoseconds of a body-step of each carrier with the whole crowd.
fn times(speed: u32, length: Length) -> Vec<f64> {
    let course = Course::new(CROWD.0, CROWD.1, speed);
    let mut crowds: Vec<Box<dyn Riders>> = AttachedTo::ALL.iter().map(|carrier| carrier.riders(&course)).collect();
    crowds.iter_mut().for_each(|riders| (0..REST).for_each(|tick| riders.tick(tick)));
    medians(&mut crowds, length.rounds, |riders, _, round| {
        let first = REST + round * length.ticks;
        (first..first + length.ticks).for_each(|tick| riders.tick(tick));
        length.ticks * course.starts.len() as u64
    })
}

/// Runs `ticks` ticks. Callgrind counts this.
pub fn run(carrier: AttachedTo, speed: u32, ticks: u64) {
    let mut riders = carrier.riders(&Course::new(COUNTED.0, COUNTED.1, speed));
    (0..ticks).for_each(|tick| riders.tick(tick));
}

/// Counts the instructions of one step per body. Returns `None` if valgrind is not installed.
#[must_use]
pub fn instructions(carrier: AttachedTo, speed: u32) -> Option<f64> {
    let arguments =
        |ticks: u64| ["riders", carrier.key(), &speed.to_string(), &ticks.to_string()].map(str::to_owned).into();
    let (short, long) = COUNTED_TICKS;
    callgrind::per_step(callgrind::instructions, arguments, short, long, (COUNTED.0 * COUNTED.1) as u64)
}

//! Measuring riders: a few for long under the witness, then a crowd for time.

use super::witness::Witness;
use super::{AttachedTo, Course, REST, Riders};
use crate::callgrind;
use crate::measure::{Length, median};
use cpu_time::ThreadTime;

/// Platforms and riders on each of the crowd that is timed.
const CROWD: (usize, usize) = (100, 10);
/// Platforms and riders on each of the long run.
const FEW: (usize, usize) = (10, 2);
/// Platforms and riders on each whose instructions are counted.
const COUNTED: (usize, usize) = (20, 10);
/// Two numbers of ticks whose difference is counted: whole rounds of the platforms of both speeds.
const COUNTED_TICKS: (u64, u64) = (REST + 240, REST + 480);

/// What is printed of one carrier.
#[derive(Clone, Debug)]
pub struct Ridden {
    /// What carries.
    pub carrier: AttachedTo,
    /// Nanoseconds of a body-step, the platforms' included: the median of the rounds.
    pub nanos: f64,
    /// Instructions of a body-step.
    pub instructions: Option<f64>,
    /// What became of the riders of the long run.
    pub witness: Witness,
}

impl Ridden {
    /// What is wrong where nothing may be.
    #[must_use]
    pub fn wrong(&self, ticks: u64) -> Option<String> {
        let Witness { seen, off, deep, deepest, farthest, .. } = self.witness;
        let all = ticks * self.witness.riders() as u64;
        let is_perfect = (seen, off, deep, self.witness.lost()) == (all, 0, 0, 0) && deepest == 0.0 && farthest == 0.0;
        (self.carrier == AttachedTo::Surefoot && !is_perfect).then(|| format!("riders: {:?}", self.witness))
    }
}

/// Ticks of the long run after the platforms have started.
#[must_use]
pub fn long(length: Length) -> u64 {
    if length.judged == Length::QUICK.judged { 300 } else { 36_000 }
}

/// Measures all carriers with platforms of that speed.
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

/// What becomes of a few riders in so many ticks.
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

/// Nanoseconds of a body-step of each carrier with the whole crowd, in rounds taken in turn.
fn times(speed: u32, length: Length) -> Vec<f64> {
    let course = Course::new(CROWD.0, CROWD.1, speed);
    let mut crowds: Vec<Box<dyn Riders>> = AttachedTo::ALL.iter().map(|carrier| carrier.riders(&course)).collect();
    crowds.iter_mut().for_each(|riders| (0..REST).for_each(|tick| riders.tick(tick)));
    let mut times = vec![Vec::new(); crowds.len()];
    for round in 0..length.rounds as u64 {
        let first = REST + round * length.ticks;
        for (riders, times) in crowds.iter_mut().zip(&mut times) {
            let begin = ThreadTime::now();
            (first..first + length.ticks).for_each(|tick| riders.tick(tick));
            times.push(begin.elapsed().as_nanos() as f64 / (length.ticks * course.starts.len() as u64) as f64);
        }
    }
    times.into_iter().map(median).collect()
}

/// So many ticks of the riders whose instructions are counted.
pub fn run(carrier: AttachedTo, speed: u32, ticks: u64) {
    let mut riders = carrier.riders(&Course::new(COUNTED.0, COUNTED.1, speed));
    (0..ticks).for_each(|tick| riders.tick(tick));
}

/// Instructions of a body-step, counted under valgrind; `None` without it.
#[must_use]
pub fn instructions(carrier: AttachedTo, speed: u32) -> Option<f64> {
    let arguments =
        |ticks: u64| ["riders", carrier.key(), &speed.to_string(), &ticks.to_string()].map(str::to_owned).into();
    let (short, long) = COUNTED_TICKS;
    callgrind::per_step(callgrind::instructions, arguments, short, long, (COUNTED.0 * COUNTED.1) as u64)
}

//! What the program runs: one mover for callgrind or a look, or all of them for the table.

use crate::measure::{self, Length};
use crate::movers::{Body, Crowd, Who};
use crate::scene::Scene;
use crate::shots;
use crate::table::{self, Line};
use crate::tolerance::CAST_DEPTH;
use crate::{callgrind, load, scale};
use cpu_time::ThreadTime;
use surefoot::geometry::DVec2;

/// Which of the measured works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Walkers.
    Crowd(Body),
    /// Balls that bounce.
    Balls,
    /// Casts.
    Cast,
}

impl Work {
    /// The one of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<Work> {
        match name {
            "circle" => Some(Work::Crowd(Body::Circle)),
            "box" => Some(Work::Crowd(Body::Box)),
            "balls" => Some(Work::Balls),
            "cast" => Some(Work::Cast),
            _ => None,
        }
    }

    /// As it is named on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Work::Crowd(body) => body.name(),
            Work::Balls => "balls",
            Work::Cast => "cast",
        }
    }

    /// Two lengths whose difference callgrind counts, in ticks or casts: after everybody has come down.
    #[must_use]
    pub fn lengths(self) -> (u64, u64) {
        match self {
            Work::Crowd(_) | Work::Balls => (60, 120),
            Work::Cast => (10_000, 30_000),
        }
    }

    /// The bodies that callgrind counts: all phases of the inputs are among them. Casts have none.
    #[must_use]
    pub fn counted_bodies(self) -> u64 {
        if self == Work::Cast { 1 } else { 200 }
    }

    /// The arguments of a run of this program that does this alone.
    #[must_use]
    pub fn arguments(self, who: Who, length: u64) -> Vec<String> {
        [self.name(), who.key(), &length.to_string(), &self.counted_bodies().to_string()].map(str::to_owned).into()
    }
}

/// Runs one work by one mover with so many bodies, if it has any; answers with nanoseconds of a step. `None` if the
/// mover does not do that work.
#[must_use]
pub fn one(work: Work, who: Who, length: u64, bodies: usize) -> Option<f64> {
    let scene = Scene::generated();
    if work == Work::Cast {
        let mut shooter = who.shooter(&scene)?;
        let shots = shots::shots(&scene, shots::SHOTS);
        let begin = ThreadTime::now();
        let sum: f64 = shots.iter().cycle().take(length as usize).map(|shot| shooter.shoot(shot)).sum();
        std::hint::black_box(sum);
        return Some(begin.elapsed().as_nanos() as f64 / length as f64);
    }
    let starts = scene.starts();
    let mut crowd = crowd(work, who, &scene, &starts[..bodies.min(starts.len())])?;
    let begin = ThreadTime::now();
    (0..length).for_each(|tick| crowd.tick(tick));
    Some(begin.elapsed().as_nanos() as f64 / (length * crowd.bodies() as u64) as f64)
}

fn crowd(work: Work, who: Who, scene: &Scene, starts: &[DVec2]) -> Option<Box<dyn Crowd>> {
    match work {
        Work::Crowd(body) => Some(who.crowd(scene, body, starts)),
        Work::Balls => who.balls(scene, starts),
        Work::Cast => None,
    }
}

/// Instructions of one step, counted under valgrind; `None` without it.
#[must_use]
pub fn instructions(work: Work, who: Who) -> Option<f64> {
    let (short, long) = work.lengths();
    callgrind::per_step(|length| work.arguments(who, length), short, long, work.counted_bodies())
}

/// Measures everything and prints the tables; answers with what is wrong with the engine.
#[must_use]
pub fn all(length: Length, counts: bool) -> Vec<String> {
    let mut wrong = Vec::new();
    let scene = Scene::generated();
    let counts = counts && callgrind::is_there();
    let count = |work, who| if counts { instructions(work, who) } else { None };
    let starts = scene.starts();
    println!("{}", table::heading());
    let works = [
        (Work::Crowd(Body::Circle), "Crowd of 1000 circles that walk and jump, a body-step"),
        (Work::Crowd(Body::Box), "Crowd of 1000 boxes that walk and jump, a body-step"),
        (Work::Balls, "1000 balls that bounce, a body-step"),
    ];
    for (work, title) in works {
        let mut crowds: Vec<(Who, Box<dyn Crowd>)> =
            Who::ALL.iter().filter_map(|&who| Some((who, crowd(work, who, &scene, &starts)?))).collect();
        let results = measure::crowds(&scene, &mut crowds, length);
        let faults = results[0].faults;
        if faults.deepest > 0.0 || faults.lost > 0 || faults.seen != length.judged * starts.len() as u64 {
            wrong.push(format!("{title}: {faults:?}"));
        }
        let line = |(&(who, _), result)| Line { who, result, instructions: count(work, who) };
        let lines: Vec<_> = crowds.iter().zip(results).map(line).collect();
        println!("{}", table::crowd(title, &lines));
    }

    let shots = shots::shots(&scene, length.shots);
    let mut shooters: Vec<_> = Who::ALL.iter().filter_map(|&who| Some((who, who.shooter(&scene)?))).collect();
    let results = measure::shots(&scene, &mut shooters, &shots, length);
    let faults = results[0].faults;
    if faults.deepest > CAST_DEPTH || faults.early > 0 || faults.hits == 0 {
        wrong.push(format!("casts: {faults:?}"));
    }
    let line = |(&(who, _), result)| Line { who, result, instructions: count(Work::Cast, who) };
    let lines: Vec<_> = shooters.iter().zip(results).map(line).collect();
    let title = format!("{} casts of a circle over 2 to 4 tiles, a cast", shots.len());
    println!("{}", table::shots(&title, &lines));

    let (rooms, side): (&[usize], usize) =
        if length.judged == Length::QUICK.judged { (&[1, 8], 512) } else { (&[1, 4, 16, 64, 128], load::SIDE) };
    println!("{}", table::scale(&scale::scale(rooms, length.rounds, length.ticks)));
    let loaded = load::load(&scene, side, counts);
    println!("{}", table::load(side, &loaded));
    if side == load::SIDE {
        wrong.extend(loaded.iter().filter_map(load::Loaded::wrong));
    }
    println!("{}", table::notes(length.rounds));
    wrong
}

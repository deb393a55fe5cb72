//! The work of the program: one mover for callgrind or a quick look, or all movers for the table.

use crate::measure::{self, Crowded, Length};
use crate::movers::surefoot::InWorld;
use crate::movers::{Body, Crowd, Subject};
use crate::scene::{BODIES, Scene};
use crate::shots::{self, Shooter, Shot};
use crate::sizes;
use crate::table::{self, Line};
use crate::tolerance::CAST_DEPTH;
use crate::{callgrind, load, riders, scale};
use cpu_time::ThreadTime;
use surefoot::geometry::DVec2;

/// A measured work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Walkers.
    Crowd(Body),
    /// One walker in a world of its own.
    Alone(Body),
    /// Characters without input, among which nothing moves.
    Rest(Body),
    /// Balls that bounce.
    Balls,
    /// Casts.
    Cast(Shots),
    /// The loop around casts, without them.
    Aim(Shots),
}

/// A selection of casts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shots {
    /// All.
    All,
    /// The casts that hit something.
    Hits,
    /// The casts whose path is free.
    Misses,
}

/// Every work with its name on the command line.
const WORKS: [(&str, Work); 12] = [
    ("circle", Work::Crowd(Body::Circle)),
    ("box", Work::Crowd(Body::Box)),
    ("alone-circle", Work::Alone(Body::Circle)),
    ("alone-box", Work::Alone(Body::Box)),
    ("rest-circle", Work::Rest(Body::Circle)),
    ("rest-box", Work::Rest(Body::Box)),
    ("balls", Work::Balls),
    ("cast", Work::Cast(Shots::All)),
    ("cast-hits", Work::Cast(Shots::Hits)),
    ("cast-misses", Work::Cast(Shots::Misses)),
    ("aim-hits", Work::Aim(Shots::Hits)),
    ("aim-misses", Work::Aim(Shots::Misses)),
];

impl Work {
    /// Returns the work of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<Work> {
        WORKS.into_iter().find(|(own, _)| *own == name).map(|(_, work)| work)
    }

    /// Returns the name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        WORKS.into_iter().find(|(_, work)| *work == self).map_or("aim", |(name, _)| name)
    }

    /// Returns whether the work is casts, or the loop around them.
    #[must_use]
    pub fn is_shooting(self) -> bool {
        matches!(self, Work::Cast(_) | Work::Aim(_))
    }

    /// Two lengths whose difference is counted, in ticks or casts: after everybody has come down. One walker is counted
    /// over ten rounds of its inputs, which come again every 360 ticks.
    #[must_use]
    pub fn lengths(self) -> (u64, u64) {
        match self {
            Work::Crowd(_) | Work::Balls => (60, 120),
            Work::Alone(_) => (360, 3960),
            Work::Rest(_) => (120, 180),
            Work::Cast(_) | Work::Aim(_) => (10_000, 30_000),
        }
    }

    /// The bodies whose instructions are counted: all phases of the inputs are among them. Casts have none.
    #[must_use]
    pub fn counted_bodies(self) -> u64 {
        match self {
            Work::Crowd(_) | Work::Balls => 200,
            Work::Rest(_) => BODIES as u64,
            Work::Alone(_) | Work::Cast(_) | Work::Aim(_) => 1,
        }
    }

    /// The arguments of a run of this program that does this alone.
    #[must_use]
    pub fn arguments(self, subject: Subject, length: u64) -> Vec<String> {
        self.arguments_with(subject, length, self.counted_bodies())
    }

    fn arguments_with(self, subject: Subject, length: u64, bodies: u64) -> Vec<String> {
        [self.name(), subject.key(), &length.to_string(), &bodies.to_string()].map(str::to_owned).into()
    }
}

/// Number of shots that are split into hits and misses. The shots repeat.
const SPLIT: usize = 20_000;

/// Runs one work by one mover with so many bodies, if it has any; answers with nanoseconds of a step. `None` if the
/// mover does not do that work.
#[must_use]
pub fn one(work: Work, subject: Subject, length: u64, bodies: usize) -> Option<f64> {
    let scene = Scene::generated();
    if work.is_shooting() {
        let (mut shooter, shots) = shooting(work, subject, &scene)?;
        let begin = ThreadTime::now();
        let sum: f64 = shots.iter().cycle().take(length as usize).map(|shot| shooter.shoot(shot)).sum();
        std::hint::black_box(sum);
        return Some(begin.elapsed().as_nanos() as f64 / length as f64);
    }
    let mut crowd = crowd(work, subject, &scene, &scene.starts_of(bodies))?;
    let begin = ThreadTime::now();
    (0..length).for_each(|tick| crowd.tick(tick));
    Some(begin.elapsed().as_nanos() as f64 / (length * crowd.bodies() as u64) as f64)
}

/// Returns the shooter of a work and its shots.
fn shooting(work: Work, subject: Subject, scene: &Scene) -> Option<(Box<dyn Shooter>, Vec<Shot>)> {
    let (which, casts) = match work {
        Work::Cast(which) => (which, true),
        Work::Aim(which) => (which, false),
        _ => return None,
    };
    let shooter = if casts { subject.shooter(scene)? } else { subject.aim(which == Shots::Hits) };
    let shots = match which {
        Shots::All => shots::shots(scene, shots::SHOTS),
        Shots::Hits => shots::split(scene, &shots::shots(scene, SPLIT)).0,
        Shots::Misses => shots::split(scene, &shots::shots(scene, SPLIT)).1,
    };
    Some((shooter, shots))
}

fn crowd(work: Work, subject: Subject, scene: &Scene, starts: &[DVec2]) -> Option<Box<dyn Crowd>> {
    match work {
        Work::Crowd(body) | Work::Alone(body) => Some(subject.crowd(scene, body, starts)),
        // The bodies of peers sleep, or their games do not call them.
        Work::Rest(body) if subject == Subject::Surefoot => Some(Box::new(InWorld::at_rest(scene, body, starts))),
        Work::Balls => subject.balls(scene, starts),
        Work::Rest(_) | Work::Cast(_) | Work::Aim(_) => None,
    }
}

/// Instructions of one step, counted under valgrind; `None` without it. Of hits and misses those of the casts alone:
/// the loop around them is subtracted.
#[must_use]
pub fn instructions(work: Work, subject: Subject) -> Option<f64> {
    let count = |work: Work| per_step(callgrind::instructions, work, subject, work.counted_bodies());
    match work {
        Work::Cast(which @ (Shots::Hits | Shots::Misses)) => Some(count(work)? - count(Work::Aim(which))?),
        _ => count(work),
    }
}

/// Misses of the first-level data cache in one step of 1000 bodies or in one cast, counted under valgrind; `None`
/// without it.
#[must_use]
pub fn misses(work: Work, subject: Subject) -> Option<f64> {
    let bodies = if matches!(work, Work::Crowd(_) | Work::Balls) { BODIES as u64 } else { work.counted_bodies() };
    per_step(callgrind::misses, work, subject, bodies)
}

fn per_step(count: callgrind::Count, work: Work, subject: Subject, bodies: u64) -> Option<f64> {
    let (short, long) = work.lengths();
    callgrind::per_step(count, |length| work.arguments_with(subject, length, bodies), short, long, bodies)
}

/// Measures everything and prints the tables. Returns the faults of the engine.
#[must_use]
pub fn all(length: Length, counts: bool) -> Vec<String> {
    let mut wrong = Vec::new();
    let scene = Scene::generated();
    let counts = counts && callgrind::is_there();
    let count = |work, subject| if counts { instructions(work, subject) } else { None };
    let starts = scene.starts();
    println!("{}", table::heading());
    let works = [
        (Work::Crowd(Body::Circle), "Crowd of 1000 circles that walk and jump, a body-step"),
        (Work::Crowd(Body::Box), "Crowd of 1000 boxes that walk and jump, a body-step"),
        (Work::Balls, "1000 balls that bounce, a body-step"),
    ];
    for (work, title) in works {
        let mut crowds: Vec<(Subject, Box<dyn Crowd>)> = Subject::ALL
            .iter()
            .filter_map(|&subject| Some((subject, crowd(work, subject, &scene, &starts)?)))
            .collect();
        let results = measure::crowds(&scene, &mut crowds, length);
        let seen = length.judged * starts.len() as u64;
        for ((subject, _), Crowded { faults, .. }) in crowds.iter().zip(&results) {
            if matches!(subject, Subject::Surefoot | Subject::Bare | Subject::CachedMover)
                && (faults.deepest > 0.0 || faults.lost > 0 || faults.seen != seen)
            {
                wrong.push(format!("{title}, {}: {faults:?}", subject.title()));
            }
        }
        let line = |(&(subject, _), result)| Line { subject, result, instructions: count(work, subject) };
        let lines: Vec<_> = crowds.iter().zip(results).map(line).collect();
        println!("{}", table::crowd(title, &lines));
    }

    let shots = shots::shots(&scene, length.shots);
    let mut shooters: Vec<_> =
        Subject::ALL.iter().filter_map(|&subject| Some((subject, subject.shooter(&scene)?))).collect();
    let results = measure::shots(&scene, &mut shooters, &shots, length);
    let faults = results[0].faults;
    if faults.deepest > CAST_DEPTH || faults.early > 0 || faults.hits == 0 {
        wrong.push(format!("casts: {faults:?}"));
    }
    let line = |(&(subject, _), result)| Line { subject, result, instructions: count(Work::Cast(Shots::All), subject) };
    let lines: Vec<_> = shooters.iter().zip(results).map(line).collect();
    let title = format!("{} casts of a circle over 2 to 4 tiles, a cast", shots.len());
    println!("{}", table::shots(&title, &lines));

    let apart = apart(&scene, &shots, &mut shooters, length, &count);
    println!("{}", table::apart(&apart));
    println!("{}", table::few(&few(length, counts)));
    wrong.extend(ride(length, counts));
    if counts {
        println!("{}", table::misses(&cache(&works.map(|(work, _)| work))));
    }
    for (work, _) in works {
        sizes(work, &scene, length);
    }

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

/// Measures riders of moving platforms and prints their tables. Returns the faults of the engine.
#[must_use]
pub fn ride(length: Length, counts: bool) -> Vec<String> {
    let counts = counts && callgrind::is_there();
    let ticks = riders::measure::long(length);
    let table = |speed| {
        let lines = riders::measure::riders(speed, length, counts);
        println!("{}", table::riders(speed, ticks, &lines));
        lines.iter().filter_map(|line| line.wrong(ticks)).collect::<Vec<_>>()
    };
    riders::SPEEDS.into_iter().flat_map(table).collect()
}

/// Measures crowds of several sizes and prints their table.
pub fn sizes(work: Work, scene: &Scene, length: Length) {
    let sized = sizes::sizes(scene, |subject, starts| crowd(work, subject, scene, starts), length);
    println!("{}", table::sizes(&format!("Crowds of several sizes, {}", work.name()), &sized));
}

/// Measures casts that hit and casts that miss separately.
fn apart(
    scene: &Scene,
    shots: &[Shot],
    shooters: &mut [(Subject, Box<dyn Shooter>)],
    length: Length,
    count: &dyn Fn(Work, Subject) -> Option<f64>,
) -> Vec<Apart> {
    let (hits, misses) = shots::split(scene, shots);
    let times = [&hits, &misses].map(|shots| measure::shot_times(shooters, shots, length.rounds));
    let [hit_times, miss_times] = times;
    let lines = shooters.iter().zip(hit_times.into_iter().zip(miss_times));
    let line = |(&(subject, _), (hit, miss)): (&(Subject, _), (f64, f64))| Apart {
        subject,
        nanos: [hit, miss],
        instructions: [Shots::Hits, Shots::Misses].map(|which| count(Work::Cast(which), subject)),
    };
    lines.map(line).collect()
}

/// Measures one walker in a world, and characters at rest.
fn few(length: Length, counts: bool) -> Vec<Few> {
    let works = [
        (Work::Alone(Body::Circle), "one circle that walks and jumps, a tick"),
        (Work::Alone(Body::Box), "one box that walks and jumps, a tick"),
        (Work::Rest(Body::Circle), "1000 circles at rest, a body-step"),
        (Work::Rest(Body::Box), "1000 boxes at rest, a body-step"),
    ];
    let scene = Scene::generated();
    let line = |(work, title): (Work, &'static str)| {
        let starts = scene.starts_of(work.counted_bodies() as usize);
        let mut crowds: Vec<_> = crowd(work, Subject::Surefoot, &scene, &starts).into_iter().collect();
        let warm = work.lengths().0;
        (0..warm).for_each(|tick| crowds.iter_mut().for_each(|crowd| crowd.tick(tick)));
        // One body makes as many body-steps as a crowd, so that the clock can measure them.
        let ticks = length.ticks * (BODIES / starts.len()) as u64;
        let nanos = measure::crowd_times(&mut crowds, warm, &[ticks], length.rounds)[0];
        let instructions = if counts { instructions(work, Subject::Surefoot) } else { None };
        Few { title, nanos, instructions }
    };
    works.into_iter().map(line).collect()
}

/// Counts cache misses of a body-step among 1000.
fn cache(works: &[Work]) -> Vec<Missed> {
    let crowds = works.iter().flat_map(|&work| CACHED.iter().map(move |&subject| (work, subject)));
    let line = |(work, subject)| {
        let instructions = per_step(callgrind::instructions, work, subject, BODIES as u64)?;
        Some(Missed { work, subject, misses: misses(work, subject)?, instructions })
    };
    crowds.filter_map(line).collect()
}

/// The movers whose cache misses are counted: those that are fast enough for it to matter.
const CACHED: &[Subject] = &[
    Subject::Surefoot,
    Subject::Bare,
    Subject::CachedMover,
    #[cfg(feature = "box2d")]
    Subject::Box2dBodies,
    #[cfg(feature = "box2d")]
    Subject::Box2dDiscrete,
    Subject::Grid,
];

/// Casts that hit, then casts that miss.
#[derive(Clone, Copy, Debug)]
pub struct Apart {
    /// The mover.
    pub subject: Subject,
    /// Nanoseconds of a cast, the loop around it included.
    pub nanos: [f64; 2],
    /// Instructions of a cast alone.
    pub instructions: [Option<f64>; 2],
}

/// A step of few bodies, or of such that do not move.
#[derive(Clone, Copy, Debug)]
pub struct Few {
    /// The name in the table.
    pub title: &'static str,
    /// Nanoseconds.
    pub nanos: f64,
    /// Instructions.
    pub instructions: Option<f64>,
}

/// Misses of the first-level data cache in a body-step among 1000 bodies.
#[derive(Clone, Copy, Debug)]
pub struct Missed {
    /// The work.
    pub work: Work,
    /// The mover.
    pub subject: Subject,
    /// Misses.
    pub misses: f64,
    /// Instructions.
    pub instructions: f64,
}

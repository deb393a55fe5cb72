//! A map with its hero, and the searches in it.

use super::expectation::Expectation;
use super::output::{Finding, Report, Thing};
use super::{Arguments, hero};
use crate::progress::Bar;
use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use surefoot::area::{AreaId, AttachedTo};
use surefoot::geometry::DVec2;
use surefoot::prelude::*;
use surefoot::replay::InputRun;
use surefoot::{Input, Map, World};
use surefoot_draw::{Findings, MapStyle, PressMargin, Svg, draw_findings};
use surefoot_search::{Answer, Bound, Button, Goal, Margin, Options, Search, margins};

/// A map with its hero at the start.
pub(super) struct Level {
    file: PathBuf,
    world: World,
    hero: BodyId,
    start: Option<(i32, i32)>,
    options: Options,
    improve: Option<Duration>,
}

/// Largest shift of a press, in ticks.
const MAX_SHIFT: u32 = 10;

/// Cells that an exploration has reached so far, and things that it has not.
struct Explored {
    cells: BTreeSet<(i32, i32)>,
    /// Indices of the things that were not reached yet.
    missing: Vec<usize>,
}

impl Level {
    pub(super) fn load(arguments: &Arguments, file: &Path) -> Result<Level, Box<dyn Error>> {
        let (world, hero) = hero::spawn(&arguments.hero, Map::load(file)?, file)?;
        let start = arguments.hero.start.as_deref().unwrap_or("start");
        let start = world.map().all_markers().find(|(name, _)| *name == start).map(|(_, cell)| cell);
        Ok(Level {
            file: file.to_owned(),
            world,
            hero,
            start,
            options: arguments.limits.options(),
            improve: arguments.limits.improve,
        })
    }

    /// Searches for a run to a marker or an area.
    pub(super) fn search(&self, name: &str, bar: &Bar) -> Result<Report, Box<dyn Error>> {
        let begun = Instant::now();
        let is_marker = self.world.map().markers(name).next().is_some();
        if !self.things().iter().any(|thing| thing.has_name(name)) {
            let mut names: Vec<_> = self.things().iter().map(|thing| format!("{:?}", thing.group())).collect();
            names.sort();
            names.dedup();
            let names = if names.is_empty() { "a map with a marker or an area".to_owned() } else { names.join(", ") };
            let file = self.file.display();
            return Err(format!(
                "{file}: the map has no marker and no area {name:?}; expected one of {names}; see --goal"
            )
            .into());
        }
        let goal = if is_marker { Goal::Marker(name.to_owned()) } else { Goal::Area(name.to_owned()) };
        let tell = |progress: &surefoot_search::Progress| bar.set(progress.states as u64);
        let search = Search::new(&self.world, self.hero).goal(goal).options(self.options.clone()).on_progress(&tell);
        let mut answer = search.run().map_err(|error| format!("{}: {error}; see --goal", self.file.display()))?;
        if let (Answer::Reachable(run), Some(time)) = (&mut answer, self.improve) {
            *run = search.improve(run, time)?;
        }
        Ok(Report { answer: Some(answer), ..self.report(name, begun) })
    }

    /// Searches for a way to each marker except the start, and to each area with a name or a tag.
    pub(super) fn survey(&self, bar: &Bar) -> Result<Report, Box<dyn Error>> {
        let begun = Instant::now();
        let mut things = self.things();
        let explored = Explored { cells: BTreeSet::new(), missing: (0..things.len()).collect() };
        let explored = Mutex::new(explored);
        let reached = |world: &World, (): &()| {
            let Some(state) = world.get(self.hero) else { return false };
            let at = state.position().to_dvec2();
            let mut explored = explored.lock().unwrap_or_else(PoisonError::into_inner);
            explored.cells.insert((at.x.floor() as i32, at.y.floor() as i32));
            explored.missing.retain(|&thing| !is_reached(world, self.hero, &things[thing]));
            explored.missing.is_empty()
        };
        let tell = |progress: &surefoot_search::Progress| bar.set(progress.states as u64);
        let goal = Goal::Reached(&reached);
        // One thread: the function remembers what it has seen, and other threads would change the order.
        let options = Options { threads: 1, ..self.options.clone() };
        let search = Search::new(&self.world, self.hero).goal(goal).options(options).on_progress(&tell);
        let answer = search.run()?;
        let Explored { cells, missing } = explored.into_inner().unwrap_or_else(PoisonError::into_inner);
        let bound = Bound::new(&self.world, self.hero).ok();
        let reach = bound.as_ref().map(Bound::reach);
        for (index, thing) in things.iter_mut().enumerate() {
            let is_proven = |thing: &Thing| {
                let place = self.place_of(thing);
                reach.as_ref().zip(place).is_some_and(|(reach, (low, high))| !reach.contains(low, high))
            };
            thing.finding = match missing.contains(&index) {
                false => Finding::Reachable,
                true if is_proven(thing) => Finding::Unreachable,
                true => Finding::NotFound,
            };
        }
        Ok(Report { answer: Some(answer), things, reached: cells, ..self.report("all", begun) })
    }

    /// Checks expected results. Things of a name with several things are searched for all at once.
    pub(super) fn check(&self, expected: &[Expectation], bar: &Bar) -> Result<Report, Box<dyn Error>> {
        let begun = Instant::now();
        let mut survey: Option<Report> = None;
        let mut report = self.report("expectations", begun);
        for line in expected {
            let of_name = self.things().into_iter().filter(|thing| thing.has_name(&line.name)).count();
            let found: Vec<Finding> = if of_name == 1 {
                let single = self.search(&line.name, bar)?;
                let finding = single.finding();
                report.answer = report.answer.or(single.answer);
                vec![finding]
            } else if of_name == 0 {
                return Err(
                    format!("{}: the map has no marker and no area {:?}", self.file.display(), line.name).into()
                );
            } else {
                let survey = match &mut survey {
                    Some(survey) => survey,
                    None => survey.insert(self.survey(bar)?),
                };
                survey.things.iter().filter(|thing| thing.has_name(&line.name)).map(|thing| thing.finding).collect()
            };
            let wanted = if line.reachable { Finding::Reachable } else { Finding::Unreachable };
            let count = found.iter().filter(|finding| **finding == wanted).count();
            let (least, word) = (line.count.unwrap_or(of_name), wanted.word());
            let has = format!("{count} of {of_name} {word}");
            report.expectations.push((line.to_string(), has, count >= least));
        }
        if let Some(survey) = survey {
            (report.things, report.reached) = (survey.things, survey.reached);
        }
        report.seconds = begun.elapsed().as_secs_f64();
        Ok(report)
    }

    fn report(&self, goal: &str, begun: Instant) -> Report {
        Report {
            map: self.file.display().to_string(),
            goal: goal.to_owned(),
            seconds: begun.elapsed().as_secs_f64(),
            ..Report::default()
        }
    }

    /// Returns all markers but the start, and all areas with a name or a tag.
    fn things(&self) -> Vec<Thing> {
        let map = self.world.map();
        let centre = |(x, y): (i32, i32)| DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
        let markers = map.all_markers().filter(|(_, cell)| Some(*cell) != self.start).map(|(name, cell)| Thing {
            name: name.to_owned(),
            tag: String::new(),
            at: centre(cell),
            area: None,
            finding: Finding::NotFound,
        });
        let areas =
            self.world.areas().filter(|(_, state)| !(state.area().name.is_empty() && state.area().tag.is_empty()));
        let areas = areas.map(|(id, state)| Thing {
            name: state.area().name.clone(),
            tag: state.area().tag.clone(),
            at: state.position().to_dvec2(),
            area: Some(id),
            finding: Finding::NotFound,
        });
        markers.chain(areas).collect()
    }

    /// Returns the rectangle of a thing. `None` if it may move.
    fn place_of(&self, thing: &Thing) -> Option<(DVec2, DVec2)> {
        let Some(area) = thing.area else { return Some((thing.at, thing.at)) };
        let area = self.world.area(area)?.area();
        let (low, high) = area.shape.bounds_tiles();
        (area.attached_to == AttachedTo::World).then_some((thing.at + low, thing.at + high))
    }

    /// Records a run as a replay that expects the hero at the goal.
    pub(super) fn replay(&self, run: &[InputRun], goal: &str, source: MapSource) -> Result<Replay, Box<dyn Error>> {
        let search = Search::new(&self.world, self.hero);
        let is_marker = self.world.map().markers(goal).next().is_some();
        let search = if is_marker { search.goal(Goal::Marker(goal.to_owned())) } else { search };
        Ok(search.replay(run, source)?)
    }

    /// Draws the findings of a search.
    pub(super) fn draw(&self, report: &Report) -> Svg {
        let places = |finding| {
            let things = report.things.iter().filter(move |thing| thing.finding == finding);
            things.map(|thing| (thing.title().to_owned(), thing.at)).collect::<Vec<_>>()
        };
        let mut not_found = places(Finding::NotFound);
        if report.things.is_empty() && report.finding() == Finding::NotFound {
            let goals = self.things().into_iter().filter(|thing| thing.has_name(&report.goal));
            not_found.extend(goals.map(|thing| (thing.title().to_owned(), thing.at)));
        }
        let way = match &report.answer {
            Some(Answer::Reachable(run)) if report.things.is_empty() => &run.inputs[..],
            Some(Answer::NotFound(nearest)) if report.things.is_empty() => &nearest.inputs[..],
            _ => &[],
        };
        let findings = Findings {
            reached: report.reached.clone(),
            unreachable: places(Finding::Unreachable),
            not_found,
            presses: report.run().map(|run| self.margins(run, &report.goal)).unwrap_or_default(),
            path: if way.is_empty() { Vec::new() } else { self.path(way) },
            ..Findings::default()
        };
        let style = MapStyle { normals: false, ..MapStyle::default() };
        draw_findings(self.world.map(), self.world.terrain(), &findings, &style)
    }

    /// Returns the timing of the presses in a run to a goal.
    fn margins(&self, run: &[InputRun], goal: &str) -> Vec<PressMargin> {
        let goals: Vec<Thing> = self.things().into_iter().filter(|thing| thing.has_name(goal)).collect();
        let run: Vec<Input> = inputs(run).collect();
        let is_reached = |world: &World, hero| goals.iter().any(|goal| is_reached(world, hero, goal));
        let found = margins(&self.world, self.hero, &run, &is_reached, MAX_SHIFT);
        let presses = found.into_iter().filter(|margin| margin.is_press && margin.button != Button::Walk);
        let press = |margin: Margin| PressMargin {
            tick: margin.tick,
            button: margin.button.to_string(),
            early: margin.early,
            late: margin.late,
        };
        presses.map(press).collect()
    }

    /// Returns the positions of the hero's centre in a run.
    fn path(&self, run: &[InputRun]) -> Vec<DVec2> {
        let mut world = self.world.clone();
        let at = |world: &World| world.get(self.hero).map(|hero| hero.position().to_dvec2());
        let mut path = Vec::from_iter(at(&world));
        for input in inputs(run) {
            world.set_input(self.hero, input);
            world.step();
            path.extend(at(&world));
        }
        path
    }
}

fn inputs(run: &[InputRun]) -> impl Iterator<Item = Input> {
    run.iter().flat_map(|part| (0..part.ticks).map(|_| part.input))
}

/// Returns whether the hero is at a marker, or in an area.
fn is_reached(world: &World, hero: BodyId, thing: &Thing) -> bool {
    let Some(state) = world.get(hero) else { return false };
    match thing.area {
        Some(area) => is_in(world, hero, area),
        None => (state.position().to_dvec2() - thing.at).abs().cmplt(state.shape().half_extents()).all(),
    }
}

fn is_in(world: &World, hero: BodyId, area: AreaId) -> bool {
    world.areas_of(hero).any(|inside| inside == area)
}

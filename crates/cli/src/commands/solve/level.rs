//! A map with its hero, and the searches in it.

use super::expectation::Expectation;
use super::output::{Finding, GoalName, MAX_SHIFT, Report, Thing, missed_floors};
use super::{Arguments, hero};
use crate::progress::Bar;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use surefoot::geometry::DVec2;
use surefoot::prelude::*;
use surefoot::replay::InputRun;
use surefoot::{Input, World};
use surefoot_draw::{Findings, MapStyle, PressMargin, Svg, draw_findings};
use surefoot_search::{
    Answer, Button, FoundRun, Goal, Margin, Options, PlaceKind, Progress, Search, SearchError, Survey, Verdict,
};

/// A map with its hero at the start.
pub(super) struct Level {
    file: PathBuf,
    world: World,
    hero: BodyId,
    start: Option<(i32, i32)>,
    options: Options,
    improve: Option<Duration>,
    /// The end of the time for all searches of this level together. The time of `improve` comes on top.
    deadline: Cell<Option<Instant>>,
}

impl Level {
    pub(super) fn load(arguments: &Arguments, file: &Path) -> Result<Level, Box<dyn Error>> {
        let (world, hero) = hero::spawn_hero(&arguments.hero, arguments.level.load_map(file)?, file)?;
        let start = arguments.hero.start.as_deref().unwrap_or("start");
        let start = world.map().all_markers().find(|(name, _)| *name == start).map(|(_, cell)| cell);
        Ok(Level {
            file: file.to_owned(),
            world,
            hero,
            start,
            options: arguments.limits.options(),
            improve: arguments.limits.improve,
            deadline: Cell::new(arguments.limits.max_time.and_then(|time| Instant::now().checked_add(time))),
        })
    }

    /// Searches for a run to a marker or an area.
    pub(super) fn search_run_to(&self, goal: &GoalName, bar: &Bar) -> Result<Report, Box<dyn Error>> {
        let begun = Instant::now();
        let tell =
            |progress: &Progress| bar.show_count_and_note(progress.states as u64, describe_nearest_position(progress));
        let search = self.create_search(Some(self.goal_or_unknown_name_error(goal)?)).on_progress(&tell);
        let mut answer = search.run().map_err(|error| format!("{}: {error}; see --goal", self.file.display()))?;
        if let (Answer::Reachable(run), Some(time)) = (&mut answer, self.improve) {
            let begun = Instant::now();
            *run = search.improve(run, time)?;
            self.deadline.set(self.deadline.get().and_then(|deadline| deadline.checked_add(begun.elapsed())));
        }
        Ok(Report { answer: Some(answer), ..self.report_without_answer(goal.clone(), begun) })
    }

    fn create_search<'a>(&'a self, goal: Option<Goal<'a>>) -> Search<'a> {
        let search = Search::new(&self.world, self.hero).options(self.options_until_deadline());
        match goal {
            Some(goal) => search.goal(goal),
            None => search,
        }
    }

    /// Returns the options of a search with the time that is left.
    fn options_until_deadline(&self) -> Options {
        let max_time = self.deadline.get().map(|deadline| deadline.saturating_duration_since(Instant::now()));
        Options { max_time, ..self.options.clone() }
    }

    /// Returns the goal of that name: markers, or areas.
    fn goal_or_unknown_name_error(&self, goal: &GoalName) -> Result<Goal<'static>, Box<dyn Error>> {
        let name = &goal.name;
        if self.world.map().markers(name).next().is_some() || self.has_goal(name) {
            return Ok(self.goal_of_known_name(goal));
        }
        Err(format!("{}; see --goal", self.unknown_name_text(name)).into())
    }

    /// Says that the map has nothing of that name, and which names it has.
    fn unknown_name_text(&self, name: &str) -> String {
        let things = self.markers_and_areas();
        let names: BTreeSet<_> = things.iter().map(|thing| format!("{:?}", thing.tag_or_name())).collect();
        let names = Vec::from_iter(names).join(", ");
        let names =
            if names.is_empty() { "a map with a marker or an area".to_owned() } else { format!("one of {names}") };
        format!("{}: the map has no marker and no area {name:?}; expected {names}", self.file.display())
    }

    fn goal_of_known_name(&self, goal: &GoalName) -> Goal<'static> {
        let name = goal.name.clone();
        let is_marker = self.world.map().markers(&name).next().is_some();
        match (is_marker, goal.is_all) {
            (true, true) => Goal::Markers(vec![name]),
            (true, false) => Goal::Marker(name),
            (false, true) => Goal::Areas(name),
            (false, false) => Goal::Area(name),
        }
    }

    /// Returns whether the map has a goal of that name.
    pub(super) fn has_goal(&self, name: &str) -> bool {
        self.markers_and_areas().iter().any(|thing| thing.has_name(name))
    }

    /// Searches for a way to each marker except the start, and to each area with a name or a tag. Also lists cells
    /// without a way to the goal, or without a way back to the start if `goal` is `None`.
    pub(super) fn survey_level(&self, goal: Option<&GoalName>, bar: &Bar) -> Result<Report, Box<dyn Error>> {
        let begun = Instant::now();
        // A survey looks for all places, not only for the goal. So the bar shows no position nearest to the goal.
        let tell = |progress: &Progress| bar.show_count_and_note(progress.states as u64, String::new());
        let search =
            self.create_search(goal.map(|goal| self.goal_or_unknown_name_error(goal)).transpose()?).on_progress(&tell);
        // Leave a quarter of the time for the search for a run to the goal, and for the margins of its presses.
        let options = self.options_until_deadline();
        let max_time = options.max_time.map(|time| time * 3 / 4);
        let survey = search.options(Options { max_time, ..options }).survey()?;
        let mut things = self.markers_and_areas();
        things.iter_mut().for_each(|thing| thing.finding = finding_from_survey(thing, &survey));
        // The survey says for each thing alone whether it is reachable. Only a search for a run shows whether one run
        // visits several of them.
        let answer = match goal.filter(|goal| survey.is_goal_reached || goal.is_all) {
            Some(goal) => self.search_run_to(goal, bar)?.answer,
            None => None,
        };
        let presses = match (&answer, goal) {
            (Some(Answer::Reachable(run)), Some(goal)) => self.press_margins(run, goal)?,
            _ => Vec::new(),
        };
        let lacks_presses = self.deadline.get().is_some_and(|deadline| Instant::now() >= deadline);
        let start = || GoalName { name: "start".to_owned(), is_all: false };
        let report = self.report_without_answer(goal.cloned().unwrap_or_else(start), begun);
        Ok(Report { answer, survey: Some(survey), things, presses, lacks_presses, ..report })
    }

    /// Checks expected results. Things of a name with several things are searched for all at once.
    pub(super) fn check_expectations(&self, expected: &[Expectation], bar: &Bar) -> Result<Report, Box<dyn Error>> {
        let begun = Instant::now();
        let mut survey: Option<Report> = None;
        let mut report =
            Report { goal: "expectations".to_owned(), ..self.report_without_answer(GoalName::default(), begun) };
        for line in expected {
            let (goal, of_name) = self.goal_and_thing_count_of_expectation(line)?;
            let found: Vec<Finding> = if of_name == 1 {
                let single = self.search_run_to(&goal, bar)?;
                let finding = single.worst_finding();
                if report.answer.is_none() || report.found_run().is_none() && single.found_run().is_some() {
                    (report.answer, report.run_goal) = (single.answer, single.run_goal);
                }
                vec![finding]
            } else {
                let survey = match &mut survey {
                    Some(survey) => survey,
                    None => survey.insert(self.survey_level(None, bar)?),
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
            (report.things, report.survey) = (survey.things, survey.survey);
        }
        report.seconds = begun.elapsed().as_secs_f64();
        Ok(report)
    }

    /// Returns the goal of an expected result, and the number of things that count for it. A run to all things of a
    /// name is one thing.
    fn goal_and_thing_count_of_expectation(&self, line: &Expectation) -> Result<(GoalName, usize), Box<dyn Error>> {
        let count = |name: &str| self.markers_and_areas().into_iter().filter(|thing| thing.has_name(name)).count();
        let goal = |name: &str, is_all| GoalName { name: name.to_owned(), is_all };
        let all = line.name.strip_prefix("all ");
        match (count(&line.name), all) {
            (0, name) if name.is_none_or(|name| count(name) == 0) => {
                Err(self.unknown_name_text(name.unwrap_or(&line.name)).into())
            }
            (0, Some(_)) if line.count.is_some() => {
                Err(format!("{}: \"{line}\" is about one run; leave out the number", self.file.display()).into())
            }
            (0, Some(name)) => Ok((goal(name, true), 1)),
            (things, _) => Ok((goal(&line.name, false), things)),
        }
    }

    fn report_without_answer(&self, goal: GoalName, begun: Instant) -> Report {
        Report {
            map: self.file.display().to_string(),
            goal: goal.to_string(),
            run_goal: goal,
            seed: self.options.seed,
            seconds: begun.elapsed().as_secs_f64(),
            ..Report::default()
        }
    }

    /// Returns all markers but the start, and all areas with a name or a tag.
    fn markers_and_areas(&self) -> Vec<Thing> {
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

    /// Records a run as a replay that expects the hero at the goal.
    pub(super) fn record_replay(
        &self,
        run: &[InputRun],
        goal: &GoalName,
        source: MapSource,
    ) -> Result<Replay, Box<dyn Error>> {
        let search = Search::new(&self.world, self.hero);
        Ok(search.goal(self.goal_of_known_name(goal)).replay(run, source)?)
    }

    /// Draws the findings of a search.
    pub(super) fn draw_report(&self, report: &Report) -> Result<Svg, SearchError> {
        let places = |finding| {
            let things = report.things.iter().filter(move |thing| thing.finding == finding);
            things.map(|thing| (thing.name_or_tag().to_owned(), thing.at)).collect::<Vec<_>>()
        };
        let mut not_found = places(Finding::NotFound);
        if report.survey.is_none() && report.worst_finding() == Finding::NotFound {
            let goals = self.markers_and_areas().into_iter().filter(|thing| thing.has_name(&report.run_goal.name));
            not_found.extend(goals.map(|thing| (thing.name_or_tag().to_owned(), thing.at)));
        }
        let way = match &report.answer {
            Some(Answer::Reachable(run)) => &run.inputs[..],
            Some(Answer::NotFound(nearest)) if report.survey.is_none() => &nearest.inputs[..],
            _ => &[],
        };
        let presses = match report.found_run().filter(|_| report.presses.is_empty()) {
            Some(run) => self.press_margins(run, &report.run_goal)?,
            None => report.presses.clone(),
        };
        let locks = |is_proven| {
            let locks = report.survey.iter().flat_map(|survey| &survey.soft_locks);
            locks.filter(move |lock| lock.is_proven == is_proven).map(|lock| lock.cell).collect()
        };
        let floors = |is_proven| {
            let places = report.survey.iter().flat_map(|survey| missed_floors(survey, is_proven));
            // The rectangle of a floor ends one tile above its highest point.
            places.map(|place| DVec2::new(place.low.x, place.high.y - 1.0)).collect()
        };
        let findings = Findings {
            reached: report.survey.as_ref().map(|survey| survey.reached.clone()).unwrap_or_default(),
            traps: locks(true),
            suspected_traps: locks(false),
            unreachable_floors: floors(true),
            missed_floors: floors(false),
            unreachable: places(Finding::Unreachable),
            not_found,
            presses: presses.into_iter().map(to_press_margin).collect(),
            path: if way.is_empty() { Vec::new() } else { self.hero_path(way) },
        };
        let style = MapStyle { normals: false, ..MapStyle::default() };
        Ok(draw_findings(self.world.map(), self.world.terrain(), &findings, &style))
    }

    /// Returns the timing of the presses of buttons in a run to a goal. Changes of direction are not among them.
    fn press_margins(&self, run: &FoundRun, goal: &GoalName) -> Result<Vec<Margin>, SearchError> {
        let goal = self.goal_of_known_name(goal);
        let mut found = self.create_search(Some(goal)).margins(run, MAX_SHIFT)?;
        found.retain(|margin| margin.is_press && margin.button != Button::Walk);
        Ok(found)
    }

    /// Returns the positions of the hero's centre in a run.
    fn hero_path(&self, run: &[InputRun]) -> Vec<DVec2> {
        let mut world = self.world.clone();
        let at = |world: &World| world.get(self.hero).map(|hero| hero.position().to_dvec2());
        let mut path = Vec::from_iter(at(&world));
        for input in input_of_each_tick(run) {
            world.set_input(self.hero, input);
            world.step();
            path.extend(at(&world));
        }
        path
    }
}

/// Returns the nearest position to the goal so far, for the bar.
fn describe_nearest_position(progress: &Progress) -> String {
    let (at, distance) = (progress.position.to_dvec2(), progress.distance);
    format!(", nearest ({:.1}, {:.1}), {distance:.1} tiles from the goal", at.x, at.y)
}

fn to_press_margin(margin: Margin) -> PressMargin {
    let Margin { tick, button, early, late, .. } = margin;
    PressMargin { tick, button: button.to_string(), early, late }
}

/// Returns what a survey found out about a thing.
fn finding_from_survey(thing: &Thing, survey: &Survey) -> Finding {
    let place = survey.places.iter().find(|place| match (&place.kind, thing.area) {
        (PlaceKind::Area(id, _), Some(area)) => *id == area,
        (PlaceKind::Marker(name), None) => *name == thing.name && place.low == thing.at,
        _ => false,
    });
    match place.map(|place| place.verdict) {
        Some(Verdict::Reachable) => Finding::Reachable,
        Some(Verdict::Unreachable) => Finding::Unreachable,
        _ => Finding::NotFound,
    }
}

fn input_of_each_tick(run: &[InputRun]) -> impl Iterator<Item = Input> {
    run.iter().flat_map(|part| (0..part.ticks).map(|_| part.input))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_names_the_nearest_position() {
        let position = Position::new(14.21, 9.0).expect("a position in range");
        let progress = Progress { states: 1, waiting: 1, distance: 3.26, position, level: 0 };
        assert_eq!(describe_nearest_position(&progress), ", nearest (14.2, 9.0), 3.3 tiles from the goal");
    }
}

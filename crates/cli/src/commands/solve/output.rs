//! Results of a search in words and as JSON.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use surefoot::area::AreaId;
use surefoot::geometry::DVec2;
use surefoot_search::{Answer, FoundRun, Limit, Margin, NotCovered, Place, PlaceKind, SoftLock, Survey, Verdict};

/// Largest shift of a press that is tried, in ticks.
pub(super) const MAX_SHIFT: u32 = 10;

/// Answer about one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Finding {
    Reachable,
    NotFound,
    Unreachable,
}

impl Finding {
    /// Returns the word in messages and in JSON.
    pub(super) fn word(self) -> &'static str {
        match self {
            Finding::Reachable => "reachable",
            Finding::NotFound => "not found",
            Finding::Unreachable => "unreachable",
        }
    }
}

/// A marker or an area that a survey looks for.
#[derive(Clone, Debug)]
pub(super) struct Thing {
    /// Name of the marker or the area.
    pub(super) name: String,
    /// Tag of the area.
    pub(super) tag: String,
    pub(super) at: DVec2,
    /// `None` for a marker.
    pub(super) area: Option<AreaId>,
    pub(super) finding: Finding,
}

impl Thing {
    pub(super) fn has_name(&self, name: &str) -> bool {
        self.name == name || self.tag == name
    }

    /// Returns the name, or the tag of an area without a name.
    pub(super) fn name_or_tag(&self) -> &str {
        if self.name.is_empty() { &self.tag } else { &self.name }
    }

    /// Returns the name by which things are counted.
    pub(super) fn tag_or_name(&self) -> &str {
        if self.tag.is_empty() { &self.name } else { &self.tag }
    }
}

/// Name of a goal: any marker or area of that name, or all of them in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GoalName {
    pub(super) name: String,
    pub(super) is_all: bool,
}

impl fmt::Display for GoalName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_all { "all " } else { "" }, self.name)
    }
}

/// Result for one map.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) map: String,
    pub(super) goal: String,
    /// Goal of the search whose answer is `answer`: with expectations, the first one to which a run was found.
    pub(super) run_goal: GoalName,
    /// Answer of the search for a run to `run_goal`.
    pub(super) answer: Option<Answer>,
    /// Seed of the search.
    pub(super) seed: u64,
    /// File of the replay that was written.
    pub(super) run: Option<PathBuf>,
    pub(super) survey: Option<Survey>,
    /// Things of a survey.
    pub(super) things: Vec<Thing>,
    /// Presses of the run to the goal. Only a survey lists them.
    pub(super) presses: Vec<Margin>,
    /// The limit of time has cut the list of presses short.
    pub(super) lacks_presses: bool,
    /// Expected results: the line, the result, and whether the line holds.
    pub(super) expectations: Vec<(String, String, bool)>,
    pub(super) seconds: f64,
}

impl Report {
    /// Returns the answer for the goal, or the worst one of a survey.
    pub(super) fn worst_finding(&self) -> Finding {
        let of_answer = match &self.answer {
            Some(Answer::Reachable(_)) => Finding::Reachable,
            Some(Answer::Unreachable(_)) => Finding::Unreachable,
            // If the level has no things, none of them is out of reach.
            None if self.survey.is_some() => Finding::Reachable,
            _ => Finding::NotFound,
        };
        let of_things = self.things.iter().map(|thing| thing.finding).max().unwrap_or(of_answer);
        if self.found_no_run_that_visits_all_things() { of_things.max(of_answer) } else { of_things }
    }

    /// Returns whether a survey found no run that visits all things of the goal. Each of them may be reachable alone.
    fn found_no_run_that_visits_all_things(&self) -> bool {
        self.run_goal.is_all && self.survey.as_ref().is_some_and(|survey| !survey.is_goal_reached)
    }

    pub(super) fn exit_code(&self) -> u8 {
        if !self.expectations.is_empty() {
            return if self.expectations.iter().all(|(_, _, holds)| *holds) { 0 } else { super::NOT_FOUND };
        }
        match self.worst_finding() {
            Finding::Reachable => 0,
            Finding::NotFound => super::NOT_FOUND,
            Finding::Unreachable => super::UNREACHABLE,
        }
    }

    pub(super) fn found_run(&self) -> Option<&FoundRun> {
        match &self.answer {
            Some(Answer::Reachable(run)) => Some(run),
            _ => None,
        }
    }

    /// Returns the reason why nothing is proven about the level or the goal, if there is one.
    pub(super) fn not_proven(&self) -> Option<&NotCovered> {
        let of_answer = match &self.answer {
            Some(Answer::Reachable(run)) => run.not_covered.as_ref(),
            Some(Answer::NotFound(nearest)) => nearest.not_covered.as_ref(),
            _ => None,
        };
        self.survey.as_ref().map_or(of_answer, |survey| survey.not_covered.as_ref())
    }

    /// Returns the press that must be the most exact. Of equal ones, the first.
    fn press_with_least_margin(&self) -> Option<&Margin> {
        self.presses.iter().min_by_key(|press| press.window())
    }

    /// Returns the things by the name under which they are counted.
    fn things_by_tag_or_name(&self) -> BTreeMap<&str, Vec<&Thing>> {
        let mut groups: BTreeMap<&str, Vec<&Thing>> = BTreeMap::new();
        self.things.iter().for_each(|thing| groups.entry(thing.tag_or_name()).or_default().push(thing));
        groups
    }

    /// Returns one line of JSON. `docs/tool.md` lists the fields.
    pub(super) fn to_json(&self) -> String {
        let mut line = json!({
            "map": self.map,
            "goal": self.goal,
            "answer": self.worst_finding().word(),
            "seconds": (self.seconds * 1000.0).round() / 1000.0,
            "seed": self.seed,
        });
        if let Some(run) = &self.run {
            line["run"] = run.display().to_string().into();
        }
        if let Some(reason) = self.not_proven() {
            line["not_proven"] = reason.to_string().into();
        }
        match &self.answer {
            Some(Answer::Reachable(run)) => {
                line["states"] = run.states.into();
                line["ticks"] = run.ticks().into();
                line["least_ticks"] = run.least_ticks.into();
                if let Some(cells) = run.shortest_cells {
                    line["shortest_cells"] = cells.into();
                }
            }
            Some(Answer::NotFound(nearest)) => {
                line["states"] = nearest.states.into();
                line["limit"] = nearest.limit.to_string().into();
                let at = nearest.position.to_dvec2();
                let distance = nearest.distance.is_finite().then_some(nearest.distance);
                let (ticks, words) = (nearest.ticks(), nearest.to_string());
                line["nearest"] = json!({ "x": at.x, "y": at.y, "distance": distance, "ticks": ticks, "words": words });
            }
            _ => {}
        }
        if let Some(survey) = &self.survey {
            self.add_survey_to_json(&mut line, survey);
        }
        if !self.expectations.is_empty() {
            let lines = self.expectations.iter();
            line["expectations"] =
                lines.map(|(line, found, holds)| json!({ "line": line, "found": found, "holds": holds })).collect();
        }
        line.to_string()
    }

    fn add_survey_to_json(&self, line: &mut Value, survey: &Survey) {
        let things = self.things.iter().map(|thing| {
            let Thing { name, tag, at, finding, .. } = thing;
            json!({ "name": name, "tag": tag, "x": at.x, "y": at.y, "answer": finding.word() })
        });
        line["things"] = things.collect();
        line["cells"] = survey.reached.len().into();
        line["states"] = survey.states.into();
        let limit = survey.limit.or(self.lacks_presses.then_some(Limit::Time));
        if let Some(limit) = limit {
            line["limit"] = limit.to_string().into();
        }
        if !self.expectations.is_empty() {
            return;
        }
        let lock = |lock: &SoftLock| json!({ "x": lock.cell.0, "y": lock.cell.1, "proven": lock.is_proven });
        line["soft_locks"] = survey.soft_locks.iter().map(lock).collect();
        let press = |press: &Margin| {
            let Margin { tick, button, early, late, .. } = press;
            json!({ "tick": tick + 1, "button": button.to_string(), "early": early, "late": late })
        };
        line["presses"] = self.presses.iter().map(press).collect();
        if let Some(press) = self.press_with_least_margin() {
            let Margin { tick, button, .. } = press;
            line["hardest"] = json!({ "tick": tick + 1, "button": button.to_string(), "ticks": press.window() });
        }
        let floors = [true, false].into_iter().flat_map(|is_proven| {
            let cells = missed_floors(survey, is_proven).map(Place::cell);
            cells.map(move |(x, y)| json!({ "x": x, "y": y, "proven": is_proven }))
        });
        line["floors"] = floors.collect();
    }

    fn write_answer(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { map, goal, seconds, .. } = self;
        match &self.answer {
            Some(Answer::Reachable(run)) => {
                let (ticks, states) = (run.ticks(), run.states);
                let least = match (&run.not_covered, run.least_ticks) {
                    (Some(reason), _) => format!(" (nothing is proven about the shortest run: {reason})"),
                    (None, 0) => String::new(),
                    (None, least) => {
                        let longer = (ticks - least.min(ticks)) as f64 / least as f64 * 100.0;
                        format!(" (no run below {least}: at most {longer:.0} % longer than the shortest)")
                    }
                };
                let within = run.shortest_cells.map(|cells| format!(", no shorter run within cells of 1/{cells} tile"));
                let within = within.unwrap_or_default();
                write!(f, "{map}: {goal} reachable in {ticks} ticks{least}{within}; {states} states, {seconds:.2} s")
            }
            Some(Answer::NotFound(nearest)) => {
                let states = nearest.states;
                write!(f, "{map}: {goal} not found: {nearest}; {states} states, {seconds:.2} s")?;
                self.not_proven().map_or(Ok(()), |reason| write!(f, "; nothing is proven: {reason}"))
            }
            Some(Answer::Unreachable(proof)) => write!(f, "{map}: {goal} unreachable: {proof}; {seconds:.2} s"),
            None => write!(f, "{map}: {goal} not searched"),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.expectations.is_empty() {
            for (i, (line, found, holds)) in self.expectations.iter().enumerate() {
                let (end, word) = (if i == 0 { "" } else { "\n" }, if *holds { "ok" } else { "failed" });
                write!(f, "{end}{}: {line}: {word} ({found})", self.map)?;
            }
            return Ok(());
        }
        let Some(survey) = &self.survey else { return self.write_answer(f) };
        let (cells, states) = (survey.reached.len(), survey.states);
        write!(f, "{}: {cells} cells reached; {states} states, {:.2} s", self.map, self.seconds)?;
        if let Some(limit) = survey.limit {
            write!(f, ", stopped by {limit}")?;
        }
        if let Some(reason) = self.not_proven() {
            write!(f, "\n  nothing is proven: {reason}")?;
        }
        for (name, things) in self.things_by_tag_or_name() {
            let reachable = things.iter().filter(|thing| thing.finding == Finding::Reachable).count();
            write!(f, "\n  {name}: {reachable} of {} reachable", things.len())?;
            for thing in things.iter().filter(|thing| thing.finding != Finding::Reachable) {
                write!(f, "\n    {} at ({}, {})", thing.finding.word(), thing.at.x, thing.at.y)?;
            }
        }
        match &self.answer {
            Some(Answer::NotFound(nearest)) if self.found_no_run_that_visits_all_things() => {
                write!(f, "\n  {} not found: {nearest}", self.goal)?
            }
            Some(Answer::Unreachable(proof)) if self.found_no_run_that_visits_all_things() => {
                write!(f, "\n  {} unreachable: {proof}", self.goal)?
            }
            _ => {}
        }
        for (is_proven, word) in [(true, "out of reach, proven"), (false, "not reached")] {
            let cells: Vec<(i32, i32)> = missed_floors(survey, is_proven).map(Place::cell).collect();
            write_cells_below_title(f, &format!("floors {word}"), &cells)?;
        }
        for (is_proven, word) in [(true, "proven"), (false, "suspected")] {
            let locks = survey.soft_locks.iter().filter(|lock| lock.is_proven == is_proven);
            let cells: Vec<(i32, i32)> = locks.map(|lock| lock.cell).collect();
            write_cells_below_title(f, &format!("no way to {}, {word}", self.goal), &cells)?;
        }
        self.write_presses(f)
    }
}

impl Report {
    /// Writes the margins of the presses as a table.
    fn write_presses(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Answer::Reachable(run)) = &self.answer else { return Ok(()) };
        write!(
            f,
            "\n  {} in {} ticks; presses and the ticks by which they can come earlier or later:",
            self.goal,
            run.ticks()
        )?;
        write!(f, "\n    {:>6}  {:6} {:>6} {:>6}", "tick", "button", "early", "late")?;
        for press in &self.presses {
            let ticks = |ticks: u32| if ticks >= MAX_SHIFT { format!("{MAX_SHIFT}+") } else { ticks.to_string() };
            let (tick, button) = (press.tick + 1, press.button.to_string());
            write!(f, "\n    {tick:>6}  {button:6} {:>6} {:>6}", ticks(press.early), ticks(press.late))?;
        }
        if self.lacks_presses {
            write!(f, "\n    the limit of time ended the list")?;
        }
        if let Some(press) = self.press_with_least_margin() {
            let (window, end) = (press.window(), if press.window() == 1 { "" } else { "s" });
            write!(f, "\n  hardest: {} in tick {}, {window} tick{end}", press.button, press.tick + 1)?;
        }
        Ok(())
    }
}

/// Returns the floors on which the hero does not stand: those that are proven out of reach, or the others.
pub(super) fn missed_floors(survey: &Survey, is_proven: bool) -> impl Iterator<Item = &Place> {
    let verdict = if is_proven { Verdict::Unreachable } else { Verdict::NotFound };
    survey.places.iter().filter(move |place| place.kind == PlaceKind::StandingCell && place.verdict == verdict)
}

/// Most rows of cells that are written below a line.
const MAX_ROWS: usize = 12;

/// Writes a title and below it some cells, as rows of neighbours. Writes nothing if there are no cells.
fn write_cells_below_title(f: &mut fmt::Formatter<'_>, title: &str, cells: &[(i32, i32)]) -> fmt::Result {
    if cells.is_empty() {
        return Ok(());
    }
    write!(f, "\n  {title}: {} cells", cells.len())?;
    let rows: Vec<_> = cells.chunk_by(|a, b| a.1 == b.1 && a.0 + 1 == b.0).collect();
    for row in rows.iter().take(MAX_ROWS) {
        let ((left, y), (right, _)) = (row[0], row[row.len() - 1]);
        match right - left {
            0 => write!(f, "\n    ({left}, {y})")?,
            _ => write!(f, "\n    ({left}, {y}) to ({right}, {y})")?,
        }
    }
    match rows.len().saturating_sub(MAX_ROWS) {
        0 => Ok(()),
        more => write!(f, "\n    and {more} more rows"),
    }
}

/// Returns the line of JSON for a map that cannot be searched.
pub(super) fn mistake_to_json(map: &Path, message: &str) -> String {
    let line: Value = json!({ "map": map.display().to_string(), "answer": "mistake", "message": message });
    line.to_string()
}

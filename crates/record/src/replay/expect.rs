//! Expectations about a run, in the words of a replay.

use super::{Replay, ReplayErrorKind, marker_names};
use crate::event::{BodyId, Event, EventKind};
use crate::map::Map;
use crate::record::{Names, Recording};
use crate::world::World;
use std::fmt;
use surefoot_geometry::Position;

/// A condition that a run should fulfil: a line of a replay's list `expect`, such as `hero at goal before 1300`.
///
/// [`ExpectationCheck`] checks expectations. `docs/formats/replay.md` in the repository lists the forms of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    text: String,
    /// Name of the body, or of the platform for its arrivals.
    name: Option<String>,
    what: Condition,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Condition {
    /// In some tick before `before`, the box around the body covers a marker of that name.
    At { marker: String, before: u64 },
    /// After that tick, the body stands on a floor.
    OnFloor { tick: u64 },
    /// There are `count` events of that kind, of the body or platform or of all.
    Events { event: &'static str, count: u64 },
}

/// An expectation that failed, with the actual result of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmetExpectation {
    /// Text of the expectation, such as `hero at goal before 1300`.
    pub expectation: String,
    /// Actual result of the run.
    pub found: Outcome,
}

/// Actual result of a run, for an expectation that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The run has a wrong number of events of the kind that the expectation names. The value is the actual number.
    Events(u64),
    /// The body reached the marker (a named tile), but not before the tick that the expectation names.
    Late {
        /// First tick after which the body was at the marker.
        tick: u64,
    },
    /// The body was never at the marker (a named tile), from the first tick to the end of the run.
    Never {
        /// Position of the body's centre at the end of the run. `None` if the body was not in the world then.
        end: Option<Position>,
    },
    /// The body was in the air, not on a floor, after the tick that the expectation names.
    OffFloor {
        /// Position of the body's centre after that tick.
        at: Position,
    },
    /// The body was not in the world after the tick that the expectation names, or the run ended before that tick.
    Absent,
}

impl fmt::Display for UnmetExpectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected `{}`; found {}", self.expectation, self.found)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Events(count) => write!(f, "{count}"),
            Outcome::Late { tick } => write!(f, "the body there first after tick {tick}"),
            Outcome::Never { end: Some(end) } => {
                write!(f, "the body never there; at the end the body is at {}", position_text(*end))
            }
            Outcome::Never { end: None } => write!(f, "the body never there; at the end the body is not in the world"),
            Outcome::OffFloor { at } => write!(f, "the body at {}, not on a floor", position_text(*at)),
            Outcome::Absent => write!(f, "no such body in the world at that tick"),
        }
    }
}

/// Prints a position in tiles, with as many digits as a reader needs.
fn position_text(position: Position) -> String {
    let at = position.to_dvec2();
    format!("({:.3}, {:.3})", at.x, at.y)
}

impl Expectation {
    /// Parses a line for a run with those bodies and of that many ticks. Names of bodies and markers may contain
    /// spaces.
    pub(super) fn parse(
        text: &str,
        names: &Names,
        map: Option<&Map>,
        ticks: u64,
    ) -> Result<Expectation, ReplayErrorKind> {
        let unknown =
            || ReplayErrorKind::Expectation { text: text.to_owned(), meant: with_corrected_keywords(text, names) };
        let (rest, number) = text.rsplit_once(' ').ok_or_else(unknown)?;
        let number = number.parse().map_err(|_| unknown())?;
        let (body, what) = if let Some(rest) = rest.strip_suffix(" before") {
            // Names of bodies and markers may contain ` at ` too. Prefer the ` at ` between a known body and a known
            // marker, else the first ` at ` after a known body.
            let splits = || rest.match_indices(" at ").map(|(i, word)| (&rest[..i], &rest[i + word.len()..]));
            let is_known = |(body, marker): &(&str, &str)| {
                names.body(body).is_some() && map.is_none_or(|map| map.marker(marker).is_some())
            };
            let of_body = |(body, _): &(&str, &str)| names.body(body).is_some();
            let split = splits().find(is_known).or_else(|| splits().find(of_body)).or_else(|| splits().next());
            let (body, marker) = split.ok_or_else(unknown)?;
            (body, Condition::At { marker: marker.to_owned(), before: number })
        } else if let Some(body) = rest.strip_suffix(" on_floor at") {
            (body, Condition::OnFloor { tick: number })
        } else {
            let (body, event) = rest.rsplit_once(' ').unwrap_or(("", rest));
            let event = EventKind::names().into_iter().find(|name| *name == event).ok_or_else(unknown)?;
            (body, Condition::Events { event, count: number })
        };
        let name = (!body.is_empty()).then(|| body.to_owned());
        check_names_exist(name.as_ref(), &what, names, map)?;
        match &what {
            Condition::At { marker, .. } if map.is_some_and(|map| map.marker(marker).is_none()) => {
                let known = map.map(marker_names).unwrap_or_default();
                return Err(ReplayErrorKind::UnknownMarker { name: marker.clone(), known });
            }
            // The condition is first tested after tick 1, so `before 1` could never hold.
            Condition::At { before, .. } if *before < 2 => {
                return Err(ReplayErrorKind::BeforeAllTicks { found: *before });
            }
            Condition::OnFloor { tick } if !(1..=ticks).contains(tick) => {
                let (found, most) = (i64::try_from(*tick).unwrap_or(i64::MAX), ticks as i64);
                return Err(ReplayErrorKind::TickOutside { found, min: 1, max: most });
            }
            _ => {}
        }
        Ok(Expectation { text: text.to_owned(), name, what })
    }

    /// Returns the text of the expectation, such as `hero at goal before 1300`.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Checks that the replay has the body of a condition, or that the map has the platform.
fn check_names_exist(
    name: Option<&String>,
    what: &Condition,
    names: &Names,
    map: Option<&Map>,
) -> Result<(), ReplayErrorKind> {
    let Some(name) = name.cloned() else { return Ok(()) };
    if matches!(what, Condition::Events { event: "platform_arrived", .. }) {
        let known: Option<Vec<_>> = map.map(|map| map.platforms().iter().map(|it| it.name.clone()).collect());
        return match known.filter(|known| !known.contains(&name)) {
            Some(known) => Err(ReplayErrorKind::UnknownPlatform { name, known }),
            None => Ok(()),
        };
    }
    if names.body(&name).is_some() {
        return Ok(());
    }
    let known = names.iter().map(|(_, name)| name.to_owned()).collect();
    Err(ReplayErrorKind::UnknownBody { name, known })
}

/// Returns the line with its misspelt keywords corrected. `None` if no word is similar to a keyword.
///
/// Corrects a word only where the grammar expects that word, so that names of bodies and markers are never changed.
/// These are: an event, `before`, `on_floor` and `at` before the number, and the `at` between a body and a marker.
fn with_corrected_keywords(text: &str, names: &Names) -> Option<String> {
    let mut words: Vec<&str> = text.split(' ').collect();
    let last = words.len().checked_sub(2)?;
    words[last + 1].parse::<u64>().ok()?;
    let near = |word: &str, known: &[&'static str]| {
        let exact = known.iter().find(|known| **known == word);
        exact.or_else(|| crate::text::similar_name(word, known)).copied()
    };
    let floor = last.checked_sub(1).and_then(|i| near(words[i], &["on_floor"]));
    if let Some((floor, at)) = floor.zip(near(words[last], &["at"])) {
        (words[last - 1], words[last]) = (floor, at);
    } else {
        let known = [&["before"], &EventKind::names()[..]].concat();
        words[last] = near(words[last], &known)?;
        if words[last] == "before" {
            let is_body = |i: &usize| names.body(&words[..*i].join(" ")).is_some();
            let at = (1..last).filter(is_body).find_map(|i| Some((i, near(words[i], &["at"])?)));
            let (i, at) = at?;
            words[i] = at;
        }
    }
    let line = words.join(" ");
    (line != text).then_some(line)
}

/// Checks the expectations of a replay while a playback plays it.
///
/// Call [`observe`](ExpectationCheck::observe) after each tick, and [`unmet`](ExpectationCheck::unmet) at the end of
/// the run.
#[derive(Clone, Debug)]
pub struct ExpectationCheck {
    lines: Vec<Watched>,
}

#[derive(Clone, Debug)]
struct Watched {
    expectation: Expectation,
    body: Option<BodyId>,
    /// Positions of the marker.
    positions: Vec<Position>,
    /// Number of events.
    count: u64,
    /// First tick after which the body was at the marker.
    first: Option<u64>,
    /// Position of the body after the last tick that matters for the line, and whether it stands on a floor.
    last: Option<(Position, bool)>,
}

impl ExpectationCheck {
    /// Creates a check of all expectations of `replay`. The check starts before the first tick.
    #[must_use]
    pub fn new(replay: &Replay) -> ExpectationCheck {
        let log: &Recording = replay.recording();
        let watched = |expectation: &Expectation| Watched {
            body: expectation.name.as_ref().and_then(|name| log.body(name)),
            positions: match &expectation.what {
                Condition::At { marker, .. } => replay.map().markers(marker).collect(),
                _ => Vec::new(),
            },
            expectation: expectation.clone(),
            count: 0,
            first: None,
            last: None,
        };
        ExpectationCheck { lines: replay.expectations().iter().map(watched).collect() }
    }

    /// Checks the expectations against `world`. Call this method once after each tick of the playback.
    pub fn observe(&mut self, world: &World) {
        for Watched { expectation, body, positions, count, first, last } in &mut self.lines {
            let state = body.and_then(|body| world.get(body));
            let now = state.map(|state| (state.position(), state.on_floor()));
            match expectation.what {
                Condition::At { .. } => {
                    let is_there = state.is_some_and(|state| {
                        let (at, half) = (state.position().to_dvec2(), state.shape().half_extents());
                        positions.iter().any(|position| (position.to_dvec2() - at).abs().cmple(half).all())
                    });
                    *first = first.or(is_there.then_some(world.tick()));
                    *last = now;
                }
                Condition::OnFloor { tick } if world.tick() == tick => *last = now,
                Condition::OnFloor { .. } => {}
                Condition::Events { event, .. } => {
                    let is_of = |is: &Event, name: &String| match is.kind {
                        EventKind::PlatformArrived { platform, .. } => {
                            world.platform(platform).is_some_and(|state| state.platform().name == *name)
                        }
                        _ => *body == Some(is.body),
                    };
                    let counts = |is: &&Event| {
                        is.kind.name() == event && expectation.name.as_ref().is_none_or(|name| is_of(is, name))
                    };
                    *count += world.events().iter().filter(counts).count() as u64;
                }
            }
        }
    }

    /// Returns the first expectation that failed, or `None` if all are fulfilled. Call this method at the end of the
    /// run.
    #[must_use]
    pub fn unmet(&self) -> Option<UnmetExpectation> {
        self.lines.iter().find_map(|Watched { expectation, count: events, first, last, .. }| {
            let found = match expectation.what {
                Condition::At { before, .. } => match *first {
                    Some(tick) if tick < before => return None,
                    Some(tick) => Outcome::Late { tick },
                    None => Outcome::Never { end: last.map(|(end, _)| end) },
                },
                Condition::OnFloor { .. } => match *last {
                    Some((_, true)) => return None,
                    Some((at, false)) => Outcome::OffFloor { at },
                    None => Outcome::Absent,
                },
                Condition::Events { count, .. } if *events == count => return None,
                Condition::Events { .. } => Outcome::Events(*events),
            };
            Some(UnmetExpectation { expectation: expectation.text.clone(), found })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Playback;

    /// A ball falls onto the floor of a map with a goal, and walks there: 3 tiles at 8 tiles per second, after about
    /// 20 ticks.
    fn play_with_expectation(expect: &str) -> Result<Option<UnmetExpectation>, String> {
        let text = format!(
            r#"Replay(map: Inline(Map(format: 1, tiles: ["@..*...", "======="])), ticks: 90, expect: [{expect:?}],
            bodies: [(name: "the hero", shape: Circle(0.25), at: Marker("start"), character: ())],
            inputs: {{"the hero": [(ticks: 20), (ticks: 70, walk: 127)]}})"#
        );
        let replay = Replay::from_ron(&text).map_err(|error| error.to_string())?;
        assert_eq!(Replay::from_ron(&replay.to_ron()).map(|again| again == replay).ok(), Some(true));
        let (mut player, mut check) = (Playback::new(&replay), ExpectationCheck::new(&replay));
        while player.step().is_some() {
            check.observe(player.world());
        }
        Ok(check.unmet())
    }

    #[test]
    fn expectations_are_compared_with_the_run() {
        for good in [
            "the hero at goal before 60",
            "the hero on_floor at 20",
            "landed 1",
            "the hero landed 1",
            "left_map 1",
            "stuck 0",
        ] {
            assert_eq!(play_with_expectation(good), Ok(None), "{good}");
        }
        for (bad, told) in [
            // From tick 20 on, the hero has 2.75 tiles to go: 8 ticks at 1, 2, ... 8 tiles per second, then 17 ticks at
            // 8.
            (
                "the hero at goal before 45",
                "expected `the hero at goal before 45`; found the body there first after tick 45",
            ),
            ("the hero landed 2", "expected `the hero landed 2`; found 1"),
        ] {
            assert_eq!(play_with_expectation(bad).unwrap().map(|unmet| unmet.to_string()).as_deref(), Some(told));
        }
    }

    /// A lift needs 60 ticks for a tile, and a cart 30.
    #[test]
    fn arrivals_count_by_the_name_of_the_platform() {
        let run = |expect: &str| {
            let text = format!(
                r#"Replay(map: Inline(Map(format: 1, tiles: ["..", ".."], platforms: [
                    (name: "lift", at: (0, 0), motion: Path(points: [(0, 0), (0, 1)], speed: 1.0), tiles: ["="]),
                    (name: "a cart", at: (1, 0), motion: Path(points: [(0, 0), (1, 0)], speed: 2.0), tiles: ["="]),
                ])), ticks: 120, expect: [{expect:?}])"#
            );
            let replay = Replay::from_ron(&text).map_err(|error| error.to_string())?;
            let (mut player, mut check) = (Playback::new(&replay), ExpectationCheck::new(&replay));
            while player.step().is_some() {
                check.observe(player.world());
            }
            Ok(check.unmet().map(|unmet| unmet.to_string()))
        };
        for good in ["lift platform_arrived 2", "a cart platform_arrived 4", "platform_arrived 6"] {
            assert_eq!(run(good), Ok(None));
        }
        let unmet = "expected `lift platform_arrived 3`; found 2".to_owned();
        assert_eq!(run("lift platform_arrived 3"), Ok(Some(unmet)));
        let error: String = run("life platform_arrived 2").unwrap_err();
        assert!(error.contains("the replay has no platform \"life\"; did you mean `lift`?"), "{error}");
    }

    #[test]
    fn an_unmet_line_says_where_the_body_was() {
        // The bodies do not move. One is removed.
        let run = |expect: &str| {
            let text = format!(
                r#"Replay(map: Inline(Map(format: 1, tiles: ["@..*...", "======="])), ticks: 9, expect: [{expect:?}],
                bodies: [(name: "b", shape: Circle(0.25), at: Marker("goal"), gravity_scale: 0.0),
                    (name: "b at c", shape: Circle(0.25), at: At(1.5, 1.5), gravity_scale: 0.0),
                    (name: "gone", shape: Circle(0.25), at: At(1.5, 1.5), gravity_scale: 0.0)],
                commands: [(tick: 5, do: Despawn("gone"))])"#
            );
            let replay = Replay::from_ron(&text).unwrap();
            let (mut player, mut check) = (Playback::new(&replay), ExpectationCheck::new(&replay));
            while player.step().is_some() {
                check.observe(player.world());
            }
            check.unmet().map(|unmet| unmet.to_string())
        };
        assert_eq!(run("b at goal before 2"), None);
        for (line, found) in [
            ("b at c at goal before 9", "the body never there; at the end the body is at (1.500, 1.500)"),
            ("gone at goal before 9", "the body never there; at the end the body is not in the world"),
            ("b at c on_floor at 3", "the body at (1.500, 1.500), not on a floor"),
            ("gone on_floor at 8", "no such body in the world at that tick"),
        ] {
            assert_eq!(run(line), Some(format!("expected `{line}`; found {found}")));
        }
    }

    #[test]
    fn invalid_lines_are_refused_at_their_position() {
        for (wrong, told) in [
            ("the hero at goal", "is not an expectation; expected `NAME at MARKER before TICK`"),
            ("the hero flies 3", "; the events are landed, left_floor, hit_tile, left_map, stuck, unstuck"),
            ("the hero landet 3", "is not an expectation; did you mean `the hero landed 3`?"),
            ("the hero at goal befor 3", "did you mean `the hero at goal before 3`?"),
            ("the hero ta goal before 3", "did you mean `the hero at goal before 3`?"),
            ("the hero on_flor at 3", "did you mean `the hero on_floor at 3`?"),
            ("the hero on_floor ta 3", "did you mean `the hero on_floor at 3`?"),
            ("the hero at goal before 0", "before tick 0; expected at least 2"),
            ("the hero at goal before 1", "before tick 1; expected at least 2"),
            ("hero landed 1", "the replay has no body \"hero\""),
            ("the hero at gaol before 9", "the map has no marker \"gaol\"; did you mean `goal`?"),
            ("the hero on_floor at 91", "tick 91 is outside the replay; expected 1 to 90"),
        ] {
            let error = play_with_expectation(wrong).unwrap_err();
            assert!(error.contains(told) && error.starts_with("line 1, column 8"), "{error}");
        }
    }
}

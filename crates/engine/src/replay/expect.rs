//! What a run should come to, in a replay's words.

use super::{Replay, ReplayErrorKind};
use crate::event::{BodyId, EventKind};
use crate::map::Map;
use crate::record::{Log, Names};
use crate::world::World;
use std::fmt;
use surefoot_geometry::Position;

/// What a run should come to: a line of a replay's `expect`, such as `hero at goal before 1300`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    text: String,
    body: Option<String>,
    what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    /// In some tick before that one the box around the body covers a marker of the name.
    At { marker: String, before: u64 },
    /// After that tick it stands on a floor.
    OnFloor { tick: u64 },
    /// So many events of the kind, of the body or of all.
    Events { event: &'static str, count: u64 },
}

/// An expectation that a run has not met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// The line.
    pub expectation: String,
    /// How many events there were, if that is what was expected.
    pub found: Option<u64>,
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.found {
            Some(found) => write!(f, "expected `{}`; found {found}", self.expectation),
            None => write!(f, "expected `{}`, which is not so", self.expectation),
        }
    }
}

impl Expectation {
    /// Reads a line for a run of those bodies and so many ticks; names of bodies and markers may have spaces in them.
    pub(super) fn parse(
        text: &str,
        names: &Names,
        map: Option<&Map>,
        ticks: u64,
    ) -> Result<Expectation, ReplayErrorKind> {
        let unknown = || ReplayErrorKind::Expectation { text: text.to_owned() };
        let (rest, number) = text.rsplit_once(' ').ok_or_else(unknown)?;
        let number = number.parse().map_err(|_| unknown())?;
        let (body, what) = if let Some(rest) = rest.strip_suffix(" before") {
            let (body, marker) = rest.split_once(" at ").ok_or_else(unknown)?;
            (body, What::At { marker: marker.to_owned(), before: number })
        } else if let Some(body) = rest.strip_suffix(" on_floor at") {
            (body, What::OnFloor { tick: number })
        } else {
            let (body, event) = rest.rsplit_once(' ').unwrap_or(("", rest));
            let event = EventKind::NAMES.iter().find(|name| **name == event).ok_or_else(unknown)?;
            (body, What::Events { event, count: number })
        };
        let body = (!body.is_empty()).then(|| body.to_owned());
        if let Some(name) = body.clone().filter(|name| names.body(name).is_none()) {
            let known = names.iter().map(|(_, name)| name.to_owned()).collect();
            return Err(ReplayErrorKind::UnknownBody { name, known });
        }
        match &what {
            What::At { marker, .. } if map.is_some_and(|map| map.marker(marker).is_none()) => {
                let mut known: Vec<String> =
                    map.iter().flat_map(|map| map.all_markers()).map(|(name, _)| name.to_owned()).collect();
                known.dedup();
                return Err(ReplayErrorKind::NoMarker { name: marker.clone(), known });
            }
            What::OnFloor { tick } if !(1..=ticks).contains(tick) => {
                let (found, most) = (i64::try_from(*tick).unwrap_or(i64::MAX), ticks as i64);
                return Err(ReplayErrorKind::TickOutside { found, least: 1, most });
            }
            _ => {}
        }
        Ok(Expectation { text: text.to_owned(), body, what })
    }

    /// The line.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Looks on while a replay is played, whether it comes to what it should.
#[derive(Clone, Debug)]
pub struct ExpectationCheck {
    lines: Vec<Watched>,
}

#[derive(Clone, Debug)]
struct Watched {
    expectation: Expectation,
    body: Option<BodyId>,
    /// Where the marker is.
    places: Vec<Position>,
    /// How often it was so.
    seen: u64,
}

impl ExpectationCheck {
    /// For the expectations of a replay.
    #[must_use]
    pub fn new(replay: &Replay) -> ExpectationCheck {
        let log: &Log = replay.log();
        let watched = |expectation: &Expectation| Watched {
            body: expectation.body.as_ref().and_then(|name| log.body(name)),
            places: match &expectation.what {
                What::At { marker, .. } => replay.map().markers(marker).collect(),
                _ => Vec::new(),
            },
            expectation: expectation.clone(),
            seen: 0,
        };
        ExpectationCheck { lines: replay.expectations().iter().map(watched).collect() }
    }

    /// Takes note of the world after a tick. To be called after each.
    pub fn observe(&mut self, world: &World) {
        for Watched { expectation, body, places, seen } in &mut self.lines {
            let state = body.and_then(|body| world.get(body));
            *seen += match expectation.what {
                What::At { before, .. } => u64::from(state.is_some_and(|state| {
                    let (at, half) = (state.position().to_dvec2(), state.shape().extents());
                    let covers = |place: &Position| (place.to_dvec2() - at).abs().cmple(half).all();
                    world.tick() < before && places.iter().any(covers)
                })),
                What::OnFloor { tick } => {
                    u64::from(world.tick() == tick && state.is_some_and(|state| state.on_floor()))
                }
                What::Events { event, .. } => {
                    let counts =
                        |is: &&crate::event::Event| is.kind.name() == event && body.is_none_or(|it| it == is.body);
                    world.events().iter().filter(counts).count() as u64
                }
            };
        }
    }

    /// The first expectation that was not met, at the end of the run.
    #[must_use]
    pub fn unmet(&self) -> Option<Unmet> {
        self.lines.iter().find_map(|Watched { expectation, seen, .. }| {
            let found = match expectation.what {
                What::Events { count, .. } if *seen != count => Some(*seen),
                What::Events { .. } => return None,
                _ if *seen > 0 => return None,
                _ => None,
            };
            Some(Unmet { expectation: expectation.text.clone(), found })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Player;

    /// Falls onto the floor of a map with a goal, and walks there: 8 tiles a second for 3 tiles, after some 20 ticks.
    fn run(expect: &str) -> Result<Option<Unmet>, String> {
        let text = format!(
            r#"Replay(map: Inline(Map(format: 1, tiles: ["@..*...", "======="])), ticks: 90, expect: [{expect:?}],
            bodies: [(name: "the hero", shape: Circle(0.25), at: Marker("start"), character: ())],
            inputs: {{"the hero": [(ticks: 20), (ticks: 70, walk: 127)]}})"#
        );
        let replay = Replay::from_ron(&text).map_err(|error| error.to_string())?;
        assert_eq!(Replay::from_ron(&replay.to_ron()).map(|again| again == replay).ok(), Some(true));
        let (mut player, mut check) = (Player::new(&replay), ExpectationCheck::new(&replay));
        while player.step().is_some() {
            check.observe(player.world());
        }
        Ok(check.unmet())
    }

    #[test]
    fn what_a_run_comes_to_is_held_against_what_it_should() {
        for good in [
            "the hero at goal before 60",
            "the hero on_floor at 20",
            "landed 1",
            "the hero landed 1",
            "left_map 1",
            "stuck 0",
        ] {
            assert_eq!(run(good), Ok(None), "{good}");
        }
        for (bad, told) in [
            ("the hero at goal before 30", "expected `the hero at goal before 30`, which is not so"),
            ("the hero on_floor at 1", "expected `the hero on_floor at 1`, which is not so"),
            ("the hero landed 2", "expected `the hero landed 2`; found 1"),
        ] {
            assert_eq!(run(bad).unwrap().map(|unmet| unmet.to_string()).as_deref(), Some(told));
        }
    }

    #[test]
    fn lines_that_mean_nothing_are_refused_at_their_place() {
        for (wrong, told) in [
            ("the hero at goal", "is no expectation"),
            ("the hero flies 3", "is no expectation"),
            ("hero landed 1", "there is no body \"hero\" in the replay"),
            ("the hero at gaol before 9", "the map has no marker \"gaol\"; did you mean `goal`?"),
            ("the hero on_floor at 91", "tick 91; expected 1 to 90"),
        ] {
            let error = run(wrong).unwrap_err();
            assert!(error.contains(told) && error.starts_with("line 1, column 8"), "{error}");
        }
    }
}

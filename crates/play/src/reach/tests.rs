use super::*;
use std::time::Instant;
use surefoot::geometry::DVec2;
use surefoot::map::Map;

/// The floor is at y = 1. A jump is 3.2 tiles high and the hero 0.9, so that its head comes up to 5.1: the coin at y = 7.5
/// is too high. The coin at (9.5, 1.5) is walled in, and the walls are too high to get onto them.
const LEVEL: &str = r##"Map(
    format: 1,
    border: (left: Solid, right: Solid),
    legend: {'c': (area: (tag: "coin", shape: Circle(0.4)))},
    tiles: [
        "............",
        "............",
        "...c........",
        "............",
        "............",
        "........###.",
        "........#.#.",
        "........#.#.",
        "........#c#.",
        "............",
    ],
)"##;

/// The same with a free coin, a start and a goal on the floor.
fn level() -> Map {
    let rows = [("\"............\",\n    ],", "\"############\",\n    ],"), ("\"........#c#.\"", "\".@..c.*.#c#.\"")];
    let text = rows.iter().fold(LEVEL.to_owned(), |text, (from, to)| text.replace(from, to));
    Map::from_ron(&text).expect("a map")
}

const FEW: Limits = Limits { time: None, states: 4000 };

fn last_reach(session: &Session) -> Reach {
    let mut last = None;
    explore(&session.draft().expect("a map is played"), FEW, &|| false, &mut |reach| last = Some(reach));
    last.expect("an answer")
}

#[test]
fn the_reach_is_that_of_hand_geometry() {
    let session = Session::play(level(), None);
    let Reach { findings, words } = last_reach(&session);
    assert!(words.starts_with("goal reachable in ") && words.contains("; coin 1 of 3, 2 unreachable; "), "{words}");
    let mut unreachable: Vec<_> = findings.unreachable.iter().map(|(_, at)| (at.y, at.x)).collect();
    unreachable.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert_eq!((unreachable, findings.not_found.len()), (vec![(1.5, 9.5), (7.5, 3.5)], 0));
    // The path begins at the hero, ends at the goal, and has no gaps: the hero falls at most 30 tiles per second, half
    // a tile per tick.
    let hero = &session.world()[session.hero().expect("a hero")];
    assert_eq!(findings.path.first(), Some(&hero.position().to_dvec2()));
    let end = *findings.path.last().expect("a path");
    assert!((end - DVec2::new(6.5, 1.5)).abs().cmplt(DVec2::new(0.35, 0.45)).all(), "{end}");
    assert!(findings.path.windows(2).all(|pair| pair[0].distance(pair[1]) < 0.51));
    for x in 0..8 {
        assert!(findings.reached.contains(&(x, 1)), "{x}");
    }
    // The walls are 4 tiles high, so the hero cannot get onto them or over them.
    assert!(findings.reached.iter().all(|&(x, y)| x < 8 && (1..=5).contains(&y)), "{:?}", findings.reached);
}

/// Updates as frames do, until the words have a text.
fn wait_for(explorer: &mut Explorer, session: &Session, text: &str) {
    let begin = Instant::now();
    loop {
        explorer.take_answers_or_restart(session);
        let words = explorer.answer_in_words();
        if words.contains(text) && !words.contains("searching") {
            return;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "waited in vain for {text:?}: {words:?}");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn each_edit_is_explored() {
    let mut session = Session::play(level(), None);
    let mut explorer = Explorer { limits: FEW, ..Explorer::default() };
    explorer.take_answers_or_restart(&session);
    assert_eq!((explorer.answer_in_words().as_str(), explorer.latest_answer().is_none()), ("searching ...", true));
    wait_for(&mut explorer, &session, "goal reachable");
    let first = explorer.latest_answer().map(|(_, number)| number);
    explorer.take_answers_or_restart(&session);
    assert_eq!(explorer.latest_answer().map(|(_, number)| number), first, "an unchanged level is not explored again");
    let full = session.world().map().catalogue().find_variant("full_block").ok();
    // These tiles wall the goal in from above and from its left. A block of the level is on its right.
    for tile in [(5, 1), (5, 2), (6, 2), (7, 2)] {
        session.paint(tile, full).expect("a tile");
        explorer.take_answers_or_restart(&session);
    }
    wait_for(&mut explorer, &session, "goal unreachable");
    session.paint((6, 2), None).expect("a tile");
    wait_for(&mut explorer, &session, "goal reachable");
    explorer.clear();
    assert!(explorer.latest_answer().is_none());
}

#[test]
fn a_tuned_hero_reaches_more() {
    let mut session = Session::play(level(), None);
    let high = surefoot::body::Character { jump_height: 8.0, ..session.character() };
    session.tune(high).expect("a character");
    let words = last_reach(&session).words;
    assert!(words.contains("coin 2 of 3, 1 unreachable"), "{words}");
}

#[test]
fn a_level_without_a_goal_says_so() {
    let words = last_reach(&Session::play(Map::from_ron(LEVEL).expect("a map"), None)).words;
    assert!(words.starts_with("no goal to run to: place the marker goal; coin "), "{words}");
}

#[test]
fn a_stopped_exploration_ends() {
    let session = Session::play(level(), None);
    let mut answers = 0;
    let many = Limits { time: None, states: usize::MAX };
    explore(&session.draft().expect("a map"), many, &|| true, &mut |_| answers += 1);
    assert_eq!(answers, 1, "the answer of the run to the goal only");
}

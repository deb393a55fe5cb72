//! A game in memory is the twin of a game on a disk.

use super::{FRAME, SIZE, act, fresh, play, shipped};
use std::path::Path;
use surefoot::replay::Replay;
use surefoot_link::Link;
use surefoot_play::{Action, Controls, Game, Held};

const NAMES: [&str; 4] = ["first_steps.ron", "first_steps.replay.ron", "zoo.ron", "zoo.replay.ron"];

fn in_memory() -> Game {
    Game::in_memory(NAMES.map(|name| (name.to_owned(), std::fs::read_to_string(shipped(name)).unwrap())))
}

/// Holds the key to the right for half a second.
fn walk(game: &mut Game) -> surefoot_play::Report {
    for _ in 0..30 {
        game.frame(FRAME, &Controls { held: Held { right: true, ..Held::default() }, ..Controls::default() }, SIZE);
    }
    play(game, &Controls::default())
}

#[test]
fn menu_ghost_and_run_are_those_of_a_disk() {
    // The window shows how long steps take. With a clock that stands still, both windows show the same.
    surefoot_play::set_clock(|| 0.0);
    let on_disk = Game::new(&["first_steps.ron", "zoo.ron"].map(shipped), None);
    let [mut disk, mut memory] = [on_disk, in_memory()];
    act(&mut disk, &[]);
    act(&mut memory, &[]);
    assert!(fresh(&mut disk) == fresh(&mut memory), "pictures and the run behind the menu");
    for game in [&mut disk, &mut memory] {
        act(game, &[Action::Choose]);
        act(game, &[Action::Ghost]);
    }
    let [on_disk, in_memory] = [walk(&mut disk), walk(&mut memory)];
    assert!(in_memory.ghost.is_some() && in_memory.tick > 20);
    assert_eq!(on_disk, in_memory);
    assert!(fresh(&mut disk) == fresh(&mut memory));
}

#[test]
fn saved_runs_and_maps_are_handed_out_and_open_again() {
    let mut game = in_memory();
    game.open(Path::new("first_steps.ron")).unwrap();
    let report = walk(&mut game);
    let saved = act(&mut game, &[Action::Pause, Action::SaveReplay, Action::SaveMap]).saved;
    assert_eq!(saved.as_deref(), Some("first_steps-1.ron"));
    let written = game.take_written();
    let names: Vec<_> = written.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["first_steps-1.replay.ron", "first_steps-1.ron"]);
    assert_eq!(game.take_written(), []);

    // The replay refers to the map by its file name. So next to a copy of the map, the replay is valid on a disk too.
    let folder = std::env::temp_dir().join(format!("surefoot-play-memory-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::copy(shipped("first_steps.ron"), folder.join("first_steps.ron")).unwrap();
    std::fs::write(folder.join("run.replay.ron"), &written[0].1).unwrap();
    let replay = Replay::load(folder.join("run.replay.ron")).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let checksum = replay.verify().unwrap().checksum.to_string();

    let mut again = in_memory();
    again.add_file(&written[0].0, &written[0].1).unwrap();
    // From the first entry of the menu, `Previous` goes to the last one, which is the new file.
    act(&mut again, &[Action::Previous]);
    let watched = act(&mut again, &[Action::Choose]);
    assert_eq!(watched.screen, "watch");
    let mut last = watched;
    for _ in 0..40 {
        last = act(&mut again, &[]);
    }
    assert_eq!((last.tick, last.checksum), (report.tick, checksum));
    assert_eq!((last.hero, last.differs), (report.hero, None));
}

#[test]
fn a_file_with_a_mistake_is_not_in_the_menu_and_says_why_when_it_is_opened() {
    let mut game = in_memory();
    act(&mut game, &[]);
    let before = fresh(&mut game);
    game.add_file("bad.ron", "Map(").unwrap();
    assert!(fresh(&mut game) == before);
    let error = game.open(Path::new("bad.ron")).unwrap_err().to_string();
    assert!(error.starts_with("bad.ron:1:"), "{error}");
    let error = game.open(Path::new("none.ron")).unwrap_err().to_string();
    assert!(error.contains("there is no file of this name"), "{error}");
}

#[test]
fn a_copied_link_opens_elsewhere_and_ends_in_the_same_state() {
    let mut game = in_memory();
    game.open(Path::new("first_steps.ron")).unwrap();
    let report = walk(&mut game);
    assert!(game.take_link().is_none());
    act(&mut game, &[Action::Pause, Action::CopyLink]);
    let link = game.take_link().unwrap();
    assert!(link.starts_with("#first_steps.replay.ron=") && game.take_link().is_none());

    // The link names the shipped map instead of containing it, so the link is short.
    assert!(link.len() < 1000, "{link}");
    let parsed = Link::parse(&link).unwrap();
    assert!(parsed.replay(|_| surefoot::Map::load(shipped("none.ron"))).is_err());
    let replay = parsed.replay(|map| surefoot::Map::load(shipped(map))).unwrap();
    let checksum = replay.verify().unwrap().checksum.to_string();

    let mut other = in_memory();
    other.open_link(&parsed).unwrap();
    let mut last = act(&mut other, &[]);
    for _ in 0..40 {
        last = act(&mut other, &[]);
    }
    assert_eq!((last.screen, last.tick, last.hero, &last.checksum), ("watch", report.tick, report.hero, &checksum));
    assert_eq!(last.states, ["END".to_owned(), format!("checksum {checksum}")]);
    // A link that is made while watching the run is the same link.
    act(&mut other, &[Action::CopyLink]);
    assert_eq!(other.take_link().as_deref(), Some(&*link));
}

#[test]
fn a_link_to_a_changed_map_contains_the_map() {
    let mut game = in_memory();
    game.add_file("zoo.ron", "Map(format: 1, tiles: [\"@...\", \"====\"])").unwrap();
    game.open(Path::new("zoo.ron")).unwrap();
    walk(&mut game);
    act(&mut game, &[Action::CopyLink]);
    let link = Link::parse(&game.take_link().unwrap()).unwrap();
    let replay = link.replay(|map| panic!("{map} is in the link")).unwrap();
    assert_eq!(replay.map().size(), (4, 2));

    let mut other = in_memory();
    other.open_link(&Link::parse("#zoo.ron").unwrap()).unwrap();
    assert_eq!(act(&mut other, &[]).screen, "play");
    for (bad, words) in
        [("#none.ron", "there is no file of this name"), ("#a.replay.ron=y0jNyckHAA", "a.replay.ron:1:")]
    {
        let error = other.open_link(&Link::parse(bad).unwrap()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    assert_eq!(act(&mut other, &[]).screen, "play", "the open map stays");
}

#[test]
fn a_run_of_another_version_of_the_physics_says_so() {
    let text =
        std::fs::read_to_string(shipped("first_steps.replay.ron")).unwrap().replace("physics: 1,", "physics: 2,");
    let mut game = in_memory();
    game.open_link(&Link::new("old.replay.ron", Some(text)).unwrap()).unwrap();
    let report = act(&mut game, &[]);
    assert_eq!((report.physics, report.differs), (Some(2), None));
    let marker = surefoot_draw::Palette::NIGHT.marker.0;
    let of_marker = |game: &mut Game| fresh(game).vertices().iter().filter(|v| v.color[..3] == marker).count();
    let other = of_marker(&mut game);
    game.open(Path::new("first_steps.replay.ron")).unwrap();
    act(&mut game, &[]);
    assert!(of_marker(&mut game) < other, "a line in the colour of markers");
}

#[test]
fn a_run_is_kept_every_ten_seconds() {
    let mut game = in_memory();
    game.open(Path::new("first_steps.ron")).unwrap();
    let mut ticks = Vec::new();
    for _ in 0..1400 {
        let tick = act(&mut game, &[]).tick;
        game.autosave();
        for (name, text) in game.take_written() {
            assert_eq!(name, "autosave.replay.ron");
            assert!(text.contains(&format!("ticks: {tick}")), "{text}");
            ticks.push(tick);
        }
    }
    assert_eq!(ticks, [600, 1200]);
}

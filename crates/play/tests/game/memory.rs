//! A game in memory is the twin of a game on a disk.

use super::{FRAME, SIZE, act, fresh, play, shipped};
use std::path::Path;
use surefoot::replay::Replay;
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
    // The window shows how long steps take; without a clock that goes on, both show the same.
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

    // The replay names the map, which the folder of maps has too: the file is good on a disk.
    let folder = std::env::temp_dir().join(format!("surefoot-play-memory-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::copy(shipped("first_steps.ron"), folder.join("first_steps.ron")).unwrap();
    std::fs::write(folder.join("run.replay.ron"), &written[0].1).unwrap();
    let replay = Replay::load(folder.join("run.replay.ron")).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let checksum = replay.verify().unwrap().checksum.to_string();

    let mut again = in_memory();
    again.add_file(&written[0].0, &written[0].1).unwrap();
    // The new file is the last of the menu.
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

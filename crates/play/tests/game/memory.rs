//! A game in memory is the twin of a game on a disk.

use super::{FRAME, SIZE, act, fresh, play, shipped};
use std::path::Path;
use surefoot::io::MAX_FILE_SIZE;
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
        game.play_frame(
            FRAME,
            &Controls { held: Held { right: true, ..Held::default() }, ..Controls::default() },
            SIZE,
        );
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
    assert!(in_memory.scene.ghost.is_some() && in_memory.world.tick > 20);
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
    again.add_files(&written[..1]).unwrap();
    // From the first entry of the menu, `Previous` goes to the last one, which is the new file.
    act(&mut again, &[Action::Previous]);
    let watched = act(&mut again, &[Action::Choose]);
    assert_eq!(watched.screen, "watch");
    let mut last = watched;
    for _ in 0..40 {
        last = act(&mut again, &[]);
    }
    assert_eq!((last.world.tick, last.world.checksum), (report.world.tick, checksum));
    assert_eq!((last.scene.hero, last.watch.differs), (report.scene.hero, None));
}

#[test]
fn a_file_with_a_mistake_says_why_when_it_is_opened() {
    let bad = ("bad.ron".to_owned(), "Map(".to_owned());
    let mut game = Game::in_memory([bad.clone()]);
    assert!(act(&mut game, &[]).menu.entries.is_empty(), "a file of the program with a mistake is not in the menu");
    // A file of the player is in the menu: the player can forget it.
    game.add_files(&[bad]).unwrap();
    game.add_files(&[("worse.ron", "Map(")]).unwrap();
    assert_eq!(act(&mut game, &[]).menu.forget.iter().flatten().count(), 2, "also the copy of the program's file");
    game.forget_file("bad.ron");
    assert_eq!(act(&mut game, &[]).menu.forget.iter().flatten().count(), 1);
    let notice = act(&mut game, &[Action::Choose]).notice.unwrap();
    assert!(notice.starts_with("worse.ron cannot be opened: line 1, "), "{notice}");
    let error = game.open(Path::new("bad.ron")).unwrap_err().to_string();
    assert!(error.starts_with("bad.ron:1:"), "{error}");
    let error = game.open(Path::new("none.ron")).unwrap_err().to_string();
    assert!(error.contains("there is no file of this name"), "{error}");
}

/// The page for browsers opens dropped files in this way.
#[test]
fn a_text_with_a_mistake_does_not_replace_the_file_of_its_name() {
    let (map, other) = (r#"Map(format: 1, tiles: ["@..", "==="])"#, r#"Map(format: 1, tiles: ["@", "="])"#);
    let replay = |map: &str| {
        let bodies = r#"[(name: "hero", shape: Aabb(0.3, 0.4), at: Marker("start"))]"#;
        format!(r#"Replay(map: {map}, bodies: {bodies}, ticks: 9)"#)
    };
    let mut game = in_memory();
    // The first file is one of the program, the others are new.
    for (name, good, bad) in [
        ("zoo.ron", map.to_owned(), "Map(".to_owned()),
        ("own.ron", map.to_owned(), other.replace("format: 1", "format: 2")),
        ("own.replay.ron", replay("File(\"own.ron\")"), replay("File(\"none.ron\")")),
        ("pasted.ron", replay(&format!("Inline({map})")), replay("Inline(Map(")),
    ] {
        game.open_text(name, &good).unwrap();
        let opened = act(&mut game, &[]);
        let (screen, tick) = (opened.screen, opened.world.tick);
        assert_eq!(screen, if good.starts_with("Map") { "play" } else { "watch" }, "{name}");
        assert_eq!(game.take_written(), [(name.to_owned(), good.clone())], "the page keeps the file");
        let error = game.open_text(name, &bad).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{name}:1:")), "{error}");
        assert_eq!(game.take_written(), [], "{name}: the page keeps the good file");
        act(&mut game, &[]);
        let report = act(&mut game, &[]);
        assert!((report.screen, report.world.tick > tick) == (screen, true), "{name}: what is open goes on");
        game.open(Path::new(name)).unwrap();
        assert_eq!(act(&mut game, &[]).screen, screen, "{name}");
        // Another good text does replace the file.
        game.open_text(name, &good.replace("@..", "@.").replace("===", "==")).unwrap();
        assert_eq!(game.take_written().len(), 1);
    }
}

/// A name cannot lead to another folder, and a map that is named like a text file opens as a map.
#[test]
fn a_text_is_kept_beside_the_other_files() {
    let mut game = in_memory();
    let map = r#"Map(format: 1, tiles: ["@", "="])"#;
    game.open_text("../notes.txt", map).unwrap();
    let names: Vec<_> = game.take_written().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["_notes.txt.ron"]);
    game.open(Path::new("_notes.txt.ron")).unwrap();
}

/// A link has less room than a file, and a dropped file is not a link.
#[test]
fn a_text_as_large_as_a_file_may_be_is_opened() {
    let map = r#"Map(format: 1, tiles: ["@..", "==="])"#;
    let padded = |size: u64| format!("{map}{}", " ".repeat(size as usize - map.len()));
    let mut game = in_memory();
    let larger_than_a_link = Link::MAX_TEXT_BYTES as u64 + 1;
    game.open_text("large.ron", &padded(larger_than_a_link)).unwrap();
    assert_eq!(act(&mut game, &[]).screen, "play");
    game.open(Path::new("large.ron")).unwrap();
    let error = game.open_text("huge.ron", &padded(MAX_FILE_SIZE + 1)).unwrap_err().to_string();
    let (size, limit) = ((64 << 20) + 1, 64 << 20);
    assert_eq!(error, format!("huge.ron: the file is too large: {size} bytes; expected at most {limit}"));
}

#[test]
fn a_forgotten_file_leaves_the_menu_or_brings_back_the_one_of_the_program() {
    let mut game = in_memory();
    // The numbers of entries and of buttons to forget one.
    let menu = |game: &mut Game| {
        let report = act(game, &[]);
        (report.menu.entries.len(), report.menu.forget.iter().flatten().count())
    };
    assert_eq!(menu(&mut game), (2, 0));
    let own = r#"Map(format: 1, tiles: ["@", "="])"#;
    game.add_files(&[("first_steps.ron", own), ("own.ron", own)]).unwrap();
    assert_eq!(menu(&mut game), (3, 2));
    // The first entry is that of `first_steps.ron`.
    act(&mut game, &[Action::Forget]);
    assert_eq!(game.take_file_to_forget().as_deref(), Some("first_steps.ron"));
    assert_eq!((game.take_file_to_forget(), menu(&mut game)), (None, (3, 2)), "the page asks first");
    game.forget_file("first_steps.ron");
    assert_eq!(menu(&mut game), (3, 1));
    game.forget_file("own.ron");
    assert!(game.open(Path::new("own.ron")).is_err());
    assert_eq!(menu(&mut game), (2, 0));
    game.open(Path::new("first_steps.ron")).unwrap();
    act(&mut game, &[Action::SaveMap]);
    let (_, saved) = game.take_written().pop().unwrap();
    let shipped = surefoot::Map::load(shipped("first_steps.ron")).unwrap();
    assert_eq!(surefoot::Map::from_ron(&saved).unwrap().size(), shipped.size());
}

/// The page has kept both files, and sorts them by their names.
#[test]
fn a_replay_comes_before_its_map() {
    let map = r#"Map(format: 1, tiles: ["@..", "==="])"#;
    let replay = r#"Replay(map: File("own.ron"), ticks: 9)"#;
    let mut game = Game::in_memory([]);
    game.add_files(&[("own.replay.ron", replay), ("own.ron", map)]).unwrap();
    act(&mut game, &[]);
    // The card of the replay, with its picture, is as if its map had been there before.
    let menu = fresh(&mut game);
    game.add_files(&[("own.replay.ron", replay)]).unwrap();
    assert!(fresh(&mut game) == menu);
    assert_eq!(act(&mut game, &[Action::Choose]).screen, "watch");
    act(&mut game, &[Action::Back]);
    assert_eq!(act(&mut game, &[Action::Next, Action::Choose]).screen, "play");
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
    assert_eq!(
        (last.screen, last.world.tick, last.scene.hero, &last.world.checksum),
        ("watch", report.world.tick, report.scene.hero, &checksum)
    );
    assert_eq!(last.states, ["END".to_owned(), format!("checksum {checksum}")]);
    // A link that is made while watching the run is the same link.
    act(&mut other, &[Action::CopyLink]);
    assert_eq!(other.take_link().as_deref(), Some(&*link));
}

#[test]
fn a_link_to_a_changed_map_contains_the_map() {
    let mut game = in_memory();
    game.add_files(&[("zoo.ron", "Map(format: 1, tiles: [\"@...\", \"====\"])")]).unwrap();
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
    assert_eq!((report.watch.physics, report.watch.differs), (Some(2), None));
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
        let tick = act(&mut game, &[]).world.tick;
        game.autosave();
        for (name, text) in game.take_written() {
            assert_eq!(name, "autosave.replay.ron");
            assert!(text.contains(&format!("ticks: {tick}")), "{text}");
            ticks.push(tick);
        }
    }
    assert_eq!(ticks, [600, 1200]);
}

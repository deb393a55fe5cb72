//! The game of `docs/ten-things.md` plays as its page says, and the page shows the game's own code.

#![allow(dead_code)] // a test calls no `main`

#[path = "../examples/ten_things/main.rs"]
mod program;

const PAGE: &str = include_str!("../docs/ten-things.md");
const PROGRAM: &str = include_str!("../examples/ten_things/main.rs");
const LEVEL: &str = include_str!("../examples/ten_things/level.ron");

/// Returns the listings of a language on the page.
fn listings(language: &str) -> Vec<&'static str> {
    PAGE.split(&format!("```{language}\n")).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn the_game_is_won_in_the_story_of_its_page() {
    let game = program::play().unwrap();
    assert_eq!(game.story, listings("text")[0]);
    assert!(game.is_won && game.is_door_open);
    assert_eq!((game.coins, game.deaths), (5, 1));
    let walkers = game.world.bodies().filter(|(_, body)| body.tag() == program::WALKER).count();
    assert_eq!(walkers, 0, "the hero stomped on the only walker");
    let door = game.world.platform(game.door).unwrap().position().to_dvec2();
    assert_eq!((door.x, door.y), (51.0, 6.0));
    // Each of the ten things has happened.
    for part in ["after the edge", "off a wall", "lands on a one-way", "drops through", "takes coin", "touched spikes"] {
        assert!(game.story.contains(part), "{part} is missing in\n{}", game.story);
    }
    for part in ["stomps", "onto the button", "opens the door", "spring", "lift", "ladder", "goal with 5 coins in"] {
        assert!(game.story.contains(part), "{part} is missing in\n{}", game.story);
    }
}

#[test]
fn the_page_shows_short_parts_of_the_program() {
    assert_eq!(PAGE.matches("\n## ").count(), 11, "ten things and the tick");
    assert!(PROGRAM.lines().count() <= 260);
    for listing in listings("rust,ignore") {
        assert!(PROGRAM.contains(listing), "the program has no\n{listing}");
        assert!(listing.lines().filter(|line| !line.trim().is_empty()).count() <= 20, "longer than 20 lines:\n{listing}");
        assert!(!listing.contains("assert"), "{listing}");
    }
    for listing in &listings("text")[1..] {
        // The rows of the level stand without their quotes and indentation.
        let is_shown = |line: &str| LEVEL.lines().any(|row| row.trim().trim_start_matches("r\"").trim_end_matches("\",") == line);
        assert!(listing.lines().all(|line| is_shown(line) || LEVEL.contains(line.trim())), "the level has no\n{listing}");
    }
}

//! The game plays as its page says, and the page shows the game's own code.

use super::*;

const PAGE: &str = include_str!("../../docs/ten-things.md");
const PROGRAM: &str = include_str!("main.rs");
const LEVEL: &str = include_str!("level.ron");

/// Returns the listings of a language on the page.
fn listings(language: &str) -> Vec<&'static str> {
    PAGE.split(&format!("```{language}\n")).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn the_game_is_won_in_the_story_of_its_page() {
    let game = play().unwrap();
    assert_eq!(game.story, listings("text")[0]);
    assert!(game.is_won && game.is_door_open);
    assert_eq!((game.coins, game.deaths), (5, 1));
    // The hero stomped on the only walker.
    assert_eq!(game.world.tagged(WALKER).count(), 0);
    assert_eq!(game.world.platform(game.door).unwrap().position(), Position::new(51.0, 6.0).unwrap());
    // Each of the ten things has happened.
    let first = ["after the edge", "off a wall", "on a one-way", "drops through", "takes coin", "touched spikes"];
    let then = ["stomps", "onto the button", "opens the door", "spring", "lift", "ladder", "goal with 5 coins in"];
    for part in first.iter().chain(&then) {
        assert!(game.story.contains(part), "{part} is missing in\n{}", game.story);
    }
}

#[test]
fn without_inputs_the_hero_stays_at_the_start() {
    let mut game = Game::new().unwrap();
    (0..600).for_each(|_| game.tick(Input::default()).unwrap());
    assert!(game.story.is_empty() && !game.is_won, "{}", game.story);
}

#[test]
fn the_page_shows_short_parts_of_the_program() {
    assert_eq!(PAGE.matches("\n## ").count(), 12, "ten things, the tick and the shorter form");
    for listing in listings("rust,ignore") {
        assert!(PROGRAM.contains(listing), "the program has no\n{listing}");
        let lines = listing.lines().filter(|line| !line.trim().is_empty());
        assert!(lines.count() <= 20, "longer than 20 lines:\n{listing}");
        assert!(!listing.contains("assert"), "{listing}");
    }
    // On the page, the rows of the level follow after the story. Then the page shows parts of the file of the level.
    let rows: Vec<_> = LEVEL.lines().filter_map(|line| line.trim().strip_prefix("r\"")?.strip_suffix("\",")).collect();
    assert_eq!(listings("text")[1].lines().collect::<Vec<_>>(), rows);
    for listing in &listings("text")[2..] {
        assert!(listing.lines().all(|line| LEVEL.contains(line.trim())), "the level has no\n{listing}");
    }
}

/// The table has the lines of the parts of `quarry`, and the entries of its map.
#[test]
fn the_page_counts_the_lines_of_the_shorter_form() {
    let (program, level) = (include_str!("../quarry/main.rs"), include_str!("../quarry/level.ron"));
    let starts = ["fn window()", "#[cfg(test)]"].map(|start| program.find(start).unwrap());
    let parts = [&program[..starts[0]], &program[starts[0]..starts[1]], &program[starts[1]..]];
    let entry = |line: &&str| ["        '", "        (name: "].iter().any(|start| line.starts_with(start));
    let rows = [
        ("rules", parts[0].lines().count()),
        ("window", parts[1].lines().count()),
        ("test", parts[2].lines().count()),
        ("program", program.lines().count()),
        ("entries of the map", level.lines().filter(entry).count()),
    ];
    for (name, count) in rows {
        let row = PAGE.lines().find(|line| line.starts_with(&format!("| {name} |"))).unwrap();
        assert!(row.ends_with(&format!("| {count} |")), "expected {count} in {row:?}");
    }
}

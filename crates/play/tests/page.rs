//! The page about the window has the keys and the mouse as the help has them.

use surefoot_play::{KEYS, MOUSE};

const PAGE: &str = include_str!("../../../docs/play.md");

/// The first two cells of each row of the table below a heading, without the head.
fn table(heading: &str) -> Vec<(String, String)> {
    let below = PAGE.split(&format!("\n## {heading}\n")).nth(1).expect("the heading");
    let rows = below.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let cells = rows.skip(2).map(|row| {
        let mut cells = row.split('|').skip(1).map(|cell| cell.trim().to_owned());
        (cells.next().expect("a cell"), cells.next().expect("a second cell"))
    });
    cells.collect()
}

/// A row of the help, with one space between keys.
fn row(&(keys, does): &(&str, &str)) -> (String, String) {
    (keys.split_whitespace().collect::<Vec<_>>().join(" "), does.to_owned())
}

#[test]
fn the_page_lists_the_keys_and_the_mouse() {
    assert_eq!(table("Keys"), KEYS.iter().map(row).collect::<Vec<_>>());
    assert_eq!(table("Mouse"), MOUSE.iter().map(row).collect::<Vec<_>>());
}

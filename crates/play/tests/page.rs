//! Checks that the documentation page lists the keys and the mouse like the help.

use surefoot_play::{KEYS, MOUSE};

const PAGE: &str = include_str!("../../../docs/play.md");

/// Returns the first two cells of each row of the table below a heading, without the table's head.
fn table(heading: &str) -> Vec<(String, String)> {
    let below = PAGE.split(&format!("\n## {heading}\n")).nth(1).expect("the heading");
    let rows = below.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let cells = rows.skip(2).map(|row| {
        let mut cells = row.split('|').skip(1).map(|cell| cell.trim().to_owned());
        (cells.next().expect("a cell"), cells.next().expect("a second cell"))
    });
    cells.collect()
}

/// Returns a row of the help with one space between keys.
fn row(&(keys, does): &(&str, &str)) -> (String, String) {
    (keys.split_whitespace().collect::<Vec<_>>().join(" "), does.to_owned())
}

#[test]
fn the_page_lists_the_keys_and_the_mouse() {
    assert_eq!(table("Keys"), KEYS.iter().map(row).collect::<Vec<_>>());
    assert_eq!(table("Mouse"), MOUSE.iter().map(row).collect::<Vec<_>>());
}

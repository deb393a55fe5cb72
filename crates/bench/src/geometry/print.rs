//! Prints the table and the rows that exceed their limits.

use super::count::Costs;
use super::rows::Row;
use std::fmt::Write;

/// Returns the table as Markdown. A row that misses its limit is marked.
#[must_use]
pub fn table(unit: &str, rows: &[&Row], costs: &[Costs]) -> String {
    let mut text = format!(
        "| question | pair | ours, {unit} | parry's | ours / parry's | at most | ours of any kind | parry's typed | ours / \
         typed |\n|---|---|--:|--:|--:|--:|--:|--:|--:|\n"
    );
    for (row, cost) in rows.iter().zip(costs) {
        let mark = if misses(row, cost) { " **missed**" } else { "" };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {}{mark} | {} | {} | {} | {} |",
            row.question,
            row.pair,
            number(cost.ours),
            number(cost.peer),
            ratio(cost.ours, cost.peer),
            row.limit.map_or_else(String::new, |limit| limit.to_string()),
            number(cost.ours_any),
            number(cost.peer_typed),
            ratio(cost.ours, cost.peer_typed),
        );
    }
    text
}

/// Returns whether the row misses its limit. Without a count, it does.
#[must_use]
pub fn misses(row: &Row, cost: &Costs) -> bool {
    let keeps = |limit| cost.ours.zip(cost.peer).is_some_and(|(ours, peer)| ours <= limit * peer);
    row.limit.is_some_and(|limit| !keeps(limit))
}

fn number(cost: Option<f64>) -> String {
    cost.map_or_else(|| "-".to_owned(), |cost| format!("{cost:.0}"))
}

fn ratio(ours: Option<f64>, peer: Option<f64>) -> String {
    ours.zip(peer).map_or_else(|| "-".to_owned(), |(ours, peer)| format!("{:.2}", ours / peer))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(limit: Option<f64>) -> Row {
        Row { question: "overlaps", pair: String::new(), limit, of_any: false, make: Box::new(|| Box::new(|_, _| ())) }
    }

    fn cost(ours: Option<f64>) -> Costs {
        Costs { ours, peer: Some(100.0), ..Costs::default() }
    }

    #[test]
    fn a_limit_is_kept_or_missed() {
        assert!(!misses(&row(Some(0.2)), &cost(Some(20.0))));
        assert!(misses(&row(Some(0.2)), &cost(Some(20.5))));
        assert!(misses(&row(Some(1.0)), &cost(None)), "what fails keeps nothing");
        assert!(!misses(&row(None), &cost(Some(200.0))));
    }

    #[test]
    fn a_miss_is_marked() {
        let text = table("instructions", &[&row(Some(0.2))], &[cost(Some(30.0))]);
        assert!(text.contains("| 30 | 100 | 0.30 **missed** | 0.2 |"), "{text}");
    }
}

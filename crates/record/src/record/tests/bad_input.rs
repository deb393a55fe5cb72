//! Texts that are not logs, and their errors.

use super::*;
use crate::checksum::PHYSICS_VERSION;
use RecordingErrorKind as Kind;

/// Returns a text of these lines with their checksums.
fn with_checksums<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let (mut text, mut sum) = (String::new(), 0);
    for line in lines {
        sum = line::push_line(&mut text, sum, line);
    }
    text
}

fn error(text: &str) -> RecordingError {
    Recording::<Pad>::from_ron(text).map(|_| ()).unwrap_err()
}

/// Returns a line with the state of a world at tick 0.
fn state_line() -> String {
    let bytes = new_world().capture().to_bytes();
    ron::to_string(&line::Line::<Pad>::State { tick: 0, bytes: line::Hex(bytes) }).unwrap()
}

/// Returns the contents of a log's lines.
fn line_contents(name: &str) -> Vec<String> {
    let (_, text, _) = record(name, 40, with_intervals(20, 0), play_one_tick);
    text.lines().map(|line| line::split_checksum(line).unwrap().0.to_owned()).collect()
}

#[test]
fn a_changed_bit_is_seen_wherever_it_is() {
    let (_, text, _) = record("bits", 25, with_intervals(20, 20), play_one_tick);
    let last = text[..text.len() - 1].rfind('\n').unwrap() + 1;
    for at in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1 << (at % 7);
        let read = read::read_bytes_for_test::<Pad>(&bytes);
        // A changed bit before the last line is an error. A changed last line is dropped. A changed line break before
        // it joins the last two lines, and they are dropped.
        if at < last - 1 {
            assert!(read.is_err(), "{at}");
        } else {
            let read = read.unwrap();
            assert_eq!((read.is_complete(), read.ticks(), read.dropped_line().is_some()), (false, 25, true), "{at}");
        }
    }
}

#[test]
fn lines_that_are_missing_or_in_another_order_are_seen() {
    let (_, text, _) = record("order", 90, with_intervals(20, 40), play_one_tick);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for i in 0..lines.len() - 1 {
        let without: String = lines.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, line)| *line).collect();
        let twice: String = lines[..=i].iter().chain(&lines[i..]).copied().collect();
        let mut swapped = lines.clone();
        swapped.swap(i, i + 1);
        // If the change is near the end, reading may drop the last line instead of failing.
        for (name, text) in [("without", without), ("twice", twice), ("swapped", swapped.concat())] {
            let read = Recording::<Pad>::from_ron(&text);
            assert!(read.is_err() || read.is_ok_and(|read| !read.is_complete() && i + 2 >= lines.len()), "{name} {i}");
        }
    }
    let with_returns = text.replace('\n', "\r\n");
    assert_eq!(Recording::<Pad>::from_ron(&with_returns).unwrap().ticks(), 90);
}

#[test]
fn errors_name_line_column_and_what() {
    let lines = line_contents("errors");
    let line = |i: usize| lines[i].as_str();
    let (head, new, state) = (line(0), line(1), state_line());
    assert!(new.starts_with("New(settings:("), "{lines:?}");
    assert!(line(2).starts_with("Inputs(ticks:20,") && line(3).starts_with("Sums(tick:20,"), "{lines:?}");
    let sums = line(3);
    type Case = (String, (u32, u32), fn(&Kind) -> bool);
    let cases: [Case; 23] = [
        (String::new(), (1, 1), |kind| matches!(kind, Kind::NotARecording)),
        ("Replay(format: 1)".to_owned(), (1, 1), |kind| matches!(kind, Kind::NotARecording)),
        ("Recording(format: 11, new: \"".to_owned(), (1, 19), |kind| matches!(kind, Kind::Format { found: 11 })),
        (
            with_checksums([head.replace(&format!("physics:{PHYSICS_VERSION}"), "physics:x").as_str()]),
            (1, 28),
            |kind| matches!(kind, Kind::Syntax { .. }),
        ),
        (with_checksums([head.replace("physics", "physic").as_str()]), (1, 20), |kind| {
            matches!(kind, Kind::Syntax { .. })
        }),
        (head.to_owned() + "\n", (1, head.len() as u32 + 1), |kind| matches!(kind, Kind::NoChecksum)),
        (with_checksums([head]), (2, 1), |kind| matches!(kind, Kind::Truncated)),
        (with_checksums([head, sums]), (2, 1), |kind| matches!(kind, Kind::Order { .. })),
        (with_checksums([head, "State(tick: 0, bytes: \"0g\")"]), (2, 0), |kind| matches!(kind, Kind::Syntax { .. })),
        (with_checksums([head, "State(tick: 0, bytes: \"00\")"]), (2, 23), |kind| matches!(kind, Kind::State(_))),
        (with_checksums([head, &state.replace("tick:0", "tick:3")]), (2, 20), |kind| {
            matches!(kind, Kind::Tick { found: 0, expected: 3 })
        }),
        (with_checksums([head.replace("map:\"", "map:\"0").as_str()]), (1, 0), |kind| {
            matches!(kind, Kind::Syntax { .. })
        }),
        (with_checksums([head, &state, "Same(ticks: 1)"]), (3, 13), |kind| matches!(kind, Kind::Order { .. })),
        (with_checksums([head, &state, "Inputs(ticks: 0, input: (push:0.0,words:None))"]), (3, 15), |kind| {
            matches!(kind, Kind::Ticks { found: 0, max: 100_000_000 })
        }),
        (with_checksums([head, &state, "Inputs(ticks: 100000001, input: (push:0.0,words:None))"]), (3, 15), |kind| {
            matches!(kind, Kind::Ticks { found: 100_000_001, .. })
        }),
        (with_checksums([head, &state, "Inputs(ticks: 1, input: (push:x,words:None))"]), (3, 31), |kind| {
            matches!(kind, Kind::Syntax { .. })
        }),
        (with_checksums([head, &state, "Inputs(ticks: 1, input: 7)"]), (3, 0), |kind| {
            matches!(kind, Kind::Syntax { .. })
        }),
        (with_checksums([head, new, sums]), (3, 11), |kind| matches!(kind, Kind::Tick { found: 20, expected: 0 })),
        (with_checksums([head, new, line(2), sums, sums]), (5, 11), |kind| matches!(kind, Kind::Twice { tick: 20 })),
        (with_checksums([head, &state, line(2), "End(ticks: 21)"]), (4, 12), |kind| {
            matches!(kind, Kind::Tick { found: 21, expected: 20 })
        }),
        (with_checksums([head, new, "Name(body:(idx:1,version:1),name:\"\")"]), (3, 34), |kind| {
            matches!(kind, Kind::Name(_))
        }),
        (with_checksums([head, &state, "End(ticks: 0)", line(2)]), (4, 1), |kind| matches!(kind, Kind::Order { .. })),
        (with_checksums([head, &state, "Rest(ticks: 0)"]), (3, 0), |kind| matches!(kind, Kind::Syntax { .. })),
    ];
    for (text, (line, column), is) in cases {
        let error = error(&text);
        let short = &text[..text.len().min(300)];
        assert!(is(&error.kind) && error.line == line, "{error} in {short}");
        // Column 0 in a case stands for a mistake that the RON reader reports, with a column of its own.
        assert!(error.column == column || column == 0, "{error} in {short}");
    }
    let text = with_checksums(lines.iter().map(String::as_str));
    let damaged = text.replacen("ticks:20", "ticks:21", 1);
    let error = error(&damaged);
    assert!(matches!(error.kind, Kind::Damaged { .. }) && (error.line, error.column) == (3, 1), "{error}");
    let words = error.in_file("a.recording").to_string();
    assert!(words.starts_with("a.recording:3:1: the line is damaged, or the line before it is missing: "), "{words}");
}

#[test]
fn a_state_of_another_map_is_refused() {
    let lines = line_contents("map");
    let other = World::new(Map::from_ron(r#"Map(format: 1, tiles: ["."])"#).unwrap(), Settings::default());
    let other = line::Line::<Pad>::State { tick: 0, bytes: line::Hex(other.capture().to_bytes()) };
    let input = "Inputs(ticks: 1, input: (push:0.0,words:None))";
    let later = ron::to_string(&other).unwrap().replace("tick:0", "tick:1");
    let error = error(&with_checksums([lines[0].as_str(), &state_line(), input, &later]));
    assert!(matches!(error.kind, Kind::OtherMap) && error.line == 4, "{error}");
}

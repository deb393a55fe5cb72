use super::{Condition, Script, ScriptError, ScriptErrorKind, ScriptExpectation, ScriptRun, ScriptStop, Until};
use crate::body::Input;

/// Words that a line may start with, in addition to a number.
const LINE_KEYWORDS: [&str; 4] = ["at", "end", "expect", "repeat"];

/// Names of inputs.
const INPUT_NAMES: [&str; 6] = ["left", "right", "jump", "down", "up", "dash"];

/// Word between the buttons and the condition that ends them.
const UNTIL: &str = "until";

/// A word with its position.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    line: u32,
    column: u32,
}

impl Word<'_> {
    fn fail_at_word<T>(self, kind: ScriptErrorKind) -> Result<T, ScriptError> {
        Err(ScriptError { file: None, line: self.line, column: self.column, kind })
    }

    /// Parses an integer from 1 to `most`.
    fn parse_number(self, most: u64) -> Result<u64, ScriptError> {
        // `parse` would accept a sign, which a script must not have.
        let digits = self.text.bytes().all(|byte| byte.is_ascii_digit());
        match self.text.parse() {
            Ok(number) if digits && (1..=most).contains(&number) => Ok(number),
            _ => self.fail_at_word(ScriptErrorKind::OutOfRange { found: self.text.to_owned(), max: most }),
        }
    }

    /// Returns the word without its first characters.
    fn without_prefix(self, skipped: &str) -> Self {
        let column = self.column + skipped.chars().count() as u32;
        Word { text: &self.text[skipped.len()..], column, ..self }
    }
}

/// An open block: its start and its number of repetitions.
struct Block<'a> {
    word: Word<'a>,
    times: u64,
    run: usize,
    stop: usize,
    ticks: u64,
}

pub(super) fn parse(text: &str) -> Result<Script, ScriptError> {
    let mut script = Script::default();
    let mut blocks: Vec<Block<'_>> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let words = split_words(line, i as u32 + 1);
        let Some((&first, rest)) = words.split_first() else { continue };
        // Report missing words behind the last word.
        let last = words[words.len() - 1];
        let end = last.without_prefix(last.text);
        match first.text {
            "at" => {
                let name = single_word(rest, end, "the name of a marker")?;
                let stop = ScriptStop {
                    runs: script.runs.len(),
                    marker: name.text.to_owned(),
                    line: name.line,
                    column: name.column,
                };
                script.stops.push(stop);
            }
            "expect" => {
                let Some(&Word { line, column, .. }) = rest.first() else {
                    return end.fail_at_word(ScriptErrorKind::LineTooShort {
                        expected: "an expectation, such as `hero at goal before 60`",
                    });
                };
                let text = rest.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
                script.expectations.push(ScriptExpectation { text, line, column });
            }
            "repeat" => {
                let times =
                    single_word(rest, end, "a number of repetitions")?.parse_number(Script::MAX_STEPS as u64)?;
                let (run, stop) = (script.runs.len(), script.stops.len());
                blocks.push(Block { word: first, times, run, stop, ticks: script.ticks });
            }
            "end" => {
                check_no_more_words(rest)?;
                let Some(block) = blocks.pop() else { return first.fail_at_word(ScriptErrorKind::EndWithoutRepeat) };
                script.repeat_block(&block)?;
            }
            word if word.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+') => {
                let ticks = first.parse_number(Script::MAX_TICKS)?;
                script.add_run(parse_run(ticks, first, rest)?);
            }
            word if is_button_or_until(word) => {
                let run = parse_run(Script::DEFAULT_LIMIT, first, &words)?;
                if run.until.is_none() {
                    let expected = "`until` and a condition, or a number of ticks before the buttons";
                    return end.fail_at_word(ScriptErrorKind::LineTooShort { expected });
                }
                script.add_run(run);
            }
            word => {
                return first.fail_at_word(ScriptErrorKind::UnknownLine {
                    word: word.to_owned(),
                    known: to_strings(&LINE_KEYWORDS),
                });
            }
        }
        if script.is_too_long() {
            return first.fail_at_word(ScriptErrorKind::TooLong);
        }
    }
    match blocks.pop() {
        Some(block) => block.word.fail_at_word(ScriptErrorKind::RepeatWithoutEnd),
        None => Ok(script),
    }
}

impl Script {
    fn add_run(&mut self, run: ScriptRun) {
        self.ticks += run.ticks;
        self.runs.push(run);
    }

    fn is_too_long(&self) -> bool {
        self.ticks > Script::MAX_TICKS || self.runs.len() + self.stops.len() > Script::MAX_STEPS
    }

    /// Repeats a block. Refuses a block that would become too long before it is built.
    fn repeat_block(&mut self, block: &Block<'_>) -> Result<(), ScriptError> {
        let (runs, stops) = (self.runs[block.run..].to_vec(), self.stops[block.stop..].to_vec());
        let ticks = self.ticks - block.ticks;
        if runs.is_empty() && stops.is_empty() {
            return Ok(());
        }
        for round in 1..block.times {
            self.runs.extend_from_slice(&runs);
            let later =
                |stop: &ScriptStop| ScriptStop { runs: stop.runs + round as usize * runs.len(), ..stop.clone() };
            self.stops.extend(stops.iter().map(later));
            self.ticks += ticks;
            if self.is_too_long() {
                return block.word.fail_at_word(ScriptErrorKind::TooLong);
            }
        }
        Ok(())
    }
}

fn split_words(line: &str, number: u32) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut rest = Word { text: line, line: number, column: 1 };
    while let Some(start) = rest.text.find(|c: char| !c.is_whitespace()) {
        rest = rest.without_prefix(&rest.text[..start]);
        let end = rest.text.find(char::is_whitespace).unwrap_or(rest.text.len());
        words.push(Word { text: &rest.text[..end], ..rest });
        rest = rest.without_prefix(&rest.text[..end]);
    }
    words
}

/// Returns the one word that must follow.
fn single_word<'a>(rest: &[Word<'a>], end: Word<'_>, expected: &'static str) -> Result<Word<'a>, ScriptError> {
    let Some((&word, more)) = rest.split_first() else {
        return end.fail_at_word(ScriptErrorKind::LineTooShort { expected });
    };
    check_no_more_words(more)?;
    Ok(word)
}

fn check_no_more_words(rest: &[Word<'_>]) -> Result<(), ScriptError> {
    match rest.first() {
        Some(word) => word.fail_at_word(ScriptErrorKind::LineTooLong { word: word.text.to_owned() }),
        None => Ok(()),
    }
}

/// Returns whether a word is a button, or begins a condition.
fn is_button_or_until(word: &str) -> bool {
    word == UNTIL || INPUT_NAMES.contains(&word.split(':').next().unwrap_or_default())
}

/// Parses the buttons of a line, and the condition after them.
fn parse_run(ticks: u64, first: Word<'_>, words: &[Word<'_>]) -> Result<ScriptRun, ScriptError> {
    let split = words.iter().position(|word| word.text == UNTIL);
    let (held, rest) = words.split_at(split.unwrap_or(words.len()));
    let input = parse_held_inputs(held)?;
    let Some((&word, condition)) = rest.split_first() else {
        return Ok(ScriptRun { ticks, input, line: first.line, column: first.column, until: None });
    };
    let text = condition.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
    let at = condition.first().copied().unwrap_or(word);
    let until = Some(Until { text, condition: parse_condition(word, condition)? });
    Ok(ScriptRun { ticks, input, line: at.line, column: at.column, until })
}

/// Parses the words after `until`.
fn parse_condition(until: Word<'_>, words: &[Word<'_>]) -> Result<Condition, ScriptError> {
    let last = words.last().copied().unwrap_or(until);
    let missing = |expected| last.without_prefix(last.text).fail_at_word(ScriptErrorKind::LineTooShort { expected });
    let Some((first, rest)) = words.split_first() else { return missing("a condition, such as `x > 70` or `floor`") };
    let unexpected = |word: &Word<'_>, expected| {
        word.fail_at_word(ScriptErrorKind::Unexpected { word: word.text.to_owned(), expected })
    };
    let Some(axis) = ["x", "y"].iter().position(|axis| *axis == first.text) else {
        let Some(condition) = Condition::from_word(first.text) else {
            let kind =
                ScriptErrorKind::UnknownCondition { word: first.text.to_owned(), known: Condition::condition_words() };
            return first.fail_at_word(kind);
        };
        return check_no_more_words(rest).map(|()| condition);
    };
    let Some((sign, rest)) = rest.split_first() else { return missing("`>` or `<`, and a number of tiles") };
    if ![">", "<"].contains(&sign.text) {
        return unexpected(sign, "`>` or `<`, with spaces around it");
    }
    let Some((number, rest)) = rest.split_first() else { return missing("a number of tiles") };
    let tiles = number.text.parse().ok();
    let Some(condition) = tiles.and_then(|tiles| Condition::from_comparison(axis, sign.text == ">", tiles)) else {
        return unexpected(number, "a number of tiles, such as 70 or 12.5");
    };
    check_no_more_words(rest).map(|()| condition)
}

/// Reads the inputs that a line of a script holds, such as `right jump`.
fn parse_held_inputs(words: &[Word<'_>]) -> Result<Input, ScriptError> {
    let mut input = Input::default();
    // Left and right exclude each other, so they share a key.
    let key = |name: &str| if name == "right" { "left".to_owned() } else { name.to_owned() };
    let mut before: Vec<(String, &str)> = Vec::new();
    for word in words {
        let (name, part) = match word.text.split_once(':') {
            Some((name, _)) => (name, Some(word.without_prefix(name).without_prefix(":"))),
            None => (word.text, None),
        };
        if !INPUT_NAMES.contains(&name) {
            let known = [&INPUT_NAMES[..], &[UNTIL]].concat();
            let kind = ScriptErrorKind::UnknownInput { word: name.to_owned(), known: to_strings(&known) };
            return word.fail_at_word(kind);
        }
        if let Some((_, before)) = before.iter().find(|(held, _)| *held == key(name)) {
            let kind = ScriptErrorKind::InputConflict { word: name.to_owned(), before: (*before).to_owned() };
            return word.fail_at_word(kind);
        }
        before.push((key(name), name));
        match (name, part) {
            ("left" | "right", part) => {
                let walk = part.map_or(Ok(127), |part| part.parse_number(127))? as i8;
                input.walk = if name == "left" { -walk } else { walk };
            }
            (_, Some(_)) => return word.fail_at_word(ScriptErrorKind::NoPart { word: name.to_owned() }),
            ("jump", None) => input.jump = true,
            ("down", None) => input.down = true,
            ("up", None) => input.up = true,
            _ => input.dash = true,
        }
    }
    Ok(input)
}

fn to_strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Map;

    fn expected_run(ticks: u64, walk: i8, held: &str) -> (u64, Input) {
        let has = |c| held.contains(c);
        (ticks, Input { walk, jump: has('j'), down: has('d'), up: has('u'), dash: has('x') })
    }

    fn runs_of_script(script: &Script) -> Vec<(u64, Input)> {
        script.runs().iter().map(|run| (run.ticks, run.input)).collect()
    }

    #[test]
    fn a_line_is_a_run_of_equal_inputs() {
        let script = Script::parse("# a\n\n60 right\r\n  12 right:1 jump#b\n20\n5\tleft:127 down up\n3 left").unwrap();
        let runs = [
            expected_run(60, 127, ""),
            expected_run(12, 1, "j"),
            expected_run(20, 0, ""),
            expected_run(5, -127, "du"),
            expected_run(3, -127, ""),
        ];
        assert_eq!(self::runs_of_script(&script), runs);
        assert_eq!(script.ticks(), 100);
        assert_eq!(Script::parse(" # nothing\n").unwrap(), Script::default());
    }

    #[test]
    fn blocks_repeat_their_lines() {
        let script = Script::parse("1 up\nrepeat 3\n 2\n repeat 2\n  3 jump\n  at door\n end\nend\nat goal").unwrap();
        let block = [expected_run(2, 0, ""), expected_run(3, 0, "j"), expected_run(3, 0, "j")];
        let runs: Vec<_> = [expected_run(1, 0, "u")].into_iter().chain([block; 3].concat()).collect();
        assert_eq!(self::runs_of_script(&script), runs);
        let stops: Vec<_> = script.stops().iter().map(|stop| (stop.runs, &*stop.marker, stop.line)).collect();
        let doors = [3, 4, 6, 7, 9, 10].map(|runs| (runs, "door", 6));
        assert_eq!((&stops[..6], stops[6]), (&doors[..], (10, "goal", 9)));
        assert_eq!(Script::parse("repeat 9\nend").unwrap(), Script::default());
        let script = Script::parse("repeat 2\n 3\n expect  hero landed\t1 # once\nend").unwrap();
        let expectation = ScriptExpectation { text: "hero landed 1".to_owned(), line: 3, column: 10 };
        assert_eq!((script.ticks(), script.expectations()), (6, &[expectation][..]));
    }

    #[test]
    fn errors_name_line_and_column() {
        for (text, message) in [
            (
                "1\n rihgt 5",
                "2:2: \"rihgt\" cannot begin a line; expected a number of ticks or a keyword; expected one of `at`, `end`, `expect`, `repeat`",
            ),
            (
                "repaet 5",
                "1:1: \"repaet\" cannot begin a line; expected a number of ticks or a keyword; did you mean `repeat`?",
            ),
            ("0 left", "1:1: \"0\" is out of range; expected a whole number from 1 to 100000000"),
            ("-5", "1:1: \"-5\" is out of range; expected a whole number from 1 to 100000000"),
            ("5x", "1:1: \"5x\" is out of range; expected a whole number from 1 to 100000000"),
            (
                "99999999999999999999",
                "1:1: \"99999999999999999999\" is out of range; expected a whole number from 1 to 100000000",
            ),
            ("5 jmup", "1:3: unknown input \"jmup\"; did you mean `jump`?"),
            (
                "5 ä fire",
                "1:3: unknown input \"ä\"; expected one of `left`, `right`, `jump`, `down`, `up`, `dash`, `until`",
            ),
            ("5 up left:128", "1:11: \"128\" is out of range; expected a whole number from 1 to 127"),
            ("5 left:", "1:8: \"\" is out of range; expected a whole number from 1 to 127"),
            (
                "5 jump:3",
                "1:3: input `jump` has no strength; expected it without `:`, since only `left` and `right` have one",
            ),
            ("5 left jump right:3", "1:13: inputs \"left\" and \"right\" exclude each other; expected one of them"),
            ("5 up up", "1:6: input \"up\" is listed twice; expected it once"),
            ("5 right untill floor", "1:9: unknown input \"untill\"; did you mean `until`?"),
            ("5 right until", "1:14: the line ends here; expected a condition, such as `x > 70` or `floor`"),
            (
                "right jump",
                "1:11: the line ends here; expected `until` and a condition, or a number of ticks before the buttons",
            ),
            ("until flor", "1:7: unknown condition \"flor\"; did you mean `floor`?"),
            ("until left_flor", "1:7: unknown condition \"left_flor\"; did you mean `left_floor`?"),
            (
                "until x>70",
                "1:7: unknown condition \"x>70\"; expected one such as `x > 70`, `y < 3`, `floor`, `air`, `wall`, `ceiling` or `landed`",
            ),
            ("until x", "1:8: the line ends here; expected `>` or `<`, and a number of tiles"),
            ("until y >", "1:10: the line ends here; expected a number of tiles"),
            ("until y = 3", "1:9: \"=\" is unexpected here; expected `>` or `<`, with spaces around it"),
            ("until y < three", "1:11: \"three\" is unexpected here; expected a number of tiles, such as 70 or 12.5"),
            ("until y < inf", "1:11: \"inf\" is unexpected here; expected a number of tiles, such as 70 or 12.5"),
            ("until floor now", "1:13: \"now\" is unexpected here; expected the end of the line"),
            ("0 until floor", "1:1: \"0\" is out of range; expected a whole number from 1 to 100000000"),
            ("at  # where", "1:3: the line ends here; expected the name of a marker"),
            ("at goal now", "1:9: \"now\" is unexpected here; expected the end of the line"),
            ("repeat", "1:7: the line ends here; expected a number of repetitions"),
            ("expect # it", "1:7: the line ends here; expected an expectation, such as `hero at goal before 60`"),
            ("repeat 0", "1:8: \"0\" is out of range; expected a whole number from 1 to 1048576"),
            ("5\nend", "2:1: `end` has no `repeat` before it; expected a line such as `repeat 3`"),
            (
                "repeat 2\nrepeat 3\n5\nend",
                "1:1: `repeat` has no `end`; expected a line `end` after the repeated lines",
            ),
            (
                "repeat 2\n99999999\nend",
                "1:1: the script is too long; expected at most 100000000 ticks and 1048576 lines, with blocks repeated",
            ),
            (
                "repeat 1048576\n1\n2\nend",
                "1:1: the script is too long; expected at most 100000000 ticks and 1048576 lines, with blocks repeated",
            ),
        ] {
            let error = Script::parse(text).unwrap_err().in_file("a.input");
            assert_eq!(error.to_string(), format!("a.input:{message}"), "{text:?}");
        }
    }

    #[test]
    fn markers_are_checked_before_a_run() {
        let map = Map::from_ron(r#"Map(format: 1, tiles: ["@.*", "==="])"#).unwrap();
        assert_eq!(Script::parse("60 right\nat goal").unwrap().check_markers(&map), Ok(()));
        let error = Script::parse("at gaol").unwrap().check_markers(&map).unwrap_err();
        assert_eq!(error.to_string(), "line 1, column 4: the map has no marker \"gaol\"; did you mean `goal`?");
    }
}

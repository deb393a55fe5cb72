//! `surefoot check`: reports all mistakes in maps, catalogues and replays.

use super::import::is_editor_file;
use super::{Done, exit_code_of_output};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use surefoot::check::{self, CheckedFile, Diagnostic, Report};
use surefoot::io::MAX_FILE_SIZE;
use unicode_width::UnicodeWidthChar;

/// Check maps, catalogues and replays, and print every mistake
///
/// The content of a file says which of the three it is. The exit code is 1 if a file has a mistake or cannot be read.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files to check; - is the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Print only one JSON object per mistake, each on a line of its own
    #[arg(long)]
    json: bool,
}

/// Maximum number of shown columns of a line of the file, as a terminal counts them.
const MAX_COLUMNS: usize = 100;

/// Replacement of a tab.
const TAB: &str = "    ";

pub(crate) fn run(arguments: &Arguments) -> Done {
    // The stream removes colours if the output is not a terminal, or if the environment forbids colours.
    let mut out = anstream::AutoStream::auto(io::stdout()).lock();
    let mut code = ExitCode::SUCCESS;
    for file in &arguments.files {
        let printed = match check_file(file) {
            Ok(checked) => {
                if !checked.report.is_ok() {
                    code = ExitCode::FAILURE;
                }
                if arguments.json {
                    print_report_json(&mut out, &checked.report)
                } else {
                    print_report(&mut out, file, &checked)
                }
            }
            Err(words) => {
                code = ExitCode::FAILURE;
                if arguments.json {
                    print_unreadable_file_json(&mut out, file, &words)
                } else {
                    writeln!(out, "{}", describe_unreadable_file(&words))
                }
            }
        };
        if let Err(error) = printed.and_then(|()| out.flush()) {
            return exit_code_of_output(Err(error), code);
        }
    }
    Ok(code)
}

/// Returns a file's text and its mistakes, or why the file cannot be read.
fn check_file(file: &str) -> Result<CheckedFile, String> {
    if file != "-" {
        let path = Path::new(file);
        if path.is_dir() {
            return Err(format!("{file}: the path is a folder; expected a map, a catalogue or a replay"));
        }
        if is_editor_file(path) {
            return Err(format!(
                "{file}: a level of an editor; `surefoot import {file}` lists what is wrong or left out"
            ));
        }
        return check::file(path).map_err(|error| error.to_string());
    }
    let name = "standard input";
    let text =
        surefoot::io::read_text_from(io::stdin().lock(), name, MAX_FILE_SIZE).map_err(|error| error.to_string())?;
    let report = check::text(&text).in_file(name);
    Ok(CheckedFile { text, report })
}

fn print_report(out: &mut impl Write, file: &str, checked: &CheckedFile) -> io::Result<()> {
    let Report { kind, diagnostics, more, .. } = &checked.report;
    if diagnostics.is_empty() {
        let kind = kind.map_or_else(String::new, |kind| format!(" ({kind})"));
        return writeln!(out, "{file}: ok{kind}");
    }
    let mut lines = Lines::new(&checked.text);
    for diagnostic in diagnostics {
        writeln!(out, "{}\n", draw_mistake(diagnostic, lines.advance_to_line(diagnostic.line)))?;
    }
    let count = diagnostics.len() + more;
    let listed = if *more > 0 { format!("; only the first {} are listed", diagnostics.len()) } else { String::new() };
    writeln!(out, "{file}: {count} {}{listed}", if count == 1 { "error" } else { "errors" })
}

/// The lines of a text, read with increasing line numbers.
struct Lines<'a> {
    rest: std::str::Split<'a, char>,
    number: u32,
    line: &'a str,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Lines<'a> {
        Lines { rest: text.strip_prefix('\u{feff}').unwrap_or(text).split('\n'), number: 0, line: "" }
    }

    fn advance_to_line(&mut self, number: u32) -> &'a str {
        while self.number < number {
            self.number += 1;
            self.line = self.rest.next().unwrap_or_default();
        }
        self.line.strip_suffix('\r').unwrap_or(self.line)
    }
}

/// Draws a mistake with its line, a caret under the marked part, and colours.
fn draw_mistake(diagnostic: &Diagnostic, line: &str) -> String {
    let shown = Excerpt::new(line, diagnostic.column as usize - 1, diagnostic.length as usize);
    let mut annotation = AnnotationKind::Primary.span(shown.meant.clone());
    if let Some(hint) = &diagnostic.hint {
        annotation = annotation.label(hint.clone());
    }
    let file = diagnostic.file.as_deref().unwrap_or_default();
    let position = format!("{file}:{}:{}", diagnostic.line, diagnostic.column);
    let snippet = Snippet::source(shown.text).line_start(diagnostic.line as usize).annotation(annotation);
    let group =
        Group::with_title(Level::ERROR.primary_title(replace_unsafe_characters(&diagnostic.message))).element(snippet);
    let renderer = Renderer::styled().decor_style(DecorStyle::Ascii).term_width(10 * MAX_COLUMNS);
    let mut drawn = renderer.render(&[group]);
    // Write the position here: the renderer would count columns of the shown text, which may be cut and has no tabs.
    if let Some(end) = drawn.find('\n') {
        let indent = diagnostic.line.to_string().len();
        drawn.insert_str(end, &format!("\n{:indent$}--> {}", "", replace_unsafe_characters(&position)));
    }
    if let Some(drawing) = &diagnostic.drawing {
        for line in drawing.lines() {
            drawn.push('\n');
            drawn.push_str(format!("    {line}").trim_end());
        }
    }
    drawn
}

/// The shown part of a line.
struct Excerpt {
    text: String,
    /// The marked part, in bytes of the text.
    meant: std::ops::Range<usize>,
}

impl Excerpt {
    /// Selects the shown part of a line. `column`, `length`: the marked characters.
    fn new(line: &str, column: usize, length: usize) -> Excerpt {
        let (first, last) = range_of_shown_characters(line, column);
        let count = line.chars().count();
        let mut text = String::new();
        let mut meant = 0..0;
        if first > 0 {
            text.push('\u{2026}');
        }
        for (i, c) in line.chars().enumerate().skip(first).take(last - first) {
            if i == column {
                meant.start = text.len();
            }
            match c {
                '\t' => text.push_str(TAB),
                // Hide characters that would change the appearance of the line.
                c if is_unsafe_in_terminal(c) => text.push('\u{fffd}'),
                c => text.push(c),
            }
            if i >= column && i < column + length {
                meant.end = text.len();
            }
        }
        if column >= last {
            // The mark is behind the end of the line.
            meant = text.len()..text.len() + 1;
            text.push(' ');
        }
        if last < count {
            text.push('\u{2026}');
        }
        Excerpt { text, meant }
    }
}

/// Returns the range of shown characters: the whole line, or a part around a column.
fn range_of_shown_characters(line: &str, column: usize) -> (usize, usize) {
    let widths: Vec<usize> = line.chars().map(|c| if c == '\t' { TAB.len() } else { c.width().unwrap_or(1) }).collect();
    if widths.iter().sum::<usize>() <= MAX_COLUMNS {
        return (0, widths.len());
    }
    let fitting = |widths: &mut dyn Iterator<Item = &usize>, room: usize| {
        let mut taken = 0;
        widths
            .take_while(|&&width| {
                taken += width;
                taken <= room
            })
            .count()
    };
    // Place the mark in the left third, so that the following text is visible too.
    let column = column.min(widths.len());
    let first = column - fitting(&mut widths[..column].iter().rev(), MAX_COLUMNS / 3);
    let last = first + fitting(&mut widths[first..].iter(), MAX_COLUMNS);
    // If the cut-out reaches the end of the line, extend it to the left up to the full width.
    if last == widths.len() { (last - fitting(&mut widths.iter().rev(), MAX_COLUMNS), last) } else { (first, last) }
}

/// Returns whether a character must not be sent to a terminal: control characters, and those that change the text
/// direction.
fn is_unsafe_in_terminal(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn replace_unsafe_characters(words: &str) -> String {
    words.chars().map(|c| if is_unsafe_in_terminal(c) { '\u{fffd}' } else { c }).collect()
}

/// Formats the reason why a file cannot be read, in one line.
fn describe_unreadable_file(words: &str) -> String {
    let renderer = Renderer::styled().decor_style(DecorStyle::Ascii);
    renderer.render(&[Group::with_title(Level::ERROR.primary_title(replace_unsafe_characters(words)))])
}

fn print_report_json(out: &mut impl Write, report: &Report) -> io::Result<()> {
    for diagnostic in &report.diagnostics {
        let object = serde_json::json!({
            "file": diagnostic.file,
            "line": diagnostic.line,
            "column": diagnostic.column,
            "length": diagnostic.length,
            "start": diagnostic.span.start,
            "end": diagnostic.span.end,
            "code": diagnostic.code,
            "message": diagnostic.message,
            "hint": diagnostic.hint,
            "drawing": diagnostic.drawing,
        });
        writeln!(out, "{object}")?;
    }
    if report.more > 0 {
        let file = report.diagnostics.first().and_then(|diagnostic| diagnostic.file.as_deref());
        writeln!(out, "{}", serde_json::json!({ "file": file, "more": report.more }))?;
    }
    Ok(())
}

fn print_unreadable_file_json(out: &mut impl Write, file: &str, words: &str) -> io::Result<()> {
    let message = words.strip_prefix(file).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(words);
    writeln!(out, "{}", serde_json::json!({ "file": file, "code": "unreadable", "message": message }))
}

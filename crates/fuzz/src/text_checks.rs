//! Checks that loading a text and `surefoot check` agree, and that the diagnostics point into the text.

use std::fmt::{Debug, Display};
use surefoot::check::{self, Diagnostic, FileKind, Report};
use surefoot::io::{MAX_FILE_SIZE, read_text_from};

/// Returns the bytes as a text, if the engine reads them as text.
pub(crate) fn read_text(bytes: &[u8]) -> Option<String> {
    read_text_from(bytes, "bytes", MAX_FILE_SIZE).ok()
}

/// Panics unless the report of a text is empty exactly if the text loads, and all diagnostics point into the text.
pub(crate) fn assert_check_agrees<T, E: Debug + Display>(
    kind: FileKind,
    text: &str,
    loaded: &Result<T, E>,
    report: &Report,
) {
    let error = loaded.as_ref().err().map(E::to_string);
    assert_eq!(report.is_ok(), error.is_none(), "loading says {error:?}, check {:?} of\n{text}", report.diagnostics);
    report.diagnostics.iter().for_each(|diagnostic| assert_points_into(text, diagnostic));
    // Check the text again and let `check` detect the kind of file.
    let detected = check::text(text);
    detected.diagnostics.iter().for_each(|diagnostic| assert_points_into(text, diagnostic));
    assert!(
        detected.kind != Some(kind) || detected == *report,
        "told otherwise without its kind: {detected:?} of\n{text}"
    );
    assert!(detected.kind.is_some() || !detected.is_ok(), "nothing is wrong with what is nothing:\n{text}");
}

/// Panics unless the span of a diagnostic is in the text, and its line and column are those of its first byte.
fn assert_points_into(text: &str, diagnostic: &Diagnostic) {
    let fail = |what: &str| panic!("{what}: {diagnostic:?} of\n{text}");
    let Some(before) = text.get(..diagnostic.span.start) else { fail("begins inside a character or behind the end") };
    if text.get(diagnostic.span.clone()).is_none() {
        fail("ends inside a character or behind the end");
    }
    let before = before.strip_prefix('\u{feff}').unwrap_or(before);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    if (diagnostic.line as usize, diagnostic.column as usize) != (line, column) || diagnostic.length == 0 {
        fail("is said to be elsewhere");
    }
    let words = [Some(&diagnostic.message), diagnostic.hint.as_ref(), Some(&diagnostic.code)];
    if words.into_iter().flatten().any(|words| words.is_empty() || words.chars().any(char::is_control)) {
        fail("is not said in one line of words");
    }
}

//! Loading and `check` agree about a text, and what `check` says has its place in it.

use std::fmt::{Debug, Display};
use surefoot::check::{self, Diagnostic, FileKind, Report};
use surefoot::io::{MAX_FILE_SIZE, read_text_from};

/// The bytes as a text, if the engine reads them as one.
pub(crate) fn text(bytes: &[u8]) -> Option<String> {
    read_text_from(bytes, "bytes", MAX_FILE_SIZE).ok()
}

/// Panics unless the report of a text is empty exactly if the text loads, and tells of nothing outside the text.
pub(crate) fn holds<T, E: Debug + Display>(kind: FileKind, text: &str, loaded: &Result<T, E>, report: &Report) {
    let error = loaded.as_ref().err().map(E::to_string);
    assert_eq!(report.is_ok(), error.is_none(), "loading says {error:?}, check {:?} of\n{text}", report.diagnostics);
    report.diagnostics.iter().for_each(|diagnostic| is_in_place(text, diagnostic));
    // The same without being told what it is.
    let told = check::text(text);
    told.diagnostics.iter().for_each(|diagnostic| is_in_place(text, diagnostic));
    assert!(told.kind != Some(kind) || told == *report, "told otherwise without its kind: {told:?} of\n{text}");
    assert!(told.kind.is_some() || !told.is_ok(), "nothing is wrong with what is nothing:\n{text}");
}

/// A mistake is somewhere in its text, and line and column are those of its first byte, counted here from the beginning.
fn is_in_place(text: &str, diagnostic: &Diagnostic) {
    let fault = |what: &str| panic!("{what}: {diagnostic:?} of\n{text}");
    let Some(before) = text.get(..diagnostic.span.start) else { fault("begins inside a character or behind the end") };
    if text.get(diagnostic.span.clone()).is_none() {
        fault("ends inside a character or behind the end");
    }
    let before = before.strip_prefix('\u{feff}').unwrap_or(before);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    if (diagnostic.line as usize, diagnostic.column as usize) != (line, column) || diagnostic.length == 0 {
        fault("is said to be elsewhere");
    }
    let words = [Some(&diagnostic.message), diagnostic.hint.as_ref(), Some(&diagnostic.code)];
    if words.into_iter().flatten().any(|words| words.is_empty() || words.chars().any(char::is_control)) {
        fault("is not said in one line of words");
    }
}

use std::borrow::Cow;

/// What is wrong in a text: a list that stops growing, so that no text makes it large.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    pub(crate) list: Vec<Fault>,
    /// How many more there are.
    pub(crate) more: usize,
}

impl Faults {
    /// The most that are listed.
    const MAX: usize = 1000;

    pub(crate) fn push(&mut self, fault: Fault) {
        if self.list.len() < Faults::MAX {
            self.list.push(fault);
        } else {
            self.more += 1;
        }
    }

    pub(super) fn append(&mut self, other: Faults) {
        other.list.into_iter().for_each(|fault| self.push(fault));
        self.more += other.more;
    }

    /// Whether no more are listed.
    pub(super) fn is_full(&self) -> bool {
        self.list.len() >= Faults::MAX
    }

    /// How many there are, listed or not.
    pub(super) fn count(&self) -> usize {
        self.list.len() + self.more
    }

    /// Forgets those after the first so many.
    pub(super) fn truncate(&mut self, count: usize) {
        self.more = count.saturating_sub(self.list.len());
        self.list.truncate(count);
    }

    /// The last one, if it is listed.
    pub(super) fn last_mut(&mut self) -> Option<&mut Fault> {
        self.list.last_mut().filter(|_| self.more == 0)
    }
}

/// Something wrong in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// What kind of mistake it is, in one word.
    pub(crate) code: Cow<'static, str>,
    /// Where it begins and ends, in bytes.
    pub(crate) span: (usize, usize),
    /// What is wrong.
    pub(crate) message: String,
    /// What was expected or may have been meant; may be empty.
    pub(crate) hint: String,
    /// Where it is told, from and to, if that is not its span.
    pub(crate) place: Option<(usize, usize)>,
    /// Whether a reader that stops at its first error would have read on over it.
    pub(crate) swallows: bool,
}

impl Fault {
    pub(crate) fn new(
        code: impl Into<Cow<'static, str>>,
        span: (usize, usize),
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Fault {
        Fault { code: code.into(), span, message: message.into(), hint: hint.into(), place: None, swallows: false }
    }

    /// Where it is to be told, in bytes.
    pub(crate) fn begin(&self) -> usize {
        self.place.unwrap_or(self.span).0
    }

    /// Where that ends.
    pub(crate) fn end(&self) -> usize {
        self.place.unwrap_or(self.span).1
    }

    /// One of words such as `what is wrong; expected something else`.
    pub(crate) fn from_words(code: impl Into<Cow<'static, str>>, span: (usize, usize), words: &str) -> Fault {
        let (message, hint) = split(words);
        Fault::new(code, span, message, hint)
    }
}

/// Parts words at the first semicolon that is not between quotes.
fn split(words: &str) -> (&str, &str) {
    let mut quote = None;
    let mut escaped = false;
    for (i, c) in words.char_indices() {
        match quote {
            _ if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            // An apostrophe within a word opens nothing.
            None if c == '\'' && words[..i].ends_with(char::is_alphanumeric) => {}
            None if matches!(c, '"' | '`' | '\'') => quote = Some(c),
            None if words[i..].starts_with("; ") => return (&words[..i], &words[i + 2..]),
            None => {}
        }
    }
    (words, "")
}

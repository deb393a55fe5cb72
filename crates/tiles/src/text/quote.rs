use std::fmt::Write;

/// Returns a text in quotes. Line breaks are escaped, so that each row and entry stays on its line.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{{{:x}}}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Returns a character in its quotes.
pub fn quoted_char(c: char) -> String {
    if matches!(c, '\'' | '\\') { format!("'\\{c}'") } else { format!("'{c}'") }
}

//! Words of the messages.

use crate::catalogue::{Catalogue, VariantNameError};
use std::borrow::Cow;

/// Returns a symbol, with its code point if it looks like another one.
pub(super) fn symbol_with_code_point(character: char, like: &Option<char>) -> String {
    like.map_or_else(|| format!("{character:?}"), |_| format!("{character:?} (U+{:04X})", u32::from(character)))
}

/// Returns advice for a symbol that the legend does not have.
pub(super) fn unknown_symbol_advice(symbol: char, like: &Option<char>) -> String {
    like.map_or_else(
        || format!("expected a symbol of the legend; add {symbol:?} to `legend`"),
        |like| format!("did you mean `{like}` (U+{:04X}), which looks alike?", u32::from(like)),
    )
}

/// Returns words for a symbol that the cells of another one cannot be inside. `joined`: the symbols that are possible.
pub(super) fn inside_advice(inside: char, joined: &[char]) -> String {
    let symbols: Vec<String> = joined.iter().take(16).map(|symbol| format!("{symbol:?}")).collect();
    match &symbols[..] {
        [] => format!("`inside` is {inside:?}; expected a symbol whose area has `join: true`, in an entry without one"),
        [only] => format!("the symbol {inside:?} has no area with `join: true`; did you mean {only}?"),
        _ => format!("the symbol {inside:?} has no area with `join: true`; expected one of {}", symbols.join(", ")),
    }
}

/// Returns words for the layer of a row.
pub(super) fn layer_suffix(layer: &Option<String>) -> String {
    match layer.as_deref() {
        None => String::new(),
        Some("") => " of a tile layer without a name".to_owned(),
        Some(name) => format!(" of tile layer {name:?}"),
    }
}

/// Returns names that a tile name could have been, if its pattern is unknown.
pub fn pattern_name_hint(error: &VariantNameError, known: &[String]) -> Cow<'static, str> {
    match error {
        VariantNameError::UnknownPattern { name } => {
            let hint = crate::text::name_hint(name, known);
            // Without an argument, `surefoot tiles` lists the patterns of the built-in catalogue. So name the tool only
            // for them.
            let builtin = Catalogue::builtin();
            let is_builtin = || builtin.patterns().iter().all(|pattern| known.contains(&pattern.name));
            if hint.ends_with(" more") && is_builtin() {
                format!("{hint}; `surefoot tiles` lists them").into()
            } else {
                hint
            }
        }
        _ => Cow::Borrowed(""),
    }
}

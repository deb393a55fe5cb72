//! The built-in catalogue, made from constants, so that no text has to be parsed.

use super::patterns::PATTERNS;
use super::{Catalogue, Pattern};
use std::sync::{Arc, OnceLock};

/// Returns the built-in patterns.
fn builtin_patterns() -> Vec<Pattern> {
    let pattern = |&(name, kind, purpose, paths): &(&str, _, &str, &[&[(i8, i8)]])| Pattern {
        name: name.to_owned(),
        kind,
        purpose: purpose.to_owned(),
        paths: paths.iter().map(|path| path.to_vec()).collect(),
    };
    PATTERNS.iter().map(pattern).collect()
}

pub(super) fn builtin_catalogue() -> Arc<Catalogue> {
    static BUILTIN: OnceLock<Arc<Catalogue>> = OnceLock::new();
    let build = || Arc::new(Catalogue::new(builtin_patterns()).expect("a test expands the built-in catalogue"));
    BUILTIN.get_or_init(build).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirty_two_patterns_make_ninety_six_variants() {
        let catalogue = builtin_catalogue();
        assert_eq!((catalogue.patterns().len(), catalogue.variants().len()), (32, 96));
    }
}

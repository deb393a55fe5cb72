use super::Catalogue;
use std::sync::{Arc, OnceLock};

/// A copy of `assets/patterns.ron` at the top of the repository; it is inside the package so that a published
/// crate holds it, and a test keeps the two equal.
const PATTERNS: &str = include_str!("../../assets/patterns.ron");

pub(super) fn catalogue() -> Arc<Catalogue> {
    static BUILTIN: OnceLock<Arc<Catalogue>> = OnceLock::new();
    BUILTIN
        .get_or_init(|| Arc::new(Catalogue::from_ron(PATTERNS).expect("a test reads the built-in catalogue")))
        .clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirty_two_patterns_make_ninety_six_variants() {
        let catalogue = catalogue();
        assert_eq!((catalogue.patterns().len(), catalogue.variants().len()), (32, 96));
    }
}

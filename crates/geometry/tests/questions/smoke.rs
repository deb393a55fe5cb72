use crate::cases::{config, pair, size};
use proptest::prelude::*;

proptest! {
    #![proptest_config(config(1000))]
    #[test]
    fn cases_exist((a, b) in pair()) {
        prop_assert!(size(&[&a, &b]) >= 0.0);
    }
}

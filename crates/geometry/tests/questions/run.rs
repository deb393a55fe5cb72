//! Runs a test on random cases. Stores failing seeds next to the tests, and prints the worst error.

use crate::cases::config;
use proptest::strategy::{BoxedStrategy, Strategy};
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;

thread_local! {
    /// For each name: the largest number noted, how often a number was noted, and how often it was above 0.
    static NOTED: RefCell<BTreeMap<&'static str, (f64, u64, u64)>> = const { RefCell::new(BTreeMap::new()) };
}

/// Records an error, as a multiple of 2^-53 of the scene's size.
pub(crate) fn note(of: &'static str, error: f64, size: f64) {
    if size > 0.0 {
        keep(of, error.abs() / (size * f64::EPSILON * 0.5));
    }
}

/// Records whether a condition was true.
pub(crate) fn count(of: &'static str, is_so: bool) {
    keep(of, f64::from(u8::from(is_so)));
}

/// Returns the share of the cases so far in which the condition was true.
pub(crate) fn share(of: &'static str) -> f64 {
    NOTED.with_borrow(|noted| noted.get(of).map_or(0.0, |&(_, all, so)| so as f64 / all as f64))
}

fn keep(of: &'static str, number: f64) {
    NOTED.with_borrow_mut(|noted| {
        let (worst, all, so) = noted.entry(of).or_insert((0.0, 0, 0));
        *worst = worst.max(number);
        *all += 1;
        *so += u64::from(number > 0.0);
    });
}

/// Runs a test on cases of the strategy. A long run prints their number and the worst of the recorded errors.
pub(crate) fn run<V: Debug + 'static>(
    name: (&'static str, &'static str),
    everyday: u32,
    strategy: impl Strategy<Value = V> + 'static,
    test: impl Fn(V) -> Result<(), TestCaseError>,
) {
    run_boxed(name, everyday, &strategy.boxed(), &test);
}

/// Compiled once for each type of cases. Once for each test would take half of the whole compile time.
fn run_boxed<V: Debug>(
    (name, file): (&'static str, &'static str),
    everyday: u32,
    strategy: &BoxedStrategy<V>,
    test: &dyn Fn(V) -> Result<(), TestCaseError>,
) {
    NOTED.with_borrow_mut(BTreeMap::clear);
    let config =
        Config { source_file: Some(file), test_name: Some(name), max_local_rejects: u32::MAX, ..config(everyday) };
    let cases = config.cases;
    if let Err(failure) = TestRunner::new(config).run(strategy, test) {
        panic!("{name}: {failure}");
    }
    if std::env::var("SUREFOOT_CASES").is_ok() {
        println!("{name}: {cases} cases");
        NOTED.with_borrow(|noted| {
            for (of, (worst, all, so)) in noted {
                println!("    {of}: at most {worst:.3} x 2^-53 x size; {so} of {all} times more than 0");
            }
        });
    }
}

//! Running a test on random cases: failing seeds are kept beside the tests, and the worst error is told.

use crate::cases::config;
use proptest::strategy::{BoxedStrategy, Strategy};
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;

thread_local! {
    /// The largest number noted under each name, how often it was noted, and how often it was more than 0.
    static NOTED: RefCell<BTreeMap<&'static str, (f64, u64, u64)>> = const { RefCell::new(BTreeMap::new()) };
}

/// Remembers an error, as a multiple of 2^-53 of the scene's size.
pub(crate) fn note(of: &'static str, error: f64, size: f64) {
    if size > 0.0 {
        keep(of, error.abs() / (size * f64::EPSILON * 0.5));
    }
}

/// Remembers whether something was so.
pub(crate) fn count(of: &'static str, is_so: bool) {
    keep(of, f64::from(u8::from(is_so)));
}

/// In what share of the cases so far was it so?
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

/// Runs a test on cases of the strategy. A long run says how many there were and the worst of what was noted.
pub(crate) fn run<V: Debug + 'static>(
    name: (&'static str, &'static str),
    everyday: u32,
    strategy: impl Strategy<Value = V> + 'static,
    test: impl Fn(V) -> Result<(), TestCaseError>,
) {
    run_boxed(name, everyday, &strategy.boxed(), &test);
}

/// The runner is compiled once for each type of cases: once for each test would take half of the time that all of the
/// tests take to compile.
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

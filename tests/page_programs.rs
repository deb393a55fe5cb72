//! The programs of the documentation print what stands below them.

use std::cell::RefCell;

thread_local! {
    static OUTPUT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Returns what the programs of this thread have printed, and clears it.
fn take_output() -> String {
    OUTPUT.with(RefCell::take)
}

/// Replaces the macro of the standard library for the programs below.
macro_rules! println {
    ($($argument:tt)*) => {
        super::OUTPUT.with_borrow_mut(|output| {
            use std::fmt::Write;
            writeln!(output, $($argument)*).unwrap();
        })
    };
}

include!(concat!(env!("OUT_DIR"), "/page_programs.rs"));

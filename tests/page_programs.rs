//! Checks that the programs in the documentation print the output listed below them.

use std::cell::RefCell;

thread_local! {
    static OUTPUT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Returns what the programs of this thread have printed, and clears it.
fn take_output() -> String {
    OUTPUT.with(RefCell::take)
}

fn print_line(line: &str) {
    OUTPUT.with_borrow_mut(|output| *output += &format!("{line}\n"));
}

/// Replaces the macro of the standard library for the programs below.
macro_rules! println {
    ($($argument:tt)*) => {
        super::print_line(&format!($($argument)*))
    };
}

include!(concat!(env!("OUT_DIR"), "/page_programs.rs"));

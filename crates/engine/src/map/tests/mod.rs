//! Map files: those that are refused, and the page that describes them.

mod bad_input;
mod page;

use super::*;

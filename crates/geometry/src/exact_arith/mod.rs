//! More precise numbers, for decisions that f64 cannot make safely.

mod cross;
pub(crate) mod double_double;
mod exact;
pub(crate) mod formula;
mod operator;
mod order;
mod orientation;
pub(crate) mod plane;
mod unit;

pub(crate) use cross::{cross, exact_dot};
pub(crate) use order::{larger, smaller};
pub(crate) use orientation::twice_signed_area;
pub use orientation::{Orientation, orientation};
pub(crate) use unit::{halfway_direction, normalize_unless_unit, unit};

use crate::told::debug_is_display;
use thiserror::Error;

/// Error for a number that is not finite or out of range.
#[derive(Clone, Copy, PartialEq, Error)]
#[error("`{field}` is {value}; expected {min} to {max}{}", unit_suffix(field))]
pub struct RangeError {
    /// Name of the field or parameter, such as `character.walk_speed`.
    pub field: &'static str,
    /// The refused number.
    pub value: f64,
    /// Smallest allowed value.
    pub min: f64,
    /// Largest allowed value.
    pub max: f64,
}

debug_is_display!(RangeError);

/// The unit of the only field whose name suggests another one: `tick` is a duration, not a number of ticks.
fn unit_suffix(field: &str) -> &'static str {
    if field == "tick" { " seconds" } else { "" }
}

/// Refuses a number outside a closed range, and NaN.
pub fn check_in_range(field: &'static str, value: f64, least: f64, most: f64) -> Result<(), RangeError> {
    if value >= least && value <= most { Ok(()) } else { Err(RangeError { field, value, min: least, max: most }) }
}

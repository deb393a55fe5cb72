use thiserror::Error;

/// A number of a configuration that is not finite or out of its range.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("`{field}` is {value}; expected {min} to {max}")]
pub struct RangeError {
    /// The name of the number.
    pub field: &'static str,
    /// The value of the number.
    pub value: f64,
    /// The least it may be.
    pub min: f64,
    /// The most it may be.
    pub max: f64,
}

/// Refuses a number outside a closed range, and NaN.
pub(crate) fn within(field: &'static str, value: f64, least: f64, most: f64) -> Result<(), RangeError> {
    if value >= least && value <= most { Ok(()) } else { Err(RangeError { field, value, min: least, max: most }) }
}

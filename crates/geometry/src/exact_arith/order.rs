/// Returns the smaller number, in one instruction. Neither may be NaN.
#[inline(always)]
pub(crate) fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// Returns the larger number, in one instruction. Neither may be NaN.
#[inline(always)]
pub(crate) fn most(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

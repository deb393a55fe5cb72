/// The smaller of two numbers, in one instruction: neither is NaN.
#[inline(always)]
pub(crate) fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The larger of two numbers, in one instruction: neither is NaN.
#[inline(always)]
pub(crate) fn most(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

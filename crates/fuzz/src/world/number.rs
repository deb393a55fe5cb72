//! Makes numbers from bytes: extreme ones, invalid ones, and ordinary ones.

use arbitrary::{Result, Unstructured};

/// Limits of valid ranges, values just beyond them, and special values.
const SPECIAL_NUMBERS: [f64; 18] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1.0 / 65536.0,
    0.9 / 65536.0,
    64.0,
    1000.0,
    -1000.0,
    1e9,
    -1e9,
    1.1e9,
    f64::MIN_POSITIVE,
    5e-324,
    f64::MAX,
    f64::INFINITY,
    f64::NAN,
];

/// Returns any f64; most are near zero.
pub(super) fn any_number(bytes: &mut Unstructured<'_>) -> Result<f64> {
    Ok(match bytes.int_in_range(0..=9)? {
        0 => *bytes.choose(&SPECIAL_NUMBERS)?,
        1 => f64::from_bits(bytes.arbitrary()?),
        2 => f64::from(bytes.arbitrary::<i32>()?) / 1000.0,
        3 => f64::from(bytes.arbitrary::<i8>()?) * *bytes.choose(&[1e-9, 1e-6, 1e-3, 1e2, 1e4, 1e8])?,
        4 | 5 => f64::from(bytes.arbitrary::<i16>()?) / 256.0,
        _ => f64::from(bytes.arbitrary::<i8>()?) / 8.0,
    })
}

/// Returns a number that is mostly small and not negative.
pub(super) fn small_number(bytes: &mut Unstructured<'_>) -> Result<f64> {
    if bytes.ratio(7, 8)? { Ok(f64::from(bytes.arbitrary::<u8>()?) / 16.0) } else { any_number(bytes) }
}

/// Returns a number that is mostly from 0 to 1.
pub(super) fn number_up_to_one(bytes: &mut Unstructured<'_>) -> Result<f64> {
    if bytes.ratio(7, 8)? { Ok(f64::from(bytes.arbitrary::<u8>()?) / 255.0) } else { any_number(bytes) }
}

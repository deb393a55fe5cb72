//! Rotations with the same bits on every machine. The results of `f64::sin_cos` may differ between machines.

/// Number of corners of the polygon that replaces an ellipse: as many as a polygon may have.
pub(crate) const ELLIPSE_CORNERS: u32 = 16;

/// Returns cosine and sine of an angle in degrees. Quarter turns are exact.
pub(crate) fn cosine_and_sine(degrees: f64) -> (f64, f64) {
    let turn = degrees.rem_euclid(360.0);
    let quarters = (turn / 90.0).round();
    let rest = (turn - quarters * 90.0) / 180.0 * std::f64::consts::PI;
    let square = rest * rest;
    // Sum the series of cosine and sine from the innermost term outwards. The angle is at most pi / 4, so the first
    // omitted terms are below 2^-60.
    let (mut cosine, mut sine) = (1.0, 1.0);
    for k in (1..=9_u32).rev() {
        let even = f64::from(2 * k);
        cosine = 1.0 - square / ((even - 1.0) * even) * cosine;
        sine = 1.0 - square / (even * (even + 1.0)) * sine;
    }
    sine *= rest;
    match quarters as u32 % 4 {
        0 => (cosine, sine),
        1 => (-sine, cosine),
        2 => (-cosine, -sine),
        _ => (sine, -cosine),
    }
}

/// Returns the corners of the polygon for an ellipse around (0, 0).
pub(crate) fn ellipse_corners((half_width, half_height): (f64, f64)) -> impl Iterator<Item = (f64, f64)> {
    (0..ELLIPSE_CORNERS).map(move |i| {
        let (cosine, sine) = cosine_and_sine(f64::from(i) * 360.0 / f64::from(ELLIPSE_CORNERS));
        (half_width * cosine, half_height * sine)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosine_and_sine_are_those_of_the_standard_library() {
        #[expect(clippy::disallowed_methods, reason = "the witness need not have the same bits everywhere")]
        for i in -800..800 {
            let degrees = f64::from(i) * 0.9;
            let (sine, cosine) = degrees.to_radians().sin_cos();
            let ours = cosine_and_sine(degrees);
            assert!((ours.0 - cosine).abs() < 1e-14 && (ours.1 - sine).abs() < 1e-14, "{degrees}: {ours:?}");
        }
        assert_eq!(
            [90.0, 180.0, 270.0, -90.0].map(cosine_and_sine),
            [(-0.0, 1.0), (-1.0, -0.0), (0.0, -1.0), (0.0, -1.0)]
        );
    }
}

use glam::DVec2;

/// `v` with length 1; `None` for no direction. Along an axis the answer is exact, and swapping or negating coordinates
/// commutes with it. Coordinates may be as small as f64 gets: they are scaled before they are squared.
pub(crate) fn unit(v: DVec2) -> Option<DVec2> {
    let largest = v.x.abs().max(v.y.abs());
    // Not `largest == 0.0`: NaN has no direction either.
    if !(largest > 0.0) {
        return None;
    }
    let v = v / largest;
    // Adding zero turns -0 into 0.
    Some(v / (v.x * v.x + v.y * v.y).sqrt() + DVec2::ZERO)
}

//! Limits below which a window is small, as that of a phone. The menu, the strip for building and the help then have
//! another layout.

use crate::camera::Size;

/// Width and height in pixels below which a window is small.
const SMALL: Size = Size { width: 560.0, height: 480.0 };

/// Returns whether a window is narrow, as that of a phone in portrait.
pub(crate) fn is_narrow(size: Size) -> bool {
    size.width < SMALL.width
}

/// Returns whether a window is low, as that of a phone in landscape.
pub(crate) fn is_low(size: Size) -> bool {
    size.height < SMALL.height
}

use thiserror::Error;

/// The most pixels of a PNG: 2^28, for which the renderer takes 1 GiB.
pub const MAX_PIXELS: u64 = 1 << 28;

/// Why a picture did not become a PNG or a frame of a GIF.
#[derive(Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The scale is not a number that a picture can be drawn at.
    #[error("a scale of {scale}; expected a finite number above 0")]
    Scale {
        /// The scale asked for.
        scale: f64,
    },
    /// The picture has too many pixels, or none.
    #[error("a picture of {width} x {height} pixels; expected at least one and at most {MAX_PIXELS} in all")]
    Size {
        /// Pixels across.
        width: f64,
        /// Pixels down.
        height: f64,
    },
    /// The renderer does not read the picture.
    #[error("the picture cannot be rendered")]
    Svg {
        /// What the renderer says.
        #[source]
        source: resvg::usvg::Error,
    },
    /// The frame of an animation has another size than the first one.
    #[error("the frame has {found:?} pixels; expected {expected:?} as in the first frame")]
    Frame {
        /// Pixels across and down.
        found: (u32, u32),
        /// Pixels across and down of the first frame.
        expected: (u32, u32),
    },
    /// The pixels could not be encoded.
    #[error("the pixels cannot be encoded: {message}")]
    Encode {
        /// What the encoder says; its own error type is of a crate that is not otherwise needed.
        message: String,
    },
}

surefoot::geometry::debug_is_display!(DrawError);

use thiserror::Error;

/// Maximum number of pixels of a PNG: 2^28, for which the renderer needs 1 GiB.
pub const MAX_PIXELS: u64 = 1 << 28;

/// An error of making a PNG or a frame of a GIF from a picture.
#[derive(Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The scale is not a finite number above 0.
    #[error("a scale of {scale}; expected a finite number above 0")]
    Scale {
        /// The requested scale.
        scale: f64,
    },
    /// The picture has too many pixels, or none.
    #[error("a picture of {width} x {height} pixels; expected at least one and at most {MAX_PIXELS} in all")]
    Size {
        /// Width in pixels.
        width: f64,
        /// Height in pixels.
        height: f64,
    },
    /// The renderer cannot read the picture.
    #[error("the picture cannot be rendered")]
    Svg {
        /// The error of the renderer.
        #[source]
        source: resvg::usvg::Error,
    },
    /// A frame of an animation differs in size from the first frame.
    #[error("the frame has {found:?} pixels; expected {expected:?} as in the first frame")]
    Frame {
        /// Width and height in pixels.
        found: (u32, u32),
        /// Width and height of the first frame in pixels.
        expected: (u32, u32),
    },
    /// The picture that an art file names cannot be decoded.
    #[error("the picture of the tiles cannot be read: {message}")]
    Decode {
        /// The message of the decoder. Its error type is not exposed, because it comes from another crate.
        message: String,
    },
    /// The pixels could not be encoded.
    #[error("the pixels cannot be encoded: {message}")]
    Encode {
        /// The message of the encoder. Its error type is not exposed, because it comes from another crate.
        message: String,
    },
}

surefoot::geometry::debug_is_display!(DrawError);

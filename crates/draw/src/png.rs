use crate::error::{DrawError, MAX_PIXELS};
use crate::svg::Svg;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Renders a picture as PNG, with `scale` pixels of the PNG for one pixel of the picture.
///
/// Rounds the size up to whole pixels.
///
/// # Errors
/// [`DrawError`] for a scale that is not finite or not above 0, and for a PNG of no pixels or more than
/// [`MAX_PIXELS`].
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::Map;
/// use surefoot_draw::{MapStyle, draw_map, to_png};
///
/// let map = Map::from_ron(r#"Map(format: 1, tiles: ["@./=", "===="])"#)?;
/// let svg = draw_map(&map, &Terrain::bake(&map), &MapStyle::default());
/// assert!(to_png(&svg, 2.0)?.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_png(svg: &Svg, scale: f64) -> Result<Vec<u8>, DrawError> {
    render_pixels(svg, scale)?.encode_png().map_err(|error| DrawError::Encode { message: error.to_string() })
}

/// Renders the pixels of a picture.
pub(crate) fn render_pixels(svg: &Svg, scale: f64) -> Result<Pixmap, DrawError> {
    if !(scale.is_finite() && scale > 0.0) {
        return Err(DrawError::Scale { scale });
    }
    let (width, height) = ((svg.width() * scale).ceil(), (svg.height() * scale).ceil());
    let size = || DrawError::Size { width, height };
    // The negated comparison also refuses NaN.
    if !(width >= 1.0 && height >= 1.0 && width * height <= MAX_PIXELS as f64) {
        return Err(size());
    }
    let mut pixels = Pixmap::new(width as u32, height as u32).ok_or_else(size)?;
    let tree = Tree::from_str(&svg.to_string(), &Options::default()).map_err(|source| DrawError::Svg { source })?;
    resvg::render(&tree, Transform::from_scale(scale as f32, scale as f32), &mut pixels.as_mut());
    Ok(pixels)
}

/// Returns the colour of a pixel. The picture has a background, so no pixel is transparent.
#[cfg(test)]
pub(crate) fn color_at(picture: &Pixmap, x: u32, y: u32) -> crate::palette::Color {
    let pixel = picture.pixel(x, y).unwrap();
    assert_eq!(pixel.alpha(), 255);
    crate::palette::Color([pixel.red(), pixel.green(), pixel.blue()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::Canvas;
    use crate::paint::Paint;
    use crate::palette::Palette;
    use crate::view::Point;

    #[test]
    fn the_size_is_rounded_up() {
        let mut svg = Svg::new(10.0, 7.0, "");
        svg.rect(Point { x: 0.0, y: 0.0 }, 5.0, 7.0, &Paint::fill(Palette::NIGHT.open));
        let bytes = to_png(&svg, 1.25).unwrap();
        // Width and height are big-endian, after the signature and the header of the first chunk.
        assert_eq!((&bytes[..8], &bytes[16..24]), (&b"\x89PNG\r\n\x1a\n"[..], &[0, 0, 0, 13, 0, 0, 0, 9][..]));
        let pixels = render_pixels(&svg, 1.0).unwrap();
        assert_eq!(pixels.pixel(4, 6).map(|p| p.alpha()), Some(255));
        assert_eq!(pixels.pixel(5, 6).map(|p| p.alpha()), Some(0));
    }

    #[test]
    fn invalid_scales_are_refused() {
        let svg = Svg::new(10.0, 7.0, "");
        for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(to_png(&svg, scale), Err(DrawError::Scale { .. })));
        }
        assert!(matches!(to_png(&svg, 1e5), Err(DrawError::Size { .. })));
        assert!(matches!(to_png(&Svg::new(0.0, 7.0, ""), 1.0), Err(DrawError::Size { .. })));
    }
}

//! Puts sprites together to a picture of pixels.

use super::{Art, CellPicture, Sprite};
use crate::error::{DrawError, MAX_PIXELS};
use crate::region::Region;
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8};

/// A picture of a region of a map, with the pixels of the art.
pub(crate) struct Layer {
    region: Region,
    /// Pixels along one side of a tile.
    piece_pixels: u32,
    pixels: Pixmap,
}

impl Layer {
    #[cfg(test)]
    pub(crate) fn pixels(&self) -> &Pixmap {
        &self.pixels
    }

    /// Returns the picture in PNG.
    pub(crate) fn to_png(&self) -> Result<Vec<u8>, DrawError> {
        self.pixels.encode_png().map_err(|error| DrawError::Encode { message: error.to_string() })
    }
}

/// Decodes the picture of an art.
pub(crate) fn decode_art(art: &Art) -> Result<Pixmap, DrawError> {
    decode_png(art.picture())
}

fn decode_png(bytes: &[u8]) -> Result<Pixmap, DrawError> {
    Pixmap::decode_png(bytes).map_err(|error| DrawError::Decode { message: error.to_string() })
}

/// Puts squares of pictures together to a new picture in PNG, such as the picture of an art file. Squares lie on top of
/// the squares before them. What no square covers is transparent.
///
/// `pictures`: the bytes of the pictures in PNG. `sprites`: each with the number of its picture; its corner is in
/// pieces from the lower left corner of the new picture. `size`: columns and rows of the new picture in pieces.
/// `piece_pixels`: pixels along one side of a piece.
///
/// # Errors
/// Returns [`DrawError`] if a picture is not a PNG, or if the new picture has no pixels or more than [`MAX_PIXELS`].
pub fn draw_sprites(
    pictures: &[Vec<u8>],
    sprites: &[(usize, Sprite)],
    size: (u32, u32),
    piece_pixels: u32,
) -> Result<Vec<u8>, DrawError> {
    let pictures = pictures.iter().map(|bytes| decode_png(bytes)).collect::<Result<Vec<_>, _>>()?;
    let region = Region::spanning((0, 0), (size.0.saturating_sub(1) as i32, size.1.saturating_sub(1) as i32));
    let mut layer = Layer::new(region, piece_pixels)?;
    for (picture, sprite) in sprites {
        if let Some(picture) = pictures.get(*picture) {
            layer.paint_sprite(picture, sprite);
        }
    }
    layer.to_png()
}

/// Paints the sprites of a region. Returns `None` if there are none.
///
/// # Errors
/// Returns [`DrawError`] if the painted picture has more than [`MAX_PIXELS`].
pub(crate) fn compose_layer(
    source: &Pixmap,
    piece_pixels: u32,
    region: Region,
    cells: &[CellPicture],
) -> Result<Option<Layer>, DrawError> {
    let sprites = cells.iter().filter_map(|cell| match cell {
        CellPicture::Sprite(sprite) => Some(sprite),
        CellPicture::Plain(..) => None,
    });
    let mut sprites = sprites.peekable();
    if sprites.peek().is_none() {
        return Ok(None);
    }
    let mut layer = Layer::new(region, piece_pixels)?;
    sprites.for_each(|sprite| layer.paint_sprite(source, sprite));
    Ok(Some(layer))
}

impl Layer {
    /// Returns a transparent layer.
    fn new(region: Region, piece_pixels: u32) -> Result<Layer, DrawError> {
        let (columns, rows) = region.size();
        let (width, height) = (u64::from(columns) * u64::from(piece_pixels), u64::from(rows) * u64::from(piece_pixels));
        let size = || DrawError::Size { width: width as f64, height: height as f64 };
        if width.saturating_mul(height) > MAX_PIXELS {
            return Err(size());
        }
        Ok(Layer { region, piece_pixels, pixels: Pixmap::new(width as u32, height as u32).ok_or_else(size)? })
    }

    fn paint_sprite(&mut self, source: &Pixmap, sprite: &Sprite) {
        let tile = f64::from(self.piece_pixels);
        let count = (sprite.side * tile) as usize;
        let left = ((sprite.corner.x - f64::from(self.region.low.0)) * tile) as usize;
        let bottom = ((sprite.corner.y - f64::from(self.region.low.1)) * tile) as usize;
        let (width, height) = (self.pixels.width() as usize, self.pixels.height() as usize);
        let [low, right, _, up] = sprite.picture.map(|(x, y)| (f64::from(x), f64::from(y)));
        for row in 0..count {
            for column in 0..count {
                // Returns the position of the pixel's centre, as a fraction of the sprite's side.
                let part = |index: usize| (index as f64 + 0.5) / count as f64;
                let along = |low: f64, right: f64, up: f64| low + (right - low) * part(column) + (up - low) * part(row);
                let (x, y) = (along(low.0, right.0, up.0), along(low.1, right.1, up.1));
                let Some(color) = source.pixel(x as u32, y as u32) else { continue };
                let index = (height - 1 - bottom - row) * width + left + column;
                let below = &mut self.pixels.pixels_mut()[index];
                *below = blend_over(color, *below);
            }
        }
    }
}

/// Blends a colour over another one.
fn blend_over(color: PremultipliedColorU8, below: PremultipliedColorU8) -> PremultipliedColorU8 {
    let rest = u32::from(255 - color.alpha());
    let mixed = |color: u8, below: u8| color.saturating_add(((u32::from(below) * rest + 127) / 255) as u8);
    let alpha = mixed(color.alpha(), below.alpha());
    let channel = |color: u8, below: u8| mixed(color, below).min(alpha);
    let [red, green, blue] =
        [channel(color.red(), below.red()), channel(color.green(), below.green()), channel(color.blue(), below.blue())];
    PremultipliedColorU8::from_rgba(red, green, blue, alpha).unwrap_or(color)
}

//! Encodes animations as GIF files.

use crate::error::DrawError;
use crate::png::render_pixels;
use crate::svg::Svg;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::collections::BTreeMap;

/// Maximum number of colours of a GIF. The last of its 256 indices means that a pixel is unchanged.
const MAX_COLORS: usize = 255;
/// Palette index of an unchanged pixel.
const UNCHANGED: u8 = MAX_COLORS as u8;

/// An animation of pictures of one size, which repeats forever.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::{Map, World};
/// use surefoot_draw::{Gif, MapStyle, draw_world};
///
/// let map = Map::from_ron(r#"Map(format: 1, tiles: ["@...", "===="])"#)?;
/// let start = map.marker("start").expect("the map has a start");
/// let mut world = World::new(map, Settings::default());
/// world.spawn(Body::new(Shape::circle(0.25)).at(start).velocity((2.0, 0.0)))?;
/// let mut gif = Gif::new(1.0);
/// for _ in 0..3 {
///     gif.push(&draw_world(&world, &MapStyle::default()), 5)?;
///     (0..3).for_each(|_| world.step());
/// }
/// assert!(gif.finish()?.starts_with(b"GIF89a"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Gif {
    scale: f64,
    /// Width and height in pixels.
    size: (u32, u32),
    /// The last picture, to find the changed pixels.
    last: Vec<[u8; 3]>,
    changes: Vec<Change>,
}

/// The rectangle in which a picture differs from the previous one.
#[derive(Clone, Debug)]
struct Change {
    left: u32,
    top: u32,
    width: u32,
    /// Pixels row by row; `None` for an unchanged pixel.
    pixels: Vec<Option<[u8; 3]>>,
    /// Duration of the frame in hundredths of a second.
    delay: u16,
}

impl Gif {
    /// Creates an animation without frames, with `scale` pixels of the GIF for one pixel of a picture.
    #[must_use]
    pub fn new(scale: f64) -> Gif {
        Gif { scale, size: (0, 0), last: Vec::new(), changes: Vec::new() }
    }

    /// Appends a picture that is shown for `delay` hundredths of a second. Browsers show frames of less than 2 for 10.
    ///
    /// # Errors
    /// [`DrawError`] for a scale or a size that [`to_png`](crate::to_png) refuses, a side of more than 65535 pixels,
    /// and a picture of another size than the first one.
    pub fn push(&mut self, svg: &Svg, delay: u16) -> Result<(), DrawError> {
        let picture = render_pixels(svg, self.scale)?;
        let size = (picture.width(), picture.height());
        if size.0.max(size.1) > u32::from(u16::MAX) {
            return Err(DrawError::Size { width: f64::from(size.0), height: f64::from(size.1) });
        }
        if !self.changes.is_empty() && size != self.size {
            return Err(DrawError::Frame { found: size, expected: self.size });
        }
        // Leave out the alpha channel: pictures have a background, so no pixel is transparent.
        let pixels: Vec<[u8; 3]> = picture.pixels().iter().map(|p| [p.red(), p.green(), p.blue()]).collect();
        match (Change::from_frames(&self.last, &pixels, size.0 as usize, delay), self.changes.last_mut()) {
            (None, Some(shown)) if shown.delay <= u16::MAX - delay => shown.delay += delay,
            // A frame needs at least one pixel, even if nothing has changed.
            (None, _) => self.changes.push(Change { left: 0, top: 0, width: 1, pixels: vec![None], delay }),
            (Some(change), _) => self.changes.push(change),
        }
        (self.size, self.last) = (size, pixels);
        Ok(())
    }

    /// Returns the animation as the bytes of a GIF. All frames share one palette: with more than 255 colours, those of
    /// the fewest pixels become the nearest of the others.
    ///
    /// # Errors
    /// [`DrawError::Encode`] for an animation without frames.
    pub fn finish(self) -> Result<Vec<u8>, DrawError> {
        let encode = |error: gif::EncodingError| DrawError::Encode { message: error.to_string() };
        if self.changes.is_empty() {
            return Err(DrawError::Encode { message: "the animation has no frames".to_owned() });
        }
        let (palette, indices) = self.palette_with_indices();
        let mut bytes = Vec::new();
        let (width, height) = (self.size.0 as u16, self.size.1 as u16);
        let mut encoder = Encoder::new(&mut bytes, width, height, palette.as_flattened()).map_err(encode)?;
        encoder.set_repeat(Repeat::Infinite).map_err(encode)?;
        for Change { left, top, width, pixels, delay } in self.changes {
            let buffer: Vec<u8> = pixels.iter().map(|pixel| pixel.map_or(UNCHANGED, |color| indices[&color])).collect();
            let frame = Frame {
                left: left as u16,
                top: top as u16,
                width: width as u16,
                height: (pixels.len() / width as usize) as u16,
                delay,
                dispose: DisposalMethod::Keep,
                transparent: Some(UNCHANGED),
                buffer: buffer.into(),
                ..Frame::default()
            };
            encoder.write_frame(&frame).map_err(encode)?;
        }
        drop(encoder);
        Ok(bytes)
    }

    /// Returns the palette, and the palette index for each colour of the pictures.
    fn palette_with_indices(&self) -> (Vec<[u8; 3]>, BTreeMap<[u8; 3], u8>) {
        let mut counts: BTreeMap<[u8; 3], u64> = BTreeMap::new();
        for &color in self.changes.iter().flat_map(|change| &change.pixels).flatten() {
            *counts.entry(color).or_default() += 1;
        }
        let mut by_count: Vec<_> = counts.into_iter().collect();
        by_count.sort_by_key(|&(color, count)| (std::cmp::Reverse(count), color));
        let colors: Vec<_> = by_count.into_iter().map(|(color, _)| color).collect();
        let mut palette = colors[..colors.len().min(MAX_COLORS)].to_vec();
        let distance =
            |a: [u8; 3], b: [u8; 3]| -> u32 { a.iter().zip(b).map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2)).sum() };
        let nearest = |color| (0..palette.len()).min_by_key(|&i| distance(palette[i], color)).unwrap_or(0) as u8;
        let indices = colors.iter().map(|&color| (color, nearest(color))).collect();
        // Fill the palette, so that the index `UNCHANGED` has an entry too.
        palette.resize(MAX_COLORS + 1, [0; 3]);
        (palette, indices)
    }
}

impl Change {
    /// Returns the rectangle in which two pictures differ, or `None` if they are equal. `columns`: width of both
    /// pictures in pixels. If `before` is empty, the rectangle is the whole picture.
    fn from_frames(before: &[[u8; 3]], now: &[[u8; 3]], columns: usize, delay: u16) -> Option<Change> {
        let differs = |i: usize| before.get(i) != now.get(i);
        let changed = || (0..now.len()).filter(|&i| differs(i));
        let (first, last) = (changed().next()?, changed().next_back()?);
        let (top, bottom) = (first / columns, last / columns);
        let (left, right) = changed().map(|i| i % columns).fold((columns, 0), |(l, r), x| (l.min(x), r.max(x)));
        let rows = (top..=bottom).flat_map(|y| (left..=right).map(move |x| y * columns + x));
        let pixels = rows.map(|i| differs(i).then(|| now[i])).collect();
        Some(Change { left: left as u32, top: top as u32, width: (right - left + 1) as u32, pixels, delay })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::Canvas;
    use crate::paint::Paint;
    use crate::palette::{Color, Palette};
    use crate::view::Point;
    use gif::{ColorOutput, DecodeOptions};

    const AIR: Color = Palette::NIGHT.background;

    /// Draws a picture of 8 x 4 pixels with a coloured square of 2 x 2 pixels.
    fn picture_with_square(x: f64, y: f64, color: Color) -> Svg {
        let mut svg = Svg::new(8.0, 4.0, "");
        svg.rect(Point { x: 0.0, y: 0.0 }, 8.0, 4.0, &Paint::fill(AIR));
        svg.rect(Point { x, y }, 2.0, 2.0, &Paint::fill(color));
        svg
    }

    /// Decodes a GIF to the pictures that a viewer shows, with their durations.
    fn decode_frames_with_delays(bytes: &[u8]) -> Vec<(Vec<[u8; 3]>, u16)> {
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes).unwrap();
        let columns = usize::from(decoder.width());
        let mut screen = vec![[0; 3]; columns * usize::from(decoder.height())];
        let mut shown = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            for (i, pixel) in frame.buffer.chunks_exact(4).enumerate() {
                let (x, y) = (i % usize::from(frame.width), i / usize::from(frame.width));
                if pixel[3] > 0 {
                    let at = (usize::from(frame.top) + y) * columns + usize::from(frame.left) + x;
                    screen[at] = [pixel[0], pixel[1], pixel[2]];
                }
            }
            shown.push((screen.clone(), frame.delay));
        }
        shown
    }

    #[test]
    fn an_animation_shows_its_pictures_in_order() {
        let (red, blue) = (Palette::NIGHT.bodies[0], Palette::NIGHT.bodies[1]);
        let pictures = [
            picture_with_square(0.0, 0.0, red),
            picture_with_square(1.0, 0.0, red),
            picture_with_square(1.0, 0.0, red),
            picture_with_square(6.0, 2.0, blue),
        ];
        let mut gif = Gif::new(1.0);
        pictures.iter().zip([3, 4, 5, 6]).for_each(|(svg, delay)| gif.push(svg, delay).unwrap());
        let shown = decode_frames_with_delays(&gif.finish().unwrap());
        // The third picture equals the second, so both are one frame.
        assert_eq!(shown.iter().map(|(_, delay)| *delay).collect::<Vec<_>>(), [3, 9, 6]);
        let square = |column: usize, row: usize, color: Color| -> Vec<[u8; 3]> {
            let is_in = |i: usize| (column..column + 2).contains(&(i % 8)) && (row..row + 2).contains(&(i / 8));
            (0..32).map(|i| if is_in(i) { color.0 } else { AIR.0 }).collect()
        };
        assert_eq!(
            shown.iter().map(|(pixels, _)| pixels.clone()).collect::<Vec<_>>(),
            [square(0, 0, red), square(1, 0, red), square(6, 2, blue)]
        );
    }

    /// A picture of 320 colours, of which the palette has 255. Each of the others differs by 4 from one of the 200
    /// frequent ones.
    #[test]
    fn rare_colors_become_the_nearest() {
        let mut svg = Svg::new(320.0, 2.0, "");
        let color = |x: u32| Color(if x < 200 { [x as u8, 0, 7] } else { [(x - 200) as u8, 4, 7] });
        for x in 0..320 {
            let height = if x < 200 { 2.0 } else { 1.0 };
            svg.rect(Point { x: f64::from(x), y: 0.0 }, 1.0, 2.0, &Paint::fill(color(0)));
            svg.rect(Point { x: f64::from(x), y: 0.0 }, 1.0, height, &Paint::fill(color(x)));
        }
        let mut gif = Gif::new(1.0);
        gif.push(&svg, 2).unwrap();
        let (pixels, _) = decode_frames_with_delays(&gif.finish().unwrap()).remove(0);
        for x in 0..200 {
            assert_eq!(pixels[x as usize], color(x).0);
        }
        let exact = (0..320).filter(|&x| pixels[x as usize] == color(x).0).count();
        assert_eq!(exact, MAX_COLORS);
        assert!((0..320).all(|x| pixels[x as usize].iter().zip(color(x).0).all(|(&a, b)| a.abs_diff(b) <= 4)));
    }

    #[test]
    fn invalid_frames_are_refused() {
        let mut gif = Gif::new(1.0);
        assert!(matches!(gif.clone().finish(), Err(DrawError::Encode { .. })));
        gif.push(&picture_with_square(0.0, 0.0, AIR), 2).unwrap();
        let other = Svg::new(8.0, 5.0, "");
        assert!(matches!(gif.push(&other, 2), Err(DrawError::Frame { found: (8, 5), expected: (8, 4) })));
        assert!(matches!(Gif::new(1.0).push(&Svg::new(70000.0, 1.0, ""), 2), Err(DrawError::Size { .. })));
        assert!(matches!(Gif::new(0.0).push(&other, 2), Err(DrawError::Scale { .. })));
    }
}

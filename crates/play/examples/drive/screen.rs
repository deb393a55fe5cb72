//! Takes screenshots of the display.

use crate::Fault;
use std::path::Path;
use std::process::Command;
use surefoot_draw::Color;

/// The pixels of a display.
pub(crate) struct Screen {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pixels: Vec<Color>,
}

impl Screen {
    /// Takes a screenshot of the display that the environment names.
    pub(crate) fn take() -> Result<Screen, Fault> {
        let shot = Command::new("xwd").args(["-root", "-silent"]).output()?;
        if !shot.status.success() {
            return Err(format!("xwd: {}", String::from_utf8_lossy(&shot.stderr)).into());
        }
        Screen::from_xwd(&shot.stdout).ok_or_else(|| "xwd wrote no picture of 32 bits a pixel".into())
    }

    /// Reads an XWD dump. Its header has fields of 32 bits, most significant byte first: 0 is the header's length, 4
    /// and 5 the size, 11 the bits per pixel, 12 the bytes per row, 19 the number of colours before the pixels, 12
    /// bytes each. Source: X's `XWDFile.h`.
    fn from_xwd(dump: &[u8]) -> Option<Screen> {
        let field = |i: usize| Some(u32::from_be_bytes(dump.get(4 * i..4 * i + 4)?.try_into().ok()?) as usize);
        let (width, height, row) = (field(4)?, field(5)?, field(12)?);
        let begin = field(0)? + 12 * field(19)?;
        if field(11)? != 32 {
            return None;
        }
        let mut pixels = Vec::with_capacity(width * height);
        for y in 0..height {
            let line = dump.get(begin + y * row..begin + y * row + 4 * width)?;
            // Pixels are in the order blue, green, red.
            pixels.extend(line.chunks_exact(4).map(|pixel| Color([pixel[2], pixel[1], pixel[0]])));
        }
        Some(Screen { width, height, pixels })
    }

    pub(crate) fn at(&self, x: usize, y: usize) -> Color {
        self.pixels[y * self.width + x]
    }

    /// Returns the bounds of all pixels of a colour below a row: left, top, right, bottom. The last two are exclusive.
    pub(crate) fn bounds_of(&self, color: Color, top: usize) -> Option<[f64; 4]> {
        let found = (top..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        let found = found.filter(|&(x, y)| self.at(x, y) == color);
        found.fold(None, |bounds: Option<[f64; 4]>, (x, y)| {
            let (x, y) = (x as f64, y as f64);
            let [left, top, right, bottom] = bounds.unwrap_or([x, y, x, y]);
            Some([left.min(x), top.min(y), right.max(x + 1.0), bottom.max(y + 1.0)])
        })
    }

    /// Writes the screenshot as a PPM file, which most image viewers can open.
    pub(crate) fn save(&self, file: &Path) -> Result<(), Fault> {
        let mut bytes = format!("P6 {} {} 255\n", self.width, self.height).into_bytes();
        bytes.extend(self.pixels.iter().flat_map(|Color(rgb)| rgb));
        Ok(std::fs::write(file, bytes)?)
    }
}

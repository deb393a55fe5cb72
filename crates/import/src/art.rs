//! Pictures of the tiles of a level, for an art file.
//!
//! An editor shows each tile with a part of a tileset's picture. Of tiles that mean the same, each look becomes a tile
//! kind of its own, so that an art file can name the look by a symbol. Looks are copied to one new picture: art files
//! have no gaps between pieces, no flips and only one picture.

use crate::level::{Cell, EditorTile, Flips};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use surefoot::Map;
use surefoot::map::TileId;

/// Pictures of the tiles of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct TileArt {
    /// Pixels along one side of a piece.
    pub pixels: u32,
    /// Pieces of the new picture, row by row from the top: the parts of tilesets that each shows, from back to front.
    pub pieces: Vec<Vec<PicturePart>>,
    /// Seconds for which each frame is shown.
    frame_seconds: f64,
    /// Pieces that the cells of a tile kind show one after the other.
    frames: Vec<(TileId, Vec<usize>)>,
}

/// Rectangle of a tileset's picture, perhaps mirrored and turned.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PicturePart {
    /// File of the picture.
    pub picture: PathBuf,
    /// Points of the picture at the corners of the shown square: lower left, lower right, upper right and upper left.
    /// In pixels from the upper left corner of the picture, x to the right and y down.
    pub corners: [(u32, u32); 4],
}

impl TileArt {
    /// Returns the columns of the new picture, in pieces.
    #[must_use]
    pub fn columns(&self) -> u32 {
        (1..).find(|columns| u64::from(columns * columns) >= self.pieces.len() as u64).unwrap_or(1)
    }

    /// Returns the text of the art file. `map`: the imported map. `picture`: name of the new picture's file.
    #[must_use]
    pub fn to_ron(&self, map: &Map, picture: &str) -> String {
        let (symbols, columns) = (map.written_letters(), self.columns() as usize);
        let piece = |index: usize| format!("({}, {})", index % columns, index / columns);
        let mut text = format!("Art(\n    format: 1,\n    picture: {picture:?},\n    pixels: {},\n", self.pixels);
        if self.frames.iter().any(|(_, frames)| frames.len() > 1) {
            let _ = writeln!(text, "    frame_seconds: {:?},", self.frame_seconds);
        }
        text += "    tiles: {\n";
        for (id, frames) in &self.frames {
            let Some(symbol) = symbols.get(usize::from(id.0)) else { continue };
            let shown = match frames[..] {
                [one] => format!("Piece{}", piece(one)),
                _ => format!("Frames([{}])", frames.iter().map(|&index| piece(index)).collect::<Vec<_>>().join(", ")),
            };
            let _ = writeln!(text, "        {:?}: {shown},", symbol.to_string());
        }
        text + "    },\n)\n"
    }
}

/// Maximum number of frames of one animation.
const MAX_FRAMES: u32 = 64;

/// Returns the pictures of tile kinds. `looks`: the tiles on top of each other that each kind shows.
pub(crate) fn build_tile_art(editor_tiles: &[EditorTile], looks: &[(TileId, Vec<Cell>)], pixels: u32) -> TileArt {
    let frames_of = |cell: &Cell| {
        cell.editor_tile_and_flips().map_or(&[][..], |(editor_tile, _)| &editor_tiles[editor_tile].frames)
    };
    let durations = || looks.iter().flat_map(|(_, look)| look).map(frames_of).filter(|frames| frames.len() > 1);
    let durations = || durations().flatten().map(|frame| frame.milliseconds.max(1));
    // Frames of an art file last equally long, so a longer frame is shown several times.
    let common = durations().fold(0, greatest_common_divisor).max(1);
    let is_short = |frames: &[Frame]| {
        frames.iter().map(|frame| u64::from(frame.milliseconds / common)).sum::<u64>() <= MAX_FRAMES.into()
    };
    let repeats = looks.iter().flat_map(|(_, look)| look).map(frames_of).all(is_short);
    let frame = if repeats { common } else { durations().min().unwrap_or(common) };
    let mut pieces = BTreeMap::new();
    let mut listed = Vec::new();
    let mut number_of = |parts: Vec<PicturePart>| {
        *pieces.entry(parts).or_insert_with_key(|parts| {
            listed.push(parts.clone());
            listed.len() - 1
        })
    };
    let frames = looks.iter().map(|(id, look)| {
        let part = |cell: &Cell, index: usize| {
            let (editor_tile, flips) = cell.editor_tile_and_flips()?;
            Some(editor_tiles[editor_tile].frames.get(index)?.picture_part(flips))
        };
        let numbers = match &look[..] {
            [cell] if frames_of(cell).len() > 1 => {
                let frames = frames_of(cell).iter().enumerate();
                let shown = frames.flat_map(|(index, of_tile)| {
                    let times = if repeats { of_tile.milliseconds.max(1) / common } else { 1 };
                    std::iter::repeat_n(number_of(part(cell, index).into_iter().collect()), times as usize)
                });
                shown.collect()
            }
            // Tiles on top of each other show their first frames.
            _ => vec![number_of(look.iter().filter_map(|cell| part(cell, 0)).collect())],
        };
        (*id, numbers)
    });
    let frames = frames.collect();
    TileArt { pixels, pieces: listed, frame_seconds: f64::from(frame) / 1000.0, frames }
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// Frame of a tile: a rectangle of a picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) picture: PathBuf,
    /// Upper left corner in pixels.
    pub(crate) corner: (u32, u32),
    /// Width and height in pixels.
    pub(crate) size: (u32, u32),
    /// Time for which the frame is shown. 0 for a tile without animation.
    pub(crate) milliseconds: u32,
}

impl Frame {
    fn picture_part(&self, flips: Flips) -> PicturePart {
        // Each `(x, y)` is a corner of the shown square: 0 is its left or upper side, 1 its right or lower side.
        let corners = [(0, 1), (1, 1), (1, 0), (0, 0)].map(|(x, y)| {
            let (x, y) = (if flips.horizontal { 1 - x } else { x }, if flips.vertical { 1 - y } else { y });
            let (x, y) = if flips.diagonal { (y, x) } else { (x, y) };
            (self.corner.0.saturating_add(x * self.size.0), self.corner.1.saturating_add(y * self.size.1))
        });
        PicturePart { picture: self.picture.clone(), corners }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn editor_tile_with_frames(frames: &[(u32, u32)]) -> EditorTile {
        let frame = |&(column, milliseconds)| Frame {
            picture: "tiles.png".into(),
            corner: (column * 16, 0),
            size: (16, 16),
            milliseconds,
        };
        EditorTile { frames: frames.iter().map(frame).collect(), ..EditorTile::default() }
    }

    /// Corners of a tile whose upper left corner is marked A, then clockwise B, C and D, worked out by hand on paper.
    #[test]
    fn flipped_parts_have_their_corners_elsewhere() {
        let (a, b, c, d) = ((32, 0), (48, 0), (48, 16), (32, 16));
        for (horizontal, vertical, diagonal, shown) in [
            (false, false, false, [d, c, b, a]),
            (true, false, false, [c, d, a, b]),
            (false, true, false, [a, b, c, d]),
            // The diagonal flip keeps the corners A and C.
            (false, false, true, [b, c, d, a]),
            // Tiled stores a quarter turn clockwise as the diagonal flip followed by the horizontal flip. This turn
            // brings D to the upper left.
            (true, false, true, [c, b, a, d]),
        ] {
            let part =
                editor_tile_with_frames(&[(2, 0)]).frames[0].picture_part(Flips { horizontal, vertical, diagonal });
            assert_eq!(part.corners, shown, "{horizontal} {vertical} {diagonal}");
        }
    }

    #[test]
    fn longer_frames_are_shown_several_times() {
        let editor_tiles =
            [editor_tile_with_frames(&[(0, 0)]), editor_tile_with_frames(&[(1, 300), (2, 100), (1, 200)])];
        let look = |editor_tile| vec![Cell::new(editor_tile, Flips::default())];
        let art = build_tile_art(&editor_tiles, &[(TileId(1), look(0)), (TileId(2), look(1))], 16);
        assert_eq!((art.pieces.len(), art.frame_seconds), (3, 0.1));
        assert_eq!(art.frames[1].1, [1, 1, 1, 2, 1, 1]);
        // Frames of a minute and of 7 milliseconds would need too many frames of equal length.
        let art = build_tile_art(&[editor_tile_with_frames(&[(0, 60_000), (1, 7)])], &[(TileId(1), look(0))], 16);
        assert_eq!((&art.frames[0].1[..], art.frame_seconds), (&[0, 1][..], 0.007));
    }
}

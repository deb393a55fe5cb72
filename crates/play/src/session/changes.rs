use surefoot::command::Command;

/// Which tiles are not what they were when they were last asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Changes {
    /// It is another map, or so many tiles are others that all may be.
    All,
    /// These, in any layer; one may be there more than once, and may have become again what it was.
    Tiles(Vec<(i32, i32)>),
    /// None.
    #[default]
    None,
}

impl Changes {
    /// More tiles than this are all tiles.
    pub(super) const MOST: usize = 4096;

    pub(super) fn add(&mut self, tiles: impl IntoIterator<Item = (i32, i32)>) {
        for tile in tiles {
            match self {
                Changes::All => return,
                Changes::None => *self = Changes::Tiles(vec![tile]),
                Changes::Tiles(tiles) if tiles.len() < Self::MOST => tiles.push(tile),
                Changes::Tiles(_) => *self = Changes::All,
            }
        }
    }
}

/// The tiles that a command paints.
pub(super) fn painted(command: &Command) -> impl Iterator<Item = (i32, i32)> + use<> {
    rectangle(match *command {
        Command::SetTile { tile, .. } => Some((tile, tile)),
        Command::SetTiles { from, to, .. } => Some((from, to)),
        _ => None,
    })
}

/// All tiles between two corners.
pub(super) fn rectangle(corners: Option<((i32, i32), (i32, i32))>) -> impl Iterator<Item = (i32, i32)> {
    corners.into_iter().flat_map(|((x1, y1), (x2, y2))| {
        (y1.min(y2)..=y1.max(y2)).flat_map(move |y| (x1.min(x2)..=x1.max(x2)).map(move |x| (x, y)))
    })
}

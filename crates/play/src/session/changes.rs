use surefoot::command::Command;

/// The tiles that changed since the last query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Changes {
    /// All tiles may have changed: the map is another one, or too many tiles changed to list.
    All,
    /// These tiles of any layer changed. A tile may be listed twice, or have its old content again.
    Tiles(Vec<(i32, i32)>),
    /// No tile changed.
    #[default]
    None,
}

impl Changes {
    /// If more tiles change, `All` is reported.
    pub(super) const MAX_LISTED: usize = 4096;

    pub(super) fn add(&mut self, tiles: impl IntoIterator<Item = (i32, i32)>) {
        for tile in tiles {
            match self {
                Changes::All => return,
                Changes::None => *self = Changes::Tiles(vec![tile]),
                Changes::Tiles(tiles) if tiles.len() < Self::MAX_LISTED => tiles.push(tile),
                Changes::Tiles(_) => *self = Changes::All,
            }
        }
    }
}

/// Returns the tiles that a command sets.
pub(super) fn tiles_set_by(command: &Command) -> impl Iterator<Item = (i32, i32)> + use<> {
    tiles_between(match *command {
        Command::SetTile { tile, .. } => Some((tile, tile)),
        Command::SetTiles { from, to, .. } => Some((from, to)),
        _ => None,
    })
}

/// Returns all tiles between two corners.
pub(super) fn tiles_between(corners: Option<((i32, i32), (i32, i32))>) -> impl Iterator<Item = (i32, i32)> {
    corners.into_iter().flat_map(|((x1, y1), (x2, y2))| {
        (y1.min(y2)..=y1.max(y2)).flat_map(move |y| (x1.min(x2)..=x1.max(x2)).map(move |x| (x, y)))
    })
}

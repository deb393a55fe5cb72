//! Levels of Tiled and LDtk as surefoot maps, and maps as such levels.
//!
//! [`load`] loads a level of an editor as a [`Map`](surefoot::Map), or a map in RON. [`import`] also reports what was
//! left out. `docs/guide/editors.md` says how to say what each tile of a level is. [`export`] writes a map as a level.
//!
//! ```no_run
//! let map = surefoot_import::load("levels/cave.tmx")?;
//! # Ok::<(), surefoot_import::ImportError>(())
//! ```
//!
//! With the feature `watch`, a `MapWatcher` reloads a level while a game runs, and a [`MapChange`] puts the new level
//! into the running world.
//!
//! Files may come from strangers: sizes are limited, and other files are read only from the folder of the level or of
//! its project, unless [`Options::outside_files`] is set.

#![cfg_attr(docsrs, feature(doc_cfg))]
// The macro `json!` recurses for each field, and the objects of LDtk have up to 40 fields.
#![recursion_limit = "256"]

mod art;
mod build;
mod change;
mod error;
mod export;
mod files;
mod ldtk;
mod level;
mod load;
mod names;
mod outline;
mod report;
mod rotation;
mod things;
mod tiled;
mod value;
#[cfg(feature = "watch")]
mod watch;

pub use art::{PicturePart, TileArt};
pub use change::{Applied, MapChange};
pub use error::{ImportError, ImportProblem};
pub use export::{Export, Form, Tileset, export, export_project};
pub use load::{Import, Options, import, import_from_memory, load, load_with};
pub use report::{LeftOver, Near, Report};
#[cfg(feature = "watch")]
pub use watch::{MapWatcher, WatchError};

use level::Level;

/// Returns the words for a level in errors. Empty for a file with one level.
fn level_label(level: &Level) -> String {
    if level.name.is_empty() { String::new() } else { format!("level {:?}", level.name) }
}

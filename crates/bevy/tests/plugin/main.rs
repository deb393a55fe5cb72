//! The plugin in apps without a window, compared with plain loops over worlds.

mod entities;
mod frames;
#[cfg(feature = "asset")]
mod levels;
mod order;
mod recorded;
mod rollback;
mod scene;

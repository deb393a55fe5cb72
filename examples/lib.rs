//! The examples are the other files in this folder. Run one with `cargo run -p surefoot-examples --example <name>`.

/// Compiles the samples in `docs/guide/game-loop.md`.
#[cfg(doctest)]
#[doc = include_str!("../docs/guide/game-loop.md")]
pub struct GameLoop;

/// No name of the prelude collides with one of macroquad's: each is named beside both.
///
/// ```
/// use macroquad::prelude::*;
/// use surefoot::prelude::*;
///
/// type Plain = (Body, BodyError, Character, Response, Catalogue, Placement, VariantId, Checksum, CommandError, BodyId);
/// type More = (EventKind, TileId, Contact, Mover<'static>, Shape, Side, SlopeLimit, Touching, Up, MapSource, Replay);
/// type Others = (Recording, Recorder, Rollback<u8>, RollbackError, FixedTimestep, Terrain, BodyState, Settings, Position);
/// fn source(_: &dyn TileSource) -> i64 {
///     ONE
/// }
/// ```
#[cfg(doctest)]
pub struct BesideMacroquad;

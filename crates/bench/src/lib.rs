//! Compares surefoot with other engines: same scenes, same inputs, one oracle. `cargo run --release` prints the tables.
//!
//! | modules | contents |
//! |---|---|
//! | [`scene`] | a generated map of 1024 x 64 tiles, the starts of 1000 bodies, and the inputs of their players |
//! | [`walker`] | a player's walk and jump with surefoot's numbers, for peers without characters |
//! | [`movers`] | the engines that move bodies |
//! | [`cast`], [`shots`] | bouncing balls and bullets made of casts |
//! | [`riders`], [`bodies`] | boxes on moving platforms, and colliding bodies, both judged by hand geometry |
//! | [`oracle`] | counts the faults of each engine with the exact checker of `surefoot-oracle` |
//! | [`measure`], [`callgrind`], [`profile`], [`memory`] | nanoseconds, instructions and cache misses, functions, bytes |
//! | [`geometry`] | the library of shapes alone, compared with the f64 parry |
//! | [`snapshots`] | the cost of saving, loading, hashing and rolling back a world |
//! | [`branching`], [`solving`] | the cost of a search's branches, and the time to solve levels |
//! | [`scale`], [`load`], [`levels`], [`things`], [`sizes`] | the cost of large maps, of loading maps and levels of editors, of placed things, and of many bodies |
//! | [`run`], [`table`], [`versions`], [`command_line`] | the works, the printed tables, and the programs' arguments |
//!
//! # Programs
//! `cargo run --release --manifest-path crates/bench/Cargo.toml`, and before `--` the `--bin`:
//!
//! | program | measures | fails if |
//! |---|---|---|
//! | `bench` (without `--bin`) | the tables of `docs/benchmarks.md`, one body, bodies at rest, riders of platforms, cache misses, crowds of 100 to 100,000, maps of many sizes, loading | |
//! | `geometry` | instructions of each question beside parry2d's | a sweep against a segment takes more than a fifth, or an overlap test more than all of parry2d's |
//! | `snapshots` | saves, loads, checksums and rollbacks beside a step | one of the first three takes more than a tenth of a step's instructions |
//! | `memory` | bytes of a body, allocations of a spawn, what a clone of a world costs by the body, bytes of the states of a search | a state of one character takes more than 300 bytes |
//! | `search` | branches of a search beside plain ticks, and solving `highlands.ron` and `first_steps.ron` | a branch takes more than 1.5 times the instructions of its ticks, or a level takes too long |
//! | `frames` | how long the drawing of a frame of the play window takes to build | a frame of the zoo takes 2 ms |
//! | `platforms` | instructions of bodies far from platforms, near them and on them, of a platform, and of bodies in areas | a row takes more than its bound |
//! | `bodies` | instructions of bodies that meet each other, in flight, at rest and in piles, beside rapier2d's and Box2D's, and how deep they end in each other | a row of this engine takes more than its bound, or two of its bodies end in each other |
//! | `scale` | a step on maps of 10^3 and 1.6 * 10^7 tiles and in a streamed world of 10^9 | |
//! | `game_surefoot`, `game_rapier`, `game_box2d` | nothing. They play the small game of `docs/comparison.md`. The version with avian2d is the package `avian` | |
//!
//! `-- --quick` makes the tables in less than a minute: no instructions, short runs, small maps, crowds of up to 1000.
//! `-- instructions WORK [MOVER]` counts instructions with valgrind, `-- misses WORK [MOVER]` cache misses, and
//! `-- profile WORK` says in which functions. Box2D is built from C; `--no-default-features --features
//! peers` leaves it out. Without the feature `peers`, this engine is measured alone. `cargo test --release --manifest-path
//! crates/bench/Cargo.toml` tests the movers themselves, and asks parry2d what `surefoot-geometry` is asked.
//!
//! The engine's `Mover` without a world is one of the movers. To measure how a game of yours calls it, add an
//! implementation of `Calls` to `movers/bare.rs`.
//!
//! # Setup of the movers
//! All movers get the same map, starts, inputs and numbers of ticks. The walker of a peer is [`walker::Walker`]: its
//! acceleration, gravity and jump are those of surefoot's default character, and it requests the same motion in each
//! tick. Each peer keeps its own rules: whether a slope or a wall preserves speed, the velocity after a hit, the skin.
//! So after some seconds no two crowds have the same positions. The column of speeds shows whether a crowd stands
//! still, which is cheap.
//!
//! Each mover is measured and judged by what it can do. For voxels and grids, slopes are blocks.

pub mod bodies;
#[cfg(feature = "box2d")]
mod box2d_world;
pub mod branching;
pub mod callgrind;
pub mod cast;
pub mod command_line;
#[cfg(feature = "peers")]
pub mod geometry;
pub mod levels;
pub mod load;
pub mod measure;
pub mod memory;
pub mod movers;
pub mod oracle;
pub mod outline;
pub mod profile;
pub mod random;
#[cfg(feature = "peers")]
mod rapier_world;
pub mod riders;
pub mod run;
pub mod scale;
pub mod scene;
pub mod shots;
pub mod sizes;
pub mod snapshots;
pub mod solving;
pub mod table;
pub mod things;
mod tolerance;
pub mod versions;
pub mod walker;

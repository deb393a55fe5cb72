//! surefoot beside its peers: the same scenes, the same inputs, one judge. `cargo run --release` prints the table.

pub mod callgrind;
pub mod cast;
pub mod judge;
pub mod load;
pub mod measure;
pub mod memory;
pub mod movers;
pub mod outline;
pub mod profile;
pub mod random;
pub mod run;
pub mod scale;
pub mod scene;
pub mod shots;
pub mod table;
pub mod versions;
pub mod walker;

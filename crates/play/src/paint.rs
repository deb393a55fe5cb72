//! What is seen, as meshes.

mod terrain;

pub use terrain::TerrainCache;

//! Tolerances of meshes in pixels. They are far below what a display shows and do not affect the physics.

/// Maximum distance of round ends, joins and circles from the exact curve. Larger values show corners; smaller ones
/// enlarge meshes by the square root. Pinned by `mesh::tests::circles_are_round`.
pub(crate) const FLATNESS: f64 = 0.05;

/// Minimum area of a piece of a cut triangle, in square pixels. Rounding leaves smaller slivers along cuts. Larger
/// values could show gaps; smaller ones add pieces that cover no sample. Pinned by
/// `convex::tests::slivers_are_left_out`.
pub(crate) const SLIVER: f64 = 1e-9;

//! How exact meshes are, in pixels. All of it is far below what a display shows; nothing of it reaches the physics.

/// How far round ends, joins and circles may be from the curve. Larger, circles show corners; smaller, meshes grow by the
/// square root. Pinned by `mesh::tests::circles_are_round`.
pub(crate) const FLATNESS: f64 = 0.05;

/// Pieces of a smaller area than this, in square pixels, are left out when triangles are cut: rounding leaves such along
/// cuts. Larger, gaps could show; smaller, meshes grow by pieces that cover no sample. Pinned by
/// `convex::tests::slivers_are_left_out`.
pub(crate) const SLIVER: f64 = 1e-9;

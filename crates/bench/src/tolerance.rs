//! How near is near enough in what is measured here. What the movers themselves promise is in their own crates.

/// Away from what was hit, in tiles, by the loops over a peer's casts: what rapier's controller does. Smaller: the next
/// cast stops where it starts. Larger: movers hover.
pub(crate) const NUDGE: f32 = 1e-4;

/// How far a depth that the oracle tells may be off, in tiles. Smaller: more steps of its search. Larger: skins of
/// peers blur.
pub(crate) const DEPTH_STEP: f64 = 1e-6;

/// How deep a cast of surefoot may seem to be, in tiles: the oracle measures the depth of a circle on its way to some
/// units of 2^-32 tile. A larger number hides faults of that depth. A smaller one reports rounding as a fault.
pub(crate) const CAST_DEPTH: f64 = 1e-7;

/// How deep two bodies of surefoot may seem to be in each other, in tiles: the engine rounds their sizes to units
/// of 2^-32 tile, and the oracle gets the sizes before rounding. A larger number hides faults of that depth. A smaller
/// one reports rounding as a fault.
pub(crate) const PAIR_DEPTH: f64 = 1e-9;

/// The least depth that is printed as a number, in tiles: ten times what the oracle measures by.
pub(crate) const SHOWN_DEPTH: f64 = 10.0 * DEPTH_STEP;

/// The most that a save, a load or a checksum may cost, in steps of the same bodies. Larger: eight ticks of rollback
/// are no longer about eight ticks. Smaller: copying a body's state alone takes more.
pub(crate) const SHARE_OF_A_STEP: f64 = 0.1;

const _: () = assert!(PAIR_DEPTH < CAST_DEPTH && CAST_DEPTH < DEPTH_STEP && DEPTH_STEP < SHOWN_DEPTH);

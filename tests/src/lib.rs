//! The tests are one binary, `main.rs`, with a module for each subject.

/// The programs in the README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// The programs in the page on platforms.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide/platforms.md")]
pub struct Platforms;

/// The programs in the page on areas.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide/areas.md")]
pub struct Areas;

/// The programs in the page on bodies that meet.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide/bodies.md")]
pub struct Bodies;

/// The program in the page on events.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide/events.md")]
pub struct Events;

/// The program in the page on jumps.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide/movement.md")]
pub struct Feel;

/// The programs in the page on surfaces.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide/materials.md")]
pub struct Surfaces;

/// The program in the engine's own README, which is in its package.
#[cfg(doctest)]
#[doc = include_str!("../../crates/engine/README.md")]
pub struct EngineReadme;

/// The program in the geometry's own README.
#[cfg(doctest)]
#[doc = include_str!("../../crates/geometry/README.md")]
pub struct GeometryReadme;

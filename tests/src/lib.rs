//! The tests are one binary, `main.rs`, with a module for each subject.

/// The programs in the README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// Compiles and runs the programs of pages of the documentation.
macro_rules! pages {
    ($($name:ident: $path:literal,)*) => {
        $(
            #[doc = include_str!(concat!("../../docs/", $path))]
            #[cfg(doctest)]
            pub struct $name;
        )*
    };
}

pages! {
    Porting: "porting.md",
    Areas: "guide/areas.md",
    Bodies: "guide/bodies.md",
    Character: "guide/character.md",
    Determinism: "guide/determinism.md",
    Events: "guide/events.md",
    GameplayEffects: "guide/gameplay-effects.md",
    Levels: "guide/levels.md",
    Materials: "guide/materials.md",
    Movement: "guide/movement.md",
    OwnEntities: "guide/own-entities.md",
    Performance: "guide/performance.md",
    Platforms: "guide/platforms.md",
    Queries: "guide/queries.md",
    Rollback: "guide/rollback.md",
    SavingAndReplays: "guide/saving-and-replays.md",
    Streaming: "guide/streaming.md",
}

/// The program in the engine's own README, which is in its package.
#[cfg(doctest)]
#[doc = include_str!("../../crates/engine/README.md")]
pub struct EngineReadme;

/// The program in the geometry's own README.
#[cfg(doctest)]
#[doc = include_str!("../../crates/geometry/README.md")]
pub struct GeometryReadme;

//! Items for the other crates of the engine, by the paths that they have in this crate. They are not part of the public
//! interface and may change at any time.

pub mod body {
    pub use crate::body::error::check_velocity;
    pub use crate::body::*;
}

pub mod command {
    pub use crate::command::*;
    #[cfg(feature = "record")]
    pub use crate::same_commands::are_same;
}

pub mod world {
    pub use crate::world::slots::Slots;
    pub use crate::world::*;
}

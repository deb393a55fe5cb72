//! At the far ends of everything that can be asked for: what is refused says so, and what is not does what it should.
//!
//! What should happen is told by hand geometry: rooms, shafts and floors whose faces stand where the rows say.

mod coordinates;
mod crowd;
mod sizes;
mod speeds;
mod ticks;

//! The steepest floor.

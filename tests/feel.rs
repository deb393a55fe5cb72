//! feel

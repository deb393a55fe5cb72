//! painted

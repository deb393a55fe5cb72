//! hills

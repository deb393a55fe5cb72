//! This library is empty: the package only holds the integration tests of `surefoot-geometry`.

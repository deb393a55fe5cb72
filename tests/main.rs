//! Tests of surefoot as a user sees it.

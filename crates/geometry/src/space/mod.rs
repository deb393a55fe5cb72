//! Tests for two-dimensional play in a three-dimensional scene.

//! A tick against the same tick without what saves time, cut into parts, and on a map that is split.

mod plain;
mod platforms;
mod split;

use super::*;

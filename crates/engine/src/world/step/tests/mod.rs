//! A tick against the same tick without what saves time, cut into parts, and on a map that is split.

mod plain;
#[cfg(repository)]
mod platforms;
mod split;

use super::*;

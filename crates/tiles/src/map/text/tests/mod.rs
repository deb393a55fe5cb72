//! Tests of map files: those that are refused, and the page that describes them.

mod bad_input;

use super::*;
use crate::catalogue::{Catalogue, VariantId};
use crate::map::MapPartsError;

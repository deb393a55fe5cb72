//! Why a visitor failed.

use super::Shape;
use serde::de::{self, Expected, Unexpected};
use std::fmt;

/// Why a visitor failed.
#[derive(Debug)]
pub(in crate::text) enum Refusal {
    Missing { field: &'static str, outer: Option<&'static str> },
    Unknown { fields: &'static [&'static str] },
    Length,
    Short { variant: &'static str, found: usize },
    Form { expected: String, shape: Shape },
    Fields { expected: String, fields: &'static [&'static str] },
    Other,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl std::error::Error for Refusal {}

impl de::Error for Refusal {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Refusal::Other
    }

    fn invalid_type(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Refusal::Other
    }

    fn invalid_length(_: usize, _: &dyn Expected) -> Self {
        Refusal::Length
    }

    fn missing_field(field: &'static str) -> Self {
        Refusal::Missing { field, outer: None }
    }

    fn unknown_field(_: &str, fields: &'static [&'static str]) -> Self {
        Refusal::Unknown { fields }
    }
}

impl Refusal {
    /// The same refusal by a struct of that name.
    pub(in crate::text) fn within(self, name: &'static str) -> Refusal {
        match self {
            Refusal::Missing { field, outer: None } => Refusal::Missing { field, outer: Some(name) },
            other => other,
        }
    }
}

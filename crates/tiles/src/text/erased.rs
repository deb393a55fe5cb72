//! RON through `erased_serde`. The code of `ron` is then compiled once here, and not again for every type of a file.

use erased_serde::{Deserializer, Serialize};
use ron::error::SpannedResult;
use ron::ser::PrettyConfig;
use serde::de::{DeserializeOwned, DeserializeSeed, Error as _};

/// Returns the RON text of `value`, on one line if `pretty` is `None`.
pub fn to_ron(value: &dyn Serialize, pretty: Option<PrettyConfig>) -> ron::Result<String> {
    match pretty {
        Some(pretty) => ron::ser::to_string_pretty(value, pretty),
        None => ron::to_string(value),
    }
}

/// Reads a value from `text` as `ron::from_str` does. Errors have the same message and position, but their code is
/// `ron::Error::Message` if they are from within the value.
pub fn from_ron<T: DeserializeOwned>(text: &str) -> SpannedResult<T> {
    let mut value = None;
    parse_with(text, &mut |reader| T::deserialize(reader).map(|read| value = Some(read)))?;
    Ok(value.expect("`read` calls the closure before it returns `Ok`"))
}

type Read<'r> = dyn FnMut(&mut dyn Deserializer<'_>) -> Result<(), erased_serde::Error> + 'r;

fn parse_with(text: &str, read: &mut Read<'_>) -> SpannedResult<()> {
    ron::Options::default().from_str_seed(text, Seed(read))
}

struct Seed<'s, 'r>(&'s mut Read<'r>);

impl<'de> DeserializeSeed<'de> for Seed<'_, '_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        (self.0)(&mut <dyn Deserializer<'_>>::erase(reader)).map_err(D::Error::custom)
    }
}

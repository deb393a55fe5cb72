//! Checks the properties of a map file.

use super::format::{Properties, Raw};
use super::parts::check_property_depth;
use super::{MapErrorKind, PropertyError, Value};
use crate::text::Step::{Field, Item, Key, Value as EntryValue};
use crate::text::{Problems, Step};
use std::collections::BTreeMap;

/// Returns the values at the end of a path in the file, without invalid ones.
pub(super) fn check_properties(
    raw: Properties,
    steps: Vec<Step<'static>>,
    problems: &mut Problems<MapErrorKind>,
) -> BTreeMap<String, Value> {
    let mut reader = Reader { steps, problems };
    reader.read_map(raw.pairs, None)
}

/// Checks the properties of the map itself. `count`: number of values in the properties of the map and its things. If
/// it is above `limit`, reports an error and returns no properties.
pub(super) fn check_map_properties(
    properties: Properties,
    count: usize,
    limit: usize,
    problems: &mut Problems<MapErrorKind>,
) -> BTreeMap<String, Value> {
    if count > limit {
        let own = if properties.count > 0 { "properties" } else { "legend" };
        problems.add(&[Field(own)], || PropertyError::TooMany { count, limit }.into());
        return BTreeMap::new();
    }
    check_properties(properties, vec![Field("properties")], problems)
}

/// Properties of areas or platforms, by their names.
pub(super) type PropertiesByName = BTreeMap<String, BTreeMap<String, Value>>;

/// Returns the properties of an area or a platform (`owner`) in a list, at the end of a path in the file.
pub(super) fn check_properties_of_listed(
    owner: &'static str,
    name: &str,
    raw: Properties,
    path_in_file: &[Step<'static>],
    has_properties: bool,
    problems: &mut Problems<MapErrorKind>,
) -> BTreeMap<String, Value> {
    if raw.pairs.is_empty() || !has_properties {
        return BTreeMap::new();
    }
    let path_in_file = [path_in_file, &[Field("properties")]].concat();
    if name.is_empty() {
        problems.add(&path_in_file, || PropertyError::Nameless { owner }.into());
    }
    check_properties(raw, path_in_file, problems)
}

/// Visits properties.
struct Reader<'a> {
    /// Path to the present value.
    steps: Vec<Step<'static>>,
    problems: &'a mut Problems<MapErrorKind>,
}

impl Reader<'_> {
    /// Reads the values of a map. `top` is the name of the property that contains it.
    fn read_map(&mut self, pairs: Vec<(String, Raw)>, top: Option<&str>) -> BTreeMap<String, Value> {
        let mut values = BTreeMap::new();
        for (i, (name, raw)) in pairs.into_iter().enumerate() {
            if values.contains_key(&name) {
                self.steps.push(Key(i));
                self.problems.add(&self.steps, || MapErrorKind::DuplicateProperty { name });
                self.steps.pop();
                continue;
            }
            self.steps.push(EntryValue(i));
            let value = self.read_value(raw, top.unwrap_or(&name));
            if top.is_none() {
                self.problems.ok_or_add(&self.steps, check_property_depth(&name, &value));
            }
            self.steps.pop();
            values.insert(name, value);
        }
        values
    }

    fn read_value(&mut self, raw: Raw, top: &str) -> Value {
        let name = || top.to_owned();
        match raw {
            Raw::Bool(value) => Value::Bool(value),
            Raw::Integer(value) => Value::Integer(value),
            Raw::LargeInteger => {
                self.problems.add(&self.steps, || MapErrorKind::LargeInteger { name: name() });
                Value::Integer(0)
            }
            Raw::Float(value) => {
                if !value.is_finite() {
                    self.problems.add(&self.steps, || PropertyError::NotFinite { name: name() }.into());
                }
                Value::Float(value)
            }
            Raw::Text(value) => Value::Text(value),
            Raw::List(raws) => {
                let mut values = Vec::with_capacity(raws.len());
                for (i, raw) in raws.into_iter().enumerate() {
                    self.steps.push(Item(i));
                    values.push(self.read_value(raw, top));
                    self.steps.pop();
                }
                Value::List(values)
            }
            Raw::Map(pairs) => Value::Map(self.read_map(pairs, Some(top))),
        }
    }
}

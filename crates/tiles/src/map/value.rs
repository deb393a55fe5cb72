use std::collections::BTreeMap;

/// Value of a property: data for your game in a map, such as a number, a text or a list.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// A 64-bit integer. In a file: a number without a point or an exponent.
    Integer(i64),
    /// A finite floating-point number. In a file: a number with a point or an exponent.
    Float(f64),
    /// A string. In a file: a text in quotes. A single character in single quotes, such as `'x'`, is a string too.
    Text(String),
    /// A list of values. In a file: `[...]` or a tuple.
    List(Vec<Value>),
    /// Values by name. In a file: `{...}` with texts as keys, or a struct such as `(damage: 2)`.
    Map(BTreeMap<String, Value>),
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Integer(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Float(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Value {
        Value::Text(value.to_owned())
    }
}

impl Value {
    /// Returns the value if it is a [`Value::Bool`], otherwise `None`.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(value) = self { Some(*value) } else { None }
    }

    /// Returns the number if the value is a [`Value::Integer`], otherwise `None`.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        if let Value::Integer(value) = self { Some(*value) } else { None }
    }

    /// Returns the number if the value is a [`Value::Float`] or a [`Value::Integer`], otherwise `None`.
    ///
    /// Integers beyond 2^53 are rounded to the nearest `f64`.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Integer(value) => Some(*value as f64),
            Value::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the string if the value is a [`Value::Text`], otherwise `None`.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        if let Value::Text(value) = self { Some(value) } else { None }
    }

    /// Returns the list if the value is a [`Value::List`], otherwise `None`.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Value]> {
        if let Value::List(values) = self { Some(values) } else { None }
    }

    /// Returns the values by name if the value is a [`Value::Map`], otherwise `None`.
    #[must_use]
    pub fn as_map(&self) -> Option<&BTreeMap<String, Value>> {
        if let Value::Map(values) = self { Some(values) } else { None }
    }

    /// Returns whether all numbers in the value are finite.
    pub(super) fn is_finite(&self) -> bool {
        match self {
            Value::Float(value) => value.is_finite(),
            Value::List(values) => values.iter().all(Value::is_finite),
            Value::Map(values) => values.values().all(Value::is_finite),
            Value::Bool(_) | Value::Integer(_) | Value::Text(_) => true,
        }
    }

    /// Number of values as which a map counts, in addition to the values in it. A map takes the memory of several
    /// values.
    pub(super) const MAP_COUNT: usize = 8;

    /// Returns the number of values: this one and those that it contains.
    pub(super) fn value_count(&self) -> usize {
        match self {
            Value::List(values) => 1 + values.iter().map(Value::value_count).sum::<usize>(),
            Value::Map(values) => Value::MAP_COUNT + values.values().map(Value::value_count).sum::<usize>(),
            _ => 1,
        }
    }

    /// Returns the nesting depth of lists and maps.
    pub(super) fn nesting_depth(&self) -> usize {
        match self {
            Value::List(values) => 1 + values.iter().map(Value::nesting_depth).max().unwrap_or(0),
            Value::Map(values) => 1 + values.values().map(Value::nesting_depth).max().unwrap_or(0),
            _ => 0,
        }
    }
}

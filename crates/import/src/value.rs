//! Properties from JSON.

use serde_json::Value as Json;
use surefoot::map::Value;

/// Returns the property for a value of JSON. `None` for null, and for a number that is not finite.
pub(crate) fn of_json(value: &Json) -> Option<Value> {
    Some(match value {
        Json::Null => return None,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Integer(number),
            None => Value::Float(number.as_f64().filter(|number| number.is_finite())?),
        },
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(list) => Value::List(list.iter().filter_map(of_json).collect()),
        Json::Object(map) => {
            Value::Map(map.iter().filter_map(|(name, value)| Some((name.clone(), of_json(value)?))).collect())
        }
    })
}

/// Returns the JSON for a property, to read it with serde.
pub(crate) fn to_json(value: &Value) -> Json {
    match value {
        Value::Bool(value) => Json::Bool(*value),
        Value::Integer(value) => Json::from(*value),
        Value::Float(value) => Json::from(*value),
        Value::Text(value) => Json::from(value.clone()),
        Value::List(list) => list.iter().map(to_json).collect(),
        Value::Map(map) => map.iter().map(|(name, value)| (name.clone(), to_json(value))).collect(),
    }
}

//! Properties from JSON.

use serde_json::Value as Json;
use surefoot::map::Value;

/// Returns the property for a value of JSON. `None` for null, and for a number that is not finite.
pub(crate) fn property_from_json(value: &Json) -> Option<Value> {
    Some(match value {
        Json::Null => return None,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Integer(number),
            None => Value::Float(number.as_f64().filter(|number| number.is_finite())?),
        },
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(list) => Value::List(list.iter().filter_map(property_from_json).collect()),
        Json::Object(map) => Value::Map(
            map.iter().filter_map(|(name, value)| Some((name.clone(), property_from_json(value)?))).collect(),
        ),
    })
}

/// Returns the found and the expected value of a mistake of serde about a type, in words for people who do not know
/// Rust. `None` for other mistakes.
pub(crate) fn describe_type_mistake(message: &str) -> Option<(String, &str)> {
    let rest = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "))?;
    let (found, expected) = rest.rsplit_once(", expected ")?;
    let number = found.strip_prefix("integer ").or_else(|| found.strip_prefix("floating point "));
    let found = match found {
        "sequence" => "a list".to_owned(),
        "map" => "an object".to_owned(),
        _ if found.starts_with("string ") => found.replacen("string", "the text", 1),
        _ => number
            .map_or_else(|| found.replace("boolean ", ""), |number| format!("the number {number}"))
            .replace('`', ""),
    };
    let expected = match expected {
        "u8" | "u32" | "u64" | "usize" => "a whole number, at least 0",
        "i32" | "i64" => "a whole number",
        "f32" | "f64" => "a number",
        "a string" => "a text",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "an object",
        _ if expected.starts_with("struct ") => "an object",
        _ => expected,
    };
    Some((found, expected))
}

/// Returns the JSON for a property, to read it with serde.
pub(crate) fn property_to_json(value: &Value) -> Json {
    match value {
        Value::Bool(value) => Json::Bool(*value),
        Value::Integer(value) => Json::from(*value),
        Value::Float(value) => Json::from(*value),
        Value::Text(value) => Json::from(value.clone()),
        Value::List(list) => list.iter().map(property_to_json).collect(),
        Value::Map(map) => map.iter().map(|(name, value)| (name.clone(), property_to_json(value))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::DeserializeOwned;
    use serde_json::json;

    #[test]
    fn mistakes_of_types_are_told_without_words_of_rust() {
        fn check<T: DeserializeOwned>(value: Json, found: &str, expected: &str) {
            let message = serde_json::from_value::<T>(value).err().map(|error| error.to_string()).unwrap_or_default();
            assert_eq!(describe_type_mistake(&message), Some((found.to_owned(), expected)), "{message}");
        }
        check::<f64>(json!(true), "true", "a number");
        check::<u32>(json!(-3), "the number -3", "a whole number, at least 0");
        check::<i64>(json!(2.5), "the number 2.5", "a whole number");
        check::<bool>(json!("x, expected y"), "the text \"x, expected y\"", "true or false");
        check::<String>(json!([1]), "a list", "a text");
        check::<Vec<u8>>(Json::Null, "null", "a list");
        assert_eq!(describe_type_mistake("missing field `width`"), None);
    }
}

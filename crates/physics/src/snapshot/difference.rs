use super::Snapshot;
use super::format::SnapshotFile;
use crate::event::BodyId;
use serde_json::Value;
use std::fmt;

/// First field in which two snapshots differ, with both values.
///
/// Prints as ``BodyId(1v1): `position[0]` is 12, not 10``: the first number of the body's `position` is 12 in the
/// second snapshot and 10 in the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDifference {
    /// Body with the field that differs. `None` for a field of the whole world.
    pub body: Option<BodyId>,
    /// Path to the field, such as `velocity[1]`: the second number of the velocity. `presence` means that only one of
    /// the two snapshots has the body.
    pub field: String,
    /// Value in the first snapshot, as JSON.
    pub first: String,
    /// Value in the second snapshot, as JSON.
    pub second: String,
}

impl fmt::Display for FieldDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(body) = self.body {
            write!(f, "{body:?}: ")?;
        }
        write!(f, "`{}` is {}, not {}", self.field, self.second, self.first)
    }
}

impl Snapshot {
    /// Returns the first field in which `other` differs from this snapshot. Returns `None` if the two are equal bit
    /// for bit.
    ///
    /// Bodies are compared first, in ascending order of their ids, then the rest of the world. In the result, `first`
    /// is the value in this snapshot and `second` the value in `other`.
    // The function is inline, so that only crates that call it compile it: serde generates a lot of code for the types
    // of a snapshot.
    #[inline]
    #[must_use]
    pub fn first_difference(&self, other: &Snapshot) -> Option<FieldDifference> {
        let [(bodies, rest), (other_bodies, other_rest)] = [self, other].map(split_bodies_from_rest);
        let (mut own, mut others) = (bodies.iter().peekable(), other_bodies.iter().peekable());
        let presence = |body: BodyId, first: &str, second: &str| {
            let field = "presence".to_owned();
            Some(FieldDifference { body: Some(body), field, first: first.to_owned(), second: second.to_owned() })
        };
        loop {
            match (own.peek(), others.peek()) {
                (Some((id, value)), Some((other_id, other_value))) if id == other_id => {
                    let mut path = String::new();
                    if let Some((first, second)) = find_first_difference_and_path(value, other_value, &mut path) {
                        return Some(FieldDifference { body: Some(*id), field: path, first, second });
                    }
                    own.next();
                    others.next();
                }
                (Some((id, _)), Some((other_id, _))) if slot_sort_key(*id) > slot_sort_key(*other_id) => {
                    return presence(*other_id, "not there", "there");
                }
                (Some((id, _)), _) => return presence(*id, "there", "not there"),
                (None, Some((id, _))) => return presence(*id, "not there", "there"),
                (None, None) => break,
            }
        }
        let mut path = String::new();
        let (first, second) = find_first_difference_and_path(&rest, &other_rest, &mut path)?;
        Some(FieldDifference { body: None, field: path, first, second })
    }
}

/// Returns the first field in which two values of one type differ. Each value must be one that JSON can hold.
pub fn difference_of(
    first: &dyn erased_serde::Serialize,
    second: &dyn erased_serde::Serialize,
) -> Option<FieldDifference> {
    let mut field = String::new();
    let (first, second) = find_first_difference_and_path(&to_json_value(first), &to_json_value(second), &mut field)?;
    Some(FieldDifference { body: None, field, first, second })
}

/// Returns the sort key of a body: its slot.
fn slot_sort_key(body: BodyId) -> u32 {
    slotmap::Key::data(&body).as_ffi() as u32
}

/// Returns the bodies of a snapshot, each with its configuration, and everything else.
fn split_bodies_from_rest(snapshot: &Snapshot) -> (Vec<(BodyId, Value)>, Value) {
    let mut file = SnapshotFile::from_snapshot(snapshot);
    let (kinds, bodies) = (std::mem::take(&mut file.kinds), std::mem::take(&mut file.bodies));
    let ids = (0..file.versions.len()).filter(|&slot| file.versions[slot] % 2 == 1);
    let ids = ids.map(|slot| snapshot.bodies.slots.id(slot));
    let bodies = ids.zip(bodies).map(|(id, body)| {
        let kind = kinds.get(body.kind as usize).map(|kind| to_json_value(kind));
        let mut body = to_json_value(&body);
        if let (Value::Object(fields), Some(kind)) = (&mut body, kind) {
            if let Some(Value::Object(state)) = fields.remove("state") {
                fields.extend(state);
            }
            // Equal configurations of bodies can have different indices, so compare the configurations instead.
            fields.insert("kind".to_owned(), kind);
        }
        (id, body)
    });
    (bodies.collect(), to_json_value(&file))
}

fn to_json_value(of: &dyn erased_serde::Serialize) -> Value {
    // This cannot fail: all maps in a snapshot have strings as keys. It also has no infinite number, which would become
    // `null`.
    serde_json::to_value(of).unwrap_or(Value::Null)
}

/// Returns the first part in which two values differ. Adds its path to `way`.
fn find_first_difference_and_path(one: &Value, other: &Value, way: &mut String) -> Option<(String, String)> {
    let end = way.len();
    match (one, other) {
        (Value::Object(one), Value::Object(other)) if one.len() == other.len() => {
            for ((name, one), (other_name, other)) in one.iter().zip(other) {
                if name != other_name {
                    return Some((name.clone(), other_name.clone()));
                }
                way.push_str(if way.is_empty() { "" } else { "." });
                way.push_str(name);
                if let Some(found) = find_first_difference_and_path(one, other, way) {
                    return Some(found);
                }
                way.truncate(end);
            }
            None
        }
        (Value::Array(one), Value::Array(other)) => {
            for (i, (one, other)) in one.iter().zip(other).enumerate() {
                way.push_str(&format!("[{i}]"));
                if let Some(found) = find_first_difference_and_path(one, other, way) {
                    return Some(found);
                }
                way.truncate(end);
            }
            let count = |list: &[Value]| format!("a list of {}", list.len());
            (one.len() != other.len()).then(|| (count(one), count(other)))
        }
        // As text, 0.0 and -0.0 differ.
        _ => Some((one.to_string(), other.to_string())).filter(|(one, other)| one != other),
    }
}

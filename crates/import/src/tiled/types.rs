//! Classes of a Tiled project. A file of Tiled only has the members of a class that differ from their defaults, and the
//! defaults are in the file of the project.

use super::{PropertyFile, json};
use crate::error::ImportError;
use crate::files::Files;
use crate::level::REFERENCE;
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ProjectFile {
    #[serde(rename = "propertyTypes")]
    types: Vec<TypeFile>,
}

/// A class, or an enum, which has no members.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TypeFile {
    name: String,
    members: Vec<PropertyFile>,
    /// Such as `object` and `tile`: those of which the class can be the class. `None` in old versions: all of them.
    #[serde(rename = "useAs")]
    users: Option<Vec<String>>,
}

/// The classes of a project by their names.
#[derive(Debug, Default)]
pub(super) struct Types(BTreeMap<String, TypeFile>);

/// Deepest nesting of classes: deeper ones keep the members that the file has.
const MAX_DEPTH: usize = 32;

impl Types {
    /// Reads the types of the project of a level, if there is a project.
    ///
    /// # Errors
    /// Returns [`ImportError`] if the file of the project cannot be read.
    pub(super) fn read_from_project(files: &Files<'_>) -> Result<Types, ImportError> {
        let Some(path) = files.project_path() else { return Ok(Types::default()) };
        let project: ProjectFile = json::read_json(&path, &files.read_text(&path)?, "a project of Tiled")?;
        Ok(Types(project.types.into_iter().map(|found| (found.name.clone(), found)).collect()))
    }

    /// Returns the members that an object, a tile or a layer has by its class. `user`: which of them it is.
    pub(super) fn members_for(&self, class: &str, user: &str) -> &[PropertyFile] {
        let class = self.0.get(class);
        let class =
            class.filter(|class| class.users.as_ref().is_none_or(|users| users.iter().any(|found| found == user)));
        class.map_or(&[], |class| &class.members)
    }

    /// Returns whether the value of a property is a class of the project.
    pub(super) fn has_class(&self, property: &PropertyFile) -> bool {
        property.kind == "class" && self.0.contains_key(&property.class)
    }

    /// Returns the value of a property with all members of its class. `below`: a value for the members that the
    /// property lacks. `room`: bytes that it may take, about; it takes them from there. Returns `None` if they are not
    /// enough.
    pub(super) fn complete_property(
        &self,
        property: &PropertyFile,
        below: Option<&Json>,
        room: &mut u64,
    ) -> Option<Json> {
        let given: Vec<&Json> = std::iter::once(&property.value).chain(below).collect();
        self.merge_class_values((&property.kind, &property.class), &given, room, 0)
    }

    /// `given`: the values on top of each other, the one that counts most first.
    fn merge_class_values(
        &self,
        (kind, class): (&str, &str),
        given: &[&Json],
        room: &mut u64,
        depth: usize,
    ) -> Option<Json> {
        let first = *given.first()?;
        let members = self.0.get(class).filter(|_| kind == "class" && depth < MAX_DEPTH).map(|class| &*class.members);
        let Some(members) = members else {
            *room = room.checked_sub(super::convert::approximate_bytes(first))?;
            return Some(value_of_class_member(kind, first));
        };
        let objects: Vec<&Map<String, Json>> = given.iter().filter_map(|value| value.as_object()).collect();
        let members: BTreeMap<&str, &PropertyFile> = members.iter().map(|member| (&*member.name, member)).collect();
        let names = objects.iter().flat_map(|object| object.keys()).map(|name| &**name);
        let names: BTreeSet<&str> = names.chain(members.keys().copied()).collect();
        let mut all = Map::new();
        for name in names {
            let member = members.get(name);
            let values: Vec<&Json> = objects
                .iter()
                .filter_map(|object| object.get(name))
                .chain(member.map(|member| &member.value))
                .collect();
            let types = member.map_or(("", ""), |member| (&*member.kind, &*member.class));
            *room = room.checked_sub(name.len() as u64)?;
            all.insert(name.to_owned(), self.merge_class_values(types, &values, room, depth + 1)?);
        }
        *room = room.checked_sub(32)?;
        Some(Json::Object(all))
    }
}

/// Returns the value of a member. In JSON, a reference to an object is a number, and so is a whole number of type
/// `float`.
fn value_of_class_member(kind: &str, value: &Json) -> Json {
    match (kind, value.as_u64(), value.as_f64()) {
        ("object", Some(0), _) => Json::from(""),
        ("object", Some(id), _) => Json::from(format!("{REFERENCE}{id}")),
        ("float", _, Some(number)) => Json::from(number),
        _ => value.clone(),
    }
}

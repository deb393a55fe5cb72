//! The JSON form.

use super::{MapFile, TemplateFile, TilesetFile};
use crate::error::{ImportError, ImportProblem};
use crate::value::describe_type_mistake;
use serde::Deserialize;
use std::path::Path;

pub(super) fn read_map<'a>(path: &Path, text: &'a str) -> Result<MapFile<'a>, ImportError> {
    read_json(path, text, "a map of Tiled in JSON")
}

pub(super) fn read_tileset(path: &Path, text: &str) -> Result<TilesetFile, ImportError> {
    read_json(path, text, "a tileset of Tiled in JSON")
}

pub(super) fn read_template(path: &Path, text: &str) -> Result<TemplateFile, ImportError> {
    read_json(path, text, "a template of Tiled in JSON")
}

/// Reads a file of JSON.
pub(crate) fn read_json<'a, T: Deserialize<'a>>(
    path: &Path,
    text: &'a str,
    expected: &'static str,
) -> Result<T, ImportError> {
    serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line() as u32, error.column() as u32);
        // The text of the error ends with the position, which is reported separately.
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or(&message);
        let message = match describe_type_mistake(message) {
            Some((found, expected)) => format!("the value is {found}; expected {expected}"),
            None => message.to_owned(),
        };
        ImportError::new(path, "", ImportProblem::Syntax { message, expected }).at_line(line, column.max(1))
    })
}

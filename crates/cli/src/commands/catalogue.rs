//! Loads the catalogue of a command: the built-in one or that of a file. Copies catalogues.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use surefoot::catalogue::{Catalogue, CatalogueErrors};
use surefoot::io::{CatalogueLoadError, write_atomic};

/// Returns the catalogue of a file, or the built-in one. The error has a line and a drawing for each mistake.
pub(super) fn load_catalogue_or_builtin(file: Option<&Path>) -> Result<Arc<Catalogue>, Box<dyn Error>> {
    let Some(file) = file else { return Ok(Catalogue::builtin()) };
    match Catalogue::load(file) {
        Ok(catalogue) => Ok(Arc::new(catalogue)),
        Err(CatalogueLoadError::Catalogue(errors)) => Err(describe_errors(&errors).into()),
        Err(error) => Err(error.into()),
    }
}

fn describe_errors(errors: &CatalogueErrors) -> String {
    let mut text = String::new();
    for error in errors.iter() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{error}");
        if let Some(drawing) = error.drawing() {
            let _ = writeln!(text, "\n{drawing}\n");
        }
    }
    let _ = write!(text, "{} error{}", errors.len(), if errors.len() == 1 { "" } else { "s" });
    if errors.len() == CatalogueErrors::MAX {
        text.push_str("; the rest of the file was not checked");
    }
    text
}

/// Copies the catalogue of a map, so that a file in another folder finds it. A file that is there already stays if it
/// is the same.
pub(super) fn copy_catalogue_file(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    let read = |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let bytes = read(from)?;
    if to.exists() {
        let is_same = read(to)? == bytes;
        let (from, to) = (from.display(), to.display());
        return if is_same {
            Ok(())
        } else {
            Err(format!("{to}: the file differs from the catalogue {from}; expected another folder").into())
        };
    }
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    Ok(write_atomic(to, &bytes)?)
}

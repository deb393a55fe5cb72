//! Writes pictures to files.

use crate::progress::Bar;
use std::error::Error;
use std::path::{Path, PathBuf};
use surefoot::io::write_atomic;
use surefoot_draw::Svg;

/// Returns whether a file's name has the ending of a picture format.
pub(super) fn has_extension(path: &Path, form: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(form))
}

/// The output file of a picture. Its name selects the format.
pub(super) struct Target {
    path: PathBuf,
    png: bool,
}

impl Target {
    /// Refuses names that do not end in .svg or .png, before any work is done.
    pub(super) fn new(path: &Path) -> Result<Target, Box<dyn Error>> {
        if has_extension(path, "svg") || has_extension(path, "png") {
            Target::with_fixed_format(path, has_extension(path, "png"))
        } else {
            Err(format!(
                "{}: the picture format is unknown; expected a file name that ends in .svg or .png",
                path.display()
            )
            .into())
        }
    }

    /// Creates a target with a fixed format, whatever its name. Refuses PNG if the tool was built without it.
    pub(super) fn with_fixed_format(path: &Path, png: bool) -> Result<Target, Box<dyn Error>> {
        if png && !cfg!(feature = "png") {
            let path = path.display();
            return Err(format!(
                "{path}: this tool was built without PNG; build it with `--features png`, or draw an SVG"
            )
            .into());
        }
        Ok(Target { path: path.to_owned(), png })
    }

    /// Writes the file atomically. A PNG has `scale` pixels for each pixel of the picture.
    pub(super) fn write(&self, svg: &Svg, scale: f64) -> Result<(), Box<dyn Error>> {
        let _bar = Bar::of_unknown_length("rendering");
        let bytes = if self.png { self.to_png(svg, scale)? } else { svg.to_string().into_bytes() };
        Ok(write_atomic(&self.path, &bytes)?)
    }

    #[cfg(feature = "png")]
    fn to_png(&self, svg: &Svg, scale: f64) -> Result<Vec<u8>, Box<dyn Error>> {
        Ok(surefoot_draw::to_png(svg, scale).map_err(|error| format!("{}: {error}", self.path.display()))?)
    }

    #[cfg(not(feature = "png"))]
    fn to_png(&self, _svg: &Svg, _scale: f64) -> Result<Vec<u8>, Box<dyn Error>> {
        Err("this tool was built without PNG".into())
    }
}

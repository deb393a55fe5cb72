//! What the RON reader complains of in a map.

use super::{MapError, MapErrorKind};
use crate::text;
use ron::Error;
use ron::error::SpannedError;

/// The reader's error at the place that is wrong.
pub(super) fn error(text: &str, error: SpannedError) -> MapError {
    let (line, column) = text::position(text, &error);
    let mut code = error.code;
    name_legend(&mut code);
    MapError { file: None, line, column, kind: MapErrorKind::Syntax { error: code } }
}

/// Names the struct that the reader does not know the name of, since it may also be a text.
pub(crate) fn name_legend(error: &mut Error) {
    if let Error::NoSuchStructField { expected, outer, .. } = error
        && expected.contains(&"drop_through")
    {
        *outer = Some("legend".to_owned());
    }
}

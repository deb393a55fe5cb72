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
    let ends_early = text::ends_early(text, &code, (line, column));
    let kind = if ends_early { MapErrorKind::EndsEarly { error: code } } else { MapErrorKind::Syntax { error: code } };
    MapError { file: None, line, column, kind }
}

/// Names the struct that the reader does not know the name of, since it may also be a text.
pub(crate) fn name_legend(error: &mut Error) {
    if let Error::NoSuchStructField { expected, outer, .. } = error
        && expected.contains(&"drop_through")
    {
        *outer = Some("legend".to_owned());
    }
}

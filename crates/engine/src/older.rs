//! What is different in files of older formats, while one is read.
//!
//! Snapshots before format 5 and logs before format 4 have no masses and do not say for how long a body has been quiet: a
//! body has a mass of 1, pushes nothing and is not quiet. Bodies did not meet each other, and the mask of one that said
//! nothing had all layers; today it has none.
//!
//! The fields are deep inside of commands and states, and serde hands down nothing to them. So a flag of the thread says
//! that an older format is read. In the format of today every field is required.

use crate::map::LayerMask;
use serde::{Deserialize, Deserializer};
use std::cell::Cell;

thread_local! {
    static IS_READ: Cell<bool> = const { Cell::new(false) };
}

/// Reads something of an older format or of the one of today, whatever is read around it.
#[cfg(feature = "record")]
pub(crate) fn reading<T>(is_older: bool, read: impl FnOnce() -> T) -> T {
    /// Puts the flag back, also if reading ends in a panic, as that of a game's own input may.
    struct Before(bool);

    impl Drop for Before {
        fn drop(&mut self) {
            IS_READ.set(self.0);
        }
    }

    let _before = Before(IS_READ.replace(is_older));
    read()
}

/// Whether an older format is read now.
pub(crate) fn is_read() -> bool {
    IS_READ.get()
}

/// A field that an older format does not have; nothing is read of it then.
pub(crate) fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(from: D) -> Result<T, D::Error> {
    if is_read() { Ok(T::default()) } else { T::deserialize(from) }
}

/// The mask of a body. All layers of an older format are none.
pub(crate) fn mask<'de, D: Deserializer<'de>>(from: D) -> Result<LayerMask, D::Error> {
    let mask = LayerMask::deserialize(from)?;
    Ok(if is_read() && mask == LayerMask::ALL { LayerMask::NONE } else { mask })
}

#[cfg(all(test, feature = "record"))]
mod tests {
    use super::*;
    use crate::body::{Body, Character};
    use crate::command::Command;
    use crate::event::BodyId;
    use crate::motion::Shape;
    use crate::world::Now;
    use serde::Serialize;
    use serde::de::DeserializeOwned;

    fn without(text: &str, field: &str) -> String {
        assert_eq!(text.matches(field).count(), 1, "{field} in {text}");
        text.replace(field, "")
    }

    fn text(value: &impl Serialize) -> String {
        ron::to_string(value).unwrap()
    }

    fn read<T: DeserializeOwned>(is_older: bool, text: &str) -> Result<T, ron::error::SpannedError> {
        reading(is_older, || ron::from_str(text))
    }

    #[test]
    fn masses_may_be_missing_in_older_formats_only() {
        let body = Body::new(Shape::circle(0.5)).character(Character::default());
        let whole = text(&body);
        assert_eq!(read::<Body>(false, &whole), Ok(body.clone()));
        let no_mass = without(&whole, ",mass:1.0");
        let old = without(&no_mass, ",push_mass:0.0");
        assert_eq!(read::<Body>(true, &old), Ok(body.clone()), "{old}");
        let refused = read::<Body>(false, &no_mass).unwrap_err();
        assert!(refused.to_string().contains("`mass`"), "{refused}");
        assert!(read::<Body>(true, &without(&old, ",collision_mask:0")).is_err());

        // Last in the bytes: a push mass of 8, a byte of layers, one of the mask, and a mass of 8. All layers take 5.
        let bytes = postcard::to_allocvec(&body).unwrap();
        let (before, after) = bytes.split_at(bytes.len() - 18);
        assert_eq!(after[8..10], [1, 0]);
        let old = [before, &[1, 0xff, 0xff, 0xff, 0xff, 0x0f]].concat();
        let (read, rest) = reading(true, || postcard::take_from_bytes::<Body>(&old)).unwrap();
        assert_eq!((read, rest), (body, &[][..]));
        assert!(postcard::from_bytes::<Body>(&old).is_err());
    }

    #[test]
    fn a_state_without_quiet_is_of_an_older_format() {
        let whole = text(&Now::NONE);
        let old = without(&whole, ",quiet:0");
        assert_eq!(read::<Now>(true, &old), Ok(Now::NONE));
        // Beyond what a snapshot takes.
        assert!(read::<Now>(false, &old).unwrap().quiet > Now::AT_REST);
        let bytes = postcard::to_allocvec(&Now::NONE).unwrap();
        let old = reading(true, || postcard::from_bytes::<Now>(&bytes[..bytes.len() - 1]));
        assert_eq!(old, Ok(Now::NONE));
    }

    #[test]
    fn a_mask_of_all_layers_is_none_in_older_formats() {
        let id = BodyId::default();
        for (mask, old) in [
            (LayerMask::ALL, LayerMask::NONE),
            (LayerMask::NONE, LayerMask::NONE),
            (LayerMask(0b101), LayerMask(0b101)),
        ] {
            let command = Command::SetCollisionMask(id, mask);
            let text = text(&command);
            assert_eq!(read(false, &text), Ok(command.clone()));
            assert_eq!(read(true, &text), Ok(Command::SetCollisionMask(id, old)));
            let layers = Command::SetCollisionLayers(id, mask);
            assert_eq!(read(true, &ron::to_string(&layers).unwrap()), Ok(layers));
        }
    }

    #[test]
    fn what_is_read_inside_has_a_format_of_its_own() {
        reading(true, || {
            assert!(is_read());
            reading(false, || assert!(!is_read()));
            assert!(is_read());
        });
        let panic = std::panic::catch_unwind(|| reading(true, || panic!("a game's own")));
        assert!(panic.is_err() && !is_read());
    }
}

//! What is different in files of older formats, while one is read.
//!
//! Snapshots before format 12 have no ledges of platforms.
//!
//! Snapshots before format 11 and logs before format 10 have no numbers of how a character swims and no time scales of bodies, and do not
//! say which way these look.
//!
//! Snapshots before format 10 and logs before format 9 have no numbers of what a character keeps hold of, no bodies that wait, and do not say
//! whether a character climbs or hangs on a ledge.
//!
//! Snapshots before format 9 and logs before format 8 have no numbers of what a character does in the air besides, and no tags of bodies.
//!
//! Snapshots before format 8 and logs before format 7 have no numbers of how a character turns, is nudged past corners and meets walls.
//!
//! Snapshots before format 7 and logs before format 6 have no numbers of how a character jumps but for its height.
//!
//! Snapshots before format 6 and logs before format 5 have no one-way bodies.
//!
//! Snapshots before format 5 and logs before format 4 have no masses and do not say for how long a body has been quiet: a
//! body has a mass of 1, pushes nothing and is not quiet. Bodies did not meet each other, and the mask of one that said
//! nothing had all layers; today it has none.
//!
//! The fields are deep inside of commands and states, and serde hands down nothing to them. So the thread keeps the
//! age of the format that is read. In the format of today every field is required.

use crate::body::MAX_SPEED;
use crate::map::LayerMask;
use serde::{Deserialize, Deserializer};
use std::cell::Cell;

/// How old a format is: what it does not have yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Age {
    BeforeMasses,
    BeforeOneWay,
    BeforeJumps,
    BeforeFeel,
    BeforeMoves,
    BeforeHolds,
    BeforeSwims,
    BeforeLedges,
    Today,
}

thread_local! {
    static AGE: Cell<Age> = const { Cell::new(Age::Today) };
}

/// Reads something of an older format or of the one of today, whatever is read around it.
#[cfg(feature = "record")]
pub(crate) fn reading<T>(age: Age, read: impl FnOnce() -> T) -> T {
    /// Puts the age back, also if reading ends in a panic, as that of a game's own input may.
    struct Before(Age);

    impl Drop for Before {
        fn drop(&mut self) {
            AGE.set(self.0);
        }
    }

    let _before = Before(AGE.replace(age));
    read()
}

/// Whether a format without masses is read now.
pub(crate) fn is_before_masses() -> bool {
    AGE.get() == Age::BeforeMasses
}

/// Whether a format without one-way bodies is read now.
pub(crate) fn is_before_one_way() -> bool {
    AGE.get() <= Age::BeforeOneWay
}

/// Whether a format without the numbers of jumps is read now.
pub(crate) fn is_before_jumps() -> bool {
    AGE.get() <= Age::BeforeJumps
}

/// Whether a format without tags and without the numbers of what a character does in the air is read now.
pub(crate) fn is_before_moves() -> bool {
    AGE.get() <= Age::BeforeMoves
}

/// Whether a format without the numbers of what a character keeps hold of is read now.
pub(crate) fn is_before_holds() -> bool {
    AGE.get() <= Age::BeforeHolds
}

/// Whether a format without time scales and without which way bodies look is read now.
pub(crate) fn is_before_swims() -> bool {
    AGE.get() <= Age::BeforeSwims
}

/// Whether a format without ledges of platforms is read now.
pub(crate) fn is_before_ledges() -> bool {
    AGE.get() <= Age::BeforeLedges
}

/// A number that every format has.
pub(crate) fn always<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    f64::deserialize(from)
}

/// A field that an older format does not have; nothing is read of it then.
pub(crate) fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(from: D) -> Result<T, D::Error> {
    if is_before_masses() { Ok(T::default()) } else { T::deserialize(from) }
}

/// A field of how a character jumps that an older format does not have; nothing is read of it then.
pub(crate) fn of_jumps<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(from: D) -> Result<T, D::Error> {
    if is_before_jumps() { Ok(T::default()) } else { T::deserialize(from) }
}

/// A field of how a character feels that an older format does not have; nothing is read of it then.
pub(crate) fn of_feel<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    if AGE.get() <= Age::BeforeFeel { Ok(0.0) } else { f64::deserialize(from) }
}

/// A number of what a character does in the air that an older format does not have; nothing is read of it then.
pub(crate) fn of_moves<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    if is_before_moves() { Ok(0.0) } else { f64::deserialize(from) }
}

/// A field of what a character holds on to that an older format does not have; nothing is read of it then.
pub(crate) fn of_holds<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(from: D) -> Result<T, D::Error> {
    if is_before_holds() { Ok(T::default()) } else { T::deserialize(from) }
}

/// A field that came with swimming and time scales; nothing is read of it in an older format.
pub(crate) fn of_swims<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(from: D) -> Result<T, D::Error> {
    if is_before_swims() { Ok(T::default()) } else { T::deserialize(from) }
}

/// A platform whose ledge is held; nothing is read of it in an older format.
pub(crate) fn of_ledges<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(from: D) -> Result<T, D::Error> {
    if is_before_ledges() { Ok(T::default()) } else { T::deserialize(from) }
}

/// A flag that an older format does not have; nothing is read of it then.
pub(crate) fn flag_of_moves<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    if AGE.get() <= Age::BeforeMoves { Ok(false) } else { bool::deserialize(from) }
}

/// [`of_moves`] of a number that is 1 in an older format.
pub(crate) fn one_of_moves<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    if is_before_moves() { Ok(1.0) } else { f64::deserialize(from) }
}

/// A number of what a character keeps hold of that is the fastest speed in an older format; nothing is read of it then.
pub(crate) fn fastest_of_holds<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    if is_before_holds() { Ok(MAX_SPEED) } else { f64::deserialize(from) }
}

/// What gravity is multiplied by in a fall: 1 in an older format.
pub(crate) fn fall_gravity<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    if is_before_jumps() { Ok(1.0) } else { f64::deserialize(from) }
}

/// The mask of a body. All layers of an older format are none.
pub(crate) fn mask<'de, D: Deserializer<'de>>(from: D) -> Result<LayerMask, D::Error> {
    let mask = LayerMask::deserialize(from)?;
    Ok(if is_before_masses() && mask == LayerMask::ALL { LayerMask::NONE } else { mask })
}

#[cfg(all(test, feature = "record"))]
mod tests {
    use super::*;
    use crate::body::{Body, Character, GROUPS, Group};
    use crate::command::Command;
    use crate::event::BodyId;
    use crate::motion::Shape;
    use crate::world::{Now, Timers};
    use serde::Serialize;
    use serde::de::DeserializeOwned;

    fn without(text: &str, field: &str) -> String {
        assert_eq!(text.matches(field).count(), 1, "{field} in {text}");
        text.replace(field, "")
    }

    /// How the numbers of a group are written at their defaults, and how many these are.
    fn numbers(group: Group) -> String {
        let mut character = Character::default();
        let of_group = character.numbers().into_iter().zip(GROUPS).filter(|(_, of)| *of == group);
        let name = |name: &'static str| name.strip_prefix("character.").unwrap();
        of_group.map(|(number, _)| format!(",{}:{:?}", name(number.name), *number.value)).collect()
    }

    fn size(group: Group) -> usize {
        GROUPS.into_iter().filter(|of| *of == group).count()
    }

    fn text(value: &impl Serialize) -> String {
        ron::to_string(value).unwrap()
    }

    fn read<T: DeserializeOwned>(age: Age, text: &str) -> Result<T, ron::error::SpannedError> {
        reading(age, || ron::from_str(text))
    }

    #[test]
    fn masses_may_be_missing_in_older_formats_only() {
        let body = Body::new(Shape::circle(0.5)).character(Character::default());
        let whole = text(&body);
        assert_eq!(read::<Body>(Age::Today, &whole), Ok(body.clone()));
        let no_tag = without(&whole, ",tag:0");
        let refused = read::<Body>(Age::Today, &no_tag).unwrap_err();
        assert!(refused.to_string().contains("`tag`"), "{refused}");
        let no_time = without(&whole, ",time_scale:1.0");
        let refused = read::<Body>(Age::Today, &no_time).unwrap_err();
        assert!(refused.to_string().contains("`time_scale`"), "{refused}");
        let no_swims = without(&no_time, &numbers(Group::Swims));
        assert_eq!(read::<Body>(Age::BeforeSwims, &no_swims), Ok(body.clone()), "{no_swims}");
        let no_holds = without(&no_swims, &numbers(Group::Holds));
        assert_eq!(read::<Body>(Age::BeforeHolds, &no_holds), Ok(body.clone()), "{no_holds}");
        let no_moves = without(&without(&no_holds, ",tag:0"), &numbers(Group::Moves));
        assert_eq!(read::<Body>(Age::BeforeMoves, &no_moves), Ok(body.clone()), "{no_moves}");
        let no_feel = without(&no_moves, &numbers(Group::Feel));
        assert_eq!(read::<Body>(Age::BeforeFeel, &no_feel), Ok(body.clone()), "{no_feel}");
        let no_jumps = without(&no_feel, &numbers(Group::Jumps));
        assert_eq!(read::<Body>(Age::BeforeJumps, &no_jumps), Ok(body.clone()), "{no_jumps}");
        let no_one_way = without(&no_jumps, ",one_way:false");
        assert_eq!(read::<Body>(Age::BeforeOneWay, &no_one_way), Ok(body.clone()), "{no_one_way}");
        let refused = read::<Body>(Age::Today, &no_one_way).unwrap_err();
        assert!(refused.to_string().contains("`one_way`"), "{refused}");
        let no_mass = without(&no_one_way, ",mass:1.0");
        let old = without(&no_mass, ",push_mass:0.0");
        assert_eq!(read::<Body>(Age::BeforeMasses, &old), Ok(body.clone()), "{old}");
        let refused = read::<Body>(Age::Today, &no_mass).unwrap_err();
        assert!(refused.to_string().contains("`mass`"), "{refused}");
        assert!(read::<Body>(Age::BeforeMasses, &without(&old, ",collision_mask:0")).is_err());

        // The time scale is last. Before the byte of the tag, which comes before it: a push mass of 8, the numbers of jumps, of the feel, of
        // moves, of holds and of swims, a byte of layers, one of the mask, a mass of 8, and a byte for one-way. All layers take 5.
        let bytes = postcard::to_allocvec(&body).unwrap();
        let bytes = &bytes[..bytes.len() - 8];
        let (before, after) = bytes.split_at(bytes.len() - 12);
        let bytes = [&before[..before.len() - 8 * size(Group::Swims)], after].concat();
        assert_eq!(reading(Age::BeforeSwims, || postcard::from_bytes::<Body>(&bytes)), Ok(body.clone()));
        let (before, after) = bytes.split_at(bytes.len() - 12);
        let bytes = [&before[..before.len() - 8 * size(Group::Holds)], after].concat();
        assert_eq!(reading(Age::BeforeHolds, || postcard::from_bytes::<Body>(&bytes)), Ok(body.clone()));
        let (before, after) = bytes[..bytes.len() - 1].split_at(bytes.len() - 12);
        let bytes = [&before[..before.len() - 8 * size(Group::Moves)], after].concat();
        assert_eq!(reading(Age::BeforeMoves, || postcard::from_bytes::<Body>(&bytes)), Ok(body.clone()));
        let (before, after) = bytes.split_at(bytes.len() - 11);
        let bytes = [&before[..before.len() - 8 * size(Group::Feel)], after].concat();
        assert_eq!(reading(Age::BeforeFeel, || postcard::from_bytes::<Body>(&bytes)), Ok(body.clone()));
        let (before, after) = bytes.split_at(bytes.len() - 11);
        let bytes = [&before[..before.len() - 8 * size(Group::Jumps)], after].concat();
        assert_eq!(reading(Age::BeforeJumps, || postcard::from_bytes::<Body>(&bytes)), Ok(body.clone()));
        let before = reading(Age::BeforeOneWay, || postcard::from_bytes::<Body>(&bytes[..bytes.len() - 1]));
        assert_eq!(before, Ok(body.clone()));
        let (before, after) = bytes.split_at(bytes.len() - 19);
        assert_eq!(after[8..10], [1, 0]);
        let old = [before, &[1, 0xff, 0xff, 0xff, 0xff, 0x0f]].concat();
        let (read, rest) = reading(Age::BeforeMasses, || postcard::take_from_bytes::<Body>(&old)).unwrap();
        assert_eq!((read, rest), (body, &[][..]));
        assert!(postcard::from_bytes::<Body>(&old).is_err());
    }

    #[test]
    fn a_state_without_quiet_is_of_an_older_format() {
        let whole = text(&Now::NONE);
        let no_side = without(&whole, ",faces:0");
        assert_eq!(read::<Now>(Age::BeforeSwims, &no_side), Ok(Now::NONE));
        assert_eq!(read::<Now>(Age::Today, &no_side).unwrap().faces, i8::MAX, "beyond what a snapshot takes");
        let no_dash = without(&no_side, ",dash:false");
        assert_eq!(read::<Now>(Age::BeforeMoves, &no_dash), Ok(Now::NONE));
        let no_leap = without(&no_dash, ",leap:0");
        assert_eq!(read::<Now>(Age::BeforeJumps, &no_leap), Ok(Now::NONE));
        let old = without(&no_leap, ",quiet:0");
        assert_eq!(read::<Now>(Age::BeforeMasses, &old), Ok(Now::NONE));
        // Beyond what a snapshot takes.
        let missing = read::<Now>(Age::Today, &old).unwrap();
        assert!(missing.quiet > Now::AT_REST && !missing.leap.is_possible(true));
        // Two places of 2 bytes each, a velocity of 16, a footing of 2, and four of the input come before the dash.
        let mut bytes = postcard::to_allocvec(&Now::NONE).unwrap();
        let old = reading(Age::BeforeSwims, || postcard::from_bytes::<Now>(&bytes[..bytes.len() - 1]));
        assert_eq!(old, Ok(Now::NONE));
        assert_eq!(bytes.remove(26), 0);
        for (age, missing) in [(Age::BeforeMoves, 1), (Age::BeforeJumps, 2), (Age::BeforeMasses, 3)] {
            let old = reading(age, || postcard::from_bytes::<Now>(&bytes[..bytes.len() - missing]));
            assert_eq!(old, Ok(Now::NONE));
        }
    }

    #[test]
    fn timers_of_an_older_format_neither_hang_nor_climb() {
        let timers = Timers { air_jumps: 1, dash_held: true, ..Timers::NONE };
        let text = text(&timers);
        let (old, _) = text.split_once(",hold:").unwrap();
        let old = format!("{old})");
        assert_eq!(read::<Timers>(Age::BeforeHolds, &old), Ok(timers));
        // Of no character in a text of today, in which no part of it may be missing either.
        assert!(timers.is_possible() && !read::<Timers>(Age::Today, &old).unwrap().is_possible());
        for part in [",let_go:0", ",pull:0", ",climb:No"] {
            assert!(read::<Timers>(Age::Today, &without(&text, part)).is_err(), "{part}");
        }
        // Before ledges of platforms it was said of no ledge whether it is one's.
        let no_platform = without(&text, ",on:None");
        assert_eq!(read::<Timers>(Age::BeforeLedges, &no_platform), Ok(timers));
        assert!(!read::<Timers>(Age::Today, &no_platform).unwrap().is_possible());
        let bytes = postcard::to_allocvec(&timers).unwrap();
        let before = &bytes[..bytes.len() - 1];
        assert_eq!(reading(Age::BeforeLedges, || postcard::from_bytes::<Timers>(before)), Ok(timers));
        assert!(postcard::from_bytes::<Timers>(before).is_err());
        // Two sides, a number of ticks, a place, whether it climbs, and no platform.
        let old = &bytes[..bytes.len() - 7];
        assert_eq!(reading(Age::BeforeHolds, || postcard::from_bytes::<Timers>(old)), Ok(timers));
        assert!(postcard::from_bytes::<Timers>(old).is_err());
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
            assert_eq!(read(Age::Today, &text), Ok(command.clone()));
            assert_eq!(read(Age::BeforeMasses, &text), Ok(Command::SetCollisionMask(id, old)));
            let layers = Command::SetCollisionLayers(id, mask);
            assert_eq!(read(Age::BeforeMasses, &ron::to_string(&layers).unwrap()), Ok(layers));
        }
    }

    #[test]
    fn what_is_read_inside_has_a_format_of_its_own() {
        reading(Age::BeforeMasses, || {
            assert!(is_before_masses());
            reading(Age::Today, || assert!(!is_before_masses()));
            assert!(is_before_masses());
        });
        let panic = std::panic::catch_unwind(|| reading(Age::BeforeMasses, || panic!("a game's own")));
        assert!(panic.is_err() && !is_before_masses());
    }
}

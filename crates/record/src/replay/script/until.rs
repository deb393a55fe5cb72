use crate::event::{BodyId, EventKind};
use crate::world::World;
use surefoot_geometry::Position;

/// A condition after the word `until` of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// The centre of the body is beyond a coordinate, in units.
    Beyond {
        axis: usize,
        is_greater: bool,
        bound: i64,
    },
    Floor,
    Air,
    Wall,
    WallLeft,
    WallRight,
    Ceiling,
    /// The body has an event of that kind in the tick.
    Event(&'static str),
}

/// Conditions on the contacts of a body.
const CONTACTS: [(&str, Condition); 6] = [
    ("floor", Condition::Floor),
    ("air", Condition::Air),
    ("wall", Condition::Wall),
    ("wall_left", Condition::WallLeft),
    ("wall_right", Condition::WallRight),
    ("ceiling", Condition::Ceiling),
];

impl Condition {
    /// Returns the condition of one word.
    pub(super) fn from_word(word: &str) -> Option<Condition> {
        let contact = CONTACTS.iter().find(|(name, _)| *name == word).map(|(_, condition)| *condition);
        contact.or_else(|| event_names().find(|name| *name == word).map(Condition::Event))
    }

    /// Returns a comparison, such as `x > 70`. `None` if the coordinate is out of range.
    pub(super) fn from_comparison(axis: usize, is_greater: bool, tiles: f64) -> Option<Condition> {
        let bound = Position::new(tiles, 0.0).ok()?.units().x;
        Some(Condition::Beyond { axis, is_greater, bound })
    }

    /// Returns the first words of all conditions.
    pub(super) fn condition_words() -> Vec<String> {
        let contacts = CONTACTS.iter().map(|(name, _)| *name);
        ["x", "y"].into_iter().chain(contacts).chain(event_names()).map(str::to_owned).collect()
    }

    /// Returns whether the condition holds after the last tick. `None` if the body is not in the world.
    pub(super) fn is_fulfilled(self, world: &World, body: BodyId) -> Option<bool> {
        let state = world.get(body)?;
        let touching = state.touching();
        Some(match self {
            Condition::Beyond { axis, is_greater, bound } => {
                let at = state.position().units().to_array()[axis];
                if is_greater { at > bound } else { at < bound }
            }
            Condition::Floor => state.on_floor(),
            Condition::Air => !state.on_floor(),
            Condition::Wall => touching.wall_left || touching.wall_right,
            Condition::WallLeft => touching.wall_left,
            Condition::WallRight => touching.wall_right,
            Condition::Ceiling => touching.ceiling,
            Condition::Event(name) => {
                world.events().iter().any(|event| event.body == body && event.kind.name() == name)
            }
        })
    }
}

/// Returns the names of the events about bodies.
fn event_names() -> impl Iterator<Item = &'static str> {
    EventKind::names().into_iter().filter(|name| *name != "platform_arrived")
}

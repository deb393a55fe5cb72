//! How each command is written: what a replay's text knows of it, for reading, checking and writing, is all here.

use super::ReplayErrorKind;
use super::check::{Checker, Known};
use super::format::{BodyPart, CELL, I64_RANGE, Spot, VELOCITY, character};
use super::write::{character_fields, entry_name, pair, spot, write_body};
use crate::body::{Body, Character, check_velocity};
use crate::command::Command;
use crate::event::BodyId;
use crate::map::{EntryId, Map};
use crate::record::Names;
use crate::text::Step::Item;
use crate::text::{FormError, Node, Reader, Shape as Written, Step, Variant, quoted};
use glam::DVec2;
use std::fmt::{self, Write};
use surefoot_geometry::Place;

/// A command as it is written: its name, what it takes, and words for one that takes something else.
struct Form {
    name: &'static str,
    takes: &'static [Kind],
    words: &'static str,
}

/// The commands that a text may have; what a body's player holds down is written as its inputs.
const FORMS: [Form; 7] = [
    Form {
        name: "Spawn",
        takes: &[Kind::NewBody],
        words: "`Spawn` with a body, such as Spawn(Body(name: \"a\", shape: Circle(0.5)))",
    },
    Form { name: "Remove", takes: &[Kind::Body], words: "" },
    Form {
        name: "SetVelocity",
        takes: &[Kind::Body, Kind::Velocity],
        words: "`SetVelocity` with a body's name and a velocity, such as SetVelocity(\"a\", (1.0, 0.0))",
    },
    Form {
        name: "Teleport",
        takes: &[Kind::Body, Kind::Place],
        words: "`Teleport` with a body's name and a place, such as Teleport(\"a\", At(2.5, 1.0))",
    },
    Form {
        name: "SetCharacter",
        takes: &[Kind::Body, Kind::Character],
        words: "`SetCharacter` with a body's name and a character, such as SetCharacter(\"a\", (walk_speed: 6.0))",
    },
    Form {
        name: "SetTile",
        takes: &[Kind::Tile, Kind::Entry, Kind::Layer],
        words: "`SetTile` with a tile's place and what to paint there, such as SetTile((3, 0), \"#\")",
    },
    Form {
        name: "SetTiles",
        takes: &[Kind::Tile, Kind::Tile, Kind::Entry, Kind::Layer],
        words: "`SetTiles` with two corners and what to paint there, such as SetTiles((3, 0), (5, 1), \"#\")",
    },
];

/// The command of that name, of what its form says it takes.
fn command(name: &str, values: &[Value]) -> Option<Command> {
    Some(match (name, values) {
        ("Spawn", [Value::NewBody(_, body)]) => Command::Spawn(body.clone()),
        ("Remove", [Value::Body(id)]) => Command::Remove(*id),
        ("SetVelocity", [Value::Body(id), Value::Velocity(velocity)]) => Command::SetVelocity(*id, *velocity),
        ("Teleport", [Value::Body(id), Value::Place(place)]) => Command::Teleport(*id, *place),
        ("SetCharacter", [Value::Body(id), Value::Character(character)]) => Command::SetCharacter(*id, *character),
        ("SetTile", [Value::Tile(tile), Value::Entry(entry), Value::Layer(layer)]) => {
            Command::SetTile { layer: *layer, tile: *tile, entry: *entry }
        }
        ("SetTiles", [Value::Tile(from), Value::Tile(to), Value::Entry(entry), Value::Layer(layer)]) => {
            Command::SetTiles { layer: *layer, from: *from, to: *to, entry: *entry }
        }
        _ => return None,
    })
}

/// The other way round: the name of a command and what it takes. `spawned` is the body that a spawn gives.
fn form(command: &Command, spawned: BodyId) -> (&'static str, Vec<Value>) {
    match command.clone() {
        Command::Spawn(body) => ("Spawn", vec![Value::NewBody(spawned, body)]),
        Command::Remove(id) => ("Remove", vec![Value::Body(id)]),
        Command::SetVelocity(id, velocity) => ("SetVelocity", vec![Value::Body(id), Value::Velocity(velocity)]),
        Command::Teleport(id, place) => ("Teleport", vec![Value::Body(id), Value::Place(place)]),
        Command::SetCharacter(id, character) => ("SetCharacter", vec![Value::Body(id), Value::Character(character)]),
        Command::SetTile { layer, tile, entry } => {
            ("SetTile", vec![Value::Tile(tile), Value::Entry(entry), Value::Layer(layer)])
        }
        Command::SetTiles { layer, from, to, entry } => {
            ("SetTiles", vec![Value::Tile(from), Value::Tile(to), Value::Entry(entry), Value::Layer(layer)])
        }
        // A replay writes it among the inputs of its body.
        Command::SetInput(id, _) => ("SetInput", vec![Value::Body(id)]),
    }
}

/// What a command can take. A new kind has an arm in each of the three steps below.
#[derive(Clone, Copy)]
enum Kind {
    NewBody,
    Body,
    Velocity,
    Place,
    /// Of the body before it, which has to be a character.
    Character,
    Tile,
    Entry,
    /// May be left out at the end, for the first layer.
    Layer,
}

/// What was read for a kind, before it is checked.
enum Part {
    NewBody(Box<BodyPart>),
    Body(String),
    Velocity((f64, f64)),
    Place(Spot),
    Character(Character),
    Tile((i64, i64)),
    Entry(String),
    Layer(Option<String>),
}

/// What is meant by it.
enum Value {
    NewBody(BodyId, Box<Body>),
    Body(BodyId),
    Velocity(DVec2),
    Place(Place),
    Character(Character),
    Tile((i32, i32)),
    Entry(EntryId),
    Layer(usize),
}

/// A command that was read and not checked yet.
pub(super) struct CommandPart {
    name: &'static str,
    parts: Vec<Part>,
}

const NAMES: [&str; FORMS.len()] = {
    let mut names = [""; FORMS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = FORMS[i].name;
        i += 1;
    }
    names
};

const VARIANTS: [Variant; FORMS.len()] = {
    let mut variants = [Variant { name: "", takes: (0, 0), words: "" }; FORMS.len()];
    let mut i = 0;
    while i < variants.len() {
        let Form { name, takes, words } = FORMS[i];
        let least = takes.len() - matches!(takes[takes.len() - 1], Kind::Layer) as usize;
        variants[i] = Variant { name, takes: (least, takes.len()), words };
        i += 1;
    }
    variants
};

impl CommandPart {
    pub(super) fn read<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<CommandPart> {
        let begins_with_tile = |form: &Form| form.name == node.name() && matches!(form.takes[0], Kind::Tile);
        if FORMS.iter().any(begins_with_tile) && has_bare_cell(reader, node) {
            return None;
        }
        let (name, nodes) = reader.variant(node, &NAMES, &VARIANTS, |_| None)?;
        let takes = FORMS.iter().find(|form| form.name == name)?.takes;
        let mut nodes = nodes.into_iter();
        let parts = takes.iter().map_while(|kind| match (kind, nodes.next()) {
            (Kind::Layer, node) => Some(Part::Layer(node.map(|node| reader.text(node)))),
            (_, None) => None,
            (Kind::NewBody, Some(node)) => Some(Part::NewBody(Box::new(BodyPart::read(reader, node)))),
            (Kind::Body, Some(node)) => Some(Part::Body(reader.text(node))),
            (Kind::Velocity, Some(node)) => Some(Part::Velocity(reader.numbers(node, VELOCITY))),
            (Kind::Place, Some(node)) => Some(Part::Place(Spot::read(reader, node).unwrap_or_default())),
            (Kind::Character, Some(node)) => Some(Part::Character(character(reader, node))),
            (Kind::Tile, Some(node)) => Some(Part::Tile(reader.integers(node, CELL, I64_RANGE))),
            (Kind::Entry, Some(node)) => Some(Part::Entry(reader.text(node))),
        });
        let parts = parts.collect();
        Some(CommandPart { name, parts })
    }

    /// The command, at the end of that way, before that tick; with the body that it spawns.
    pub(super) fn check(
        self,
        checker: &mut Checker<'_>,
        at: Option<u64>,
        earliest: u64,
        way: &[Step<'static>],
    ) -> Option<(BodyId, Command)> {
        let tick = at.unwrap_or(earliest);
        // The last body that was named.
        let mut subject: Option<(String, Option<Known>)> = None;
        let mut spawned = BodyId::default();
        let mut values = Vec::new();
        let count = self.parts.len();
        for (i, part) in self.parts.into_iter().enumerate() {
            let way = [way, &[Item(i)]].concat();
            let (name, known) = subject.as_ref().map_or(("", None), |(name, known)| (name.as_str(), *known));
            values.extend(match part {
                Part::NewBody(body) => {
                    let body = checker.body(*body, at.unwrap_or(0), &way);
                    spawned = body.as_ref().map_or(spawned, |(id, _)| *id);
                    body.map(|(id, body)| Value::NewBody(id, Box::new(body)))
                }
                Part::Body(name) => {
                    let known = checker.present(&name, tick, &way);
                    subject = Some((name, known));
                    known.map(|known| Value::Body(known.id))
                }
                Part::Velocity((x, y)) => {
                    for (checked, axis) in [(DVec2::new(x, 0.0), 0), (DVec2::new(0.0, y), 1)] {
                        if let Err(error) = check_velocity(checked) {
                            checker.add(&way, &[Item(axis)], ReplayErrorKind::Body { name: name.to_owned(), error });
                        }
                    }
                    Some(Value::Velocity(DVec2::new(x, y)))
                }
                Part::Place(spot) => {
                    let shape = known.and_then(|known| known.shape);
                    checker.place(name, shape, &spot, &way, &[]).map(Value::Place)
                }
                Part::Character(character) => {
                    if known.is_some_and(|known| !known.character) {
                        let of_body = [&way[..way.len() - 1], &[Item(i - 1)]].concat();
                        checker.add(&of_body, &[], ReplayErrorKind::NoCharacter { name: name.to_owned() });
                    }
                    checker.character(name, character, &way);
                    Some(Value::Character(character))
                }
                Part::Tile(tile) => checker.tile(tile, &way).map(Value::Tile),
                Part::Entry(name) => checker.entry(name, &way).map(Value::Entry),
                Part::Layer(name) => checker.layer(name, &way).map(Value::Layer),
            });
        }
        let command = command(self.name, &values).filter(|_| values.len() == count)?;
        if let (Command::Remove(id), Some((name, _))) = (&command, subject) {
            checker.remove(*id, &name, at);
        }
        Some((spawned, command))
    }
}

/// Writes a command; `spawned` is the body that a spawn gives.
pub(super) fn write_command(
    out: &mut String,
    command: &Command,
    spawned: BodyId,
    names: &Names,
    map: &Map,
) -> fmt::Result {
    let (name, values) = form(command, spawned);
    let named = |id| quoted(names.name(id).unwrap_or_default());
    write!(out, "{name}(")?;
    for (i, value) in values.iter().enumerate() {
        if i > 0 && !matches!(value, Value::Layer(0)) {
            out.write_str(", ")?;
        }
        match value {
            Value::NewBody(id, body) => {
                out.write_str("Body")?;
                write_body(out, &named(*id), body)?;
            }
            Value::Body(id) => out.write_str(&named(*id))?,
            Value::Velocity(velocity) => out.write_str(&pair(*velocity))?,
            Value::Place(place) => out.write_str(&spot(*place))?,
            Value::Character(character) => out.write_str(&character_fields(*character))?,
            Value::Tile(tile) => write!(out, "{tile:?}")?,
            Value::Entry(entry) => out.write_str(&entry_name(map, *entry))?,
            Value::Layer(0) => {}
            Value::Layer(layer) => out.write_str(&quoted(map.layers()[*layer].name()))?,
        }
    }
    out.write_char(')')
}

/// Whether a command that takes a cell has its x and y without parentheses, which is told.
fn has_bare_cell<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> bool {
    let mut values = Vec::new();
    node.visit(|_, value| {
        values.push(value);
        values.len() < 2
    });
    let [x, y] = values[..] else { return false };
    if node.shape() != Written::Tuple || x.shape() != Written::Integer || y.shape() != Written::Integer {
        return false;
    }
    let hint = format!("did you mean {}(({}, {}), ...)?", node.name(), x.source(), y.source());
    let expected = "a cell as an x and a y in parentheses".to_owned();
    reader.refuse(node, FormError::Type { expected, found: "two values".to_owned(), hint });
    true
}

//! What follows from a mistake that is told, and so is not told again.

use crate::map::MapErrorKind;
use crate::replay::ReplayErrorKind;
use crate::text::Step::Field;
use crate::text::{Shape, Step, Tree};

/// What cannot be told because of something else that is wrong.
#[derive(Default)]
pub(super) struct Doubts {
    /// Which fields a map has.
    fields: bool,
    /// Which characters its legend has.
    characters: bool,
    /// Which tiles its catalogue has.
    tiles: bool,
    /// Which bodies there are.
    bodies: bool,
    /// Which of them are characters.
    kinds: bool,
    /// When they come and go.
    times: bool,
    /// How many ticks there are.
    ticks: bool,
}

impl Doubts {
    /// What is in doubt about a map that is the whole tree, or a part of it.
    pub(super) fn of_map(tree: &Tree<'_>, within: &[Step<'_>]) -> Doubts {
        let whole = |name| tree.find(&[within, &[Field(name)]].concat());
        let legend_is_there =
            tree.find(within).is_some_and(|map| tree.pairs(map).any(|(key, _)| tree.name(key) == "legend"));
        let characters = match whole("legend") {
            None => legend_is_there,
            Some(legend) => {
                tree.is_damaged(legend)
                    || tree.pairs(legend).any(|(key, _)| tree.is_wrong(key) && tree.shape(key) != Shape::Text)
            }
        };
        // A field that is not known may be meant to be any other.
        let unknown = |map| tree.is_damaged(map) || tree.pairs(map).any(|(key, _)| tree.is_wrong(key));
        Doubts { characters, fields: tree.find(within).is_some_and(unknown), ..Doubts::default() }
    }

    /// The same, and which tiles there are if the map's catalogue is not known.
    pub(super) fn about_tiles(self, tiles: bool) -> Doubts {
        Doubts { tiles, ..self }
    }

    /// What is in doubt about a replay besides its map.
    pub(super) fn of_replay(tree: &Tree<'_>) -> Doubts {
        let ticks = tree.find(&[Field("ticks")]).is_none();
        let times = tree.find(&[Field("commands")]).is_some_and(|commands| tree.has_faults(commands));
        let (bodies, kinds) = (Doubts::of_names(tree), Doubts::of_kinds(tree));
        Doubts { ticks, times, bodies, kinds, ..Doubts::default() }
    }

    /// Whether something is wrong with a body, and it may be meant to be a character.
    fn of_kinds(tree: &Tree<'_>) -> bool {
        let Some(root) = tree.root() else { return true };
        tree.pairs(root).any(|(key, value)| match tree.name(key) {
            "bodies" => tree.has_faults(value),
            "commands" => tree.parts(value).any(|part| spawned(tree, part).is_some_and(|body| tree.has_faults(body))),
            _ => false,
        })
    }

    /// Whether the name of a body that is there, or that a command spawns, is not known.
    fn of_names(tree: &Tree<'_>) -> bool {
        let Some(root) = tree.root() else { return true };
        for (key, value) in tree.pairs(root) {
            let spawns = match tree.name(key) {
                "bodies" => false,
                "commands" => true,
                _ => continue,
            };
            if tree.is_wrong(value) || tree.is_damaged(value) {
                return true;
            }
            for part in tree.parts(value) {
                let body = if spawns { spawned(tree, part) } else { Some(part) };
                let named = |body| {
                    !tree.is_wrong(body)
                        && tree.pairs(body).any(|(key, name)| tree.name(key) == "name" && !tree.is_wrong(name))
                };
                if body.is_some_and(|body| !named(body)) {
                    return true;
                }
            }
        }
        tree.is_damaged(root)
    }

    /// Whether what is found in a map may only follow from that.
    pub(super) fn covers_map(&self, kind: &MapErrorKind) -> bool {
        match kind {
            MapErrorKind::UnknownCharacter { .. } => self.characters || self.tiles,
            MapErrorKind::UnknownTile { .. } | MapErrorKind::DropThrough { .. } => self.tiles,
            MapErrorKind::NoTiles => self.fields,
            _ => false,
        }
    }

    /// Whether what is found in a replay, at the end of those steps, may only follow from that.
    pub(super) fn covers_replay(&self, steps: &[Step<'_>], kind: &ReplayErrorKind) -> bool {
        match kind {
            ReplayErrorKind::AbsentBody { .. } => self.times && steps.first() == Some(&Field("checksums")),
            ReplayErrorKind::UnknownBody { .. } => self.bodies,
            ReplayErrorKind::NoCharacter { .. } => self.kinds,
            ReplayErrorKind::TickOutside { .. } => self.ticks,
            _ => false,
        }
    }
}

/// The body that a command spawns, if it is such a command.
fn spawned(tree: &Tree<'_>, command: usize) -> Option<usize> {
    let (_, action) = tree.pairs(command).find(|&(key, _)| tree.name(key) == "do")?;
    if tree.name(action) == "Spawn" { Some(tree.parts(action).next().unwrap_or(action)) } else { None }
}

//! Follow-up errors of a replay: errors that exist only because of an error already reported. They are not reported.

use super::ReplayErrorKind;
use crate::text::Step::Field;
use crate::text::{Node, Step, Tree};

/// Facts that are unknown because of a reported error. Errors that may only result from them are not reported.
pub(super) struct FollowOn {
    /// Whether the set of bodies is unknown.
    bodies: bool,
    /// Whether it is unknown which of the bodies are characters.
    kinds: bool,
    /// Whether the ticks of spawns and removals are unknown.
    times: bool,
    /// Whether the number of ticks is unknown.
    ticks: bool,
    /// Whether the set of areas and that of platforms are unknown.
    areas: bool,
    platforms: bool,
}

impl FollowOn {
    /// Finds which parts of a replay are unknown because of errors. Errors that could follow from these parts are not
    /// reported.
    pub(super) fn find_unknown_parts(tree: &Tree<'_>) -> FollowOn {
        let Some(root) = tree.root() else {
            return FollowOn { bodies: true, kinds: true, times: true, ticks: true, areas: true, platforms: true };
        };
        let lists = || [("bodies", false), ("commands", true)].map(|(name, spawns)| (tree.field(root, name), spawns));
        let bodies = |list, spawns| {
            tree.items(list)
                .filter_map(move |part| if spawns { node_of_spawned_thing(tree, part, "Spawn") } else { Some(part) })
        };
        let named = |body| {
            let name = tree.field(body, "name");
            !tree.is_wrong(body) && name.is_some_and(|name| !tree.is_wrong(name))
        };
        // A field with a wrong name may have been meant as `name`. The name of the thing is unknown then.
        let is_unknown = |thing| {
            tree.is_wrong(thing)
                || tree.is_broken(thing)
                || tree.pairs(thing).any(|(key, _)| tree.is_wrong(key))
                || tree.field(thing, "name").is_some_and(|name| tree.is_wrong(name))
        };
        let mut follow_on = FollowOn {
            bodies: tree.is_broken(root),
            kinds: false,
            times: tree.field(root, "commands").is_some_and(|commands| tree.has_faults(commands)),
            ticks: tree.find(&[Field("ticks")]).is_none(),
            areas: false,
            platforms: false,
        };
        for (list, spawns) in lists() {
            let Some(list) = list else { continue };
            let is_lost = tree.is_wrong(list) || tree.is_broken(list);
            follow_on.bodies |= is_lost || bodies(list, spawns).any(|body| !named(body));
            let are_lost = |of| {
                is_lost || tree.items(list).filter_map(|part| node_of_spawned_thing(tree, part, of)).any(is_unknown)
            };
            follow_on.areas |= spawns && are_lost("SpawnArea");
            follow_on.platforms |= spawns && are_lost("SpawnPlatform");
            // An invalid field of a body may have been meant to make it a character.
            follow_on.kinds |=
                (!spawns && tree.has_faults(list)) || bodies(list, spawns).any(|body| tree.has_faults(body));
        }
        follow_on
    }

    /// Returns whether an error at the end of those steps may only result from unknown facts.
    pub(super) fn is_follow_on(&self, steps: &[Step<'_>], kind: &ReplayErrorKind) -> bool {
        match kind {
            ReplayErrorKind::AbsentBody { .. } => self.times && steps.first() == Some(&Field("checksums")),
            ReplayErrorKind::UnknownBody { .. } => self.bodies,
            ReplayErrorKind::UnknownArea { .. } => self.areas,
            ReplayErrorKind::UnknownPlatform { .. } => self.platforms,
            ReplayErrorKind::NotACharacter { .. } => self.kinds,
            ReplayErrorKind::TickOutside { .. } => self.ticks,
            _ => false,
        }
    }
}

/// Returns what the spawn command `name` creates. `None` for other commands.
fn node_of_spawned_thing<'t>(tree: &Tree<'t>, command: Node<'t>, name: &str) -> Option<Node<'t>> {
    let action = tree.field(command, "do").filter(|action| action.name() == name)?;
    let mut body = action;
    action.visit_parts(|_, value| {
        body = value;
        false
    });
    Some(body)
}

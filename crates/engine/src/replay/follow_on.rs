//! What follows from a mistake of form in a replay that is told, and so is not told again.

use super::ReplayErrorKind;
use crate::text::Step::Field;
use crate::text::{Node, Step, Tree};

/// What is unknown because of a mistake that is told: errors that may only follow from it are not told again.
pub(super) struct FollowOn {
    /// Which bodies there are.
    bodies: bool,
    /// Which of them are characters.
    kinds: bool,
    /// When they come and go.
    times: bool,
    /// How many ticks there are.
    ticks: bool,
}

impl FollowOn {
    pub(super) fn of(tree: &Tree<'_>) -> FollowOn {
        let Some(root) = tree.root() else { return FollowOn { bodies: true, kinds: true, times: true, ticks: true } };
        let lists = || [("bodies", false), ("commands", true)].map(|(name, spawns)| (tree.field(root, name), spawns));
        let bodies = |list, spawns| {
            tree.items(list).filter_map(move |part| if spawns { spawned(tree, part) } else { Some(part) })
        };
        let named = |body| {
            let name = tree.field(body, "name");
            !tree.is_wrong(body) && name.is_some_and(|name| !tree.is_wrong(name))
        };
        let mut follow_on = FollowOn {
            bodies: tree.is_broken(root),
            kinds: false,
            times: tree.field(root, "commands").is_some_and(|commands| tree.has_faults(commands)),
            ticks: tree.find(&[Field("ticks")]).is_none(),
        };
        for (list, spawns) in lists() {
            let Some(list) = list else { continue };
            let is_lost = tree.is_wrong(list) || tree.is_broken(list);
            follow_on.bodies |= is_lost || bodies(list, spawns).any(|body| !named(body));
            // What is wrong with a body may be meant to make it a character.
            follow_on.kinds |=
                (!spawns && tree.has_faults(list)) || bodies(list, spawns).any(|body| tree.has_faults(body));
        }
        follow_on
    }

    /// Whether what is found, at the end of those steps, may only follow from that.
    pub(super) fn cover(&self, steps: &[Step<'_>], kind: &ReplayErrorKind) -> bool {
        match kind {
            ReplayErrorKind::AbsentBody { .. } => self.times && steps.first() == Some(&Field("checksums")),
            ReplayErrorKind::UnknownBody { .. } => self.bodies,
            ReplayErrorKind::NotACharacter { .. } => self.kinds,
            ReplayErrorKind::TickOutside { .. } => self.ticks,
            _ => false,
        }
    }
}

/// The body that a command spawns, if it is such a command.
fn spawned<'t>(tree: &Tree<'t>, command: Node<'t>) -> Option<Node<'t>> {
    let action = tree.field(command, "do").filter(|action| action.name() == "Spawn")?;
    let mut body = action;
    action.visit(|_, value| {
        body = value;
        false
    });
    Some(body)
}

use super::BodyState;
use super::edition::Edition;
use super::roster::Roster;
use crate::body::Body;
use crate::event::BodyId;
use std::ops::{Index, IndexMut};
use std::sync::OnceLock;
use surefoot_geometry::Place;

/// The bodies of a world in the order of their slots.
#[derive(Clone, Debug)]
pub(crate) struct Bodies {
    pub(crate) roster: Roster,
    /// One for each slot; in a free one the memory of a body that was there, for the next.
    states: Vec<Option<BodyState>>,
    /// Names the roster, and what its bodies are for all their time.
    pub(super) edition: Edition,
    /// The hashes of the slots and of what bodies are, once somebody has asked.
    pub(crate) hash: OnceLock<[u64; 2]>,
}

impl Bodies {
    pub(super) fn new() -> Bodies {
        Bodies { roster: Roster::default(), states: Vec::new(), edition: Edition::FIRST, hash: OnceLock::new() }
    }

    pub(super) fn parts_mut(&mut self) -> (&Roster, &mut Vec<Option<BodyState>>) {
        (&self.roster, &mut self.states)
    }

    fn renew(&mut self) {
        self.edition = Edition::next();
        self.hash.take();
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.roster.len()
    }

    /// A body to be put in, in the memory of one that was there.
    pub(super) fn make(&mut self, body: &Body, place: Place) -> BodyState {
        let spare = self.states.get_mut(self.roster.next_slot()).and_then(Option::take);
        spare.map_or_else(|| BodyState::new(body, place), |spare| spare.renewed(body, place))
    }

    /// Puts in a body.
    pub(crate) fn insert(&mut self, state: BodyState) -> BodyId {
        let slot = self.roster.next_slot();
        if slot == self.states.len() {
            self.states.push(Some(state));
        } else {
            self.states[slot] = Some(state);
        }
        self.renew();
        self.roster.insert()
    }

    /// Takes out a body; what it was is there to be looked at until the next one comes.
    pub(crate) fn remove(&mut self, body: BodyId) -> Option<&mut BodyState> {
        let slot = self.roster.remove(body)?;
        self.renew();
        self.states[slot].as_mut()
    }

    #[inline]
    pub(crate) fn get(&self, body: BodyId) -> Option<&BodyState> {
        self.roster.slot(body).and_then(|slot| self.states[slot].as_ref())
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, body: BodyId) -> Option<&mut BodyState> {
        self.roster.slot(body).and_then(|slot| self.states[slot].as_mut())
    }

    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (BodyId, &BodyState)> {
        let slots = self.roster.versions().iter().zip(&self.states).enumerate();
        slots.filter(|(_, (version, _))| *version % 2 == 1).filter_map(|(slot, (&version, state))| {
            state.as_ref().map(|state| (super::roster::id(slot, version), state))
        })
    }

    #[inline]
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (BodyId, &mut BodyState)> {
        let slots = self.roster.versions().iter().zip(&mut self.states).enumerate();
        slots.filter(|(_, (version, _))| *version % 2 == 1).filter_map(|(slot, (&version, state))| {
            state.as_mut().map(|state| (super::roster::id(slot, version), state))
        })
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &BodyState> {
        self.iter().map(|(_, state)| state)
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut BodyState> {
        self.iter_mut().map(|(_, state)| state)
    }
}

impl Index<BodyId> for Bodies {
    type Output = BodyState;

    fn index(&self, body: BodyId) -> &BodyState {
        self.get(body).unwrap_or_else(|| panic!("there is no body {body:?} in the world"))
    }
}

impl IndexMut<BodyId> for Bodies {
    fn index_mut(&mut self, body: BodyId) -> &mut BodyState {
        self.get_mut(body).unwrap_or_else(|| panic!("there is no body {body:?} in the world"))
    }
}

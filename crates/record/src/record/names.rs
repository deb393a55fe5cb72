use super::RecorderError;
use crate::event::BodyId;
use std::collections::BTreeMap;

/// Unique names of bodies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    names: BTreeMap<BodyId, String>,
    bodies: BTreeMap<String, BodyId>,
}

impl Names {
    /// Names a body and replaces its former name.
    pub(crate) fn insert(&mut self, body: BodyId, name: String) -> Result<(), RecorderError> {
        if name.is_empty() {
            return Err(RecorderError::NamelessBody);
        }
        if self.bodies.get(&name).is_some_and(|&other| other != body) {
            return Err(RecorderError::DuplicateName { name });
        }
        self.bodies.insert(name.clone(), body);
        if let Some(before) = self.names.insert(body, name.clone()).filter(|before| *before != name) {
            self.bodies.remove(&before);
        }
        Ok(())
    }

    /// Names a body with a number, or with the next free one.
    pub(crate) fn insert_numbered_name(&mut self, body: BodyId, number: usize) {
        let mut names = (number..).map(|number| format!("body_{number}"));
        if let Some(name) = names.find(|name| !self.bodies.contains_key(name)) {
            self.bodies.insert(name.clone(), body);
            self.names.insert(body, name);
        }
    }

    pub(crate) fn name(&self, body: BodyId) -> Option<&str> {
        self.names.get(&body).map(String::as_str)
    }

    pub(crate) fn body(&self, name: &str) -> Option<BodyId> {
        self.bodies.get(name).copied()
    }

    /// Keeps the names of some bodies.
    pub(crate) fn retain_bodies(&mut self, keep: impl Fn(BodyId) -> bool) {
        self.names.retain(|body, _| keep(*body));
        self.bodies.retain(|_, body| keep(*body));
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (BodyId, &str)> {
        self.names.iter().map(|(&body, name)| (body, name.as_str()))
    }
}

//! Areas in the form in which a map and its worlds share them.

#![allow(missing_docs)] // The items are public only for the other crates of the engine.

use super::things::{first_name_word, parse_thing_name, thing_name};
use crate::area::{Area, AttachedTo};
use glam::I64Vec2;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use surefoot_geometry::Position;

/// An area that shares everything except its name and position with the other areas of its tile kind. So a map with
/// many equal areas, such as coins, needs little time and memory for each.
#[derive(Clone, Debug)]
pub struct SharedArea {
    kind: Arc<AreaKind>,
    /// Position as in [`Area::position`].
    position: Position,
    /// Cell and tile layer of an area that a tile kind places. They make its name.
    cell: Option<((i32, i32), u32)>,
    /// The area with name and position, made when it is first read. Empty for areas that no tile kind places.
    whole: OnceLock<Arc<Area>>,
}

/// Fields that equal areas share, with values that are computed once.
#[derive(Clone, Debug)]
pub struct AreaKind {
    /// The area. If a tile kind places it, the name and the position here mean nothing.
    area: Area,
    /// Corners of a box around the shape, in units.
    pub around: (I64Vec2, I64Vec2),
    /// Corners of a box inside the shape, if one is known.
    pub within: Option<(I64Vec2, I64Vec2)>,
    /// Whether the area affects the motion of bodies.
    pub moves: bool,
}

impl AreaKind {
    pub(super) fn new(area: Area) -> AreaKind {
        AreaKind { around: area.shape.bounds(), within: area.shape.inner_box(), moves: area.effects.moves(), area }
    }

    /// Returns the same kind on another carrier.
    #[must_use]
    pub fn attached_to(&self, carrier: AttachedTo) -> AreaKind {
        AreaKind { area: self.area.clone().attached_to(carrier), ..*self }
    }

    pub(super) fn area(&self) -> &Area {
        &self.area
    }
}

/// The name of an area, split for a search among placed areas.
#[derive(Clone, Copy, Debug)]
pub struct AreaName<'n> {
    name: &'n str,
    parts: Option<(&'n str, (i32, i32), usize)>,
}

impl<'n> AreaName<'n> {
    #[must_use]
    pub fn new(name: &'n str) -> AreaName<'n> {
        AreaName { name, parts: parse_thing_name(name) }
    }
}

impl SharedArea {
    /// Creates an area that no tile kind places.
    #[must_use]
    pub fn new(area: Area) -> SharedArea {
        let position = area.position.unwrap_or_default();
        SharedArea { kind: Arc::new(AreaKind::new(area)), position, cell: None, whole: OnceLock::new() }
    }

    /// Creates the area that a tile kind places in a cell.
    pub(super) fn new_in_cell(kind: Arc<AreaKind>, position: Position, cell: (i32, i32), layer: usize) -> SharedArea {
        SharedArea { kind, position, cell: Some((cell, layer as u32)), whole: OnceLock::new() }
    }

    #[must_use]
    pub fn kind(&self) -> &Arc<AreaKind> {
        &self.kind
    }

    /// Replaces everything except the name and the position.
    pub fn set_kind(&mut self, kind: Arc<AreaKind>) {
        self.kind = kind;
        self.whole.take();
    }

    /// Returns everything of the area except the name and the position: both mean nothing here.
    #[inline]
    #[must_use]
    pub fn fields(&self) -> &Area {
        &self.kind.area
    }

    #[must_use]
    pub fn position(&self) -> Position {
        self.position
    }

    pub fn set_position(&mut self, position: Position) {
        self.position = position;
        self.whole.take();
        if self.cell.is_none() {
            Arc::make_mut(&mut self.kind).area.position = Ok(position);
        }
    }

    /// Returns the whole area.
    #[must_use]
    pub fn area(&self) -> &Area {
        if self.cell.is_none() { &self.kind.area } else { self.whole.get_or_init(|| Arc::new(self.to_area())) }
    }

    /// Returns a copy of the whole area.
    #[must_use]
    pub fn to_area(&self) -> Area {
        Area { name: self.name().into_owned(), position: Ok(self.position), ..self.kind.area.clone() }
    }

    #[must_use]
    pub fn name(&self) -> Cow<'_, str> {
        match self.cell {
            None => Cow::Borrowed(&self.kind.area.name),
            Some((cell, layer)) => Cow::Owned(thing_name(first_name_word(&self.kind.area), cell, layer as usize)),
        }
    }

    #[must_use]
    pub fn has_name(&self, name: &AreaName<'_>) -> bool {
        match self.cell {
            None => self.kind.area.name == name.name,
            Some((cell, layer)) => name.parts == Some((first_name_word(&self.kind.area), cell, layer as usize)),
        }
    }
}

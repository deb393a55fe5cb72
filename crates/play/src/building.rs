//! Building with the mouse: strokes of the brush, typed names, undo and redo.

use crate::controls::{Action, Controls, Pointer};
use crate::edits::{Edit, Edits};
use crate::game::Game;
use crate::legend;
use crate::name::Name;
use crate::palette::{self, Brush, Strip};
use crate::panel::Panel;
use crate::session::is_nameable;
use crate::stroke::Stroke;
use surefoot::prelude::VariantId;
use surefoot_draw::View;

/// The brush of an opened map.
const FIRST_BRUSH: Brush = Brush::Variant(VariantId(0));

/// Tools by which the player changes the level and the hero.
pub(crate) struct Tools {
    pub(crate) brush: Brush,
    /// The brush stroke in progress.
    pub(crate) stroke: Option<Stroke>,
    pub(crate) edits: Edits,
    /// The name of the next placed thing.
    pub(crate) name: Name,
    /// The sliders of the hero's character.
    pub(crate) panel: Panel,
    /// The group of brushes that a small window shows.
    pub(crate) group: usize,
    /// The bar of a watched run is dragged.
    pub(crate) is_seeking: bool,
}

impl Default for Tools {
    fn default() -> Tools {
        Tools {
            brush: FIRST_BRUSH,
            stroke: None,
            edits: Edits::default(),
            name: Name::default(),
            panel: Panel::default(),
            group: 0,
            is_seeking: false,
        }
    }
}

impl Game {
    /// Forgets strokes and brushes of another map.
    pub(crate) fn reset_build_tools(&mut self) {
        let brush = Some(self.tools.brush).filter(|brush| matches!(brush, Brush::Eraser | Brush::Variant(_)));
        self.tools = Tools { brush: brush.unwrap_or(FIRST_BRUSH), panel: self.tools.panel, ..Tools::default() };
    }

    /// Takes the keys of a frame while a name is typed. Escape takes the name back.
    pub(crate) fn type_into_name(&mut self, controls: &Controls) {
        self.tools.name.type_keys(&controls.typed);
        if controls.actions.contains(&Action::Back) {
            self.tools.name = Name::default();
        }
        if !self.shows.build || controls.pointer.left.pressed || controls.pointer.right.pressed {
            self.tools.name.end_typing();
        }
    }

    /// Begins to type the name of the next placed thing.
    pub(crate) fn begin_typing_name(&mut self) {
        let Some(open) = self.open.as_ref().filter(|_| self.shows.build) else { return };
        if is_nameable(open.session.world().map(), self.tools.brush) {
            self.tools.name.begin_typing();
        } else {
            self.set_notice(Some(("a tile has no name; choose an area, a body or a marker".to_owned(), true)));
        }
    }

    /// Handles the mouse while building.
    pub(crate) fn handle_building_pointer(&mut self, pointer: &Pointer, view: &View) {
        let Some(open) = &mut self.open else { return };
        let strip = Strip::new(open.session.world().map(), self.size, self.tools.group);
        let before = self.tools.brush;
        if pointer.wheel != 0.0 {
            self.tools.brush = strip.brush_after(self.tools.brush, -(pointer.wheel.signum() as i64));
        }
        if strip.area().contains(pointer.at) && pointer.left.pressed {
            self.tools.brush = strip.brush_at(pointer.at).unwrap_or(self.tools.brush);
        }
        if self.tools.brush != before {
            self.tools.name = Name::default();
        }
        if strip.area().contains(pointer.at) {
            if let Some(group) = strip.tab_at(pointer.at).filter(|_| pointer.left.pressed) {
                self.tools.group = group;
            }
            if let Some(layer) = strip.layer_at(pointer.at).filter(|_| pointer.left.pressed) {
                open.session.set_layer(layer);
            }
            self.tools.stroke.iter_mut().for_each(Stroke::interrupt);
            return;
        }
        if let Some(stroke) = Stroke::begin(pointer, self.tools.brush) {
            self.tools.stroke = Some(stroke);
            self.tools.edits.begin_stroke();
        }
        let Some(stroke) = &mut self.tools.stroke else { return };
        let (mut failed, mut named) = (None, false);
        for tile in stroke.tiles_to_paint_up_to(view.tile(pointer.at)) {
            let name = self.tools.name.trimmed_text().filter(|_| !stroke.removes);
            let edits = open.session.edits_at(tile, stroke.brush, stroke.removes, name);
            match edits.and_then(|edits| open.session.apply_edits(&edits).map(|()| edits)) {
                Ok(edits) => {
                    // A typed name is for one thing only, so the stroke ends after the first thing.
                    named |= name.is_some() && !edits.is_empty();
                    self.tools.edits.add_to_stroke(edits);
                }
                Err(error) => failed = Some(error),
            }
            if named || (failed.is_some() && name.is_some()) {
                break;
            }
        }
        if named {
            self.end_stroke_and_choose_marker();
        }
        if let Some(error) = failed {
            self.set_notice(Some((error.to_string(), true)));
        }
    }

    /// Ends the stroke that has placed a thing with a typed name. The brush of a marker becomes that of its name.
    fn end_stroke_and_choose_marker(&mut self) {
        let name = std::mem::take(&mut self.tools.name);
        self.tools.stroke = None;
        if let (Brush::Marker(_), Some(open), Some(name)) = (self.tools.brush, &self.open, name.trimmed_text()) {
            let names = legend::marker_names(open.session.world().map());
            let index = names.iter().position(|own| own == name);
            self.tools.brush = index.map_or(self.tools.brush, |index| Brush::Marker(index as u16));
        }
    }

    /// Makes the edits of an undone or redone stroke.
    pub(crate) fn apply_undo_or_redo(&mut self, edits: impl FnOnce(&mut Edits) -> Vec<Edit>) {
        self.tools.stroke = None;
        let Some(open) = &mut self.open else { return };
        let made = open.session.apply_edits(&edits(&mut self.tools.edits));
        let _ = self.ok_or_show_error(made);
    }

    /// Returns the name of the brush in the open map.
    pub(crate) fn brush_name(&self) -> String {
        let map = self.open.as_ref().map(|open| open.session.world().map());
        map.map_or_else(String::new, |map| palette::name_of_brush(map, self.tools.brush))
    }
}

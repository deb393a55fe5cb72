//! Paints the tile strip and the tile under the mouse.

use super::bodies::Look;
use super::widgets::{
    NORMAL_TEXT_HEIGHT, SMALL_TEXT_HEIGHT, paint_sheet, paint_text_centred_at, paint_text_ending_at, shorten_to_width,
};
use super::{areas, bodies};
use crate::Mesh;
use crate::legend;
use crate::name::Name;
use crate::palette::{self, Brush, Strip};
use crate::panel::Area;
use surefoot::Map;
use surefoot::area::{self, AreaShape};
use surefoot::geometry::DVec2;
use surefoot::map::TileId;
use surefoot::prelude::{Body, Shape};
use surefoot_draw::{Canvas, Paint, Palette, PathData, Point, View, paint_body, paint_diamond, paint_variant};

/// Explains the mouse below the tiles.
const HINT: &str = "left button: place   right button: remove   wheel: choose   E: name";

/// The mesh of the strip without what is chosen or under the mouse. Cache: does not affect the picture. Without it, a
/// frame with all overlays takes three times as long.
#[derive(Default)]
pub(crate) struct StripCache {
    mesh: Mesh,
    /// Layout for which the mesh was made.
    made_for: Option<Strip>,
}

impl StripCache {
    /// Forgets the mesh: another map has other tile kinds and layers.
    pub(crate) fn clear(&mut self) {
        self.made_for = None;
    }

    /// Appends the painted strip to a frame. Paints it again first if it differs from the last one.
    fn repaint_if_changed_and_append(&mut self, frame: &mut Mesh, strip: &Strip, map: &Map, palette: &Palette) {
        if self.made_for.as_ref() != Some(strip) {
            self.mesh.clear();
            paint_strip_without_selection(&mut self.mesh, strip, map, palette);
            self.made_for = Some(strip.clone());
        }
        frame.append(&self.mesh, 0.0, 0.0);
    }
}

fn paint_strip_without_selection(canvas: &mut impl Canvas, strip: &Strip, map: &Map, palette: &Palette) {
    paint_sheet(canvas, strip.area(), palette);
    for (heading, at) in strip.headings() {
        canvas.text(heading, *at, SMALL_TEXT_HEIGHT, palette.quiet_text);
    }
    for (heading, area, is_shown) in strip.tabs() {
        let Area { corner, width, height } = area;
        if is_shown {
            canvas.rect(corner, width, height, &Paint::fill(palette.grid));
        }
        let color = if is_shown { palette.marker } else { palette.text };
        let at = Point { x: corner.x + width / 2.0, y: corner.y + (height + SMALL_TEXT_HEIGHT) / 2.0 };
        paint_text_centred_at(canvas, heading, at, SMALL_TEXT_HEIGHT, color);
    }
    for (brush, area) in strip.brushes() {
        paint_brush(canvas, map, brush, area, palette);
    }
    for (area, own) in strip.layer_buttons().iter().zip(map.layers()) {
        let Area { corner, width, height } = *area;
        canvas.rect(corner, width, height, &Paint::fill(palette.grid));
        let name = shorten_to_width(&own.name, SMALL_TEXT_HEIGHT, width - 12.0);
        let at = Point { x: corner.x + width / 2.0, y: corner.y + height * 0.65 };
        paint_text_centred_at(canvas, &name, at, SMALL_TEXT_HEIGHT, palette.text);
    }
}

pub(crate) fn paint(
    canvas: &mut Mesh,
    cache: &mut StripCache,
    (strip, map): (&Strip, &Map),
    (chosen, layer): (Brush, usize),
    (under, name): (Option<Brush>, &Name),
    palette: &Palette,
) {
    cache.repaint_if_changed_and_append(canvas, strip, map, palette);
    for (brush, Area { corner, width, height }) in strip.brushes() {
        let frame = |canvas: &mut _, color| {
            // The squares of a small strip are close to each other.
            let gap = if strip.is_for_small_window() { 1.0 } else { 3.0 };
            let corner = Point { x: corner.x - gap, y: corner.y - gap };
            Canvas::rect(canvas, corner, width + 2.0 * gap, height + 2.0 * gap, &Paint::stroke(color, 2.0));
        };
        if brush == chosen {
            frame(canvas, palette.marker);
        } else if Some(brush) == under {
            frame(canvas, palette.quiet_text);
        }
    }
    if let Some(&Area { corner, width, height }) = strip.layer_buttons().get(layer) {
        canvas.rect(corner, width, height, &Paint::stroke(palette.marker, 2.0));
    }
    if name.is_being_typed() {
        let text = format!("name: {}_   enter: done   escape: no name", name.text());
        canvas.text(&text, strip.name_position(), NORMAL_TEXT_HEIGHT, palette.marker);
        return;
    }
    let named = name.trimmed_text().map_or(String::new(), |name| format!(", named {name:?}"));
    let text = palette::name_of_brush(map, under.unwrap_or(chosen)) + &named;
    canvas.text(&text, strip.name_position(), NORMAL_TEXT_HEIGHT, palette.text);
    if strip.is_for_small_window() {
        return;
    }
    let Area { corner, width, .. } = strip.area();
    let right = Point { x: corner.x + width - 18.0, ..strip.name_position() };
    paint_text_ending_at(canvas, HINT, right, NORMAL_TEXT_HEIGHT, palette.text);
}

/// Paints a brush in its area. A marker, a named area and a named body have their names on the right.
fn paint_brush(canvas: &mut impl Canvas, map: &Map, brush: Brush, area: Area, palette: &Palette) {
    let Area { corner, width, height: side } = area;
    canvas.rect(corner, width, side, &Paint::fill(palette.grid));
    let view = View::with_origin_at(Point { y: corner.y + side, ..corner }, side);
    let name = |canvas: &mut _, name: &str| {
        let name = shorten_to_width(name, SMALL_TEXT_HEIGHT, width - side - 6.0);
        let at = Point { x: corner.x + side + 2.0, y: corner.y + side * 0.65 };
        Canvas::text(canvas, &name, at, SMALL_TEXT_HEIGHT, palette.text);
    };
    match brush {
        Brush::Variant(id) => paint_variant(canvas, &view, map.catalogue().variant(id), (0, 0), palette),
        Brush::Kind(id) => paint_tile_kind(canvas, &view, map, id, (0, 0), palette),
        Brush::Marker(i) => {
            paint_diamond(canvas, &view, (0, 0), palette);
            name(canvas, &legend::marker_names(map).into_iter().nth(usize::from(i)).unwrap_or_default());
        }
        Brush::Area | Brush::Body => {
            let small = View::with_origin_at(Point { x: corner.x + 4.0, y: corner.y + side - 4.0 }, side - 8.0);
            paint_area_or_body_brush(canvas, &small, brush, (0, 0), palette);
            name(canvas, if brush == Brush::Area { "area" } else { "body" });
        }
        Brush::Eraser => {
            let (near, far) = (side * 0.3, side * 0.7);
            let mut cross = PathData::new();
            let at = |x: f64, y: f64| Point { x: corner.x + x, y: corner.y + y };
            cross.run([at(near, near), at(far, far)]);
            cross.run([at(near, far), at(far, near)]);
            canvas.path(&cross, &Paint::stroke(palette.wall, 2.0).round());
        }
    }
}

/// Paints a tile kind of the legend on a cell, with the things that it places. A thing that is larger than the cell is
/// shown smaller.
fn paint_tile_kind(
    canvas: &mut impl Canvas,
    view: &View,
    map: &Map,
    id: TileId,
    (x, y): (i32, i32),
    palette: &Palette,
) {
    let Some(kind) = map.kind(id) else { return };
    if let Some(variant) = kind.variant {
        paint_variant(canvas, view, map.catalogue().variant(variant), (x, y), palette);
    }
    let middle = view.point(DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5));
    let fitting = |extent: DVec2| View::with_origin_at(middle, view.scale / extent.max_element().max(1.0));
    if let Some(thing) = &kind.things.area {
        let whole = AreaShape::aabb(0.5, 0.5).ok().filter(|_| thing.join);
        let shape = whole.unwrap_or_else(|| thing.area.shape.clone());
        let area = area::Area { shape, ..thing.area.clone() };
        let (low, high) = areas::picture_bounds(&area, DVec2::ZERO);
        areas::paint(canvas, &fitting(high - low), &area, -(low + high) / 2.0, 0.0, palette);
    }
    if let Some(thing) = &kind.things.body {
        let shape = Shape::from(thing.fields.shape);
        let look = if thing.fields.character.is_some() { Look::Other } else { Look::Object };
        let paint = Paint::fill(bodies::color(shape, look, palette));
        paint_body(canvas, &fitting(shape.half_extents() * 2.0), shape, DVec2::ZERO, &paint);
    }
    if kind.things.marker.is_some() {
        paint_diamond(canvas, view, (x, y), palette);
    }
}

/// Paints the area or the body that gets a typed name, on a cell.
fn paint_area_or_body_brush(
    canvas: &mut impl Canvas,
    view: &View,
    brush: Brush,
    (x, y): (i32, i32),
    palette: &Palette,
) {
    let middle = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
    if brush == Brush::Area {
        if let Ok(shape) = AreaShape::aabb(0.5, 0.5) {
            areas::paint(canvas, view, &area::Area::new(shape), middle, 0.0, palette);
        }
        return;
    }
    let shape = Body::default().shape;
    let paint = Paint::fill(bodies::color(shape, Look::Object, palette));
    paint_body(canvas, view, shape, middle, &paint);
}

/// Paints the tile under the mouse with a frame, as the brush would change it.
pub(crate) fn paint_aim(
    canvas: &mut impl Canvas,
    view: &View,
    map: &Map,
    brush: Brush,
    (x, y): (i32, i32),
    palette: &Palette,
) {
    match brush {
        Brush::Eraser => {}
        Brush::Variant(id) => paint_variant(canvas, view, map.catalogue().variant(id), (x, y), palette),
        Brush::Kind(id) => paint_tile_kind(canvas, view, map, id, (x, y), palette),
        Brush::Marker(_) => paint_diamond(canvas, view, (x, y), palette),
        Brush::Area | Brush::Body => paint_area_or_body_brush(canvas, view, brush, (x, y), palette),
    }
    let corner = view.point(DVec2::new(f64::from(x), f64::from(y) + 1.0));
    canvas.rect(corner, view.scale, view.scale, &Paint::stroke(palette.marker, 1.5));
}

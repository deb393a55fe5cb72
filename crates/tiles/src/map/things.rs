//! Things that tile kinds place: a marker, an area and a body in each cell with the kind.
//!
//! The cells of the tile layers are the only list of placed things. So an edited cell loses the things of its old kind
//! and gets those of its new kind, and a written map has the rows that it was read from.

use super::bodies::{BodyThing, PlacedBody};
use super::frame::tile_centre;
use super::markers::{Markers, NO_PROPERTIES};
use super::shared_area::{AreaKind, SharedArea};
use super::{Map, MapParts, TileId, TileKind, TileLayer, Value};
use crate::area::{Area, AreaShape, AttachedTo, Boxes};
use glam::I64Vec2;
use std::collections::BTreeMap;
use std::sync::Arc;
use surefoot_geometry::{Aabb, DVec2, ONE, Position};

/// Things that a tile kind places in each of its cells. The default places nothing.
///
/// Worlds place things once, when they start: a tile that is edited in a world places and removes nothing.
/// [`Map::set_tile`] edits the map, and so the things of worlds that start later.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Things {
    /// The marker of each cell: a name with properties.
    pub marker: Option<Box<MarkerThing>>,
    /// The area in the centre of each cell.
    pub area: Option<Box<AreaThing>>,
    /// The body that stands on the lower side of each cell, in its middle.
    pub body: Option<Arc<BodyThing>>,
    /// A tile kind with a [joined](AreaThing::join) area, to which the cells belong too: a coin in water leaves the
    /// water whole. The kind itself has no joined area, and an area with another tag than the joined one.
    pub inside: Option<TileId>,
}

/// Marker with properties that a tile kind places in each of its cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MarkerThing {
    /// Name of the marker, such as `"turret"`. Not empty.
    pub name: String,
    /// Data for your game, by name. The physics ignores it.
    pub properties: BTreeMap<String, Value>,
}

/// Area that a tile kind places in the centre of each of its cells, or over all cells that touch.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaThing {
    /// Describes the area. The map sets its name and position, so both are ignored here.
    ///
    /// - The name is the tag with column and row of the cell, such as `coin 12,3`. Without a tag it is `area 12,3`. In
    ///   the second and higher tile layers, the number of the layer follows: `coin 12,3 layer 2`.
    /// - The position is the centre of the cell. If the area is attached to a platform, the position of the platform
    ///   in the map is subtracted. The area is then drawn where it starts.
    pub area: Area,
    /// Whether cells of one layer that touch with their sides are joined to one area. Default `false`.
    ///
    /// The shape of `area` is ignored: each area has the shape of its cells, a rectangle or [`Boxes`]. Its name is that
    /// of the leftmost cell of its lowest row. No area reaches over a column or row that is a multiple of 2^16, counted
    /// from the lower left cell of the layer.
    pub join: bool,
    /// Data for your game, by name. The physics ignores it. [`Map::area_properties`] returns the properties.
    pub properties: BTreeMap<String, Value>,
}

impl Things {
    /// Returns whether the kind places nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Things::default()
    }

    /// Returns the properties of each thing.
    pub(super) fn properties_of_things(&self) -> impl Iterator<Item = &BTreeMap<String, Value>> + Clone {
        let of_body = self.body.iter().map(|body| &body.properties);
        let of_area = self.area.iter().map(|area| &area.properties);
        self.marker.iter().map(|marker| &marker.properties).chain(of_area).chain(of_body)
    }
}

/// Name of areas without a tag.
const NAMELESS_AREA: &str = "area";

/// Returns the name of a thing: `word`, then its cell and, except in the first one, its tile layer.
///
/// Two cells or layers never have the same name: the last words tell them apart, whatever `word` is.
pub(super) fn thing_name(word: &str, (x, y): (i32, i32), layer: usize) -> String {
    let mut name = String::with_capacity(word.len() + 16);
    name.push_str(word);
    name.push(' ');
    push_number(&mut name, x);
    name.push(',');
    push_number(&mut name, y);
    if layer > 0 {
        name.push_str(" layer ");
        push_number(&mut name, layer as i32 + 1);
    }
    name
}

/// Appends a number. Maps have up to a million names, for which `format!` takes most of the time.
fn push_number(name: &mut String, number: i32) {
    let (mut digits, mut first, mut rest) = ([b'0'; 10], 10, number.unsigned_abs());
    while rest > 0 || first == 10 {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    if number < 0 {
        name.push('-');
    }
    name.extend(digits[first..].iter().map(|digit| char::from(*digit)));
}

/// Returns the parts of a name that [`thing_name`] could have made.
pub(super) fn parse_thing_name(name: &str) -> Option<(&str, (i32, i32), usize)> {
    let split = |name: &'_ str, layer| {
        let (word, cell) = name.rsplit_once(' ')?;
        let (x, y) = cell.split_once(',')?;
        let cell = (x.parse().ok()?, y.parse().ok()?);
        Some((word.len(), cell, layer))
    };
    let in_layer = name.rsplit_once(" layer ").and_then(|(rest, layer)| split(rest, layer.parse::<usize>().ok()?));
    let (length, cell, number) = in_layer.or_else(|| split(name, 1))?;
    let (word, layer) = (&name[..length], number.checked_sub(1)?);
    (thing_name(word, cell, layer) == name).then_some((word, cell, layer))
}

/// Returns the first word of the names of a placed area.
pub(super) fn first_name_word(area: &Area) -> &str {
    if area.tag.is_empty() { NAMELESS_AREA } else { &area.tag }
}

/// Returns the first word in the names of a placed area and of the joined area around it, if it is the same for both.
/// Then one cell could give both areas the same name.
pub(super) fn shared_first_name_word<'a>(own: Option<&'a AreaThing>, outer: Option<&AreaThing>) -> Option<&'a str> {
    let word = first_name_word(&own?.area);
    (word == first_name_word(&outer?.area)).then_some(word)
}

/// Calls `visit` with the layer, the cell and the kind of each cell whose kind passes the test `places`. The order is
/// layer by layer, row by row from the top, each row from left to right.
pub(super) fn visit_cells_that_place(
    layers: &[TileLayer],
    kinds: &[TileKind],
    places: impl Fn(&Things) -> bool,
    mut visit: impl FnMut(usize, (i32, i32), TileId),
) {
    let places: Vec<bool> = kinds.iter().map(|kind| places(&kind.things)).collect();
    if !places.contains(&true) {
        return;
    }
    for (number, layer) in layers.iter().enumerate() {
        for (row, cells) in layer.cells.chunks_exact(layer.size.0 as usize).enumerate().rev() {
            let placing = cells.iter().enumerate().filter(|(_, id)| places[usize::from(id.0)]);
            for (column, &id) in placing {
                visit(number, (layer.origin.0 + column as i32, layer.origin.1 + row as i32), id);
            }
        }
    }
}

/// Returns the number of cells whose kind passes the test `places`.
fn count_cells_that_place(layers: &[TileLayer], kinds: &[TileKind], places: impl Fn(&Things) -> bool) -> usize {
    let places: Vec<bool> = kinds.iter().map(|kind| places(&kind.things)).collect();
    if !places.contains(&true) {
        return 0;
    }
    // A sum without branches: a processor cannot predict where the cells with things are.
    layers.iter().flat_map(|layer| layer.cells.iter()).map(|id| usize::from(places[usize::from(id.0)])).sum()
}

/// Returns the number of bodies that the cells place.
pub(super) fn count_placed_bodies(layers: &[TileLayer], kinds: &[TileKind]) -> usize {
    count_cells_that_place(layers, kinds, |things| things.body.is_some())
}

/// Numbers of areas that cells place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct AreaCounts {
    pub(super) areas: usize,
    /// Number of boxes of all joined areas. A rectangle is one box.
    pub(super) boxes: usize,
}

/// Returns the numbers of areas that the cells place.
pub(super) fn count_placed_areas(layers: &[TileLayer], kinds: &[TileKind]) -> AreaCounts {
    let areas = count_cells_that_place(layers, kinds, |things| places_area(things, false));
    let mut counts = AreaCounts { areas, boxes: 0 };
    if let Some(joins) = joined_area_kind_of_each_kind(kinds) {
        for layer in layers {
            let joined = join_and_visit_runs(layer, &joins, &mut Sets::default(), false, |_, _, _| ());
            counts.areas += joined.areas;
            counts.boxes += joined.boxes;
        }
    }
    counts
}

/// Returns whether a kind places areas, in single cells or joined.
fn places_area(things: &Things, joined: bool) -> bool {
    things.area.as_ref().is_some_and(|area| area.join == joined)
}

/// Maximum number of columns and rows of a joined area. A larger shape would reach too far from its centre.
const MAX_JOINED_SIDE: usize = 1 << 16;

/// A run of equal cells in a row. It is joined to the runs in the row above that it touches.
#[derive(Clone, Copy, PartialEq)]
struct Run {
    kind: TileId,
    /// Columns of the layer, from 0: the first, and the first behind the run.
    left: usize,
    right: usize,
}

/// Sets of runs that are connected, as a union-find structure.
#[derive(Default)]
struct Sets {
    /// For each run, another run of its set. The first run of a set has its own number here.
    parents: Vec<u32>,
}

impl Sets {
    fn add_set_of_new_run(&mut self) -> usize {
        self.parents.push(self.parents.len() as u32);
        self.parents.len() - 1
    }

    fn find_first_run_of_set(&mut self, mut run: usize) -> usize {
        while self.parents[run] as usize != run {
            let next = self.parents[self.parents[run] as usize];
            self.parents[run] = next;
            run = next as usize;
        }
        run
    }

    /// Joins the sets of two runs. Returns whether they were different.
    fn try_join_sets(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find_first_run_of_set(a), self.find_first_run_of_set(b));
        self.parents[a.max(b)] = a.min(b) as u32;
        a != b
    }
}

/// Calls `visit` with the row of each run of joined cells, the number of the run in the sets, and the run itself.
/// Rows come from the top. All runs that touch are in one set. `keep`: whether the sets of all rows are kept. If not,
/// runs are numbered again in each row, which takes less memory. Returns the numbers of sets and of their boxes.
fn join_and_visit_runs(
    layer: &TileLayer,
    joins: &[Option<TileId>],
    sets: &mut Sets,
    keep: bool,
    mut visit: impl FnMut(usize, usize, Run),
) -> AreaCounts {
    let (mut above, mut present) = (Vec::<(Run, usize)>::new(), Vec::new());
    let mut counts = AreaCounts::default();
    for (row, cells) in layer.cells.chunks_exact(layer.size.0 as usize).enumerate().rev() {
        if (row + 1).is_multiple_of(MAX_JOINED_SIDE) {
            above.clear();
        }
        if !keep {
            let mut again = Sets::default();
            let mut numbers = vec![None; sets.parents.len()];
            for (_, number) in &mut above {
                *number =
                    *numbers[sets.find_first_run_of_set(*number)].get_or_insert_with(|| again.add_set_of_new_run());
            }
            *sets = again;
        }
        let (mut left, mut from) = (0, 0);
        for block in cells.chunks(MAX_JOINED_SIDE) {
            for cells in block.chunk_by(|a, b| a == b || joins[usize::from(a.0)] == joins[usize::from(b.0)]) {
                let right = left + cells.len();
                let (from_left, kind) = (std::mem::replace(&mut left, right), joins[usize::from(cells[0].0)]);
                let Some(kind) = kind else { continue };
                let run = Run { kind, left: from_left, right };
                let number = sets.add_set_of_new_run();
                counts.areas += 1;
                counts.boxes += 1;
                from += above[from..].iter().take_while(|(above, _)| above.right <= run.left).count();
                for (above, other) in above[from..].iter().take_while(|(above, _)| above.left < run.right) {
                    if above.kind == run.kind && sets.try_join_sets(*other, number) {
                        counts.areas -= 1;
                    }
                    counts.boxes -= usize::from(*above == run);
                }
                visit(row, number, run);
                present.push((run, number));
            }
        }
        std::mem::swap(&mut above, &mut present);
        present.clear();
    }
    counts
}

/// Returns for each tile kind the kind whose joined area its cells belong to. `None` if no kind joins cells.
fn joined_area_kind_of_each_kind(kinds: &[TileKind]) -> Option<Vec<Option<TileId>>> {
    let joins = |things: &Things| places_area(things, true);
    let of_kind =
        |(i, kind): (usize, &TileKind)| if joins(&kind.things) { Some(TileId(i as u16)) } else { kind.things.inside };
    kinds.iter().any(|kind| joins(&kind.things)).then(|| kinds.iter().enumerate().map(of_kind).collect())
}

/// Rectangle of joined cells: columns and rows of the layer, from 0.
#[derive(Clone, Copy, Default)]
struct Rectangle {
    left: usize,
    right: usize,
    bottom: usize,
    top: usize,
}

/// Rectangles of joined cells in all layers, by the areas that they belong to.
#[derive(Default)]
struct Joined {
    /// Layer, tile kind and number of rectangles of each area, sorted by layer, then by their upper left cells.
    areas: Vec<(usize, TileId, usize)>,
    /// The rectangles of each area follow each other, sorted by their upper left cells. Each rectangle is a run of a
    /// row, together with the equal runs straight below it.
    rectangles: Vec<Rectangle>,
}

/// Returns the lower left cell of joined cells in the map: the leftmost one of the lowest row.
fn lower_left_cell(rectangles: &[Rectangle], layer: &TileLayer) -> (i32, i32) {
    let lowest = rectangles.iter().map(|rectangle| (rectangle.bottom, rectangle.left)).min();
    let (bottom, left) = lowest.unwrap_or_default();
    (layer.origin.0 + left as i32, layer.origin.1 + bottom as i32)
}

/// Returns the shape of joined cells and its centre, in units.
fn centre_and_shape_of_joined_cells(rectangles: &[Rectangle], layer: &TileLayer) -> (I64Vec2, Option<AreaShape>) {
    let all = rectangles.iter().copied().reduce(|a, b| Rectangle {
        left: a.left.min(b.left),
        right: a.right.max(b.right),
        bottom: a.bottom.min(b.bottom),
        top: a.top.max(b.top),
    });
    let Some(all) = all else { return (I64Vec2::ZERO, None) };
    // `x` and `y` are twice the centre, measured from the corner of the layer's lower left cell.
    let (x, y) = (all.left + all.right, all.bottom + all.top);
    let corner = I64Vec2::new(layer.origin.0.into(), layer.origin.1.into());
    let center = corner * ONE + I64Vec2::new(x as i64, y as i64) * (ONE / 2);
    if rectangles.len() == 1 {
        let half = |from: usize, to: usize| (to - from) as f64 / 2.0;
        return (center, AreaShape::aabb(half(all.left, all.right), half(all.bottom, all.top)).ok());
    }
    let at = |column: usize, row: usize| DVec2::new((2 * column) as f64 - x as f64, (2 * row) as f64 - y as f64) / 2.0;
    let boxes = rectangles.iter().map(|own| Aabb::new(at(own.left, own.bottom), at(own.right, own.top)));
    (center, boxes.collect::<Result<Vec<Aabb>, _>>().ok().map(|boxes| Boxes::new(boxes).into()))
}

/// Returns the joined cells.
fn find_joined_areas(layers: &[TileLayer], kinds: &[TileKind]) -> Joined {
    let (mut all, Some(joins)) = (Joined::default(), joined_area_kind_of_each_kind(kinds)) else {
        return Joined::default();
    };
    for (number, layer) in layers.iter().enumerate() {
        let mut sets = Sets::default();
        // Rectangles with their runs. `open` lists the rectangles that reach the row above, from left to right.
        let mut rectangles: Vec<(Rectangle, Run, usize)> = Vec::new();
        let (mut open, mut present, mut last_row, mut next) = (Vec::new(), Vec::new(), usize::MAX, 0);
        join_and_visit_runs(layer, &joins, &mut sets, true, |row, number, run| {
            if row != last_row {
                std::mem::swap(&mut open, &mut present);
                present.clear();
                if row + 1 != last_row || (row + 1).is_multiple_of(MAX_JOINED_SIDE) {
                    open.clear();
                }
                (last_row, next) = (row, 0);
            }
            next += open[next..].iter().take_while(|i: &&usize| rectangles[**i].1.left < run.left).count();
            let equal = open.get(next).copied().filter(|i| rectangles[*i].1 == run);
            let own = equal.unwrap_or(rectangles.len());
            if let Some(equal) = equal {
                rectangles[equal].0.bottom = row;
            } else {
                let Run { left, right, .. } = run;
                rectangles.push((Rectangle { left, right, bottom: row, top: row + 1 }, run, number));
            }
            present.push(own);
        });
        all.add_layer_areas(number, &rectangles, &mut sets);
    }
    all
}

impl Joined {
    /// Adds the areas of a layer: one for each set of rectangles.
    fn add_layer_areas(&mut self, layer: usize, rectangles: &[(Rectangle, Run, usize)], sets: &mut Sets) {
        let first = self.areas.len();
        let mut area_of_set: Vec<u32> = vec![u32::MAX; sets.parents.len()];
        let mut area_of = Vec::with_capacity(rectangles.len());
        for (_, run, number) in rectangles {
            let area = &mut area_of_set[sets.find_first_run_of_set(*number)];
            if *area == u32::MAX {
                *area = self.areas.len() as u32;
                self.areas.push((layer, run.kind, 0));
            }
            self.areas[*area as usize].2 += 1;
            area_of.push(*area as usize);
        }
        // Store the rectangles of one area next to each other. `places` contains the next free index of each area.
        let mut end = self.rectangles.len();
        let start_next = |(.., count): &(usize, TileId, usize)| {
            end += count;
            end - count
        };
        let mut places: Vec<usize> = self.areas[first..].iter().map(start_next).collect();
        self.rectangles.resize(end, Rectangle::default());
        for ((rectangle, ..), area) in rectangles.iter().zip(area_of) {
            let place = &mut places[area - first];
            self.rectangles[*place] = *rectangle;
            *place += 1;
        }
    }

    /// Returns layer, tile kind and rectangles of each area.
    fn areas_with_layer_and_kind(&self) -> impl Iterator<Item = (usize, TileId, &[Rectangle])> {
        let mut rest = &self.rectangles[..];
        self.areas.iter().map(move |&(layer, kind, count)| {
            let (own, others) = rest.split_at(count);
            rest = others;
            (layer, kind, own)
        })
    }
}

/// Returns the number of markers that the cells place.
pub(super) fn count_placed_markers(layers: &[TileLayer], kinds: &[TileKind]) -> usize {
    count_cells_that_place(layers, kinds, |things| things.marker.is_some())
}

/// Returns the name of the marker that a tile kind places.
fn marker_name(kinds: &[TileKind], id: TileId) -> Option<&str> {
    kinds[usize::from(id.0)].things.marker.as_ref().map(|marker| &marker.name[..])
}

/// Returns the markers that a cell places and has already: from a lower layer, or from the `listed` markers, which no
/// tile places. The result is in the order of the layers, row by row from the top.
pub(super) fn find_repeated_markers<'k>(
    layers: &[TileLayer],
    kinds: &'k [TileKind],
    listed: &Markers,
) -> Vec<(&'k str, (i32, i32))> {
    let names: Vec<&str> = (0..kinds.len()).filter_map(|i| marker_name(kinds, TileId(i as u16))).collect();
    let mut repeated = Vec::new();
    // With a single layer, a cell has only one tile, which places a marker once. Only a marker of the list can repeat
    // it.
    if layers.len() == 1 && !listed.tiles_by_name().any(|(name, _)| names.contains(&name)) {
        return repeated;
    }
    visit_cells_that_place(
        layers,
        kinds,
        |things| things.marker.is_some(),
        |number, cell, id| {
            let Some(name) = marker_name(kinds, id) else { return };
            let mut lower = layers[..number].iter().map(|layer| layer.tile_at(cell));
            if listed.has_marker(name, cell) || lower.any(|id| marker_name(kinds, id) == Some(name)) {
                repeated.push((name, cell));
            }
        },
    );
    repeated
}

/// Returns the markers that the cells place.
fn collect_markers(layers: &[TileLayer], kinds: &[TileKind]) -> Markers {
    let mut tiles: Vec<Vec<(i32, i32)>> = kinds.iter().map(|_| Vec::new()).collect();
    visit_cells_that_place(
        layers,
        kinds,
        |things| things.marker.is_some(),
        |_, cell, id| tiles[usize::from(id.0)].push(cell),
    );
    let mut markers = Markers::default();
    for (i, tiles) in tiles.into_iter().enumerate() {
        markers.add_tiles(marker_name(kinds, TileId(i as u16)).unwrap_or_default(), tiles);
    }
    markers.sort();
    markers
}

/// Returns whether a cell places an area with that name.
pub(super) fn places_named_area(layers: &[TileLayer], kinds: &[TileKind], name: &str) -> bool {
    find_area(layers, kinds, name).is_some()
}

/// Returns the area that a cell places under that name.
fn find_area<'k>(layers: &[TileLayer], kinds: &'k [TileKind], name: &str) -> Option<&'k AreaThing> {
    let (own, cell, layer) = parse_thing_name(name)?;
    let id = layers.get(layer)?.tile_at(cell);
    areas_of_kind(kinds, id).find(|thing| first_name_word(&thing.area) == own)
}

/// Returns the area that a tile kind places, and the joined one that its cells belong to.
fn areas_of_kind(kinds: &[TileKind], id: TileId) -> impl Iterator<Item = &AreaThing> {
    let things = kinds.get(usize::from(id.0)).map(|kind| &kind.things);
    let outer = things.and_then(|things| kinds.get(usize::from(things.inside?.0))).map(|kind| &kind.things);
    [things, outer].into_iter().flatten().filter_map(|things| things.area.as_deref())
}

/// Returns whether a cell places a body with that name.
pub(super) fn places_named_body(layers: &[TileLayer], kinds: &[TileKind], name: &str) -> bool {
    let Some((own, cell, layer)) = parse_thing_name(name) else { return false };
    let id = layers.get(layer).map(|layer| layer.tile_at(cell)).unwrap_or_default();
    let body = kinds.get(usize::from(id.0)).and_then(|kind| kind.things.body.as_ref());
    body.is_some_and(|thing| thing.kind == own)
}

/// Returns layer and cell of the first cell that places anything.
pub(super) fn first_cell_with_things(layers: &[TileLayer], kinds: &[TileKind]) -> Option<(usize, (i32, i32))> {
    let mut first = None;
    visit_cells_that_place(
        layers,
        kinds,
        |things| !things.is_empty(),
        |layer, cell, _| first = first.or(Some((layer, cell))),
    );
    first
}

/// Calls `add` with the listed areas, then with those that the cells place.
fn visit_all_areas(parts: &MapParts, mut add: impl FnMut(SharedArea)) {
    let origins: Vec<I64Vec2> = parts.kinds.iter().map(|kind| carrier_position(kind, parts)).collect();
    parts.areas.iter().for_each(|area| add(SharedArea::new(area.clone())));
    let mut room = Map::MAX_AREAS.saturating_sub(parts.areas.len());
    // `shared` contains the last `AreaKind` of each tile kind, so that equal areas share one.
    let mut shared: Vec<Option<Arc<AreaKind>>> = vec![None; parts.kinds.len()];
    let mut place = |id: TileId, centre: I64Vec2, cell, layer, shape: Option<AreaShape>| {
        let thing = parts.kinds[usize::from(id.0)].things.area.as_deref();
        let Some(AreaThing { area, .. }) = thing.filter(|_| room > 0) else { return };
        room -= 1;
        let known = &mut shared[usize::from(id.0)];
        // Joined areas have their own shapes, so share the last `AreaKind` only if the shape is equal. Successive
        // joined areas often have one cell each, and then their shapes are equal.
        let kind = match known.take().filter(|known| shape.as_ref().is_none_or(|shape| *shape == known.area().shape)) {
            Some(known) => known,
            None => {
                let shape = shape.unwrap_or_else(|| area.shape.clone());
                Arc::new(AreaKind::new(Area { name: String::new(), shape, ..area.clone() }))
            }
        };
        *known = Some(kind.clone());
        add(SharedArea::new_in_cell(kind, Position::clamped(centre - origins[usize::from(id.0)]), cell, layer));
    };
    visit_cells_that_place(
        &parts.layers,
        &parts.kinds,
        |things| places_area(things, false),
        |layer, cell, id| {
            place(id, tile_centre(cell).units(), cell, layer, None);
        },
    );
    for (number, kind, rectangles) in find_joined_areas(&parts.layers, &parts.kinds).areas_with_layer_and_kind() {
        let layer = &parts.layers[number];
        let (center, shape) = centre_and_shape_of_joined_cells(rectangles, layer);
        place(kind, center, lower_left_cell(rectangles, layer), number, shape);
    }
}

/// Returns the position of the platform that carries the areas of a tile kind, in units. The origin without a platform.
fn carrier_position(kind: &TileKind, parts: &MapParts) -> I64Vec2 {
    let carrier = match kind.things.area.as_ref().map(|thing| &thing.area.attached_to) {
        Some(AttachedTo::Named(name)) => parts.platforms.iter().find(|platform| platform.name == *name),
        _ => None,
    };
    carrier.and_then(|platform| platform.position.ok()).unwrap_or_default().units()
}

/// Calls `add` with layer, cell, position and thing of each body that the cells place.
fn visit_placed_bodies<'p>(parts: &'p MapParts, mut add: impl FnMut(usize, (i32, i32), Position, &'p Arc<BodyThing>)) {
    let shifts: Vec<I64Vec2> =
        parts.kinds.iter().map(|kind| body_displacement_from_cell_centre(&kind.things)).collect();
    let mut room = Map::MAX_BODIES.saturating_sub(parts.bodies.len());
    visit_cells_that_place(
        &parts.layers,
        &parts.kinds,
        |things| things.body.is_some(),
        |layer, cell, id| {
            let (kind, shift) = (&parts.kinds[usize::from(id.0)], shifts[usize::from(id.0)]);
            let Some(thing) = kind.things.body.as_ref().filter(|_| room > 0) else { return };
            room -= 1;
            add(layer, cell, Position::clamped(tile_centre(cell).units() + shift), thing);
        },
    );
}

/// Returns the displacement from the centre of a cell to the body that a tile kind places there, in units.
fn body_displacement_from_cell_centre(things: &Things) -> I64Vec2 {
    things.body.as_ref().map(|body| body.fields.body_displacement_from_cell_centre()).unwrap_or_default()
}

/// Returns the listed bodies, then those that the cells place.
fn list_all_bodies(parts: &MapParts) -> Vec<PlacedBody> {
    let mut bodies = parts.bodies.clone();
    visit_placed_bodies(parts, |layer, cell, position, thing| {
        bodies.push(PlacedBody { name: thing_name(&thing.kind, cell, layer), position, thing: thing.clone() });
    });
    bodies
}

impl Map {
    /// Returns the areas that every world on this map starts with: those that the map lists, in the order of the list,
    /// then those that tile kinds [place](Things::area).
    ///
    /// Placed areas are sorted by tile layer, then row by row from the top, each row from left to right. Joined areas
    /// come last, sorted by their upper left cells. At most [`Map::MAX_AREAS`] areas are returned.
    #[must_use]
    pub fn areas(&self) -> &[Area] {
        let all = || {
            let shared = self.shared_areas();
            let is_more = shared.len() > self.parts.areas.len();
            is_more.then(|| shared.iter().map(SharedArea::to_area).collect())
        };
        self.areas.get_or_init(all).as_ref().unwrap_or(&self.parts.areas)
    }

    /// Returns [`Map::areas`] in a form that worlds share without copies.
    #[doc(hidden)]
    #[must_use]
    pub fn shared_areas(&self) -> &[SharedArea] {
        self.shared_areas.get_or_init(|| {
            let mut all = Vec::with_capacity(self.parts.areas.len() + self.placed_areas);
            visit_all_areas(&self.parts, |area| all.push(area));
            all
        })
    }

    /// Returns the properties of the area with that name: data for your game. An area has properties if the map lists
    /// some for its name, or if a tile kind [places](Things::area) it with properties.
    ///
    /// # Examples
    /// ```
    /// use surefoot::Map;
    ///
    /// let map = Map::from_ron(r#"Map(format: 1, tiles: ["..c"],
    ///     legend: {'c': (area: (tag: "coin", shape: Circle(0.35), properties: {"worth": 5}))})"#)?;
    /// assert_eq!(map.area_properties("coin 2,0")["worth"].as_i64(), Some(5));
    /// # Ok::<(), surefoot::map::MapError>(())
    /// ```
    #[must_use]
    pub fn area_properties(&self, name: &str) -> &BTreeMap<String, Value> {
        if let Some(listed) = self.parts.area_properties.get(name) {
            return listed;
        }
        let found = find_area(&self.parts.layers, &self.parts.kinds, name);
        found.map_or(&NO_PROPERTIES, |thing| &thing.properties)
    }

    /// Returns the properties of the platform with that name: data for your game.
    ///
    /// # Examples
    /// ```
    /// use surefoot::Map;
    ///
    /// let map = Map::from_ron(r##"Map(format: 1, tiles: ["..."],
    ///     platforms: [(name: "door", tiles: ["#"], properties: {"key": "red"})])"##)?;
    /// assert_eq!(map.platform_properties("door")["key"].as_str(), Some("red"));
    /// # Ok::<(), surefoot::map::MapError>(())
    /// ```
    #[must_use]
    pub fn platform_properties(&self, name: &str) -> &BTreeMap<String, Value> {
        self.parts.platform_properties.get(name).unwrap_or(&NO_PROPERTIES)
    }

    /// Returns the bodies that the map places: those that it lists, in the order of the list, then those that tile
    /// kinds [place](Things::body).
    ///
    /// [`World::from_map`](../world/struct.World.html#method.from_map) spawns them. Placed bodies are sorted by tile
    /// layer, then row by row from the top, each row from left to right. At most [`Map::MAX_BODIES`] bodies are
    /// returned.
    #[must_use]
    pub fn bodies(&self) -> &[PlacedBody] {
        let all = || Some(list_all_bodies(&self.parts)).filter(|all| all.len() > self.parts.bodies.len());
        self.bodies.get_or_init(all).as_ref().unwrap_or(&self.parts.bodies)
    }

    /// Calls `visit` with the position and the thing of each of [`Map::bodies`], in that order. Makes no names, which
    /// take most of the time and memory of that list.
    #[doc(hidden)]
    pub fn visit_bodies<'m>(&'m self, mut visit: impl FnMut(Position, &'m Arc<BodyThing>)) {
        self.parts.bodies.iter().for_each(|body| visit(body.position, &body.thing));
        visit_placed_bodies(&self.parts, |_, _, position, thing| visit(position, thing));
    }

    /// Returns the number of [`Map::bodies`].
    #[doc(hidden)]
    #[must_use]
    pub fn body_count(&self) -> usize {
        let listed = self.parts.bodies.len();
        listed + self.placed_bodies.min(Map::MAX_BODIES.saturating_sub(listed))
    }

    /// Returns the markers that tile kinds place.
    pub(super) fn placed_markers(&self) -> &Markers {
        self.placed_markers.get_or_init(|| collect_markers(&self.parts.layers, &self.parts.kinds))
    }

    /// Returns the index in [`Map::bodies`] of the body with that name.
    #[must_use]
    pub fn find_body(&self, name: &str) -> Option<usize> {
        let bodies = self.bodies();
        let by_name = self.bodies_by_name.get_or_init(|| {
            let mut order: Vec<u32> = (0..bodies.len() as u32).collect();
            order.sort_unstable_by_key(|&i| &bodies[i as usize].name);
            order
        });
        let found = by_name.binary_search_by_key(&name, |&i| &bodies[i as usize].name).ok()?;
        Some(by_name[found] as usize)
    }

    /// Returns column and row of each cell with the tile kind `kind`.
    ///
    /// The cells are sorted by tile layer, then row by row from the top, each row from left to right.
    ///
    /// # Examples
    /// ```
    /// use surefoot::Map;
    ///
    /// let map = Map::from_ron(r##"Map(format: 1, tiles: ["c..", "#c#"], legend: {'c': (tile: "empty", properties: {"coins": 1})})"##)?;
    /// let coin = map.find_tile('c').unwrap();
    /// assert_eq!(map.cells_of(coin).collect::<Vec<_>>(), [(0, 1), (1, 0)]);
    /// # Ok::<(), surefoot::map::MapError>(())
    /// ```
    pub fn cells_of(&self, kind: TileId) -> impl Iterator<Item = (i32, i32)> {
        self.parts.layers.iter().flat_map(move |layer| {
            let rows = layer.cells.chunks_exact(layer.size.0 as usize).enumerate().rev();
            rows.flat_map(move |(row, cells)| {
                let cells = cells.iter().enumerate().filter(move |(_, id)| **id == kind);
                cells.map(move |(column, _)| (layer.origin.0 + column as i32, layer.origin.1 + row as i32))
            })
        })
    }

    /// Returns whether the kind `id` in a cell would place a marker that the cell already has, or an area or body whose
    /// name a listed one has. `before`: the kind that the cell has now.
    pub(super) fn would_repeat_thing(&self, (layer, cell): (usize, (i32, i32)), before: TileId, id: TileId) -> bool {
        let [old, new] = [before, id].map(|id| &self.parts.kinds[usize::from(id.0)].things);
        let repeats_marker = new.marker.as_ref().is_some_and(|marker| {
            let is_replaced = old.marker.as_ref().is_some_and(|old| old.name == marker.name);
            !is_replaced && self.has_marker(&marker.name, cell)
        });
        repeats_marker
            || areas_of_kind(&self.parts.kinds, id).any(|thing| {
                let name = thing_name(first_name_word(&thing.area), cell, layer);
                self.parts.areas.iter().any(|area| area.name == name)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{MapAreaError, MapErrorKind, MapPartsError, TileError, TileKindError};

    const LEVEL: &str = r##"Map(
        format: 1,
        origin: (-1, 2),
        legend: {
            'c': (area: (tag: "coin", shape: Circle(0.35))),
            'w': (tile: "half_slab", area: (shape: Aabb(0.5, 0.5), attached_to: "lift", effects: (drag: 1.0))),
            't': (marker: (name: "turret", properties: {"towards": "left", "opens": "door 1"}), properties: {"hp": 2}),
            'k': (marker: "key", area: (tag: "key", shape: Circle(0.25))),
        },
        markers: {"turret": [(0, 2)]},
        areas: [(name: "goal", shape: Circle(1.0), at: (1, 3))],
        platforms: [(name: "lift", at: (0.5, 2.5), tiles: ["#"])],
        layers: [
            (name: "a", tiles: ["c.k", "w.t"]),
            (name: "b", collides: false, origin: (0, 2), tiles: ["c"]),
        ],
    )"##;

    fn sample_level() -> Map {
        Map::from_ron(LEVEL).unwrap()
    }

    fn area_names_tags_positions(map: &Map) -> Vec<(&str, &str, (f64, f64))> {
        let at = |area: &Area| area.position.unwrap().to_dvec2().into();
        map.areas().iter().map(|area| (&area.name[..], &area.tag[..], at(area))).collect()
    }

    #[test]
    fn each_cell_places_an_area_in_its_centre() {
        let map = sample_level();
        // The lower left cell is (-1, 2). The area of this cell is attached to the lift, so its position is relative to
        // the lift: the centre of the cell, (-0.5, 2.5), minus the position of the lift, (0.5, 2.5).
        let expected = [
            ("goal", "", (1.0, 3.0)),
            ("coin -1,3", "coin", (-0.5, 3.5)),
            ("key 1,3", "key", (1.5, 3.5)),
            ("area -1,2", "", (-1.0, 0.0)),
            ("coin 0,2 layer 2", "coin", (0.5, 2.5)),
        ];
        assert_eq!(area_names_tags_positions(&map), expected);
        assert_eq!(map.areas()[3].effects.drag, Some(1.0));
        let without = Map::from_ron(&LEVEL.replace("drag: 1.0", ""));
        assert_ne!(map.checksum(), without.unwrap().checksum(), "areas change motion");
    }

    #[test]
    fn markers_have_their_properties_and_the_tile_has_its_own() {
        let map = sample_level();
        let turrets: Vec<_> = map.markers_with_properties("turret").collect();
        let towards = |i: usize| turrets[i].1.get("towards").and_then(Value::as_str);
        assert_eq!((turrets.len(), towards(0), towards(1)), (2, None, Some("left")));
        assert_eq!(turrets[1].0.to_dvec2().to_array(), [1.5, 2.5]);
        assert_eq!(map.all_markers().collect::<Vec<_>>(), [("key", (1, 3)), ("turret", (0, 2)), ("turret", (1, 2))]);
        let turret = map.find_tile('t').unwrap();
        assert_eq!(map.kind(turret).unwrap().properties["hp"].as_i64(), Some(2));
        assert_eq!(map.cells_of(turret).collect::<Vec<_>>(), [(1, 2)]);
        assert_eq!(map.cells_of(map.find_tile('c').unwrap()).collect::<Vec<_>>(), [(-1, 3), (0, 2)]);
    }

    #[test]
    fn a_written_map_has_the_rows_and_things_that_it_was_read_from() {
        let map = sample_level();
        let text = map.to_ron();
        for line in [
            r#"'c': (tile: "empty", area: (tag: "coin", shape: Circle(0.35))),"#,
            r#"'t': (tile: "empty", properties: {"hp": 2}, marker: (name: "turret", properties: {"opens": "door 1", "towards": "left"})),"#,
            r#"'k': (tile: "empty", marker: (name: "key"), area: (tag: "key", shape: Circle(0.25))),"#,
            r#""turret": [(0, 2)],"#,
        ] {
            assert!(text.contains(line), "{line} in\n{text}");
        }
        let back = Map::from_ron(&text).unwrap();
        assert!(back == map && back.to_ron() == text, "{text}");
        assert_eq!(
            (area_names_tags_positions(&back), back.checksum()),
            (area_names_tags_positions(&map), map.checksum())
        );
        assert_eq!(Map::from_parts(map.clone().into_parts()).unwrap(), map);
    }

    /// An edited map equals the map read from a text with that edit.
    #[test]
    fn an_edited_cell_loses_the_things_of_its_old_kind_and_gets_those_of_its_new_kind() {
        let mut map = sample_level();
        let _ = map.areas();
        let [turret, coin] = ['t', 'c'].map(|symbol| map.find_tile(symbol).unwrap());
        map.set_tile(0, (1, 2), coin).unwrap();
        map.set_tile(0, (-1, 3), turret).unwrap();
        map.set_tile(0, (1, 3), TileId::EMPTY).unwrap();
        let edited = Map::from_ron(&LEVEL.replace(r#"["c.k", "w.t"]"#, r#"["t..", "w.c"]"#)).unwrap();
        assert_eq!(map, edited);
        assert_eq!(
            (area_names_tags_positions(&map), map.checksum(), map.to_ron()),
            (area_names_tags_positions(&edited), edited.checksum(), edited.to_ron())
        );
        assert_eq!(map.markers("turret").collect::<Vec<_>>(), edited.markers("turret").collect::<Vec<_>>());
        let again = map.set_tile(0, (0, 2), turret).unwrap_err();
        assert_eq!(again, TileError::RepeatedThing { tile: (0, 2), tile_id: turret });
        assert_eq!(map, edited, "an edit that is refused changes nothing");
    }

    /// Cells that touch with their sides are one area, whose boxes cover each of them once.
    #[test]
    fn joined_cells_that_touch_are_one_area_that_covers_them_once() {
        let text = r#"Map(format: 1, origin: (2, -1), legend: {'~': (area: (tag: "water", join: true, effects: (drag: 2.0))),
            'H': (area: (join: true, effects: (climbable: true)))},
            tiles: ["~~~~.H", "~~~~.H", ".~~..H", "..H~~~", "~.H~~~"])"#;
        let mut map = Map::from_ron(text).unwrap();
        let boxes = |map: &Map| -> Vec<(String, Vec<[f64; 4]>)> {
            let corners = |area: &Area| {
                let at = area.position.unwrap().to_dvec2();
                let bounds = area.shape.pieces().map(|piece| piece.bounds());
                bounds.map(|(low, high)| [low.x + at.x, low.y + at.y, high.x + at.x, high.y + at.y]).collect()
            };
            map.areas().iter().map(|area| (area.name.clone(), corners(area))).collect()
        };
        let named = |name: &str, corners: &[[f64; 4]]| (name.to_owned(), corners.to_vec());
        let expected = [
            named("water 3,1", &[[3.0, 1.0, 5.0, 2.0], [2.0, 2.0, 6.0, 4.0]]),
            named("area 7,1", &[[7.0, 1.0, 8.0, 4.0]]),
            named("area 4,-1", &[[4.0, -1.0, 5.0, 1.0]]),
            named("water 5,-1", &[[5.0, -1.0, 8.0, 1.0]]),
            named("water 2,-1", &[[2.0, -1.0, 3.0, 0.0]]),
        ];
        assert_eq!(boxes(&map), expected);
        assert_eq!(map.areas()[0].position.unwrap().to_dvec2().to_array(), [4.0, 2.5], "the middle of all its cells");
        let written = map.to_ron();
        assert!(
            written.contains(r#"'~': (tile: "empty", area: (tag: "water", join: true, effects: (drag: 2.0))),"#),
            "{written}"
        );
        assert_eq!(Map::from_ron(&written).unwrap(), map);
        assert_eq!(Map::from_parts(map.clone().into_parts()).unwrap(), map);
        let water = |map: &Map| -> Vec<_> {
            boxes(map).into_iter().map(|(name, _)| name).filter(|name| name.starts_with("water")).collect()
        };
        map.set_tile(0, (3, 2), TileId::EMPTY).unwrap();
        map.set_tile(0, (4, 2), TileId::EMPTY).unwrap();
        assert_eq!(water(&map), ["water 2,2", "water 3,1", "water 5,-1", "water 2,-1"], "the pool falls apart");
        map.set_tile(0, (4, 2), map.find_tile('~').unwrap()).unwrap();
        assert_eq!(water(&map), ["water 3,1", "water 5,-1", "water 2,-1"], "and is one again");
    }

    /// Random cells: the areas are the connected groups that a naive flood fill finds, and their boxes cover each cell
    /// once.
    #[test]
    fn joined_areas_are_the_groups_of_a_flood_fill() {
        let mut random = crate::testing::Random(11);
        let (mut several, mut odd) = (0, 0);
        for _ in 0..200 {
            let (width, height) = (1 + random.below(9) as usize, 1 + random.below(9) as usize);
            let rows: Vec<Vec<u8>> =
                (0..height).map(|_| (0..width).map(|_| b"~~H."[random.below(4) as usize]).collect()).collect();
            let lines: String = rows.iter().map(|row| format!("{:?},", std::str::from_utf8(row).unwrap())).collect();
            let map = Map::from_ron(&format!(
                "Map(format: 1, legend: {{'~': (area: (tag: \"w\", join: true)), 'H': (area: (tag: \"h\", join: true))}}, tiles: [{lines}])"
            ))
            .unwrap();
            // Compute the group of each cell: the smallest cell number that it can reach through equal cells.
            let mut groups: Vec<usize> = (0..width * height).collect();
            for _ in 0..width * height {
                for i in 0..width * height {
                    let same = |a: usize, b: usize| rows[a / width][a % width] == rows[b / width][b % width];
                    let right = (i % width + 1 < width).then_some(i + 1);
                    for other in right.into_iter().chain(Some(i + width).filter(|below| *below < width * height)) {
                        if same(i, other) {
                            let least = groups[i].min(groups[other]);
                            (groups[i], groups[other]) = (least, least);
                        }
                    }
                }
            }
            let mut expected: Vec<usize> =
                (0..width * height).filter(|i| groups[*i] == *i && rows[i / width][i % width] != b'.').collect();
            expected.sort_unstable();
            assert_eq!(placed_area_count(&map), expected.len(), "{lines}");
            assert_eq!(map.areas().len(), expected.len(), "{lines}");
            let boxes: usize = map.areas().iter().map(|area| area.shape.pieces().count()).sum();
            assert_eq!(count_placed_areas(&map.parts.layers, &map.parts.kinds).boxes, boxes, "{lines}");
            let mut seen = vec![false; width * height];
            for (area, group) in map.areas().iter().zip(expected) {
                several += usize::from(area.shape.pieces().count() > 1);
                let at = area.position.unwrap().to_dvec2();
                for (low, high) in area.shape.pieces().map(|piece| piece.bounds()) {
                    let (low, high) = (low + at, high + at);
                    for y in low.y as usize..high.y as usize {
                        for x in low.x as usize..high.x as usize {
                            let cell = (height - 1 - y) * width + x;
                            assert!(!std::mem::replace(&mut seen[cell], true), "{lines}");
                            assert_eq!(groups[cell], group, "{lines}");
                        }
                    }
                }
                odd += 1;
            }
            let all = (0..width * height).all(|i| seen[i] == (rows[i / width][i % width] != b'.'));
            assert!(all, "{lines}");
        }
        assert!(several > 100 && odd > 1000, "{several} {odd}");
    }

    /// A coin and a post in the water leave the water whole, and belong to it.
    #[test]
    fn listed_areas_and_platforms_have_properties_by_name() {
        let text = r##"Map(format: 1, tiles: ["c=.=", "...."],
            legend: {'c': (area: (tag: "coin", shape: Circle(0.4), properties: {"worth": 5}))},
            areas: [(name: "goal", shape: Circle(1.0), at: (2, 1), properties: {"next": "level 2"}), (shape: Circle(1.0))],
            platforms: [(name: "door", tiles: ["#"], properties: {"keys": ["red", "blue"]}),
                (name: "lift", cells: '=', properties: {"fast": true})])"##;
        let map = Map::from_ron(text).unwrap();
        assert_eq!(map.area_properties("goal")["next"].as_str(), Some("level 2"));
        assert_eq!(map.area_properties("coin 0,1")["worth"].as_i64(), Some(5));
        assert_eq!(map.platform_properties("door")["keys"].as_list().unwrap().len(), 2);
        let drawn = map.platforms().iter().filter(|own| own.name.starts_with("lift"));
        assert!(drawn.clone().all(|own| map.platform_properties(&own.name)["fast"].as_bool() == Some(true)));
        assert_eq!(drawn.count(), 2);
        assert!(map.platform_properties("").is_empty() && map.area_properties("").is_empty());
        assert_eq!(Map::from_ron(&map.to_ron()).unwrap(), map);
        let other = Map::from_ron(&text.replace("level 2", "level 3")).unwrap();
        assert!(other != map && other.checksum() == map.checksum(), "the physics ignores properties");

        // Properties of an area that is no longer listed are dropped.
        let mut parts = map.into_parts();
        parts.areas.remove(0);
        parts.area_properties.insert(String::new(), [("a".to_owned(), 1.into())].into());
        assert!(Map::from_parts(parts).unwrap().into_parts().area_properties.is_empty());
    }

    /// The copies of the properties of drawn platforms count, so that the written map can be read again.
    #[test]
    fn values_of_drawn_platforms_count_for_each_platform() {
        let (rows, empty) = (vec![format!("{:?}", "=.".repeat(16)); 16], format!("{:?}", ".".repeat(32)));
        let map = |values: usize| {
            // One value for the list and one for each number in it; 16 * 16 platforms have them.
            let list = vec!["1"; values - 1].join(", ");
            Map::from_ron(&format!(
                "Map(format: 1, tiles: [{}], platforms: [(name: \"a\", cells: '=', properties: {{\"list\": [{list}]}})])",
                rows.iter().flat_map(|row| [row.as_str(), &empty]).collect::<Vec<_>>().join(", ")
            ))
        };
        let most = Map::MAX_VALUES / (16 * 16);
        assert!(map(most).is_ok());
        let error = map(most + 1).unwrap_err();
        assert!(error.to_string().contains("property values; expected at most 1048576"), "{error}");
    }

    #[test]
    fn cells_inside_a_joined_area_leave_the_area_whole() {
        let legend = r#"'~': (area: (tag: "water", join: true, properties: {"deep": true})), 'H': (tile: "stud", inside: '~'),
            'o': (marker: "coin", area: (tag: "coin", shape: Circle(0.25), properties: {"worth": 5}), inside: '~')"#;
        let read =
            |rows: &str| Map::from_ron(&format!("Map(format: 1, legend: {{{legend}}}, tiles: [{rows}])")).unwrap();
        let (mut map, plain) = (read("\"~o~\", \"H~.\", \"..o\""), read("\"~~~\", \"~~.\", \"..~\""));
        let water =
            |map: &Map| -> Vec<Area> { map.areas().iter().filter(|area| area.tag == "water").cloned().collect() };
        assert_eq!(water(&map), water(&plain));
        let names: Vec<&str> = map.areas().iter().map(|area| &area.name[..]).collect();
        assert_eq!(names, ["coin 1,2", "coin 2,0", "water 0,1", "water 2,0"]);
        assert_eq!(map.markers("coin").count(), 2);
        assert_eq!(map.area_properties("coin 2,0")["worth"].as_i64(), Some(5));
        // The first pool is named after its lower left cell, even though the post `H` stands there. The second pool is
        // a single cell, and a coin is in it.
        for name in ["water 0,1", "water 2,0"] {
            assert_eq!(map.area_properties(name)["deep"].as_bool(), Some(true), "{name}");
        }
        assert!(map.area_properties("water 1,0").is_empty() && map.area_properties("coin 0,2").is_empty());
        let written = map.to_ron();
        assert!(written.contains("inside: '~'"), "{written}");
        let back = Map::from_ron(&written).unwrap();
        assert!(back == map && back.to_ron() == written, "{written}");
        assert_eq!(Map::from_parts(map.clone().into_parts()).unwrap(), map);
        map.set_tile(0, (1, 2), TileId::EMPTY).unwrap();
        assert_eq!(water(&map).len(), 3, "a hole divides the pool");
        let mut parts = map.into_parts();
        let coin = parts.kinds.iter().position(|kind| kind.things.inside.is_some() && kind.things.area.is_some());
        parts.kinds[coin.unwrap()].things.inside = Some(TileId(1));
        assert!(matches!(Map::from_parts(parts), Err(MapPartsError::Kind(_))));
    }

    fn placed_area_count(map: &Map) -> usize {
        count_placed_areas(&map.parts.layers, &map.parts.kinds).areas
    }

    #[test]
    fn bodies_are_listed_or_stand_on_the_lower_side_of_their_cells() {
        let text = r##"Map(
            format: 1,
            collision_layers: ["hero", "enemy"],
            legend: {
                'g': (body: (kind: "walker", shape: Aabb(0.4, 0.75), velocity: (1.0, 0.0), facing: Right, friction: 0.5,
                    character: (walk_speed: 2.0, air_jumps: 1), collision_layers: ["enemy"], collision_mask: All,
                    properties: {"hp": 2})),
                'b': (marker: "ball", body: (kind: "ball", shape: Circle(0.25), response: Bounce(0.5), tag: 3)),
            },
            bodies: [(name: "hero", kind: "hero", at: (3.5, 2.0), shape: Aabb(0.3, 0.6), one_way: true)],
            tiles: ["..b.", "g..g", "===="],
        )"##;
        let mut map = Map::from_ron(text).unwrap();
        let at = |body: &PlacedBody| (body.name.clone(), body.position.to_dvec2().to_array());
        let named = |name: &str, at| (name.to_owned(), at);
        let expected = [
            named("hero", [3.5, 2.0]),
            named("ball 2,2", [2.5, 2.25]),
            named("walker 0,1", [0.5, 1.75]),
            named("walker 3,1", [3.5, 1.75]),
        ];
        assert_eq!(map.bodies().iter().map(at).collect::<Vec<_>>(), expected);
        assert_eq!(map.bodies()[2].properties()["hp"].as_i64(), Some(2));
        assert_eq!((map.find_body("walker 3,1"), map.find_body("walker 3,2")), (Some(3), None));
        assert_eq!(map.marker_cell("ball"), Some((2, 2)));
        let written = map.to_ron();
        for line in [
            r#"(name: "hero", kind: "hero", at: (3.5, 2.0), shape: Aabb(0.3, 0.6), one_way: true),"#,
            r#"body: (kind: "walker", shape: Aabb(0.4, 0.75), velocity: (1.0, 0.0), facing: Right, friction: 0.5, character: (walk_speed: 2.0, air_jumps: 1), collision_layers: ["enemy"], collision_mask: All, properties: {"hp": 2})"#,
            r#"marker: (name: "ball"), body: (kind: "ball", shape: Circle(0.25), response: Bounce(0.5), tag: 3)"#,
        ] {
            assert!(written.contains(line), "{line} in\n{written}");
        }
        let back = Map::from_ron(&written).unwrap();
        assert!(back == map && back.to_ron() == written, "{written}");
        assert_eq!(Map::from_parts(map.clone().into_parts()).unwrap(), map);
        map.set_tile(0, (0, 1), TileId::EMPTY).unwrap();
        assert_eq!((map.bodies().len(), map.find_body("walker 3,1"), map.find_body("walker 0,1")), (3, Some(2), None));
        let mut parts = map.into_parts();
        parts.bodies[0].name = "walker 3,1".to_owned();
        assert!(matches!(Map::from_parts(parts), Err(MapPartsError::Body(_))));
    }

    #[test]
    fn a_map_may_place_up_to_a_million_areas() {
        let map = |rows: usize, width: usize| {
            let row = format!("\"{}\",", "c".repeat(width));
            let legend = "legend: {'c': (area: (tag: \"coin\", shape: Circle(0.3)))}, areas: [(shape: Circle(1.0))]";
            Map::from_ron(&format!("Map(format: 1, {legend}, tiles: [{}])", row.repeat(rows)))
        };
        assert_eq!(map(100, 1000).unwrap().areas().len(), 100_001);
        assert!(map(1, Map::MAX_AREAS - 1).is_ok());
        let error = map(1, Map::MAX_AREAS).unwrap_err().to_string();
        assert!(error.ends_with("the map has 1048577 areas; expected at most 1048576"), "{error}");
    }

    /// Pools as combs: rows of single cells above whole rows. Each row is so many boxes as it has runs.
    #[test]
    fn joined_areas_have_up_to_a_million_boxes() {
        let (width, pairs) = (2048, 1023);
        let rows = format!("\"{}\",\"{}\",", "~.".repeat(width / 2), "~".repeat(width)).repeat(pairs);
        let read = |last: &str| {
            let last = format!("\"{last}{}\"", ".".repeat(width - last.len()));
            Map::from_ron(&format!("Map(format: 1, legend: {{'~': (area: (join: true))}}, tiles: [{rows}{last}])"))
        };
        let map = read("~").unwrap();
        let counts = count_placed_areas(map.layers(), map.kinds());
        assert_eq!(counts, AreaCounts { areas: 1, boxes: pairs * (width / 2 + 1) + 1 });
        assert_eq!(counts.boxes, Map::MAX_JOINED_BOXES);
        let error = read("~.~").unwrap_err();
        let expected = MapAreaError::TooManyBoxes { count: 1_048_577, limit: 1_048_576 };
        assert!(matches!(&error.kind, MapErrorKind::Parts(MapPartsError::Area(kind)) if *kind == expected), "{error}");
        let mut parts = map.into_parts();
        parts.layers[0].cells[2] = parts.layers[0].cells[0];
        assert_eq!(Map::from_parts(parts).unwrap_err(), expected.into());
    }

    /// The coin in the lower left cell of a pool, and the pool, would both be named `water 1,1`.
    #[test]
    fn areas_inside_areas_of_the_same_tag_are_refused() {
        for (own, outer, word) in
            [("w", "w", Some("w")), ("", "", Some("area")), ("", "area", Some("area")), ("w", "", None)]
        {
            let text = |tiles: &str| {
                format!(
                    "Map(format: 1, tiles: [{tiles}], legend: {{'~': (area: (tag: {outer:?}, join: true)),
                    'o': (area: (tag: {own:?}, shape: Circle(0.3)), inside: '~')}})"
                )
            };
            // Read the map also without a cell of the symbol, because `Map::set_tile` could set one.
            for tiles in ["\"@o~\"", "\"@.~\""] {
                let read = Map::from_ron(&text(tiles));
                let Some(word) = word else {
                    let mut map = read.unwrap();
                    map.set_tile(0, (1, 0), map.find_tile('o').unwrap()).unwrap();
                    let names: Vec<&str> = map.areas().iter().map(|area| &area.name[..]).collect();
                    assert_eq!(names, ["w 1,0", "area 1,0"]);
                    continue;
                };
                let expected = MapErrorKind::InsideName { symbol: 'o', inside: '~', name: word.to_owned() };
                assert_eq!(read.unwrap_err().kind, expected);
                let mut parts = Map::from_ron(&text(tiles).replace(", inside: '~'", "")).unwrap().into_parts();
                let [kind, inside] = ['o', '~'].map(|symbol| parts.symbols[&symbol]);
                parts.kinds[usize::from(kind.0)].things.inside = Some(inside);
                let expected = TileKindError::InsideName { kind, inside, name: word.to_owned() };
                assert_eq!(Map::from_parts(parts).unwrap_err(), expected.into());
            }
        }
    }

    #[test]
    fn a_body_with_an_up_of_its_own_stands_on_that_side_of_its_cell() {
        for (up, at) in
            [("PlusY", [0.5, 0.75]), ("MinusX", [0.75, 0.5]), ("MinusY", [0.5, 0.25]), ("PlusX", [0.25, 0.5])]
        {
            let legend = format!("{{'g': (body: (kind: \"a\", shape: Aabb(0.25, 0.75), up: {up}))}}");
            let map = Map::from_ron(&format!("Map(format: 1, legend: {legend}, tiles: [\"g\"])")).unwrap();
            assert_eq!(map.bodies()[0].position.to_dvec2().to_array(), at, "{up}");
            assert_eq!(Map::from_ron(&map.to_ron()).unwrap(), map);
            assert!(map.to_ron().contains(&format!("up: {up}")));
        }
    }

    #[test]
    fn things_that_would_have_the_name_of_another_are_refused() {
        let mut parts = sample_level().into_parts();
        parts.areas[0].name = "coin -1,3".to_owned();
        assert!(matches!(Map::from_parts(parts.clone()), Err(MapPartsError::Area(_))));
        parts.areas[0].name = "coin 0,3".to_owned();
        let mut map = Map::from_parts(parts).unwrap();
        let coin = map.find_tile('c').unwrap();
        assert!(matches!(map.set_tile(0, (0, 3), coin), Err(TileError::RepeatedThing { .. })));
        let mut parts = sample_level().into_parts();
        parts.kinds[0].things = parts.kinds[usize::from(coin.0)].things.clone();
        assert!(matches!(Map::from_parts(parts), Err(MapPartsError::Kind(_))));
        let mut parts = sample_level().into_parts();
        parts.platforms[0].layers[0].cells[0] = coin;
        assert!(matches!(Map::from_parts(parts), Err(MapPartsError::Platform(_))));
    }

    #[test]
    fn names_of_things_tell_their_cells_apart() {
        let names = [
            ("coin", (-3, 4), 0),
            ("coin", (-3, 4), 1),
            ("coin -3,4", (5, 6), 0),
            ("a layer 2", (0, 0), 0),
            ("", (1, 1), 2),
        ];
        for (word, cell, layer) in names {
            assert_eq!(parse_thing_name(&thing_name(word, cell, layer)), Some((word, cell, layer)));
        }
        for (x, y) in [(0, 9), (10, -1), (1 << 29, -(1 << 29)), (i32::MAX, i32::MIN)] {
            assert_eq!(thing_name("a", (x, y), 9), format!("a {x},{y} layer 10"));
        }
        assert_eq!(thing_name("coin", (12, 3), 0), "coin 12,3");
        assert_eq!(thing_name("coin", (12, 3), 1), "coin 12,3 layer 2");
        for other in [
            "coin",
            "coin 1",
            "coin 1,2,3",
            "coin 01,2",
            "coin 1,+2",
            "coin 1,2 layer 1",
            "coin 1,2 layer 02",
            "coin1,2",
        ] {
            assert_eq!(parse_thing_name(other), None, "{other}");
        }
    }
}

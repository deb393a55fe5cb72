//! The strip for building, along the bottom of the window: all variants of the map's catalogue by their shapes, the
//! tile kinds of the legend that are more than a variant, the markers, and the tile layers.

use crate::camera::Size;
use crate::legend;
use crate::panel::Area;
use crate::small::{is_low, is_narrow};
use surefoot::Map;
use surefoot::catalogue::{PatternKind, Variant};
use surefoot::map::TileId;
use surefoot::prelude::VariantId;
use surefoot_draw::Point;

/// Thing that the left mouse button places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Brush {
    /// Clears tiles.
    Eraser,
    /// A plain tile of this variant.
    Variant(VariantId),
    /// A tile kind of the legend.
    Kind(TileId),
    /// The marker with this index in [`legend::marker_names`].
    Marker(u16),
    /// An area of the size of a cell. Needs a typed name.
    Area,
    /// A body. Needs a typed name.
    Body,
}

/// Layout in pixels: size of a tile in the strip, distance between tiles, margin, width of the headings, and height of
/// the footer.
pub(crate) const TILE_PIXELS: f64 = 30.0;
const TILE_SPACING_PIXELS: f64 = 38.0;
const MARGIN_PIXELS: f64 = 14.0;
const HEADING_PIXELS: f64 = 64.0;
const FOOTER_PIXELS: f64 = 30.0;

/// Width of the button of a tile layer in pixels.
const LAYER_PIXELS: f64 = 120.0;

/// Headings of the groups of variants. Each group begins a row. Thin are one-way tiles and walls.
const GROUPS: [&str; 4] = ["blocks", "slopes", "round", "thin"];

/// Maximum number of slanted edges of a slope. Rounder shapes have more.
const MAX_SLOPE_EDGES: usize = 3;

/// Returns the index in [`GROUPS`] of the group of a variant.
fn brush_group_of_variant(variant: &Variant) -> usize {
    let is_slanted = |normal: [i32; 2]| normal.iter().all(|number| *number != 0);
    let slanted = || variant.edges.iter().filter(|edge| is_slanted([edge.normal().x.into(), edge.normal().y.into()]));
    match variant.kind {
        PatternKind::Solid => match slanted().count() {
            0 => 0,
            1..=MAX_SLOPE_EDGES => 1,
            _ => 2,
        },
        PatternKind::Open | PatternKind::Wall => 3,
    }
}

/// A heading and the brushes below it.
struct Group {
    heading: &'static str,
    brushes: Vec<Brush>,
    /// Distance from the left end of a brush to that of the next in pixels. Things with a name beside them need more.
    pitch: f64,
}

/// The layout of the strip. A small window, as that of a phone, shows one group with squares for fingers, and a tab for
/// each group.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Strip {
    /// Each visible brush with its area, sorted by brush. The area of a marker has room for the name.
    squares: Vec<(Brush, Area)>,
    /// All brushes, row by row.
    order: Vec<Brush>,
    /// Each heading with the left end of its baseline.
    headings: Vec<(&'static str, Point)>,
    /// The tab of each group in a small window, and the shown one.
    tabs: Vec<(&'static str, Area)>,
    shown: usize,
    /// The button of each tile layer, if there are several.
    layers: Vec<Area>,
    area: Area,
}

/// Layout of the strip of a small window in pixels: distance between tiles, margin, and height of the tabs.
const FINGER_PIXELS: f64 = 44.0;
const SMALL_MARGIN_PIXELS: f64 = 6.0;
const TAB_PIXELS: f64 = 44.0;
const SMALL_FOOTER_PIXELS: f64 = 24.0;
/// Heading of the tile layers.
const LAYER: &str = "layer";

impl Strip {
    /// Lays out the strip for a map and a window size. `shown`: the group that a small window shows.
    pub(crate) fn new(map: &Map, size: Size, shown: usize) -> Strip {
        let groups = groups_of_brushes(map);
        if is_narrow(size) || is_low(size) {
            return Strip::for_small_window(map, &groups, size, shown);
        }
        let longest = groups.iter().map(|group| group.brushes.len()).max().unwrap_or(1);
        let room = size.width - 4.0 * MARGIN_PIXELS - HEADING_PIXELS;
        let columns = ((room / TILE_SPACING_PIXELS) as usize).clamp(1, longest);
        let layer_count = number_of_layer_tabs(map);
        let layer_columns = ((columns as f64 * TILE_SPACING_PIXELS / LAYER_PIXELS) as usize).max(1);
        let columns_of = |group: &Group| ((columns as f64 * TILE_SPACING_PIXELS / group.pitch) as usize).max(1);
        let rows = groups.iter().map(|group| group.brushes.len().div_ceil(columns_of(group))).sum::<usize>();
        let (width, height) = (
            HEADING_PIXELS + columns as f64 * TILE_SPACING_PIXELS + 2.0 * MARGIN_PIXELS,
            (rows + layer_count.div_ceil(layer_columns)) as f64 * TILE_SPACING_PIXELS + MARGIN_PIXELS + FOOTER_PIXELS,
        );
        let corner = Point { x: ((size.width - width) / 2.0).round(), y: size.height - height - MARGIN_PIXELS };
        let place = |column: f64, row: usize| Point {
            x: corner.x + MARGIN_PIXELS + HEADING_PIXELS + column + 4.0,
            y: corner.y + MARGIN_PIXELS + row as f64 * TILE_SPACING_PIXELS,
        };
        let heading =
            |row: usize| Point { x: corner.x + MARGIN_PIXELS + 4.0, y: place(0.0, row).y + TILE_PIXELS * 0.65 };
        let (mut squares, mut headings, mut row) = (Vec::new(), Vec::new(), 0);
        for group in &groups {
            headings.push((group.heading, heading(row)));
            let columns = columns_of(group);
            for (i, brush) in group.brushes.iter().enumerate() {
                let corner = place((i % columns) as f64 * group.pitch, row + i / columns);
                let width = group.pitch - (TILE_SPACING_PIXELS - TILE_PIXELS);
                squares.push((*brush, Area { corner, width, height: TILE_PIXELS }));
            }
            row += group.brushes.len().div_ceil(columns);
        }
        let order = squares.iter().map(|(brush, _)| *brush).collect();
        squares.sort_by_key(|(brush, _)| *brush);
        headings.extend((layer_count > 0).then(|| (LAYER, heading(row))));
        let layers = (0..layer_count).map(|i| {
            let corner = place((i % layer_columns) as f64 * LAYER_PIXELS, row + i / layer_columns);
            Area { corner, width: LAYER_PIXELS - 8.0, height: TILE_PIXELS }
        });
        let area = Area { corner, width, height };
        Strip { squares, order, headings, tabs: Vec::new(), shown, layers: layers.collect(), area }
    }

    /// Lays out the strip of a small window: tabs, and the squares of the shown group below them. The eraser is in all
    /// groups.
    fn for_small_window(map: &Map, groups: &[Group], size: Size, shown: usize) -> Strip {
        let layer_count = number_of_layer_tabs(map);
        let tab_count = groups.len() + usize::from(layer_count > 0);
        let shown = shown.min(tab_count - 1);
        let room = size.width - 2.0 * SMALL_MARGIN_PIXELS;
        let (brushes, pitch) = match groups.get(shown) {
            Some(group) => {
                let eraser = (shown > 0).then_some(Brush::Eraser);
                let brushes: Vec<_> = eraser.into_iter().chain(group.brushes.iter().copied()).collect();
                (brushes, group.pitch.max(FINGER_PIXELS))
            }
            None => (Vec::new(), LAYER_PIXELS),
        };
        let columns = ((room / pitch) as usize).max(1);
        let rows = if brushes.is_empty() { layer_count } else { brushes.len() }.div_ceil(columns);
        let height = TAB_PIXELS + rows as f64 * FINGER_PIXELS + SMALL_MARGIN_PIXELS + SMALL_FOOTER_PIXELS;
        let corner = Point { x: 0.0, y: size.height - height };
        let place = |i: usize| Area {
            corner: Point {
                x: SMALL_MARGIN_PIXELS + (i % columns) as f64 * pitch + 2.0,
                y: corner.y + TAB_PIXELS + SMALL_MARGIN_PIXELS + (i / columns) as f64 * FINGER_PIXELS,
            },
            width: pitch - 4.0,
            height: FINGER_PIXELS - 4.0,
        };
        let mut squares: Vec<_> = brushes.iter().enumerate().map(|(i, brush)| (*brush, place(i))).collect();
        squares.sort_by_key(|(brush, _)| *brush);
        let layers = if brushes.is_empty() { (0..layer_count).map(place).collect() } else { Vec::new() };
        let headings = groups.iter().map(|group| group.heading).chain((layer_count > 0).then_some(LAYER));
        // Round down to whole pixels, so that neighbouring tabs share their sides exactly.
        let tab = (room / tab_count as f64).floor();
        let tabs = headings.enumerate().map(|(i, heading)| {
            let corner = Point { x: SMALL_MARGIN_PIXELS + i as f64 * tab, ..corner };
            (heading, Area { corner, width: tab, height: TAB_PIXELS })
        });
        Strip {
            squares,
            order: groups.iter().flat_map(|group| &group.brushes).copied().collect(),
            headings: Vec::new(),
            tabs: tabs.collect(),
            shown,
            layers,
            area: Area { corner, width: size.width, height },
        }
    }

    /// Returns the tab of each group in a small window, and whether its group is shown.
    pub(crate) fn tabs(&self) -> impl Iterator<Item = (&'static str, Area, bool)> {
        self.tabs.iter().enumerate().map(|(i, (heading, area))| (*heading, *area, i == self.shown))
    }

    /// Returns the group whose tab is at a point of the window.
    pub(crate) fn tab_at(&self, at: Point) -> Option<usize> {
        self.tabs.iter().position(|(_, area)| area.contains(at))
    }

    /// Returns whether the strip is that of a small window.
    pub(crate) fn is_for_small_window(&self) -> bool {
        !self.tabs.is_empty()
    }

    /// Returns the rectangle of the tile palette in the window, in pixels.
    pub(crate) fn area(&self) -> Area {
        self.area
    }

    /// Returns each brush with its area: a square, and for markers also the room of the name.
    pub(crate) fn brushes(&self) -> impl Iterator<Item = (Brush, Area)> {
        self.squares.iter().copied()
    }

    /// Returns the headings of the groups, each with the left end of its baseline.
    pub(crate) fn headings(&self) -> &[(&'static str, Point)] {
        &self.headings
    }

    /// Returns the brush at a point of the window.
    pub(crate) fn brush_at(&self, at: Point) -> Option<Brush> {
        self.brushes().find(|(_, area)| area.contains(at)).map(|(brush, _)| brush)
    }

    /// Returns the buttons of the tile layers; none if there is one layer.
    pub(crate) fn layer_buttons(&self) -> &[Area] {
        &self.layers
    }

    /// Returns the tile layer whose button is at a point of the window.
    pub(crate) fn layer_at(&self, at: Point) -> Option<usize> {
        self.layers.iter().position(|area| area.contains(at))
    }

    /// Returns the left end of the baseline of the brush's name.
    pub(crate) fn name_position(&self) -> Point {
        let Area { corner, height, .. } = self.area;
        let (x, y) =
            if self.is_for_small_window() { (SMALL_MARGIN_PIXELS + 2.0, 8.0) } else { (MARGIN_PIXELS + 4.0, 12.0) };
        Point { x: corner.x + x, y: corner.y + height - y }
    }

    /// Returns the brush `positions` places after another one as they are seen, wrapping around.
    pub(crate) fn brush_after(&self, brush: Brush, positions: i64) -> Brush {
        let now = self.order.iter().position(|own| *own == brush).unwrap_or(0) as i64;
        self.order[(now + positions).rem_euclid(self.order.len() as i64) as usize]
    }
}

/// Returns the number of layers to choose from; 0 if there is one layer.
fn number_of_layer_tabs(map: &Map) -> usize {
    Some(map.layers().len()).filter(|count| *count > 1).unwrap_or(0)
}

/// Returns the groups that have brushes. The eraser is in the first group.
fn groups_of_brushes(map: &Map) -> Vec<Group> {
    let group = |heading, brushes, pitch| Group { heading, brushes, pitch };
    let mut groups: Vec<_> = GROUPS.map(|heading| group(heading, Vec::new(), TILE_SPACING_PIXELS)).into();
    groups[0].brushes.push(Brush::Eraser);
    for (i, variant) in map.catalogue().variants().iter().enumerate() {
        groups[brush_group_of_variant(variant)].brushes.push(Brush::Variant(VariantId(i as u16)));
    }
    let kinds = legend::special_kinds(map).map(Brush::Kind).collect();
    groups.push(group("legend", kinds, TILE_SPACING_PIXELS));
    let markers = (0..legend::marker_names(map).len() as u16).map(Brush::Marker);
    groups.push(group("marker", markers.chain([Brush::Area, Brush::Body]).collect(), LAYER_PIXELS));
    groups.retain(|group| !group.brushes.is_empty());
    groups
}

/// Returns the name of a brush.
pub(crate) fn name_of_brush(map: &Map, brush: Brush) -> String {
    match brush {
        Brush::Eraser => "nothing: takes tiles away".to_owned(),
        Brush::Variant(id) => map.catalogue().variant_name(id),
        Brush::Kind(id) => legend::describe_kind(map, id),
        Brush::Marker(i) => {
            let name = legend::marker_names(map).into_iter().nth(usize::from(i)).unwrap_or_default();
            format!("marker {name}")
        }
        Brush::Area => "area of a name: E types it".to_owned(),
        Brush::Body => "body of a name: E types it".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// A map with a legend of its own and two layers.
    fn map() -> Map {
        let text = r#"Map(format: 1, legend: {'c': (area: (tag: "coin", shape: Circle(0.4))),
            'k': (tile: "spike", marker: "trap", properties: {"deadly": true})}, layers: [
            (name: "back", collides: false, tiles: ["...."]), (name: "ground", tiles: ["@ck="])])"#;
        legend::with_all_variants(&Map::from_ron(text).expect("a map"))
    }

    #[test]
    fn every_variant_has_its_own_square_in_windows_of_any_size() {
        let map = map();
        for (width, height) in [(1280.0, 800.0), (640.0, 480.0), (3840.0, 2160.0), (600.0, 2000.0)] {
            let strip = Strip::new(&map, Size { width, height }, 0);
            let mut seen = BTreeSet::new();
            for (brush, area) in strip.brushes() {
                let middle = Point { x: area.corner.x + TILE_PIXELS / 2.0, y: area.corner.y + TILE_PIXELS / 2.0 };
                assert_eq!(strip.brush_at(middle), Some(brush));
                assert!(strip.area().contains(middle) && (0.0..width).contains(&middle.x), "{width}: {middle:?}");
                assert!(seen.insert(brush));
            }
            // There are 96 variants, the eraser, the tile to drop through and the two kinds of the legend, three
            // markers, an area and a body.
            assert_eq!(seen.len(), 105);
            for (i, area) in strip.layer_buttons().iter().enumerate() {
                let middle = Point { x: area.corner.x + area.width / 2.0, y: area.corner.y + area.height / 2.0 };
                assert_eq!((strip.layer_at(middle), strip.brush_at(middle)), (Some(i), None));
                assert!(strip.area().contains(middle));
            }
            assert_eq!(strip.layer_buttons().len(), 2);
            assert_eq!(strip.brush_at(strip.area().corner), None);
        }
    }

    #[test]
    fn fingers_reach_every_brush_in_the_window_of_a_phone() {
        let map = map();
        for (width, height) in [(390.0, 790.0), (844.0, 346.0), (320.0, 520.0)] {
            let (size, mut seen) = (Size { width, height }, BTreeSet::new());
            let tabs = Strip::new(&map, size, 0).tabs().count();
            for shown in 0..tabs {
                let strip = Strip::new(&map, size, shown);
                let own: Vec<_> =
                    strip.brushes().map(|(_, area)| area).chain(strip.layer_buttons().iter().copied()).collect();
                for area in own.iter().copied().chain(strip.tabs().map(|(_, area, _)| area)) {
                    let Area { corner, width: own_width, height: own_height } = area;
                    assert!(own_width >= 40.0 && own_height >= 40.0, "{area:?}");
                    assert!(
                        corner.x >= 0.0 && corner.x + own_width <= width && corner.y + own_height <= height,
                        "{area:?}"
                    );
                }
                for (brush, Area { corner, .. }) in strip.brushes() {
                    let middle = Point { x: corner.x + 20.0, y: corner.y + 20.0 };
                    assert_eq!((strip.brush_at(middle), strip.tab_at(middle)), (Some(brush), None));
                }
                let (heading, tab, is_shown) = strip.tabs().nth(shown).expect("a tab");
                assert!(is_shown && strip.tab_at(tab.corner) == Some(shown), "{heading}");
                assert!(
                    heading == "layer" || strip.brush_at(strip.brushes().next().expect("an eraser").1.corner).is_some()
                );
                assert_eq!(strip.layer_buttons().len(), if heading == "layer" { 2 } else { 0 });
                // At least a third of the level stays visible.
                assert!(strip.area().height <= height * 2.0 / 3.0, "{heading}: {}", strip.area().height);
                seen.extend(strip.brushes().map(|(brush, _)| brush));
            }
            assert_eq!(seen.len(), 105);
        }
    }

    #[test]
    fn each_group_has_its_own_rows() {
        let map = map();
        let strip = Strip::new(&map, Size { width: 1280.0, height: 800.0 }, 0);
        assert_eq!(
            strip.headings().iter().map(|(heading, _)| *heading).collect::<Vec<_>>(),
            ["blocks", "slopes", "round", "thin", "legend", "marker", "layer"]
        );
        let rows = |names: &[&str]| {
            let all = names.iter().map(|name| map.catalogue().find_variant(name).expect("a shape of the catalogue"));
            let areas =
                all.map(|id| strip.brushes().find(|(brush, _)| *brush == Brush::Variant(id)).expect("a brush").1);
            areas.map(|area| area.corner.y as i64).collect::<BTreeSet<_>>()
        };
        let rows = [
            rows(&["full_block", "half_slab r1", "checker", "tunnel"]),
            rows(&["slope_45", "half_slope_high r3", "spike", "wedge_pair"]),
            rows(&["disc", "quarter_pipe r1", "octagon"]),
            rows(&["one_way", "one_way_slope_45", "mid_wall", "wall_cross"]),
        ];
        assert!(rows.windows(2).all(|rows| rows[0].last() < rows[1].first()), "{rows:?}");
    }

    #[test]
    fn brushes_wrap_around() {
        let strip = Strip::new(&map(), Size { width: 1280.0, height: 800.0 }, 0);
        let first = Brush::Variant(VariantId(0));
        assert_eq!(strip.brush_after(Brush::Eraser, 1), first);
        assert_eq!(strip.brush_after(Brush::Eraser, -1), Brush::Body);
        assert_eq!(strip.brush_after(Brush::Marker(2), 3), Brush::Eraser);
        assert_eq!(strip.brush_after(Brush::Variant(VariantId(5)), -3), Brush::Variant(VariantId(2)));
    }

    #[test]
    fn brushes_have_names() {
        let map = map();
        let kinds = legend::special_kinds(&map).map(|id| name_of_brush(&map, Brush::Kind(id))).collect::<Vec<_>>();
        assert!(kinds.contains(&"c: area coin".to_owned()), "{kinds:?}");
        assert!(kinds.contains(&"k: spike, deadly".to_owned()), "{kinds:?}");
        let names = (0..3).map(|i| name_of_brush(&map, Brush::Marker(i)));
        assert_eq!(names.collect::<Vec<_>>(), ["marker goal", "marker start", "marker trap"]);
    }
}

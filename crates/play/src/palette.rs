//! The tile strip for building: all variants of the map's catalogue, along the bottom of the window.

use crate::camera::Size;
use crate::panel::Area;
use surefoot::catalogue::PatternKind;
use surefoot::prelude::{Catalogue, VariantId};
use surefoot_draw::Point;

/// The tile that the left button paints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Brush(
    /// The variant; `None` clears tiles.
    pub(crate) Option<VariantId>,
);

/// Layout in pixels: size of a tile in the strip, distance between tiles, margin, width of the headings, and height of the
/// footer.
pub(crate) const TILE_PIXELS: f64 = 30.0;
const TILE_SPACING_PIXELS: f64 = 38.0;
const MARGIN_PIXELS: f64 = 14.0;
const HEADING_PIXELS: f64 = 64.0;
const FOOTER_PIXELS: f64 = 30.0;

/// Groups of variants with their headings. Each group begins a row.
const GROUPS: [(PatternKind, &str); 3] =
    [(PatternKind::Solid, "solid"), (PatternKind::Open, "one-way"), (PatternKind::Wall, "walls")];

/// The layout of the strip: the eraser and the solid variants, the one-way ones, the thin walls.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Strip {
    /// Each brush with its square: the eraser first, then in the order of the catalogue.
    squares: Vec<(Brush, Area)>,
    /// Each heading with the left end of its baseline.
    headings: Vec<(&'static str, Point)>,
    area: Area,
}

impl Strip {
    /// Lays out the strip for a catalogue and a window size.
    pub(crate) fn new(catalogue: &Catalogue, size: Size) -> Strip {
        let kinds = catalogue.variants().iter().map(|variant| Some(variant.kind));
        let all: Vec<_> = [None].into_iter().chain(kinds).enumerate().collect();
        let group = |wanted: PatternKind| {
            // The eraser is in the first group.
            let is_in = move |kind: Option<PatternKind>| kind.unwrap_or(PatternKind::Solid) == wanted;
            all.iter().filter(move |(_, kind)| is_in(*kind)).map(|(position, _)| *position)
        };
        let longest = GROUPS.iter().map(|(kind, _)| group(*kind).count()).max().unwrap_or(1);
        let room = size.width - 4.0 * MARGIN_PIXELS - HEADING_PIXELS;
        let columns = ((room / TILE_SPACING_PIXELS) as usize).clamp(1, longest);
        let rows: usize = GROUPS.iter().map(|(kind, _)| group(*kind).count().div_ceil(columns)).sum();
        let (width, height) = (
            HEADING_PIXELS + columns as f64 * TILE_SPACING_PIXELS + 2.0 * MARGIN_PIXELS,
            rows as f64 * TILE_SPACING_PIXELS + MARGIN_PIXELS + FOOTER_PIXELS,
        );
        let corner = Point { x: ((size.width - width) / 2.0).round(), y: size.height - height - MARGIN_PIXELS };
        let place = |column: usize, row: usize| Point {
            x: corner.x + MARGIN_PIXELS + HEADING_PIXELS + column as f64 * TILE_SPACING_PIXELS + 4.0,
            y: corner.y + MARGIN_PIXELS + row as f64 * TILE_SPACING_PIXELS,
        };
        let (mut squares, mut headings, mut row) = (Vec::new(), Vec::new(), 0);
        for (kind, heading) in GROUPS.iter().filter(|(kind, _)| group(*kind).next().is_some()) {
            let at = Point { x: corner.x + MARGIN_PIXELS + 4.0, y: place(0, row).y + TILE_PIXELS * 0.65 };
            headings.push((*heading, at));
            for (i, position) in group(*kind).enumerate() {
                let corner = place(i % columns, row + i / columns);
                squares.push((Strip::brush(position), Area { corner, width: TILE_PIXELS, height: TILE_PIXELS }));
            }
            row += group(*kind).count().div_ceil(columns);
        }
        squares.sort_by_key(|(brush, _)| brush.0);
        Strip { squares, headings, area: Area { corner, width, height } }
    }

    /// Returns the area of the strip.
    pub(crate) fn area(&self) -> Area {
        self.area
    }

    /// Returns each brush with its square.
    pub(crate) fn brushes(&self) -> impl Iterator<Item = (Brush, Area)> {
        self.squares.iter().copied()
    }

    /// Returns the headings of the groups, each with the left end of its baseline.
    pub(crate) fn headings(&self) -> &[(&'static str, Point)] {
        &self.headings
    }

    /// Returns the brush at a point of the window.
    pub(crate) fn at(&self, at: Point) -> Option<Brush> {
        self.brushes().find(|(_, area)| area.contains(at)).map(|(brush, _)| brush)
    }

    /// Returns the left end of the baseline of the brush's name.
    pub(crate) fn name_place(&self) -> Point {
        let Area { corner, height, .. } = self.area;
        Point { x: corner.x + MARGIN_PIXELS + 4.0, y: corner.y + height - 12.0 }
    }

    /// Returns the brush `positions` places after another one in the order of the catalogue, wrapping around.
    pub(crate) fn beside(&self, brush: Brush, positions: i64) -> Brush {
        let now = brush.0.map_or(0, |id| i64::from(id.0) + 1);
        Strip::brush((now + positions).rem_euclid(self.squares.len() as i64) as usize)
    }

    fn brush(position: usize) -> Brush {
        Brush(position.checked_sub(1).map(|variant| VariantId(variant as u16)))
    }
}

/// Returns the name of a brush.
pub(crate) fn name(catalogue: &Catalogue, brush: Brush) -> String {
    brush.0.map_or_else(|| "nothing: takes tiles away".to_owned(), |id| catalogue.variant_name(id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_variant_has_its_own_square_in_windows_of_any_size() {
        let catalogue = Catalogue::builtin();
        for (width, height) in [(1280.0, 800.0), (640.0, 480.0), (3840.0, 2160.0), (300.0, 2000.0)] {
            let strip = Strip::new(&catalogue, Size { width, height });
            let mut seen = BTreeSet::new();
            for (brush, area) in strip.brushes() {
                let middle = Point { x: area.corner.x + TILE_PIXELS / 2.0, y: area.corner.y + TILE_PIXELS / 2.0 };
                assert_eq!(strip.at(middle), Some(brush));
                assert!(strip.area().contains(middle) && (0.0..width).contains(&middle.x), "{width}: {middle:?}");
                assert!(seen.insert(brush.0));
            }
            assert_eq!(seen.len(), 97);
            assert_eq!(strip.at(strip.area().corner), None);
        }
    }

    #[test]
    fn each_group_has_its_own_rows() {
        let catalogue = Catalogue::builtin();
        let strip = Strip::new(&catalogue, Size { width: 1280.0, height: 800.0 });
        assert_eq!(
            strip.headings().iter().map(|(heading, _)| *heading).collect::<Vec<_>>(),
            ["solid", "one-way", "walls"]
        );
        let rows = |wanted: PatternKind| {
            let is_in = |brush: &Brush| brush.0.is_some_and(|id| catalogue.variant(id).kind == wanted);
            strip
                .brushes()
                .filter(|(brush, _)| is_in(brush))
                .map(|(_, area)| area.corner.y as i64)
                .collect::<BTreeSet<_>>()
        };
        let [solid, open, walls] = GROUPS.map(|(kind, _)| rows(kind));
        assert!(solid.last() < open.first() && open.last() < walls.first(), "{solid:?} {open:?} {walls:?}");
    }

    #[test]
    fn brushes_wrap_around() {
        let strip = Strip::new(&Catalogue::builtin(), Size { width: 1280.0, height: 800.0 });
        assert_eq!(strip.beside(Brush(None), 1), Brush(Some(VariantId(0))));
        assert_eq!(strip.beside(Brush(None), -1), Brush(Some(VariantId(95))));
        assert_eq!(strip.beside(Brush(Some(VariantId(95))), 1), Brush(None));
        assert_eq!(strip.beside(Brush(Some(VariantId(5))), -3), Brush(Some(VariantId(2))));
    }
}

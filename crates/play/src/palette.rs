//! The tile strip for building: all variants of the map's catalogue, along the bottom of the window.

use crate::camera::Size;
use crate::panel::Area;
use surefoot::prelude::{Catalogue, VariantId};
use surefoot_draw::Point;

/// The tile that the left button paints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Brush(
    /// The variant; `None` clears tiles.
    pub(crate) Option<VariantId>,
);

/// Layout in pixels: size of a tile in the strip, distance between tiles, margin, and height of the footer.
pub(crate) const TILE_PIXELS: f64 = 30.0;
const TILE_SPACING_PIXELS: f64 = 38.0;
const MARGIN_PIXELS: f64 = 14.0;
const FOOTER_PIXELS: f64 = 24.0;

/// The layout of the strip: the eraser first, then the variants in the order of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Strip {
    columns: usize,
    count: usize,
    area: Area,
}

impl Strip {
    /// Lays out the strip for a catalogue and a window size.
    pub(crate) fn new(catalogue: &Catalogue, size: Size) -> Strip {
        let count = catalogue.variants().len() + 1;
        let most = (((size.width - 4.0 * MARGIN_PIXELS) / TILE_SPACING_PIXELS) as usize).clamp(1, count);
        let rows = count.div_ceil(most);
        // Distribute the columns evenly, so that no row is much shorter than the others.
        let columns = count.div_ceil(rows);
        let (width, height) = (
            columns as f64 * TILE_SPACING_PIXELS + 2.0 * MARGIN_PIXELS,
            rows as f64 * TILE_SPACING_PIXELS + MARGIN_PIXELS + FOOTER_PIXELS,
        );
        let corner = Point { x: ((size.width - width) / 2.0).round(), y: size.height - height - MARGIN_PIXELS };
        Strip { columns, count, area: Area { corner, width, height } }
    }

    /// Returns the area of the strip.
    pub(crate) fn area(&self) -> Area {
        self.area
    }

    /// Returns each brush with its square.
    pub(crate) fn brushes(&self) -> impl Iterator<Item = (Brush, Area)> + use<> {
        let Strip { columns, count, area } = *self;
        (0..count).map(move |i| {
            let (column, row) = ((i % columns) as f64, (i / columns) as f64);
            let corner = Point {
                x: area.corner.x + MARGIN_PIXELS + column * TILE_SPACING_PIXELS + 4.0,
                y: area.corner.y + MARGIN_PIXELS + row * TILE_SPACING_PIXELS,
            };
            (Strip::brush(i), Area { corner, width: TILE_PIXELS, height: TILE_PIXELS })
        })
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

    /// Returns the brush `positions` places after another one, wrapping around.
    pub(crate) fn beside(&self, brush: Brush, positions: i64) -> Brush {
        let now = brush.0.map_or(0, |id| i64::from(id.0) + 1);
        Strip::brush((now + positions).rem_euclid(self.count as i64) as usize)
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
    fn brushes_wrap_around() {
        let strip = Strip::new(&Catalogue::builtin(), Size { width: 1280.0, height: 800.0 });
        assert_eq!(strip.beside(Brush(None), 1), Brush(Some(VariantId(0))));
        assert_eq!(strip.beside(Brush(None), -1), Brush(Some(VariantId(95))));
        assert_eq!(strip.beside(Brush(Some(VariantId(95))), 1), Brush(None));
        assert_eq!(strip.beside(Brush(Some(VariantId(5))), -3), Brush(Some(VariantId(2))));
    }
}

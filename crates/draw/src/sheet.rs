use crate::canvas::Canvas;
use crate::font::width;
use crate::paint::Paint;
use crate::palette::Palette;
use crate::passes::{paint_variant, paint_variant_normals};
use crate::svg::Svg;
use crate::view::{Point, View};
use surefoot::catalogue::{Catalogue, PatternId, PatternKind, Variant};

/// Size of a tile in pixels.
const TILE_SIZE: f64 = 64.0;
/// Horizontal distance from one tile to the next, in pixels.
const TILE_SPACING: f64 = 96.0;
/// Vertical distance from one pattern to the next, in pixels.
const ROW_SPACING: f64 = 112.0;
/// Gap between the two columns in pixels.
const COLUMN_GAP: f64 = 24.0;
/// Margin around the sheet in pixels.
const MARGIN: f64 = 32.0;
/// Height of the header above the first row, in pixels.
const HEADER_HEIGHT: f64 = 112.0;
/// Heights of capitals in pixels.
const TITLE_HEIGHT: f64 = 18.0;
const NAME_HEIGHT: f64 = 10.0;
const LABEL_HEIGHT: f64 = 7.0;

/// Draws every variant of a catalogue, by pattern, with its placement and its outward normals.
///
/// Patterns are numbered from 0 in the order of the catalogue. Each variant is a group of the class `tile` with its
/// name as the title.
#[must_use]
pub fn draw_tiles(catalogue: &Catalogue) -> Svg {
    let palette = &Palette::NIGHT;
    let rows: Vec<Row<'_>> =
        (0..catalogue.patterns().len()).map(|i| Row::new(catalogue, PatternId(i as u16))).collect();
    let in_column = rows.len().div_ceil(2).max(1);
    let columns: Vec<&[Row<'_>]> = rows.chunks(in_column).collect();
    let names = rows.iter().map(Row::text_width).fold(0.0, f64::max).ceil() + 32.0;
    let tiles =
        |column: &[Row<'_>]| column.iter().map(|row| row.variants.len()).max().unwrap_or(0) as f64 * TILE_SPACING;
    let sheet_width = columns.iter().map(|column| names + tiles(column)).sum::<f64>() + COLUMN_GAP + 2.0 * MARGIN;
    let title = format!("{} patterns, {} variants", catalogue.patterns().len(), catalogue.variants().len());
    let min_width = width(&title, TITLE_HEIGHT) + 2.0 * MARGIN;
    let mut svg =
        Svg::new(sheet_width.max(min_width), HEADER_HEIGHT + in_column as f64 * ROW_SPACING + MARGIN / 2.0, &title);

    svg.rect(Point { x: 0.0, y: 0.0 }, svg.width(), svg.height(), &Paint::fill(palette.background));
    svg.text(&title, Point { x: MARGIN, y: MARGIN + TITLE_HEIGHT }, TITLE_HEIGHT, palette.text);
    let note = "m: mirrored left to right, then r1 to r3: quarter turns clockwise. Ticks are outward normals.";
    svg.text(note, Point { x: MARGIN, y: MARGIN + TITLE_HEIGHT + 24.0 }, LABEL_HEIGHT, palette.quiet_text);
    let mut left = MARGIN;
    for column in columns {
        for (i, row) in column.iter().enumerate() {
            row.draw_row(&mut svg, Point { x: left, y: HEADER_HEIGHT + i as f64 * ROW_SPACING }, names, palette);
        }
        left += names + tiles(column) + COLUMN_GAP;
    }
    svg
}

/// A pattern and its variants.
struct Row<'a> {
    catalogue: &'a Catalogue,
    title: String,
    note: String,
    variants: Vec<&'a Variant>,
}

impl<'a> Row<'a> {
    fn new(catalogue: &'a Catalogue, id: PatternId) -> Row<'a> {
        let pattern = catalogue.pattern(id);
        let variants: Vec<_> = catalogue.variants().iter().filter(|variant| variant.pattern == id).collect();
        let plural = if variants.len() == 1 { "" } else { "s" };
        Row {
            catalogue,
            title: format!("{} {}", id.0, pattern.name),
            note: format!("{}, {} variant{plural}", kind_name(pattern.kind), variants.len()),
            variants,
        }
    }

    fn text_width(&self) -> f64 {
        width(&self.title, NAME_HEIGHT).max(width(&self.note, LABEL_HEIGHT))
    }

    fn draw_row(&self, svg: &mut Svg, corner: Point, names: f64, palette: &Palette) {
        svg.text(&self.title, Point { x: corner.x, y: corner.y + TILE_SIZE / 2.0 }, NAME_HEIGHT, palette.text);
        svg.text(
            &self.note,
            Point { x: corner.x, y: corner.y + TILE_SIZE / 2.0 + 18.0 },
            LABEL_HEIGHT,
            palette.quiet_text,
        );
        for (i, variant) in self.variants.iter().enumerate() {
            draw_tile(
                svg,
                Point { x: corner.x + names + i as f64 * TILE_SPACING, y: corner.y },
                self.catalogue,
                variant,
                palette,
            );
        }
    }
}

fn draw_tile(svg: &mut Svg, corner: Point, catalogue: &Catalogue, variant: &Variant, palette: &Palette) {
    let view = View::with_origin_at(Point { x: corner.x, y: corner.y + TILE_SIZE }, TILE_SIZE);
    let name = format!("{}{}", catalogue.pattern(variant.pattern).name, variant.placement);
    svg.group("tile", &name, |svg| {
        svg.rect(corner, TILE_SIZE, TILE_SIZE, &Paint::stroke(palette.rim, 1.0).opacity(0.5));
        paint_variant(svg, &view, variant, (0, 0), palette);
        paint_variant_normals(svg, &view, variant, (0, 0), palette);
        let placement = variant.placement.to_string();
        let placement = if placement.is_empty() { "r0" } else { placement.trim() };
        let at = Point { x: corner.x + TILE_SIZE / 2.0, y: corner.y + TILE_SIZE + 24.0 };
        svg.centred_text(placement, at, LABEL_HEIGHT, palette.quiet_text);
    });
}

fn kind_name(kind: PatternKind) -> &'static str {
    match kind {
        PatternKind::Solid => "solid",
        PatternKind::Open => "open",
        PatternKind::Wall => "wall",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::png::{color_at, render_pixels};
    use crate::svg::tests::groups;
    use std::collections::BTreeSet;

    #[test]
    fn the_sheet_shows_all_96_variants_by_name() {
        let catalogue = Catalogue::builtin();
        let svg = draw_tiles(&catalogue);
        let tiles = groups(&svg, "tile");
        assert_eq!(tiles.len(), 96);
        let found: BTreeSet<_> =
            tiles.iter().map(|tile| catalogue.find_variant(&tile.title)).map(Result::unwrap).collect();
        assert_eq!(found.len(), 96);
    }

    #[test]
    fn each_tile_shows_the_normals_of_its_pattern() {
        let svg = draw_tiles(&Catalogue::builtin());
        let runs: Vec<_> = groups(&svg, "normals").iter().map(|group| group.data.matches('M').count()).collect();
        let tiles = groups(&svg, "tile");
        let of = |name: &str| runs[tiles.iter().position(|tile| tile.title == name).unwrap()];
        assert_eq!((of("full_block"), of("slope_45 r3"), of("disc"), of("caltrop")), (4, 3, 12, 8));
        assert_eq!((of("one_way r1"), of("one_way_triple"), of("mid_wall"), of("wall_cross")), (1, 3, 2, 8));
    }

    #[test]
    fn the_sheet_fits_its_page_and_can_be_rendered() {
        let svg = draw_tiles(&Catalogue::builtin());
        let pixels = render_pixels(&svg, 0.5).unwrap();
        assert_eq!(pixels.width(), (svg.width() / 2.0).ceil() as u32);
        // If a tile or a text did not fit on the page, it would cover pixels at the border.
        let is_background = |x, y| color_at(&pixels, x, y) == Palette::NIGHT.background;
        let (right, bottom) = (pixels.width() - 1, pixels.height() - 1);
        assert!((0..=right).all(|x| is_background(x, 0) && is_background(x, bottom)));
        assert!((0..=bottom).all(|y| is_background(0, y) && is_background(right, y)));
    }
}

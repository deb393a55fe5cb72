use crate::areas::paint_area;
use crate::bodies::paint_body;
use crate::canvas::Canvas;
use crate::markers::paint_diamond;
use crate::paint::Paint;
use crate::palette::{Color, Palette};
use crate::passes::paint_variant;
use crate::path::PathData;
use crate::solids::{add_outlines, lattice_point};
use crate::svg::Svg;
use crate::view::{Point, View};
use surefoot::area::Area;
use surefoot::body::Body;
use surefoot::catalogue::{Catalogue, PatternKind, Variant};
use surefoot::geometry::dvec2;
use surefoot::map::TileKind;

/// Look of the tiles in a tileset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TilesetTheme {
    /// Flat shapes with the edges that bodies collide with, in the colours of [`Palette::NIGHT`].
    #[default]
    Plain,
    /// Stone blocks with lit and shaded sides, and one-way tiles of wood.
    Stone,
}

/// Stone: its surface, its joints, its lit and its shaded sides.
const STONE: Color = Color([0x8b, 0x84, 0x7a]);
const JOINT: Color = Color([0x6f, 0x69, 0x61]);
const LIT: Color = Color([0xc9, 0xc2, 0xb0]);
const SHADED: Color = Color([0x4b, 0x46, 0x45]);
/// Wood of one-way tiles, and iron of thin walls.
const WOOD: Color = Color([0x9a, 0x5f, 0x2c]);
const WOOD_LIT: Color = Color([0xe0, 0xa4, 0x5c]);
const IRON: Color = Color([0x5d, 0x6f, 0x7e]);

/// Draws the picture of a tileset for editors: one tile for each kind, row by row from the top, without gaps or
/// background.
///
/// `columns`: tiles in a row. `pixels`: pixels along one side of a tile. Each tile is a group of the class `tile`,
/// whose title is the name of its variant. A kind without a tile shows what it places: an area, a body or a marker. The
/// plain empty kind is hatched.
#[must_use]
pub fn draw_tileset(catalogue: &Catalogue, kinds: &[TileKind], columns: u32, pixels: u32, theme: TilesetTheme) -> Svg {
    let (columns, side) = (columns.max(1) as usize, f64::from(pixels));
    let rows = kinds.len().div_ceil(columns);
    let mut svg = Svg::new(columns as f64 * side, rows as f64 * side, "tileset");
    for (index, kind) in kinds.iter().enumerate() {
        let corner = Point { x: (index % columns) as f64 * side, y: (index / columns) as f64 * side };
        let view = View::with_origin_at(Point { y: corner.y + side, ..corner }, side);
        let mut frame = PathData::new();
        let ends = [(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)];
        frame.polygon(ends.map(|(x, y)| Point { x: corner.x + x, y: corner.y + y }));
        let title = kind.variant.map_or_else(String::new, |variant| catalogue.variant_name(variant));
        svg.group("tile", &title, |svg| {
            // Wide lines must not reach into the next tile.
            svg.clipped(&format!("tile{index}"), &frame, |svg| {
                paint_tile_kind(svg, &view, catalogue, kind, theme, index)
            });
        });
    }
    svg
}

fn paint_tile_kind(
    canvas: &mut impl Canvas,
    view: &View,
    catalogue: &Catalogue,
    kind: &TileKind,
    theme: TilesetTheme,
    index: usize,
) {
    let palette = &Palette::NIGHT;
    if let Some(variant) = kind.variant.map(|variant| catalogue.variant(variant)) {
        match theme {
            TilesetTheme::Plain => paint_variant(canvas, view, variant, (0, 0), palette),
            TilesetTheme::Stone => paint_tile_in_stone_theme(canvas, view, variant, index),
        }
        paint_material(canvas, view, kind, variant, palette);
    }
    let middle = dvec2(0.5, 0.5);
    if let Some(thing) = &kind.things.area {
        let cell = surefoot::area::AreaShape::aabb(0.5, 0.5).map(|shape| Area { shape, ..thing.area.clone() });
        let area = if thing.join { cell.unwrap_or_else(|_| thing.area.clone()) } else { thing.area.clone() };
        paint_area(canvas, view, &area, middle, palette);
    }
    if let Some(thing) = &kind.things.body {
        let shape = Body::from(&thing.fields).shape;
        let at = dvec2(0.5, shape.half_extents().y);
        paint_body(canvas, view, shape, at, &Paint::fill(palette.bodies[0]).opacity(0.8));
    }
    if kind.things.marker.is_some() {
        paint_diamond(canvas, view, (0, 0), palette);
    }
    if kind.variant.is_none() && kind.things.is_empty() {
        paint_hatched_frame(canvas, view, palette);
    }
}

/// Paints a coloured line along the edges of tiles that are slippery, rough or bouncy, have properties, or can be
/// dropped through.
fn paint_material(canvas: &mut impl Canvas, view: &View, kind: &TileKind, variant: &Variant, palette: &Palette) {
    let material = &kind.material;
    let plain = surefoot::map::Material::default();
    let color = if material.bounce > plain.bounce {
        palette.materials.bouncy
    } else if material.friction < plain.friction || material.traction < plain.traction {
        palette.materials.slippery
    } else if *material != plain {
        palette.materials.rough
    } else if !kind.properties.is_empty() {
        palette.unreachable
    } else if kind.drop_through {
        palette.marker
    } else {
        return;
    };
    let mut edges = PathData::new();
    for edge in &variant.edges {
        edges.run([edge.a, edge.b].map(|at| view.point(lattice_point((0, 0), at.x, at.y))));
    }
    canvas.path(&edges, &Paint::stroke(color, view.scale / 8.0).opacity(0.7));
}

/// Paints a tile as stone, wood or iron. `index`: number of the tile in the picture, which names its clip.
fn paint_tile_in_stone_theme(canvas: &mut impl Canvas, view: &View, variant: &Variant, index: usize) {
    let unit = view.scale / 16.0;
    let point = |x: f64, y: f64| view.point(dvec2(x / 16.0, y / 16.0));
    let line = |from: (f64, f64), to: (f64, f64)| {
        let mut path = PathData::new();
        path.run([point(from.0, from.1), point(to.0, to.1)]);
        path
    };
    if variant.kind != PatternKind::Solid {
        let (base, lit) = if variant.kind == PatternKind::Open { (WOOD, WOOD_LIT) } else { (IRON, LIT) };
        let mut edges = PathData::new();
        for path in &variant.paths {
            edges.run(path.iter().map(|at| view.point(lattice_point((0, 0), at.x, at.y))));
        }
        canvas.path(&edges, &Paint::stroke(base, 6.0 * unit));
        canvas.path(&edges, &Paint::stroke(lit, 2.0 * unit));
        return;
    }
    let mut outline = PathData::new();
    add_outlines(&mut outline, view, (0, 0), &variant.paths);
    canvas.clipped(&format!("stone{index}"), &outline, |canvas| {
        canvas.path(&outline, &Paint::fill(STONE));
        // Paint the joints of two rows of bricks.
        for (from, to) in [((0.0, 8.0), (16.0, 8.0)), ((5.0, 8.0), (5.0, 16.0)), ((11.0, 0.0), (11.0, 8.0))] {
            canvas.path(&line(from, to), &Paint::stroke(JOINT, unit));
        }
        for edge in &variant.edges {
            let (a, b) = ((f64::from(edge.a.x), f64::from(edge.a.y)), (f64::from(edge.b.x), f64::from(edge.b.y)));
            // The solid is on the right of the edge, so the outward normal is on its left.
            let (nx, ny) = (a.1 - b.1, b.0 - a.0);
            // Light comes from above and a little from the left.
            let color = if 2.0 * ny - nx > 0.0 { LIT } else { SHADED };
            canvas.path(&line(a, b), &Paint::stroke(color, 3.0 * unit).round());
        }
    });
}

/// Paints diagonal lines in a frame, for a tile without an effect on bodies.
fn paint_hatched_frame(canvas: &mut impl Canvas, view: &View, palette: &Palette) {
    let mut lines = PathData::new();
    for step in 0..4 {
        let from = f64::from(step) / 2.0 - 1.0;
        lines.run([dvec2(from, 0.0), dvec2(from + 1.0, 1.0)].map(|at| view.point(at)));
    }
    let corner = view.point(dvec2(0.0, 1.0));
    canvas.path(&lines, &Paint::stroke(palette.quiet_text, view.scale / 8.0));
    canvas.rect(corner, view.scale, view.scale, &Paint::stroke(palette.quiet_text, view.scale / 8.0));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::png::render_pixels;

    /// A pixel is opaque where the middle of the pixel is inside the tile, and clear where it is well outside. Lines
    /// along edges are at most three sixteenths wide on either side.
    #[test]
    fn solid_tiles_are_filled_where_their_shapes_are() {
        let catalogue = Catalogue::builtin();
        let kinds = TileKind::every_variant(&catalogue);
        for theme in [TilesetTheme::Plain, TilesetTheme::Stone] {
            let pixels = render_pixels(&draw_tileset(&catalogue, &kinds, 16, 32, theme), 1.0).unwrap();
            let alpha = |index: usize, x: u32, y: u32| {
                let (left, top) = ((index % 16) as u32 * 32, (index / 16) as u32 * 32);
                pixels.pixel(left + x, top + y).unwrap().alpha()
            };
            // The first tile is the empty one.
            let of = |name: &str| usize::from(catalogue.find_variant(name).unwrap().0) + 1;
            // Returns whether the upper left and the lower right of a tile are filled.
            let corners = |name: &str| (alpha(of(name), 4, 4) > 0, alpha(of(name), 27, 27) > 0);
            assert_eq!(corners("slope_45"), (false, true), "{theme:?}");
            assert_eq!(corners("slope_45 r2"), (true, false), "{theme:?}");
            assert_eq!(corners("full_block"), (true, true), "{theme:?}");
            assert!(alpha(of("half_slab"), 16, 4) == 0 && alpha(of("half_slab"), 16, 24) == 255);
            assert!(alpha(of("one_way"), 16, 1) > 0 && alpha(of("one_way"), 16, 16) == 0);
        }
    }
}

//! Paints the materials of tiles: a band of colour behind slippery, rough and bouncy edges, and arrows along belts.

use crate::canvas::Canvas;
use crate::edges::{Edge, line_width};
use crate::paint::Paint;
use crate::palette::Palette;
use crate::path::PathData;
use crate::view::View;
use std::collections::BTreeMap;
use surefoot::catalogue::PatternKind;
use surefoot::geometry::DVec2;
use surefoot::map::Material;

/// Depth of the band behind an edge, in tiles. Equals the depth of the rim of solids.
const BAND_DEPTH: f64 = 0.13;

/// Limit of 1 + cosine between the normals of two edges for a pointed join. At smaller values the bands would join more
/// than about three depths behind their corner.
const MIN_ONE_PLUS_COSINE: f64 = 0.2;

/// Approximate distance between two arrows, in tiles. Arrows on adjacent sides of a block do not touch.
const ARROW_SPACING: f64 = 1.0;
/// Distance of an arrow from its edge, in tiles.
const ARROW_DEPTH: f64 = 0.2;
/// Half of the length and half of the width of an arrow, in tiles.
const ARROW_HALF_LENGTH: f64 = 0.07;
const ARROW_HALF_WIDTH: f64 = 0.11;

/// The appearance of a material in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Finish {
    Plain,
    Slippery,
    Rough,
    Bouncy,
}

impl Finish {
    /// Returns the appearance of a material. Bouncy has priority over rough, and rough over slippery.
    fn of_material(material: &Material) -> Finish {
        let grip = [material.friction, material.traction];
        match () {
            () if material.bounce > 0.0 => Finish::Bouncy,
            () if grip.iter().any(|&number| number > 1.0) => Finish::Rough,
            () if grip.iter().any(|&number| number < 1.0) => Finish::Slippery,
            () => Finish::Plain,
        }
    }
}

/// Paints the bands and arrows of edges. `around` includes the neighbours, which decide where a band continues.
pub(crate) fn paint_materials(
    canvas: &mut impl Canvas,
    view: &View,
    edges: &[Edge],
    around: &[Edge],
    palette: &Palette,
) {
    if edges.iter().any(|edge| Finish::of_material(&edge.material) != Finish::Plain) {
        canvas.group("surfaces", "", |canvas| paint_material_bands(canvas, view, edges, around, palette));
    }
    if edges.iter().any(is_belt) {
        canvas.group("belts", "", |canvas| paint_belt_arrows(canvas, view, edges, palette));
    }
}

/// Paints a band behind each edge that is slippery, rough or bouncy.
pub(crate) fn paint_material_bands(
    canvas: &mut impl Canvas,
    view: &View,
    edges: &[Edge],
    around: &[Edge],
    palette: &Palette,
) {
    let corners = Corners::new(around);
    for (finish, color) in [
        (Finish::Slippery, palette.materials.slippery),
        (Finish::Rough, palette.materials.rough),
        (Finish::Bouncy, palette.materials.bouncy),
    ] {
        let mut bands = PathData::new();
        for edge in edges.iter().filter(|edge| Finish::of_material(&edge.material) == finish) {
            bands.polygon(corners.band_outline(edge).map(|at| view.point(at)));
        }
        canvas.path(&bands, &Paint::fill(color));
    }
}

/// Paints small arrows along each belt in its direction. They are inside solids, behind one-sided edges, and on either
/// side of thin walls.
pub(crate) fn paint_belt_arrows(canvas: &mut impl Canvas, view: &View, edges: &[Edge], palette: &Palette) {
    for (kind, color) in
        [(PatternKind::Solid, palette.quiet_text), (PatternKind::Wall, palette.wall), (PatternKind::Open, palette.open)]
    {
        let mut arrows = PathData::new();
        for edge in edges.iter().filter(|edge| edge.kind == kind && is_belt(edge)) {
            belt_arrows(edge).for_each(|arrow| arrows.run(arrow.map(|at| view.point(at))));
        }
        canvas.path(&arrows, &Paint::stroke(color, line_width(view)).round());
    }
}

fn is_belt(edge: &Edge) -> bool {
    edge.material.belt_velocity != 0.0
}

/// Returns the arrows of a belt. Each has three points: one end, the tip, the other end.
fn belt_arrows(edge: &Edge) -> impl Iterator<Item = [DVec2; 3]> + use<> {
    let Edge { a, b, normal, kind, material, .. } = *edge;
    let extent = b - a;
    // The air is on the left of the direction from a to b, so that direction is to the right for a body on the edge.
    let forward = extent.normalize_or_zero() * material.belt_velocity.signum() * ARROW_HALF_LENGTH;
    let shift = if kind == PatternKind::Wall { normal } else { -normal } * ARROW_DEPTH;
    let count = (extent.length() / ARROW_SPACING).round().max(1.0) as u32;
    (0..count).map(move |i| {
        let middle = a + extent * ((f64::from(i) + 0.5) / f64::from(count)) + shift;
        let side = normal * ARROW_HALF_WIDTH;
        [middle - forward + side, middle + forward, middle - forward - side]
    })
}

/// The normals of the edges that start and end at each point.
struct Corners {
    starts: BTreeMap<[u64; 2], Vec<DVec2>>,
    ends: BTreeMap<[u64; 2], Vec<DVec2>>,
}

impl Corners {
    fn new(edges: &[Edge]) -> Corners {
        let mut corners = Corners { starts: BTreeMap::new(), ends: BTreeMap::new() };
        for edge in edges {
            corners.starts.entry(point_bits(edge.a)).or_default().push(edge.normal);
            corners.ends.entry(point_bits(edge.b)).or_default().push(edge.normal);
        }
        corners
    }

    /// Returns the outline of the band behind an edge. The bands of consecutive edges share a border.
    fn band_outline(&self, edge: &Edge) -> [DVec2; 4] {
        let behind = |end: DVec2, neighbours: Option<&Vec<DVec2>>, outwards: DVec2| {
            let cosines = neighbours.into_iter().flatten().map(|normal| (normal.dot(edge.normal), *normal));
            // If several edges share the point, use the one that turns least.
            match cosines.max_by(|a, b| a.0.total_cmp(&b.0)) {
                Some((cosine, normal)) if 1.0 + cosine >= MIN_ONE_PLUS_COSINE => {
                    end - (edge.normal + normal) * (BAND_DEPTH / (1.0 + cosine))
                }
                _ => end - (edge.normal + outwards) * BAND_DEPTH,
            }
        };
        let along = (edge.b - edge.a).normalize_or_zero();
        let from = behind(edge.a, self.ends.get(&point_bits(edge.a)), -along);
        let to = behind(edge.b, self.starts.get(&point_bits(edge.b)), along);
        [edge.a, edge.b, to, from]
    }
}

/// Returns a point as bits. The ends of neighbours are either equal or clearly different.
fn point_bits(at: DVec2) -> [u64; 2] {
    [at.x, at.y].map(|x| (x + 0.0).to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edges::exposed_edges;
    use crate::map::{MapStyle, draw_map};
    use crate::png::{color_at, render_pixels};
    use crate::region::Region;
    use surefoot::Map;
    use surefoot::prelude::Terrain;

    /// `>` carries to the right, `<` to the left. The slopes, the one-way tile and the wall carry to the right.
    const LEGEND: &str = r##"legend: {
        '>': (tile: "full_block", material: (belt_velocity: 3.0)),
        '<': (tile: "full_block", material: (belt_velocity: -0.5)),
        'u': (tile: "slope_45", material: (belt_velocity: 3.0)),
        'd': (tile: "slope_45 m", material: (belt_velocity: 3.0)),
        'l': (tile: "one_way", material: (belt_velocity: 3.0)),
        'w': (tile: "mid_wall", material: (belt_velocity: 3.0)),
        'i': (tile: "full_block", material: (friction: 0.1)),
        's': (tile: "full_block", material: (traction: 0.5)),
        'r': (tile: "full_block", material: (friction: 2.0, traction: 0.5)),
        'b': (tile: "full_block", material: (friction: 0.1, bounce: 0.5)),
        'c': (tile: "full_block", material: (climbable: true))}"##;

    fn map(rows: &[&str]) -> Map {
        Map::from_ron(&format!("Map(format: 1, tiles: {rows:?}, {LEGEND})")).unwrap()
    }

    fn edges(rows: &[&str]) -> Vec<Edge> {
        let map = map(rows);
        exposed_edges(&map, &Terrain::bake(&map), Region::of(&map))
    }

    /// Checks the middle and the direction of each arrow, sorted by position.
    #[track_caller]
    fn check_arrows(rows: &[&str], expected: &[[(f64, f64); 2]]) {
        let edges = edges(rows);
        let mut found: Vec<[DVec2; 2]> = edges
            .iter()
            .filter(|edge| is_belt(edge))
            .flat_map(belt_arrows)
            .map(|[end, point, other]| [(end + other) / 4.0 + point / 2.0, (point - (end + other) / 2.0).normalize()])
            .collect();
        let order = |arrow: &[DVec2; 2]| arrow[0].to_array().map(|x| (x * 1e6).round() as i64);
        found.sort_by_key(order);
        let mut expected: Vec<_> = expected.iter().map(|arrow| arrow.map(DVec2::from)).collect();
        expected.sort_by_key(order);
        assert_eq!(found.len(), expected.len(), "{rows:?} {found:?}");
        for (found, expected) in found.iter().zip(&expected) {
            assert!((0..2).all(|i| (found[i] - expected[i]).length() < 1e-9), "{rows:?} {found:?} {expected:?}");
        }
    }

    /// The block from (1, 1) to (2, 2) carries right on top, down on the right, left below and up on the left. Arrows
    /// are 0.2 inside.
    #[test]
    fn arrows_go_around_a_block() {
        let around =
            [[(1.5, 1.8), (1.0, 0.0)], [(1.8, 1.5), (0.0, -1.0)], [(1.5, 1.2), (-1.0, 0.0)], [(1.2, 1.5), (0.0, 1.0)]];
        check_arrows(&["...", ".>.", "..."], &around);
        check_arrows(&["...", ".<.", "..."], &around.map(|[at, (x, y)]| [at, (-x, -y)]));
        check_arrows(&["...", ".#.", "..."], &[]);
    }

    /// An arrow is in the middle of a slope, 0.2 below it along the normal. An edge 2.06 long has two arrows.
    #[test]
    fn arrows_point_up_and_down_slopes() {
        let (half, off) = (0.5_f64.sqrt(), 0.2 * 0.5_f64.sqrt());
        check_arrows(&[".u#", "###"], &[[(1.5 + off, 1.5 - off), (half, half)]]);
        check_arrows(&["#d.", "###"], &[[(1.5 - off, 1.5 - off), (half, -half)]]);
        let edge = edges(&[".u#", "###"]).into_iter().find(is_belt).expect("a belt");
        let long = Edge { a: DVec2::ZERO, b: DVec2::new(2.0, 0.5), normal: DVec2::new(-0.5, 2.0).normalize(), ..edge };
        let points: Vec<_> = belt_arrows(&long).map(|[end, point, other]| (end + other) / 4.0 + point / 2.0).collect();
        let expected = [0.25, 0.75].map(|part| long.b * part - long.normal * 0.2);
        assert!(points.len() == 2 && (0..2).all(|i| (points[i] - expected[i]).length() < 1e-9), "{points:?}");
    }

    /// The arrow is below the one-way edge at y = 1. At the wall at x = 0.5, arrows point up on the left and down on
    /// the right.
    #[test]
    fn arrows_are_behind_one_sided_edges_and_on_both_sides_of_walls() {
        check_arrows(&["l"], &[[(0.5, 0.8), (1.0, 0.0)]]);
        check_arrows(&["w"], &[[(0.3, 0.5), (0.0, 1.0)], [(0.7, 0.5), (0.0, -1.0)]]);
    }

    #[track_caller]
    fn check_band(rows: &[&str], normal: (f64, f64), expected: [(f64, f64); 4]) {
        let edges = edges(rows);
        let is_wanted =
            |edge: &&Edge| Finish::of_material(&edge.material) != Finish::Plain && edge.normal == DVec2::from(normal);
        let band = Corners::new(&edges).band_outline(edges.iter().find(is_wanted).expect("such an edge"));
        let apart = band.iter().zip(expected).map(|(found, expected)| (*found - DVec2::from(expected)).length());
        assert!(apart.fold(0.0, f64::max) < 1e-9, "{rows:?} {band:?} {expected:?}");
    }

    /// The icy block is from (1, 0) to (2, 1), and its band is 0.13 deep.
    #[test]
    fn bands_join_at_corners_and_continue_straight() {
        let up = (0.0, 1.0);
        check_band(&[".i."], up, [(1.0, 1.0), (2.0, 1.0), (1.87, 0.87), (1.13, 0.87)]);
        check_band(&["#i#"], up, [(1.0, 1.0), (2.0, 1.0), (2.0, 0.87), (1.0, 0.87)]);
        // Between two walls, the band extends into them to join their bands.
        check_band(&["#.#", "#i#"], up, [(1.0, 1.0), (2.0, 1.0), (2.13, 0.87), (0.87, 0.87)]);
        // An upward slope turns by 45 degrees, so the bands join halfway, at the tangent of 22.5 degrees.
        let shift = 0.13 * (2.0_f64.sqrt() - 1.0);
        check_band(&["../", "#i#"], up, [(1.0, 1.0), (2.0, 1.0), (2.0 + shift, 0.87), (1.0, 0.87)]);
    }

    #[test]
    fn each_finish_has_its_colour() {
        let map = map(&["i.s.r.b.c.#"]);
        let style = MapStyle { tile: 100, margin: 0.0, normals: false, ..MapStyle::default() };
        let picture = render_pixels(&draw_map(&map, &Terrain::bake(&map), &style), 1.0).unwrap();
        let night = Palette::NIGHT;
        let expected = [
            night.materials.slippery,
            night.materials.slippery,
            night.materials.rough,
            night.materials.bouncy,
            night.rim,
            night.rim,
        ];
        for (i, color) in expected.into_iter().enumerate() {
            // Look at a pixel below the middle of the top edge, and at one in the middle of the block.
            let at = |y: u32| color_at(&picture, 200 * i as u32 + 50, y);
            assert_eq!((at(9), at(50)), (color, night.solid), "{i}");
        }
    }
}

//! Collision shapes of tiles, compared with the outlines of the catalogue's variants.

use std::collections::BTreeSet;
use surefoot::catalogue::{Catalogue, PatternKind, Placement, VariantId};

/// Lattice steps along a side of a tile.
pub(crate) const STEPS: f64 = 16.0;

/// A point in lattice steps from the lower left corner of the tile, y up.
type Point = (i32, i32);

/// A collision shape: closed rings of points in lattice steps, y up. The points need not lie on the lattice.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outline(pub(crate) Vec<Vec<(f64, f64)>>);

/// Variant of the catalogue that fits a collision shape.
#[derive(Debug, PartialEq)]
pub(crate) enum Match {
    /// The variant has the same outline.
    Equal(VariantId),
    /// The variant with the nearest outline, and the greatest distance of a corner of either from the other outline, in
    /// tiles.
    Near(VariantId, f64),
}

/// Returns the solid variant with this outline, or the nearest one. `None` if the catalogue has no solid variant.
pub(crate) fn find_variant_of_outline(catalogue: &Catalogue, outline: &Outline) -> Option<Match> {
    let wanted = edges_of_outline(outline);
    let solid = || {
        let ids = (0..catalogue.variants().len()).map(|i| VariantId(i as u16));
        ids.filter(|&id| catalogue.variant(id).kind == PatternKind::Solid)
    };
    if let Some(wanted) = &wanted
        && let Some(id) = solid().find(|&id| edges_of_variant(catalogue, id) == *wanted)
    {
        return Some(Match::Equal(id));
    }
    let distances = solid().map(|id| (id, greatest_distance(outline, &outline_of_variant(catalogue, id)) / STEPS));
    let nearest = distances.min_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(Match::Near(nearest.0, nearest.1))
}

/// Directed edges between lattice points. Edges that go straight on are joined to one, so equal shapes have equal
/// sets.
type Edges = BTreeSet<(Point, Point)>;

/// Returns the edges of an outline, with the solid on the right. `None` if a point is off the lattice.
fn edges_of_outline(outline: &Outline) -> Option<Edges> {
    let mut edges = Vec::new();
    for ring in &outline.0 {
        let on_lattice = |&(x, y): &(f64, f64)| {
            let point = (x.round(), y.round());
            let inside = |v: f64| (0.0..=STEPS).contains(&v);
            (point == (x, y) && inside(x) && inside(y)).then_some((x as i32, y as i32))
        };
        let mut ring: Vec<Point> = ring.iter().map(on_lattice).collect::<Option<_>>()?;
        let pairs = |ring: &[Point]| -> Vec<(Point, Point)> {
            ring.iter().copied().zip(ring.iter().copied().cycle().skip(1)).collect()
        };
        let area: i32 = pairs(&ring).iter().map(|&((ax, ay), (bx, by))| ax * by - ay * bx).sum();
        if area > 0 {
            // The ring is counterclockwise, so the solid would be on the left.
            ring.reverse();
        }
        edges.extend(pairs(&ring));
    }
    Some(join_straight_edges(edges))
}

fn edges_of_variant(catalogue: &Catalogue, id: VariantId) -> Edges {
    let edges = catalogue.variant(id).edges.iter();
    let points = edges.map(|edge| ((edge.a.x.into(), edge.a.y.into()), (edge.b.x.into(), edge.b.y.into())));
    join_straight_edges(points.collect())
}

fn outline_of_variant(catalogue: &Catalogue, id: VariantId) -> Outline {
    let paths = catalogue.variant(id).paths.iter();
    Outline(paths.map(|path| path.iter().map(|point| (point.x.into(), point.y.into())).collect()).collect())
}

fn join_straight_edges(mut edges: Vec<(Point, Point)>) -> Edges {
    edges.retain(|(a, b)| a != b);
    let goes_on = |(a, b): (Point, Point), (c, d): (Point, Point)| {
        let (p, q) = ((b.0 - a.0, b.1 - a.1), (d.0 - c.0, d.1 - c.1));
        b == c && p.0 * q.1 == p.1 * q.0 && p.0 * q.0 + p.1 * q.1 > 0
    };
    loop {
        let pairs = (0..edges.len()).flat_map(|i| (0..edges.len()).map(move |j| (i, j)));
        let Some((i, j)) = pairs.filter(|(i, j)| i != j).find(|&(i, j)| goes_on(edges[i], edges[j])) else {
            return edges.into_iter().collect();
        };
        edges[i].1 = edges[j].1;
        edges.swap_remove(j);
    }
}

/// Returns the greatest distance of a corner of `a` or `b` from the sides of the other one, in lattice steps.
fn greatest_distance(a: &Outline, b: &Outline) -> f64 {
    let one_way = |from: &Outline, to: &Outline| {
        from.0.iter().flatten().map(|&point| distance_to_outline(point, to)).fold(0.0, f64::max)
    };
    one_way(a, b).max(one_way(b, a))
}

fn distance_to_outline((x, y): (f64, f64), outline: &Outline) -> f64 {
    let mut nearest = f64::INFINITY;
    for ring in &outline.0 {
        for (&(ax, ay), &(bx, by)) in ring.iter().zip(ring.iter().cycle().skip(1)) {
            let (dx, dy) = (bx - ax, by - ay);
            let length = dx * dx + dy * dy;
            let t = if length == 0.0 { 0.0 } else { (((x - ax) * dx + (y - ay) * dy) / length).clamp(0.0, 1.0) };
            let (fx, fy) = (x - ax - t * dx, y - ay - t * dy);
            nearest = nearest.min((fx * fx + fy * fy).sqrt());
        }
    }
    nearest
}

/// Returns the placement by which an editor shows a flipped tile.
///
/// `diagonal` swaps x and y where y points down, which is a mirror followed by three quarter turns clockwise where y
/// points up. A vertical flip is a mirror followed by a half turn.
pub(crate) fn placement_of_flips(flips: crate::level::Flips) -> Placement {
    let mut placement = Placement::default();
    if flips.diagonal {
        placement = placement.then(Placement::new(true, 3));
    }
    if flips.horizontal {
        placement = placement.then(Placement::new(true, 0));
    }
    if flips.vertical {
        placement = placement.then(Placement::new(true, 2));
    }
    placement
}

/// Returns the variant that an editor shows if it flips a tile with the variant `id`.
pub(crate) fn flipped_variant(catalogue: &Catalogue, id: VariantId, flips: crate::level::Flips) -> VariantId {
    let variant = catalogue.variant(id);
    catalogue.place(variant.pattern, variant.placement.then(placement_of_flips(flips)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Flips;

    /// Flips points as the editors' documents say, with y down: first x and y are swapped, then each axis is flipped.
    fn flip_point(flips: Flips, (x, y): (f64, f64)) -> (f64, f64) {
        let (mut x, mut y) = (x, STEPS - y);
        if flips.diagonal {
            (x, y) = (y, x);
        }
        if flips.horizontal {
            x = STEPS - x;
        }
        if flips.vertical {
            y = STEPS - y;
        }
        (x, STEPS - y)
    }

    #[test]
    fn all_flips_of_all_variants_are_the_variants_with_the_flipped_outlines() {
        let catalogue = Catalogue::builtin();
        for i in 0..8 {
            let flips = Flips { horizontal: i & 1 != 0, vertical: i & 2 != 0, diagonal: i & 4 != 0 };
            for id in (0..catalogue.variants().len()).map(|i| VariantId(i as u16)) {
                let points = |id| {
                    let rings = outline_of_variant(&catalogue, id).0;
                    let points: BTreeSet<_> = rings.into_iter().flatten().map(|(x, y)| (x as i32, y as i32)).collect();
                    points
                };
                let by_hand: BTreeSet<_> = outline_of_variant(&catalogue, id)
                    .0
                    .into_iter()
                    .flatten()
                    .map(|point| flip_point(flips, point))
                    .map(|(x, y)| (x as i32, y as i32))
                    .collect();
                let name = catalogue.variant_name(id);
                assert_eq!(points(flipped_variant(&catalogue, id, flips)), by_hand, "{name} {flips:?}");
            }
        }
    }

    #[test]
    fn each_solid_variant_is_found_by_its_outline_in_both_directions() {
        let catalogue = Catalogue::builtin();
        let mut found = 0;
        for id in (0..catalogue.variants().len()).map(|i| VariantId(i as u16)) {
            if catalogue.variant(id).kind != PatternKind::Solid {
                continue;
            }
            let mut outline = outline_of_variant(&catalogue, id);
            assert_eq!(find_variant_of_outline(&catalogue, &outline), Some(Match::Equal(id)));
            outline.0.iter_mut().for_each(|ring| ring.reverse());
            assert_eq!(find_variant_of_outline(&catalogue, &outline), Some(Match::Equal(id)));
            found += 1;
        }
        assert!(found > 50, "{found}");
    }

    #[test]
    fn a_near_outline_is_told_with_its_distance() {
        let catalogue = Catalogue::builtin();
        // A block whose upper side is 2 steps too low: 2 / 16 of a tile.
        let block = Outline(vec![vec![(0.0, 0.0), (16.0, 0.0), (16.0, 14.0), (0.0, 14.0)]]);
        let full = catalogue.find_variant("full_block").unwrap();
        assert_eq!(find_variant_of_outline(&catalogue, &block), Some(Match::Near(full, 0.125)));
    }
}

//! The terrain's outlines: closed loops of points, collinear edges made one, for peers that know chains.

use std::collections::BTreeMap;
use surefoot::geometry::{DVec2, I64Vec2, to_lengths};
use surefoot::prelude::Terrain;

/// An edge that is not in a loop yet.
#[derive(Clone, Copy)]
struct Edge {
    a: I64Vec2,
    b: I64Vec2,
}

/// All outlines, the air on the left of the way from each point to the next.
///
/// If two outlines share a point, each continues with the edge that bounds the same air.
#[must_use]
pub fn loops(terrain: &Terrain) -> Vec<Vec<DVec2>> {
    let mut from: BTreeMap<(i64, i64), Vec<Edge>> = BTreeMap::new();
    for face in terrain.exposed_faces() {
        let edge = Edge { a: face.a.units(), b: face.b.units() };
        from.entry(edge.a.into()).or_default().push(edge);
    }
    let mut loops = Vec::new();
    while let Some((_, edges)) = from.iter_mut().find(|(_, edges)| !edges.is_empty()) {
        let first = edges.remove(0);
        let mut points = vec![first.a];
        let mut at = first;
        while at.b != first.a {
            let Some(edges) = from.get_mut(&<(i64, i64)>::from(at.b)) else { break };
            let Some(next) = next(at, edges) else { break };
            points.push(at.b);
            at = edges.remove(next);
        }
        loops.push(without_flat(&points).into_iter().map(to_lengths).collect());
        from.retain(|_, edges| !edges.is_empty());
    }
    loops
}

/// The edge that an edge goes on into: the one that turns most to the left, where the air is.
fn next(at: Edge, edges: &[Edge]) -> Option<usize> {
    let way = to_lengths(at.b - at.a).normalize();
    let turn = |edge: &Edge| {
        let next = to_lengths(edge.b - edge.a).normalize();
        // The result grows from -2, a half turn to the right, to 2, a half turn to the left.
        let (cross, dot) = (way.perp_dot(next), way.dot(next));
        if cross < 0.0 { dot - 1.0 } else { 1.0 - dot }
    };
    (0..edges.len()).max_by(|&i, &j| turn(&edges[i]).total_cmp(&turn(&edges[j])))
}

/// A closed loop without the points at which it does not turn.
fn without_flat(points: &[I64Vec2]) -> Vec<I64Vec2> {
    let count = points.len();
    let turns = |i: &usize| {
        let (before, at, after) = (points[(i + count - 1) % count], points[*i], points[(i + 1) % count]);
        to_lengths(at - before).perp_dot(to_lengths(after - at)) != 0.0
    };
    (0..count).filter(turns).map(|i| points[i]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    fn outlines(rows: &[&str]) -> Vec<Vec<DVec2>> {
        let rows: Vec<String> = rows.iter().map(|row| (*row).to_owned()).collect();
        loops(&Scene::from_rows(&rows).terrain)
    }

    fn area(points: &[DVec2]) -> f64 {
        let next = points.iter().cycle().skip(1);
        points.iter().zip(next).map(|(a, b)| a.perp_dot(*b) / 2.0).sum()
    }

    #[test]
    fn a_row_of_blocks_has_four_corners_and_the_air_outside() {
        let found = outlines(&[".....", ".###.", "....."]);
        assert_eq!((found.len(), found[0].len(), area(&found[0])), (1, 4, -3.0));
    }

    #[test]
    fn a_hill_has_its_slopes() {
        // The hill is a trapezium, 4 wide at its foot and 2 at its top. Its area is 3, and that of the floor below it
        // is 6.
        let found = outlines(&["......", "./##\\.", "######"]);
        assert_eq!((found.len(), area(&found[0])), (1, -9.0));
        assert_eq!(found[0].len(), 8);
    }

    #[test]
    fn a_hole_is_a_loop_of_its_own() {
        let mut areas: Vec<f64> = outlines(&["###", "#.#", "###"]).iter().map(|points| area(points)).collect();
        areas.sort_by(f64::total_cmp);
        assert_eq!(areas, [-9.0, 1.0]);
    }

    #[test]
    fn an_outline_goes_on_where_the_same_air_does() {
        // Each of the two quarters of air at the shared corner is bounded by both blocks.
        let found = outlines(&["#.", ".#"]);
        assert_eq!((found.len(), found[0].len(), area(&found[0])), (1, 8, -2.0));
    }
}

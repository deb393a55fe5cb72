//! Paints markers of well-known names as what they stand for: a goal as a star, a checkpoint as a flag, a turret as a
//! gun.

use crate::scene::areas::{paint_flag, paint_star};
use crate::scene::backdrop::mixed;
use crate::{Canvas, Paint, Palette, PathData, View};
use std::collections::{BTreeMap, BTreeSet};
use surefoot::Map;
use surefoot::geometry::{DVec2, Position};
use surefoot::map::Value;

/// A marker that the player sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sign {
    /// The goal.
    Goal,
    /// A place at which the hero starts again.
    Checkpoint,
    /// A turret, with the direction in which it shoots.
    Turret(DVec2),
}

/// Size of a turret in tiles: radius of its dome, length and half width of its barrel, depth and half width of its
/// foot.
const DOME_TILES: f64 = 0.27;
const BARREL_TILES: (f64, f64) = (0.5, 0.1);
const FOOT_TILES: (f64, f64) = (0.12, 0.34);
/// Distance of a turret's middle from the front of its foot in tiles. The foot ends at the side of the cell.
const FOOT_DISTANCE_TILES: f64 = 0.38;

/// Returns the markers of a map that the player sees, with their positions. An area that has a look of its own hides
/// the marker of its cell.
#[must_use]
pub fn signs_of_map(map: &Map) -> Vec<(DVec2, Sign)> {
    let cell = |at: DVec2| (at.x.floor() as i32, at.y.floor() as i32);
    let mut signs = Vec::new();
    for (name, sign) in [("goal", Sign::Goal), ("checkpoint", Sign::Checkpoint)] {
        let places: Vec<DVec2> = map.markers(name).map(Position::to_dvec2).collect();
        if places.is_empty() {
            continue;
        }
        let areas = map.areas().iter().filter(|area| area.tag == name).filter_map(|area| area.position.ok());
        let hidden: BTreeSet<_> = areas.map(|position| cell(position.to_dvec2())).collect();
        signs.extend(places.into_iter().filter(|at| !hidden.contains(&cell(*at))).map(|at| (at, sign)));
    }
    let turrets = map
        .markers_with_properties("turret")
        .map(|(position, properties)| (position.to_dvec2(), Sign::Turret(turret_direction(properties))));
    signs.extend(turrets);
    signs
}

/// Returns the direction in which a turret shoots: that of its property `towards`, or else the sign of its `speed` to
/// the right.
fn turret_direction(properties: &BTreeMap<String, Value>) -> DVec2 {
    match properties.get("towards").and_then(Value::as_str) {
        Some("left") => DVec2::NEG_X,
        Some("up") => DVec2::Y,
        Some("down") => DVec2::NEG_Y,
        Some(_) => DVec2::X,
        None => DVec2::X * properties.get("speed").and_then(Value::as_f64).unwrap_or(1.0).signum(),
    }
}

/// Paints the signs between two cells.
pub fn paint(
    canvas: &mut impl Canvas,
    view: &View,
    signs: &[(DVec2, Sign)],
    (low, high): ((i32, i32), (i32, i32)),
    palette: &Palette,
) {
    let (low, high) = (DVec2::new(low.0.into(), low.1.into()), DVec2::new(high.0.into(), high.1.into()) + 1.0);
    for &(at, sign) in signs.iter().filter(|(at, _)| at.cmpge(low - 1.0).all() && at.cmple(high + 1.0).all()) {
        match sign {
            Sign::Goal => paint_star(canvas, view, at, palette),
            Sign::Checkpoint => paint_flag(canvas, view, at, palette),
            Sign::Turret(along) => paint_turret(canvas, view, at, along, palette),
        }
    }
}

/// Paints a gun on a foot: a dome with a barrel and a red lamp.
fn paint_turret(canvas: &mut impl Canvas, view: &View, at: DVec2, along: DVec2, palette: &Palette) {
    let line = (view.scale * 0.05).max(1.0);
    let metal = |share: f64| Paint::stroke(palette.background, line).filled(mixed(palette.rim, palette.edge, share));
    let mut block = |from: f64, to: f64, half: f64, paint: &Paint| {
        let side = along.perp() * half;
        let corners = [along * from + side, along * to + side, along * to - side, along * from - side];
        let mut path = PathData::new();
        path.polygon(corners.map(|corner| view.point(at + corner)));
        canvas.path(&path, paint);
    };
    block(-FOOT_DISTANCE_TILES - FOOT_TILES.0, -FOOT_DISTANCE_TILES, FOOT_TILES.1, &metal(0.0));
    block(-FOOT_DISTANCE_TILES, 0.0, FOOT_TILES.1 * 0.5, &metal(0.15));
    block(0.0, BARREL_TILES.0, BARREL_TILES.1, &metal(0.5));
    block(BARREL_TILES.0 - 0.1, BARREL_TILES.0, BARREL_TILES.1 * 1.5, &metal(0.5));
    canvas.circle(view.point(at), view.scale * DOME_TILES, &metal(0.25));
    canvas.circle(view.point(at), view.scale * 0.1, &Paint::fill(palette.unreachable));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::mesh::Mesh;

    #[test]
    fn the_barrel_of_a_turret_points_to_where_it_shoots() {
        let view = View { left: 0.0, top: 3.0, scale: 100.0 };
        for (name, value, along) in [
            ("speed", "-9.0", DVec2::NEG_X),
            ("speed", "9.0", DVec2::X),
            ("towards", "\"left\"", DVec2::NEG_X),
            ("towards", "\"up\"", DVec2::Y),
            ("towards", "\"down\"", DVec2::NEG_Y),
        ] {
            let legend = format!("{{'t': (marker: (name: \"turret\", properties: {{{name:?}: {value}}}))}}");
            let text = format!("Map(format: 1, tiles: [\"...\", \".t.\", \"...\"], legend: {legend})");
            let signs = signs_of_map(&Map::from_ron(&text).expect("a map"));
            let mut mesh = Mesh::new();
            paint(&mut mesh, &view, &signs, ((1, 1), (1, 1)), &Palette::NIGHT);
            // Only the muzzle is more than 0.45 tiles from the middle along the barrel, and it is narrow.
            let places = mesh
                .vertices()
                .iter()
                .map(|vertex| DVec2::new(f64::from(vertex.x) / 100.0 - 1.5, 1.5 - f64::from(vertex.y) / 100.0));
            let far: Vec<DVec2> = places.filter(|at| at.dot(along) > 0.45).collect();
            assert!(
                !far.is_empty() && far.iter().all(|at| at.dot(along.perp()).abs() < 0.25),
                "{name}: {value} {far:?}"
            );
            let mut mesh = Mesh::new();
            paint(&mut mesh, &view, &signs, ((4, 1), (5, 1)), &Palette::NIGHT);
            assert!(mesh.is_empty(), "it is not in view");
        }
    }

    #[test]
    fn a_marker_is_a_sign_unless_an_area_shows_it() {
        let text = r#"Map(format: 1, tiles: ["@*gk"], legend: {'g': (marker: "goal", area: (tag: "goal", shape: Circle(0.5))),
            'k': (marker: "checkpoint")})"#;
        let signs = signs_of_map(&Map::from_ron(text).expect("a map"));
        assert_eq!(signs, [(DVec2::new(1.5, 0.5), Sign::Goal), (DVec2::new(3.5, 0.5), Sign::Checkpoint)]);
    }
}

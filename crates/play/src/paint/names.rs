//! Paints the names of areas, and while building also those of bodies and markers.

use super::areas;
use super::widgets::SMALL_TEXT_HEIGHT;
use crate::Mesh;
use crate::camera::Size;
use crate::open::Open;
use crate::panel::Area;
use surefoot::geometry::DVec2;
use surefoot_draw::font::width;
use surefoot_draw::{Canvas, MIN_READABLE_SCALE, Paint, Palette, Point, View, marker_name_place};

/// Marker that is drawn as a star, and the height of the star above a diamond in tiles.
const GOAL_MARKER: &str = "goal";
const STAR_ABOVE_DIAMOND_TILES: f64 = 0.2;

/// Height of the texts along the top of the window in pixels. No name covers them.
const HEAD_PIXELS: f64 = 30.0;

/// Opacity of the plate behind a name. The name stays readable across ceilings, flags and other lines.
const PLATE_OPACITY: f64 = 0.65;

/// Paints the names of areas, except those that would cover the followed body. `markers`: the first marker of each name
/// while building, when markers and all things with names of their own have names, too.
pub(super) fn paint(
    frame: &mut Mesh,
    markers: Option<&[(String, (i32, i32))]>,
    open: &Open,
    view: &View,
    size: Size,
    palette: &Palette,
) {
    let hero = open.followed_body().and_then(|id| open.session.world().get(id)).map(|hero| open.drawn_bounds(hero));
    let (session, is_readable) = (&open.session, view.scale >= MIN_READABLE_SCALE);
    let (world, fraction, is_building) = (session.world(), session.fraction(), markers.is_some());
    // In a game with rules, the names of areas are for the rules and not for the player.
    let areas = world.areas().filter(|_| !session.has_rules()).filter_map(|(_, state)| {
        let at = state.position_at(fraction).as_dvec2();
        let (text, at, height) = areas::label(state.area(), at, view, is_building)?;
        Some((text, at, height, palette.quiet_text))
    });
    let bodies = world.bodies().filter(|_| is_building && is_readable).filter_map(|(id, body)| {
        let placed = world.placed_body(id)?;
        let name = areas::own_name(&placed.name, &placed.thing.kind)?;
        let top = body.position_at(fraction).as_dvec2() + DVec2::new(0.0, body.shape().half_extents().y + 0.1);
        Some((name, view.point(top), SMALL_TEXT_HEIGHT, palette.quiet_text))
    });
    let markers = markers.unwrap_or_default().iter().filter(|_| is_readable).map(|(name, tile)| {
        let (at, height) = marker_name_place(view, *tile);
        // The star of a goal reaches higher than a diamond.
        let above = if name == GOAL_MARKER { STAR_ABOVE_DIAMOND_TILES * view.scale } else { 0.0 };
        (name.as_str(), Point { y: at.y - above, ..at }, height, palette.marker)
    });
    let mut taken = Vec::new();
    for (name, at, height, color) in areas.chain(bodies).chain(markers) {
        let gap = 0.5 * height;
        let plate = Area {
            corner: Point { x: at.x - width(name, height) / 2.0 - gap, y: at.y - height - gap },
            width: width(name, height) + 2.0 * gap,
            height: height + 2.0 * gap,
        };
        let Some(plate) = move_name_plate_to_free_place(plate, at, size, &taken) else { continue };
        let Area { corner, width, height: plate_height } = plate;
        let is_covered = hero.is_some_and(|[left, top, right, bottom]| {
            corner.x + width > left && corner.x < right && corner.y + plate_height > top && corner.y < bottom
        });
        if !is_covered {
            frame.rect(corner, width, plate_height, &Paint::fill(palette.background).opacity(PLATE_OPACITY));
            let baseline = Point { x: corner.x + width / 2.0, y: corner.y + plate_height - gap };
            frame.centred_text(name, baseline, height, color);
            taken.push(plate);
        }
    }
}

/// Returns a plate where it is wholly in the window and covers no other plate, as near to its thing as it can be.
/// `None` if the thing, at `at`, is out of the window. A plate with many others above it covers some of them.
fn move_name_plate_to_free_place(plate: Area, at: Point, size: Size, others: &[Area]) -> Option<Area> {
    if !(0.0..=size.width).contains(&at.x) || !(0.0..=size.height).contains(&at.y) {
        return None;
    }
    let x = plate.corner.x.min(size.width - plate.width).max(0.0);
    let mut placed = Area { corner: Point { x, y: plate.corner.y.max(HEAD_PIXELS) }, ..plate };
    for _ in 0..MAX_MOVES {
        let Some(other) = others.iter().find(|other| areas_overlap(&placed, other)) else { break };
        let above = other.corner.y - plate.height;
        // A name must not cover the texts at the top of the window. If it would, move it below the other name.
        placed.corner.y = if above >= HEAD_PIXELS { above } else { other.corner.y + other.height };
    }
    Some(placed)
}

/// Maximum number of names past which a name is moved.
const MAX_MOVES: usize = 8;

fn areas_overlap(a: &Area, b: &Area) -> bool {
    a.corner.x < b.corner.x + b.width
        && b.corner.x < a.corner.x + a.width
        && a.corner.y < b.corner.y + b.height
        && b.corner.y < a.corner.y + a.height
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_plate_at(x: f64, y: f64) -> Area {
        Area { corner: Point { x, y }, width: 100.0, height: 16.0 }
    }

    fn find_corner_for_plate(plate: Area, others: &[Area]) -> Option<[f64; 2]> {
        let at = Point { x: plate.corner.x + 50.0, y: plate.corner.y + 12.0 };
        move_name_plate_to_free_place(plate, at, Size { width: 640.0, height: 480.0 }, others)
            .map(|Area { corner, .. }| [corner.x, corner.y])
    }

    #[test]
    fn names_stay_in_the_window_if_their_things_are_there() {
        assert_eq!(find_corner_for_plate(name_plate_at(300.0, 200.0), &[]), Some([300.0, 200.0]));
        assert_eq!(find_corner_for_plate(name_plate_at(-40.0, 200.0), &[]), Some([0.0, 200.0]));
        assert_eq!(find_corner_for_plate(name_plate_at(580.0, 200.0), &[]), Some([540.0, 200.0]));
        assert_eq!(
            find_corner_for_plate(name_plate_at(300.0, 2.0), &[]),
            Some([300.0, HEAD_PIXELS]),
            "below the texts of the window"
        );
        for gone in [
            name_plate_at(-60.0, 200.0),
            name_plate_at(600.0, 200.0),
            name_plate_at(300.0, -20.0),
            name_plate_at(300.0, 470.0),
        ] {
            assert_eq!(find_corner_for_plate(gone, &[]), None);
        }
    }

    #[test]
    fn names_cover_no_other_names() {
        let low = name_plate_at(300.0, 200.0);
        assert_eq!(find_corner_for_plate(name_plate_at(320.0, 205.0), &[low]), Some([320.0, 184.0]), "above the other");
        assert_eq!(find_corner_for_plate(name_plate_at(400.0, 205.0), &[low]), Some([400.0, 205.0]), "they only touch");
        assert_eq!(
            find_corner_for_plate(name_plate_at(320.0, 205.0), &[low, name_plate_at(250.0, 190.0)]),
            Some([320.0, 174.0]),
            "above both"
        );
        let head = name_plate_at(300.0, HEAD_PIXELS);
        assert_eq!(
            find_corner_for_plate(name_plate_at(320.0, 32.0), &[head]),
            Some([320.0, HEAD_PIXELS + 16.0]),
            "no room above"
        );
    }
}

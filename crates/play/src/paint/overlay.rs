//! What is shown of the inside of the engine: contacts, the motion of the last tick, swept tiles.

use super::widgets::line;
use crate::swept;
use surefoot::{World, geometry::DVec2};
use surefoot_draw::{Canvas, Paint, Palette, PathData, Point, View, contact_point, paint_contact};

/// How long a contact's normal is drawn, and the velocity of one tile per second, in tiles.
const NORMAL: f64 = 0.5;
const VELOCITY: f64 = 0.1;

/// How much of a tile that was swept is hidden by its mark.
const SWEPT: f64 = 0.22;

/// Marks the tiles that each body's last motion was swept over.
pub(crate) fn swept_tiles(canvas: &mut impl Canvas, view: &View, world: &World, palette: &Palette) {
    let mut tiles: Vec<_> = world.bodies().flat_map(|(_, body)| swept::tiles(body)).collect();
    tiles.sort_unstable();
    tiles.dedup();
    for (x, y) in tiles {
        let corner = view.point(DVec2::new(f64::from(x), f64::from(y) + 1.0));
        canvas.rect(corner, view.scale, view.scale, &Paint::fill(palette.normal).opacity(SWEPT));
        let inside = Point { x: corner.x + 0.5, y: corner.y + 0.5 };
        canvas.rect(inside, view.scale - 1.0, view.scale - 1.0, &Paint::stroke(palette.normal, 1.0).opacity(0.6));
    }
}

/// Shows what each body touches, the way of its last tick with a dot where each straight part of it ended, and its
/// velocity.
pub(crate) fn motion(canvas: &mut impl Canvas, view: &View, world: &World, palette: &Palette) {
    for (id, body) in world.bodies() {
        let position = body.position().to_dvec2();
        let mut way = PathData::new();
        let stops = std::iter::once(body.position_at(0.0).as_dvec2())
            .chain(body.path().iter().map(|position| position.to_dvec2()));
        way.run(stops.map(|at| view.point(at)));
        canvas.path(&way, &Paint::stroke(palette.marker, 2.0).round());
        for stop in body.path() {
            canvas.circle(view.point(stop.to_dvec2()), 2.5, &Paint::fill(palette.marker));
        }
        let (from, to) = (view.point(position), view.point(position + body.velocity() * VELOCITY));
        line(canvas, from, to, palette.text, 1.5);
        for contact in world.contacts(id).iter() {
            let at = contact_point(body.shape(), body.position(), contact.normal, contact.tile);
            line(canvas, view.point(at), view.point(at + contact.normal * NORMAL), palette.contact, 2.0);
            paint_contact(canvas, view, at, contact.normal, palette.contact);
        }
    }
}

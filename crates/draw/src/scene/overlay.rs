//! Paints debug overlays: contacts, the motion of the last tick, swept tiles and riders.

use crate::scene::swept;
use crate::{Canvas, Color, Paint, Palette, PathData, Point, View, contact_point, paint_body, paint_contact};
use surefoot::{World, geometry::DVec2};

/// Length of a contact's normal, and of a velocity of one tile per second, in tiles.
const NORMAL_LENGTH: f64 = 0.5;
const VELOCITY_LENGTH: f64 = 0.1;

/// Width of the outline of a rider, in pixels.
const RIDER_LINE_WIDTH: f64 = 2.0;

/// Opacity of the mark of a swept tile.
const SWEPT_OPACITY: f64 = 0.22;

/// Marks the tiles that the last motion of each body swept over.
pub fn swept_tiles(canvas: &mut impl Canvas, view: &View, world: &World, palette: &Palette) {
    let mut tiles: Vec<_> = world.bodies().flat_map(|(_, body)| swept::swept_tiles_of_body(body)).collect();
    tiles.sort_unstable();
    tiles.dedup();
    for (x, y) in tiles {
        let corner = view.point(DVec2::new(f64::from(x), f64::from(y) + 1.0));
        canvas.rect(corner, view.scale, view.scale, &Paint::fill(palette.normal).opacity(SWEPT_OPACITY));
        let inside = Point { x: corner.x + 0.5, y: corner.y + 0.5 };
        canvas.rect(inside, view.scale - 1.0, view.scale - 1.0, &Paint::stroke(palette.normal, 1.0).opacity(0.6));
    }
}

/// Shows the contacts of each body, the path of its last tick with a dot after each segment, and its velocity.
pub fn motion(canvas: &mut impl Canvas, view: &View, world: &World, palette: &Palette) {
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
        let (from, to) = (view.point(position), view.point(position + body.velocity() * VELOCITY_LENGTH));
        paint_line(canvas, from, to, palette.text, 1.5);
        for contact in world.contacts(id).iter() {
            let at = contact_point(body.shape(), body.position(), contact.normal, contact.tile);
            paint_line(canvas, view.point(at), view.point(at + contact.normal * NORMAL_LENGTH), palette.contact, 2.0);
            paint_contact(canvas, view, at, contact.normal, palette.contact);
        }
    }
}

/// Outlines each body that rides a platform, at its interpolated position.
pub fn riders(canvas: &mut impl Canvas, view: &View, world: &World, fraction: f32, palette: &Palette) {
    for (_, body) in world.bodies().filter(|(id, _)| world.platform_under(*id).is_some()) {
        let centre = body.position_at(fraction).as_dvec2();
        paint_body(canvas, view, body.shape(), centre, &Paint::stroke(palette.marker, RIDER_LINE_WIDTH));
    }
}

fn paint_line(canvas: &mut impl Canvas, from: Point, to: Point, color: Color, width: f64) {
    let mut path = PathData::new();
    path.run([from, to]);
    canvas.path(&path, &Paint::stroke(color, width).round());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::mesh::Mesh;
    use crate::scene::raster::rasterize;
    use surefoot::Map;
    use surefoot::prelude::*;

    /// A platform at (1, 1) that moves to the right with a box on it, and a box on the floor next to it, at 10 pixels a
    /// tile.
    #[test]
    fn riders_are_marked_and_other_bodies_are_not() {
        let map = Map::from_ron(
            r###"Map(format: 1, tiles: ["..........", "..........", "..........", "=========="], platforms: [
                (tiles: ["##"], at: (1, 1), motion: Path(points: [(0, 0), (4, 0)], speed: 6))])"###,
        )
        .expect("a map");
        let mut world = World::new(map, Settings::default());
        let [rider, beside] = [(2.0, 2.5), (8.5, 1.5)].map(|at| world.spawn(Body::new(Shape::aabb(0.5, 0.5)).at(at)));
        let (rider, beside) = (rider.expect("there is room"), beside.expect("there is room"));
        let view = View { left: 0.0, top: 4.0, scale: 10.0 };
        let marked = |world: &World, body, fraction| {
            let mut mesh = Mesh::new();
            riders(&mut mesh, &view, world, fraction, &Palette::NIGHT);
            let pixels = rasterize(&mesh, (100, 40), 1);
            // Look at the middles of the four sides of the drawn box.
            let corner = view.point(world[body].position_at(fraction).as_dvec2());
            [(-5.0, 0.0), (5.0, 0.0), (0.0, -5.0), (0.0, 5.0)]
                .map(|(x, y)| pixels.colors[(corner.y + y) as usize * 100 + (corner.x + x) as usize])
        };
        let color = Palette::NIGHT.marker.0.map(f64::from);
        for tick in 1..=20 {
            world.step();
            for fraction in [0.0, 0.5, 1.0] {
                assert_eq!(marked(&world, rider, fraction), [color; 4], "tick {tick}, {fraction}");
                assert_eq!(marked(&world, beside, fraction), [[0.0; 3]; 4], "tick {tick}, {fraction}");
            }
        }
    }
}

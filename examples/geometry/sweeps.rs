//! Draws sweeps of circles and boxes against each kind of obstacle.

use crate::canvas::{ANSWER, Canvas, MOVER, OBSTACLE, Panel, ghost, mover, solid};
use std::error::Error;
use surefoot_draw::Svg;
use surefoot_geometry::{
    Aabb, AnyShape, Bounded, Capsule, Circle, ConvexPolygon, DVec2, Ends, Obb, Point, Segment, Sweep, Triangle, dvec2,
};

type Drawn = Result<Svg, Box<dyn Error>>;

/// A moving shape, as the pictures need it.
trait Mover {
    fn center(&self) -> DVec2;
    fn any(&self) -> AnyShape<'_>;
    fn swept(&self, motion: DVec2, obstacle: &impl Bounded) -> Sweep;
}

impl Mover for Circle {
    fn center(&self) -> DVec2 {
        Circle::center(self)
    }

    fn any(&self) -> AnyShape<'_> {
        self.into()
    }

    fn swept(&self, motion: DVec2, obstacle: &impl Bounded) -> Sweep {
        self.sweep(motion, obstacle)
    }
}

impl Mover for Aabb {
    fn center(&self) -> DVec2 {
        Aabb::center(self)
    }

    fn any(&self) -> AnyShape<'_> {
        self.into()
    }

    fn swept(&self, motion: DVec2, obstacle: &impl Bounded) -> Sweep {
        self.sweep(motion, obstacle)
    }
}

/// A circle against each obstacle.
pub(crate) fn draw_circle_sweeps() -> Drawn {
    sweeps("circles swept against each kind of shape", &Circle::new(dvec2(-2.6, 2.2), 0.75)?)
}

/// A box against each obstacle.
pub(crate) fn draw_box_sweeps() -> Drawn {
    sweeps("boxes swept against each kind of shape", &Aabb::from_center(dvec2(-2.6, 2.2), dvec2(0.8, 0.55))?)
}

fn sweeps(title: &str, mover: &impl Mover) -> Drawn {
    let mut canvas = Canvas::new(title, 4, 2);
    let motion = dvec2(5.2, -4.4);
    let point = Point::new(dvec2(0.6, 0.4))?;
    let segment = Segment::new(dvec2(-2.4, -2.2), dvec2(2.8, 0.4))?;
    let circle = Circle::new(dvec2(0.9, -0.9), 1.3)?;
    let aabb = Aabb::new(dvec2(-0.6, -2.6), dvec2(2.6, -0.4))?;
    let obb = Obb::new(dvec2(0.7, -1.0), dvec2(1.7, 0.8), dvec2(4.0, 3.0))?;
    let capsule = Capsule::new(dvec2(-1.4, -2.2), dvec2(2.2, -0.6), 0.6)?;
    let triangle = Triangle::new([dvec2(-1.6, -2.6), dvec2(2.8, -1.8), dvec2(0.8, 0.9)])?;
    let corners = [dvec2(-0.8, -1.2), dvec2(0.4, -2.7), dvec2(2.4, -2.0), dvec2(2.6, 0.0), dvec2(0.9, 0.8)];
    let polygon = ConvexPolygon::new(&corners)?;
    swept(&mut canvas, "Point", mover, motion, &point, (&point).into());
    swept(&mut canvas, "Segment", mover, motion, &segment, (&segment).into());
    swept(&mut canvas, "Circle", mover, motion, &circle, (&circle).into());
    swept(&mut canvas, "Aabb", mover, motion, &aabb, (&aabb).into());
    swept(&mut canvas, "Obb", mover, motion, &obb, (&obb).into());
    swept(&mut canvas, "Capsule", mover, motion, &capsule, (&capsule).into());
    swept(&mut canvas, "Triangle", mover, motion, &triangle, (&triangle).into());
    swept(&mut canvas, "ConvexPolygon", mover, motion, &polygon, (&polygon).into());
    Ok(canvas.finish())
}

fn swept(
    canvas: &mut Canvas,
    name: &str,
    mover: &impl Mover,
    motion: DVec2,
    obstacle: &impl Bounded,
    shown: AnyShape<'_>,
) {
    let answer = mover.swept(motion, obstacle);
    canvas.panel(name, |panel| {
        panel.shape(shown, &solid());
        way(panel, mover, motion, answer);
    });
}

/// A one-way platform's edge with its normal up: from above, from below and past its ends.
pub(crate) fn one_sided() -> Drawn {
    let mut canvas = Canvas::new("sweeps against a one-sided edge", 4, 2);
    let edge = Segment::new(dvec2(-1.8, 0.0), dvec2(1.8, 0.0))?;
    let circle = |x: f64, y: f64| Circle::new(dvec2(x, y), 0.7);
    let aabb = |x: f64, y: f64| Aabb::from_center(dvec2(x, y), dvec2(0.7, 0.5));
    let (down, up, past) = (dvec2(1.6, -4.4), dvec2(0.6, 4.6), dvec2(-1.2, -4.4));
    for (name, motion, at) in [
        ("onto its face", down, (-1.4, 2.4)),
        ("through it from below", up, (0.0, -2.4)),
        ("onto its rim", past, (3.0, 2.4)),
    ] {
        let mover = circle(at.0, at.1)?;
        draw_edge_sweep(&mut canvas, name, &mover, motion, &edge, mover.sweep_one_sided(motion, &edge, Ends::BOTH));
    }
    let joined = circle(3.0, 2.4)?;
    let answer = joined.sweep_one_sided(past, &edge, Ends::NEITHER);
    draw_edge_sweep(&mut canvas, "its end is a join", &joined, past, &edge, answer);
    for (name, motion, at) in [
        ("onto its face", down, (-1.4, 2.4)),
        ("through it from below", up, (0.0, -2.4)),
        ("against its rim", dvec2(-4.4, -0.3), (3.1, 0.3)),
        ("in line with its end", dvec2(0.0, -4.6), (2.5, 2.4)),
    ] {
        let mover = aabb(at.0, at.1)?;
        draw_edge_sweep(&mut canvas, name, &mover, motion, &edge, mover.sweep_one_sided(motion, &edge, Ends::BOTH));
    }
    Ok(canvas.finish())
}

fn draw_edge_sweep(canvas: &mut Canvas, name: &str, mover: &impl Mover, motion: DVec2, edge: &Segment, answer: Sweep) {
    canvas.panel(name, |panel| {
        panel.shape(edge.into(), &solid());
        if let Some(normal) = edge.normal() {
            let middle = edge.a().midpoint(edge.b());
            panel.arrow(middle, middle + normal * 0.45, OBSTACLE, 1.2);
        }
        way(panel, mover, motion, answer);
    });
}

/// Draws the mover at its start, its path, and its hit, or its end without a hit.
fn way(panel: &mut Panel<'_>, start: &impl Mover, motion: DVec2, answer: Sweep) {
    panel.shape(start.any(), &mover());
    match answer.hit() {
        Some(hit) => {
            let way = motion * hit.toi;
            panel.shifted(start.any(), way, &mover().filled(surefoot_draw::Palette::PAPER.grid).opacity(0.9));
            panel.arrow(start.center(), start.center() + way, MOVER, 1.6);
            panel.shifted(start.any(), motion, &ghost());
            panel.arrow(hit.point, hit.point + hit.normal, ANSWER, 2.4);
            panel.dot(hit.point, ANSWER);
        }
        None => {
            panel.shifted(start.any(), motion, &mover());
            panel.arrow(start.center(), start.center() + motion, MOVER, 1.6);
        }
    }
}

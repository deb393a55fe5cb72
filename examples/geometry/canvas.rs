//! A canvas of panels with shapes, arrows, points and normals.

use surefoot_draw::{Canvas as _, Color, Paint, Palette, PathData, Point, Svg, View};
use surefoot_geometry::{AnyShape, DVec2, dvec2};

pub(crate) const PALETTE: Palette = Palette::PAPER;
/// Colours of movers, of obstacles and of results.
pub(crate) const MOVER: Color = PALETTE.bodies[1];
pub(crate) const OBSTACLE: Color = PALETTE.edge;
pub(crate) const ANSWER: Color = PALETTE.bodies[0];

/// Sizes in pixels: the sides of a panel, its title stripe, and the gap between panels.
const SIDE: f64 = 200.0;
const HEAD: f64 = 26.0;
const GAP: f64 = 8.0;
/// Width of a panel in lengths. The origin is its middle.
const LENGTHS: f64 = 8.0;

/// A picture of panels in rows. Each has a name and shows a square of the plane.
pub(crate) struct Canvas {
    svg: Svg,
    columns: usize,
    panels: usize,
}

/// One panel.
pub(crate) struct Panel<'a> {
    svg: &'a mut Svg,
    view: View,
}

impl Canvas {
    pub(crate) fn new(title: &str, columns: usize, rows: usize) -> Canvas {
        let across = |count: usize, side: f64| count as f64 * (side + GAP) + GAP;
        let mut svg = Svg::new(across(columns, SIDE), across(rows, SIDE + HEAD), title);
        let (width, height) = (svg.width(), svg.height());
        svg.rect(Point { x: 0.0, y: 0.0 }, width, height, &Paint::fill(PALETTE.background));
        Canvas { svg, columns, panels: 0 }
    }

    /// Adds the next panel, from left to right and from top to bottom.
    pub(crate) fn panel(&mut self, name: &str, content: impl FnOnce(&mut Panel<'_>)) {
        let (column, row) = (self.panels % self.columns, self.panels / self.columns);
        self.panels += 1;
        let left = GAP + column as f64 * (SIDE + GAP);
        let top = GAP + row as f64 * (SIDE + HEAD + GAP);
        self.svg.text(name, Point { x: left + 2.0, y: top + HEAD - 9.0 }, 9.0, PALETTE.text);
        let frame = Paint::stroke(PALETTE.grid, 1.0);
        self.svg.rect(Point { x: left, y: top + HEAD }, SIDE, SIDE, &frame);
        let middle = Point { x: left + SIDE / 2.0, y: top + HEAD + SIDE / 2.0 };
        content(&mut Panel { svg: &mut self.svg, view: View::with_origin_at(middle, SIDE / LENGTHS) });
    }

    pub(crate) fn finish(self) -> Svg {
        self.svg
    }
}

impl Panel<'_> {
    /// Draws a bounded shape.
    pub(crate) fn shape(&mut self, shape: AnyShape<'_>, paint: &Paint) {
        let view = self.view;
        match shape {
            AnyShape::Point(point) => self.dot(point.position(), OBSTACLE),
            AnyShape::Line(_) | AnyShape::Ray(_) => unreachable!("the pictures show bounded shapes"),
            AnyShape::Segment(segment) => self.run(&[segment.a(), segment.b()], paint),
            AnyShape::Circle(circle) => {
                self.svg.circle(view.point(circle.center()), circle.radius() * view.scale, paint)
            }
            AnyShape::Aabb(aabb) => {
                let (min, max) = (aabb.min(), aabb.max());
                self.polygon(&[min, dvec2(max.x, min.y), max, dvec2(min.x, max.y)], paint);
            }
            AnyShape::Obb(obb) => self.polygon(obb.corners(), paint),
            AnyShape::Capsule(capsule) => self.polygon(&outline(capsule.a(), capsule.b(), capsule.radius()), paint),
            AnyShape::Triangle(triangle) => self.polygon(&triangle.corners(), paint),
            AnyShape::ConvexPolygon(polygon) => self.polygon(polygon.corners(), paint),
        }
    }

    /// Draws the shape moved by `by`.
    pub(crate) fn shifted(&mut self, shape: AnyShape<'_>, by: DVec2, paint: &Paint) {
        let view = self.view;
        self.view = View { left: view.left - by.x, top: view.top - by.y, ..view };
        self.shape(shape, paint);
        self.view = view;
    }

    /// Draws an arrow.
    pub(crate) fn arrow(&mut self, from: DVec2, to: DVec2, color: Color, width: f64) {
        const HEAD: f64 = 0.28;
        self.run(&[from, to], &Paint::stroke(color, width).round());
        if let Some(along) = (to - from).try_normalize() {
            let side = |turn: f64| to - (along + along.perp() * turn) * HEAD;
            self.run(&[side(0.55), to, side(-0.55)], &Paint::stroke(color, width).round());
        }
    }

    pub(crate) fn dot(&mut self, at: DVec2, color: Color) {
        self.svg.circle(self.view.point(at), 3.5, &Paint::fill(color));
    }

    pub(crate) fn run(&mut self, points: &[DVec2], paint: &Paint) {
        let mut path = PathData::new();
        path.run(points.iter().map(|&point| self.view.point(point)));
        self.svg.path(&path, paint);
    }

    fn polygon(&mut self, corners: &[DVec2], paint: &Paint) {
        let mut path = PathData::new();
        path.polygon(corners.iter().map(|&corner| self.view.point(corner)));
        self.svg.path(&path, paint);
    }
}

/// Returns the outline of a capsule as a polygon with many corners.
#[allow(clippy::disallowed_methods, reason = "a picture's arc")]
fn outline(a: DVec2, b: DVec2, radius: f64) -> Vec<DVec2> {
    const STEPS: usize = 24;
    let across = (b - a).perp().try_normalize().unwrap_or(DVec2::Y) * radius;
    let arc = |center: DVec2, from: DVec2| {
        (0..=STEPS).map(move |step| {
            let angle = std::f64::consts::PI * step as f64 / STEPS as f64;
            center + DVec2::from_angle(angle).rotate(from)
        })
    };
    arc(a, across).chain(arc(b, -across)).collect()
}

/// Paint of an obstacle.
pub(crate) fn solid() -> Paint {
    Paint::stroke(OBSTACLE, 2.0).filled(PALETTE.rim).round()
}

/// Paint of a mover in its position.
pub(crate) fn mover() -> Paint {
    Paint::stroke(MOVER, 2.0).round()
}

/// Paint of a mover where it would be.
pub(crate) fn ghost() -> Paint {
    Paint::stroke(MOVER, 1.2).dashed(4.0, 4.0).opacity(0.8)
}

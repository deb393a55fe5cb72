//! Draws contacts of overlapping shapes: the contact point and the shortest way out.

use crate::canvas::{ANSWER, Canvas, ghost, mover, solid};
use std::error::Error;
use surefoot_draw::Svg;
use surefoot_geometry::{Aabb, AnyShape, Capsule, Circle, ConvexPolygon, Obb, Segment, Shape, Triangle, dvec2};

/// Draws the contact of the first shape with the second in each panel.
pub(crate) fn contacts() -> Result<Svg, Box<dyn Error>> {
    let mut canvas = Canvas::new("contacts: point, normal and depth", 4, 2);
    let ball = Circle::new(dvec2(-0.9, 0.8), 1.4)?;
    let other = Circle::new(dvec2(0.7, -0.6), 1.5)?;
    let floor = Aabb::new(dvec2(-2.8, -2.6), dvec2(2.8, 0.0))?;
    let chest = Aabb::new(dvec2(-1.6, -0.6), dvec2(1.0, 1.4))?;
    let tipped = Obb::new(dvec2(0.2, 0.9), dvec2(1.5, 0.9), dvec2(4.0, 3.0))?;
    let ramp = Triangle::new([dvec2(-2.8, -2.2), dvec2(2.8, -2.2), dvec2(2.8, 1.6)])?;
    let stone =
        ConvexPolygon::new(&[dvec2(-1.8, 0.6), dvec2(-0.9, -0.9), dvec2(0.8, -1.0), dvec2(1.6, 0.4), dvec2(0.2, 1.8)])?;
    let pill = Capsule::new(dvec2(-1.2, 1.2), dvec2(1.0, 0.2), 0.6)?;
    let (one, two) =
        (Segment::new(dvec2(-2.6, 0.6), dvec2(1.4, -0.2))?, Segment::new(dvec2(-0.2, -2.4), dvec2(0.4, 2.4))?);
    let bar = Segment::new(dvec2(-2.8, -0.6), dvec2(2.4, 1.0))?;
    let pairs: [(&str, AnyShape<'_>, AnyShape<'_>); 8] = [
        ("Circle, Circle", (&ball).into(), (&other).into()),
        ("Circle, Aabb", (&ball).into(), (&floor).into()),
        ("Aabb, Aabb", (&chest).into(), (&floor).into()),
        ("Obb, Aabb", (&tipped).into(), (&floor).into()),
        ("ConvexPolygon, Triangle", (&stone).into(), (&ramp).into()),
        ("Capsule, Triangle", (&pill).into(), (&ramp).into()),
        ("Circle, Segment", (&ball).into(), (&bar).into()),
        ("Segment, Segment", (&one).into(), (&two).into()),
    ];
    for (name, first, second) in pairs {
        let contact = first.contact(&second).ok_or("the shapes of a panel meet")?;
        canvas.panel(name, |panel| {
            panel.shape(second, &solid());
            panel.shape(first, &mover());
            let out = contact.normal * contact.depth;
            panel.shifted(first, out, &ghost());
            panel.arrow(contact.point, contact.point + contact.normal, ANSWER, 2.4);
            panel.dot(contact.point, ANSWER);
        });
    }
    Ok(canvas.finish())
}

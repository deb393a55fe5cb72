//! Box2D v3: its mover, as its own sample uses it, over chains; and its shape casts.
//!
//! Each tick repeats up to five times: find the planes around the mover, solve for the motion that respects them, and
//! cast along it. The sample keeps its mover above the ground with a spring. Here the mover stands on the planes that
//! push it, and a cast brings a body that stood down to the floor, as with the other peers. The mover is an upright
//! capsule. For the circle, the capsule has nearly no length. For the box, it has the same width and height.
//!
//! All calls go through the safe wrapper `boxdd`, which checks arguments and results. Its `cast_shape` collects every
//! hit. The C function lets its caller clip the cast to the nearest hit so far.

use super::{Body, Slide};
use crate::box2d_world::{position, vector, world};
use crate::cast::{Cast, Hit};
use crate::oracle::Form;
use crate::outline::loops;
use crate::scene::Scene;
use crate::walker::{FLOOR, GRAVITY, Walker};
use boxdd::{
    BodyBuilder, ChainDef, CollisionPlane, Foundation, MoverQueryBuffer, QueryFilter, RayQueryBuffer, ShapeProxy,
    Vec2 as V, World, clip_vector, solve_planes,
};
use surefoot::geometry::Vec2;

/// The sample's iteration ends after five rounds, or with a motion shorter than the tolerance.
const TOLERANCE: f32 = 0.01;
const ITERATIONS: usize = 5;
/// Overlap depth at which Box2D's casts stop, in tiles: its linear slop.
const SLOP: f32 = 0.005;
/// Distance of the search for a floor below a body that stood on one.
const SNAP: f32 = 0.18;

/// A Box2D world that holds the terrain's outlines as chains.
pub struct Box2d {
    world: World,
    radius: f32,
    half_line: f32,
    form: Form,
    planes: MoverQueryBuffer,
    hits: RayQueryBuffer,
    solver: Vec<CollisionPlane>,
}

impl Box2d {
    /// Makes a mover for a crowd.
    #[must_use]
    pub fn new(scene: &Scene, body: Body) -> Box2d {
        let half = body.half();
        // A capsule needs two ends. A thousandth of a tile apart, it is nearly a circle.
        Box2d::over(scene, half.x, (half.y - half.x).max(0.0005))
    }

    /// Makes a caster of a circle.
    #[must_use]
    pub fn caster(scene: &Scene, radius: f64) -> Box2d {
        Box2d { form: Form::circle(radius), ..Box2d::over(scene, radius, 0.0005) }
    }

    /// # Panics
    /// Panics if Box2D refuses the outlines.
    fn over(scene: &Scene, radius: f64, half_line: f64) -> Box2d {
        let mut world = world(GRAVITY, true);
        chains(&mut world, scene);
        Box2d {
            world,
            radius: radius as f32,
            half_line: half_line as f32,
            form: Form::Capsule { radius, half_line },
            planes: MoverQueryBuffer::new(),
            hits: RayQueryBuffer::new(),
            solver: Vec::new(),
        }
    }

    fn cast_mover(&self, from: Vec2, motion: Vec2) -> f32 {
        let (top, bottom) = self.ends();
        let query = self.world.query().expect("nothing else uses the world");
        let filter = QueryFilter::new();
        let fraction = query.cast_mover(position(from), bottom, top, self.radius, vector(motion), filter);
        fraction.expect("a cast of a mover")
    }

    /// Finds the planes around the mover at a position.
    fn collide(&mut self, at: Vec2) {
        let (top, bottom) = self.ends();
        let query = self.world.query().expect("nothing else uses the world");
        let filter = QueryFilter::new();
        query
            .collide_mover_into(position(at), bottom, top, self.radius, filter, &mut self.planes)
            .expect("the planes of a mover");
        let rigid = |plane: &boxdd::MoverPlaneResult| plane.into_rigid_collision_plane().ok().flatten();
        self.solver.clear();
        self.solver.extend(self.planes.iter().filter_map(rigid));
    }

    fn ends(&self) -> (V, V) {
        (V::new(0.0, self.half_line), V::new(0.0, -self.half_line))
    }
}

/// Adds the outlines of the terrain as chains.
///
/// # Panics
/// Panics if Box2D refuses the outlines.
pub(super) fn chains(world: &mut World, scene: &Scene) {
    let foundation = Foundation::initialize_default().expect("it is there");
    let ground = BodyBuilder::from(foundation.body_def()).build().expect("the defaults");
    let ground = world.create_body(ground).expect("a body");
    for outline in loops(&scene.terrain) {
        // Box2D's chains have the air on their right side.
        let points = outline.iter().rev().map(|p| V::new(p.x as f32, p.y as f32));
        let chain = ChainDef::builder().points(points).is_loop(true).build().expect("a chain");
        world.body(ground).expect("the ground").create_chain(&chain).expect("a chain on the ground");
    }
}

impl Slide for Box2d {
    fn slide(&mut self, walker: &mut Walker, motion: Vec2) {
        let stood = walker.on_floor;
        let target = walker.at + motion;
        for _ in 0..ITERATIONS {
            self.collide(walker.at);
            let solved = solve_planes(vector(target - walker.at), &mut self.solver).expect("planes in order");
            let wanted = solved.translation();
            let wanted = Vec2::new(wanted.x, wanted.y);
            let step = wanted * self.cast_mover(walker.at, wanted);
            walker.at += step;
            if step.length_squared() < TOLERANCE * TOLERANCE {
                break;
            }
        }
        let pushed = self.solver.iter().filter(|plane| plane.push() > 0.0);
        let on_floor = pushed.clone().any(|plane| plane.plane().normal().y > FLOOR);
        walker.on_floor = on_floor && walker.velocity.y <= 0.0;
        if walker.on_floor {
            walker.velocity.y = 0.0;
            // The floor has stopped the fall. Walls and ceilings stop the velocity into them.
            pushed.for_each(|plane| walker.meet(Vec2::new(plane.plane().normal().x, plane.plane().normal().y)));
            return;
        }
        let clipped = clip_vector(vector(walker.velocity), &self.solver).expect("planes in order");
        walker.velocity = Vec2::new(clipped.x, clipped.y);
        if stood && walker.velocity.y <= 0.0 {
            let down = Vec2::new(0.0, -SNAP);
            let fraction = self.cast_mover(walker.at, down);
            if fraction < 1.0 {
                walker.at += down * fraction;
                walker.on_floor = true;
                walker.velocity.y = 0.0;
            }
        }
    }

    fn form(&self) -> Form {
        self.form
    }
}

impl Cast for Box2d {
    fn cast(&mut self, from: Vec2, motion: Vec2, skin: f32) -> Option<Hit> {
        if motion == Vec2::ZERO {
            return None;
        }
        let query = self.world.query().expect("nothing else uses the world");
        let proxy = ShapeProxy::new([V::new(0.0, 0.0)], self.radius).expect("a circle");
        query
            .cast_shape_into(position(from), proxy, vector(motion), QueryFilter::new(), &mut self.hits)
            .expect("a cast of a circle");
        let hit = self.hits.iter().min_by(|a, b| a.fraction.total_cmp(&b.fraction))?;
        let normal = Vec2::new(hit.normal.x, hit.normal.y);
        // Box2D's casts keep no distance, and stop inside the surface by the slop. So subtract the skin along the path.
        let approach = -motion.dot(normal);
        let back = if skin > 0.0 && approach > 0.0 { (skin + SLOP) / approach } else { 0.0 };
        Some(Hit { time: (hit.fraction - back).max(0.0), normal })
    }
}

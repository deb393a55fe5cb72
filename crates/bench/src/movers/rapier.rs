//! rapier2d's kinematic character controller.
//!
//! Set up as its documentation has it: the default offset (a hundredth of the body's height), snapping to the
//! ground, no automatic steps. Slopes that may be climbed go to 50 degrees instead of 45, because at 45 its
//! comparison of f32 angles would make the slopes of the scene walls half of the time.

use super::{Body, Slide, parts};
use crate::cast::{Cast, Hit};
use crate::oracle::Form;
use crate::outline::loops;
use crate::scene::{Scene, TICK};
use crate::walker::Walker;
use rapier2d::control::KinematicCharacterController;
use rapier2d::parry::shape::{Polyline, PolylineFlags};
use rapier2d::prelude::{
    BroadPhaseBvh, CCDSolver, ColliderBuilder, ColliderSet, ImpulseJointSet, IntegrationParameters, IslandManager,
    MultibodyJointSet, NarrowPhase, PhysicsPipeline, Pose, QueryFilter, QueryPipeline, RigidBodySet, SharedShape,
    SoftBodySet, Vector,
};
use surefoot::geometry::Vec2;

/// A rapier world that holds the terrain as one collider, and the controller.
pub struct Rapier {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    controller: KinematicCharacterController,
    shape: SharedShape,
    form: Form,
    /// The normals of a move's hits.
    normals: Vec<Vec2>,
}

impl Rapier {
    /// Makes a mover over a compound of the visible tiles.
    #[must_use]
    pub fn compound(scene: &Scene, body: Body) -> Rapier {
        Rapier::over(compound(scene), body.form())
    }

    /// Makes a mover over a voxels shape of all tiles that are not empty.
    #[must_use]
    pub fn voxels(scene: &Scene, body: Body) -> Rapier {
        Rapier::over(voxels(scene), body.form())
    }

    /// Makes a mover over a polyline of the outlines, with collinear edges joined.
    #[must_use]
    pub fn outlines(scene: &Scene, body: Body) -> Rapier {
        Rapier::over(outlines(scene), body.form())
    }

    /// Makes a caster of a circle over a compound.
    #[must_use]
    pub fn caster(scene: &Scene, radius: f64) -> Rapier {
        Rapier::over(compound(scene), Form::circle(radius))
    }

    fn over(terrain: SharedShape, form: Form) -> Rapier {
        let (mut bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
        colliders.insert(ColliderBuilder::new(terrain));
        let (mut broad_phase, mut narrow_phase) = (BroadPhaseBvh::new(), NarrowPhase::new());
        // A step of the empty world enters the collider into the broad phase, which queries use.
        PhysicsPipeline::new().step(
            Vector::ZERO,
            &IntegrationParameters::default(),
            &mut IslandManager::new(),
            &mut broad_phase,
            &mut narrow_phase,
            &mut bodies,
            &mut colliders,
            &mut ImpulseJointSet::new(),
            &mut MultibodyJointSet::new(),
            &mut SoftBodySet::new(),
            &mut CCDSolver::new(),
            &(),
            &(),
        );
        let controller = KinematicCharacterController {
            max_slope_climb_angle: 50_f32.to_radians(),
            min_slope_slide_angle: 50_f32.to_radians(),
            ..KinematicCharacterController::default()
        };
        let shape = super::parry::shape(form);
        Rapier { bodies, colliders, broad_phase, narrow_phase, controller, shape, form, normals: Vec::new() }
    }

    fn queries(&self) -> QueryPipeline<'_> {
        let dispatcher = self.narrow_phase.query_dispatcher();
        self.broad_phase.as_query_pipeline(dispatcher, &self.bodies, &self.colliders, QueryFilter::default())
    }
}

fn compound(scene: &Scene) -> SharedShape {
    SharedShape::new(parts::compound(scene))
}

fn outlines(scene: &Scene) -> SharedShape {
    let (mut points, mut edges) = (Vec::new(), Vec::new());
    for outline in loops(&scene.terrain) {
        let (first, count) = (points.len() as u32, outline.len() as u32);
        // The outward side of rapier's polylines is on the right.
        points.extend(outline.iter().rev().map(|p| Vector::new(p.x as f32, p.y as f32)));
        edges.extend((0..count).map(|i| [first + i, first + (i + 1) % count]));
    }
    SharedShape::new(Polyline::with_flags(points, Some(edges), PolylineFlags::ORIENTED))
}

fn voxels(scene: &Scene) -> SharedShape {
    let keys: Vec<_> = parts::filled(scene).map(|(x, y)| rapier2d::math::IVector::new(x, y)).collect();
    SharedShape::voxels(Vector::new(1.0, 1.0), &keys)
}

impl Slide for Rapier {
    fn slide(&mut self, walker: &mut Walker, motion: Vec2) {
        let mut normals = std::mem::take(&mut self.normals);
        normals.clear();
        let pose = Pose::translation(walker.at.x, walker.at.y);
        let motion = Vector::new(motion.x, motion.y);
        let note = |hit: rapier2d::control::CharacterCollision| {
            normals.push(Vec2::new(hit.hit.normal1.x, hit.hit.normal1.y));
        };
        let moved = self.controller.move_shape(TICK as f32, &self.queries(), &*self.shape, &pose, motion, note);
        walker.at += Vec2::new(moved.translation.x, moved.translation.y);
        walker.on_floor = moved.grounded && walker.velocity.y <= 0.0;
        if walker.on_floor {
            walker.velocity.y = 0.0;
        }
        normals.iter().for_each(|&normal| walker.meet(normal));
        self.normals = normals;
    }

    fn form(&self) -> Form {
        self.form
    }
}

impl Cast for Rapier {
    fn cast(&mut self, from: Vec2, motion: Vec2, skin: f32) -> Option<Hit> {
        let (pose, direction, length, options) = parts::way(from, motion, skin)?;
        let (_, hit) = self.queries().cast_shape(&pose, direction, &*self.shape, options)?;
        Some(Hit { time: hit.time_of_impact / length, normal: Vec2::new(hit.normal1.x, hit.normal1.y) })
    }
}

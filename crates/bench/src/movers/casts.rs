//! Bullets and bouncing balls made of a peer's casts.

use super::Crowd;
use crate::cast::{Ball, Cast, bounce};
use crate::oracle::Form;
use crate::random::Random;
use crate::shots::{Shooter, Shot};
use std::hint::black_box;
use surefoot::geometry::DVec2;

/// The radius of the balls that bounce, in tiles.
pub const BALL: f64 = 0.25;

/// Returns the start velocities of balls in tiles per second: up to 12 on an axis.
#[must_use]
pub fn velocities(count: usize) -> Vec<DVec2> {
    let mut random = Random(0xBA11);
    (0..count).map(|_| DVec2::new(random.sixteenths(-12, 12), random.sixteenths(-12, 12))).collect()
}

/// Balls that bounce by a peer's casts.
#[derive(Clone, Debug)]
pub struct Balls<C> {
    caster: C,
    balls: Vec<Ball>,
}

impl<C: Cast> Balls<C> {
    /// Makes balls at their starts.
    pub fn new(caster: C, starts: &[DVec2]) -> Balls<C> {
        let ball = |(at, velocity): (&DVec2, DVec2)| Ball { at: at.as_vec2(), velocity: velocity.as_vec2() };
        Balls { caster, balls: starts.iter().zip(velocities(starts.len())).map(ball).collect() }
    }
}

impl<C: Cast> Crowd for Balls<C> {
    fn tick(&mut self, _tick: u64) {
        for ball in &mut self.balls {
            bounce(&mut self.caster, ball);
        }
    }

    fn place(&self, body: usize) -> DVec2 {
        self.balls[body].at.as_dvec2()
    }

    fn bodies(&self) -> usize {
        self.balls.len()
    }

    fn form(&self) -> Form {
        Form::circle(BALL)
    }
}

/// A peer's casts as they are, without a skin.
#[derive(Clone, Debug)]
pub struct Shots<C>(pub C);

impl<C: Cast> Shooter for Shots<C> {
    fn shoot(&mut self, shot: &Shot) -> f64 {
        self.0.cast(shot.from.as_vec2(), shot.motion.as_vec2(), 0.0).map_or(1.0, |hit| f64::from(hit.time))
    }
}

/// A shooter that casts nothing, to measure the cost of the harness.
#[derive(Clone, Copy, Debug)]
pub struct Aim;

impl Shooter for Aim {
    fn shoot(&mut self, shot: &Shot) -> f64 {
        black_box((shot.from.as_vec2(), shot.motion.as_vec2()));
        1.0
    }
}

//! A mover over a grid of bools, one axis after the other, as people write it themselves.
//!
//! Every tile that is not empty is a block, slopes too; circles are boxes. A motion of less than a tile needs no
//! sweep: the tiles that the leading side comes over are looked at, and the side is put back before the first that
//! is solid.

use super::{Slide, parts};
use crate::oracle::Form;
use crate::scene::Scene;
use crate::walker::Walker;
use surefoot::geometry::{DVec2, Vec2};

/// Gap that grid movers keep between a body and a tile, so that rounding does not put the body into the tile.
const GAP: f32 = 1.0 / 1024.0;

/// The grid, and the half sizes of the body.
#[derive(Clone, Debug)]
pub struct Grid {
    solid: Vec<bool>,
    size: (usize, usize),
    half: Vec2,
}

impl Grid {
    /// A grid of a scene for bodies of those half sizes.
    #[must_use]
    pub fn new(scene: &Scene, half: DVec2) -> Grid {
        let size = scene.size();
        let mut solid = vec![false; size.0 * size.1];
        parts::filled(scene).for_each(|(x, y)| solid[y as usize * size.0 + x as usize] = true);
        Grid { solid, size, half: half.as_vec2() }
    }

    fn is_solid(&self, x: i32, y: i32) -> bool {
        let within = x >= 0 && y >= 0 && (x as usize) < self.size.0 && (y as usize) < self.size.1;
        within && self.solid[y as usize * self.size.0 + x as usize]
    }

    fn column_is_solid(&self, x: i32, at: Vec2) -> bool {
        let (low, high) = ((at.y - self.half.y).floor() as i32, (at.y + self.half.y).floor() as i32);
        (low..=high).any(|y| self.is_solid(x, y))
    }

    fn row_is_solid(&self, y: i32, at: Vec2) -> bool {
        let (low, high) = ((at.x - self.half.x).floor() as i32, (at.x + self.half.x).floor() as i32);
        (low..=high).any(|x| self.is_solid(x, y))
    }

    /// Moves along x; whether it came to a wall.
    fn move_x(&self, at: &mut Vec2, by: f32) -> bool {
        at.x += by;
        let side = self.half.x.copysign(by);
        let x = (at.x + side).floor();
        if !self.column_is_solid(x as i32, *at) {
            return false;
        }
        at.x = if by > 0.0 { x - self.half.x - GAP } else { x + 1.0 + self.half.x + GAP };
        true
    }

    /// Moves along y; whether it came to a floor or a ceiling.
    fn move_y(&self, at: &mut Vec2, by: f32) -> bool {
        at.y += by;
        let side = self.half.y.copysign(by);
        let y = (at.y + side).floor();
        if !self.row_is_solid(y as i32, *at) {
            return false;
        }
        at.y = if by > 0.0 { y - self.half.y - GAP } else { y + 1.0 + self.half.y + GAP };
        true
    }
}

impl Slide for Grid {
    fn slide(&mut self, walker: &mut Walker, motion: Vec2) {
        if self.move_x(&mut walker.at, motion.x) {
            walker.velocity.x = 0.0;
        }
        let met = self.move_y(&mut walker.at, motion.y);
        walker.on_floor = met && motion.y < 0.0;
        if met {
            walker.velocity.y = 0.0;
        }
    }

    fn form(&self) -> Form {
        Form::Box { half: self.half.as_dvec2() }
    }
}

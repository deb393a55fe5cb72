//! Scenes in streamed worlds, whose tiles come from a [`TileSource`].

use super::Entry;
use crate::scene::{Act, Scene, ball, crate_box, create_map, jump_input, walk_input, walker};
use std::sync::Arc;
use surefoot::World;
use surefoot::prelude::*;
use surefoot_random::{STEP, mix};

pub(super) const SCENES: &[Entry] = &[
    ("streamed_noise", || scene_in_noise(600, (0.5, 0.5))),
    ("streamed_far_out", || scene_in_noise(300, (536_870_000.5, -536_870_000.5))),
    ("streamed_painted", streamed_painted),
    ("streamed_teleports", streamed_teleports),
];

/// Tiles from a hash of their position: two in three are empty, the rest are random entries of the legend.
pub(crate) struct Noise {
    seed: u64,
    entries: u64,
}

impl Noise {
    /// Creates an endless world of noise.
    pub(crate) fn create_world(seed: u64, settings: Settings) -> World {
        let template = create_map(&["."], "");
        let entries = template.kinds().len() as u64;
        World::streamed(template, Arc::new(Noise { seed, entries }), settings)
    }
}

impl TileSource for Noise {
    fn fill(&self, _layer: usize, (chunk_x, chunk_y): (i32, i32), cells: &mut [TileId; 1024]) {
        for (i, cell) in (0..).zip(cells) {
            let (x, y) = (32 * i64::from(chunk_x) + i % 32, 32 * i64::from(chunk_y) + i / 32);
            let hash = mix(mix(x as u64 ^ self.seed).wrapping_add((y as u64).wrapping_mul(STEP)));
            *cell = if hash.is_multiple_of(3) {
                TileId((hash >> 32).rem_euclid(self.entries) as u16)
            } else {
                TileId::EMPTY
            };
        }
    }

    fn identity(&self) -> u64 {
        self.seed
    }
}

/// A character, a ball and a box in the noise around a position. The tiles around it are removed first.
fn scene_in_noise(ticks: u64, (x, y): (f64, f64)) -> Scene {
    let (left, bottom) = (x as i32 - 4, y as i32 - 4);
    let scene = Scene::in_world(ticks, Noise::create_world(2026, Settings::default()))
        .with_act(0, Act::SetTiles(0, (left, bottom), (left + 8, bottom + 8), '.'))
        .with_bodies([
            walker(x, y),
            ball(0.3, x + 1.0, y).velocity((6.0, 3.0)).bounce(0.9),
            crate_box(0.2, x, y + 1.5).velocity((-30.0, 9.0)),
        ]);
    (0..ticks / 30).fold(scene, |scene, i| {
        let direction = if i % 5 == 4 { -127 } else { 127 };
        scene
            .with_act(30 * i, Act::Input(0, jump_input(direction)))
            .with_act(30 * i + 15, Act::Input(0, walk_input(direction)))
    })
}

fn streamed_painted() -> Scene {
    let scene = scene_in_noise(300, (1000.5, 1000.5));
    (0..30).fold(scene, |scene, i| {
        let at = (996 + i as i32 * 7 % 9, 994 + i as i32 % 9);
        scene.with_act(10 * i + 1, Act::SetTiles(0, at, (at.0 + 1, at.1), ['.', '#', '=', '/'][i as usize % 4]))
    })
}

fn streamed_teleports() -> Scene {
    let scene = scene_in_noise(200, (-77.5, 33.5));
    (0..20).fold(scene, |scene, i| {
        let x = f64::from(1_u32 << (i + 8)) + 0.5;
        scene.with_act(10 * i + 3, Act::Teleport(i as usize % 3, (if i % 2 == 0 { x } else { -x }, 0.25 * x)))
    })
}

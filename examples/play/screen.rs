//! Opens the window and shows drawings in it.

use macroquad::models::{Mesh as Batch, Vertex, draw_mesh};
use macroquad::prelude::*;
use std::fs::File;
use std::path::Path;
use surefoot_draw::Color as Tint;
use surefoot_play::Mesh;

/// Largest number of vertices and indices of a draw call, because indices have 16 bits.
const VERTICES: usize = 30_000;
const INDICES: usize = 90_000;

/// A window of 1280 x 800 with four samples per pixel, so that slanted edges are smooth.
pub(crate) fn config() -> macroquad::conf::Conf {
    macroquad::conf::Conf {
        miniquad_conf: Conf {
            window_title: "surefoot".to_owned(),
            window_width: 1280,
            window_height: 800,
            sample_count: 4,
            ..Conf::default()
        },
        draw_call_vertex_capacity: VERTICES,
        draw_call_index_capacity: INDICES,
        ..macroquad::conf::Conf::default()
    }
}

/// Draws a mesh with coordinates in pixels of the window.
pub(crate) fn draw(mesh: &Mesh, background: Tint) {
    let [red, green, blue] = background.0;
    clear_background(Color::from_rgba(red, green, blue, 255));
    for piece in mesh.pieces(VERTICES - 1, INDICES - 1) {
        let vertex = |v: &surefoot_play::Vertex| Vertex {
            position: vec3(v.x, v.y, 0.0),
            uv: Vec2::ZERO,
            color: v.color,
            normal: Vec4::ZERO,
        };
        let batch = Batch {
            vertices: piece.vertices().iter().map(vertex).collect(),
            indices: piece.indices().collect(),
            texture: None,
        };
        draw_mesh(&batch);
    }
}

/// Creates the file for the lines about frames. Prints a message and returns `None` on failure.
pub(crate) fn create_report(path: &Path) -> Option<File> {
    File::create(path).inspect_err(|error| eprintln!("{}: {error}", path.display())).ok()
}

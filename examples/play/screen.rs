//! Opens the window and shows drawings in it.

use macroquad::models::{Mesh as Batch, Vertex, draw_mesh};
use macroquad::prelude::*;
use std::sync::Arc;
use surefoot_draw::{Art, Color as Tint};
use surefoot_play::{Mesh, NO_PICTURE};

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

/// The picture of the tiles as a texture, with one more row of white pixels for plain colours.
#[derive(Default)]
pub(crate) struct Pictures {
    art: Option<Arc<Art>>,
    texture: Option<Texture2D>,
}

impl Pictures {
    /// Takes the picture of another map.
    pub(crate) fn update(&mut self, art: Option<&Arc<Art>>) {
        if self.art.as_ref().map(Arc::as_ptr) == art.map(Arc::as_ptr) {
            return;
        }
        self.art = art.cloned();
        self.texture = art.and_then(|art| match Image::from_file_with_format(art.picture(), Some(ImageFormat::Png)) {
            Ok(mut image) => {
                image.bytes.resize(image.bytes.len() + 4 * usize::from(image.width), u8::MAX);
                image.height += 1;
                let texture = Texture2D::from_image(&image);
                texture.set_filter(FilterMode::Nearest);
                Some(texture)
            }
            Err(error) => {
                eprintln!("error: the picture of the tiles: {error}");
                None
            }
        });
    }

    /// Returns the point of the texture for a corner.
    fn uv(&self, picture: [u16; 2]) -> Vec2 {
        let Some(texture) = &self.texture else { return Vec2::ZERO };
        let size = texture.size();
        let at = match picture {
            NO_PICTURE => vec2(0.5, size.y - 0.5),
            [x, y] => vec2(x.into(), y.into()),
        };
        at / size
    }
}

/// Draws a mesh with coordinates in pixels of the window.
pub(crate) fn draw(mesh: &Mesh, pictures: &Pictures, background: Tint) {
    let [red, green, blue] = background.0;
    clear_background(Color::from_rgba(red, green, blue, 255));
    draw_over(mesh, pictures);
}

/// Draws a mesh over what was drawn before in the frame.
pub(crate) fn draw_over(mesh: &Mesh, pictures: &Pictures) {
    for piece in mesh.pieces(VERTICES - 1, INDICES - 1) {
        let vertex = |v: &surefoot_play::Vertex| Vertex {
            position: vec3(v.x, v.y, 0.0),
            uv: pictures.uv(v.picture),
            color: v.color,
            normal: Vec4::ZERO,
        };
        let batch = Batch {
            vertices: piece.vertices().iter().map(vertex).collect(),
            indices: piece.indices().collect(),
            texture: pictures.texture.clone(),
        };
        draw_mesh(&batch);
    }
}

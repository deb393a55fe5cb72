//! Shows meshes in the window.

use macroquad::models::{Mesh as Batch, Vertex, draw_mesh};
use macroquad::prelude::*;
use std::sync::Arc;
use surefoot_draw::Art;
use surefoot_draw::scene::camera::Size;
use surefoot_draw::scene::{self, Mesh, NO_PICTURE};

/// Largest number of vertices and indices of a piece of a mesh. A window of macroquad with its default settings draws
/// at most 10,000 vertices and 5,000 indices at once; it joins pieces where it can draw more.
const PIECE_VERTICES: usize = 9_999;
const PIECE_INDICES: usize = 4_998;

/// Returns the size of the window in pixels.
#[must_use]
pub fn window_size() -> Size {
    Size { width: screen_width().into(), height: screen_height().into() }
}

/// Returns the settings of a window of 1280 x 800 pixels with smooth edges. One draw call of it can show a large level.
///
/// # Examples
/// ```no_run
/// fn window() -> macroquad::conf::Conf {
///     surefoot_macroquad::window_conf("My game")
/// }
///
/// #[macroquad::main(window)]
/// async fn main() {
///     macroquad::window::next_frame().await;
/// }
/// ```
#[must_use]
pub fn window_conf(title: &str) -> macroquad::conf::Conf {
    macroquad::conf::Conf {
        miniquad_conf: Conf {
            window_title: title.to_owned(),
            window_width: 1280,
            window_height: 800,
            sample_count: 4,
            ..Conf::default()
        },
        draw_call_vertex_capacity: 30_000,
        draw_call_index_capacity: 60_000,
        ..macroquad::conf::Conf::default()
    }
}

/// Shows meshes in the window, with the picture of the tiles if there is one.
#[derive(Debug, Default)]
pub struct Screen {
    art: Option<Arc<Art>>,
    texture: Option<Texture2D>,
}

impl Screen {
    /// Sets the picture of the tiles. With `None`, tiles are plain.
    ///
    /// # Errors
    /// Returns the error of macroquad if the picture is not a PNG that it reads. The tiles are then plain.
    pub fn set_art(&mut self, art: Option<&Arc<Art>>) -> Result<(), macroquad::Error> {
        if self.art.as_ref().map(Arc::as_ptr) == art.map(Arc::as_ptr) {
            return Ok(());
        }
        (self.art, self.texture) = (art.cloned(), None);
        let Some(art) = art else { return Ok(()) };
        let mut image = Image::from_file_with_format(art.picture(), Some(ImageFormat::Png))?;
        // One more row of white pixels is for plain colours, so that one texture is enough for a frame.
        image.bytes.resize(image.bytes.len() + 4 * usize::from(image.width), u8::MAX);
        image.height += 1;
        let texture = Texture2D::from_image(&image);
        texture.set_filter(FilterMode::Nearest);
        self.texture = Some(texture);
        Ok(())
    }

    /// Draws a mesh with coordinates in pixels of the window.
    pub fn draw(&self, mesh: &Mesh) {
        for piece in mesh.pieces(PIECE_VERTICES, PIECE_INDICES) {
            let vertex = |v: &scene::Vertex| Vertex {
                position: vec3(v.x, v.y, 0.0),
                uv: self.texture_point(v.picture),
                color: v.color,
                normal: Vec4::ZERO,
            };
            let vertices = piece.vertices().iter().map(vertex).collect();
            draw_mesh(&Batch { vertices, indices: piece.indices().collect(), texture: self.texture.clone() });
        }
    }

    /// Returns the point of the texture for a corner.
    fn texture_point(&self, picture: [u16; 2]) -> Vec2 {
        let Some(texture) = &self.texture else { return Vec2::ZERO };
        let size = texture.size();
        let at = match picture {
            NO_PICTURE => vec2(0.5, size.y - 0.5),
            [x, y] => vec2(x.into(), y.into()),
        };
        at / size
    }
}

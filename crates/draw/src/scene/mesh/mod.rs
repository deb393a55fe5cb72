use crate::scene::convex::Triangles;
use crate::scene::glyphs::Glyph;
use crate::scene::pieces::{LONGEST_REACH, Piece, Pieces};
use crate::scene::round::circle_directions;
use crate::scene::tessellate::{self, Line, Tessellation};
use crate::{Canvas, Color, Paint, PathData, Point, Stroke};
use surefoot::geometry::DVec2;

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Vertex {
    /// Pixels to the right.
    pub x: f32,
    /// Pixels down.
    pub y: f32,
    /// Red, green, blue and alpha; not premultiplied.
    pub color: [u8; 4],
    /// Point of the picture of the tiles, in pixels to the right and down. [`NO_PICTURE`] for a plain colour.
    pub picture: [u16; 2],
}

/// [`Vertex::picture`] of triangles without a picture.
pub const NO_PICTURE: [u16; 2] = [u16::MAX; 2];

/// Triangles in painting order, each of one colour. Implements `Canvas`.
///
/// Points are in pixels to the right of and below any origin. Coordinates are f32, which within 2^16 pixels of the
/// origin are exact to 1/128 pixel.
///
/// # Examples
/// ```
/// use surefoot_draw::{Canvas, Paint, Palette, Point};
/// use surefoot_draw::scene::Mesh;
///
/// let mut mesh = Mesh::new();
/// mesh.rect(Point { x: 10.0, y: 20.0 }, 32.0, 32.0, &Paint::fill(Palette::NIGHT.solid).opacity(0.5));
/// assert_eq!((mesh.vertices().len(), mesh.indices().len()), (4, 6));
/// assert_eq!(mesh.vertices()[0].color[3], 128);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    vertices: Vec<Vertex>,
    indices: Vec<u32>,
}

impl Mesh {
    /// Creates an empty mesh.
    #[must_use]
    pub fn new() -> Mesh {
        Mesh::default()
    }

    /// Returns the corners.
    #[must_use]
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }

    /// Returns the indices of the corners, three per triangle.
    #[must_use]
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// Returns whether the mesh has no triangles.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// Removes all triangles and keeps the memory.
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.indices.clear();
    }

    /// Adds the triangles of another mesh, moved by `dx` and `dy` pixels to the right and down.
    pub fn append(&mut self, other: &Mesh, dx: f64, dy: f64) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(other.vertices.iter().map(|vertex| Vertex {
            x: (f64::from(vertex.x) + dx) as f32,
            y: (f64::from(vertex.y) + dy) as f32,
            ..*vertex
        }));
        self.indices.extend(other.indices.iter().map(|i| i + first));
    }

    /// Splits the triangles into pieces of at most `vertices` and `indices`, for graphics APIs with 16-bit indices.
    ///
    /// # Panics
    /// If `vertices` is less than [`LONGEST_REACH`] or more than 65,536, or `indices` is less than 3.
    pub fn pieces(&self, vertices: usize, indices: usize) -> impl Iterator<Item = Piece<'_>> {
        Pieces::new(&self.vertices, &self.indices, vertices, indices)
    }

    /// Adds a square of the picture of the tiles. `corners`: lower left, lower right, upper right and upper left.
    pub fn push_picture(&mut self, corners: [DVec2; 4], picture: [(u32, u32); 4]) {
        let first = self.vertices.len() as u32;
        let corners = corners.into_iter().zip(picture);
        self.vertices
            .extend(corners.map(|(at, (x, y))| Vertex { picture: [x as u16, y as u16], ..vertex(at, [255; 4]) }));
        self.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }

    /// Adds a convex polygon.
    fn push_convex(&mut self, points: impl IntoIterator<Item = DVec2>, color: [u8; 4]) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(points.into_iter().map(|at| vertex(at, color)));
        for i in first + 2..self.vertices.len() as u32 {
            self.indices.extend([first, i - 1, i]);
        }
    }

    fn push_triangles(&mut self, points: impl IntoIterator<Item = DVec2>, indices: &[u32], color: [u8; 4]) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(points.into_iter().map(|at| vertex(at, color)));
        for corners in indices.chunks_exact(3) {
            let corners = [corners[0] + first, corners[1] + first, corners[2] + first];
            let (low, high) = corners.iter().fold((u32::MAX, 0), |(low, high), &i| (low.min(i), high.max(i)));
            if high - low < LONGEST_REACH as u32 {
                self.indices.extend(corners);
            } else {
                // If the indices of the corners are too far apart for one piece, the triangle gets copies of its
                // corners.
                let own = self.vertices.len() as u32;
                self.vertices.extend(corners.map(|i| self.vertices[i as usize]));
                self.indices.extend([own, own + 1, own + 2]);
            }
        }
    }

    fn push_tessellation(&mut self, tessellation: &Tessellation, color: [u8; 4]) {
        self.push_triangles(tessellation.points.iter().copied(), &tessellation.indices, color);
    }

    /// Adds a ring along a circle.
    fn push_ring(&mut self, centre: DVec2, radius: f64, width: f64, color: [u8; 4]) {
        let (inner, outer) = (radius - width / 2.0, radius + width / 2.0);
        if inner <= 0.0 {
            return self.push_convex(circle_directions(outer).map(|way| centre + way * outer), color);
        }
        let points = circle_directions(outer).flat_map(|way| [centre + way * inner, centre + way * outer]);
        let count = 2 * circle_directions(outer).count() as u32;
        let quads = (0..count).step_by(2).flat_map(|i| {
            let next = (i + 2) % count;
            [i, i + 1, next + 1, i, next + 1, next]
        });
        let indices: Vec<u32> = quads.collect();
        self.push_triangles(points, &indices, color);
    }
}

fn vertex(at: DVec2, color: [u8; 4]) -> Vertex {
    Vertex { x: at.x as f32, y: at.y as f32, color, picture: NO_PICTURE }
}

fn to_vector(at: Point) -> DVec2 {
    DVec2::new(at.x, at.y)
}

/// Returns the colour with the paint's opacity; `None` if it is invisible.
fn rgba(Color([red, green, blue]): Color, paint: &Paint) -> Option<[u8; 4]> {
    let alpha = (paint.opacity * 255.0).round() as u8;
    (alpha > 0).then_some([red, green, blue, alpha])
}

impl Canvas for Mesh {
    fn rect(&mut self, corner: Point, width: f64, height: f64, paint: &Paint) {
        if !(width > 0.0 && height > 0.0 && (width + height).is_finite() && to_vector(corner).is_finite()) {
            return;
        }
        let (low, size) = (to_vector(corner), DVec2::new(width, height));
        let corners = [low, low.with_x(low.x + size.x), low + size, low.with_y(low.y + size.y)];
        match (paint.fill.and_then(|color| rgba(color, paint)), paint.stroke) {
            (Some(color), None) => self.push_convex(corners, color),
            _ => {
                let mut path = PathData::new();
                path.polygon(corners.map(|at| Point { x: at.x, y: at.y }));
                self.path(&path, paint);
            }
        }
    }

    fn circle(&mut self, centre: Point, radius: f64, paint: &Paint) {
        let centre = to_vector(centre);
        if !(radius > 0.0 && radius.is_finite() && centre.is_finite()) {
            return;
        }
        if paint.dash.is_some() {
            let mut path = PathData::new();
            path.polygon(
                circle_directions(radius).map(|way| centre + way * radius).map(|at| Point { x: at.x, y: at.y }),
            );
            return self.path(&path, paint);
        }
        let width = paint.stroke.map_or(0.0, |stroke| stroke.width);
        if let Some(color) = paint.fill.and_then(|color| rgba(color, paint)) {
            // Shrink a translucent fill, so that it does not overlap the line.
            let radius = if color[3] < 255 { radius - width / 2.0 } else { radius };
            if radius > 0.0 {
                self.push_convex(circle_directions(radius).map(|way| centre + way * radius), color);
            }
        }
        if let Some(color) = paint.stroke.and_then(|stroke| rgba(stroke.color, paint)) {
            self.push_ring(centre, radius, width, color);
        }
    }

    fn path(&mut self, path: &PathData, paint: &Paint) {
        let line = |Stroke { width, .. }: Stroke| Line { width, round: paint.round, dash: paint.dash };
        let stroke = paint
            .stroke
            .and_then(|stroke| Some((tessellate::stroke_path(path, line(stroke)), rgba(stroke.color, paint)?)));
        let fill = paint.fill.and_then(|color| Some((tessellate::fill_path(path), rgba(color, paint)?)));
        let translucent = paint.opacity < 1.0;
        let Some((stroke, stroke_color)) = stroke else {
            if let Some((fill, color)) = fill {
                self.push_tessellation(&fill, color);
            }
            return;
        };
        if !translucent {
            if let Some((fill, color)) = fill {
                self.push_tessellation(&fill, color);
            }
            return self.push_tessellation(&stroke, stroke_color);
        }
        // If translucent parts overlapped, the shape would be more opaque there. So cut the line out of the fill, and
        // cut each triangle of the line out of the triangles after it.
        let lines = Triangles::new(stroke.triangles());
        if let Some((fill, color)) = fill {
            fill.triangles().for_each(|triangle| {
                lines.visit_parts_outside(triangle, usize::MAX, |part| self.push_convex(part.iter().copied(), color));
            });
        }
        for (i, triangle) in stroke.triangles().enumerate() {
            lines.visit_parts_outside(triangle, i, |part| self.push_convex(part.iter().copied(), stroke_color));
        }
    }

    fn text(&mut self, text: &str, at: Point, height: f64, color: Color) {
        let mut pen = to_vector(at);
        let [red, green, blue] = color.0;
        for glyph in text.chars().map(Glyph::of_letter) {
            let points = glyph.points.iter().map(|&at| pen + at * height);
            self.push_triangles(points, &glyph.indices, [red, green, blue, 255]);
            pen.x += glyph.advance * height;
        }
    }

    fn group(&mut self, _class: &str, _title: &str, content: impl FnOnce(&mut Mesh)) {
        content(self);
    }

    fn clipped(&mut self, _name: &str, outline: &PathData, content: impl FnOnce(&mut Mesh)) {
        let mut whole = Mesh::new();
        content(&mut whole);
        let inside = Triangles::new(tessellate::fill_path(outline).triangles());
        for corners in whole.indices.chunks_exact(3) {
            let corners = [0, 1, 2].map(|i| whole.vertices[corners[i] as usize]);
            let triangle = corners.map(|corner| DVec2::new(corner.x.into(), corner.y.into()));
            inside.visit_parts_inside(triangle, |part| self.push_convex(part.iter().copied(), corners[0].color));
        }
    }
}

#[cfg(test)]
mod tests;

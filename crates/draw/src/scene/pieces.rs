use crate::scene::mesh::Vertex;

/// Maximum distance between the indices of a triangle's vertices.
pub const LONGEST_REACH: usize = 4096;

/// A part of a mesh's triangles, with the vertices that they use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece<'a> {
    vertices: &'a [Vertex],
    indices: &'a [u32],
    /// Index of the first vertex in the mesh.
    first: u32,
}

impl<'a> Piece<'a> {
    /// Returns the corners.
    #[must_use]
    pub fn vertices(&self) -> &'a [Vertex] {
        self.vertices
    }

    /// Returns the indices of the corners, three per triangle.
    pub fn indices(&self) -> impl ExactSizeIterator<Item = u16> + use<'a> {
        let first = self.first;
        self.indices.iter().map(move |&i| (i - first) as u16)
    }
}

/// Iterates over the pieces of a mesh.
pub(crate) struct Pieces<'a> {
    vertices: &'a [Vertex],
    /// The remaining indices.
    indices: &'a [u32],
    most_vertices: usize,
    most_indices: usize,
}

impl<'a> Pieces<'a> {
    pub(crate) fn new(vertices: &'a [Vertex], indices: &'a [u32], most_vertices: usize, most_indices: usize) -> Self {
        assert!((LONGEST_REACH..=1 << 16).contains(&most_vertices), "{most_vertices} vertices in a piece");
        assert!(most_indices >= 3, "{most_indices} indices in a piece");
        Pieces { vertices, indices, most_vertices, most_indices }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let (mut low, mut high, mut count) = (u32::MAX, 0, 0);
        for corners in self.indices.chunks_exact(3) {
            let (least, most) = corners.iter().fold((low, high), |(low, high), &i| (low.min(i), high.max(i)));
            if count + 3 > self.most_indices || (most - least) as usize >= self.most_vertices {
                break;
            }
            (low, high, count) = (least, most, count + 3);
        }
        if count == 0 {
            return None;
        }
        let (indices, left) = self.indices.split_at(count);
        self.indices = left;
        Some(Piece { vertices: &self.vertices[low as usize..=high as usize], indices, first: low })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::mesh::Mesh;
    use crate::{Canvas, Paint, Palette, PathData, Point};

    fn triangles(vertices: &[Vertex], indices: impl Iterator<Item = usize>) -> Vec<Vertex> {
        indices.map(|i| vertices[i]).collect()
    }

    /// A mesh of many small shapes, and of a comb with so many teeth that the indices of its triangles are far apart.
    fn large_mesh() -> Mesh {
        let (mut mesh, fill) = (Mesh::new(), Paint::fill(Palette::NIGHT.solid));
        for i in 0..3000 {
            mesh.rect(Point { x: f64::from(i), y: 0.0 }, 0.5, 1.0, &fill);
        }
        let mut comb = PathData::new();
        comb.start(Point { x: 0.0, y: 100.0 });
        comb.line(Point { x: 0.0, y: 0.0 });
        for i in 0..6000 {
            comb.line(Point { x: f64::from(i) + 0.5, y: 90.0 - f64::from(i % 7) });
            comb.line(Point { x: f64::from(i) + 1.0, y: f64::from(i % 5) });
        }
        comb.line(Point { x: 6000.0, y: 100.0 });
        comb.close();
        mesh.path(&comb, &fill);
        mesh
    }

    #[test]
    fn pieces_contain_the_whole_mesh_in_order() {
        let mesh = large_mesh();
        let whole = triangles(mesh.vertices(), mesh.indices().iter().map(|&i| i as usize));
        for (vertices, indices) in [(LONGEST_REACH, 5000), (10_000, 4999), (1 << 16, 3), (1 << 16, usize::MAX)] {
            let mut again = Vec::new();
            for piece in mesh.pieces(vertices, indices) {
                assert!(piece.vertices().len() <= vertices && piece.indices().len() <= indices);
                assert!(!piece.vertices().is_empty() && piece.indices().len() % 3 == 0);
                again.extend(triangles(piece.vertices(), piece.indices().map(usize::from)));
            }
            assert!(again == whole, "{vertices} vertices and {indices} indices");
        }
        assert_eq!(Mesh::new().pieces(LONGEST_REACH, 3).count(), 0);
        // A piece holds many triangles. So the comb with 6000 teeth and the rectangles make only a few pieces.
        let pieces = mesh.pieces(1 << 16, usize::MAX).count();
        assert!(pieces < 10, "{pieces}");
    }

    #[test]
    #[should_panic(expected = "100 vertices in a piece")]
    fn pieces_have_room_for_every_triangle() {
        let _ = Mesh::new().pieces(100, 3).count();
    }
}

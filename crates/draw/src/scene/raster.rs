//! Rasterizes meshes by brute force, for tests of what is painted.

use crate::scene::mesh::Mesh;
use std::cell::Cell;

/// Sample point in a pixel: near its middle, but not on a line of any drawing.
pub(crate) const SAMPLE_POINT: (f64, f64) = (0.4983, 0.5021);

/// Calls `found` for each triangle and each pixel whose sample point it contains.
fn visit_samples_inside_triangles(
    mesh: &Mesh,
    (width, height): (usize, usize),
    per_pixel: usize,
    mut found: impl FnMut(usize, [u8; 4]),
) {
    let (wide, high, fine) = (width * per_pixel, height * per_pixel, per_pixel as f64);
    for corners in mesh.indices().chunks_exact(3) {
        let corners = [0, 1, 2].map(|i| mesh.vertices()[corners[i] as usize]);
        let [a, b, c] = corners.map(|v| (f64::from(v.x) * fine, f64::from(v.y) * fine));
        let range =
            |low: f64, high: f64, most: usize| low.floor().max(0.0) as usize..(high.ceil().max(0.0) as usize).min(most);
        let columns = range(a.0.min(b.0).min(c.0), a.0.max(b.0).max(c.0), wide);
        for y in range(a.1.min(b.1).min(c.1), a.1.max(b.1).max(c.1), high) {
            for x in columns.clone() {
                let at = (x as f64 + SAMPLE_POINT.0, y as f64 + SAMPLE_POINT.1);
                let side = |p: (f64, f64), q: (f64, f64)| (q.0 - p.0) * (at.1 - p.1) - (q.1 - p.1) * (at.0 - p.0);
                let sides = [side(a, b), side(b, c), side(c, a)];
                if sides.iter().all(|&s| s > 0.0) || sides.iter().all(|&s| s < 0.0) {
                    found(y * wide + x, corners[0].color);
                }
            }
        }
    }
}

/// Counts the triangles that cover each pixel.
pub(crate) fn triangles_on_each_pixel(mesh: &Mesh, size: (usize, usize)) -> Vec<u32> {
    let mut pixels = vec![0; size.0 * size.1];
    visit_samples_inside_triangles(mesh, size, 1, |pixel, _| pixels[pixel] += 1);
    pixels
}

/// A picture: its width, and the red, green and blue of each pixel, 0 to 255.
pub(crate) struct Pixels {
    pub(crate) width: usize,
    pub(crate) colors: Vec<[f64; 3]>,
}

/// Paints a mesh on black. Each pixel is the mean of `per_pixel` x `per_pixel` samples.
pub(crate) fn rasterize(mesh: &Mesh, (width, height): (usize, usize), per_pixel: usize) -> Pixels {
    let samples = vec![Cell::new([0.0; 3]); width * height * per_pixel * per_pixel];
    visit_samples_inside_triangles(mesh, (width, height), per_pixel, |sample, [red, green, blue, alpha]| {
        let (below, alpha) = (samples[sample].get(), f64::from(alpha) / 255.0);
        let over = [red, green, blue].map(f64::from);
        samples[sample].set([0, 1, 2].map(|i| below[i] * (1.0 - alpha) + over[i] * alpha));
    });
    let mean = |x: usize, y: usize| {
        let rows = y * per_pixel..(y + 1) * per_pixel;
        let all = rows
            .flat_map(|row| (x * per_pixel..(x + 1) * per_pixel).map(move |column| row * width * per_pixel + column));
        let sum = all.map(|i| samples[i].get()).fold([0.0; 3], |sum, c| [0, 1, 2].map(|i| sum[i] + c[i]));
        sum.map(|channel| channel / (per_pixel * per_pixel) as f64)
    };
    let colors = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| mean(x, y)).collect();
    Pixels { width, colors }
}

/// Renders a picture with resvg.
pub(crate) fn render_with_resvg(svg: &crate::Svg) -> Pixels {
    use resvg::{tiny_skia, usvg};
    let tree = usvg::Tree::from_str(&svg.to_string(), &usvg::Options::default()).unwrap();
    let mut pixels = tiny_skia::Pixmap::new(svg.width() as u32, svg.height() as u32).unwrap();
    pixels.fill(tiny_skia::Color::BLACK);
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixels.as_mut());
    let colors = pixels.pixels().iter().map(|p| [p.red(), p.green(), p.blue()].map(f64::from)).collect();
    Pixels { width: pixels.width() as usize, colors }
}

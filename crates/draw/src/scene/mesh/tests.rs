use super::*;
use crate::scene::raster::{SAMPLE_POINT, triangles_on_each_pixel};
use crate::scene::round::AROUND;
use crate::scene::tolerance::FLATNESS;
use crate::{Palette, font};
use surefoot_random::Random;

const COLOR: Color = Palette::NIGHT.solid;
const OTHER: Color = Palette::NIGHT.open;

/// Rounding of an area in square pixels, for f32 coordinates of some hundred pixels.
const ROUNDING: f64 = 0.01;

fn point(x: f64, y: f64) -> Point {
    Point { x, y }
}

fn path(polygons: &[&[(f64, f64)]]) -> PathData {
    let mut path = PathData::new();
    polygons.iter().for_each(|polygon| path.polygon(polygon.iter().map(|&(x, y)| point(x, y))));
    path
}

/// Returns the area of all triangles of a colour. Overlaps count again.
fn area_of(mesh: &Mesh, color: Color) -> f64 {
    let triangles = mesh.indices.chunks_exact(3).map(|corners| [0, 1, 2].map(|i| mesh.vertices[corners[i] as usize]));
    let of_color = triangles.filter(|corners| corners.iter().all(|corner| corner.color[..3] == color.0));
    let area = |[a, b, c]: [Vertex; 3]| {
        let [a, b, c] = [a, b, c].map(|v| DVec2::new(v.x.into(), v.y.into()));
        (b - a).perp_dot(c - a).abs() / 2.0
    };
    of_color.map(area).sum()
}

fn painted(path: &PathData, paint: Paint) -> Mesh {
    let mut mesh = Mesh::new();
    mesh.path(path, &paint);
    mesh
}

fn check_area(path: &PathData, paint: Paint, expected: f64) {
    let area = area_of(&painted(path, paint), COLOR);
    assert!((area - expected).abs() < ROUNDING, "{area} instead of {expected}: {paint:?} {path:?}");
}

fn shoelace(points: &[(f64, f64)]) -> f64 {
    let next = points.iter().cycle().skip(1);
    points.iter().zip(next).map(|(a, b)| a.0 * b.1 - a.1 * b.0).sum::<f64>().abs() / 2.0
}

#[test]
fn a_polygon_has_its_area() {
    let mut random = Random(0x5EED_0701);
    for corners in 3..80_usize {
        // The points go once around a centre, at random distances, so no two sides cross.
        let ways = AROUND.iter().step_by(AROUND.len() / corners).take(corners);
        let points: Vec<_> = ways.map(|way| *way * (20.0 + 180.0 * random.range(0.0, 1.0))).collect();
        let points: Vec<_> = points.into_iter().map(|at| (at.x + 300.0, at.y + 250.0)).collect();
        check_area(&path(&[&points]), Paint::fill(COLOR), shoelace(&points));
    }
}

#[test]
fn outlines_of_one_winding_are_united_and_the_other_winding_cuts_out() {
    let square: &[(f64, f64)] = &[(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)];
    let small: &[(f64, f64)] = &[(2.0, 2.0), (6.0, 2.0), (6.0, 6.0), (2.0, 6.0)];
    let hole: &[(f64, f64)] = &[(2.0, 6.0), (6.0, 6.0), (6.0, 2.0), (2.0, 2.0)];
    let across: &[(f64, f64)] = &[(5.0, 5.0), (15.0, 5.0), (15.0, 15.0), (5.0, 15.0)];
    let beside: &[(f64, f64)] = &[(10.0, 0.0), (20.0, 0.0), (20.0, 10.0), (10.0, 10.0)];
    let fill = Paint::fill(COLOR);
    check_area(&path(&[square, small]), fill, 100.0);
    check_area(&path(&[square, hole]), fill, 84.0);
    check_area(&path(&[square, across]), fill, 175.0);
    check_area(&path(&[square, beside]), fill, 200.0);
    check_area(&path(&[square, square]), fill, 100.0);
    check_area(&PathData::new(), fill.filled(COLOR), 0.0);
    let mut broken = path(&[square, small]);
    broken.polygon([point(0.0, f64::NAN), point(1.0, 0.0), point(0.0, 1.0)]);
    check_area(&broken, fill, 100.0);
}

fn line(points: &[(f64, f64)]) -> PathData {
    let mut path = PathData::new();
    path.run(points.iter().map(|&(x, y)| point(x, y)));
    path
}

#[test]
fn lines_have_their_areas() {
    // Round ends are polygons within FLATNESS of half circles.
    let least = std::f64::consts::PI * 4.0 - 2.0 * std::f64::consts::PI * 2.0 * FLATNESS;
    let round = area_of(&painted(&line(&[(5.0, 5.0), (35.0, 5.0)]), Paint::stroke(COLOR, 4.0).round()), COLOR) - 120.0;
    assert!(round > least && round < std::f64::consts::PI * 4.0 + ROUNDING, "{round}");

    let thin = Paint::stroke(COLOR, 2.0);
    check_area(&line(&[(5.0, 5.0), (35.0, 45.0)]), thin, 100.0);
    let square = path(&[&[(10.0, 10.0), (30.0, 10.0), (30.0, 30.0), (10.0, 30.0)]]);
    check_area(&square, thin, 160.0);
    // The sides of the spike rise by `rise` pixels in 1, so half of the angle at its tip has the tangent 1 / rise. A
    // tip up to four line widths long is pointed: sqrt(10) widths for a rise of 3. Its point is two right triangles
    // with the sides 1 (half the line width) and 3. For a rise of 4 the tip would be sqrt(17) widths long and is cut
    // off: a triangle with two sides of 1, and 8 / 17 as the sine of the angle between them.
    let spike = |rise: f64| line(&[(10.0, 90.0), (20.0, 90.0 - 10.0 * rise), (30.0, 90.0)]);
    let opaque = |rise: f64| 4.0 * 10.0 * (1.0 + rise * rise).sqrt();
    let translucent = Paint::stroke(COLOR, 2.0).opacity(0.5);
    // Inside the spike, the two lines overlap in a kite of area `rise`, which counts once.
    check_area(&spike(3.0), translucent, opaque(3.0) + 3.0 - 3.0);
    check_area(&spike(4.0), translucent, opaque(4.0) + 8.0 / 17.0 / 2.0 - 4.0);
    check_area(&line(&[(1.0, 1.0)]), thin, 0.0);
    check_area(&line(&[(1.0, 1.0), (9.0, 1.0)]), Paint::stroke(COLOR, 0.0), 0.0);
    check_area(&line(&[(1.0, 1.0), (9.0, 1.0)]), Paint::stroke(COLOR, f64::NAN), 0.0);
}

#[test]
fn translucent_shapes_cover_no_pixel_twice() {
    // Two lines of 20 x 2 cross at right angles. The 2 x 2 pixels of the crossing count once.
    let mut cross = line(&[(0.0, 10.0), (20.0, 10.0)]);
    cross.run([point(10.0, 0.0), point(10.0, 20.0)]);
    check_area(&cross, Paint::stroke(COLOR, 2.0).opacity(0.5), 76.0);
    // The middle of the line is on the border of its fill, and the line is 2 wide. Line and fill together cover 22 x
    // 22, of which the line leaves 18 x 18 to the fill.
    let square = path(&[&[(10.0, 10.0), (30.0, 10.0), (30.0, 30.0), (10.0, 30.0)]]);
    let both = painted(&square, Paint::stroke(COLOR, 2.0).filled(OTHER).opacity(0.5));
    assert!((area_of(&both, OTHER) - 324.0).abs() < ROUNDING && (area_of(&both, COLOR) - 160.0).abs() < ROUNDING);
    assert!(both.vertices.iter().all(|vertex| vertex.color[3] == 128));
    let mut rect = Mesh::new();
    rect.rect(point(10.0, 10.0), 20.0, 20.0, &Paint::stroke(COLOR, 2.0).filled(OTHER).opacity(0.5));
    assert!((area_of(&rect, OTHER) - 324.0).abs() < ROUNDING && (area_of(&rect, COLOR) - 160.0).abs() < ROUNDING);
    let mut disc = Mesh::new();
    let paint = Paint::stroke(COLOR, 4.0).filled(OTHER).opacity(0.5).round();
    disc.circle(point(30.0, 30.0), 20.0, &paint);
    // The line of a scribble crosses itself and has round joins. Without cuts, many of its triangles would overlap.
    let mut random = Random(0x5EED_0702);
    let mut at = || point(5.0 + 50.0 * random.range(0.0, 1.0), 5.0 + 50.0 * random.range(0.0, 1.0));
    let mut scribble = PathData::new();
    scribble.run(std::array::from_fn::<_, 30, _>(|_| at()));
    for mesh in [both, rect, disc, painted(&scribble, paint)] {
        let most = triangles_on_each_pixel(&mesh, (64, 64)).into_iter().max();
        assert_eq!(most, Some(1));
    }
    // The translucent shape covers the same pixels as the opaque one.
    let is_covered = |paint: Paint| -> Vec<bool> {
        let all = triangles_on_each_pixel(&painted(&scribble, paint), (64, 64));
        all.into_iter().map(|count| count > 0).collect()
    };
    assert_eq!(is_covered(paint), is_covered(paint.opacity(1.0)));
    assert!(painted(&scribble, paint.opacity(0.001)).is_empty());
}

#[test]
fn dashes_restart_with_each_run_and_continue_around_corners() {
    let mut lines = line(&[(0.0, 0.0), (10.0, 0.0)]);
    lines.run([point(0.0, 8.0), point(5.0, 8.0)]);
    // Dashes of 3 with gaps of 1 cover 3 + 3 + 2 of the line of 10, and 3 + 1 of the line of 5.
    check_area(&lines, Paint::stroke(COLOR, 1.0).dashed(3.0, 1.0), 12.0);
    let square = path(&[&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]]);
    // The outline is 16 long. Its dashes go from 0 to 5 and from 8 to 13, each around a corner.
    let dashed = Paint::stroke(COLOR, 1.0).dashed(5.0, 3.0);
    check_area(&square, dashed, 10.0);
    // Count pixels of a square with lines twice as wide. One dash covers the upper side, its right corner and a pixel
    // below; the other dash is opposite.
    let square = path(&[&[(2.0, 2.0), (6.0, 2.0), (6.0, 6.0), (2.0, 6.0)]]);
    let covered = triangles_on_each_pixel(&painted(&square, Paint::stroke(COLOR, 2.0).dashed(5.0, 3.0)), (8, 8));
    let at = |(x, y): (usize, usize)| covered[8 * y + x] > 0;
    assert!([(2, 1), (5, 2), (6, 1), (6, 2), (5, 6), (1, 6), (1, 5)].into_iter().all(at));
    assert!(![(1, 1), (1, 2), (6, 3), (6, 4), (6, 6), (1, 4), (3, 3)].into_iter().any(at));
    let square = path(&[&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]]);
    for broken in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        check_area(&square, Paint::stroke(COLOR, 1.0).dashed(broken, 3.0), 16.0);
        check_area(&square, Paint::stroke(COLOR, 1.0).dashed(3.0, broken), 16.0);
    }
}

#[test]
fn circles_are_round() {
    for radius in [0.3, 1.0, 3.7, 20.0, 150.0, 1000.0] {
        let mut mesh = Mesh::new();
        mesh.circle(point(1200.0, 1100.0), radius, &Paint::fill(COLOR));
        let (area, exact) = (area_of(&mesh, COLOR), std::f64::consts::PI * radius * radius);
        let flat = 2.0 * std::f64::consts::PI * radius * FLATNESS;
        // Coordinates of some thousand pixels are rounded to some ten thousandths of a pixel.
        assert!(area < exact + 0.001 * radius && area > exact - flat - 0.001 * radius, "{area} of {exact}");
        let mut ring = Mesh::new();
        ring.circle(point(1200.0, 1100.0), radius, &Paint::stroke(COLOR, radius / 2.0));
        let exact = exact * (1.25 * 1.25 - 0.75 * 0.75);
        assert!((area_of(&ring, COLOR) - exact).abs() < 1.25 * flat + 0.01 * radius, "ring of {radius}");
    }
    let mut none = Mesh::new();
    for radius in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        none.circle(point(0.0, 0.0), radius, &Paint::fill(COLOR));
        none.rect(point(0.0, 0.0), radius, 1.0, &Paint::fill(COLOR));
    }
    assert!(none.is_empty());
}

#[test]
fn a_clip_shows_its_inside_once() {
    // The clip is an L and a square with a hole. The clipped picture is a field of squares without gaps.
    let ell: &[(f64, f64)] = &[(4.0, 4.0), (24.0, 4.0), (24.0, 44.0), (54.0, 44.0), (54.0, 60.0), (4.0, 60.0)];
    let frame: &[(f64, f64)] = &[(30.0, 5.0), (60.0, 5.0), (60.0, 35.0), (30.0, 35.0)];
    let hole: &[(f64, f64)] = &[(40.0, 15.0), (40.0, 25.0), (50.0, 25.0), (50.0, 15.0)];
    let mut mesh = Mesh::new();
    mesh.clipped("", &path(&[ell, frame, hole]), |mesh| {
        for (x, y) in (0..5).flat_map(|y| (0..5).map(move |x| (f64::from(x), f64::from(y)))) {
            mesh.rect(point(10.0 + 9.3 * x, 2.5 + 9.7 * y), 9.3, 9.7, &Paint::fill(COLOR).opacity(0.5));
        }
    });
    // The field is 46.5 x 48.5 from (10, 2.5) to (56.5, 51). The L shows 14 x 47 and 30 x 7 of the field, the frame
    // 26.5 x 30 without 10 x 10.
    let expected = 14.0 * 47.0 + 30.0 * 7.0 + 26.5 * 30.0 - 100.0;
    assert!((area_of(&mesh, COLOR) - expected).abs() < ROUNDING, "{}", area_of(&mesh, COLOR));
    let within = |x: f64, y: f64, (a, b): (f64, f64), (c, d): (f64, f64)| x > a && x < c && y > b && y < d;
    let covered = triangles_on_each_pixel(&mesh, (64, 64));
    for (i, &count) in covered.iter().enumerate() {
        let (x, y) = ((i % 64) as f64 + SAMPLE_POINT.0, (i / 64) as f64 + SAMPLE_POINT.1);
        let in_ell = within(x, y, (4.0, 4.0), (24.0, 60.0)) || within(x, y, (4.0, 44.0), (54.0, 60.0));
        let in_frame = within(x, y, (30.0, 5.0), (60.0, 35.0)) && !within(x, y, (40.0, 15.0), (50.0, 25.0));
        let expected = (in_ell || in_frame) && within(x, y, (10.0, 2.5), (56.5, 51.0));
        assert_eq!(count, u32::from(expected), "({x}, {y})");
    }
}

#[test]
fn nested_clips_show_their_intersection() {
    let left = path(&[&[(0.0, 0.0), (6.0, 0.0), (6.0, 10.0), (0.0, 10.0)]]);
    let right = path(&[&[(4.0, 0.0), (10.0, 0.0), (10.0, 10.0), (4.0, 10.0)]]);
    let mut mesh = Mesh::new();
    mesh.rect(point(0.0, 20.0), 1.0, 1.0, &Paint::fill(COLOR));
    mesh.clipped("", &left, |mesh| {
        mesh.clipped("", &right, |mesh| mesh.rect(point(0.0, 2.0), 10.0, 3.0, &Paint::fill(COLOR)));
    });
    assert!((area_of(&mesh, COLOR) - (1.0 + 2.0 * 3.0)).abs() < ROUNDING);
}

#[test]
fn an_appended_mesh_is_moved() {
    let paint = Paint::fill(COLOR).opacity(0.25);
    let (mut one, mut other, mut both) = (Mesh::new(), Mesh::new(), Mesh::new());
    one.rect(point(1.0, 2.0), 3.0, 4.0, &paint);
    other.circle(point(8.0, 8.0), 4.0, &paint);
    both.rect(point(1.0, 2.0), 3.0, 4.0, &paint);
    both.circle(point(108.5, 7.75), 4.0, &paint);
    one.append(&other, 100.5, -0.25);
    assert_eq!(one, both);
    let room = (one.vertices.capacity(), one.indices.capacity());
    one.clear();
    assert!(one.is_empty() && one.vertices().is_empty());
    assert_eq!((one.vertices.capacity(), one.indices.capacity()), room);
}

/// Counts the pixels that only one of two meshes covers, and those that both cover.
fn difference(one: &Mesh, other: &Mesh, size: (usize, usize)) -> (usize, usize) {
    let (one, other) = (triangles_on_each_pixel(one, size), triangles_on_each_pixel(other, size));
    let pairs = || one.iter().zip(&other).map(|(&a, &b)| (a > 0, b > 0));
    (pairs().filter(|(a, b)| a != b).count(), pairs().filter(|&pair| pair == (true, true)).count())
}

#[test]
fn a_text_is_its_lines() {
    let words = "Play: 96 tiles, \"{æ}\" @ 60 Hz!";
    for height in [32.0, 40.0, 60.0] {
        let size = (font::width(words, height) as usize + 20, 3 * height as usize);
        let at = point(10.0, 2.0 * height);
        let (mut text, mut lines) = (Mesh::new(), Mesh::new());
        text.text(words, at, height, COLOR);
        lines.path(&font::lines(words, at, height), &Paint::stroke(COLOR, font::pen(height)).round());
        // Letters of `text` are made for one height and scaled, so their round ends differ from those of `lines`. The
        // difference is less than FLATNESS, so only few pixels differ.
        let (different, same) = difference(&text, &lines, size);
        assert!(same > 500 && different * 100 < same, "{different} and {same} at {height}");
    }
    // A small text has the triangles of a large one, scaled.
    let [small, large] = [1.0, 8.0].map(|times| {
        let mut text = Mesh::new();
        text.text(words, point(5.0 * times, 10.0 * times), 7.0 * times, COLOR);
        text
    });
    assert_eq!(small.indices, large.indices);
    let apart = |(a, b): (&Vertex, &Vertex)| (a.x * 8.0 - b.x).abs().max((a.y * 8.0 - b.y).abs());
    let most = small.vertices.iter().zip(&large.vertices).map(apart).fold(0.0, f32::max);
    assert!(f64::from(most) < ROUNDING, "{most}");
}

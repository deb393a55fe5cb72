//! Checks the table of pairs in the crate documentation, cell by cell: exactly the listed queries exist.

use std::collections::BTreeMap;
use surefoot_geometry::{
    Aabb, Capsule, Circle, ConvexPolygon, DVec2, Ends, Intersect, Line, Obb, Point, Ray, Segment, Shape, Triangle,
    dvec2,
};

/// The letters of each pair, by row and column.
type Table = BTreeMap<(String, String), Vec<&'static str>>;

/// One of each shape, all around the origin.
struct Shapes {
    point: Point,
    line: Line,
    ray: Ray,
    segment: Segment,
    circle: Circle,
    aabb: Aabb,
    obb: Obb,
    capsule: Capsule,
    triangle: Triangle,
    polygon: ConvexPolygon,
}

fn shapes() -> Shapes {
    let (a, b) = (dvec2(-2.0, -1.0), dvec2(3.0, 1.0));
    let corners = [dvec2(-2.0, -2.0), dvec2(2.0, -1.0), dvec2(0.0, 3.0)];
    Shapes {
        point: Point::new(dvec2(0.25, 0.5)).unwrap(),
        line: Line::new(a, b).unwrap(),
        ray: Ray::new(dvec2(-5.0, 0.5), dvec2(-4.0, 0.5)).unwrap(),
        segment: Segment::new(b, dvec2(-1.0, 2.0)).unwrap(),
        circle: Circle::new(DVec2::ZERO, 1.0).unwrap(),
        aabb: Aabb::new(a, b).unwrap(),
        obb: Obb::new(DVec2::ZERO, dvec2(2.0, 1.0), dvec2(3.0, 4.0)).unwrap(),
        capsule: Capsule::new(a, b, 0.5).unwrap(),
        triangle: Triangle::new(corners).unwrap(),
        polygon: ConvexPolygon::new(&corners).unwrap(),
    }
}

fn add(table: &mut Table, row: &str, column: &str, letters: &[&'static str]) {
    table.entry((row.to_owned(), column.to_owned())).or_default().extend(letters);
}

/// Checks that no number is NaN.
fn check_no_nan(numbers: &[f64]) {
    assert!(numbers.iter().all(|number| !number.is_nan()), "{numbers:?}");
}

/// Calls every query of every pair. Compiling this proves that the queries exist.
fn asked() -> Table {
    let shapes = shapes();
    let mut table = Table::new();
    macro_rules! each {
        ($ask:ident: $($row:ident $Row:ident),*; $columns:tt) => { $( each!(@row $ask $row $Row $columns); )* };
        (@row $ask:ident $row:ident $Row:ident ($($column:ident $Column:ident),*)) => {
            $( $ask!($row $Row $column $Column); )*
        };
    }
    macro_rules! both {
        ($row:ident $Row:ident $column:ident $Column:ident) => {{
            let (a, b): (&$Row, &$Column) = (&shapes.$row, &shapes.$column);
            check_no_nan(&[a.distance(b), a.distance_sq(b)]);
            assert_eq!(a.overlaps(b), b.overlaps(a));
            assert_eq!(a.touches(b), b.touches(a));
            if let Some(contact) = a.contact(b) {
                check_no_nan(&[contact.depth, contact.point.x, contact.point.y, contact.normal.x, contact.normal.y]);
            }
            // Every pair has these queries, so the table has no letter for them.
            add(&mut table, stringify!($Row), stringify!($Column), &[]);
        }};
    }
    macro_rules! shared {
        ($row:ident $Row:ident $column:ident $Column:ident) => {{
            let _: <$Row as Intersect<$Column>>::Shared = shapes.$row.intersect(&shapes.$column);
            add(&mut table, stringify!($Row), stringify!($Column), &["i"]);
        }};
    }
    macro_rules! swept {
        ($row:ident $Row:ident $column:ident $Column:ident) => {{
            let far: $Row = shapes.$row;
            for motion in [dvec2(9.0, 0.5), DVec2::ZERO] {
                let _ = (far.sweep(motion, &shapes.$column), far.sweep_moving(motion, &shapes.$column, DVec2::X));
            }
            add(&mut table, stringify!($Row), stringify!($Column), &["s"]);
        }};
    }
    macro_rules! one_sided {
        ($row:ident $Row:ident $column:ident $Column:ident) => {{
            let _ = shapes.$row.sweep_one_sided(dvec2(1.0, -4.0), &shapes.$column, Ends::BOTH);
            add(&mut table, stringify!($Row), stringify!($Column), &["e"]);
        }};
    }
    macro_rules! cast {
        ($row:ident $Row:ident $column:ident $Column:ident) => {{
            if let Some(hit) = shapes.$row.cast_ray(&shapes.$column) {
                check_no_nan(&[hit.toi, hit.normal.x, hit.normal.y]);
            }
            add(&mut table, stringify!($Row), stringify!($Column), &["r"]);
        }};
    }
    macro_rules! about_a_point {
        ($row:ident $Row:ident $column:ident $Column:ident) => {{
            let at = shapes.$column.position();
            assert_eq!(shapes.$row.contains(at), shapes.$row.closest_point(at) == at);
            add(&mut table, stringify!($Row), stringify!($Column), &["in", "near"]);
        }};
    }
    each!(about_a_point: point Point, line Line, ray Ray, segment Segment, circle Circle, aabb Aabb, obb Obb,
        capsule Capsule, triangle Triangle, polygon ConvexPolygon; (point Point));
    each!(both: point Point, line Line, ray Ray, segment Segment, circle Circle, aabb Aabb, obb Obb, capsule Capsule,
        triangle Triangle, polygon ConvexPolygon; (point Point, line Line, ray Ray, segment Segment, circle Circle,
        aabb Aabb, obb Obb, capsule Capsule, triangle Triangle, polygon ConvexPolygon));
    each!(shared: line Line, ray Ray, segment Segment; (point Point, line Line, ray Ray, segment Segment, circle Circle,
        aabb Aabb, obb Obb, capsule Capsule, triangle Triangle, polygon ConvexPolygon));
    each!(shared: point Point, circle Circle, aabb Aabb, obb Obb, capsule Capsule, triangle Triangle,
        polygon ConvexPolygon; (line Line, ray Ray, segment Segment));
    each!(shared: aabb Aabb; (aabb Aabb));
    each!(cast: point Point, line Line, ray Ray, segment Segment, circle Circle, aabb Aabb, obb Obb, capsule Capsule,
        triangle Triangle, polygon ConvexPolygon; (ray Ray));
    each!(swept: circle Circle, aabb Aabb; (point Point, segment Segment, circle Circle, aabb Aabb, obb Obb,
        capsule Capsule, triangle Triangle, polygon ConvexPolygon));
    each!(one_sided: circle Circle, aabb Aabb; (segment Segment));
    table
}

/// The table in the crate documentation.
fn documented() -> BTreeMap<(String, String), Vec<String>> {
    let source = include_str!("../../src/lib.rs");
    let rows = source.lines().filter_map(|line| line.strip_prefix("//! |")).filter(|line| !line.starts_with("---"));
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let name = |cell: &str| cell.trim_matches(['[', ']', '`']).to_owned();
    let mut rows = rows.map(cells);
    let columns: Vec<String> = rows.next().expect("a head").iter().skip(1).map(|cell| name(cell)).collect();
    let mut table = BTreeMap::new();
    for row in rows {
        for (column, cell) in columns.iter().zip(&row[1..]).filter(|(column, _)| !column.is_empty()) {
            let letters = cell.split(' ').filter(|&letter| letter != "·").map(str::to_owned).collect();
            table.insert((name(&row[0]), column.clone()), letters);
        }
    }
    table
}

#[test]
fn the_table_of_pairs_lists_exactly_the_queries_that_exist() {
    let (asked, documented) = (asked(), documented());
    assert_eq!(asked.len(), 100);
    assert_eq!(documented.keys().collect::<Vec<_>>(), asked.keys().collect::<Vec<_>>());
    for (pair, letters) in asked {
        assert_eq!(documented[&pair], letters, "{pair:?}");
    }
}

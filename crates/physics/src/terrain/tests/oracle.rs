//! Random maps against the painted outlines themselves: what shows is found by asking which points are solid.

use super::*;
use crate::testing::Random;
use glam::{I64Vec2, IVec2};

/// Fine steps in one lattice step: divisible by 17, so that the samples at seventeenths of an edge are exact; an edge
/// has at most 16 lattice points besides its start, so no sample is one.
const FINE: i64 = 17 * 8192;
/// Half the side of the square ring round a vertex, in fine steps: far less than any edge's distance from a vertex that
/// it does not touch.
const RING: i64 = 256;
/// Fine steps to either side of a face; its samples are at least 1/17 of a lattice step from a vertex.
const ASIDE: i64 = 16;

/// A map as painted.
struct Painted(MapParts);

impl Painted {
    /// The closed outlines of a tile, straight from the rules for what lies beyond the sides.
    fn outlines(&self, tile: (i32, i32)) -> Vec<Vec<I64Vec2>> {
        let parts = &self.0;
        let (x, y) = (tile.0 - parts.layers[0].origin.0, tile.1 - parts.layers[0].origin.1);
        let (width, height) = parts.layers[0].size;
        let (left, right) = (x < 0, x >= width as i32);
        let (below, above) = (y < 0, y >= height as i32);
        let outlines: Vec<Vec<I8Vec2>> = if left || right || below || above {
            let sides = &parts.borders;
            let on = |is: bool, beyond: Border| is && beyond == Border::Solid;
            let solid =
                on(left, sides.left) || on(right, sides.right) || on(below, sides.bottom) || on(above, sides.top);
            if solid { vec![vec![v(0, 0), v(0, 16), v(16, 16), v(16, 0)]] } else { vec![] }
        } else {
            let index = (y as u32 * width + x as u32) as usize;
            let entries = parts.layers.iter().map(|layer| layer.cells[index]);
            let ids = entries.filter_map(|entry| parts.kinds[usize::from(entry.0)].variant);
            let variants =
                ids.map(|id| parts.catalogue.variant(id)).filter(|variant| variant.kind == PatternKind::Solid);
            variants.flat_map(|variant| variant.paths.clone()).collect()
        };
        let corner = I64Vec2::new(tile.0.into(), tile.1.into()) * 16;
        outlines.iter().map(|path| path.iter().map(|at| (at.as_i64vec2() + corner) * FINE).collect()).collect()
    }

    /// Whether a point in fine steps is in the closed solid of any tile.
    fn is_solid(&self, at: I64Vec2) -> bool {
        let tile = |c: i64| c.div_euclid(16 * FINE) as i32;
        (tile(at.y - 1)..=tile(at.y)).any(|y| {
            (tile(at.x - 1)..=tile(at.x)).any(|x| self.outlines((x, y)).iter().any(|path| winds_round(path, at)))
        })
    }
}

/// Whether a closed path winds round a point or passes through it.
fn winds_round(path: &[I64Vec2], at: I64Vec2) -> bool {
    let mut winding = 0;
    for (i, a) in path.iter().enumerate() {
        let (a, b) = (*a - at, path[(i + 1) % path.len()] - at);
        let side = a.perp_dot(b);
        if side == 0 && a.dot(b) <= 0 {
            return true;
        }
        if a.y <= 0 && b.y > 0 && side > 0 {
            winding += 1;
        } else if a.y > 0 && b.y <= 0 && side < 0 {
            winding -= 1;
        }
    }
    winding != 0
}

fn solid_maps(seed: u64, count: usize) -> impl Iterator<Item = (Painted, Terrain)> {
    let mut random = Random(seed);
    let catalogue = Catalogue::builtin();
    (0..count).map(move |i| {
        // Every other map has only a few shapes, so that borders often match.
        let few: Vec<_> = (0..6).map(|_| random.index(96) as u16).collect();
        let keep = |id: VariantId| is_solid(&catalogue, id) && (i % 2 == 0 || id.0 == 0 || few.contains(&id.0));
        // The maps have one, two or three layers.
        let parts = random_layers(&mut random, (6, 5), 1 + i / 2 % 3, keep);
        let terrain = Terrain::bake(&Map::from_parts(parts.clone()).unwrap());
        (Painted(parts), terrain)
    })
}

/// Every face with its tile, in fine steps.
fn faces(terrain: &Terrain) -> Vec<((i32, i32), Piece, I64Vec2, I64Vec2)> {
    let mut all = Vec::new();
    for tile in tiles(terrain) {
        let corner = I64Vec2::new(tile.0.into(), tile.1.into()) * 16;
        for piece in pieces(terrain, tile).into_iter().filter(|piece| piece.role == Role::Face) {
            let place = |at: I8Vec2| (corner + at.as_i64vec2()) * FINE;
            all.push((tile, piece, place(piece.a), place(piece.b)));
        }
    }
    all
}

#[test]
fn faces_have_solid_behind_and_air_in_front() {
    for (painted, terrain) in solid_maps(11, 60) {
        for (tile, piece, a, b) in faces(&terrain) {
            let normal = piece.normal.as_i64vec2();
            for k in 1..17 {
                let at = a + (b - a) / 17 * k;
                assert!(painted.is_solid(at - normal.signum() * ASIDE), "{tile:?} {piece:?}");
                let outward = normal.signum();
                let in_front = |at: I64Vec2| painted.is_solid(at + outward * ASIDE);
                assert!(!in_front(at) || has_air_nearby_along_side(&painted, at, b - a, outward), "{tile:?} {piece:?}");
            }
        }
    }
}

/// Whether there is air in front of a side less than a lattice step along it from a sample: where it runs into another
/// tile's solid it goes on inside that far.
fn has_air_nearby_along_side(painted: &Painted, at: I64Vec2, direction: I64Vec2, outward: I64Vec2) -> bool {
    let direction = direction / FINE;
    let step = direction / gcd(direction.x.abs(), direction.y.abs()) * FINE;
    let shared = painted.0.layers.len() > 1;
    shared && (-32..=32).any(|i| !painted.is_solid(at + step / 32 * i + outward * ASIDE))
}

#[test]
fn every_border_between_solid_and_air_is_one_face() {
    for (painted, terrain) in solid_maps(12, 60) {
        let faces = faces(&terrain);
        for tile in tiles(&terrain) {
            for path in painted.outlines(tile) {
                for (i, a) in path.iter().enumerate() {
                    let b = path[(i + 1) % path.len()];
                    let steps = (b - a) / FINE;
                    let outward = I64Vec2::new(-steps.y, steps.x).signum();
                    for k in 1..17 {
                        let at = a + (b - a) / 17 * k;
                        let exposed = !painted.is_solid(at + outward * ASIDE);
                        let through =
                            |a: &I64Vec2, b: &I64Vec2| (*a - at).perp_dot(*b - at) == 0 && (*a - at).dot(*b - at) <= 0;
                        // A side of another layer may cross this side here, so count only parallel faces.
                        let along = |piece: &Piece| piece.normal.as_i64vec2().perp_dot(steps.perp()) == 0;
                        let here = faces.iter().filter(|(_, piece, a, b)| along(piece) && through(a, b));
                        let count = here.filter(|(_, piece, ..)| piece.normal.as_i64vec2().dot(outward) > 0).count();
                        let runs_in = || count == 1 && has_air_nearby_along_side(&painted, at, b - a, outward);
                        assert!(count == usize::from(exposed) || runs_in(), "{tile:?} {at} {count} {exposed}");
                    }
                }
            }
        }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The points of the ring, clockwise from the upper left corner, as offsets.
fn ring() -> Vec<I64Vec2> {
    let side = |from: I64Vec2, step: I64Vec2| (0..2 * RING).map(move |i| from + step * i);
    let corner = |x, y| I64Vec2::new(x, y) * RING;
    side(corner(-1, 1), I64Vec2::X)
        .chain(side(corner(1, 1), I64Vec2::NEG_Y))
        .chain(side(corner(1, -1), I64Vec2::NEG_X))
        .chain(side(corner(-1, -1), I64Vec2::Y))
        .collect()
}

/// The air beside a face round one of its ends.
struct Air {
    /// The free offsets, in order from the face.
    free: Vec<I64Vec2>,
    /// The first solid offset after them.
    solid: I64Vec2,
}

impl Air {
    /// Whether a small square with that corner at the vertex is in this air: the half of its border that is on the ring
    /// is. The square lies in the direction of `outward` on both axes.
    fn holds_square(&self, outward: I64Vec2) -> bool {
        let on_the_ring = self.free.iter().filter(|offset| (**offset * outward).min_element() > 0).count();
        on_the_ring == 2 * RING as usize - 1
    }
}

/// The air beside a face round one of its ends; `None` if there is none.
///
/// The ring is walked from the face itself, clockwise at its end `b` and counter-clockwise at `a`.
fn air_around_face_end(
    painted: &Painted,
    ring: &[I64Vec2],
    at: I64Vec2,
    back: I64Vec2,
    clockwise: bool,
) -> Option<Air> {
    let count = ring.len();
    let sign = if clockwise { -1 } else { 1 };
    let order = |i: usize| if clockwise { ring[i % count] } else { ring[(2 * count - i) % count] };
    // The first offset strictly beyond the face, less than a right angle away.
    let is_beyond = |i: usize| back.perp_dot(order(i)) * sign > 0 && back.dot(order(i)) > 0;
    let first = (1..=count).find(|&i| is_beyond(i) && !is_beyond(i - 1)).unwrap();
    if painted.is_solid(at + order(first)) {
        return None;
    }
    let steps = (1..count).find(|i| painted.is_solid(at + order(first + i))).unwrap_or(count - 1);
    Some(Air { free: (first..first + steps).map(order).collect(), solid: order(first + steps) })
}

#[test]
fn ends_go_on_into_the_edge_that_bounds_the_same_air() {
    let ring = ring();
    let (mut with_room, mut without) = (0, 0);
    for (painted, terrain) in solid_maps(13, 24) {
        let mut corners = 0;
        for (tile, piece, a, b) in faces(&terrain) {
            let tangent = I64Vec2::new(piece.normal.y.into(), -i64::from(piece.normal.x));
            for (at, back, clockwise, next) in [(a, tangent, false, piece.before), (b, -tangent, true, piece.after)] {
                let Some(air) = air_around_face_end(&painted, &ring, at, back, clockwise) else {
                    let shared = painted.0.layers.len() > 1;
                    assert!(shared && next == I8Vec2::ZERO, "an end inside a solid: {tile:?} {piece:?}");
                    continue;
                };
                let (free, solid) = (air.free[air.free.len() - 1], air.solid);
                let sign = if clockwise { -1 } else { 1 };
                // The end is convex if the air reaches beyond the extended line of the face. The solid offset that
                // follows the air must lie beyond the line too, because the ring has only so many offsets.
                let beyond = |offset: I64Vec2| back.perp_dot(offset) * sign < 0;
                let convex = beyond(free) && beyond(solid);
                if !convex {
                    // A box touches a slanted face with one of its corners. If that corner is at the end of the face,
                    // the whole box must lie in the air in front of the face.
                    let outward = piece.normal.as_i64vec2().signum();
                    let slanted = outward.x != 0 && outward.y != 0;
                    let has_room = !slanted || air.holds_square(outward);
                    let expected = if has_room { I8Vec2::ZERO } else { -piece.normal };
                    assert_eq!(next, expected, "{tile:?} {piece:?} {free} {solid}");
                    with_room += u32::from(slanted && has_room);
                    without += u32::from(!has_room);
                    continue;
                }
                assert!(next != I8Vec2::ZERO && next != -piece.normal, "{tile:?} {piece:?} {free} {solid}");
                // Exactly one arc is stored for the corner. Its bounds are along this face and along the edge at which
                // the air ends.
                corners += 1;
                let found = arcs_at(&terrain, at).into_iter().filter(|arc| {
                    let (own, other) = if clockwise { (arc.before, arc.after) } else { (arc.after, arc.before) };
                    let ray = -other.as_i64vec2();
                    own.as_i64vec2() == -back
                        && free.perp_dot(ray) * sign > 0
                        && solid.perp_dot(ray) * sign <= 0
                        && ray.dot(solid) > 0
                });
                assert_eq!(found.count(), 1, "{tile:?} {piece:?} {free} {solid} {:?}", arcs_at(&terrain, at));
            }
        }
        let arcs: usize = tiles(&terrain)
            .map(|tile| pieces(&terrain, tile).iter().filter(|piece| piece.role == Role::Arc).count())
            .sum();
        assert_eq!(arcs * 2, corners, "each corner is seen from two faces and from no other");
    }
    assert!(with_room > 100 && without > 100, "{with_room} {without}");
}

/// The arcs of all tiles that have their vertex there.
fn arcs_at(terrain: &Terrain, at: I64Vec2) -> Vec<Piece> {
    let all = tiles(terrain).flat_map(|tile| {
        let corner = I64Vec2::new(tile.0.into(), tile.1.into()) * 16;
        let all = pieces(terrain, tile).into_iter();
        all.filter(move |p| p.role == Role::Arc && (corner + p.a.as_i64vec2()) * FINE == at)
    });
    all.collect()
}

#[test]
fn what_is_closed_takes_no_notice_of_what_may_be_passed() {
    let mut random = Random(14);
    for round in 0..40 {
        let mut parts = random_map(&mut random, (8, 8), |_| true);
        let mixed = Terrain::bake(&Map::from_parts(parts.clone()).unwrap());
        let catalogue = parts.catalogue.clone();
        // Compare solids with a map of only solids. In every other round, keep thin walls too.
        let stays = |kind| kind == PatternKind::Solid || (round % 2 == 1 && kind == PatternKind::Wall);
        for cell in &mut parts.layers[0].cells {
            let variant = parts.kinds[usize::from(cell.0)].variant;
            if variant.is_some_and(|id| !stays(catalogue.variant(id).kind)) {
                *cell = TileId::EMPTY;
            }
        }
        let closed = Terrain::bake(&Map::from_parts(parts).unwrap());
        for tile in tiles(&mixed) {
            if closed.tile_at(0, tile) == Some(TileId::EMPTY) {
                assert!(pieces(&closed, tile).is_empty());
            } else {
                assert_eq!(pieces(&mixed, tile), pieces(&closed, tile), "round {round}, tile {tile:?}");
            }
        }
    }
}

#[test]
fn open_and_thin_edges_show_whole() {
    let mut random = Random(15);
    for _ in 0..40 {
        let terrain = Terrain::bake(&Map::from_parts(random_map(&mut random, (8, 8), |_| true)).unwrap());
        for tile in tiles(&terrain) {
            let Some(variant) = terrain.variant_at(0, tile).map(|id| terrain.catalogue().variant(id)) else { continue };
            if variant.kind == PatternKind::Solid {
                continue;
            }
            for (index, edge) in variant.edges.iter().enumerate() {
                let faces = pieces(&terrain, tile).into_iter();
                let faces: Vec<_> = faces.filter(|p| p.role == Role::Face && usize::from(p.edge) == index).collect();
                // The faces run end to end, from one vertex of the edge to the other.
                assert_eq!((faces[0].a, faces[faces.len() - 1].b), (edge.a, edge.b));
                assert!(faces.windows(2).all(|pair| pair[0].b == pair[1].a && pair[0].normal == pair[1].normal));
                let length: i32 =
                    faces.iter().map(|p| (p.b - p.a).as_ivec2().dot(p.normal.as_ivec2().perp() * -1)).sum();
                let normal: IVec2 = edge.normal().as_ivec2();
                assert_eq!(length, (edge.b - edge.a).as_ivec2().dot(-normal.perp()));
            }
        }
    }
}

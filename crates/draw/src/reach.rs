use crate::bodies::paint_body;
use crate::canvas::Canvas;
use crate::map::{MapStyle, draw_map_and_overlay};
use crate::markers::MIN_READABLE_SCALE;
use crate::paint::Paint;
use crate::palette::Palette;
use crate::path::PathData;
use crate::platforms;
use crate::region::Region;
use crate::svg::Svg;
use crate::view::View;
use std::collections::BTreeSet;
use surefoot::Map;
use surefoot::body::JumpReach;
use surefoot::geometry::DVec2;
use surefoot::motion::Obstacles;
use surefoot::prelude::{Character, Mover, Position, Settings, Shape, Terrain};

/// A character whose jumps are shown on a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jumper {
    /// Jump properties.
    pub character: Character,
    /// Shape of the body.
    pub shape: Shape,
    /// Settings of the world.
    pub settings: Settings,
}

impl Default for Jumper {
    /// Returns [`Character::default`] with a box of 0.7 x 0.9 tiles and [`Settings::default`].
    fn default() -> Jumper {
        Jumper { character: Character::default(), shape: Shape::aabb(0.35, 0.45), settings: Settings::default() }
    }
}

/// The path of a jump off the end of a floor.
#[derive(Clone, Debug, PartialEq)]
struct JumpPath {
    /// Positions of the centre before the jump and after each tick.
    centres: Vec<DVec2>,
    /// The jump ends at the terrain or a platform. Otherwise it leaves the map.
    lands: bool,
}

/// Draws a map like [`draw_map`](crate::draw_map), and how far a character jumps off both ends of each floor at full
/// speed.
///
/// A floor is a chain of exposed edges that are not steeper than the settings allow. A box jumps as late as possible:
/// when its rear corner is over the end. A circle jumps when its centre is over the end.
///
/// A curve shows the path of the centre, tick by tick, and a shade the covered space. Both end with the body's outline
/// where it hits the terrain. An end without room to stand, such as one at a wall, has no curve. Platforms count as
/// terrain at their start positions.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::Map;
/// use surefoot_draw::{Jumper, MapStyle, draw_reach};
///
/// let map = Map::from_rows(["........", "........", "##....##"])?;
/// let svg = draw_reach(&map, &Terrain::bake(&map), &Jumper::default(), &MapStyle::default());
/// // Two jumps over the gap, and two out of the map.
/// assert_eq!(svg.to_string().matches("class=\"reach\"").count(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn draw_reach(map: &Map, terrain: &Terrain, jumper: &Jumper, style: &MapStyle) -> Svg {
    let jumps = jump_paths(map, terrain, jumper);
    draw_map_and_overlay(map, terrain, style, |svg, view| {
        jumps.iter().for_each(|jump| paint_jump(svg, view, jump, jumper.shape, &style.palette));
    })
}

fn paint_jump(svg: &mut Svg, view: &View, jump: &JumpPath, shape: Shape, palette: &Palette) {
    let color = palette.bodies[2];
    svg.group("reach", "", |svg| {
        if view.scale >= MIN_READABLE_SCALE {
            // Paint the boxes of all ticks as one shape, so that their opacities do not add up.
            let mut covered = PathData::new();
            let half = shape.half_extents();
            for centre in &jump.centres {
                let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0)];
                covered.polygon(corners.map(|corner| view.point(*centre + half * DVec2::from(corner))));
            }
            svg.path(&covered, &Paint::fill(color).opacity(0.12));
        }
        let mut curve = PathData::new();
        curve.run(jump.centres.iter().map(|&centre| view.point(centre)));
        svg.path(&curve, &Paint::stroke(color, (view.scale / 20.0).max(1.0)).round());
        if let (true, [.., end]) = (jump.lands && view.scale >= MIN_READABLE_SCALE, &jump.centres[..]) {
            paint_body(svg, view, shape, *end, &Paint::stroke(color, view.scale / 32.0).opacity(0.7));
        }
    });
}

/// Returns the jumps off both ends of all floors.
fn jump_paths(map: &Map, terrain: &Terrain, jumper: &Jumper) -> Vec<JumpPath> {
    let mut obstacles = Obstacles::default();
    let platforms: Vec<_> =
        platforms::platform_terrains(map).map(|(terrain, at)| obstacles.add_platform(terrain, at)).collect();
    let platforms = platforms.iter().filter_map(|platform| obstacles.platform(*platform));
    let grounds: Vec<(&Terrain, Position)> = std::iter::once((terrain, Position::ORIGIN)).chain(platforms).collect();
    let ([up, right], mover) =
        (directions_up_and_right(jumper), create_mover(terrain, jumper).with_obstacles(&obstacles));
    let (rise, run) = jumper.settings.max_floor_slope.into();
    let is_floor = |normal: DVec2| {
        let is_flat_enough = normal.dot(right).abs() * f64::from(run) <= normal.dot(up) * f64::from(rise);
        is_flat_enough && normal.dot(up) > 0.0
    };
    // The air is on the left of the direction from `a` to `b`, so `b` is the right end of a floor's edge.
    let floors = |(ground, at): &(&Terrain, Position)| {
        let at = at.units();
        let faces = ground.exposed_faces().filter(|face| is_floor(face.normal.as_dvec2()));
        faces.map(|face| (face.a + at, face.b + at)).collect::<Vec<_>>()
    };
    let faces: Vec<(Position, Position)> = grounds.iter().flat_map(floors).collect();
    let key = |at: &Position| <[i64; 2]>::from(at.units());
    let (begins, ends): (BTreeSet<_>, BTreeSet<_>) = faces.iter().map(|(a, b)| (key(a), key(b))).unzip();
    let lefts = faces.iter().filter(|(a, _)| !ends.contains(&key(a))).map(|&(a, _)| (a, -1.0));
    let rights = faces.iter().filter(|(_, b)| !begins.contains(&key(b))).map(|&(_, b)| (b, 1.0));
    // If a platform overlaps the terrain or another platform, the point next to an end may be solid. Then the floor
    // goes on there.
    let is_free = |(end, side): &(Position, f64)| {
        let next = *end + (right * *side).as_i64vec2();
        !grounds.iter().any(|(ground, at)| ground.is_solid(Position::clamped(next - *at)))
    };
    lefts.chain(rights).filter(is_free).filter_map(|(end, side)| jump_path(map, &mover, jumper, end, side)).collect()
}

/// Returns the up and right directions.
fn directions_up_and_right(jumper: &Jumper) -> [DVec2; 2] {
    let up = jumper.settings.up;
    [up.direction(), up.right()].map(|axis| axis.as_dvec2())
}

fn create_mover<'a>(terrain: &'a Terrain, jumper: &Jumper) -> Mover<'a> {
    Mover::new(terrain).up(jumper.settings.up).max_floor_slope(jumper.settings.max_floor_slope)
}

/// Returns the jump off an end of a floor. `side`: 1 to the right, -1 to the left.
fn jump_path(map: &Map, mover: &Mover<'_>, jumper: &Jumper, end: Position, side: f64) -> Option<JumpPath> {
    let (shape, [up, right]) = (jumper.shape, directions_up_and_right(jumper));
    let half = shape.half_extents();
    let [half_up, half_right] = [up, right].map(|axis| half.dot(axis.abs()));
    // Start as high above the end as the steepest floor rises over half of the body's width.
    let start = mover.stand_on_floor(shape, end.offset(up * half_right * max_walkable_slope(jumper)).ok()?)?;
    let (mut at, mut lands) = (start, false);
    let move_until_hit = |at: &mut Position, motion: DVec2| match mover.cast(shape, *at, motion) {
        Some(hit) => {
            *at = hit.position;
            Some(true)
        }
        None => {
            *at = at.offset(motion).ok()?;
            Some(false)
        }
    };
    if !shape.is_circle() {
        move_until_hit(&mut at, right * (half_right * side))?;
    }
    let Region { low, high } = Region::of(map);
    let corners = [low, (high.0 + 1, high.1 + 1)].map(|(x, y)| DVec2::new(f64::from(x), f64::from(y)));
    let [low_right, high_right] = in_ascending_order(corners.map(|corner| corner.dot(right)));
    let [low_up, _] = in_ascending_order(corners.map(|corner| corner.dot(up)));
    let (mut centres, mut before) = (vec![at.to_dvec2()], DVec2::ZERO);
    for offset in jumper.character.jump_path(&jumper.settings).take(JumpReach::MAX_TICKS as usize) {
        let motion = offset - before;
        before = offset;
        lands = move_until_hit(&mut at, motion + right * ((side - 1.0) * motion.dot(right)))?;
        let centre = at.to_dvec2();
        centres.push(centre);
        let x = centre.dot(right);
        let is_out = x < low_right - half_right || x > high_right + half_right;
        if lands || is_out || centre.dot(up) < low_up - half_up {
            break;
        }
    }
    // A jump that is blocked in its first tick does not count.
    (centres.len() > 1 + usize::from(lands)).then_some(JumpPath { centres, lands })
}

/// Returns the rise of the steepest floor per tile.
fn max_walkable_slope(jumper: &Jumper) -> f64 {
    let (rise, run) = jumper.settings.max_floor_slope.into();
    f64::from(rise) / f64::from(run)
}

fn in_ascending_order([a, b]: [f64; 2]) -> [f64; 2] {
    [a.min(b), a.max(b)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::tests::groups;
    use surefoot::prelude::{SlopeLimit, Up};

    fn jump_paths_on_rows(rows: &[&str], jumper: &Jumper) -> Vec<JumpPath> {
        let map = Map::from_rows(rows.iter().copied()).unwrap();
        jump_paths(&map, &Terrain::bake(&map), jumper)
    }

    fn assert_near(found: DVec2, expected: (f64, f64)) {
        assert!((found - DVec2::from(expected)).length() < 1e-6, "{found}, expected {expected:?}");
    }

    /// A jump rises 3.2 tiles in 24 ticks and falls as long. At 8 tiles per second, it covers 6.4 tiles. The centre
    /// starts at 2.35 off the floor that ends at x = 2, and at 7.65 off the floor that ends at x = 8. Both jumps land
    /// on the other floor.
    #[test]
    fn jumps_over_a_gap_land_at_the_computed_positions() {
        let air = "...........";
        let jumps = jump_paths_on_rows(&[air, air, air, air, "##......###"], &Jumper::default());
        let [left_out, to_left, to_right, right_out] = &jumps[..] else { panic!("{jumps:?}") };
        for (jump, begin, top, end) in [(to_right, 2.35, 5.55, 8.75), (to_left, 7.65, 4.45, 1.25)] {
            assert!(jump.lands);
            assert_near(jump.centres[0], (begin, 1.45));
            assert_near(jump.centres[24], (top, 4.65));
            assert_near(*jump.centres.last().unwrap(), (end, 1.45));
            assert!((49..=50).contains(&jump.centres.len()), "{}", jump.centres.len());
        }
        // The jumps away from the gap leave the map after a tick.
        assert!(!left_out.lands && !right_out.lands);
        assert_near(left_out.centres[1], (-0.35 - 8.0 / 60.0, 1.45 + 16.0 / 60.0 - 20.0 / 3600.0));
        assert_eq!(left_out.centres.len(), 2);
    }

    /// The wall's side is at x = 6, the ceiling's underside at y = 3.
    #[test]
    fn jumps_end_at_walls_and_ceilings_and_none_starts_in_a_pit() {
        let tall = ["......#", "......#", "......#", "......#", "####..#"];
        let of_wall = jump_paths_on_rows(&tall, &Jumper::default());
        let at_wall: Vec<DVec2> =
            of_wall.iter().filter(|jump| jump.lands).map(|jump| jump.centres[jump.centres.len() - 1]).collect();
        assert_eq!(at_wall.len(), 1);
        assert!((at_wall[0].x - 5.65).abs() < 1e-6 && at_wall[0].y > 3.0, "{at_wall:?}");

        let low = jump_paths_on_rows(&["####", ".....", ".....", "##..."].map(|row| &row[..4]), &Jumper::default());
        let heads: Vec<f64> =
            low.iter().filter(|jump| jump.lands).map(|jump| jump.centres[jump.centres.len() - 1].y).collect();
        assert!(!heads.is_empty() && heads.iter().all(|y| (y + 0.45 - 3.0).abs() < 1e-6), "{heads:?}");

        // Both ends of the pit's floor are at walls, so no jump starts in the pit, below y = 3.
        let pit = jump_paths_on_rows(&["#...#", "#...#", "#####"], &Jumper::default());
        assert!(pit.iter().all(|jump| jump.centres[0].y > 3.0), "{pit:?}");
    }

    /// If up points down in the world, a ceiling is a floor. A circle jumps when its centre is over the end.
    #[test]
    fn jumps_depend_on_up_and_on_the_shape() {
        let settings = Settings::default().up(Up::MinusY).gravity((0.0, 40.0));
        let air = ["......"; 5];
        let rows: Vec<&str> = ["##...."].into_iter().chain(air).collect();
        let map = Map::from_rows(rows).unwrap();
        let jumper = Jumper { settings, ..Jumper::default() };
        let paths = jump_paths(&map, &Terrain::bake(&map), &jumper);
        let jump = paths.iter().find(|jump| jump.centres[0].x > 1.0).unwrap();
        assert_near(jump.centres[0], (2.35, 4.55));
        assert_near(jump.centres[24], (5.55, 1.35));

        let circle = Jumper { shape: Shape::circle(0.25), ..Jumper::default() };
        let off_circle = jump_paths_on_rows(&[".....", "##..."], &circle);
        assert_near(off_circle.iter().find(|jump| jump.centres[0].x > 1.0).unwrap().centres[0], (2.0, 1.25));
        let still = Jumper { character: Character { jump_height: 0.0, ..Character::default() }, ..circle };
        assert!(jump_paths_on_rows(&[".....", "##..."], &still).is_empty());
    }

    /// The top of a hill of 45 degrees is a floor of its own only if the slopes are too steep. At the foot of such a
    /// slope, a box stands with its inner corner 0.35 higher.
    #[test]
    fn slopes_are_floors_up_to_the_limit() {
        let steep = Settings::default().max_floor_slope(SlopeLimit::new(1, 2).unwrap());
        for (settings, expected) in [(Settings::default(), 0), (steep, 2)] {
            let jumps = jump_paths_on_rows(&["......", "./##\\.", "######"], &Jumper { settings, ..Jumper::default() });
            let of_top = jumps.iter().filter(|jump| (jump.centres[0].y - 2.45).abs() < 1e-6);
            assert_eq!(of_top.count(), expected);
        }
        let jumps = jump_paths_on_rows(&["......", "\\.....", "#....."], &Jumper::default());
        assert_near(jumps.iter().find(|jump| jump.centres[0].x > 1.0).unwrap().centres[0], (1.35, 1.8));
    }

    /// Creates a map of a row of 11 tiles below four rows of air, with platforms.
    fn map_with_platforms(row: &str, platforms: &str) -> Map {
        let rows = ["..........."; 4].map(|row| format!("{row:?},")).concat();
        Map::from_ron(&format!("Map(format: 1, tiles: [{rows} {row:?}], platforms: [{platforms}])")).unwrap()
    }

    /// The platform moves 2 tiles up from (8, -1) and back, and starts after a quarter, at (8, 0). Its top is from
    /// (8, 1) to (10, 1), so the jumps are those over a gap between blocks.
    #[test]
    fn platforms_are_floors_at_their_start_positions() {
        let of = |map: &Map| jump_paths(map, &Terrain::bake(map), &Jumper::default());
        let lift = "(tiles: [\"##\"], motion: Path(points: [(8, -1), (8, 1)], speed: 1, phase: 0.25))";
        let map = map_with_platforms("##.........", lift);
        let found = of(&map);
        let [left_out, to_left, to_right, right_out] = &found[..] else { panic!("{found:?}") };
        for (jump, begin, top, end) in [(to_right, 2.35, 5.55, 8.75), (to_left, 7.65, 4.45, 1.25)] {
            assert!(jump.lands);
            assert_near(jump.centres[0], (begin, 1.45));
            assert_near(jump.centres[24], (top, 4.65));
            assert_near(*jump.centres.last().unwrap(), (end, 1.45));
        }
        assert_near(right_out.centres[0], (10.35, 1.45));
        assert!(!left_out.lands && !right_out.lands);
        assert_eq!(found, of(&map_with_platforms("##......##.", "")));

        // The upper left corner of the picture is at (-0.5, 5.5), and a tile has 32 pixels. The curve starts at (7.65,
        // 1.45).
        let svg = draw_reach(&map, &Terrain::bake(&map), &Jumper::default(), &MapStyle::default());
        assert!(groups(&svg, "reach")[1].data.contains("M260.8 129.6L"), "{}", groups(&svg, "reach")[1].data);

        // A platform 4 tiles high with its side at x = 6 ends the jump like a wall.
        let door = "(tiles: [\"#\", \"#\", \"#\", \"#\"], at: (6, 1))";
        let at_door = of(&map_with_platforms("####.......", door));
        let end = at_door.iter().find(|jump| jump.lands && jump.centres[0].x < 6.0).unwrap().centres.last().unwrap();
        assert!((end.x - 5.65).abs() < 1e-6 && end.y > 3.0, "{end}");
    }

    /// The platform is next to a floor and flush with it; inside a floor, also half a tile off and a quarter lower;
    /// over a gap and half a tile beyond both sides; and inside a roof above a cave.
    #[test]
    fn floors_continue_over_platforms() {
        let of = |row: &str, platforms: &str| {
            let map = map_with_platforms(row, platforms);
            jump_paths(&map, &Terrain::bake(&map), &Jumper::default())
        };
        let two = |at: &str| format!("(tiles: [\"##\"], at: {at})");
        let longer = of("######.....", "");
        assert_eq!(longer.len(), 2);
        assert_near(longer[1].centres[0], (6.35, 1.45));
        assert_eq!(of("####.......", &two("(4, 0)")), longer);
        for within in ["(2, 0)", "(2.5, 0)", "(2.5, -0.25)"] {
            assert_eq!(of("######.....", &two(within)), longer, "{within}");
        }
        assert_eq!(of("##....##...", "(tiles: [\"#####\"], at: (1.5, 0))"), of("########...", ""));

        let rows = ["....", "....", "####", "####", "....", "....", "####"].map(|row| format!("{row:?},")).concat();
        let of_cave = |platforms: &str| {
            let map = Map::from_ron(&format!("Map(format: 1, tiles: [{rows}], platforms: [{platforms}])")).unwrap();
            jump_paths(&map, &Terrain::bake(&map), &Jumper::default())
        };
        assert_eq!(of_cave(&two("(1, 3.5)")), of_cave(""));
    }

    #[test]
    fn a_curve_has_a_point_per_tick() {
        let air = "...........";
        let map = Map::from_rows([air, air, air, air, "##......###"]).unwrap();
        let svg = draw_reach(&map, &Terrain::bake(&map), &Jumper::default(), &MapStyle::default());
        let reach = &groups(&svg, "reach")[2];
        // The box of each tick is closed (`Z`). Then comes the curve from (2.35, 1.45); the upper left corner of the
        // picture is at (-0.5, 5.5), and a tile has 32 pixels.
        assert!((49..=50).contains(&reach.data.matches('Z').count()));
        assert!(reach.data.contains("M91.2 129.6L"), "{}", reach.data);
    }
}

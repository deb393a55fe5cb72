use crate::bodies::paint_body;
use crate::canvas::Canvas;
use crate::map::{MapStyle, draw_map_with};
use crate::markers::READABLE;
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
    /// How it jumps.
    pub character: Character,
    /// How large it is.
    pub shape: Shape,
    /// The world that it jumps in.
    pub settings: Settings,
}

impl Default for Jumper {
    /// [`Character::default`], 0.7 tiles wide and 0.9 high, in a world of [`Settings::default`].
    fn default() -> Jumper {
        Jumper { character: Character::default(), shape: Shape::aabb(0.35, 0.45), settings: Settings::default() }
    }
}

/// A jump off the end of a floor: where the centre is before it and after each tick.
#[derive(Clone, Debug, PartialEq)]
struct Way {
    centres: Vec<DVec2>,
    /// Whether it ends at the terrain or a platform; it leaves the map otherwise.
    lands: bool,
}

/// Draws a map as [`draw_map`](crate::draw_map) does, and how far a character comes by one jump off both ends of each floor, at full speed
/// away from it.
///
/// A floor is a stretch of exposed edges that are no steeper than the settings allow, up to where none goes on. A box jumps as late as it
/// can, when its last corner is over the end, a circle when its middle is. A curve is the way of its centre, tick by tick, a shade what it
/// covers; both end where the body meets the terrain, with its outline there. Where it has no room to stand at an end, as before a wall, there is
/// no curve. The map's platforms count as terrain, at rest where they are drawn.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::Map;
/// use surefoot_draw::{Jumper, MapStyle, draw_reach};
///
/// let map = Map::from_rows(["........", "........", "##....##"])?;
/// let svg = draw_reach(&map, &Terrain::bake(&map), &Jumper::default(), &MapStyle::default());
/// // Off the two ends over the gap, and off the other two out of the map.
/// assert_eq!(svg.to_string().matches("class=\"reach\"").count(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn draw_reach(map: &Map, terrain: &Terrain, jumper: &Jumper, style: &MapStyle) -> Svg {
    let ways = ways(map, terrain, jumper);
    draw_map_with(map, terrain, style, |svg, view| {
        ways.iter().for_each(|way| paint(svg, view, way, jumper.shape, &style.palette));
    })
}

fn paint(svg: &mut Svg, view: &View, way: &Way, shape: Shape, palette: &Palette) {
    let color = palette.bodies[2];
    svg.group("reach", "", |svg| {
        if view.scale >= READABLE {
            // What the boxes around the body cover, once.
            let mut covered = PathData::new();
            let half = shape.half_extents();
            for centre in &way.centres {
                let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0)];
                covered.polygon(corners.map(|corner| view.point(*centre + half * DVec2::from(corner))));
            }
            svg.path(&covered, &Paint::fill(color).opacity(0.12));
        }
        let mut curve = PathData::new();
        curve.run(way.centres.iter().map(|&centre| view.point(centre)));
        svg.path(&curve, &Paint::stroke(color, (view.scale / 20.0).max(1.0)).round());
        if let (true, [.., end]) = (way.lands && view.scale >= READABLE, &way.centres[..]) {
            paint_body(svg, view, shape, *end, &Paint::stroke(color, view.scale / 32.0).opacity(0.7));
        }
    });
}

/// The jumps off both ends of all floors.
fn ways(map: &Map, terrain: &Terrain, jumper: &Jumper) -> Vec<Way> {
    let mut obstacles = Obstacles::default();
    let platforms: Vec<_> = platforms::terrains(map).map(|(terrain, at)| obstacles.add_platform(terrain, at)).collect();
    let platforms = platforms.iter().filter_map(|platform| obstacles.platform(*platform));
    let grounds: Vec<(&Terrain, Position)> = std::iter::once((terrain, Position::ORIGIN)).chain(platforms).collect();
    let ([up, right], mover) = (axes(jumper), mover(terrain, jumper).with_obstacles(&obstacles));
    let (rise, run) = jumper.settings.max_floor_slope.into();
    let is_floor = |normal: DVec2| {
        let steep = normal.dot(right).abs() * f64::from(run) <= normal.dot(up) * f64::from(rise);
        steep && normal.dot(up) > 0.0
    };
    // The air is on the left of the way from `a` to `b`: a floor goes to the right.
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
    // A platform may stand in the terrain, whose floor then goes on beside the end or lies above it.
    let is_free = |(end, side): &(Position, f64)| {
        let beside = *end + (right * *side).as_i64vec2();
        !grounds.iter().any(|(ground, at)| ground.is_solid(Position::clamped(beside - *at)))
    };
    lefts.chain(rights).filter(is_free).filter_map(|(end, side)| way(map, &mover, jumper, end, side)).collect()
}

/// Up and right.
fn axes(jumper: &Jumper) -> [DVec2; 2] {
    let up = jumper.settings.up;
    [up.direction(), up.right()].map(|axis| axis.as_dvec2())
}

fn mover<'a>(terrain: &'a Terrain, jumper: &Jumper) -> Mover<'a> {
    Mover::new(terrain).up(jumper.settings.up).max_floor_slope(jumper.settings.max_floor_slope)
}

/// The jump off an end of a floor, to the right by 1 or to the left by -1.
fn way(map: &Map, mover: &Mover<'_>, jumper: &Jumper, end: Position, side: f64) -> Option<Way> {
    let (shape, [up, right]) = (jumper.shape, axes(jumper));
    let half = shape.half_extents();
    let [half_up, half_right] = [up, right].map(|axis| half.dot(axis.abs()));
    // Let down from as high as a floor may rise below half of its width.
    let stands = mover.stand_on_floor(shape, end.offset(up * half_right * slope(jumper)).ok()?)?;
    let (mut at, mut lands) = (stands, false);
    let go = |at: &mut Position, motion: DVec2| match mover.cast(shape, *at, motion) {
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
        go(&mut at, right * (half_right * side))?;
    }
    let Region { low, high } = Region::of(map);
    let corners = [low, (high.0 + 1, high.1 + 1)].map(|(x, y)| DVec2::new(f64::from(x), f64::from(y)));
    let [low_right, high_right] = between(corners.map(|corner| corner.dot(right)));
    let [low_up, _] = between(corners.map(|corner| corner.dot(up)));
    let (mut centres, mut before) = (vec![at.to_dvec2()], DVec2::ZERO);
    for offset in jumper.character.jump_path(&jumper.settings).take(JumpReach::MAX_TICKS as usize) {
        let motion = offset - before;
        before = offset;
        lands = go(&mut at, motion + right * ((side - 1.0) * motion.dot(right)))?;
        let centre = at.to_dvec2();
        centres.push(centre);
        let aside = centre.dot(right);
        let is_out = aside < low_right - half_right || aside > high_right + half_right;
        if lands || is_out || centre.dot(up) < low_up - half_up {
            break;
        }
    }
    // One that is stopped in its first tick is none.
    (centres.len() > 1 + usize::from(lands)).then_some(Way { centres, lands })
}

/// How much the steepest floor rises on a tile.
fn slope(jumper: &Jumper) -> f64 {
    let (rise, run) = jumper.settings.max_floor_slope.into();
    f64::from(rise) / f64::from(run)
}

fn between([a, b]: [f64; 2]) -> [f64; 2] {
    [a.min(b), a.max(b)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::tests::groups;
    use surefoot::prelude::{SlopeLimit, Up};

    fn jumps(rows: &[&str], jumper: &Jumper) -> Vec<Way> {
        let map = Map::from_rows(rows.iter().copied()).unwrap();
        ways(&map, &Terrain::bake(&map), jumper)
    }

    fn near(found: DVec2, expected: (f64, f64)) {
        assert!((found - DVec2::from(expected)).length() < 1e-6, "{found}, expected {expected:?}");
    }

    /// 3.2 tiles up in 24 ticks, and down again in as many, at 8 tiles per second: 6.4 tiles. Off the floor whose end is x = 2 the middle
    /// begins at 2.35, and off the other one's end at 8 at 7.65; both come down on the other one.
    #[test]
    fn jumps_over_a_gap_land_where_they_must() {
        let air = "...........";
        let jumps = jumps(&[air, air, air, air, "##......###"], &Jumper::default());
        let [left_out, to_left, to_right, right_out] = &jumps[..] else { panic!("{jumps:?}") };
        for (way, begin, top, end) in [(to_right, 2.35, 5.55, 8.75), (to_left, 7.65, 4.45, 1.25)] {
            assert!(way.lands);
            near(way.centres[0], (begin, 1.45));
            near(way.centres[24], (top, 4.65));
            near(*way.centres.last().unwrap(), (end, 1.45));
            assert!((49..=50).contains(&way.centres.len()), "{}", way.centres.len());
        }
        // They are out of the map after a tick.
        assert!(!left_out.lands && !right_out.lands);
        near(left_out.centres[1], (-0.35 - 8.0 / 60.0, 1.45 + 16.0 / 60.0 - 20.0 / 3600.0));
        assert_eq!(left_out.centres.len(), 2);
    }

    /// The wall's side is at x = 6, the ceiling's under side at y = 3, where it meets the head of one that comes from below.
    #[test]
    fn jumps_end_at_walls_and_ceilings_and_none_begins_before_a_wall() {
        let tall = ["......#", "......#", "......#", "......#", "####..#"];
        let of_wall = jumps(&tall, &Jumper::default());
        let at_wall: Vec<DVec2> =
            of_wall.iter().filter(|way| way.lands).map(|way| way.centres[way.centres.len() - 1]).collect();
        assert_eq!(at_wall.len(), 1);
        assert!((at_wall[0].x - 5.65).abs() < 1e-6 && at_wall[0].y > 3.0, "{at_wall:?}");

        let low = jumps(&["####", ".....", ".....", "##..."].map(|row| &row[..4]), &Jumper::default());
        let heads: Vec<f64> =
            low.iter().filter(|way| way.lands).map(|way| way.centres[way.centres.len() - 1].y).collect();
        assert!(!heads.is_empty() && heads.iter().all(|y| (y + 0.45 - 3.0).abs() < 1e-6), "{heads:?}");

        // In a pit no jump begins at the walls to both sides.
        let pit = jumps(&["#...#", "#...#", "#####"], &Jumper::default());
        assert!(pit.iter().all(|way| way.centres[0].y > 3.0), "{pit:?}");
    }

    /// Where up is down a ceiling is a floor; a circle jumps when its middle is over the end.
    #[test]
    fn up_and_shapes_count() {
        let settings = Settings::default().up(Up::MinusY).gravity((0.0, 40.0));
        let air = ["......"; 5];
        let rows: Vec<&str> = ["##...."].into_iter().chain(air).collect();
        let map = Map::from_rows(rows).unwrap();
        let jumper = Jumper { settings, ..Jumper::default() };
        let ways = ways(&map, &Terrain::bake(&map), &jumper);
        let way = ways.iter().find(|way| way.centres[0].x > 1.0).unwrap();
        near(way.centres[0], (2.35, 4.55));
        near(way.centres[24], (5.55, 1.35));

        let circle = Jumper { shape: Shape::circle(0.25), ..Jumper::default() };
        let ways = jumps(&[".....", "##..."], &circle);
        near(ways.iter().find(|way| way.centres[0].x > 1.0).unwrap().centres[0], (2.0, 1.25));
        let still = Jumper { character: Character { jump_height: 0.0, ..Character::default() }, ..circle };
        assert!(jumps(&[".....", "##..."], &still).is_empty());
    }

    /// The top of a hill of 45 degrees is a floor by itself only where that is too steep. At the foot of such a slope a box stands with its
    /// inner corner 0.35 higher.
    #[test]
    fn slopes_are_floors_up_to_the_limit() {
        let steep = Settings::default().max_floor_slope(SlopeLimit::new(1, 2).unwrap());
        for (settings, expected) in [(Settings::default(), 0), (steep, 2)] {
            let ways = jumps(&["......", "./##\\.", "######"], &Jumper { settings, ..Jumper::default() });
            let of_top = ways.iter().filter(|way| (way.centres[0].y - 2.45).abs() < 1e-6);
            assert_eq!(of_top.count(), expected);
        }
        let ways = jumps(&["......", "\\.....", "#....."], &Jumper::default());
        near(ways.iter().find(|way| way.centres[0].x > 1.0).unwrap().centres[0], (1.35, 1.8));
    }

    /// A map of a row of 11 tiles below four rows of air, and platforms.
    fn with_platforms(row: &str, platforms: &str) -> Map {
        let rows = ["..........."; 4].map(|row| format!("{row:?},")).concat();
        Map::from_ron(&format!("Map(format: 1, tiles: [{rows} {row:?}], platforms: [{platforms}])")).unwrap()
    }

    /// Up 2 tiles from (8, -1) and back, a quarter of which is (8, 0): its top goes from (8, 1) to (10, 1), and the jumps to it and off it are those
    /// over a gap between blocks.
    #[test]
    fn platforms_are_floors_where_they_begin() {
        let of = |map: &Map| ways(map, &Terrain::bake(map), &Jumper::default());
        let lift = "(tiles: [\"##\"], motion: Path(points: [(8, -1), (8, 1)], speed: 1, phase: 0.25))";
        let map = with_platforms("##.........", lift);
        let found = of(&map);
        let [left_out, to_left, to_right, right_out] = &found[..] else { panic!("{found:?}") };
        for (way, begin, top, end) in [(to_right, 2.35, 5.55, 8.75), (to_left, 7.65, 4.45, 1.25)] {
            assert!(way.lands);
            near(way.centres[0], (begin, 1.45));
            near(way.centres[24], (top, 4.65));
            near(*way.centres.last().unwrap(), (end, 1.45));
        }
        near(right_out.centres[0], (10.35, 1.45));
        assert!(!left_out.lands && !right_out.lands);
        assert_eq!(found, of(&with_platforms("##......##.", "")));

        // The curve from (7.65, 1.45), 32 pixels a tile from -0.5 on and below a top of 5.5.
        let svg = draw_reach(&map, &Terrain::bake(&map), &Jumper::default(), &MapStyle::default());
        assert!(groups(&svg, "reach")[1].data.contains("M260.8 129.6L"), "{}", groups(&svg, "reach")[1].data);

        // One 4 tiles high with its side at x = 6 ends the jump as a wall does.
        let door = "(tiles: [\"#\", \"#\", \"#\", \"#\"], at: (6, 1))";
        let at_door = of(&with_platforms("####.......", door));
        let end = at_door.iter().find(|way| way.lands && way.centres[0].x < 6.0).unwrap().centres.last().unwrap();
        assert!((end.x - 5.65).abs() < 1e-6 && end.y > 3.0, "{end}");
    }

    /// Beside a floor, level with it; in it, also by half a tile, and lower by a quarter; from
    /// rim to rim, half a tile beyond both; and in a roof, half a tile below its top, with a cave below.
    #[test]
    fn floors_go_on_over_platforms() {
        let of = |row: &str, platforms: &str| {
            let map = with_platforms(row, platforms);
            ways(&map, &Terrain::bake(&map), &Jumper::default())
        };
        let two = |at: &str| format!("(tiles: [\"##\"], at: {at})");
        let longer = of("######.....", "");
        assert_eq!(longer.len(), 2);
        near(longer[1].centres[0], (6.35, 1.45));
        assert_eq!(of("####.......", &two("(4, 0)")), longer);
        for within in ["(2, 0)", "(2.5, 0)", "(2.5, -0.25)"] {
            assert_eq!(of("######.....", &two(within)), longer, "{within}");
        }
        assert_eq!(of("##....##...", "(tiles: [\"#####\"], at: (1.5, 0))"), of("########...", ""));

        let rows = ["....", "....", "####", "####", "....", "....", "####"].map(|row| format!("{row:?},")).concat();
        let of_cave = |platforms: &str| {
            let map = Map::from_ron(&format!("Map(format: 1, tiles: [{rows}], platforms: [{platforms}])")).unwrap();
            ways(&map, &Terrain::bake(&map), &Jumper::default())
        };
        assert_eq!(of_cave(&two("(1, 3.5)")), of_cave(""));
    }

    #[test]
    fn a_curve_has_a_point_a_tick() {
        let air = "...........";
        let map = Map::from_rows([air, air, air, air, "##......###"]).unwrap();
        let svg = draw_reach(&map, &Terrain::bake(&map), &Jumper::default(), &MapStyle::default());
        let reach = &groups(&svg, "reach")[2];
        // The shade of each tick's box, closed; then the curve from (2.35, 1.45), 32 pixels a tile below a top of 5.5.
        assert!((49..=50).contains(&reach.data.matches('Z').count()));
        assert!(reach.data.contains("M91.2 129.6L"), "{}", reach.data);
    }
}

//! Paints a world at a moment between its last two ticks.

use super::bodies::{self, Look};
use super::camera::{Bounds, Size};
use super::platforms::PlatformCache;
use super::pose::Pose;
use super::signs::Sign;
use super::{Mesh, TerrainCache, areas, backdrop, danger, overlay, signs};
use crate::{
    Art, ArtLayers, CellPicture, Palette, Pass, Point, Region, Sprite, TerrainPainter, View, paint_area, paint_variant,
};
use surefoot::World;
use surefoot::command::Command;
use surefoot::geometry::DVec2;
use surefoot::prelude::BodyState;

/// Passes of the terrain that are painted behind everything else, those behind bodies, and those before them.
const BACK: [Pass; 1] = [Pass::Behind];
const BEHIND: [Pass; 9] = [
    Pass::Solids,
    Pass::Rim,
    Pass::Shades,
    Pass::Surfaces,
    Pass::Belts,
    Pass::SolidEdges,
    Pass::Walls,
    Pass::WallMiddles,
    Pass::OpenEdges,
];
const BEFORE: [Pass; 1] = [Pass::Before];

/// Lines that are painted over a world for debugging. None of them by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlay {
    /// The exposed edges of the terrain, with their outward normals.
    pub edges: bool,
    /// The contacts of bodies, their motion in the last tick, who rides a platform, and the paths of platforms.
    pub contacts: bool,
    /// The outlines of all areas, also of large ones that are not painted otherwise.
    pub areas: bool,
    /// The tiles that the motion of the last tick swept over.
    pub swept: bool,
    /// All markers, as diamonds.
    pub markers: bool,
}

impl Overlay {
    /// Everything.
    pub const ALL: Overlay = Overlay { edges: true, contacts: true, areas: true, swept: true, markers: true };
}

/// A moment of a world, as a window shows it.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The world.
    pub world: &'a World,
    /// Time between the last two ticks: 0 is the second last tick, 1 is the last one.
    pub fraction: f32,
    /// The part of the world in the window.
    pub view: View,
    /// Size of the window.
    pub size: Size,
    /// Pictures of the tiles, if there are any.
    pub art: Option<&'a Art>,
    /// The colours.
    pub palette: Palette,
    /// Lines for debugging.
    pub overlay: Overlay,
}

impl Moment<'_> {
    /// Returns the tiles in the window.
    #[must_use]
    pub fn seen(&self) -> Region {
        Region::spanning(
            self.view.tile(Point { x: 0.0, y: self.size.height }),
            self.view.tile(Point { x: self.size.width, y: 0.0 }),
        )
    }

    /// Returns the time of the moment in seconds, which moves waves, streaks and frames of pictures.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        (self.world.tick() as f64 + f64::from(self.fraction)) * self.world.settings().tick
    }

    /// Paints a body with a look, in a pose or in that of its motion.
    pub fn paint_body(&self, mesh: &mut Mesh, body: &BodyState, look: Look, pose: Option<&Pose>, palette: &Palette) {
        let centre = body.position_at(self.fraction).as_dvec2();
        let pose = pose.copied().unwrap_or_else(|| Pose::of_body(body, centre));
        bodies::paint(mesh, &self.view, body, centre, (look, &pose), palette);
        bodies::front(mesh, &self.view, body, centre, look, palette);
    }
}

/// Paints moments of a world. Caches meshes that do not change between frames.
#[derive(Debug, Default)]
pub struct ScenePainter {
    terrain: TerrainCache,
    platforms: PlatformCache,
    /// The markers that a player sees. `None` until they are painted for the first time.
    signs: Option<Vec<(DVec2, Sign)>>,
}

impl ScenePainter {
    /// Creates a painter.
    #[must_use]
    pub fn new() -> ScenePainter {
        ScenePainter::default()
    }

    /// Drops all cached meshes: for another world, or one that has been rewound.
    pub fn clear(&mut self) {
        *self = ScenePainter::default();
    }

    /// Drops the cached meshes that a change of a tile can alter.
    pub fn invalidate(&mut self, tile: (i32, i32)) {
        self.terrain.invalidate(tile);
    }

    /// Drops the cached meshes of tiles that the world changed in its last tick.
    pub fn observe(&mut self, world: &World) {
        for command in world.commands() {
            match *command {
                Command::SetTile { tile, .. } => self.terrain.invalidate(tile),
                Command::SetTiles { from, to, .. } => self.terrain.invalidate_between(from, to),
                _ => {}
            }
        }
    }

    /// Paints everything behind the bodies: hills, tiles, areas and platforms.
    pub fn paint_behind(&mut self, mesh: &mut Mesh, moment: &Moment<'_>) {
        let Moment { world, view, size, art, ref palette, overlay, .. } = *moment;
        self.terrain.set_scale(view.scale);
        let Bounds { low, high } = Bounds::of_map(world.map());
        backdrop::paint(mesh, size, &view, (low.y + high.y) / 2.0, palette);
        if art.is_none() {
            self.paint_terrain(mesh, moment, &BACK);
        }
        // Paint water before the solids: its area is often a rectangle that also covers solid tiles, and they must stay
        // visible.
        paint_areas(mesh, moment, true);
        if art.is_none() {
            self.paint_terrain(mesh, moment, &BEHIND);
        }
        paint_art(mesh, moment, false);
        if overlay.edges {
            self.paint_terrain(mesh, moment, &[Pass::Normals]);
        }
        if overlay.markers {
            self.paint_terrain(mesh, moment, &[Pass::Markers]);
        }
        let seen = (moment.seen().low(), moment.seen().high());
        danger::paint(mesh, &view, world, seen, palette);
        let signs = self.signs.get_or_insert_with(|| signs::signs_of_map(world.map()));
        signs::paint(mesh, &view, signs, seen, palette);
        if overlay.swept {
            overlay::swept_tiles(mesh, &view, world, palette);
        }
        self.platforms.append_faint_paths_to(mesh, world, &view, palette);
        match art {
            Some(art) => paint_art_of_platforms(mesh, moment, art),
            None => self.platforms.append_to(mesh, world, &view, moment.fraction, palette),
        }
        paint_areas(mesh, moment, false);
        if overlay.contacts {
            self.platforms.append_paths_to(mesh, world, &view, palette);
        }
    }

    /// Paints everything in front of the bodies: tile layers in front, and the overlays of areas and contacts.
    pub fn paint_before(&mut self, mesh: &mut Mesh, moment: &Moment<'_>) {
        let Moment { world, view, art, ref palette, overlay, .. } = *moment;
        if art.is_none() {
            self.paint_terrain(mesh, moment, &BEFORE);
        }
        paint_art(mesh, moment, true);
        if overlay.areas {
            for (_, state) in world.areas() {
                paint_area(mesh, &view, state.area(), state.position_at(moment.fraction).as_dvec2(), palette);
            }
        }
        if overlay.contacts {
            overlay::motion(mesh, &view, world, palette);
            overlay::riders(mesh, &view, world, moment.fraction, palette);
        }
    }

    /// Paints passes of the terrain in the window.
    fn paint_terrain(&mut self, mesh: &mut Mesh, moment: &Moment<'_>, passes: &[Pass]) {
        let Moment { world, view, palette, .. } = *moment;
        // The arrows of belts are painted in the colour `quiet_text`. Belts move bodies, so give the arrows the colour
        // of moving things.
        let palette = Palette { quiet_text: palette.normal, ..palette };
        let painter = TerrainPainter::of_world(world, &palette);
        let ((left, bottom), (_, rows)) = (world.map().origin(), world.map().size());
        let corner = view.point(DVec2::new(left.into(), f64::from(bottom) + f64::from(rows)));
        // The view's corner is on a whole pixel, so rounding removes only floating-point error.
        self.terrain.append_to(mesh, &painter, passes, moment.seen(), corner.x.round(), corner.y.round());
    }
}

/// Paints the tiles with the pieces of the picture, if the map has one. Tiles without a piece are plain.
fn paint_art(mesh: &mut Mesh, moment: &Moment<'_>, in_front: bool) {
    let Some(art) = moment.art else { return };
    let layers = ArtLayers { region: moment.seen(), in_front, seconds: moment.seconds() };
    art.show_world(moment.world, layers, &mut |cell| match cell {
        CellPicture::Sprite(sprite) => push_sprite(mesh, &moment.view, &sprite),
        CellPicture::Plain(tile, variant) => {
            paint_variant(mesh, &moment.view, art.variant(variant), tile, &moment.palette);
        }
    });
}

fn paint_art_of_platforms(mesh: &mut Mesh, moment: &Moment<'_>, art: &Art) {
    let view = &moment.view;
    for (_, state) in moment.world.platforms().filter(|(_, state)| state.is_present()) {
        let at = state.position_at(moment.fraction).as_dvec2();
        let moved = View { left: view.left - at.x, top: view.top - at.y, scale: view.scale };
        art.show_platform(&state.platform().layers, at, moment.seconds(), &mut |cell| match cell {
            CellPicture::Sprite(sprite) => push_sprite(mesh, view, &sprite),
            CellPicture::Plain(tile, variant) => {
                paint_variant(mesh, &moved, art.variant(variant), tile, &moment.palette);
            }
        });
    }
}

fn push_sprite(mesh: &mut Mesh, view: &View, sprite: &Sprite) {
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    let corners = corners.map(|(x, y)| view.point(sprite.corner + DVec2::new(x, y) * sprite.side));
    mesh.push_picture(corners.map(|at| DVec2::new(at.x, at.y)), sprite.picture);
}

/// Paints the areas that have effects, or those that only report bodies.
fn paint_areas(mesh: &mut Mesh, moment: &Moment<'_>, has_effects: bool) {
    for (_, state) in moment.world.areas().filter(|(_, state)| state.area().effects.is_empty() != has_effects) {
        // The art already shows the area.
        if moment.art.is_some_and(|art| art.shows_areas(&state.area().tag)) {
            continue;
        }
        let at = state.position_at(moment.fraction).as_dvec2();
        areas::paint(mesh, &moment.view, state.area(), at, moment.seconds(), &moment.palette);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::Map;
    use surefoot::prelude::*;
    use surefoot::terrain::{CHUNK_CELLS, CHUNK_SIDE};

    fn paint_behind_and_before(painter: &mut ScenePainter, world: &World, overlay: Overlay) -> [Mesh; 2] {
        let moment = Moment {
            world,
            fraction: 1.0,
            view: View { left: 0.0, top: 4.0, scale: 20.0 },
            size: Size { width: 160.0, height: 80.0 },
            art: None,
            palette: Palette::NIGHT,
            overlay,
        };
        let mut meshes = [Mesh::new(), Mesh::new()];
        painter.paint_behind(&mut meshes[0], &moment);
        painter.paint_before(&mut meshes[1], &moment);
        meshes
    }

    fn world() -> World {
        let map = Map::from_ron(
            r##"Map(format: 1, tiles: ["@.......", "........", "...=....", "========"],
                areas: [(name: "room", shape: Aabb(30.0, 30.0), at: (4.0, 2.0))],
                platforms: [(tiles: ["#"], at: (5, 2), motion: Path(points: [(0, 0), (2, 0)], speed: 6))])"##,
        );
        let mut world = World::new(map.expect("a map"), Settings::default());
        world.spawn(Body::new(Shape::aabb(0.4, 0.4)).at((1.5, 1.4)).velocity((3.0, 0.0))).expect("there is room");
        world.step();
        world
    }

    /// A painter that observes each tick paints the same as one without a cache.
    #[test]
    fn observed_changes_are_painted_as_without_a_cache() {
        let (mut world, mut painter) = (world(), ScenePainter::new());
        for tick in 0..30 {
            match tick {
                5 => world.set_tile(0, (3, 1), TileId::EMPTY).expect("a tile of the map"),
                9 => world.set_tiles(0, (6, 1), (7, 2), TileId(1)).expect("tiles of the map"),
                _ => {}
            }
            world.step();
            painter.observe(&world);
            let fresh = paint_behind_and_before(&mut ScenePainter::new(), &world, Overlay::ALL);
            assert!(paint_behind_and_before(&mut painter, &world, Overlay::ALL) == fresh, "tick {tick}");
        }
    }

    /// Hills without end.
    struct Hills;

    impl TileSource for Hills {
        fn fill(&self, _layer: usize, chunk: (i32, i32), cells: &mut [TileId; CHUNK_CELLS]) {
            for column in 0..CHUNK_SIDE {
                let x = i64::from(chunk.0) * CHUNK_SIDE as i64 + column as i64;
                let height = usize::from(chunk.1 == 0) * (1 + (x.rem_euclid(7) / 4) as usize);
                (0..height).for_each(|row| cells[row * CHUNK_SIDE + column] = TileId(1));
            }
        }
    }

    /// A ball flies over hills that are loaded around it. The painter that observes paints the same as one without a
    /// cache, and makes few meshes again.
    #[test]
    fn a_streamed_world_is_painted_as_without_a_cache_and_again_only_where_chunks_are_loaded() {
        let template = Map::from_ron(r##"Map(format: 1, tiles: ["#"])"##).expect("a map");
        let mut world = World::streamed(template, std::sync::Arc::new(Hills), Settings::default());
        let ball = Body::new(Shape::circle(0.25)).at((0.0, 6.0)).velocity((40.0, 0.0)).gravity_scale(0.0);
        let ball = world.spawn(ball).expect("there is room");
        let mut painter = ScenePainter::new();
        let (mut kept, mut all, mut with_tiles) = (0, 0, 0);
        for tick in 0..180 {
            match tick {
                50 => world.set_tile(0, (31, 1), TileId(1)).expect("a tile"),
                90 => world.set_tile(0, (62, 0), TileId::EMPTY).expect("a tile"),
                _ => {}
            }
            world.step();
            painter.observe(&world);
            let before = painter.terrain.mesh_count();
            let x = world[ball].position().to_dvec2().x;
            let paint = |painter: &mut ScenePainter| {
                let moment = Moment {
                    world: &world,
                    fraction: 1.0,
                    view: View { left: x - 24.0, top: 12.0, scale: 4.0 },
                    size: Size { width: 192.0, height: 64.0 },
                    art: None,
                    palette: Palette::NIGHT,
                    overlay: Overlay::default(),
                };
                let mut mesh = Mesh::new();
                painter.paint_behind(&mut mesh, &moment);
                painter.paint_before(&mut mesh, &moment);
                mesh
            };
            let (found, fresh) = (paint(&mut painter), paint(&mut ScenePainter::new()));
            assert!(found == fresh, "tick {tick}");
            with_tiles += usize::from(fresh.vertices().len() > 100);
            (kept, all) = (kept + before, all + painter.terrain.mesh_count());
        }
        assert!(with_tiles == 180 && kept * 10 > all * 9, "{with_tiles}: {kept} of {all} meshes were kept");
    }

    #[test]
    fn each_part_of_the_overlay_shows_something() {
        let world = world();
        let parts = [
            Overlay { edges: true, ..Overlay::default() },
            Overlay { contacts: true, ..Overlay::default() },
            Overlay { areas: true, ..Overlay::default() },
            Overlay { swept: true, ..Overlay::default() },
            Overlay { markers: true, ..Overlay::default() },
        ];
        let count = |overlay| {
            paint_behind_and_before(&mut ScenePainter::new(), &world, overlay)
                .iter()
                .map(|mesh| mesh.indices().len())
                .sum::<usize>()
        };
        let none = count(Overlay::default());
        for part in parts {
            assert!(count(part) > none, "{part:?}");
        }
        // The parts do not depend on each other.
        let added: usize = parts.into_iter().map(|part| count(part) - none).sum();
        assert_eq!(count(Overlay::ALL), none + added);
    }
}

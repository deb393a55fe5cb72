//! Converts the tiles of a world to scenes of the oracle. The oracle mirrors and turns the patterns with its own code.

use std::collections::BTreeMap;
use surefoot::World;
use surefoot::catalogue::PatternKind;
use surefoot::map::{Border, CollisionLayers, TileKind};
use surefoot::prelude::*;
use surefoot_oracle as oracle;

/// The collision layers of a body, and whether the body drops through tiles.
type SceneKey = (CollisionLayers, bool);

/// The tiles of a world as oracle scenes, by the bodies that collide with them.
pub(crate) struct OracleScenes {
    /// All colliding tiles.
    pub(crate) all: oracle::Scene,
    /// The tiles that block a body.
    by_body: BTreeMap<SceneKey, oracle::Scene>,
}

impl OracleScenes {
    /// Converts the current tiles of a world, for the collision layers of all its bodies.
    pub(crate) fn of_world(world: &World) -> OracleScenes {
        let map = world.map();
        let layers = world.bodies().map(|(_, state)| state.body().collision_layers);
        let by_body = layers.flat_map(|layers| [false, true].map(|drops| ((layers, drops), oracle::Scene::new())));
        let mut scenes = OracleScenes { all: oracle::Scene::new(), by_body: by_body.collect() };
        let (origin, size) = (map.origin(), map.size());
        let (right, top) = (origin.0 + size.0 as i32, origin.1 + size.1 as i32);
        for layer in (0..map.layers().len()).filter(|&layer| map.layers()[layer].collides) {
            for tile in (origin.1..top).flat_map(|y| (origin.0..right).map(move |x| (x, y))) {
                if let Some(entry) = world.tile_at(layer, tile).and_then(|id| map.kind(id)) {
                    scenes.add_tile(map.catalogue(), tile, entry);
                }
            }
        }
        let sides = map.borders();
        for (beyond, side, tile) in [
            (sides.left, oracle::Side::Left, origin.0),
            (sides.right, oracle::Side::Right, right),
            (sides.bottom, oracle::Side::Bottom, origin.1),
            (sides.top, oracle::Side::Top, top),
        ] {
            if beyond == Border::Solid {
                scenes.for_each_scene(|_, scene| scene.add_solid_beyond(side, tile));
            }
        }
        scenes
    }

    fn add_tile(&mut self, catalogue: &Catalogue, tile: (i32, i32), entry: &TileKind) {
        let Some(id) = entry.variant else { return };
        let variant = catalogue.variant(id);
        let pattern = catalogue.pattern(variant.pattern);
        let point = |&(x, y): &(i8, i8)| (i32::from(x), i32::from(y));
        let paths: Vec<Vec<_>> = pattern.paths.iter().map(|path| path.iter().map(point).collect()).collect();
        let kind = match pattern.kind {
            PatternKind::Solid => oracle::Kind::Solid,
            PatternKind::Open => oracle::Kind::Open,
            PatternKind::Wall => oracle::Kind::Wall,
        };
        let (mirrored, turns) = (variant.placement.mirrored(), variant.placement.turns());
        self.for_each_scene(|(layers, drops), scene| {
            if !(drops && entry.drop_through || entry.ignored_by.intersects(layers)) {
                scene.paint(tile, kind, &paths, mirrored, turns);
            }
        });
    }

    /// Calls `change` with each scene and its key.
    fn for_each_scene(&mut self, mut change: impl FnMut(SceneKey, &mut oracle::Scene)) {
        change((CollisionLayers::NONE, false), &mut self.all);
        self.by_body.iter_mut().for_each(|(key, scene)| change(*key, scene));
    }

    /// Returns the tiles that block a body. Returns `None` if no body had these layers when the scenes were made.
    pub(crate) fn scene_of_body(&self, layers: CollisionLayers, drops: bool) -> Option<&oracle::Scene> {
        self.by_body.get(&(layers, drops))
    }
}

/// Converts a shape for the oracle.
pub(crate) fn oracle_shape(shape: Shape) -> oracle::Shape {
    if shape.is_circle() {
        oracle::Shape::Circle { radius: shape.half_units().x }
    } else {
        oracle::Shape::Box { half: shape.half_units().into() }
    }
}

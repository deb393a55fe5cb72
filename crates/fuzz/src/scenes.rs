//! The tiles of a world as the oracle knows them: from the patterns as drawn, by its own placement code.

use std::collections::BTreeMap;
use surefoot::World;
use surefoot::catalogue::PatternKind;
use surefoot::map::{Border, CollisionLayers, TileKind};
use surefoot::prelude::*;
use surefoot_oracle as oracle;

/// What bodies meet of the tiles of a world.
pub(crate) struct Scenes {
    /// All that collides.
    pub(crate) all: oracle::Scene,
    /// What is there for bodies of some layers that drop or not, for all such that are in the world.
    others: BTreeMap<(CollisionLayers, bool), oracle::Scene>,
}

impl Scenes {
    /// Of a world on a map, as it is painted now.
    pub(crate) fn of(world: &World) -> Scenes {
        let map = world.map();
        let layers = world.bodies().map(|(_, state)| state.body().collision_layers);
        let others = layers.flat_map(|layers| [false, true].map(|drops| ((layers, drops), oracle::Scene::new())));
        let mut scenes = Scenes { all: oracle::Scene::new(), others: others.collect() };
        let (origin, size) = (map.origin(), map.size());
        let (right, top) = (origin.0 + size.0 as i32, origin.1 + size.1 as i32);
        for layer in (0..map.layers().len()).filter(|&layer| map.layers()[layer].collides) {
            for tile in (origin.1..top).flat_map(|y| (origin.0..right).map(move |x| (x, y))) {
                if let Some(entry) = world.tile_at(layer, tile).and_then(|id| map.kind(id)) {
                    scenes.paint(map.catalogue(), tile, entry);
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
                scenes.each(|_, scene| scene.solid_beyond(side, tile));
            }
        }
        scenes
    }

    fn paint(&mut self, catalogue: &Catalogue, tile: (i32, i32), entry: &TileKind) {
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
        self.each(|(layers, drops), scene| {
            if !(drops && entry.drop_through || entry.ignored_by.intersects(layers)) {
                scene.paint(tile, kind, &paths, mirrored, turns);
            }
        });
    }

    /// Shows every scene with whose it is.
    fn each(&mut self, mut see: impl FnMut((CollisionLayers, bool), &mut oracle::Scene)) {
        see((CollisionLayers::NONE, false), &mut self.all);
        self.others.iter_mut().for_each(|(of, scene)| see(*of, scene));
    }

    /// What is there for a body of those layers that drops or not; `None` if it was not known that there is one.
    pub(crate) fn of_body(&self, layers: CollisionLayers, drops: bool) -> Option<&oracle::Scene> {
        self.others.get(&(layers, drops))
    }
}

/// A shape as the oracle knows it.
pub(crate) fn oracle_shape(shape: Shape) -> oracle::Shape {
    if shape.is_circle() {
        oracle::Shape::Circle { radius: shape.half_units().x }
    } else {
        oracle::Shape::Box { half: shape.half_units().into() }
    }
}

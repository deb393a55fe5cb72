//! The tiles of a world as the oracle knows them: from the patterns as drawn, by its own placement code.

use surefoot::World;
use surefoot::catalogue::Kind;
use surefoot::map::{Beyond, TileKind};
use surefoot::prelude::*;
use surefoot_oracle as oracle;

/// All that collides, and the same without what may be dropped through.
pub(crate) struct Scenes {
    pub(crate) all: oracle::Scene,
    pub(crate) dropped: oracle::Scene,
}

impl Scenes {
    /// Of a world on a map, as it is painted now.
    pub(crate) fn of(world: &World) -> Scenes {
        let map = world.map();
        let mut scenes = Scenes { all: oracle::Scene::new(), dropped: oracle::Scene::new() };
        let (origin, size) = (map.origin(), map.size());
        let (right, top) = (origin.0 + size.0 as i32, origin.1 + size.1 as i32);
        for layer in (0..map.layers().len()).filter(|&layer| map.layers()[layer].collides) {
            for tile in (origin.1..top).flat_map(|y| (origin.0..right).map(move |x| (x, y))) {
                if let Some(entry) = world.tile_at(layer, tile).and_then(|id| map.kind(id)) {
                    scenes.paint(map.catalogue(), tile, entry);
                }
            }
        }
        let sides = map.sides();
        for (beyond, side, tile) in [
            (sides.left, oracle::Side::Left, origin.0),
            (sides.right, oracle::Side::Right, right),
            (sides.bottom, oracle::Side::Bottom, origin.1),
            (sides.top, oracle::Side::Top, top),
        ] {
            if beyond == Beyond::Solid {
                scenes.all.solid_beyond(side, tile);
                scenes.dropped.solid_beyond(side, tile);
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
            Kind::Solid => oracle::Kind::Solid,
            Kind::Open => oracle::Kind::Open,
            Kind::Wall => oracle::Kind::Wall,
        };
        let (mirrored, turns) = (variant.placement.mirrored(), variant.placement.turns());
        self.all.paint(tile, kind, &paths, mirrored, turns);
        if !entry.drop_through {
            self.dropped.paint(tile, kind, &paths, mirrored, turns);
        }
    }
}

/// A shape as the oracle knows it.
pub(crate) fn oracle_shape(shape: Shape) -> oracle::Shape {
    if shape.is_circle() {
        oracle::Shape::Circle { radius: shape.half().x }
    } else {
        oracle::Shape::Box { half: shape.half().into() }
    }
}

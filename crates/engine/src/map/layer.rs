use super::EntryId;

/// One layer of a map's tiles: as wide and as high as the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    pub(super) name: String,
    pub(super) collides: bool,
    /// Row by row, the lowest row first, from left to right.
    pub(super) cells: Vec<EntryId>,
}

impl Layer {
    /// The name of the layer of a map that has but one and does not name it.
    pub const ONLY: &'static str = "tiles";

    /// A layer that bodies meet, of cells row by row, the lowest row first, from left to right;
    /// [`Map::from_cells`](super::Map::from_cells) checks them.
    #[must_use]
    pub fn new(name: impl Into<String>, cells: Vec<EntryId>) -> Layer {
        Layer { name: name.into(), collides: true, cells }
    }

    /// The layer as one to be drawn only: no body meets it.
    #[must_use]
    pub fn only_drawn(mut self) -> Layer {
        self.collides = false;
        self
    }

    /// What the map calls it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether bodies meet its tiles; a layer that does not collide is there to be drawn.
    #[must_use]
    pub fn collides(&self) -> bool {
        self.collides
    }

    /// All cells row by row, the lowest row first, from left to right.
    #[must_use]
    pub fn cells(&self) -> &[EntryId] {
        &self.cells
    }

    /// The layer of a map that has but one.
    pub(super) fn only(cells: Vec<EntryId>) -> Layer {
        Layer::new(Layer::ONLY, cells)
    }

    /// Whether a map of this layer alone does not name it.
    pub(super) fn is_plain(&self) -> bool {
        self.collides && self.name == Layer::ONLY
    }
}

#[cfg(test)]
mod tests {
    use crate::map::{EntryId, Layer, Map, MapErrorKind, MapParts};

    const LAYERS: &str = r###"Map(format: 1, legend: {'c': (tile: "disc", marker: "coin")}, layers: [
        (name: "terrain", tiles: ["@..", "##."]),
        (tiles: ["..=", "..c"], name: "ledges"),
        (name: "front", collides: false, tiles: [".*.", r"##\"])])"###;

    #[test]
    fn layers_hold_tiles_and_markers() {
        let mut map = Map::from_ron(LAYERS).unwrap();
        let seen: Vec<_> = map.layers().iter().map(|layer| (layer.name(), layer.collides())).collect();
        assert_eq!(seen, [("terrain", true), ("ledges", true), ("front", false)]);
        let find = |map: &Map, c| map.find_entry(c).unwrap();
        let (block, ledge, slope) = (find(&map, '#'), find(&map, '='), find(&map, '\\'));
        assert_eq!(map.cells(), [block, block, EntryId::EMPTY, EntryId::EMPTY, EntryId::EMPTY, EntryId::EMPTY]);
        assert_eq!(map.entry_at((2, 1)), Some(EntryId::EMPTY));
        assert_eq!(map.entry_in(1, (2, 1)), Some(ledge));
        assert_eq!(map.entry_in(2, (2, 0)), Some(slope));
        assert_eq!((map.entry_in(3, (0, 0)), map.entry_in(2, (3, 0))), (None, None));
        let markers: Vec<_> = map.all_markers().collect();
        assert_eq!(markers, [("coin", (2, 0)), ("goal", (1, 1)), ("start", (0, 1))]);

        assert_eq!(map.set_entry_in(2, (0, 1), ledge), Ok(()));
        assert_eq!(map.layers()[2].cells()[3], ledge);
        assert_eq!(map.set_entry_in(3, (0, 1), ledge), Err(MapErrorKind::NoLayer { layer: 3, layers: 3 }));
        assert_eq!(map.set_entry_in(2, (0, 2), ledge), Err(MapErrorKind::OutsideMap { x: 0, y: 2 }));
    }

    #[test]
    fn a_layer_named_as_if_it_were_alone_is_that() {
        let one =
            |layer: &str| Map::from_ron(&format!("Map(format: 1, layers: [({layer}, tiles: [\"#.\"])])")).unwrap();
        let plain = Map::from_ron("Map(format: 1, tiles: [\"#.\"])").unwrap();
        assert_eq!(one("name: \"tiles\""), plain);
        assert!(!plain.to_ron().contains("layers"));
        for layer in ["name: \"tiles\", collides: false", "name: \"terrain\""] {
            let named = one(layer);
            assert_ne!(named, plain);
            assert_eq!(Map::from_ron(&named.to_ron()), Ok(named));
        }
    }

    #[test]
    fn layers_by_code_are_checked() {
        let cells = || vec![EntryId::EMPTY; 6];
        let of = |layers: Vec<Layer>| Map::from_cells(MapParts { layers, cells: Vec::new(), ..MapParts::new(3, 2) });
        let map = Map::from_ron(LAYERS).unwrap();
        let parts = MapParts {
            legend: map.legend().to_vec(),
            layers: map.layers().to_vec(),
            cells: Vec::new(),
            markers: map.all_markers().map(|(name, tile)| (name.to_owned(), tile)).collect(),
            ..MapParts::new(3, 2)
        };
        assert_eq!(Map::from_cells(parts), Ok(map));
        let drawn = of(vec![Layer::new("a", cells()), Layer::new("b", cells()).only_drawn()]).unwrap();
        assert!(drawn.layers()[0].collides() && !drawn.layers()[1].collides());

        let beside = MapParts { layers: vec![Layer::new("a", cells())], ..MapParts::new(3, 2) };
        assert_eq!(Map::from_cells(beside), Err(MapErrorKind::CellsAndLayers { found: 6 }));
        let short = of(vec![Layer::new("a", cells()), Layer::new("b", cells()[1..].to_vec())]);
        assert_eq!(short, Err(MapErrorKind::CellCount { found: 5, expected: 6 }));
        assert_eq!(of(vec![Layer::new("", cells())]), Err(MapErrorKind::NamelessLayer));
        let twice = of(vec![Layer::new("a", cells()), Layer::new("a", cells())]);
        assert_eq!(twice, Err(MapErrorKind::DuplicateLayer { name: "a".to_owned() }));
        let many: Vec<_> = (0..=Map::MAX_LAYERS).map(|i| Layer::new(i.to_string(), cells())).collect();
        assert_eq!(of(many), Err(MapErrorKind::TooManyLayers { count: 17, limit: 16 }));
        let unknown = of(vec![Layer::new("a", cells()), Layer::new("b", vec![EntryId(999); 6])]);
        assert!(matches!(unknown, Err(MapErrorKind::UnknownEntry { entry: EntryId(999), .. })));
    }

    #[test]
    fn written_layers_read_back() {
        let map = Map::from_ron(LAYERS).unwrap();
        let text = map.to_ron();
        let back = Map::from_ron(&text).unwrap();
        assert_eq!(back, map);
        assert_eq!(back.to_ron(), text);
        let expected = concat!(
            "    layers: [\n        (\n            name: \"terrain\",\n            tiles: [\n",
            "                r\"...\",\n                r\"##.\",\n            ],\n        ),\n",
            "        (\n            name: \"ledges\",\n            tiles: [\n",
            "                r\"..=\",\n                r\"..c\",\n            ],\n        ),\n",
            "        (\n            name: \"front\",\n            collides: false,\n            tiles: [\n",
            "                r\"...\",\n                r\"##\\\",\n            ],\n        ),\n    ],\n)\n",
        );
        assert!(text.ends_with(expected), "{text}");
    }

    #[test]
    fn what_does_not_collide_is_not_in_the_checksum() {
        let sum = |text: &str| Map::from_ron(&format!("Map(format: 1, {text})")).unwrap().checksum();
        let plain = sum("tiles: [\"#.\"]");
        assert_eq!(sum("layers: [(name: \"a\", tiles: [\"#.\"])]"), plain);
        assert_eq!(
            sum("layers: [(name:\"a\", tiles: [\"#.\"]), (name:\"b\", collides: false, tiles: [\".#\"])]"),
            plain
        );
        let two = |a, b| sum(&format!("layers: [(name: \"a\", tiles: [\"{a}\"]), (name: \"b\", tiles: [\"{b}\"])]"));
        assert_ne!(two("#.", ".."), plain);
        assert_ne!(two("#.", ".="), two("#.", ".."));
        assert_ne!(two("#.", ".="), two(".=", "#."));
    }
}

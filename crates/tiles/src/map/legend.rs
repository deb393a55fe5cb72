//! Legends: the tiles that symbols stand for, the built-in legend, and the numbering of tile kinds.

#[cfg(feature = "ron")]
use super::text::words::pattern_name_hint;
use super::{Map, TileId, TileKind};
use crate::catalogue::{Catalogue, VariantId, VariantNameError};
use std::collections::BTreeMap;

/// Tile name of an empty cell.
pub const EMPTY: &str = "empty";

/// The built-in legend: a symbol, its tile, whether bodies can drop through it, and the marker it places.
const BUILTIN: [(char, &str, bool, Option<&str>); 29] = [
    ('.', EMPTY, false, None),
    (' ', EMPTY, false, None),
    ('#', "full_block", false, None),
    ('/', "slope_45", false, None),
    ('\\', "slope_45 r1", false, None),
    ('`', "slope_45 r3", false, None),
    ('\'', "slope_45 r2", false, None),
    ('1', "half_slope_low", false, None),
    ('2', "half_slope_high", false, None),
    ('3', "half_slope_high m", false, None),
    ('4', "half_slope_low m", false, None),
    ('5', "half_slope_low m r2", false, None),
    ('6', "half_slope_high m r2", false, None),
    ('7', "half_slope_high r2", false, None),
    ('8', "half_slope_low r2", false, None),
    ('_', "half_slab", false, None),
    ('^', "spike", false, None),
    ('v', "spike r2", false, None),
    ('(', "quarter_moon r3", false, None),
    (')', "quarter_moon", false, None),
    ('L', "quarter_pipe", false, None),
    ('J', "quarter_pipe r3", false, None),
    ('o', "disc", false, None),
    ('+', "stud", false, None),
    ('|', "mid_wall", false, None),
    ('-', "one_way", true, None),
    ('=', "one_way", false, None),
    ('@', EMPTY, false, Some("start")),
    ('*', EMPTY, false, Some("goal")),
];

/// Meaning of a symbol, before the tile kinds have numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Meaning {
    pub(super) character: char,
    pub(super) kind: TileKind,
    /// The marker, unless the tile kind places it.
    pub(super) marker: Option<String>,
    /// Whether the symbol belongs to the built-in legend, whose empty cells all share one tile kind.
    pub(super) is_builtin: bool,
}

impl Meaning {
    /// Returns the meaning of an entry in a map's own legend.
    pub(super) fn of_own_legend(character: char, kind: TileKind, marker: Option<String>) -> Meaning {
        Meaning { character, kind, marker, is_builtin: false }
    }

    /// Replaces the meaning by that of the map's own legend. An equal meaning stays built-in.
    pub(super) fn replace_if_different(&mut self, own: Meaning) {
        if self.kind != own.kind || self.marker != own.marker {
            *self = own;
        }
    }

    /// Returns whether the symbol stands for an empty cell that places nothing.
    fn is_empty(&self) -> bool {
        self.kind.variant.is_none() && self.marker.is_none() && self.kind.things.is_empty()
    }

    /// Returns whether the cells of the symbol have a marker.
    pub(super) fn has_marker(&self) -> bool {
        self.marker.is_some() || self.kind.things.marker.is_some()
    }
}

/// Returns the built-in legend, without tiles that the catalogue does not have.
pub(super) fn builtin_legend(catalogue: &Catalogue) -> Vec<Meaning> {
    let meaning = |&(character, tile, drop_through, marker): &(char, &str, bool, Option<&str>)| {
        let variant = find_tile_variant(catalogue, tile).ok()?;
        let kind = TileKind { variant, drop_through, ..TileKind::default() };
        kind.is_drop_through_valid(catalogue).then(|| Meaning {
            character,
            kind,
            marker: marker.map(str::to_owned),
            is_builtin: true,
        })
    };
    BUILTIN.iter().filter_map(meaning).collect()
}

/// Returns the variant with a tile name. `None` for the empty cell.
pub(super) fn find_tile_variant(catalogue: &Catalogue, name: &str) -> Result<Option<VariantId>, VariantNameError> {
    if name.trim() == EMPTY { Ok(None) } else { catalogue.find_variant(name).map(Some) }
}

/// Returns all pattern names if the error is an unknown pattern, so that the error can list what exists.
pub fn tile_names_to_suggest(catalogue: &Catalogue, error: &VariantNameError) -> Vec<String> {
    match error {
        VariantNameError::UnknownPattern { .. } => {
            let patterns = catalogue.patterns().iter().map(|pattern| pattern.name.clone());
            std::iter::once(EMPTY.to_owned()).chain(patterns).collect()
        }
        _ => Vec::new(),
    }
}

/// Error of [`Map::find_tile_named`].
#[cfg(feature = "ron")]
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TileNameError {
    /// The text is neither a symbol (letter) of the map nor the name of a tile, such as `slope_45`.
    #[error(
        "{name:?} is neither a symbol of the map's legend nor a tile: {source}{}",
        pattern_name_hint(source, known)
    )]
    UnknownTile {
        /// The text that is not a tile.
        name: String,
        /// Reason why the text is not the name of a tile.
        source: VariantNameError,
        /// Names of all patterns (tile shapes) of the catalogue if the pattern is unknown; otherwise empty.
        known: Vec<String>,
    },
    /// The catalogue (set of tile shapes) has the tile, but it is not a tile kind of the map.
    #[error(
        "the map's legend has no symbol for {name:?}; expected a tile of the legend; add it to `legend` in the map"
    )]
    NotInLegend {
        /// Name of the tile.
        name: String,
    },
}

#[cfg(feature = "ron")]
crate::told::debug_is_display!(TileNameError);

#[cfg(feature = "ron")]
impl Map {
    /// Returns the tile kind with that name: a symbol of the legend, such as `#`, or a tile, such as `slope_45` or
    /// `spike r1`. If several tile kinds have the tile, returns the first.
    ///
    /// # Errors
    /// - Returns [`TileNameError::UnknownTile`] if `name` is neither a symbol nor a tile. The error says what may have
    ///   been meant.
    /// - Returns [`TileNameError::NotInLegend`] if the map has no tile kind with the tile.
    ///
    /// # Examples
    /// ```
    /// use surefoot::Map;
    ///
    /// let map = Map::from_ron(r#"Map(format: 1, legend: {'x': "spike r1"}, tiles: ["x.#"])"#)?;
    /// assert_eq!(map.find_tile_named("spike r1")?, map.find_tile_named("x")?);
    /// let error = map.find_tile_named("spkie").unwrap_err().to_string();
    /// assert!(error.ends_with("no pattern is named `spkie`; did you mean `spike`?"), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_tile_named(&self, name: &str) -> Result<TileId, TileNameError> {
        let mut characters = name.chars();
        if let (Some(character), None) = (characters.next(), characters.next())
            && let Some(kind) = self.find_tile(character)
        {
            return Ok(kind);
        }
        let variant = find_tile_variant(self.catalogue(), name).map_err(|source| {
            let known = tile_names_to_suggest(self.catalogue(), &source);
            TileNameError::UnknownTile { name: name.to_owned(), source, known }
        })?;
        let kind = self.kinds().iter().position(|kind| kind.variant == variant);
        let kind = kind.ok_or_else(|| TileNameError::NotInLegend { name: name.to_owned() })?;
        Ok(TileId(kind as u16))
    }
}

/// What a symbol in a row stands for: its tile kind and marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Paint {
    pub(super) entry: TileId,
    /// Index of its marker in the legend, unless the tile kind places it.
    pub(super) marker: Option<u16>,
}

/// A legend with numbered tile kinds, ready to read rows.
pub(super) struct Palette {
    pub(super) kinds: Vec<TileKind>,
    /// Symbols that stand for tile kinds.
    pub(super) letters: BTreeMap<char, TileId>,
    /// Names of the markers by index, without those that tile kinds place. Two symbols may place markers of the same
    /// name.
    pub(super) markers: Vec<String>,
    /// Result of each symbol.
    paints: BTreeMap<char, Paint>,
    /// For each group of 256 symbols, the index of its block in `blocks`. Block 0, full of [`UNRESOLVED`], is for
    /// groups without symbols.
    block_of: Vec<u16>,
    /// Tile kinds of symbols without a marker, or whose kind places it. [`UNRESOLVED`] for all others.
    blocks: Vec<[u16; 256]>,
}

/// Marks a symbol that needs a closer look: it is unknown, or places a marker.
const UNRESOLVED: u16 = u16::MAX;

impl Palette {
    /// Numbers the tile kinds in the order of meanings. Kind 0 is the first plain empty cell, shared by built-in empty
    /// cells. Cells that are empty except for a marker also have kind 0.
    pub(super) fn new(meanings: &[Meaning]) -> Palette {
        let first = meanings.iter().position(Meaning::is_empty);
        let mut palette = Palette {
            // Kind 0 is the empty tile. It takes over the properties of the first symbol that stands for an empty cell.
            kinds: vec![first.map_or_else(TileKind::default, |first| meanings[first].kind.clone())],
            letters: first.map(|first| (meanings[first].character, TileId::EMPTY)).into_iter().collect(),
            markers: Vec::new(),
            paints: BTreeMap::new(),
            block_of: vec![0; (char::MAX as usize >> 8) + 1],
            blocks: vec![[UNRESOLVED; 256]],
        };
        palette.kinds.reserve_exact(meanings.len());
        for (i, meaning) in meanings.iter().enumerate() {
            let &Meaning { character, ref kind, ref marker, is_builtin } = meaning;
            let mut paint = Paint { entry: TileId::EMPTY, marker: None };
            let is_plain = is_builtin || first == Some(i);
            let only_marks = marker.is_some() && *kind == TileKind::default();
            if !(only_marks || is_plain && kind.variant.is_none()) {
                paint.entry = TileId(palette.kinds.len() as u16);
                palette.kinds.push(kind.clone());
                // No other symbol stands for this new kind. So written rows use this symbol, even if the symbol places
                // a marker too.
                palette.letters.insert(character, paint.entry);
            }
            if let Some(name) = marker {
                paint.marker = Some(palette.markers.len() as u16);
                palette.markers.push(name.clone());
            }
            if marker.is_none() {
                palette.letters.insert(character, paint.entry);
            }
            palette.paints.insert(character, paint);
            palette
                .set_tile_entry_of_symbol(character, if paint.marker.is_some() { UNRESOLVED } else { paint.entry.0 });
        }
        palette
    }

    /// Creates the palette of a map's symbols. They stand for the map's tile kinds and place no markers.
    #[cfg(feature = "ron")]
    pub(super) fn of_map(map: &Map) -> Palette {
        let mut palette = Palette { kinds: map.kinds().to_vec(), letters: map.symbols().clone(), ..Palette::new(&[]) };
        for (&character, &entry) in map.symbols() {
            palette.paints.insert(character, Paint { entry, marker: None });
            palette.set_tile_entry_of_symbol(character, entry.0);
        }
        palette
    }

    fn set_tile_entry_of_symbol(&mut self, character: char, entry: u16) {
        let block = &mut self.block_of[character as usize >> 8];
        if *block == 0 {
            *block = self.blocks.len() as u16;
            self.blocks.push([UNRESOLVED; 256]);
        }
        self.blocks[usize::from(*block)][character as usize & 0xff] = entry;
    }

    /// Adds the cells of a row. Calls `ask` for each symbol that is unknown or places a marker.
    pub(super) fn add_row_cells(
        &self,
        (row, characters): (&str, usize),
        cells: &mut Vec<TileId>,
        mut ask: impl FnMut(usize, char) -> TileId,
    ) {
        let start = cells.len();
        // Collect the bits first and search for `UNRESOLVED` afterwards, because a branch per cell would be most of
        // the work. If all bits are set without any `UNRESOLVED`, the search finds nothing, which is harmless.
        let mut bits = 0;
        if row.len() == characters {
            let ascii = &self.blocks[usize::from(self.block_of[0])];
            let mut paint = |&byte: &u8| {
                let entry = ascii[usize::from(byte)];
                bits |= entry;
                TileId(entry)
            };
            let (blocks, rest) = row.as_bytes().as_chunks::<32>();
            for block in blocks {
                // Maps mostly consist of runs of one symbol. So look up the symbol only once if all 32 symbols of a
                // block are equal.
                if block[1..] == block[..31] {
                    cells.extend_from_slice(&[paint(&block[0]); 32]);
                } else {
                    cells.extend(block.iter().map(&mut paint));
                }
            }
            cells.extend(rest.iter().map(paint));
        } else {
            cells.resize(start + characters, TileId::EMPTY);
            for (cell, character) in cells[start..].iter_mut().zip(row.chars()) {
                let block = usize::from(self.block_of[character as usize >> 8]);
                let entry = self.blocks[block][character as usize & 0xff];
                bits |= entry;
                *cell = TileId(entry);
            }
        }
        if bits == UNRESOLVED {
            for ((column, cell), character) in cells[start..].iter_mut().enumerate().zip(row.chars()) {
                if cell.0 == UNRESOLVED {
                    *cell = ask(column, character);
                }
            }
        }
    }

    /// Returns the symbols with a meaning.
    pub(super) fn symbols_with_meaning(&self) -> impl Iterator<Item = char> + '_ {
        self.paints.keys().copied()
    }

    /// Returns the result of a symbol.
    pub(super) fn paint_of_symbol(&self, character: char) -> Option<Paint> {
        self.paints.get(&character).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::I8Vec2;

    #[test]
    fn the_builtin_legend_is_whole() {
        let meanings = builtin_legend(&Catalogue::builtin());
        assert_eq!(meanings.len(), BUILTIN.len());
        // Two symbols for the empty cell and two for markers share kind 0.
        assert_eq!(Palette::new(&meanings).kinds.len(), BUILTIN.len() - 3);
    }

    #[test]
    fn builtin_tiles_look_like_their_characters() {
        let catalogue = Catalogue::builtin();
        let map = Map::from_ron("Map(format: 1, tiles: [\".\"])").unwrap();
        // Each row contains a symbol, and the start and end of one edge of its tile. The air is to the left of the
        // edge, so floors run to the right and ceilings to the left.
        let edges = [
            ('/', (0, 0), (16, 16)),
            ('\\', (0, 16), (16, 0)),
            ('`', (16, 0), (0, 16)),
            ('\'', (16, 16), (0, 0)),
            ('1', (0, 0), (16, 8)),
            ('2', (0, 8), (16, 16)),
            ('3', (0, 16), (16, 8)),
            ('4', (0, 8), (16, 0)),
            ('5', (16, 8), (0, 16)),
            ('6', (16, 0), (0, 8)),
            ('7', (16, 8), (0, 0)),
            ('8', (16, 16), (0, 8)),
            ('_', (0, 8), (16, 8)),
            ('^', (0, 0), (8, 16)),
            ('v', (16, 16), (8, 0)),
            ('(', (0, 0), (1, 5)),
            (')', (15, 5), (16, 0)),
            ('L', (0, 16), (1, 11)),
            ('J', (15, 11), (16, 16)),
            ('|', (8, 0), (8, 16)),
            ('-', (0, 16), (16, 16)),
            ('=', (0, 16), (16, 16)),
        ];
        for (character, a, b) in edges {
            let id = map.find_tile(character).unwrap();
            let variant = catalogue.variant(map.kind(id).unwrap().variant.unwrap());
            let (a, b) = (I8Vec2::from(a), I8Vec2::from(b));
            assert!(variant.edges.iter().any(|edge| (edge.a, edge.b) == (a, b)), "{character}: {:?}", variant.edges);
        }
    }
}

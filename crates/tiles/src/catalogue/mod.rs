//! Tile shapes: patterns, and the variants that result from mirroring and turning them.
//!
//! A pattern is a set of edges inside one tile. The ends of the edges lie on a lattice of [`LATTICE`] by [`LATTICE`]
//! steps. Mirroring and quarter turns make one to eight different variants of each pattern. The 32 built-in patterns
//! have 96 variants.

mod builtin;
mod check;
mod crossing;
mod drawing;
mod drawn;
mod error;
#[cfg(feature = "ron")]
pub(crate) mod format;
mod pattern;
mod patterns;
mod placement;
pub(crate) mod stack;
#[cfg(test)]
mod tests;
mod triangles;
mod variant;

pub use error::{CatalogueError, CatalogueErrorKind, CatalogueErrors, VariantNameError};
pub use pattern::{Pattern, PatternKind};
pub use placement::Placement;
pub use stack::StackError;
pub use variant::{LatticeEdge, Variant};

use glam::I8Vec2;
use std::sync::Arc;

/// Number of lattice steps along a side of a tile: 16. The points of tile shapes have whole coordinates from 0 to 16,
/// in lattice steps.
pub const LATTICE: i8 = 16;

/// Identifies a pattern (a tile shape) of a catalogue: its index in [`Catalogue::patterns`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PatternId(pub u16);

/// Identifies a variant (a pattern, mirrored and turned) of a catalogue: its index in [`Catalogue::variants`].
///
/// Variants are sorted by pattern, then by placement (mirroring and turns).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariantId(pub u16);

/// A set of tile shapes: patterns, and all different variants that result from mirroring and turning them.
#[derive(Clone, Debug)]
pub struct Catalogue {
    patterns: Vec<Pattern>,
    variants: Vec<Variant>,
    by_placement: Vec<[VariantId; Placement::COUNT]>,
}

impl Catalogue {
    /// The format version that [`Catalogue::from_ron`] reads.
    pub(crate) const FORMAT: u32 = 1;

    /// Maximum number of patterns (tile shapes) per catalogue: 4096.
    pub const MAX_PATTERNS: usize = 4096;

    /// Returns the built-in catalogue of 32 patterns (tile shapes), such as blocks, slopes and one-way tiles.
    ///
    /// The file `assets/patterns.ron` in the repository lists the patterns. All callers get the same instance.
    #[must_use]
    pub fn builtin() -> Arc<Catalogue> {
        builtin::builtin_catalogue()
    }

    /// Reads a catalogue (set of tile shapes) from the text of a RON file, such as `assets/patterns.ron` in the
    /// repository.
    ///
    /// `docs/formats/catalogue.md` in the repository lists the fields and the checks. A byte order mark before the text
    /// is skipped.
    ///
    /// # Errors
    /// Returns [`CatalogueErrors`] with all mistakes in the text, each with its line and column.
    ///
    /// # Examples
    /// ```
    /// use surefoot::catalogue::Catalogue;
    ///
    /// let ramp = |path: &str| {
    ///     format!("Catalogue(format: 1, patterns: [(name: \"ramp\", kind: Solid, paths: [[{path}]])])")
    /// };
    /// let catalogue = Catalogue::from_ron(&ramp("(0, 0), (16, 4), (16, 0)"))?;
    /// assert_eq!(catalogue.variants().len(), 8);
    ///
    /// let errors = Catalogue::from_ron(&ramp("(0, 0), (16, 0), (16, 4)")).unwrap_err();
    /// let message = errors[0].to_string();
    /// assert!(message.starts_with("line 1, column 69: pattern `ramp`, path 1 runs counterclockwise"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "ron")]
    pub fn from_ron(text: &str) -> Result<Catalogue, CatalogueErrors> {
        format::load_catalogue(text)
    }

    /// Creates a catalogue from `patterns` (tile shapes), with all variants that result from mirroring and turning
    /// them.
    ///
    /// # Errors
    /// Returns [`CatalogueErrors`] under the same conditions as [`Catalogue::from_ron`]. The errors have no line and no
    /// column.
    pub fn new(patterns: Vec<Pattern>) -> Result<Catalogue, CatalogueErrors> {
        drawn::build_catalogue(patterns.into_iter().map(Into::into).collect())
    }

    /// Returns all patterns (tile shapes, not mirrored or turned), in the order of the file or of the list given to
    /// [`Catalogue::new`]. A [`PatternId`] is an index into the slice.
    #[must_use]
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// Returns all variants (mirrored and turned patterns), sorted by pattern and then by placement. A [`VariantId`]
    /// is an index into the slice.
    #[must_use]
    pub fn variants(&self) -> &[Variant] {
        &self.variants
    }

    /// Returns the pattern (tile shape) with the index `id`.
    ///
    /// # Panics
    /// Panics if this catalogue has no such `id`: the id comes from another, larger catalogue.
    #[must_use]
    pub fn pattern(&self, id: PatternId) -> &Pattern {
        &self.patterns[usize::from(id.0)]
    }

    /// Returns the variant (mirrored and turned pattern) with the index `id`.
    ///
    /// # Panics
    /// Panics if this catalogue has no such `id`: the id comes from another, larger catalogue.
    #[must_use]
    pub fn variant(&self, id: VariantId) -> &Variant {
        &self.variants[usize::from(id.0)]
    }

    /// Returns the id of the pattern (tile shape) with this `name`, or `None` if the catalogue has no such pattern.
    #[must_use]
    pub fn find_pattern(&self, name: &str) -> Option<PatternId> {
        self.patterns.iter().position(|p| p.name == name).map(|i| PatternId(i as u16))
    }

    /// Returns the variant that `pattern` becomes when it is mirrored and turned by `placement`.
    ///
    /// Several placements can give the same shape: a full block looks the same after every turn. They all return the
    /// same variant.
    ///
    /// # Panics
    /// Panics if this catalogue has no such `pattern`: the id comes from another, larger catalogue.
    #[must_use]
    pub fn place(&self, pattern: PatternId, placement: Placement) -> VariantId {
        self.by_placement[usize::from(pattern.0)][placement.index()]
    }

    /// Returns the variant with this `name`, such as `slope_45`, `slope_45 r2` or `half_slope_low m r1`.
    ///
    /// A name is the pattern's name, then `m` if the tile is mirrored left to right, then `r1` to `r3` for one to three
    /// quarter turns clockwise.
    ///
    /// # Errors
    /// Returns [`VariantNameError`] if the catalogue has no such pattern, or if a word after the pattern's name is
    /// neither `m` nor a turn.
    pub fn find_variant(&self, name: &str) -> Result<VariantId, VariantNameError> {
        let mut words = name.split_whitespace();
        let pattern_name = words.next().unwrap_or_default();
        let pattern = self
            .find_pattern(pattern_name)
            .ok_or_else(|| VariantNameError::UnknownPattern { name: pattern_name.to_owned() })?;
        let placement = Placement::from_words(pattern_name, words)?;
        Ok(self.place(pattern, placement))
    }

    /// Returns the name of the variant `id`, such as `half_slope_low m r1`. [`Catalogue::find_variant`] finds the
    /// variant by this name.
    ///
    /// Several placements (mirroring and turns) may give the same shape. The name then contains the first of these
    /// placements: [`Variant::placement`].
    ///
    /// # Panics
    /// Panics if this catalogue has no such `id`: the id comes from another, larger catalogue.
    #[must_use]
    pub fn variant_name(&self, id: VariantId) -> String {
        let variant = self.variant(id);
        format!("{}{}", self.pattern(variant.pattern).name, variant.placement)
    }
}

/// Returns a lattice vertex from its coordinates.
fn lattice_point((x, y): (i8, i8)) -> I8Vec2 {
    I8Vec2::new(x, y)
}

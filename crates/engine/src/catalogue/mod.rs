//! Tile patterns and the variants that mirror and quarter turns make of them.
//!
//! A pattern is a handful of edges on a lattice of [`LATTICE`] by [`LATTICE`] steps, drawn once. The eight symmetries
//! of the square turn it into its variants, repeats removed; the 32 built-in patterns make 96.

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
mod stack;
#[cfg(test)]
mod tests;
mod variant;

pub use error::{CatalogueError, CatalogueErrorKind, CatalogueErrors, VariantNameError};
pub use pattern::{Pattern, PatternKind};
pub use placement::Placement;
pub use stack::StackError;
pub(crate) use stack::{ComposedSide, Part, compose};
pub use variant::{LatticeEdge, Variant};

use glam::I8Vec2;
use std::sync::Arc;

/// Steps along one side of a tile: pattern vertices have coordinates in `0..=LATTICE`.
pub const LATTICE: i8 = 16;

/// Names a pattern within its catalogue: its place in the file, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PatternId(pub u16);

/// Names a variant within its catalogue: variants are numbered by pattern, then by placement, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariantId(pub u16);

/// A set of patterns and all their distinct variants.
#[derive(Clone, Debug)]
pub struct Catalogue {
    patterns: Vec<Pattern>,
    variants: Vec<Variant>,
    by_placement: Vec<[VariantId; Placement::COUNT]>,
}

impl Catalogue {
    /// The format version that [`Catalogue::from_ron`] reads.
    pub(crate) const FORMAT: u32 = 1;

    /// The most patterns of a catalogue.
    pub const MAX_PATTERNS: usize = 4096;

    /// The 32 patterns that come with the engine, `assets/patterns.ron`; expanded once, then shared.
    #[must_use]
    pub fn builtin() -> Arc<Catalogue> {
        builtin::catalogue()
    }

    /// Reads a catalogue from the text of a RON file such as `assets/patterns.ron`; `docs/formats/catalogue.md` lists its
    /// fields and what is checked.
    ///
    /// A byte order mark before the text is skipped.
    ///
    /// # Errors
    /// [`CatalogueErrors`]: everything that is wrong, each with its line and column.
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
    /// assert!(message.starts_with("line 1, column 69: pattern `ramp`, path 1: walked with the solid on the left"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "ron")]
    pub fn from_ron(text: &str) -> Result<Catalogue, CatalogueErrors> {
        format::load(text)
    }

    /// Expands patterns into a catalogue.
    ///
    /// # Errors
    /// As for [`Catalogue::from_ron`], without places.
    pub fn new(patterns: Vec<Pattern>) -> Result<Catalogue, CatalogueErrors> {
        drawn::build(patterns.into_iter().map(Into::into).collect())
    }

    /// All patterns; a [`PatternId`] is an index into them.
    #[must_use]
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// All variants; a [`VariantId`] is an index into them.
    #[must_use]
    pub fn variants(&self) -> &[Variant] {
        &self.variants
    }

    /// The pattern of that id.
    ///
    /// # Panics
    /// If the id comes from another, larger catalogue.
    #[must_use]
    pub fn pattern(&self, id: PatternId) -> &Pattern {
        &self.patterns[usize::from(id.0)]
    }

    /// The variant of that id.
    ///
    /// # Panics
    /// If the id comes from another, larger catalogue.
    #[must_use]
    pub fn variant(&self, id: VariantId) -> &Variant {
        &self.variants[usize::from(id.0)]
    }

    /// The pattern of that name, if there is one.
    #[must_use]
    pub fn find_pattern(&self, name: &str) -> Option<PatternId> {
        self.patterns.iter().position(|p| p.name == name).map(|i| PatternId(i as u16))
    }

    /// The variant that a pattern becomes under a placement: the canonical one where several placements agree.
    ///
    /// # Panics
    /// If the id comes from another, larger catalogue.
    #[must_use]
    pub fn place(&self, pattern: PatternId, placement: Placement) -> VariantId {
        self.by_placement[usize::from(pattern.0)][placement.index()]
    }

    /// The variant that a name with its placement means: `slope_45`, `slope_45 r2`, `half_slope_low m r1`.
    ///
    /// The pattern's name comes first, then `m` if it is mirrored, then `r1` to `r3` for quarter turns clockwise.
    ///
    /// # Errors
    /// [`VariantNameError`] for a pattern that the catalogue lacks and for words that are no placement.
    pub fn find_variant(&self, name: &str) -> Result<VariantId, VariantNameError> {
        let mut words = name.split_whitespace();
        let pattern_name = words.next().unwrap_or_default();
        let pattern = self
            .find_pattern(pattern_name)
            .ok_or_else(|| VariantNameError::UnknownPattern { name: pattern_name.to_owned() })?;
        let placement = Placement::from_words(pattern_name, words)?;
        Ok(self.place(pattern, placement))
    }

    /// The name that [`Catalogue::find_variant`] reads back: the pattern's name and the canonical placement.
    ///
    /// # Panics
    /// If the id comes from another, larger catalogue.
    #[must_use]
    pub fn variant_name(&self, id: VariantId) -> String {
        let variant = self.variant(id);
        format!("{}{}", self.pattern(variant.pattern).name, variant.placement)
    }
}

/// A lattice vertex from its coordinates.
fn point((x, y): (i8, i8)) -> I8Vec2 {
    I8Vec2::new(x, y)
}

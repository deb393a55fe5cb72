//! Tile patterns, and the variants that result from mirroring and turning them.
//!
//! A pattern is a set of edges on a lattice of [`LATTICE`] by [`LATTICE`] steps. Mirroring and quarter turns make up
//! to eight different variants of each pattern. The 32 built-in patterns have 96 variants.

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

/// Lattice steps along one side of a tile. Points of patterns have coordinates in `0..=LATTICE`.
pub const LATTICE: i8 = 16;

/// Identifies a pattern of a catalogue: its index in the file, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PatternId(pub u16);

/// Identifies a variant of a catalogue, from 0. Variants are numbered by pattern, then by placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariantId(pub u16);

/// A set of patterns and all their different variants.
#[derive(Clone, Debug)]
pub struct Catalogue {
    patterns: Vec<Pattern>,
    variants: Vec<Variant>,
    by_placement: Vec<[VariantId; Placement::COUNT]>,
}

impl Catalogue {
    /// The format version that [`Catalogue::from_ron`] reads.
    pub(crate) const FORMAT: u32 = 1;

    /// Maximum number of patterns per catalogue.
    pub const MAX_PATTERNS: usize = 4096;

    /// Returns the catalogue of the 32 built-in patterns of `assets/patterns.ron`. All callers share one instance.
    #[must_use]
    pub fn builtin() -> Arc<Catalogue> {
        builtin::catalogue()
    }

    /// Reads a catalogue from the text of a RON file, such as `assets/patterns.ron`.
    ///
    /// `docs/formats/catalogue.md` lists the fields and the checks. A byte order mark before the text is skipped.
    ///
    /// # Errors
    /// Returns [`CatalogueErrors`] with all mistakes, each with its line and column.
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
        format::load(text)
    }

    /// Creates a catalogue from `patterns`.
    ///
    /// # Errors
    /// Returns [`CatalogueErrors`] if [`Catalogue::from_ron`] would refuse the patterns. The errors have no line and
    /// column.
    pub fn new(patterns: Vec<Pattern>) -> Result<Catalogue, CatalogueErrors> {
        drawn::build(patterns.into_iter().map(Into::into).collect())
    }

    /// Returns all patterns. A [`PatternId`] is an index into the slice.
    #[must_use]
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// Returns all variants. A [`VariantId`] is an index into the slice.
    #[must_use]
    pub fn variants(&self) -> &[Variant] {
        &self.variants
    }

    /// Returns the pattern `id`.
    ///
    /// # Panics
    /// Panics if `id` comes from another, larger catalogue.
    #[must_use]
    pub fn pattern(&self, id: PatternId) -> &Pattern {
        &self.patterns[usize::from(id.0)]
    }

    /// Returns the variant `id`.
    ///
    /// # Panics
    /// Panics if `id` comes from another, larger catalogue.
    #[must_use]
    pub fn variant(&self, id: VariantId) -> &Variant {
        &self.variants[usize::from(id.0)]
    }

    /// Returns the pattern with this `name`, or `None` if the catalogue has no such pattern.
    #[must_use]
    pub fn find_pattern(&self, name: &str) -> Option<PatternId> {
        self.patterns.iter().position(|p| p.name == name).map(|i| PatternId(i as u16))
    }

    /// Returns the variant that results from `pattern` under `placement`.
    ///
    /// If several placements give the same shape, the variant is the one with the canonical placement.
    ///
    /// # Panics
    /// Panics if `pattern` comes from another, larger catalogue.
    #[must_use]
    pub fn place(&self, pattern: PatternId, placement: Placement) -> VariantId {
        self.by_placement[usize::from(pattern.0)][placement.index()]
    }

    /// Returns the variant with this `name`, such as `slope_45`, `slope_45 r2` or `half_slope_low m r1`.
    ///
    /// A name is the pattern's name, then `m` if mirrored, then `r1` to `r3` for quarter turns clockwise.
    ///
    /// # Errors
    /// Returns [`VariantNameError`] if the catalogue has no such pattern, or if a word after the pattern's name is
    /// not a placement.
    pub fn find_variant(&self, name: &str) -> Result<VariantId, VariantNameError> {
        let mut words = name.split_whitespace();
        let pattern_name = words.next().unwrap_or_default();
        let pattern = self
            .find_pattern(pattern_name)
            .ok_or_else(|| VariantNameError::UnknownPattern { name: pattern_name.to_owned() })?;
        let placement = Placement::from_words(pattern_name, words)?;
        Ok(self.place(pattern, placement))
    }

    /// Returns the name of the variant `id`: the pattern's name and the canonical placement, as
    /// [`Catalogue::find_variant`] reads it.
    ///
    /// # Panics
    /// Panics if `id` comes from another, larger catalogue.
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

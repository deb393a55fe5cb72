use super::OUTSIDE;
use super::shape::Shape;
use crate::catalogue::Catalogue;
use crate::map::{EntryId, LegendEntry, Map};
use std::sync::Arc;

/// The shapes of a map's legend, and of what lies beyond its sides.
#[derive(Debug)]
pub(super) struct Legend {
    pub(super) catalogue: Arc<Catalogue>,
    shapes: Vec<Shape>,
    outside: Shape,
    empty: Shape,
}

impl Legend {
    pub(super) fn of(map: &Map) -> Legend {
        let catalogue = map.catalogue().clone();
        let shapes = map.legend().iter().map(|entry| match entry.variant {
            Some(id) => Shape::of(id, catalogue.variant(id), entry.drop_through),
            None => Shape::empty(),
        });
        let shapes = shapes.collect();
        let block = catalogue.find("full_block").ok();
        Legend { catalogue, shapes, outside: Shape::full(block), empty: Shape::empty() }
    }

    /// The shape that an entry paints; empty for one that the legend lacks.
    #[inline]
    pub(super) fn shape(&self, entry: EntryId) -> &Shape {
        match self.shapes.get(usize::from(entry.0)) {
            Some(shape) => shape,
            None if entry == OUTSIDE => &self.outside,
            None => &self.empty,
        }
    }

    /// Whether a map's entries mean the same.
    pub(super) fn paints_as(&self, map: &Map) -> bool {
        let same = |(shape, entry): (&Shape, &LegendEntry)| {
            shape.variant == entry.variant && shape.drop_through == (entry.variant.is_some() && entry.drop_through)
        };
        self.shapes.len() == map.legend().len() && self.shapes.iter().zip(map.legend()).all(same)
    }

    /// Whether an entry may be dropped through.
    pub(super) fn drops(&self, entry: EntryId) -> bool {
        self.shape(entry).drop_through
    }

    /// The same entries, with what may be dropped through empty.
    pub(super) fn without_drops(&self) -> Legend {
        let kept = |shape: &Shape| if shape.drop_through { Shape::empty() } else { shape.clone() };
        Legend {
            catalogue: self.catalogue.clone(),
            shapes: self.shapes.iter().map(kept).collect(),
            outside: self.outside.clone(),
            empty: self.empty.clone(),
        }
    }

    /// Whether an entry is in the map's legend.
    pub(super) fn has(&self, entry: EntryId) -> bool {
        usize::from(entry.0) < self.shapes.len()
    }
}

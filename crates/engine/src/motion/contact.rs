use super::cast::Scene;
use super::slide::stops;
use super::surface::Surface;
use super::{Frame, Side};
use crate::catalogue::VariantId;
use crate::map::EntryId;
use glam::{DVec2, I64Vec2};
use serde::{Deserialize, Serialize};
use surefoot_geometry::{ONE, Place};

/// A place where a shape touches the terrain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Unit normal, from the terrain to the shape.
    pub normal: DVec2,
    /// What the surface is to someone standing upright.
    pub side: Side,
    /// The tile that is touched.
    pub tile: (i32, i32),
    /// The map's layer that the surface belongs to.
    pub layer: usize,
    /// The tile's variant there; beyond a solid side of the map `None`, if the catalogue has no `full_block`.
    pub variant: Option<VariantId>,
    /// Its legend entry.
    pub entry: EntryId,
    /// Which edge of the variant; a corner belongs to one of the two that meet there.
    pub edge: u8,
}

/// Which sides of a shape touch something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[repr(C)]
pub struct Touching {
    /// It stands on a floor, or between steep surfaces that together hold it up.
    pub floor: bool,
    /// A wall, or a slope too steep to stand on, is on its left hand.
    pub wall_left: bool,
    /// The same on its right hand.
    pub wall_right: bool,
    /// A ceiling is over it.
    pub ceiling: bool,
}

impl Contact {
    pub(crate) fn new(scene: &Scene<'_>, surface: &Surface, place: Place) -> Contact {
        let normal = surface.normal(place);
        let source = scene.terrain.source_of(surface.cell, &surface.piece);
        Contact {
            normal: normal.as_dvec2().normalize_or(scene.frame.up()),
            side: scene.frame.side(normal),
            tile: surface.cell,
            layer: source.layer,
            variant: source.variant,
            entry: source.entry,
            edge: source.edge,
        }
    }
}

impl Touching {
    /// A floor and nothing else.
    pub(crate) const FLOOR: Touching = Touching { floor: true, wall_left: false, wall_right: false, ceiling: false };

    pub(crate) fn of(surfaces: &[Surface], place: Place, frame: &Frame) -> Touching {
        Touching::with_floors(surfaces, place, frame, |_| ())
    }

    /// The same; each floor's outward normal is shown on the way.
    #[inline]
    pub(crate) fn with_floors(
        surfaces: &[Surface],
        place: Place,
        frame: &Frame,
        mut see: impl FnMut(I64Vec2),
    ) -> Touching {
        let mut touching = Touching::default();
        let mut steep = 0;
        for surface in surfaces {
            let normal = surface.normal(place);
            match frame.side(normal) {
                Side::Floor => {
                    touching.floor = true;
                    see(normal);
                }
                Side::WallLeft => (touching.wall_left, steep) = (true, steep + 1),
                Side::WallRight => (touching.wall_right, steep) = (true, steep + 1),
                Side::Ceiling => touching.ceiling = true,
            }
        }
        if !touching.floor && steep > 1 {
            // Far enough that every slide along the steep ones would make at least a step.
            touching.floor = stops(surfaces, place, -frame.axis() * ONE);
        }
        touching
    }
}

/// What a shape touches, worked out when asked.
#[derive(Clone, Copy, Debug)]
pub struct Contacts<'a> {
    scene: Scene<'a>,
    surfaces: &'a [Surface],
    place: Place,
}

impl<'a> Contacts<'a> {
    pub(crate) fn new(scene: Scene<'a>, surfaces: &'a [Surface], place: Place) -> Contacts<'a> {
        Contacts { scene, surfaces, place }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.surfaces.len()
    }

    /// Whether nothing is touched.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.surfaces.is_empty()
    }

    /// Each of them, in the order of their cells from the lowest row up and from left to right.
    pub fn iter(&self) -> impl Iterator<Item = Contact> + use<'a> {
        let Contacts { scene, surfaces, place } = *self;
        surfaces.iter().map(move |surface| Contact::new(&scene, surface, place))
    }
}

/// Without the terrain, which is too long to read.
impl std::fmt::Debug for Scene<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scene").field("frame", &self.frame).finish_non_exhaustive()
    }
}

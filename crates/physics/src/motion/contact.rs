use super::cast::Scene;
use super::slide::{is_stopped_by, points_into};
use super::source::Source;
use super::surface::{Surface, touches};
use super::visit::{Bounds, CellRange};
use super::{Frame, Shape, Side, Surfaces, Toucher};
use crate::catalogue::VariantId;
use crate::map::{self, TileId};
use crate::platform::PlatformId;
use glam::{DVec2, I64Vec2};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use surefoot_geometry::{ONE, Position};

/// Contact of a shape with a tile of the map or of a platform: where they touch, and the touched surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Point on the surface where the shape touches, rounded to the nearest unit of 2^-32 tile.
    ///
    /// - A box on a horizontal or vertical face: the middle of the stretch of the face that the box touches.
    /// - A box on a slanted face: the corner of the box, which is at most 16 units of 2^-32 tile in front of the
    ///   face.
    /// - A circle on a face: the point of the face nearest to the centre of the circle.
    /// - A circle or box on a corner of the terrain: the corner of the terrain.
    ///
    /// A point halfway between two units is rounded away from the centre of the shape. So in a scene that is mirrored,
    /// turned by 90 degrees or shifted, the contact points are mirrored, turned or shifted exactly.
    pub point: Position,
    /// Unit normal that points from the terrain to the shape: [`Contact::exact_normal`] scaled to length 1.
    pub normal: DVec2,
    /// Normal of the touched surface as an integer vector, of any length above 0. For exact comparisons of directions.
    ///
    /// - Contact with a face: the smallest integer vector in the direction of the normal. This also holds if the side
    ///   of a box rests on a corner of the terrain.
    /// - Contact of a circle with a corner: the vector from the corner to the centre of the circle, in units of 2^-32
    ///   tile.
    pub exact_normal: I64Vec2,
    /// Kind of the surface relative to up: floor, wall or ceiling.
    pub side: Side,
    /// Platform that the touched tile belongs to. `None` for a tile of the map.
    pub platform: Option<PlatformId>,
    /// Column and row of the touched tile, in the map or in the platform's own tile layers.
    ///
    /// At a corner that several tiles share, the contact names the tile that a hit on the corner would name: the field
    /// `tile` of [`EventKind::HitTile`](crate::event::EventKind::HitTile) lists the rules.
    pub tile: (i32, i32),
    /// Index of the tile layer of the surface, from 0.
    pub layer: usize,
    /// Outline of the touched tile: its variant (a pattern, mirrored or turned) in the catalogue of tile shapes.
    ///
    /// For a tile beyond a solid border of the map, the catalogue's `full_block`, or `None` if the catalogue has no
    /// such pattern.
    pub variant: Option<VariantId>,
    /// Kind of the touched tile. [`OUTSIDE`](crate::terrain::OUTSIDE) beyond a solid border of the map.
    pub tile_id: TileId,
    /// Material of the touched tile: friction, traction, bounce and belt velocity.
    pub material: map::Material,
    /// Index of the touched edge in the outline of the tile, from 0. [`Contact::variant`] gives the outline. At a
    /// corner of the outline, the index of one of the two edges that end at that corner.
    pub edge: u8,
}

/// Sides on which a shape touches tiles, platforms or bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
#[repr(C)]
pub struct Touching {
    /// Whether the shape stands on a floor, or is wedged between steep surfaces that together support it.
    pub floor: bool,
    /// Whether the left side touches a wall, or a slope too steep to stand on.
    pub wall_left: bool,
    /// Whether the right side touches a wall, or a slope too steep to stand on.
    pub wall_right: bool,
    /// Whether the top touches a ceiling.
    pub ceiling: bool,
}

impl Contact {
    pub(crate) fn new(scene: &Scene<'_>, surface: &Surface, shape: Shape, position: Position) -> Contact {
        Contact::for_moving_body(scene, surface, (shape, position), DVec2::ZERO, 0)
    }

    /// Returns the contact of a body that moves with `velocity` and faces a side.
    pub(crate) fn for_moving_body(
        scene: &Scene<'_>,
        surface: &Surface,
        (shape, position): (Shape, Position),
        velocity: DVec2,
        faces: i8,
    ) -> Contact {
        let normal = surface.normal(position);
        let owner = scene.around.source_of(surface);
        let named = scene.surface_to_report(
            surface,
            position,
            velocity,
            &Toucher { shape: &shape, frame: &scene.frame, faces },
        );
        let tile = owner.tile_at_offset(named.at);
        let source = owner.terrain.source_of(tile, &named.piece);
        Contact {
            point: surface.point(shape, position),
            normal: normal.as_dvec2().normalize_or(scene.frame.up()),
            exact_normal: normal,
            side: scene.frame.side(normal),
            platform: scene.around.platform_of(surface),
            tile,
            layer: source.layer,
            variant: source.variant,
            tile_id: source.tile_id,
            edge: source.edge,
            material: source.surface,
        }
    }
}

impl Touching {
    /// Returns these sides with left and right exchanged if `is_swapped`.
    pub(crate) fn swapped_if(self, is_swapped: bool) -> Touching {
        let Touching { wall_left, wall_right, .. } = self;
        if is_swapped { Touching { wall_left: wall_right, wall_right: wall_left, ..self } } else { self }
    }

    /// Returns these contact sides with the walls and ceilings replaced by those of terrain and bodies.
    pub(crate) fn with_walls_and_ceiling(self, terrain: Touching, bodies: Touching) -> Touching {
        Touching {
            floor: self.floor,
            wall_left: terrain.wall_left || bodies.wall_left,
            wall_right: terrain.wall_right || bodies.wall_right,
            ceiling: terrain.ceiling || bodies.ceiling,
        }
    }

    pub(crate) fn from_surfaces(surfaces: &[Surface], position: Position, frame: &Frame) -> Touching {
        Touching::from_surfaces_visiting_floors(surfaces, position, frame, |_, _| ())
    }

    /// Finds which sides of the shape touch something. Calls the callback with the outward normal of each touched
    /// floor.
    #[inline]
    fn from_surfaces_visiting_floors(
        surfaces: &[Surface],
        position: Position,
        frame: &Frame,
        mut see: impl FnMut(&Surface, I64Vec2),
    ) -> Touching {
        let mut touching = Touching::default();
        let mut steep = 0;
        for surface in surfaces {
            let normal = surface.normal(position);
            match frame.side(normal) {
                // The end of a one-way edge does not support the shape if a motion straight down passes it.
                Side::Floor if surface.lets_pass(-frame.up_axis()) => {}
                Side::Floor => {
                    touching.floor = true;
                    see(surface, normal);
                }
                Side::WallLeft => (touching.wall_left, steep) = (true, steep + 1),
                Side::WallRight => (touching.wall_right, steep) = (true, steep + 1),
                Side::Ceiling => touching.ceiling = true,
            }
        }
        if !touching.floor && steep > 1 {
            // Test with a displacement of one tile: a shorter one might round to zero along a steep surface and look
            // blocked.
            touching.floor = is_stopped_by(surfaces, position, -frame.up_axis() * ONE);
        }
        touching
    }
}

impl Scene<'_> {
    /// Returns whether the shape stands on a touched surface: it is a floor, and `velocity` does not move the shape
    /// off it. A body that rises past a one-way tile touches that floor but does not stand on it.
    #[inline]
    pub(crate) fn is_stood_on(&self, surface: &Surface, position: Position, velocity: DVec2) -> bool {
        let off = || -surface.normal(position).as_dvec2();
        self.frame.is_floor_of(surface, position) && !points_into(off(), self.velocity_relative_to(surface, velocity))
    }

    /// Returns the sides of a shape that touch something, and whether it stands on a floor or between steep surfaces
    /// that support it together.
    #[inline(never)]
    pub(crate) fn sides_and_standing(
        &self,
        touched: &[Surface],
        position: Position,
        velocity: DVec2,
    ) -> (Touching, bool) {
        self.sides_and_standing_in_frame(&self.frame, touched, position, velocity)
    }

    /// Returns [`Scene::sides_and_standing`] for another direction of up.
    #[inline(always)]
    pub(crate) fn sides_and_standing_in_frame(
        &self,
        frame: &Frame,
        touched: &[Surface],
        position: Position,
        velocity: DVec2,
    ) -> (Touching, bool) {
        let (mut floors, mut stands) = (false, false);
        let touching = Touching::from_surfaces_visiting_floors(touched, position, frame, |surface, normal| {
            floors = true;
            stands |= !points_into(-normal.as_dvec2(), self.velocity_relative_to(surface, velocity));
        });
        // A shape that is wedged between steep surfaces cannot move away from any of them, so it counts as standing.
        (touching, stands || (touching.floor && !floors))
    }
}

/// List of the contacts of a shape with tiles. [`World::contacts`](crate::World::contacts) and
/// [`MoveResult::contacts`](super::MoveResult::contacts) return it.
///
/// Each method computes the contacts when it is called.
#[derive(Clone, Copy, Debug)]
pub struct Contacts<'a> {
    scene: Scene<'a>,
    /// The surfaces, if they are known. If `None`, each call searches the terrain.
    known: Option<&'a [Surface]>,
    shape: Shape,
    position: Position,
    /// Velocity of the body and the side that it faces. They decide which of the tiles at a corner is named.
    velocity: DVec2,
    faces: i8,
    /// Whether left and right change places: see [`Kind::is_flipped`](crate::world::Kind::is_flipped).
    is_flipped: bool,
}

impl<'a> Contacts<'a> {
    /// Creates contacts with known surfaces.
    pub(crate) fn new(scene: Scene<'a>, surfaces: &'a [Surface], shape: Shape, position: Position) -> Contacts<'a> {
        Contacts { scene, known: Some(surfaces), shape, position, velocity: DVec2::ZERO, faces: 0, is_flipped: false }
    }

    /// Creates contacts that search the terrain as it is now.
    pub(crate) fn from_terrain(scene: Scene<'a>, shape: Shape, position: Position) -> Contacts<'a> {
        Contacts { scene, known: None, shape, position, velocity: DVec2::ZERO, faces: 0, is_flipped: false }
    }

    /// Returns these contacts for a body with a velocity that faces a side.
    pub(crate) fn for_moving_body(self, velocity: DVec2, faces: i8, is_flipped: bool) -> Contacts<'a> {
        Contacts { velocity, faces, is_flipped, ..self }
    }

    /// Creates an empty list of contacts.
    pub(crate) fn empty(scene: Scene<'a>) -> Contacts<'a> {
        Contacts::new(scene, &[], Shape::circle_units(0), Position::ORIGIN)
    }

    /// Returns the number of contacts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.surfaces().count()
    }

    /// Returns whether the shape touches no tile.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.surfaces().next().is_none()
    }

    /// Returns an iterator over the contacts, in the order of their tiles: the lowest row first, each row from left
    /// to right.
    pub fn iter(&self) -> impl Iterator<Item = Contact> + use<'a> {
        let Contacts { scene, shape, position, velocity, faces, is_flipped, .. } = *self;
        self.surfaces().map(move |surface| {
            let contact = Contact::for_moving_body(&scene, &surface, (shape, position), velocity, faces);
            Contact { side: contact.side.swapped_if(is_flipped), ..contact }
        })
    }

    fn surfaces(&self) -> impl Iterator<Item = Surface> + use<'a> {
        let Contacts { scene, known, shape, position, .. } = *self;
        let found = known.is_none().then(|| {
            let mut found: Surfaces =
                scene.around.sources().flat_map(|source| touched_surfaces_of_source(source, shape, position)).collect();
            scene.around.join_touched_surfaces(&mut found);
            found
        });
        known.into_iter().flatten().copied().chain(found.into_iter().flatten())
    }
}

impl Scene<'_> {
    /// Adds the surfaces that a shape touches at a position to a list, without duplicates.
    pub(crate) fn add_touched_surfaces(&self, shape: Shape, position: Position, surfaces: &mut Surfaces) {
        for surface in Contacts::from_terrain(*self, shape, position).surfaces() {
            if !surfaces.contains(&surface) {
                surfaces.push(surface);
            }
        }
    }
}

/// Returns the surfaces of a source that a shape touches, cell by cell: those of
/// [`Probe::find_touching`](super::Probe::find_touching).
fn touched_surfaces_of_source(source: Source<'_>, shape: Shape, position: Position) -> impl Iterator<Item = Surface> {
    let CellRange { low, high } = source.cells(&Bounds::of_motion(shape, position, I64Vec2::ZERO));
    let cells = (low.1..=high.1).flat_map(move |y| (low.0..=high.0).map(move |x| (x, y)));
    cells.flat_map(move |cell| {
        let (owner, at) = (source.owner, source.cell_corner(cell));
        let touched = source
            .pieces(shape, source.terrain.cell(cell.0, cell.1))
            .iter()
            .filter(move |piece| touches(piece, shape, position.units() - at));
        touched.map(move |piece| Surface { owner, at, piece: *piece })
    })
}

/// Prints a scene without the terrain, which is too long to read.
impl std::fmt::Debug for Scene<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scene").field("frame", &self.frame).finish_non_exhaustive()
    }
}

//! Shape casts against the terrain: the earliest contact, and every surface that is hit at that time.
//!
//! A *piece* is one edge or corner of the baked terrain, stored with its cell. A body's casts ([`Probe`]) search the
//! pieces that the body's cache has gathered around it. A cast on its own ([`Single`]) gathers nothing and reads the
//! terrain once:
//!
//! - For each row, a chunk stores which cells have a visible piece. So one number tells which cells in the motion's
//!   rectangle matter (`Terrain::bits_of_rectangle_with_pieces`). If the number is 0, the cast ends. Cells next to the
//!   path are skipped.
//! - From the other cells, the cast lists the pieces that the motion or a sub-move of it may hit. The list stores the
//!   numbers of the sweep that do not depend on the motion ([`FaceOffsets`]). Sub-moves up to the contact are then
//!   swept against that list only.
//! - A sub-move deviates from the motion by at most [`tolerance::MAX_STRAY_UNITS`] units. The quick tests
//!   (`nears_face`, `may_hit_corner`) allow for that and for f64 rounding.
//! - A longer cast visits the cells along its path and stops at the hit.

#[cfg(test)]
mod tests;

mod every;

pub(crate) use every::for_each_hit;

use super::advance::Approach;
use super::hits::Hits;
use super::nearby::Nearby;
use super::shape::Form;
use super::source::Source;
use super::surface::{Surface, corner, face, is_behind_line_of_end, lattice_to_units, touches};
use super::tolerance;
use super::visit::{Bounds, CellRange, visit_cells_along_path, visit_cells_by_rows};
use super::{Frame, Owner, Shape, Surfaces, Surroundings, Touch, Touching};
use crate::map::CollisionLayers;
use crate::terrain::{BakedCell, Piece, Role, Terrain};
use glam::{DVec2, I8Vec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::Position;
use surefoot_geometry::exact::tolerance::ARC_LEAD;
use surefoot_geometry::exact::{FaceOffsets, Fraction, MovingBox, MovingCircle};

/// Everything that a body can hit, and the direction of up.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) around: Surroundings<'a>,
    pub(crate) frame: Frame,
}

impl<'a> Scene<'a> {
    /// Returns the scene for bodies in the collision layers `layers`.
    #[inline]
    pub(crate) fn for_layers(self, layers: CollisionLayers) -> Scene<'a> {
        Scene { around: self.around.for_layers(layers), ..self }
    }

    /// Fills a list with every surface that a shape touches at a position. Nothing is cached: for a single search, and
    /// for a shape that covers many cells.
    #[inline(never)]
    pub(crate) fn find_touching(&self, shape: Shape, position: Position, surfaces: &mut Surfaces) {
        surfaces.clear();
        let bounds = Bounds::of_motion(shape, position, I64Vec2::ZERO);
        let mut add_touching = |source: Source<'_>| {
            source.for_each_piece(shape, source.cells(&bounds), |surface| {
                if touches(&surface.piece, shape, surface.relative_position(position)) {
                    surfaces.push(surface);
                }
            });
        };
        add_touching(self.around.terrain());
        if self.around.has_platforms() {
            self.around.platforms_within(&bounds).for_each(add_touching);
            self.around.join_touched_surfaces(surfaces);
        }
    }
}

/// Lists that a probe refills, so that no move allocates once they have grown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub(super) hits: Hits,
    recheck: Hits,
    pub(super) held: Vec<Surface>,
    pub(super) bounced: Vec<Surface>,
    pub(super) spare: Vec<Surface>,
}

/// One shape in the terrain: casts it, finds its contacts and moves it.
///
/// The pieces around a short motion are gathered once and then searched as often as needed.
pub(crate) struct Probe<'a> {
    pub(crate) scene: &'a Scene<'a>,
    pub(crate) shape: Shape,
    pub(super) near: &'a mut Nearby,
    pub(super) scratch: &'a mut Scratch,
}

impl<'a> Probe<'a> {
    /// Creates a probe that searches the pieces in `near`. They belong to the same terrain and shape, or are not
    /// gathered yet.
    #[inline(always)]
    pub(crate) fn new(scene: &'a Scene<'a>, shape: Shape, near: &'a mut Nearby, scratch: &'a mut Scratch) -> Probe<'a> {
        near.drop_if_outdated(&scene.around);
        Probe { scene, shape, near, scratch }
    }

    /// Returns the time of the earliest contact, as a fraction of the motion in [0, 1]. `None` if the path is free.
    /// [`Probe::hits`] then has the hit surfaces. The time is exactly 0 for a surface that a box touches at the start.
    #[inline(always)]
    pub(crate) fn cast(&mut self, position: Position, motion: I64Vec2) -> Option<f64> {
        if self.gather_and_test_if_unobstructed(position, motion) {
            self.scratch.hits.clear();
            return None;
        }
        cast(self.scene, self.shape, position, motion, self.near, &mut self.scratch.hits)
    }

    /// Returns whether a quick test shows that a motion hits nothing and touches nothing at its end.
    #[inline(always)]
    pub(crate) fn test_if_surely_clear(&mut self, position: Position, motion: I64Vec2) -> bool {
        self.near.test_if_surely_clear(self.scene, self.shape, position, motion)
    }

    /// Casts as [`Probe::cast`] does. The hit surfaces are in [`Probe::last_sub_move_hits`], and the last cast's hits
    /// stay as they are.
    pub(super) fn cast_keeping_last_hits(&mut self, position: Position, motion: I64Vec2) -> Option<f64> {
        if self.gather_and_test_if_unobstructed(position, motion) {
            self.scratch.recheck.clear();
            return None;
        }
        cast(self.scene, self.shape, position, motion, self.near, &mut self.scratch.recheck)
    }

    /// Gathers the pieces near a motion. Returns whether a quick test shows that the motion hits none of them.
    #[inline(always)]
    fn gather_and_test_if_unobstructed(&mut self, position: Position, motion: I64Vec2) -> bool {
        let bounds = Bounds::of_motion(self.shape, position, motion);
        self.near.try_pick_pieces(self.scene, self.shape, &bounds, motion) && {
            let center = self.near.relative_position(position);
            !self.near.picked_pieces().any(|grown| grown.may_hit(self.shape, center, motion))
        }
    }

    /// Surfaces that the last cast hit, if it hit any.
    pub(crate) fn hits(&self) -> &[Surface] {
        &self.scratch.hits.surfaces
    }

    pub(super) fn last_sub_move_hits(&self) -> &[Surface] {
        &self.scratch.recheck.surfaces
    }

    /// Fills a list with every surface that the shape touches at a position.
    #[inline(always)]
    pub(crate) fn find_touching(&mut self, position: Position, surfaces: &mut Surfaces) {
        surfaces.clear();
        self.near.forget_touched_tiles();
        let bounds = Bounds::of_motion(self.shape, position, I64Vec2::ZERO);
        if !self.near.try_pick_pieces(self.scene, self.shape, &bounds, I64Vec2::ZERO) {
            return self.scene.find_touching(self.shape, position, surfaces);
        }
        let center = self.near.relative_position(position);
        for grown in self.near.picked_pieces() {
            if grown.is_touched(self.shape, position, center) {
                surfaces.push(grown.surface);
            }
        }
        self.scene.around.join_touched_surfaces(surfaces);
    }

    /// Returns whether the shape touches a floor of another terrain than that of the last move: the one in which it
    /// drops through tiles. Updates `touch` with all contacts there.
    #[inline(never)]
    pub(crate) fn refresh_contacts_and_find_floor(&mut self, position: Position, touch: &mut Touch<'_>) -> bool {
        self.near.clear();
        self.find_touching(position, touch.start_refresh());
        Touching::from_surfaces(touch.surfaces(), position, &self.scene.frame).floor
    }

    /// Returns the surfaces into which an acceleration presses the shape, without those that the velocity leaves or
    /// moves past. The list belongs to the probe and is valid until its next move.
    pub(crate) fn find_pressed_surfaces(
        &mut self,
        surfaces: &[Surface],
        position: Position,
        acceleration: DVec2,
        velocity: DVec2,
    ) -> &[Surface] {
        self.scratch.spare.clear();
        self.scratch.spare.extend(surfaces.iter().filter(|surface| {
            let normal = surface.normal(position).as_dvec2();
            normal.dot(acceleration) < 0.0
                && normal.dot(velocity) <= 0.0
                && !surface.is_about_to_leave_end(self.shape, position, velocity)
        }));
        &self.scratch.spare
    }
}

/// Casts against the gathered pieces, or along the path of a long motion.
#[inline(never)]
fn cast(
    scene: &Scene<'_>,
    shape: Shape,
    position: Position,
    motion: I64Vec2,
    near: &Nearby,
    hits: &mut Hits,
) -> Option<f64> {
    hits.clear();
    let bounds = Bounds::of_motion(shape, position, motion);
    let looking = if near.has_picked_all_within(&bounds) {
        Looking::Picked(near)
    } else {
        Looking::choose_cell_search(&scene.around.terrain(), &bounds)
    };
    cast_at_gathered_or_cells(scene, shape, position, motion, looking, hits, None)
}

/// Casts against one source. The surfaces hit first are in `hits`.
pub(super) fn cast_source(
    source: &Source<'_>,
    frame: &Frame,
    shape: Shape,
    position: Position,
    motion: I64Vec2,
    hits: &mut Hits,
) -> Option<f64> {
    hits.clear();
    if motion == I64Vec2::ZERO {
        return None;
    }
    let looking = Looking::choose_cell_search(source, &Bounds::of_motion(shape, position, motion));
    match shape.0 {
        Form::Aabb { half } => {
            let mut cast = BoxCast { half: half.into(), motion, best: None, hits };
            cast_at_source(&mut cast, *source, shape, (position, motion), looking, &mut None);
            cast.store_hits_and_return_time(frame)
        }
        Form::Circle { radius } => {
            let mut cast = CircleCast { radius, motion, face: None, arc: None, hits };
            cast_at_source(&mut cast, *source, shape, (position, motion), looking, &mut None);
            cast.store_hits_and_return_time()
        }
    }
}

/// A single cast: it gathers nothing and reads the terrain once.
pub(super) struct Single<'s, 'a> {
    scene: &'s Scene<'a>,
    shape: Shape,
    pub(super) hits: Hits,
    recheck: Hits,
    /// Pieces that the motion or a sub-move of it may hit.
    listed: List<'a>,
}

impl<'s, 'a> Single<'s, 'a> {
    #[inline(always)]
    pub(super) fn new(scene: &'s Scene<'a>, shape: Shape) -> Single<'s, 'a> {
        Single { scene, shape, hits: Hits::default(), recheck: Hits::default(), listed: List::new() }
    }

    /// Returns the time of the earliest contact, as [`Probe::cast`] does.
    #[inline(always)]
    pub(super) fn cast(&mut self, position: Position, motion: I64Vec2, looking: Looking<'_>) -> Option<f64> {
        cast_at_gathered_or_cells(
            self.scene,
            self.shape,
            position,
            motion,
            looking,
            &mut self.hits,
            Some(&mut self.listed),
        )
    }
}

impl Approach for Single<'_, '_> {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn frame(&self) -> Frame {
        self.scene.frame
    }

    fn hits(&self) -> &[Surface] {
        &self.hits.surfaces
    }

    fn cast_again(&mut self, position: Position, motion: I64Vec2) -> Option<f64> {
        self.recheck.clear();
        let hits = &mut self.recheck;
        match self.shape.0 {
            Form::Aabb { half } => {
                let mut cast = BoxCast { half: half.into(), motion, best: None, hits };
                self.listed.iter().for_each(|listed| cast.record_hit_on_piece(position, listed));
                cast.store_hits_and_return_time(&self.scene.frame)
            }
            Form::Circle { radius } => {
                let mut cast = CircleCast { radius, motion, face: None, arc: None, hits };
                self.listed.iter().for_each(|listed| cast.record_hit_on_piece(position, listed));
                cast.store_hits_and_return_time()
            }
        }
    }

    fn last_sub_move_hits(&self) -> &[Surface] {
        &self.recheck.surfaces
    }
}

impl Approach for Probe<'_> {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn frame(&self) -> Frame {
        self.scene.frame
    }

    fn hits(&self) -> &[Surface] {
        self.hits()
    }

    fn cast_again(&mut self, position: Position, motion: I64Vec2) -> Option<f64> {
        self.cast_keeping_last_hits(position, motion)
    }

    fn last_sub_move_hits(&self) -> &[Surface] {
        self.last_sub_move_hits()
    }
}

/// A surface that a shape may hit on its path.
#[derive(Clone, Copy)]
struct Listed<'a> {
    owner: Owner,
    /// Lower left corner of its cell, in units.
    at: I64Vec2,
    piece: &'a Piece,
    /// Offsets between the shape's start and the piece. Not used for an arc.
    offsets: FaceOffsets,
}

type List<'a> = SmallVec<[Listed<'a>; tolerance::INITIAL_LISTED_PIECES]>;

#[inline(always)]
fn add_to_list<'a>(list: &mut Option<&mut List<'a>>, listed: Listed<'a>) {
    if let Some(list) = list {
        list.push(listed);
    }
}

/// Where a cast searches for pieces. Affects speed only.
#[derive(Clone, Copy)]
pub(super) enum Looking<'n> {
    /// Among the gathered pieces.
    Picked(&'n Nearby),
    /// In the cells of the terrain that have pieces, row by row, and among the platforms.
    Rows(CellRange, u64),
    /// In the cells of the terrain along the path, up to the hit, and among the platforms.
    Path(CellRange),
}

impl Looking<'_> {
    /// Returns a search of the cells near a motion. `None` if all of them are empty.
    #[inline(always)]
    pub(super) fn cells_near_motion(
        scene: &Scene<'_>,
        shape: Shape,
        position: Position,
        motion: I64Vec2,
    ) -> Option<Looking<'static>> {
        let looking = Looking::choose_cell_search(&scene.around.terrain(), &Bounds::of_motion(shape, position, motion));
        let is_empty = matches!(looking, Looking::Rows(_, 0)) && !scene.around.has_platforms();
        if is_empty { None } else { Some(looking) }
    }

    /// Returns a search of the cells of a source that `bounds` reaches.
    #[inline]
    fn choose_cell_search(source: &Source<'_>, bounds: &Bounds) -> Looking<'static> {
        let range = source.cells(bounds);
        if range.cell_count() <= tolerance::MAX_CELLS_BY_ROWS {
            Looking::Rows(range, source.terrain.bits_of_rectangle_with_pieces(range.low, range.high))
        } else {
            Looking::Path(range)
        }
    }
}

/// Casts against the gathered pieces, or against those of some cells. Adds the pieces that it examines to `list`.
#[inline(never)]
fn cast_at_gathered_or_cells<'a>(
    scene: &Scene<'a>,
    shape: Shape,
    position: Position,
    motion: I64Vec2,
    looking: Looking<'_>,
    hits: &mut Hits,
    list: Option<&mut List<'a>>,
) -> Option<f64> {
    match shape.0 {
        Form::Aabb { half } => {
            let mut cast = BoxCast { half: half.into(), motion, best: None, hits };
            cast_at_all_sources(&mut cast, scene, shape, (position, motion), looking, list);
            cast.store_hits_and_return_time(&scene.frame)
        }
        Form::Circle { radius } => {
            let mut cast = CircleCast { radius, motion, face: None, arc: None, hits };
            cast_at_all_sources(&mut cast, scene, shape, (position, motion), looking, list);
            cast.store_hits_and_return_time()
        }
    }
}

/// Passes the pieces of every source that the shape may hit to a cast.
#[inline(always)]
fn cast_at_all_sources<'a, C: Cast>(
    cast: &mut C,
    scene: &Scene<'a>,
    shape: Shape,
    way: (Position, I64Vec2),
    looking: Looking<'_>,
    mut list: Option<&mut List<'a>>,
) {
    cast_at_source(cast, scene.around.terrain(), shape, way, looking, &mut list);
    if scene.around.has_platforms() && !matches!(looking, Looking::Picked(_)) {
        let bounds = Bounds::of_motion(shape, way.0, way.1);
        for platform in scene.around.platforms_within(&bounds) {
            cast_at_source(cast, platform, shape, way, Looking::choose_cell_search(&platform, &bounds), &mut list);
        }
    }
}

/// Passes the pieces of one source that the shape may hit, or the gathered pieces, to a cast.
#[inline(always)]
fn cast_at_source<'a, C: Cast>(
    cast: &mut C,
    source: Source<'a>,
    shape: Shape,
    (position, motion): (Position, I64Vec2),
    looking: Looking<'_>,
    list: &mut Option<&mut List<'a>>,
) {
    let owner = source.owner;
    match looking {
        Looking::Picked(near) => near.picked_pieces().for_each(|grown| {
            let Surface { owner, at, piece } = &grown.surface;
            let offsets = cast.face_offsets(position.units() - at, piece);
            cast.record_hit_on_piece(position, &Listed { owner: *owner, at: *at, piece, offsets });
        }),
        Looking::Rows(range, shown) => {
            visit_cells_by_rows(&source, shape, position, motion, (range, shown), |cell, baked| {
                let at = source.cell_corner(cell);
                source.visit_blocking_pieces(shape, at, cast.hittable_pieces(source.terrain, baked), |pieces| {
                    cast.record_hits_in_cell(pieces, position, (owner, at), list);
                });
            });
        }
        Looking::Path(range) => visit_cells_along_path(&source, shape, position, motion, range, |cell, baked| {
            let at = source.cell_corner(cell);
            source.visit_blocking_pieces(shape, at, cast.hittable_pieces(source.terrain, baked), |pieces| {
                cast.record_hits_in_cell(pieces, position, (owner, at), list);
            });
            cast.earliest_time()
        }),
    }
}

/// A cast in progress of one kind of shape.
trait Cast {
    /// Returns the pieces of a cell that the shape can hit.
    fn hittable_pieces<'a>(&self, terrain: &'a Terrain, baked: &BakedCell) -> &'a [Piece];

    /// Tests the pieces of one cell that the motion or a sub-move of it may hit, and lists them. `of` is the owner of
    /// the cell and its position.
    fn record_hits_in_cell<'a>(
        &mut self,
        pieces: &'a [Piece],
        position: Position,
        of: (Owner, I64Vec2),
        list: &mut Option<&mut List<'a>>,
    );

    /// Returns the offsets between the shape and a piece. Not used for an arc.
    fn face_offsets(&self, center: I64Vec2, piece: &Piece) -> FaceOffsets;

    /// Tests whether the motion hits a piece, and keeps the hit if it is the earliest.
    fn record_hit_on_piece(&mut self, position: Position, listed: &Listed<'_>);

    /// Time of the earliest contact so far.
    fn earliest_time(&self) -> Option<f64>;
}

/// A cast of a box in progress.
struct BoxCast<'h> {
    half: I64Vec2,
    motion: I64Vec2,
    best: Option<Fraction>,
    hits: &'h mut Hits,
}

impl BoxCast<'_> {
    #[inline(always)]
    fn moving_box(&self, center: I64Vec2) -> MovingBox {
        MovingBox { center, half: self.half, motion: self.motion }
    }

    #[inline(always)]
    fn record_hit_on_face(&mut self, position: Position, &Listed { owner, at, piece, ref offsets }: &Listed<'_>) {
        let ends = [piece.before.as_i64vec2(), piece.after.as_i64vec2()];
        let Some(hit) = self.moving_box(I64Vec2::ZERO).against_offsets(offsets, ends) else { return };
        if self.best.is_some_and(|best| hit.toi > best) {
            return;
        }
        let approach = || {
            let partner = piece.partner.as_i64vec2();
            let start = partner.dot(position.units() - at - lattice_to_units(piece.a)) - self.half.dot(partner.abs());
            (start as f64, hit.toi.to_f64())
        };
        // The distance of a box from the partner's line is exact, so allow no rounding (0.0).
        if passes_free_end(piece, self.motion, 0.0, approach) {
            return;
        }
        if self.best.is_none_or(|best| hit.toi < best) {
            self.best = Some(hit.toi);
            self.hits.surfaces.clear();
            self.hits.ties.clear();
        }
        self.hits.surfaces.push(Surface { owner, at, piece: *piece });
        self.hits.ties.push(hit.tie);
    }

    /// Returns the time of the earliest contact, after ties at corners are settled.
    #[inline(always)]
    fn store_hits_and_return_time(self, frame: &Frame) -> Option<f64> {
        let toi = self.best?.to_f64();
        self.hits.drop_faces_that_lose_ties(frame, self.motion);
        Some(toi)
    }
}

impl Cast for BoxCast<'_> {
    #[inline(always)]
    fn hittable_pieces<'a>(&self, terrain: &'a Terrain, baked: &BakedCell) -> &'a [Piece] {
        terrain.box_pieces(baked)
    }

    #[inline(always)]
    fn record_hits_in_cell<'a>(
        &mut self,
        pieces: &'a [Piece],
        position: Position,
        (owner, at): (Owner, I64Vec2),
        list: &mut Option<&mut List<'a>>,
    ) {
        let mover = self.moving_box(position.units() - at);
        for piece in pieces {
            if let Some(offsets) = mover.nears_face(&face(piece), tolerance::MAX_STRAY_UNITS) {
                let listed = Listed { owner, at, piece, offsets };
                add_to_list(list, listed);
                self.record_hit_on_face(position, &listed);
            }
        }
    }

    #[inline(always)]
    fn face_offsets(&self, center: I64Vec2, piece: &Piece) -> FaceOffsets {
        self.moving_box(center).offsets(&face(piece))
    }

    #[inline(always)]
    fn record_hit_on_piece(&mut self, position: Position, listed: &Listed<'_>) {
        self.record_hit_on_face(position, listed);
    }

    #[inline(always)]
    fn earliest_time(&self) -> Option<f64> {
        self.best.map(Fraction::to_f64)
    }
}

/// A cast of a circle in progress.
struct CircleCast<'h> {
    radius: i64,
    motion: I64Vec2,
    face: Option<f64>,
    arc: Option<f64>,
    hits: &'h mut Hits,
}

impl CircleCast<'_> {
    #[inline(always)]
    fn moving_circle(&self, center: I64Vec2) -> MovingCircle {
        MovingCircle { center, radius: self.radius, motion: self.motion }
    }

    /// Returns the time of the earliest contact, and puts the hit surfaces into `surfaces`.
    #[inline(always)]
    fn store_hits_and_return_time(self) -> Option<f64> {
        match (self.face, self.arc) {
            (face, Some(arc)) if face.is_none_or(|face| arc < face - ARC_LEAD) => {
                std::mem::swap(&mut self.hits.surfaces, &mut self.hits.arcs);
                Some(arc)
            }
            (face, _) => face,
        }
    }

    #[inline(always)]
    fn record_hit_on_face(&mut self, listed: &Listed<'_>) {
        if let Some(toi) = self.moving_circle(I64Vec2::ZERO).against_offsets(&listed.offsets) {
            keep_if_earliest(toi, &mut self.face, &mut self.hits.surfaces, listed);
        }
    }

    #[inline(never)]
    fn record_hit_on_arc(&mut self, position: Position, listed: &Listed<'_>) {
        let piece = listed.piece;
        let (corner, center) = (corner(piece), position.units() - listed.at);
        if is_behind_line_of_end(piece, center) {
            return;
        }
        let Some(toi) = self.moving_circle(center).against_corner(&corner) else { return };
        let approach = || {
            let partner = piece.partner.as_i64vec2().as_dvec2();
            (partner.dot((center - corner.vertex).as_dvec2()) - self.radius as f64 * partner.length(), toi)
        };
        // The partner is the other one-way edge of a concave corner. Because of rounding, a circle that touches it may
        // start slightly behind the partner's line. So allow one unit (1.0).
        if !passes_free_end(piece, self.motion, 1.0, approach) {
            keep_if_earliest(toi, &mut self.arc, &mut self.hits.arcs, listed);
        }
    }
}

impl Cast for CircleCast<'_> {
    #[inline(always)]
    fn hittable_pieces<'a>(&self, terrain: &'a Terrain, baked: &BakedCell) -> &'a [Piece] {
        terrain.circle_pieces(baked)
    }

    #[inline(always)]
    fn record_hits_in_cell<'a>(
        &mut self,
        pieces: &'a [Piece],
        position: Position,
        (owner, at): (Owner, I64Vec2),
        list: &mut Option<&mut List<'a>>,
    ) {
        let mover = self.moving_circle(position.units() - at);
        for piece in pieces {
            if piece.role == Role::Face {
                if let Some(offsets) = mover.nears_face(&face(piece), tolerance::MAX_STRAY_UNITS) {
                    let listed = Listed { owner, at, piece, offsets };
                    add_to_list(list, listed);
                    self.record_hit_on_face(&listed);
                }
            } else if mover.may_hit_corner(&corner(piece), tolerance::MAX_STRAY_UNITS) {
                let listed = Listed { owner, at, piece, offsets: FaceOffsets::NONE };
                add_to_list(list, listed);
                self.record_hit_on_arc(position, &listed);
            }
        }
    }

    #[inline(always)]
    fn face_offsets(&self, center: I64Vec2, piece: &Piece) -> FaceOffsets {
        self.moving_circle(center).offsets(&face(piece))
    }

    #[inline(always)]
    fn record_hit_on_piece(&mut self, position: Position, listed: &Listed<'_>) {
        if listed.piece.role == Role::Face {
            self.record_hit_on_face(listed);
        } else {
            self.record_hit_on_arc(position, listed);
        }
    }

    #[inline(always)]
    fn earliest_time(&self) -> Option<f64> {
        earlier_time(self.face, self.arc)
    }
}

/// Keeps a hit if it is the earliest, together with all hits at the same time.
fn keep_if_earliest(
    toi: f64,
    best: &mut Option<f64>,
    surfaces: &mut Surfaces,
    &Listed { owner, at, piece, .. }: &Listed<'_>,
) {
    if best.is_some_and(|best| toi > best) {
        return;
    }
    if *best != Some(toi) {
        *best = Some(toi);
        surfaces.clear();
    }
    surfaces.push(Surface { owner, at, piece: *piece });
}

/// Returns the earlier of two times.
fn earlier_time(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Returns whether the free end of a one-way edge lets the motion pass. It does in two cases:
///
/// - The motion does not point against the edge's normal.
/// - The body started in front of the edge that joins this one in a concave corner (the partner), and is about to
///   reach the partner's line.
///
/// A start behind the partner's line by up to `rounding` units still counts as in front. `approach` returns the gap
/// to that line at the start, in units times the length of its normal, and the time of impact.
fn passes_free_end(piece: &Piece, motion: I64Vec2, rounding: f64, approach: impl FnOnce() -> (f64, f64)) -> bool {
    if piece.gate == I8Vec2::ZERO {
        return false;
    }
    if piece.gate.as_i64vec2().dot(motion) >= 0 {
        return true;
    }
    if piece.partner == I8Vec2::ZERO {
        return false;
    }
    let partner = piece.partner.as_i64vec2().as_dvec2();
    let (start, toi) = approach();
    let gap = start + partner.dot(motion.as_dvec2()) * toi;
    start >= -rounding * partner.length() && gap.abs() <= tolerance::PARTNER_LINE_UNITS * partner.length()
}

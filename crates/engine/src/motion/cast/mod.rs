//! A shape cast against the terrain: the earliest contact and every surface that is met at that time.
//!
//! A body's casts ([`Probe`]) look among the pieces nearby. A cast by itself ([`Single`]) gathers nothing and looks at
//! the terrain once:
//!
//! - Each chunk knows of its rows which cells show anything, so what shows of the motion's rectangle is one number
//!   (`Terrain::shown`). If it is 0, the cast is over. Cells aside of the way are passed over.
//! - Of the pieces of the other cells those are listed that the motion or a sub-move of it may meet, with the numbers
//!   of the sweep that do not depend on the motion ([`FaceOffsets`]). The approach sweeps its sub-moves against that
//!   list.
//! - A sub-move lies at most [`tolerance::STRAY`] units off the motion. The quick tests (`nears_face`,
//!   `may_hit_corner`) allow for that and for what f64 rounds off.
//! - A longer cast looks along its path, up to where it stops.

#[cfg(test)]
mod tests;

mod every;

pub(crate) use every::each_met;

use super::advance::Approach;
use super::hits::Hits;
use super::nearby::Nearby;
use super::shape::Form;
use super::source::Source;
use super::surface::{Surface, corner, face, is_level_with_end, lattice, touches};
use super::tolerance;
use super::visit::{Bounds, CellRange, visit_path, visit_rows};
use super::{Frame, Owner, Shape, Surfaces, Surroundings, Touch, Touching};
use crate::map::CollisionLayers;
use crate::terrain::{BakedCell, Piece, Role, Terrain};
use glam::{DVec2, I8Vec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::Position;
use surefoot_geometry::exact::tolerance::ARC_LEAD;
use surefoot_geometry::exact::{FaceOffsets, Fraction, MovingBox, MovingCircle};

/// What bodies move over.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) around: Surroundings<'a>,
    pub(crate) frame: Frame,
}

impl<'a> Scene<'a> {
    /// What bodies of those collision layers move over.
    #[inline]
    pub(crate) fn of_layers(self, layers: CollisionLayers) -> Scene<'a> {
        Scene { around: self.around.of_layers(layers), ..self }
    }
}

/// Lists that a probe fills again and again, so that no move allocates once they have grown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub(super) hits: Hits,
    recheck: Hits,
    pub(super) held: Vec<Surface>,
    pub(super) bounced: Vec<Surface>,
    pub(super) spare: Vec<Surface>,
}

/// One shape among the terrain: casts it, asks what it touches, moves it.
///
/// The pieces around a short motion are gathered once and then asked as often as needed.
pub(crate) struct Probe<'a> {
    pub(crate) scene: &'a Scene<'a>,
    pub(crate) shape: Shape,
    pub(super) near: &'a mut Nearby,
    pub(super) scratch: &'a mut Scratch,
}

impl<'a> Probe<'a> {
    /// A probe that looks among the pieces nearby: of that terrain and that shape, or none yet.
    #[inline(always)]
    pub(crate) fn new(scene: &'a Scene<'a>, shape: Shape, near: &'a mut Nearby, scratch: &'a mut Scratch) -> Probe<'a> {
        near.follow(&scene.around);
        Probe { scene, shape, near, scratch }
    }

    /// The time of the earliest contact of the shape moving from a place, as a fraction of the motion in [0, 1]; `None`
    /// if the way is free. What is met then is in [`Probe::hits`]. Exactly 0 for a surface that a box touches at the start.
    #[inline(always)]
    pub(crate) fn cast(&mut self, position: Position, motion: I64Vec2) -> Option<f64> {
        if self.is_free(position, motion) {
            self.scratch.hits.clear();
            return None;
        }
        cast(self.scene, self.shape, position, motion, self.near, &mut self.scratch.hits)
    }

    /// Whether nothing is met on the way of a motion and nothing touched at its end, as far as a quick look can tell.
    #[inline(always)]
    pub(crate) fn is_clear(&mut self, position: Position, motion: I64Vec2) -> bool {
        self.near.is_clear(self.scene, self.shape, position, motion)
    }

    /// Casts as [`Probe::cast`] does, with what is met in [`Probe::rechecked`] and the last cast's hits left as they are.
    pub(super) fn recast(&mut self, position: Position, motion: I64Vec2) -> Option<f64> {
        if self.is_free(position, motion) {
            self.scratch.recheck.clear();
            return None;
        }
        cast(self.scene, self.shape, position, motion, self.near, &mut self.scratch.recheck)
    }

    /// Whether a motion meets nothing, as far as a quick look can tell.
    #[inline(always)]
    fn is_free(&mut self, position: Position, motion: I64Vec2) -> bool {
        let bounds = Bounds::of(self.shape, position, motion);
        self.near.reaches(self.scene, self.shape, &bounds, motion) && {
            let center = self.near.seen(position);
            !self.near.picked().any(|grown| grown.may_meet(self.shape, center, motion))
        }
    }

    /// What the last cast has met, if it has met anything.
    pub(crate) fn hits(&self) -> &[Surface] {
        &self.scratch.hits.surfaces
    }

    pub(super) fn rechecked(&self) -> &[Surface] {
        &self.scratch.recheck.surfaces
    }

    /// Puts every surface that the shape touches at a place into a list.
    #[inline(always)]
    pub(crate) fn touching(&mut self, position: Position, surfaces: &mut Surfaces) {
        surfaces.clear();
        let bounds = Bounds::of(self.shape, position, I64Vec2::ZERO);
        if !self.near.reaches(self.scene, self.shape, &bounds, I64Vec2::ZERO) {
            return self.touching_much(position, surfaces);
        }
        let center = self.near.seen(position);
        for grown in self.near.picked() {
            if grown.is_touched(self.shape, position, center) {
                surfaces.push(grown.surface);
            }
        }
        self.scene.around.join(surfaces);
    }

    /// Whether the shape touches a floor of a terrain other than the one that was moved over last; with all it touches there.
    #[inline(never)]
    pub(crate) fn dropped(&mut self, position: Position, touch: &mut Touch<'_>) -> bool {
        self.near.clear();
        self.touching(position, touch.refresh());
        Touching::of(touch.now(), position, &self.scene.frame).floor
    }

    /// Finds what is touched by a shape that covers many cells.
    #[inline(never)]
    fn touching_much(&self, position: Position, surfaces: &mut Surfaces) {
        let bounds = Bounds::of(self.shape, position, I64Vec2::ZERO);
        let around = &self.scene.around;
        for source in std::iter::once(around.terrain()).chain(around.platforms_within(&bounds)) {
            source.each_piece(self.shape, source.cells(&bounds), |surface| {
                if touches(&surface.piece, self.shape, surface.seen(position)) {
                    surfaces.push(surface);
                }
            });
        }
        around.join(surfaces);
    }

    /// The surfaces of a list that an acceleration presses a shape into, if the shape does not move off them, nor over
    /// their end; in a list of the probe's, until its next move.
    pub(crate) fn pressed(
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
                && !surface.is_left_by(self.shape, position, velocity)
        }));
        &self.scratch.spare
    }
}

/// Casts against the pieces picked, or along the path of a long motion.
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
    let bounds = Bounds::of(shape, position, motion);
    let looking =
        if near.holds(&bounds) { Looking::Picked(near) } else { Looking::over(&scene.around.terrain(), &bounds) };
    sweep(scene, shape, position, motion, looking, hits, None)
}

/// Casts against one source; what is met first is in the hits.
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
    let looking = Looking::over(source, &Bounds::of(shape, position, motion));
    match shape.0 {
        Form::Aabb { half } => {
            let mut cast = BoxCast { half: half.into(), motion, best: None, hits };
            look(&mut cast, *source, shape, (position, motion), looking, &mut None);
            cast.settled(frame)
        }
        Form::Circle { radius } => {
            let mut cast = CircleCast { radius, motion, face: None, arc: None, hits };
            look(&mut cast, *source, shape, (position, motion), looking, &mut None);
            cast.settled()
        }
    }
}

/// A single cast: nothing is gathered for it, and it looks at the terrain once.
pub(super) struct Single<'s, 'a> {
    scene: &'s Scene<'a>,
    shape: Shape,
    pub(super) hits: Hits,
    recheck: Hits,
    /// What the motion or a sub-move of it may meet.
    listed: List<'a>,
}

impl<'s, 'a> Single<'s, 'a> {
    #[inline(always)]
    pub(super) fn new(scene: &'s Scene<'a>, shape: Shape) -> Single<'s, 'a> {
        Single { scene, shape, hits: Hits::default(), recheck: Hits::default(), listed: List::new() }
    }

    /// The time of the earliest contact, as [`Probe::cast`] answers it.
    #[inline(always)]
    pub(super) fn cast(&mut self, position: Position, motion: I64Vec2, looking: Looking<'_>) -> Option<f64> {
        sweep(self.scene, self.shape, position, motion, looking, &mut self.hits, Some(&mut self.listed))
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

    fn recast(&mut self, position: Position, motion: I64Vec2) -> Option<f64> {
        self.recheck.clear();
        let hits = &mut self.recheck;
        match self.shape.0 {
            Form::Aabb { half } => {
                let mut cast = BoxCast { half: half.into(), motion, best: None, hits };
                self.listed.iter().for_each(|listed| cast.see(position, listed));
                cast.settled(&self.scene.frame)
            }
            Form::Circle { radius } => {
                let mut cast = CircleCast { radius, motion, face: None, arc: None, hits };
                self.listed.iter().for_each(|listed| cast.see(position, listed));
                cast.settled()
            }
        }
    }

    fn rechecked(&self) -> &[Surface] {
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

    fn recast(&mut self, position: Position, motion: I64Vec2) -> Option<f64> {
        self.recast(position, motion)
    }

    fn rechecked(&self) -> &[Surface] {
        self.rechecked()
    }
}

/// A surface that a shape may meet on its way from a place.
#[derive(Clone, Copy)]
struct Listed<'a> {
    owner: Owner,
    /// Where the lower left corner of its cell is, in units.
    at: I64Vec2,
    piece: &'a Piece,
    /// How the shape stands before the piece where it starts; means nothing for an arc.
    offsets: FaceOffsets,
}

type List<'a> = SmallVec<[Listed<'a>; tolerance::LISTED]>;

#[inline(always)]
fn note<'a>(list: &mut Option<&mut List<'a>>, listed: Listed<'a>) {
    if let Some(list) = list {
        list.push(listed);
    }
}

/// Where a cast looks for what it may meet. It decides about speed alone.
#[derive(Clone, Copy)]
pub(super) enum Looking<'n> {
    /// Look among the pieces picked.
    Picked(&'n Nearby),
    /// Look in some cells of the terrain, row by row at those that show something, and in the platforms.
    Rows(CellRange, u64),
    /// Look in some cells of the terrain along the way, up to where the shape is known to stop, and in the platforms.
    Path(CellRange),
}

impl Looking<'_> {
    /// A look in the cells that a motion comes near; `None` if they are plainly empty.
    #[inline(always)]
    pub(super) fn around(
        scene: &Scene<'_>,
        shape: Shape,
        position: Position,
        motion: I64Vec2,
    ) -> Option<Looking<'static>> {
        let looking = Looking::over(&scene.around.terrain(), &Bounds::of(shape, position, motion));
        let is_empty = matches!(looking, Looking::Rows(_, 0)) && !scene.around.has_platforms();
        if is_empty { None } else { Some(looking) }
    }

    /// A look in the cells of a source that bounds reach.
    #[inline]
    fn over(source: &Source<'_>, bounds: &Bounds) -> Looking<'static> {
        let range = source.cells(bounds);
        if range.count() <= tolerance::BY_ROWS {
            Looking::Rows(range, source.terrain.shown(range.low, range.high))
        } else {
            Looking::Path(range)
        }
    }
}

/// Casts against the pieces picked, or against those of some cells. It lists the pieces of cells that it has looked at
/// closely.
#[inline(never)]
fn sweep<'a>(
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
            look_around(&mut cast, scene, shape, (position, motion), looking, list);
            cast.settled(&scene.frame)
        }
        Form::Circle { radius } => {
            let mut cast = CircleCast { radius, motion, face: None, arc: None, hits };
            look_around(&mut cast, scene, shape, (position, motion), looking, list);
            cast.settled()
        }
    }
}

/// Shows a cast the pieces that it may meet, of every source.
#[inline(always)]
fn look_around<'a, C: Cast>(
    cast: &mut C,
    scene: &Scene<'a>,
    shape: Shape,
    way: (Position, I64Vec2),
    looking: Looking<'_>,
    mut list: Option<&mut List<'a>>,
) {
    look(cast, scene.around.terrain(), shape, way, looking, &mut list);
    if scene.around.has_platforms() && !matches!(looking, Looking::Picked(_)) {
        let bounds = Bounds::of(shape, way.0, way.1);
        for platform in scene.around.platforms_within(&bounds) {
            look(cast, platform, shape, way, Looking::over(&platform, &bounds), &mut list);
        }
    }
}

/// Shows a cast the pieces of one source that it may meet, or those picked.
#[inline(always)]
fn look<'a, C: Cast>(
    cast: &mut C,
    source: Source<'a>,
    shape: Shape,
    (position, motion): (Position, I64Vec2),
    looking: Looking<'_>,
    list: &mut Option<&mut List<'a>>,
) {
    let owner = source.owner;
    match looking {
        Looking::Picked(near) => near.picked().for_each(|grown| {
            let Surface { owner, at, piece } = &grown.surface;
            let offsets = cast.offsets(position.units() - at, piece);
            cast.see(position, &Listed { owner: *owner, at: *at, piece, offsets });
        }),
        Looking::Rows(range, shown) => {
            visit_rows(&source, shape, position, motion, (range, shown), |cell, baked| {
                let at = source.at(cell);
                source.each_met(shape, at, C::pieces(source.terrain, baked), |pieces| {
                    cast.pass(pieces, position, (owner, at), list);
                });
            });
        }
        Looking::Path(range) => visit_path(&source, shape, position, motion, range, |cell, baked| {
            let at = source.at(cell);
            source.each_met(shape, at, C::pieces(source.terrain, baked), |pieces| {
                cast.pass(pieces, position, (owner, at), list);
            });
            cast.known()
        }),
    }
}

/// A shape on its way past pieces.
trait Cast {
    /// What the shape can meet in a cell.
    fn pieces<'a>(terrain: &'a Terrain, baked: &BakedCell) -> &'a [Piece];

    /// Looks at the pieces of a cell that the motion from a place or a sub-move of it may meet, and lists them. `of` is
    /// the owner of the cell and where the cell stands.
    fn pass<'a>(
        &mut self,
        pieces: &'a [Piece],
        position: Position,
        of: (Owner, I64Vec2),
        list: &mut Option<&mut List<'a>>,
    );

    /// How the shape stands before a piece; means nothing for an arc.
    fn offsets(&self, center: I64Vec2, piece: &Piece) -> FaceOffsets;

    /// Looks whether the motion from a place meets a piece, and keeps it if nothing was met before.
    fn see(&mut self, position: Position, listed: &Listed<'_>);

    /// The time of the earliest contact so far.
    fn known(&self) -> Option<f64>;
}

/// A box on its way past pieces.
struct BoxCast<'h> {
    half: I64Vec2,
    motion: I64Vec2,
    best: Option<Fraction>,
    hits: &'h mut Hits,
}

impl BoxCast<'_> {
    #[inline(always)]
    fn mover(&self, center: I64Vec2) -> MovingBox {
        MovingBox { center, half: self.half, motion: self.motion }
    }

    #[inline(always)]
    fn see_face(&mut self, position: Position, &Listed { owner, at, piece, ref offsets }: &Listed<'_>) {
        let ends = [piece.before.as_i64vec2(), piece.after.as_i64vec2()];
        let Some(hit) = self.mover(I64Vec2::ZERO).against_offsets(offsets, ends) else { return };
        if self.best.is_some_and(|best| hit.toi > best) {
            return;
        }
        let approach = || {
            let partner = piece.partner.as_i64vec2();
            let start = partner.dot(position.units() - at - lattice(piece.a)) - self.half.dot(partner.abs());
            (start as f64, hit.toi.to_f64())
        };
        // A box's gap is exact: behind by a unit is behind.
        if gated(piece, self.motion, 0.0, approach) {
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

    /// The time of the earliest contact, with what was met settled.
    #[inline(always)]
    fn settled(self, frame: &Frame) -> Option<f64> {
        let toi = self.best?.to_f64();
        self.hits.settle_ties(frame, self.motion);
        Some(toi)
    }
}

impl Cast for BoxCast<'_> {
    #[inline(always)]
    fn pieces<'a>(terrain: &'a Terrain, baked: &BakedCell) -> &'a [Piece] {
        terrain.box_pieces(baked)
    }

    #[inline(always)]
    fn pass<'a>(
        &mut self,
        pieces: &'a [Piece],
        position: Position,
        (owner, at): (Owner, I64Vec2),
        list: &mut Option<&mut List<'a>>,
    ) {
        let mover = self.mover(position.units() - at);
        for piece in pieces {
            if let Some(offsets) = mover.nears_face(&face(piece), tolerance::STRAY) {
                let listed = Listed { owner, at, piece, offsets };
                note(list, listed);
                self.see_face(position, &listed);
            }
        }
    }

    #[inline(always)]
    fn offsets(&self, center: I64Vec2, piece: &Piece) -> FaceOffsets {
        self.mover(center).offsets(&face(piece))
    }

    #[inline(always)]
    fn see(&mut self, position: Position, listed: &Listed<'_>) {
        self.see_face(position, listed);
    }

    #[inline(always)]
    fn known(&self) -> Option<f64> {
        self.best.map(Fraction::to_f64)
    }
}

/// A circle on its way past pieces.
struct CircleCast<'h> {
    radius: i64,
    motion: I64Vec2,
    face: Option<f64>,
    arc: Option<f64>,
    hits: &'h mut Hits,
}

impl CircleCast<'_> {
    #[inline(always)]
    fn mover(&self, center: I64Vec2) -> MovingCircle {
        MovingCircle { center, radius: self.radius, motion: self.motion }
    }

    /// The time of the earliest contact; what was met then is among the surfaces.
    #[inline(always)]
    fn settled(self) -> Option<f64> {
        match (self.face, self.arc) {
            (face, Some(arc)) if face.is_none_or(|face| arc < face - ARC_LEAD) => {
                std::mem::swap(&mut self.hits.surfaces, &mut self.hits.arcs);
                Some(arc)
            }
            (face, _) => face,
        }
    }

    #[inline(always)]
    fn see_face(&mut self, listed: &Listed<'_>) {
        if let Some(toi) = self.mover(I64Vec2::ZERO).against_offsets(&listed.offsets) {
            offer(toi, &mut self.face, &mut self.hits.surfaces, listed);
        }
    }

    #[inline(never)]
    fn see_arc(&mut self, position: Position, listed: &Listed<'_>) {
        let piece = listed.piece;
        let (corner, center) = (corner(piece), position.units() - listed.at);
        if is_level_with_end(piece, center) {
            return;
        }
        let Some(toi) = self.mover(center).against_corner(&corner) else { return };
        let approach = || {
            let partner = piece.partner.as_i64vec2().as_dvec2();
            (partner.dot((center - corner.vertex).as_dvec2()) - self.radius as f64 * partner.length(), toi)
        };
        // A circle that starts behind by rounding is not behind.
        if !gated(piece, self.motion, 1.0, approach) {
            offer(toi, &mut self.arc, &mut self.hits.arcs, listed);
        }
    }
}

impl Cast for CircleCast<'_> {
    #[inline(always)]
    fn pieces<'a>(terrain: &'a Terrain, baked: &BakedCell) -> &'a [Piece] {
        terrain.circle_pieces(baked)
    }

    #[inline(always)]
    fn pass<'a>(
        &mut self,
        pieces: &'a [Piece],
        position: Position,
        (owner, at): (Owner, I64Vec2),
        list: &mut Option<&mut List<'a>>,
    ) {
        let mover = self.mover(position.units() - at);
        for piece in pieces {
            if piece.role == Role::Face {
                if let Some(offsets) = mover.nears_face(&face(piece), tolerance::STRAY) {
                    let listed = Listed { owner, at, piece, offsets };
                    note(list, listed);
                    self.see_face(&listed);
                }
            } else if mover.may_hit_corner(&corner(piece), tolerance::STRAY) {
                let listed = Listed { owner, at, piece, offsets: FaceOffsets::NONE };
                note(list, listed);
                self.see_arc(position, &listed);
            }
        }
    }

    #[inline(always)]
    fn offsets(&self, center: I64Vec2, piece: &Piece) -> FaceOffsets {
        self.mover(center).offsets(&face(piece))
    }

    #[inline(always)]
    fn see(&mut self, position: Position, listed: &Listed<'_>) {
        if listed.piece.role == Role::Face {
            self.see_face(listed);
        } else {
            self.see_arc(position, listed);
        }
    }

    #[inline(always)]
    fn known(&self) -> Option<f64> {
        earlier(self.face, self.arc)
    }
}

/// Keeps a hit if it is the earliest, with all that share its time.
fn offer(toi: f64, best: &mut Option<f64>, surfaces: &mut Surfaces, &Listed { owner, at, piece, .. }: &Listed<'_>) {
    if best.is_some_and(|best| toi > best) {
        return;
    }
    if *best != Some(toi) {
        *best = Some(toi);
        surfaces.clear();
    }
    surfaces.push(Surface { owner, at, piece: *piece });
}

/// The earlier of two times.
fn earlier(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Whether a piece at a one-way free end is to be passed over: the motion does not go against its edge, or the body
/// started in front of the edge that meets it in a concave join and is about to reach that edge's line.
///
/// A start behind the partner's line by up to `rounding` units does not count as behind. `approach` gives the gap to
/// that line at the start, in units times the length of its normal, and the time of impact.
fn gated(piece: &Piece, motion: I64Vec2, rounding: f64, approach: impl FnOnce() -> (f64, f64)) -> bool {
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
    start >= -rounding * partner.length() && gap.abs() <= tolerance::PARTNER * partner.length()
}

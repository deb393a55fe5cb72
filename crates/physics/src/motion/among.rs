//! Slides and walks past a list of solid bodies, for a [`Mover`] with obstacles.
//!
//! A part of a path is first moved against terrain and platforms, as without bodies. It is then swept against the
//! bodies and ends at the first body: exactly where flat sides touch, else in whole units before the body. A hit body
//! gives a surface with a normal, like a tile, so one rule decides how the motion continues.
//!
//! A part counts only if a sweep of its rounded form hits nothing, so no shape comes to overlap a body. A body that the
//! shape overlaps at the start of a part does not stop it.
//!
//! A walk follows the flat top of a body to its end. Otherwise the walk follows the floor of tiles up to the first
//! body. If neither supports the shape, the walk goes straight on.

use super::advance::{Approach, Course, Part, truncated};
use super::cast::Probe;
use super::mover::{HitTarget, TileHit};
use super::resting::Resting;
use super::slide::slide_course;
use super::surface::Surface;
use super::walk::{Bends, Walk, WalkEnd, nearest};
use super::{CastHit, Contact, Frame, MoveResult, Mover, Path, Shape, Surfaces, Touch, Touching, tolerance};
use crate::ids::BodyId;
use crate::query::BodyContact;
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::exact::{PairHit, tangent};
use surefoot_geometry::{ONE, Position};

/// The bodies that one shape can hit, in the order of the list.
#[derive(Clone, Copy)]
pub(super) struct Among<'a> {
    bodies: &'a [(BodyId, Resting)],
    shape: Shape,
    frame: Frame,
}

/// The surface of a body that the shape touches or hit, at the shape's position.
#[derive(Clone, Copy)]
struct BodySurface {
    id: BodyId,
    body: Resting,
    surface: Surface,
    /// Unit normal from the body to the shape.
    normal: DVec2,
}

type BodySurfaces = SmallVec<[BodySurface; 4]>;

/// The surfaces that end a part of a slide.
pub(super) struct Stop<'a> {
    position: Position,
    tiles: &'a [Surface],
    bodies: &'a [BodySurface],
}

/// The part of a path up to a body, and the time of impact as a fraction of the path.
struct Cut {
    part: I64Vec2,
    toi: f64,
}

impl BodySurface {
    fn contact(&self, shape: Shape, position: Position) -> BodyContact {
        BodyContact { other: self.id, point: self.body.touched_by(shape, position).0, normal: self.normal }
    }
}

impl Stop<'_> {
    /// Returns whether a floor is among the surfaces that end the part.
    pub(super) fn has_floor(&self, frame: &Frame) -> bool {
        let bodies = self.bodies.iter().map(|body| &body.surface);
        self.tiles.iter().chain(bodies).any(|surface| frame.is_floor_of(surface, self.position))
    }
}

impl<'a> Among<'a> {
    pub(super) fn new(bodies: &'a [(BodyId, Resting)], shape: Shape, frame: Frame) -> Among<'a> {
        Among { bodies, shape, frame }
    }

    /// Returns whether the shape overlaps one of the bodies.
    pub(super) fn is_overlapped_at(&self, at: Position) -> bool {
        self.bodies.iter().any(|(_, body)| body.is_overlapped_by(self.shape, at.units()))
    }

    /// Returns the first hit of a cast: `tile`, or a body that the shape hits before it.
    pub(super) fn first_hit(
        &self,
        mover: &Mover<'_>,
        from: Position,
        motion: I64Vec2,
        tile: Option<TileHit>,
    ) -> Option<CastHit> {
        let mut first: Option<(f64, &(BodyId, Resting))> = None;
        for body in self.bodies {
            let known = first.map(|(toi, _)| toi).or_else(|| tile.map(|tile| tile.toi));
            if let Some(toi) = body.1.met_by(self.shape, from.units(), motion)
                && known.is_none_or(|known| toi < known)
            {
                first = Some((toi, body));
            }
        }
        let Some((toi, (id, body))) = first else { return tile.map(CastHit::from) };
        let position = body.reached_by(Some(mover), self.shape, from, motion, toi);
        let (point, normal) = body.touched_by(self.shape, position);
        Some(CastHit { toi, position, target: HitTarget::Body(BodyContact { other: *id, point, normal }) })
    }

    /// Returns the bodies that a straight motion hits, in list order.
    fn hits(&self, from: Position, way: I64Vec2) -> impl Iterator<Item = (&'a (BodyId, Resting), PairHit)> {
        let (shape, up) = (self.shape, self.frame.axis());
        let hit = move |body: &'a (BodyId, Resting)| {
            body.1.swept_by(shape, from.units(), way, up).hit().map(|hit| (body, hit))
        };
        self.bodies.iter().filter_map(hit)
    }

    fn is_clear(&self, from: Position, way: I64Vec2) -> bool {
        self.hits(from, way).next().is_none()
    }

    /// Returns the part of `course` up to the first body on it, and puts the hit bodies into `struck`. `None` if the
    /// course hits no body. The course must be free of tiles.
    fn cut(&self, probe: &mut Probe<'_>, from: Position, course: Course, struck: &mut BodySurfaces) -> Option<Cut> {
        struck.clear();
        let way = course.displacement();
        let toi = self.hits(from, way).map(|(_, hit)| hit.toi).min_by(f64::total_cmp)?;
        let first = || self.hits(from, way).filter(|(_, hit)| hit.toi == toi);
        let mut part = truncated(way, toi);
        for (_, hit) in first() {
            if let Some(flat) = hit.flat {
                let normal = hit.normal.as_i64vec2();
                part = I64Vec2::select(normal.cmpeq(I64Vec2::ZERO), part, normal * -flat.num);
            }
        }
        let part = self.swept_clean(probe, from, course, part, toi);
        struck.extend(first().map(|((id, body), hit)| BodySurface {
            id: *id,
            body: *body,
            surface: body.surface_hit(self.shape, from + part, &hit),
            normal: hit.normal,
        }));
        Some(Cut { part, toi })
    }

    /// Shortens a part of a course until it hits neither tiles nor bodies.
    fn swept_clean(&self, probe: &mut Probe<'_>, from: Position, course: Course, part: I64Vec2, toi: f64) -> I64Vec2 {
        let way = course.displacement();
        let part = probe.swept_clean(from, Course::Free(way), part);
        if self.is_clear(from, part) {
            return part;
        }
        let longest = way.abs().max_element() as f64;
        let mut back = 1.0;
        for _ in 0..tolerance::SHORTENINGS {
            let part = probe.swept_clean(from, course, course.part((toi - back / longest).max(0.0)));
            if self.is_clear(from, part) {
                return part;
            }
            back *= tolerance::GIVE_WAY;
        }
        I64Vec2::ZERO
    }

    /// Returns the bodies that the shape touches.
    fn touched(&self, at: Position) -> BodySurfaces {
        let touched = self.bodies.iter().filter_map(|(id, body)| {
            let (surface, normal) = body.surface_at(self.shape, at)?;
            Some(BodySurface { id: *id, body: *body, surface, normal })
        });
        touched.collect()
    }

    /// Holds the bodies in `struck`, and keeps the held bodies that the shape still touches.
    fn hold(&self, position: Position, struck: &[BodySurface], held: &mut BodySurfaces) {
        let before = std::mem::take(held);
        held.extend_from_slice(struck);
        for known in &before {
            if struck.iter().all(|body| body.id != known.id)
                && let Some((surface, normal)) = known.body.surface_at(self.shape, position)
            {
                held.push(BodySurface { surface, normal, ..*known });
            }
        }
    }

    /// Returns how far the shape can move horizontally before no flat body top supports it any longer.
    fn top(&self, touched: &[BodySurface], at: Position, way: I64Vec2) -> Option<i64> {
        let up = self.frame.up();
        let tops = touched.iter().filter(|touched| touched.surface.is_flat() && touched.normal == up);
        tops.map(|top| top.body.reach(self.shape, at, way)).max()
    }

    /// Records in `moved` the contacts at the end of a move: the tiles in `tiles`, touched bodies and the bodies that
    /// stopped it.
    pub(super) fn end(&self, moved: &mut MoveResult<'_>, tiles: &[Surface], stopped: Stopped) {
        let mut bodies = self.touched(moved.position);
        for body in stopped.0 {
            if bodies.iter().all(|known| known.id != body.id) {
                bodies.push(body);
            }
        }
        let mut surfaces: Surfaces = tiles.iter().copied().collect();
        surfaces.extend(bodies.iter().map(|body| body.surface));
        moved.touching = Touching::of(&surfaces, moved.position, &self.frame);
        moved.body_contacts.extend(bodies.iter().map(|body| body.contact(self.shape, moved.position)));
    }
}

/// The bodies that stopped a move at its end.
#[derive(Default)]
pub(super) struct Stopped(BodySurfaces);

impl Probe<'_> {
    /// Moves the shape by a displacement that slides along tiles and bodies. Adds each straight part to `path` and
    /// returns the end.
    ///
    /// The rounds and choices are those of [`Probe::slide`].
    pub(super) fn slide_past(
        &mut self,
        among: &Among<'_>,
        start: Position,
        motion: I64Vec2,
        path: &mut Path,
        mut redirect: impl FnMut(&Stop<'_>, I64Vec2) -> I64Vec2,
    ) -> Position {
        self.near.invalidate();
        self.scratch.held.clear();
        let (mut position, mut rest, mut course) = (start, motion, Course::Free(motion));
        let (mut held, mut struck) = (BodySurfaces::new(), BodySurfaces::new());
        for _ in 0..tolerance::SLIDE_ROUNDS {
            if course.displacement() == I64Vec2::ZERO {
                break;
            }
            let Part { displacement: mut part, mut toi } = self.look_ahead(position, course);
            if let Some(cut) = among.cut(self, position, course.to(part), &mut struck) {
                (part, toi) = (cut.part, Some(toi.unwrap_or(1.0) * cut.toi));
                // The body is hit before the tiles.
                self.scratch.hits.clear();
            }
            if part != I64Vec2::ZERO {
                position = position + part;
                path.push(position);
            }
            let Some(toi) = toi else { break };
            rest = if course == Course::Free(rest) { rest - part } else { truncated(rest, 1.0 - toi) };
            self.hold(position, part);
            among.hold(position, &struck, &mut held);
            rest = redirect(&Stop { position, tiles: self.hits(), bodies: &struck }, rest);
            let mut surfaces: SmallVec<[Surface; 8]> = self.scratch.held.iter().copied().collect();
            surfaces.extend(held.iter().map(|body| body.surface));
            match slide_course(&surfaces, position, rest) {
                Some(next) => course = next,
                None => {
                    let back = start - position;
                    let is_settled = surfaces.len() > 1
                        && back != I64Vec2::ZERO
                        && back.abs().max_element() <= tolerance::SETTLE
                        && among.is_clear(position, back)
                        && self.recast(position, back).is_none();
                    if is_settled {
                        path.push(start);
                        position = start;
                    }
                    break;
                }
            }
        }
        position
    }
}

/// Slides a shape from the position in `moved`, and records the result there.
pub(super) fn slide(probe: &mut Probe<'_>, among: &Among<'_>, moved: &mut MoveResult<'_>, motion: I64Vec2) {
    let (scene, shape) = (probe.scene, moved.shape);
    let MoveResult { position, hits, body_hits, path, .. } = moved;
    *position = probe.slide_past(among, *position, motion, path, |stop, rest| {
        hits.extend(stop.tiles.iter().map(|surface| Contact::new(scene, surface, shape, stop.position)));
        body_hits.extend(stop.bodies.iter().map(|body| body.contact(shape, stop.position)));
        rest
    });
}

/// A walk among bodies in progress.
pub(super) struct WalkPast<'w, 'a, 'm> {
    pub(super) probe: Probe<'w>,
    pub(super) among: Among<'w>,
    pub(super) moved: &'m mut MoveResult<'a>,
    /// Touched tiles, and a spare list for the next search.
    pub(super) touched: &'w mut Surfaces,
    pub(super) spare: &'w mut Surfaces,
    /// Remaining length of the walk, in units.
    rest: f64,
    /// Horizontal walk direction, one unit long.
    way: I64Vec2,
    sign: f64,
    /// Direction of the last leg, if it followed a floor.
    heads: Option<DVec2>,
    /// Remaining displacement in whole units, after the floor of tiles has ended.
    in_air: Option<I64Vec2>,
    stopped: BodySurfaces,
}

/// The action after a leg of a walk.
#[derive(PartialEq)]
enum Next {
    Leg,
    /// The walk ends; the touched tiles must be found.
    End,
    /// The walk ends; the touched tiles are already found.
    EndWithTouched,
}

impl<'w, 'a, 'm> WalkPast<'w, 'a, 'm> {
    /// Prepares a walk of `length` tiles, to the right if positive.
    pub(super) fn new(
        probe: Probe<'w>,
        among: Among<'w>,
        moved: &'m mut MoveResult<'a>,
        lists: [&'w mut Surfaces; 2],
        length: f64,
    ) -> WalkPast<'w, 'a, 'm> {
        let sign = if length.is_sign_negative() { -1.0 } else { 1.0 };
        let [touched, spare] = lists;
        let (rest, way) = (length.abs() * ONE as f64, tangent(among.frame.axis()) * sign as i64);
        let stopped = BodySurfaces::new();
        WalkPast { probe, among, moved, touched, spare, rest, way, sign, heads: None, in_air: None, stopped }
    }

    /// Walks to the end. The list of touched tiles is then that of the end position.
    pub(super) fn walk(mut self) -> Stopped {
        let mut next = Next::Leg;
        for _ in 0..tolerance::WALK_TURNS {
            if next != Next::Leg || self.rest < tolerance::NO_WAY {
                break;
            }
            next = self.leg();
        }
        if next != Next::EndWithTouched {
            self.probe.touching(self.moved.position, self.touched);
        }
        Stopped(self.stopped)
    }

    fn leg(&mut self) -> Next {
        let from = self.moved.position;
        self.probe.touching(from, self.touched);
        let bodies = self.among.touched(from);
        let frame = self.among.frame;
        let stands_on_tiles = self.touched.iter().any(|surface| frame.is_floor_of(surface, from));
        if let Some(reach) = self.among.top(&bodies, from, self.way) {
            // Go one step past the end, so that the next floor supports the shape.
            let steps = nearest(self.rest).min(reach + 1);
            let course = Course::Along { tangent: self.way, steps };
            let Part { displacement, .. } = self.probe.look_ahead(from, course);
            let cut = self.among.cut(&mut self.probe, from, course.to(displacement), &mut self.stopped);
            let part = cut.as_ref().map_or(displacement, |cut| cut.part);
            if part != I64Vec2::ZERO {
                self.make(part);
                self.heads = Some(self.way.as_dvec2());
                return Next::Leg;
            }
            if cut.is_some() {
                return self.stop_at_bodies();
            }
            // The hit slope leads up. The walk can only climb it from a floor of tiles.
            if !stands_on_tiles {
                self.report_tiles();
                return Next::End;
            }
        }
        if stands_on_tiles {
            return self.leg_over_tiles();
        }
        let round = bodies.iter().any(|body| frame.is_floor(body.surface.normal(from)));
        match self.heads.or_else(|| round.then(|| self.way.as_dvec2())) {
            Some(heads) => self.slide(heads),
            None => Next::End,
        }
    }

    /// Walks over tiles as without bodies, up to the first body.
    fn leg_over_tiles(&mut self) -> Next {
        let (scene, shape, from) = (self.probe.scene, self.among.shape, self.moved.position);
        let (mut path, mut hits) = (Path::new(), SmallVec::<[Contact; 4]>::new());
        let mut touch = Touch::begin(self.touched, self.spare);
        let mut struck = |position, _, surface: &Surface| hits.push(Contact::new(scene, surface, shape, position));
        let mut walk = Walk {
            position: from,
            touch: &mut touch,
            path: &mut path,
            struck: &mut struck,
            step: 0,
            bends: Bends::Followed,
            run_off: None,
        };
        let end = self.probe.walk(&mut walk, self.sign * self.rest / ONE as f64);
        if touch.is_refreshed() {
            std::mem::swap(self.touched, self.spare);
        }
        for to in path {
            let leg = to - self.moved.position;
            let course = self.course(leg);
            if let Some(cut) = self.among.cut(&mut self.probe, self.moved.position, course, &mut self.stopped) {
                self.make(cut.part);
                self.heads = Some(leg.as_dvec2().normalize());
                let lands = |body: &BodySurface| body.surface.is_flat() && body.normal == self.among.frame.up();
                if self.moved.position != from && self.stopped.iter().any(lands) {
                    self.stopped.clear();
                    return Next::Leg;
                }
                return self.stop_at_bodies();
            }
            self.make(leg);
        }
        self.moved.hits.extend(hits);
        let WalkEnd::InAir { rest, direction } = end else { return Next::EndWithTouched };
        (self.rest, self.heads) = (rest.as_dvec2().length(), Some(direction * self.sign));
        self.in_air = Some(rest);
        Next::Leg
    }

    /// Converts a leg over tiles into whole steps of its direction, so that a shortened leg stays on the floor.
    fn course(&self, leg: I64Vec2) -> Course {
        let (mut a, mut b) = (leg.x.abs(), leg.y.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        if a == 0 { Course::Free(leg) } else { Course::Along { tangent: leg / a, steps: a } }
    }

    /// Ends the walk at the hit bodies. If all of them are round and count as floor there, slides on over them.
    fn stop_at_bodies(&mut self) -> Next {
        let position = self.moved.position;
        let normal = |body: &BodySurface| body.surface.normal(position);
        if self.stopped.iter().all(|body| !body.surface.is_flat() && self.among.frame.is_floor(normal(body))) {
            self.stopped.clear();
            return self.slide(self.way.as_dvec2());
        }
        let contacts = self.stopped.iter().map(|body| body.contact(self.among.shape, position));
        self.moved.body_hits.extend(contacts);
        Next::End
    }

    /// Moves the rest of the walk in a straight direction.
    fn slide(&mut self, heads: DVec2) -> Next {
        let rest = self.in_air.unwrap_or_else(|| (heads * self.rest).round().as_i64vec2());
        slide(&mut self.probe, &self.among, self.moved, rest);
        Next::End
    }

    /// Adds the tiles that stopped the last leg to the hits.
    fn report_tiles(&mut self) {
        let (scene, shape, at) = (self.probe.scene, self.among.shape, self.moved.position);
        let walls = self.probe.hits().iter().filter(|surface| !scene.frame.is_floor_of(surface, at));
        self.moved.hits.extend(walls.map(|surface| Contact::new(scene, surface, shape, at)));
    }

    fn make(&mut self, part: I64Vec2) {
        if part != I64Vec2::ZERO {
            self.in_air = None;
            self.moved.position = self.moved.position + part;
            self.moved.path.push(self.moved.position);
            self.rest = (self.rest - part.as_dvec2().length()).max(0.0);
        }
    }
}

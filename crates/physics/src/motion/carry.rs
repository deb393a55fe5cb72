//! Moves one body while platforms move: the platforms carry, push, wedge or crush it.
//!
//! A *source* is the map's terrain or a platform. A *held surface* is one that the body touches and must not move
//! into. All platforms move at once, and the body is solved against all of them together:
//!
//! 1. The body wants the displacement of the platform that it rides, or 0. It takes the nearest displacement that
//!    points into no held surface, each surface seen from its own platform. This one rule covers carrying, pushing and
//!    wedging.
//! 2. The body and all platforms advance to the earliest hit, or until the body has passed the end of a face that
//!    blocks the wanted displacement. Each displacement up to there is rounded to the nearest unit, halves towards zero.
//!    So touching surfaces stay touching, and a carried body moves exactly with its platform.
//! 3. Before anything moves, the rounded sub-move is swept once more in the frame of every platform. By induction
//!    nothing overlaps, at any speed.
//! 4. The surfaces hit, and the held surfaces that the body still touches, are the held surfaces of the next round.
//!    Repeat. If no displacement is possible, the body is crushed. A platform is to blame if a displacement would be
//!    possible without it.
//!
//! If the body comes near a platform that was not considered, the whole move starts again with that platform. So the
//! platforms that the body can reach need not be computed in advance.

use super::advance::truncated_fraction_of;
use super::cast::{Scene, cast_source};
use super::hits::Hits;
use super::slide::{displacement_along_arc, distance_lifted_off_arc};
use super::source::Owner;
use super::surface::{Surface, lattice_to_units};
use super::visit::Bounds;
use super::{Frame, Shape, Side, Touching, tolerance};
use crate::terrain::Role;
use crate::tiles::map::slower_if_same_direction;
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::Position;
use surefoot_geometry::exact::{tangent, wide_dot};

/// Initial capacity of the lists of this module.
const LIST_CAPACITY: usize = 16;

/// Lists that every call of [`carry`] refills.
#[derive(Debug, Default)]
pub(crate) struct CarryScratch {
    pub(super) frames: Vec<Moving>,
    held: Vec<Surface>,
    pub(super) spare: Vec<Surface>,
    pub(super) hits: Hits,
    met: Vec<Surface>,
    /// End positions of the straight parts of the last move.
    ends: Vec<Position>,
    /// Sub-moves of the last move, for the oracle in tests.
    #[cfg(test)]
    pub(crate) sub_moves: Vec<SubMove>,
}

/// A straight part of a move: the body's start and displacement, and the same of each source that was examined.
#[cfg(test)]
#[derive(Clone, Debug)]
pub(crate) struct SubMove {
    pub(crate) from: Position,
    pub(crate) part: I64Vec2,
    pub(crate) sources: Vec<(Owner, I64Vec2, I64Vec2)>,
}

/// A moving source (the terrain or a platform): its position and remaining displacement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    pub(super) owner: Owner,
    origin: I64Vec2,
    /// Displacement that the source still has to make in this tick.
    pub(super) displacement_left: I64Vec2,
    /// Displacement of the source in its last step.
    pub(super) last_step: I64Vec2,
}

impl Moving {
    /// The terrain, which never moves.
    pub(super) fn of_terrain() -> Moving {
        Moving {
            owner: Owner::Terrain,
            origin: I64Vec2::ZERO,
            displacement_left: I64Vec2::ZERO,
            last_step: I64Vec2::ZERO,
        }
    }

    /// Moves the source back to its start.
    pub(super) fn return_to_start(&mut self, scene: &Scene<'_>) {
        let source = scene.around.source(self.owner);
        (self.origin, self.displacement_left) = (source.origin(), scene.around.tick_displacement(self.owner));
    }

    /// Advances the source by `part`.
    pub(super) fn advance_by(&mut self, part: I64Vec2) {
        self.origin += part;
        self.displacement_left -= part;
        self.last_step = part;
    }
}

/// A body for which its platforms leave no room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Crushed {
    /// Platforms to blame, each with its displacement until it crushed the body.
    pub(crate) blamed: SmallVec<[(u32, I64Vec2); 2]>,
}

/// The next displacement of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CarryDisplacement {
    /// A displacement that is rounded as one vector. Usually each of its axes is 0 or that of some source.
    Whole(I64Vec2),
    /// The displacement of a source, plus whole steps of a tangent.
    Along { base: usize, tangent: I64Vec2, steps: i64 },
    /// The displacement of a source, plus a displacement along an arc.
    Arc { base: usize, rest: I64Vec2 },
}

impl Default for CarryDisplacement {
    fn default() -> CarryDisplacement {
        CarryDisplacement::Whole(I64Vec2::ZERO)
    }
}

/// Returns the sources (terrain or platforms) that a body rides: those of the touched floors nearest to its centre
/// line. If the body touches no floor, the owner of the steep surfaces that support it, if all of them have one owner.
pub(crate) fn find_ridden_sources(
    touched: &[Surface],
    shape: Shape,
    position: Position,
    frame: &Frame,
) -> SmallVec<[Owner; 2]> {
    let mut nearest = i64::MAX;
    let mut found = SmallVec::new();
    let mut steep: Option<Owner> = None;
    let mut mixed = false;
    for surface in touched {
        let normal = surface.normal(position);
        if frame.side(normal) != Side::Floor || surface.lets_pass(-frame.up_axis()) {
            mixed |= steep.is_some_and(|owner| owner != surface.owner);
            steep = Some(surface.owner);
            continue;
        }
        let distance = distance_from_centre(surface, shape, position, frame);
        if distance < nearest {
            nearest = distance;
            found.clear();
        }
        if distance == nearest && !found.contains(&surface.owner) {
            found.push(surface.owner);
        }
    }
    // Steep surfaces carry only if together they support the body.
    if found.is_empty() && !mixed && Touching::from_surfaces(touched, position, frame).floor {
        found.extend(steep);
    }
    found.sort_unstable();
    found
}

/// Returns the horizontal distance from a shape's centre line to the point at which it rests on a floor, in units.
pub(super) fn distance_from_centre(surface: &Surface, shape: Shape, position: Position, frame: &Frame) -> i64 {
    let right = tangent(frame.up_axis()).signum();
    let seen = |point| lattice_to_units(point) - surface.relative_position(position);
    let normal = surface.normal(position);
    match surface.piece.role {
        Role::Face if normal.dot(right) == 0 => {
            let (a, b) = (seen(surface.piece.a).dot(right), seen(surface.piece.b).dot(right));
            if (a <= 0 && b >= 0) || (a >= 0 && b <= 0) { 0 } else { a.abs().min(b.abs()) }
        }
        Role::Face if !shape.is_circle() => shape.half_units().dot(right).abs(),
        Role::Face => {
            let normal = normal.as_dvec2();
            (shape.half_units().x as f64 * (normal.dot(right.as_dvec2()) / normal.length()).abs()) as i64
        }
        Role::Arc | Role::Vertex => seen(surface.piece.a).dot(right).abs(),
    }
}

/// Returns the horizontal distance from a body's centre line to a body below, in units: to its flat side, or to its
/// centre if it is round.
pub(crate) fn sideways_distance(lower: Shape, is_flat: bool, offset: I64Vec2, up: I64Vec2) -> i64 {
    let right = tangent(up).abs();
    let half = if is_flat { lower.half_units().dot(right) } else { 0 };
    (offset.dot(right).abs() - half).max(0)
}

/// Keeps only the sources that rise most, since they lift the body off the others. `rise` returns how far or how fast a
/// source moves up.
pub(crate) fn keep_fastest_rising<T: PartialOrd>(rides: &mut SmallVec<[Owner; 2]>, rise: impl Fn(Owner) -> T) {
    if rides.len() > 1 {
        let all = rides.clone();
        rides.retain(|owner| !all.iter().any(|other| rise(*other) > rise(*owner)));
    }
}

/// Returns the velocity that two velocities have in common. On each axis: the slower if both have one direction, else 0.
pub(crate) fn common_velocity(a: DVec2, b: DVec2) -> DVec2 {
    DVec2::new(slower_if_same_direction(a.x, b.x), slower_if_same_direction(a.y, b.y))
}

/// Combines the displacements of several ridden sources. On each axis: the smallest if all have one sign, else 0.
pub(crate) fn combine_displacements(all: impl Iterator<Item = I64Vec2>) -> I64Vec2 {
    let smaller = |a: i64, b: i64| {
        if a.signum() * b.signum() <= 0 {
            0
        } else if a.abs() <= b.abs() {
            a
        } else {
            b
        }
    };
    all.reduce(|a, b| I64Vec2::new(smaller(a.x, b.x), smaller(a.y, b.y))).unwrap_or_default()
}

/// Returns a part of a displacement, rounded to the nearest unit, halves towards zero.
pub(super) fn round_fraction(displacement: I64Vec2, time: f64) -> I64Vec2 {
    let axis = |way: i64| {
        let part = way as f64 * time;
        let whole = part.trunc();
        (if (part - whole).abs() > 0.5 { whole + part.signum() } else { whole }) as i64
    };
    if time == 1.0 { displacement } else { I64Vec2::new(axis(displacement.x), axis(displacement.y)) }
}

/// Returns the time at which two objects have moved `way` of their relative displacement `whole`, also after rounding.
/// `None` if they do not before the end. `made` returns their rounded relative displacement at a time.
pub(super) fn time_of_displacement(way: i64, whole: i64, made: impl Fn(f64) -> i64) -> Option<f64> {
    if way <= 0 || whole <= way {
        return None;
    }
    let time = way as f64 / whole as f64;
    // Because of rounding, the two may be short of `way` at this time. Each displacement is rounded by at most half a
    // unit, so at the time of one more unit they are not.
    Some(if made(time) >= way { time } else { (way + 1) as f64 / whole as f64 })
}

/// Returns the displacement of the body until the end of the tick, in units.
pub(super) fn displacement_of(frames: &[Moving], displacement: CarryDisplacement) -> I64Vec2 {
    match displacement {
        CarryDisplacement::Whole(whole) => whole,
        CarryDisplacement::Along { base, tangent, steps } => frames[base].displacement_left + tangent * steps,
        CarryDisplacement::Arc { base, rest } => frames[base].displacement_left + rest,
    }
}

/// One body among moving platforms.
pub(super) struct Carry<'a, 's> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) shape: Shape,
    pub(super) position: Position,
    pub(super) rides: &'a [Owner],
    /// Remaining displacement of the body's own motion, instead of that of a ridden source.
    pub(super) own_displacement: Option<I64Vec2>,
    pub(super) frames: &'s mut Vec<Moving>,
    pub(super) held: &'s mut Vec<Surface>,
    pub(super) spare: &'s mut Vec<Surface>,
    pub(super) hits: &'s mut Hits,
    pub(super) met: &'s mut Vec<Surface>,
    /// End positions of the parts of the body's path.
    pub(super) ends: &'s mut Vec<Position>,
    #[cfg(test)]
    pub(super) sub_moves: &'s mut Vec<SubMove>,
}

/// Result of a cast against all sources.
pub(super) enum Cast {
    Free,
    Hit(f64),
    /// The body comes near a platform that was not considered. The move has to start again with it.
    Unknown,
}

/// Moves a shape while the platforms of the scene move by their steps: with the sources in `rides`, or by its own
/// displacement. Returns the end position. The scratch then has the surfaces that hold the shape.
pub(crate) fn carry(
    scene: &Scene<'_>,
    shape: Shape,
    start: Position,
    (rides, own): (&[Owner], Option<I64Vec2>),
    scratch: &mut CarryScratch,
) -> Result<Position, Crushed> {
    let CarryScratch { frames, held, spare, hits, met, ends, .. } = scratch;
    #[cfg(test)]
    let sub_moves = &mut scratch.sub_moves;
    // Reserve memory in all three lists now: they are swapped with each other, and a steady step must not allocate.
    for list in [&mut *held, &mut *spare, &mut *met] {
        list.clear();
        list.reserve(LIST_CAPACITY);
    }
    frames.clear();
    frames.push(Moving::of_terrain());
    for owner in rides {
        add_moving_source(scene, frames, *owner);
    }
    loop {
        held.clear();
        ends.clear();
        #[cfg(test)]
        sub_moves.clear();
        let mut carry = Carry {
            #[cfg(test)]
            sub_moves: &mut *sub_moves,
            scene,
            shape,
            position: start,
            rides,
            own_displacement: own,
            frames: &mut *frames,
            held: &mut *held,
            spare: &mut *spare,
            hits: &mut *hits,
            met: &mut *met,
            ends: &mut *ends,
        };
        match carry.compute_move_unless_sources_missing() {
            Some(Err(Crushed { blamed })) if blamed.is_empty() => {
                // No displacement is possible and no platform pushes. The body stays, and all moving platforms near
                // it count as crushing it.
                let moving = frames.iter().filter_map(|frame| match frame.owner {
                    Owner::Platform(i) if scene.around.tick_displacement(frame.owner) != I64Vec2::ZERO => {
                        Some((i, I64Vec2::ZERO))
                    }
                    _ => None,
                });
                let blamed: SmallVec<_> = moving.collect();
                return if blamed.is_empty() { Ok(start) } else { Err(Crushed { blamed }) };
            }
            Some(done) => return done,
            // More sources are needed. Move all sources back to their first positions and start again.
            None => {
                for frame in frames.iter_mut() {
                    frame.return_to_start(scene);
                }
            }
        }
    }
}

impl CarryScratch {
    /// Surfaces that held the body at the end of the last carry, at their positions then.
    pub(crate) fn held_surfaces(&self) -> &[Surface] {
        &self.held
    }

    /// End positions of the parts of the last carry. Two of them can be equal.
    pub(crate) fn sub_move_ends(&self) -> &[Position] {
        &self.ends
    }
}

/// Adds the source of an owner to the list of moving sources, if it is not in it.
pub(super) fn add_moving_source(scene: &Scene<'_>, frames: &mut Vec<Moving>, owner: Owner) {
    if !frames.iter().any(|frame| frame.owner == owner) {
        let source = scene.around.source(owner);
        frames.push(Moving {
            owner,
            origin: source.origin(),
            displacement_left: scene.around.tick_displacement(owner),
            last_step: I64Vec2::ZERO,
        });
    }
}

impl Carry<'_, '_> {
    /// Computes the whole move. `None` if it has to start again with more sources.
    fn compute_move_unless_sources_missing(&mut self) -> Option<Result<Position, Crushed>> {
        for round in 0..2 * tolerance::CARRY_FOLLOW_ROUNDS {
            let wanted =
                if round < tolerance::CARRY_FOLLOW_ROUNDS { self.wanted_displacement() } else { I64Vec2::ZERO };
            let Some(way) = self.choose_displacement(wanted, None) else {
                return Some(Err(self.crushed_by_pushers(wanted)));
            };
            let hit = match self.cast(way) {
                Cast::Unknown => return None,
                Cast::Free => None,
                Cast::Hit(time) => Some(time),
            };
            // Along an arc the direction of the push turns, so move only a short part at once. The later rounds move as
            // far as possible, so that the loop ends.
            let turn = if round < tolerance::CARRY_FOLLOW_ROUNDS { self.time_until_direction_turns(way) } else { 1.0 };
            let past = if round < tolerance::CARRY_FOLLOW_ROUNDS / 2 {
                self.time_when_past_blocking_faces(way, wanted)
            } else {
                1.0
            };
            let event = turn.min(past);
            let end = hit.unwrap_or(1.0);
            self.spare.clear();
            if event >= end {
                std::mem::swap(self.spare, self.met);
            }
            let mut time = event.min(end);
            if hit.is_some() || event < end {
                time = self.find_latest_clear_time(way, time);
            }
            let part = self.displacement_until(way, time);
            if let Some(crushed) = self.crushed_at_coordinate_limit(way, time) {
                return Some(Err(crushed));
            }
            self.record_sub_move(way, time);
            self.position = self.position + part;
            self.ends.push(self.position);
            self.advance_to_time(time);
            if hit.is_none() && event >= end {
                return Some(Ok(self.position));
            }
            self.update_held_surfaces(part, turn < end && turn <= past);
        }
        Some(Err(self.crushed_by_all_pushers()))
    }

    /// Returns the crush of a body that is pushed beyond the valid coordinates. `None` if nothing pushes it there.
    fn crushed_at_coordinate_limit(&self, displacement: CarryDisplacement, time: f64) -> Option<Crushed> {
        let part = self.displacement_until(displacement, time);
        let is_cut = (self.position + part) - self.position != part;
        is_cut.then(|| self.crushed_by_all_pushers()).filter(|crushed| !crushed.blamed.is_empty())
    }

    #[cfg(test)]
    fn record_sub_move(&mut self, displacement: CarryDisplacement, time: f64) {
        let sources = self
            .frames
            .iter()
            .map(|frame| (frame.owner, frame.origin, round_fraction(frame.displacement_left, time)))
            .collect();
        self.sub_moves.push(SubMove {
            from: self.position,
            part: self.displacement_until(displacement, time),
            sources,
        });
    }

    #[cfg(not(test))]
    #[inline(always)]
    fn record_sub_move(&mut self, _way: CarryDisplacement, _time: f64) {}

    /// Returns the wanted displacement: the body's own motion, or that of the sources that it rides.
    fn wanted_displacement(&self) -> I64Vec2 {
        self.own_displacement
            .unwrap_or_else(|| combine_displacements(self.rides.iter().map(|owner| self.displacement_left(*owner))))
    }

    fn displacement_left(&self, owner: Owner) -> I64Vec2 {
        self.frames.iter().find(|frame| frame.owner == owner).map_or(I64Vec2::ZERO, |frame| frame.displacement_left)
    }

    fn displacement(&self, displacement: CarryDisplacement) -> I64Vec2 {
        displacement_of(self.frames, displacement)
    }

    /// Returns the fraction of `displacement` up to which its direction is accurate enough. The normal `n` of an arc
    /// turns while the arc moves, so only a part of such a displacement counts.
    ///
    /// `displacement` is n (n.D), where D is the displacement of the arc. After a fraction t of it, the direction is off
    /// by about t^2 |n.D| |n x D| / radius.
    pub(super) fn time_until_direction_turns(&self, displacement: CarryDisplacement) -> f64 {
        let CarryDisplacement::Arc { rest, .. } = displacement else { return 1.0 };
        let radius = self.shape.half_units().x as f64;
        let (along, away) = (rest.as_dvec2().length(), self.displacement(displacement).as_dvec2().length());
        let error = along * away;
        let most = radius * radius / tolerance::ARC_PUSH_DIVISOR;
        if error <= most { 1.0 } else { (most / error).sqrt() }
    }

    /// Returns when the body has passed the end of the axis-aligned faces that block the wanted displacement. Returns 1
    /// if it does not during the rest of the tick.
    pub(super) fn time_when_past_blocking_faces(&self, displacement: CarryDisplacement, wanted: I64Vec2) -> f64 {
        let whole = self.displacement(displacement);
        if whole == wanted {
            return 1.0;
        }
        // Several faces may push the body to the same side. The body is past that side only after the end of the last
        // face.
        let mut ends = [[None::<f64>; 2]; 2];
        for surface in self.held.iter().filter(|surface| surface.is_flat()) {
            let normal = surface.piece.normal.as_i64vec2();
            let axis = usize::from(normal.x == 0);
            let left = self.displacement_left(surface.owner);
            let binds = normal[1 - axis] == 0 && whole[axis] == left[axis];
            if !binds || normal[axis].signum() * (wanted - left)[axis] >= 0 {
                continue;
            }
            let end = self.time_when_past_face(surface, 1 - axis, displacement, whole, left);
            let last = &mut ends[axis][usize::from(normal[axis] > 0)];
            *last = Some(last.map_or(end, |last| last.max(end)));
        }
        ends.into_iter().flatten().flatten().fold(1.0, f64::min)
    }

    /// Returns when the body has passed the end of an axis-aligned face. Returns 1 if it does not during the rest of
    /// the tick.
    fn time_when_past_face(
        &self,
        face: &Surface,
        axis: usize,
        displacement: CarryDisplacement,
        whole: I64Vec2,
        left: I64Vec2,
    ) -> f64 {
        let sign = (whole - left)[axis].signum();
        let [a, b] = [face.piece.a, face.piece.b]
            .map(|end| (lattice_to_units(end) - face.relative_position(self.position))[axis] * sign);
        // A circle leaves a face once its centre is past the end. A centre exactly over the end is not past it.
        let reach = if self.shape.is_circle() { 1 } else { self.shape.half_units()[axis] };
        let relative_displacement =
            |time| (self.displacement_until(displacement, time) - round_fraction(left, time))[axis] * sign;
        time_of_displacement(a.max(b) + reach, (whole - left)[axis].abs(), relative_displacement).unwrap_or(1.0)
    }

    /// Returns the part of a displacement up to a time.
    pub(super) fn displacement_until(&self, displacement: CarryDisplacement, time: f64) -> I64Vec2 {
        match displacement {
            CarryDisplacement::Whole(whole) => round_fraction(whole, time),
            CarryDisplacement::Along { base, tangent, steps } => {
                round_fraction(self.frames[base].displacement_left, time) + tangent * ((steps as f64 * time) as i64)
            }
            CarryDisplacement::Arc { base, rest } => {
                round_fraction(self.frames[base].displacement_left, time) + truncated_fraction_of(rest, time)
            }
        }
    }

    /// Advances the sources, and the surfaces held on them, to a time.
    fn advance_to_time(&mut self, time: f64) {
        self.own_displacement = self.own_displacement.map(|own| own - round_fraction(own, time));
        for frame in self.frames.iter_mut() {
            let part = round_fraction(frame.displacement_left, time);
            frame.advance_by(part);
            for surface in self.held.iter_mut().chain(self.spare.iter_mut()) {
                if surface.owner == frame.owner {
                    surface.at += part;
                }
            }
        }
    }

    /// Casts the body along `displacement` in the frame of every source. `met` then has the surfaces hit first.
    pub(super) fn cast(&mut self, displacement: CarryDisplacement) -> Cast {
        let whole = self.displacement(displacement);
        let bounds = Bounds::of_motion(self.shape, self.position, whole);
        let known = self.frames.len();
        for owner in self.scene.around.platform_owners_within(&bounds) {
            add_moving_source(self.scene, self.frames, owner);
        }
        if self.frames.len() > known {
            return Cast::Unknown;
        }
        let mut first: Option<f64> = None;
        self.met.clear();
        for i in 0..self.frames.len() {
            let frame = self.frames[i];
            if self.scene.around.ignores(frame.owner) {
                continue;
            }
            let source = self.scene.around.source(frame.owner).moved_to(frame.origin);
            let Some(time) = cast_source(
                &source,
                &self.scene.frame,
                self.shape,
                self.position,
                whole - frame.displacement_left,
                self.hits,
            ) else {
                continue;
            };
            if first.is_none_or(|first| time < first) {
                first = Some(time);
                self.met.clear();
            }
            if first == Some(time) {
                self.met.extend_from_slice(&self.hits.surfaces);
            }
        }
        first.map_or(Cast::Free, Cast::Hit)
    }

    /// Returns the latest time up to the hit at which the rounded sub-move hits nothing.
    pub(super) fn find_latest_clear_time(&mut self, displacement: CarryDisplacement, hit: f64) -> f64 {
        let (mut time, mut room) = (hit, 1.0);
        for _ in 0..tolerance::MAX_SHORTENINGS {
            if time <= 0.0 {
                break;
            }
            let part = self.displacement_until(displacement, time);
            let mut earliest: Option<(f64, i64)> = None;
            for i in 0..self.frames.len() {
                let frame = self.frames[i];
                let motion = part - round_fraction(frame.displacement_left, time);
                if motion == I64Vec2::ZERO || self.scene.around.ignores(frame.owner) {
                    continue;
                }
                let source = self.scene.around.source(frame.owner).moved_to(frame.origin);
                let met = cast_source(&source, &self.scene.frame, self.shape, self.position, motion, self.hits);
                if let Some(met) = met {
                    let found = (met, motion.abs().max_element());
                    // Among several hits at one time, the shortest motion counts.
                    let is_first = |first: (f64, i64)| found.0 < first.0 || (found.0 == first.0 && found.1 < first.1);
                    if earliest.is_none_or(is_first) {
                        earliest = Some(found);
                    }
                }
            }
            let Some((met, longest)) = earliest else { return time };
            time *= met.min(1.0 - room / longest as f64).max(0.0);
            room *= tolerance::SHORTENING_GROWTH;
        }
        0.0
    }

    /// Makes the hit surfaces held ones, and keeps the held surfaces that the body still touches. Releases an arc
    /// whose direction has turned, since the body hits it again.
    pub(super) fn update_held_surfaces(&mut self, part: I64Vec2, turned: bool) {
        // The hit surfaces are in the spare list, already moved along with their sources.
        let (shape, position) = (self.shape, self.position);
        for surface in self.held.iter() {
            let last_step = self.frames[self.frame_index(surface.owner)].last_step;
            let slack = if turned { 0.0 } else { distance_lifted_off_arc(shape, part - last_step) };
            if !self.spare.contains(surface) && surface.is_still_touched(shape, position, slack) {
                self.spare.push(*surface);
            }
        }
        std::mem::swap(self.held, self.spare);
    }

    fn frame_index(&self, owner: Owner) -> usize {
        self.frames.iter().position(|frame| frame.owner == owner).unwrap_or_default()
    }

    /// Returns whether a displacement points into a held surface, seen from its source.
    fn points_into_surface(&self, surface: &Surface, displacement: I64Vec2) -> bool {
        wide_dot(surface.normal(self.position), displacement - self.displacement_left(surface.owner)) < 0
    }

    /// Returns the possible displacement nearest to `wanted`: it points into no held surface. Ignores the surfaces of
    /// the owner `without`.
    pub(super) fn choose_displacement(&self, wanted: I64Vec2, without: Option<Owner>) -> Option<CarryDisplacement> {
        let held = || self.held.iter().filter(move |surface| Some(surface.owner) != without);
        let is_clear = |whole: I64Vec2| !held().any(|surface| self.points_into_surface(surface, whole));
        if is_clear(wanted) {
            return Some(CarryDisplacement::Whole(wanted));
        }
        let longest = held()
            .map(|surface| self.displacement_left(surface.owner))
            .chain([wanted])
            .map(length_sq)
            .max()
            .unwrap_or(0);
        let mut best: Option<(i128, I64Vec2, CarryDisplacement)> = None;
        // Smallest and largest of several equally near displacements, whose middle is taken at the end.
        let mut tied: Option<(I64Vec2, I64Vec2)> = None;
        let mut offer = |way: CarryDisplacement| {
            let whole = self.displacement(way);
            let off = length_sq(whole - wanted);
            let is_short = whole.abs().max_element() <= tolerance::MAX_CARRY_UNITS;
            if off > longest * tolerance::MAX_SQUEEZE_FACTOR * tolerance::MAX_SQUEEZE_FACTOR
                || !is_short
                || !is_clear(whole)
            {
                return;
            }
            match &mut best {
                Some((least, ..)) if off > *least => {}
                // Two values of `CarryDisplacement` can have the same displacement. If a hit cuts it short, each rounds
                // the shorter displacement in its own way (see `displacement_until`). Which of the two was offered
                // first depends on the order of the surfaces. So take neither, but `Whole`.
                Some((least, chosen, known)) if off == *least && *chosen == whole => {
                    if *known != way {
                        *known = CarryDisplacement::Whole(whole);
                    }
                }
                Some((least, chosen, _)) if off == *least => {
                    let (low, high) = tied.unwrap_or((*chosen, *chosen));
                    tied = Some((low.min(whole), high.max(whole)));
                }
                _ => (best, tied) = (Some((off, whole, way)), None),
            }
        };
        offer(CarryDisplacement::Whole(I64Vec2::ZERO));
        for surface in held().filter(|surface| self.points_into_surface(surface, wanted)) {
            offer(self.displacement_along_surface(surface, wanted));
        }
        for surface in held() {
            for other in held().filter(|other| *other != surface) {
                if let Some(way) = self.shortest_slide_clear_of(surface, other) {
                    offer(way);
                }
            }
        }
        let (_, _, way) = best?;
        match tied {
            None => Some(way),
            // Take the middle of equally near displacements, so that a mirrored scene gives the mirrored result.
            Some((low, high)) => {
                let middle = (low + high) / 2;
                is_clear(middle).then_some(CarryDisplacement::Whole(middle))
            }
        }
    }

    /// Returns the displacement along a surface that is nearest to `wanted`.
    fn displacement_along_surface(&self, surface: &Surface, wanted: I64Vec2) -> CarryDisplacement {
        let base = self.frame_index(surface.owner);
        let rest = wanted - self.frames[base].displacement_left;
        let normal = surface.normal(self.position);
        if !surface.is_flat() {
            return CarryDisplacement::Arc { base, rest: displacement_along_arc(normal, rest) };
        }
        let tangent = tangent(normal);
        let steps = (wide_dot(tangent, rest) / i128::from(tangent.dot(tangent))) as i64;
        self.displacement_along_tangent(base, tangent, steps)
    }

    /// Returns a displacement along a tangent. If the tangent is axis-aligned, each axis of the displacement is that
    /// of a source, so the form is `Whole`.
    fn displacement_along_tangent(&self, base: usize, tangent: I64Vec2, steps: i64) -> CarryDisplacement {
        if tangent.x == 0 || tangent.y == 0 {
            CarryDisplacement::Whole(self.frames[base].displacement_left + tangent * steps)
        } else {
            CarryDisplacement::Along { base, tangent, steps }
        }
    }

    /// Returns the shortest displacement along a flat surface that does not point into `other`.
    fn shortest_slide_clear_of(&self, surface: &Surface, other: &Surface) -> Option<CarryDisplacement> {
        if !surface.is_flat() {
            return None;
        }
        let base = self.frame_index(surface.owner);
        let tangent = tangent(surface.normal(self.position));
        let normal = other.normal(self.position);
        let (gain, owed) = (
            wide_dot(normal, tangent),
            wide_dot(normal, self.displacement_left(other.owner) - self.frames[base].displacement_left),
        );
        if gain == 0 || owed <= 0 {
            return None;
        }
        let steps = (owed + gain.abs() - 1) / gain.abs() * gain.signum();
        let steps = i64::try_from(steps).ok().filter(|steps| steps.abs() <= tolerance::MAX_CARRY_UNITS)?;
        Some(self.displacement_along_tangent(base, tangent, steps))
    }

    /// Returns the platforms to blame if no displacement is possible: those without which one would be possible. If
    /// there is none, all platforms that push.
    fn crushed_by_pushers(&self, wanted: I64Vec2) -> Crushed {
        let mut alone = self.crushed_by_all_pushers();
        alone
            .blamed
            .retain(|(platform, _)| self.choose_displacement(wanted, Some(Owner::Platform(*platform))).is_some());
        if alone.blamed.is_empty() { self.crushed_by_all_pushers() } else { alone }
    }

    fn crushed_by_all_pushers(&self) -> Crushed {
        crushed_by_all(self.scene, self.position, self.frames, self.held)
    }
}

/// Returns a crush by all platforms that push the body.
pub(super) fn crushed_by_all(scene: &Scene<'_>, position: Position, frames: &[Moving], held: &[Surface]) -> Crushed {
    let mut blamed = SmallVec::new();
    for frame in frames {
        let Owner::Platform(platform) = frame.owner else { continue };
        let mut own = held.iter().filter(|surface| surface.owner == frame.owner);
        if own.any(|surface| wide_dot(surface.normal(position), frame.displacement_left) > 0) {
            blamed.push((platform, scene.around.tick_displacement(frame.owner) - frame.displacement_left));
        }
    }
    Crushed { blamed }
}

fn length_sq(v: I64Vec2) -> i128 {
    i128::from(v.x) * i128::from(v.x) + i128::from(v.y) * i128::from(v.y)
}

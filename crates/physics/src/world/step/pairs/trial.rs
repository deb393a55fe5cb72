//! Decides which bodies take part in the pair phase, and which are left to their own ticks. The trial of a body moves
//! it by its own tick, as if no other body existed, and restores it.

use super::solver_bodies::BodyIndex;
use super::solver_body::{Leg, Part, SolverBody};
use super::tolerance::{MAX_OVERLAP_UNITS, MIN_CARRY_NORMAL};
use super::{Lists, PairPhase, Pairs, own_tick, take_and_empty_list};
use crate::motion::{Bounds, Touching};
use crate::world::World;
use crate::world::step::Riding;
use glam::I64Vec2;
use surefoot_geometry::Sweep;

impl World {
    /// Drops bodies that take part only because it was guessed that they will be hit
    /// ([`PairPhase::add_participants_with_neighbours`]), if they were not hit and their own ticks collide with
    /// nothing.
    pub(super) fn drop_guessed_participants(&mut self, pairs: &mut Pairs) {
        let mut order = take_and_empty_list(&mut pairs.lists.order);
        let is_unconfirmed = |i: &u32| {
            let body = &pairs.bodies[*i as usize];
            body.stage.is_guess && !body.impacts.has_collided && body.stage.part == Part::Collides
        };
        order.extend(pairs.bodies.all_indices().filter(is_unconfirmed));
        pairs.bodies.sort_by_rank(&mut order);
        for &i in &order {
            let mut collides = false;
            self.run_until_chunks_are_loaded(pairs, |phase| collides = phase.trace_own_tick_and_test_collision(i));
            if !collides {
                let Pairs { bodies, lists: Lists { swapped_legs, .. }, .. } = &mut *pairs;
                let body = &mut bodies[i as usize];
                std::mem::swap(&mut body.lists.legs, swapped_legs);
                body.stage.part = Part::Alone;
                bodies.reset_to_tick_start(i);
                pairs.record_hits_by_platforms(i, self.settings.tick);
                let body = &pairs.bodies[i as usize];
                let state = self.bodies.get_mut(body.given.id).filter(|_| !self.platforms.is_empty());
                if let Some(state) = state {
                    // This phase cached terrain outside of the bounds that the body's prediction covers. A platform
                    // that comes there would not end the prediction, so end it now.
                    state.replace_state(|_| {});
                }
            }
        }
        pairs.lists.order = order;
    }
}

impl PairPhase<'_> {
    /// Tries the own tick of each body that has others near. A body that stands on another one takes part anyway and
    /// is not tried.
    pub(super) fn run_own_tick_trials(&mut self) {
        let mut again = true;
        // In a streamed world, chunks may have been missing in the last trial: then try again.
        let is_streamed = self.scene.around.terrain().terrain.is_streamed();
        self.pairs.bodies.iter_mut().filter(|body| body.stage.is_doubtful).for_each(|body| body.lists.legs.clear());
        while again {
            again = false;
            let mut next = 0;
            while let Some(i) = self.pairs.bodies.next_index(&mut next) {
                let body = self.body(i);
                let is_untried =
                    body.stage.part == Part::Alone && !body.stage.near.is_empty() && body.lists.legs.is_empty();
                if is_untried && !self.stands_on_other_body(i) {
                    // The path may lead near bodies that had no others near until now. They are then added to `bodies`,
                    // and their own ticks must be tried too. So go through all bodies again.
                    self.trace_own_tick(i);
                    self.pairs.bodies[i as usize].stage.is_doubtful = is_streamed;
                    again = true;
                }
            }
        }
    }

    /// Finds which bodies with others near collide with one.
    pub(super) fn find_colliding_bodies(&mut self) {
        let mut work = std::mem::take(&mut self.pairs.lists.work);
        let mut guessed = std::mem::take(&mut self.pairs.lists.guessed);
        work.clear();
        // `ridings` is empty only in a world without platforms. Then no platform can have pressed bodies together.
        let has_platforms = !self.pairs.ridings.is_empty();
        let mut next = 0;
        while let Some(i) = self.pairs.bodies.next_index(&mut next) {
            let body = self.body(i);
            let is_sure = || self.was_trial_skipped(i) || body.stage.pulls.is_some();
            if body.stage.part == Part::Alone && (is_sure() || self.has_lost_floor(i) || self.walks_onto_body(i)) {
                work.push(i);
            }
            for &j in body.stage.near.iter().filter(|j| **j > i) {
                let was_tried = [i, j].map(|k| self.body(k).stage.part == Part::Alone && !self.was_trial_skipped(k));
                let are_pressed = || has_platforms && self.pairs.are_pressed_together(i, j);
                if was_tried == [false, false] || !(are_pressed() || self.paths_collide(i, j)) {
                    continue;
                }
                // If one of the two is one-way, they may pass through each other, so this is only a guess.
                let may_pass = body.given.is_one_way || self.body(j).given.is_one_way;
                let list = if may_pass { &mut guessed } else { &mut work };
                list.extend([i, j].into_iter().zip(was_tried).filter(|(_, was_tried)| *was_tried).map(|(k, _)| k));
            }
        }
        self.add_participants_with_neighbours(&mut work, &mut guessed);
        self.pairs.lists.guessed = guessed;
        self.pairs
            .bodies
            .iter_mut()
            .for_each(|body| body.stage.is_late = body.stage.part == Part::Alone && body.lists.legs.is_empty());
        self.pairs.lists.work = work;
    }

    /// Searches for bodies around the paths that the phase has planned. Then tries the own ticks of the bodies found
    /// that had no others near when the tick began.
    pub(super) fn search_around_paths_and_run_trials(&mut self) {
        let mut next = 0;
        while let Some(i) = self.pairs.bodies.next_index(&mut next) {
            if self.body(i).stage.is_open && self.body(i).is_moved_by_phase() {
                let all = self.path_bounds(i);
                self.widen_zone(i, all);
            }
        }
        self.run_own_tick_trials();
    }

    /// Finds bodies with own ticks that a moved body hits, or that hit each other. Returns whether the phase must run
    /// again.
    pub(super) fn find_newly_hit_bodies(&mut self) -> bool {
        let mut work = std::mem::take(&mut self.pairs.lists.work);
        let mut guessed = std::mem::take(&mut self.pairs.lists.guessed);
        work.clear();
        let mut next = 0;
        while let Some(j) = self.pairs.bodies.next_index(&mut next) {
            let body = self.body(j);
            let is_hit = |i: &u32| {
                let other = self.body(*i);
                // Two bodies that both move by their own ticks have been tested already. The exceptions are bodies that
                // came near only now (`is_late`).
                let is_candidate =
                    if other.is_moved_by_phase() { other.stage.is_open } else { other.stage.part == Part::Alone };
                let is_new = other.is_moved_by_phase() || body.stage.is_late || other.stage.is_late;
                is_candidate && is_new && self.paths_collide(*i, j)
            };
            if body.stage.part != Part::Alone {
                continue;
            }
            let may_pass = |i: &u32| body.given.is_one_way || self.body(*i).given.is_one_way;
            if body.stage.near.iter().any(|i| !may_pass(i) && is_hit(i)) {
                work.push(j);
            } else if body.stage.near.iter().any(|i| may_pass(i) && is_hit(i)) {
                guessed.push(j);
            }
        }
        let again = !work.is_empty() || !guessed.is_empty() || self.pairs.broad.opens_all;
        self.pairs.bodies.iter_mut().for_each(|body| body.stage.is_open = false);
        self.add_participants_with_neighbours(&mut work, &mut guessed);
        self.pairs.lists.guessed = guessed;
        self.pairs.lists.work = work;
        again
    }

    /// Lets bodies take part in the phase, together with the bodies that touch them.
    ///
    /// A body whose own tick hits the start position of a participant takes part as a *guess*: probably the two
    /// collide, unless the participant has gone by then. Without such guesses, bodies that fall one above the other
    /// would be found one by one, and the phase would start again for each.
    fn add_participants_with_neighbours(&mut self, work: &mut Vec<u32>, guessed: &mut Vec<u32>) {
        let mut joined = take_and_empty_list(&mut self.pairs.lists.found);
        for is_guess in [false, true] {
            while let Some(i) = work.pop() {
                if self.body(i).stage.part == Part::Alone {
                    let body = &mut self.pairs.bodies[i as usize];
                    (body.stage.part, body.stage.is_guess) = (Part::Collides, is_guess);
                    joined.push(i);
                } else if !is_guess {
                    continue;
                }
                let body = self.body(i);
                for &j in &body.stage.near {
                    let other = self.body(j);
                    let offset = other.start.position - body.start.position;
                    let touches = || other.contact(body, offset).is_some();
                    if other.stage.part == Part::Alone && (touches() || (is_guess && self.path_hits_start_of(j, i))) {
                        work.push(j);
                    }
                }
            }
            work.extend_from_slice(&joined);
            work.append(guessed);
        }
        work.clear();
        self.mark_for_next_pass(&joined);
        self.pairs.lists.found = joined;
    }

    /// Returns whether the own tick of body `j` hits the start position of body `i`.
    fn path_hits_start_of(&self, j: BodyIndex, i: BodyIndex) -> bool {
        let (body, other) = (self.body(j), self.body(i));
        body.lists.legs.iter().any(|leg| {
            let offset = leg.from - other.start.position;
            self.sweep(body, other, offset, leg.to - leg.from) != Sweep::Clear
        })
    }

    /// Marks bodies, and all that they may hit, so that the next pass moves them from the beginning of the tick
    /// again.
    fn mark_for_next_pass(&mut self, joined: &[u32]) {
        let mut work = take_and_empty_list(&mut self.pairs.lists.row);
        work.extend_from_slice(joined);
        while let Some(i) = work.pop() {
            if std::mem::replace(&mut self.pairs.bodies[i as usize].stage.is_open, true) {
                continue;
            }
            let near = self.body(i).stage.near.iter().copied();
            work.extend(near.filter(|j| self.body(*j).stage.part != Part::Alone && !self.body(*j).stage.is_open));
        }
        self.pairs.lists.row = work;
    }

    /// Returns whether a body's own tick collides with others as the phase has moved them. Afterwards `swapped_legs`
    /// has the path of that tick, and `legs` still has the planned path.
    fn trace_own_tick_and_test_collision(&mut self, i: BodyIndex) -> bool {
        std::mem::swap(&mut self.pairs.bodies[i as usize].lists.legs, &mut self.pairs.lists.swapped_legs);
        self.trace_own_tick(i);
        // Test the bodies of `passes` too. This body passed through them, but they may have been put back into its path
        // since then.
        let body = self.body(i);
        let collides = body.stage.near.iter().chain(&body.stage.passes).any(|j| self.paths_collide(i, *j));
        std::mem::swap(&mut self.pairs.bodies[i as usize].lists.legs, &mut self.pairs.lists.swapped_legs);
        collides
    }

    /// Records the path of a body's own tick.
    fn trace_own_tick(&mut self, i: BodyIndex) {
        let PairPhase { scene, rules, acting, states, scratch, pairs, .. } = self;
        let Pairs { bodies, ridings, broad, lists: Lists { saved, events, .. }, .. } = &mut **pairs;
        let body = &mut bodies[i as usize];
        if let Some(to) = broad.entries[i as usize].straight {
            body.lists.legs.clear();
            body.lists.legs.push(Leg { begin: 0.0, end: 1.0, from: body.start.position, to });
            return;
        }
        let Some(state) = &mut states[body.given.slot as usize] else { return };
        let rules = rules.with_area_effects(acting.find_effects_on(body.given.id));
        let mut scene = scene.of_kind(&state.kind);
        let far;
        let riding = match body.start.riding {
            Some(riding) => &ridings[riding as usize],
            None => {
                far = Riding::without_platforms(body.start.position);
                &far
            }
        };
        if scene.around.has_platforms() {
            scene = riding.scene(scene);
        }
        own_tick::trace_path_and_restore_body(
            (scene, rules, riding),
            (body.given.id, state),
            scratch,
            (saved, events),
            &mut body.lists.legs,
        );
        let far =
            body.lists.legs.iter().fold(body.stage.zone, |all, leg| {
                all.union(&Bounds::of_motion(body.given.shape, leg.to, I64Vec2::ZERO))
            });
        self.widen_zone(i, far);
    }

    fn path_bounds(&self, i: BodyIndex) -> Bounds {
        let body = self.body(i);
        let at = |position| Bounds::of_motion(body.given.shape, position, I64Vec2::ZERO);
        body.lists.legs.iter().fold(at(body.start.position), |all, leg| all.union(&at(leg.to)))
    }

    /// Returns whether a body stands on another one. Its own tick would not find that support.
    fn stands_on_other_body(&self, i: BodyIndex) -> bool {
        let body = self.body(i);
        body.stage.near.iter().any(|j| {
            let other = self.body(*j);
            let contact = body.contact(other, body.start.position - other.start.position);
            contact.is_some_and(|contact| contact.normal.dot(self.up(i)) > MIN_CARRY_NORMAL)
        })
    }

    /// Returns whether a body has others near but was not tried, because it stands on one of them.
    fn was_trial_skipped(&self, i: BodyIndex) -> bool {
        let body = self.body(i);
        body.lists.legs.is_empty() && !body.stage.near.is_empty()
    }

    /// Returns whether a character was on the ground and now touches no floor of the terrain. The body on which it
    /// stood may have gone.
    fn has_lost_floor(&self, i: BodyIndex) -> bool {
        let state = self.state(i);
        let holds = || Touching::from_surfaces(state.touched(), state.now.position, self.upright_frame(i)).floor;
        state.on_floor() && state.kind.character.is_some() && !holds()
    }

    /// Returns whether a round character that runs off its floor reaches the top of another body there. That body
    /// then carries it, although the two paths do not collide.
    fn walks_onto_body(&self, i: BodyIndex) -> bool {
        let body = self.body(i);
        let walks = body.given.is_character && body.given.shape.is_circle() && body.start.ground.is_some();
        walks && {
            let end = self.end_position(i);
            body.stage.near.iter().any(|j| {
                let contact = body.contact(self.body(*j), end - self.end_position(*j));
                contact.is_some_and(|contact| contact.normal.dot(self.up(i)) > MIN_CARRY_NORMAL)
            })
        }
    }

    /// Returns whether the paths of two bodies collide. A path is that of the body's own tick, or the one that the
    /// phase made.
    pub(super) fn paths_collide(&self, i: BodyIndex, j: BodyIndex) -> bool {
        let (a, b) = (self.body(i), self.body(j));
        self.any_part_of_paths(a, b, |offset, way| self.sweep(a, b, offset, way) != Sweep::Clear)
    }

    /// Returns whether the paths of two bodies lead through each other, by more than the rounding of positions.
    pub(super) fn paths_lead_through(&self, i: BodyIndex, j: BodyIndex) -> bool {
        let (a, b) = (self.body(i), self.body(j));
        self.any_part_of_paths(a, b, |offset, way| self.leads_through(a, b, (offset, way), MAX_OVERLAP_UNITS))
    }

    /// Returns whether a test holds for any part of the two paths on which both bodies move straight. The test gets the
    /// offset between the bodies and their relative motion.
    #[inline]
    fn any_part_of_paths(&self, a: &SolverBody, b: &SolverBody, test: impl Fn(I64Vec2, I64Vec2) -> bool) -> bool {
        let still = |position| [Leg { begin: 0.0, end: 1.0, from: position, to: position }];
        let (still_a, still_b) = (still(a.start.position), still(b.start.position));
        let one: &[Leg] = if a.lists.legs.is_empty() { &still_a } else { &a.lists.legs };
        let other: &[Leg] = if b.lists.legs.is_empty() { &still_b } else { &b.lists.legs };
        let ends = |legs: &[Leg], k: usize| if k + 1 < legs.len() { legs[k].end } else { 1.0 };
        let (mut m, mut n, mut time) = (0, 0, 0.0);
        let mut from = one[0].from - other[0].from;
        loop {
            let (first, second) = (ends(one, m), ends(other, n));
            // Legs of step-up and corner correction take no time, so several legs may end at one time.
            time = first.min(second).max(time);
            let to = one[m].position_at(time) - other[n].position_at(time);
            if test(from, to - from) {
                return true;
            }
            from = to;
            let (more_a, more_b) = (m + 1 < one.len(), n + 1 < other.len());
            if !more_a && !more_b {
                return false;
            }
            m += usize::from(more_a && first <= time);
            n += usize::from(more_b && second <= time);
        }
    }
}

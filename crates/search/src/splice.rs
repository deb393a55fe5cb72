//! Random splices: parts of a run are cut out, moved, repeated or changed. If the result still reaches the goal and
//! takes no more ticks, it replaces the run.
//!
//! The changes are drawn from the seed and counted. They are played in batches of a fixed size, and the first of the
//! shortest results replaces the run after each batch. So any number of threads makes the same runs.

use crate::best::Best;
use crate::goal::Targets;
use crate::pool::Pool;
use crate::random::Random;
use crate::search::Search;
use crate::simulation::Simulation;
use serde::Serialize;
use std::time::{Duration, Instant};
use surefoot::Input;

/// Number of changed runs that are played at the same time.
const BATCH: usize = 64;
/// Longest part that a change leaves out, moves, copies or changes, in ticks.
const MAX_PART: usize = 64;
/// Most ticks by which a part is moved.
const MAX_MOVE: usize = 8;

/// Changes runs at random.
pub(crate) struct Splicer<'s, 'a, G> {
    search: &'s Search<'a, G>,
    targets: &'s Targets<'a, G>,
    simulations: Vec<Simulation<G>>,
    /// Number of changes so far.
    count: u64,
}

impl<'s, 'a, G: Clone + Serialize + Send + Sync> Splicer<'s, 'a, G> {
    pub(crate) fn new(search: &'s Search<'a, G>, targets: &'s Targets<'a, G>, pool: &Pool) -> Splicer<'s, 'a, G> {
        let simulations = (0..pool.threads()).map(|_| search.simplified_simulation()).collect();
        Splicer { search, targets, simulations, count: 0 }
    }

    /// Plays at least `changes` changes of the run, or fewer if the time is up. The run gets no longer.
    pub(crate) fn shorten_run(
        &mut self,
        best: &mut Best<G>,
        changes: usize,
        pool: &Pool,
        (begin, time): (Instant, Duration),
    ) {
        let (targets, seed) = (self.targets, self.search.options.seed);
        for _ in 0..changes.div_ceil(BATCH) {
            if begin.elapsed() >= time {
                break;
            }
            let mut results: Vec<Option<(Vec<Input>, usize)>> = vec![None; BATCH];
            let threads = self.simulations.len();
            let mut shares: Vec<Vec<_>> = Vec::new();
            shares.resize_with(threads, Vec::new);
            for (i, result) in results.iter_mut().enumerate() {
                shares[i % threads].push((self.count + i as u64, result));
            }
            let best_now = &*best;
            pool.for_each_share(self.simulations.iter_mut().zip(shares).collect(), |(simulation, share)| {
                for (number, result) in share {
                    let (inputs, from) = randomly_changed_inputs(&best_now.inputs, &mut Random::new(seed, number));
                    *result =
                        best_now.try_changed_inputs(inputs, from, simulation, targets).map(|inputs| (inputs, from));
                }
            });
            self.count += BATCH as u64;
            // Equally short runs replace the best run too: some of them can be made shorter where this one cannot.
            if let Some((inputs, from)) = results.into_iter().flatten().min_by_key(|(inputs, _)| inputs.len()) {
                best.replace_run(inputs, from, targets);
            }
        }
    }
}

/// Returns changed inputs, and the first tick that may differ.
fn randomly_changed_inputs(inputs: &[Input], random: &mut Random) -> (Vec<Input>, usize) {
    let ticks = inputs.len();
    let at = random.random_below(ticks);
    let mut new = inputs.to_vec();
    match random.random_below(4) {
        // Leave out a part.
        0 => {
            let part = random.random_small(MAX_PART).min(ticks - at);
            new.drain(at..at + part);
        }
        // Move a part earlier or later. Repeat an input to fill the gap. Half of the time, the gap is filled one tick
        // short, so the run gets shorter.
        1 => {
            let (by, part, fewer) =
                (random.random_small(MAX_MOVE), random.random_small(MAX_PART), random.random_below(2));
            let end = (at + by + part).min(ticks);
            if at + by < end {
                let piece: Vec<Input> = if random.random_below(2) == 0 {
                    let moved = inputs[at + by..end].iter().copied();
                    moved.chain(std::iter::repeat_n(inputs[end - 1], by - fewer)).collect()
                } else {
                    let moved = inputs[at..end - by].iter().copied();
                    std::iter::repeat_n(inputs[at.saturating_sub(1)], by - fewer).chain(moved).collect()
                };
                new.splice(at..end, piece);
            }
        }
        // Copy a part of the run over another part.
        2 => {
            let from = random.random_below(ticks);
            let part = &inputs[from..(from + random.random_small(MAX_PART)).min(ticks)];
            let end = (at + random.random_small(MAX_PART)).min(ticks);
            new.splice(at..end, part.iter().copied());
        }
        // In a part of the run, change the walk or the jump, or take all inputs of another tick.
        _ => {
            let (other, end) = (inputs[random.random_below(ticks)], (at + random.random_small(MAX_PART)).min(ticks));
            let kind = random.random_below(4);
            for input in &mut new[at..end] {
                *input = match kind {
                    0 => Input { walk: other.walk, ..*input },
                    1 => Input { jump: !input.jump, ..*input },
                    2 => Input { walk: if other.walk == input.walk { 0 } else { other.walk }, ..*input },
                    _ => other,
                };
            }
        }
    }
    if new.is_empty() {
        new.push(inputs[0]);
    }
    (new, at.min(ticks - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Goal, Options};
    use surefoot::prelude::*;
    use surefoot::replay::InputRun;
    use surefoot::{Map, World};

    /// A run with a detour of 60 ticks loses at least half of it, and the same for any number of threads and for the
    /// same seed only.
    #[test]
    fn splices_are_the_same_for_any_number_of_threads() {
        let rows = ["...........*", ".........###", "......##....", "...##.......", ".@..........", "############"];
        let mut world = World::new(Map::from_rows(rows).unwrap(), Settings::default());
        let body = Body::new(Shape::aabb(0.35, 0.45)).at((1.5, 1.45)).character(Character::default());
        let hero = world.spawn(body).unwrap();
        let spliced = |threads: usize, seed: u64| {
            let options = Options { threads, seed, ..Options::default() };
            let search = Search::new(&world, hero).goal(Goal::Marker("goal".to_owned())).options(options);
            let Answer::Reachable(run) = search.run().unwrap() else { panic!("not found") };
            // Add a detour of a second at the start.
            let mut inputs = run.inputs.clone();
            inputs.insert(0, InputRun { ticks: 60, input: Input::default() });
            let targets = Targets::new(&Goal::Marker("goal".to_owned()), &world).unwrap();
            let pool = Pool::new(threads, BATCH).unwrap();
            let mut splicer = Splicer::new(&search, &targets, &pool);
            let mut best = Best::new(&search, &inputs, &targets);
            splicer.shorten_run(&mut best, 1500, &pool, (Instant::now(), Duration::MAX));
            let spliced = best.joined_inputs();
            assert!(search.reaches_goal(&spliced, &targets));
            let ticks = |inputs: &[InputRun]| inputs.iter().map(|run| run.ticks).sum::<u64>();
            // Random changes do not always remove the whole detour, but a single one can leave out most of it.
            assert!(ticks(&spliced) < ticks(&run.inputs) + 30, "{} of {}", ticks(&spliced), ticks(&run.inputs));
            spliced
        };
        let [one, two, eight] = [1, 2, 8].map(|threads| spliced(threads, 0));
        assert!(one == two && one == eight);
        assert_ne!(one, spliced(1, 1));
    }
}

//! Is this level beatable? A search with the physics itself that answers with a run of inputs.
//!
//! [`Search`] tries inputs from the state of a world until a character reaches the [`Goal`]. Three answers are
//! possible, see [`Answer`]: a run that reaches the goal, no run within the limits, or a proof that no run exists.
//!
//! A *cell* of states is a set of similar states, which the search treats as one. The bound and the flood fill that
//! guides the search have grids of cells of their own.
//!
//! ```
//! use surefoot::prelude::*;
//! use surefoot::{Map, World};
//! use surefoot_search::{Answer, Goal, Search};
//!
//! let map = Map::from_rows([".....*", "...###", ".@.###", "######"])?;
//! let start = map.marker("start").ok_or("no start")?;
//! let mut world = World::new(map, Settings::default());
//! let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at(start).character(Character::default()))?;
//! let Answer::Reachable(run) = Search::new(&world, hero).goal(Goal::Marker("goal".into())).run()? else {
//!     return Err("the goal is too high".into());
//! };
//! assert!(run.ticks() < 120);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod answer;
mod beatable;
mod best;
pub mod bound;
mod cell;
mod clearance;
mod distance;
mod error;
mod frontier;
mod goal;
mod improve;
mod margin;
mod moves;
mod options;
mod pass;
mod plan;
mod pool;
mod random;
mod run;
mod search;
mod simulation;
mod splice;
mod survey;
mod window;

pub use answer::{Answer, Limit, Nearest, Proof};
pub use beatable::{BeatableError, beatable, spawn_hero, spawn_hero_at};
pub use bound::{Bound, NotCovered, Reach, TicksTo};
pub use error::SearchError;
pub use goal::Goal;
pub use margin::{Button, Margin, margins};
pub use options::{Options, Progress};
pub use run::FoundRun;
pub use search::Search;
pub use survey::{Place, PlaceKind, SoftLock, Survey, Verdict};

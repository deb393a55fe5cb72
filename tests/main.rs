//! What a user of surefoot sees.

#![allow(unreachable_pub)]

mod corners;
mod limit;
mod scene;
mod seams;
mod symmetry;
mod tunnelling;
mod wedges;

//! What a user of surefoot sees.

#![allow(unreachable_pub)]

mod corners;
mod crawl;
mod limit;
mod maps;
mod readme;
mod scene;
mod seams;
mod steady;
mod symmetry;
mod tunnelling;
mod wedges;

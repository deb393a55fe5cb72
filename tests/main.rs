//! What a user of surefoot sees.

#![allow(unreachable_pub)]

mod corners;
mod events;
mod feel;
mod hills;
mod jump;
mod limit;
mod maps;
mod painted;
mod rest;
mod scene;
mod seams;
mod steady;
mod symmetry;
mod tunnelling;
mod wedges;

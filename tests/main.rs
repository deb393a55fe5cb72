//! What a user of surefoot sees.

#![allow(unreachable_pub)]

mod corners;
mod events;
mod feel;
mod hills;
mod jump;
mod limit;
mod painted;
mod rest;
mod scene;
mod seams;
mod symmetry;
mod wedges;

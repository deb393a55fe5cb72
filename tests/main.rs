//! What a user of surefoot sees.

#![allow(unreachable_pub)]

mod alone;
mod catalogue;
mod corners;
mod crawl;
mod edits;
mod events;
mod feel;
mod hills;
mod jump;
mod ledges;
mod limit;
mod limits;
mod maps;
mod noise;
mod painted;
mod readme;
mod rest;
mod scene;
mod seams;
mod steady;
mod streaming;
mod symmetry;
mod tunnelling;
mod wedges;

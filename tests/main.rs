//! What a user of surefoot sees.

#![allow(unreachable_pub)]

mod alone;
mod catalogue;
mod contacts;
mod corners;
mod crawl;
mod edits;
mod empties;
mod events;
mod extremes;
mod feel;
mod hills;
mod invented;
mod jump;
mod layers;
mod ledges;
mod limit;
mod limits;
mod maps;
mod memory;
mod noise;
mod pages;
mod painted;
mod parallel;
mod passages;
mod platforms;
mod position_mismatch;
mod readme;
mod recordings;
mod remembering;
mod rest;
mod restore;
mod rollback;
mod scene;
mod seams;
mod stalls;
mod steady;
mod streamed_layers;
mod streaming;
mod surfaces;
mod symmetry;
mod ties;
mod tuned;
mod tunnelling;
mod wedges;

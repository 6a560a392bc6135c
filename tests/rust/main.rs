//! Tests of groundwire-core: one binary, a module a room.

mod budget;
mod claims;
mod detect;
mod detok;
mod dialogue;
mod entities;
mod evidence;
mod guard;
mod kb;
mod lexicon;
mod logits;
mod monitor;
mod normal;
mod patterns;
mod policy;
mod profile;
mod score;
mod segment;
mod session;
mod tier;

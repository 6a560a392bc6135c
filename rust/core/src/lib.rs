//! The streaming core of groundwire: follows a language model's tokens while they are
//! generated and says what in them is unknown, unsupported or contradicted.
//!
//! No I/O, no clock, no threads of its own: everything comes in as arguments.

pub mod budget;
pub mod claims;
pub mod detect;
pub mod detok;
pub mod dialogue;
pub mod entities;
pub mod error;
pub mod evidence;
pub mod guard;
pub mod kb;
pub mod lexicon;
pub mod logits;
pub mod monitor;
pub mod normal;
pub mod patterns;
pub mod policy;
pub mod profile;
pub mod score;
pub mod segment;
pub mod session;
pub mod tier;
pub mod types;

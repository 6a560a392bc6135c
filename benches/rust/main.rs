//! Speed of groundwire-core, a module a room.

// The core does no I/O and reads no clock; what measures it may.
#![allow(clippy::disallowed_methods)]

mod budget;
mod claims;
mod detok;
mod entities;
mod evidence;
mod kb;
mod logits;
mod patterns;
mod segment;
mod session;

use criterion::{criterion_group, criterion_main};

criterion_group!(
    core,
    budget::bench,
    claims::bench,
    detok::bench,
    entities::bench,
    evidence::bench,
    kb::bench,
    logits::bench,
    patterns::bench,
    segment::bench,
    session::bench,
);
criterion_main!(core);

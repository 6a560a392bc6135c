//! Tests of groundwire-core: one binary, a module a room.

// The core does no I/O and reads no clock; its tests may.
#![allow(clippy::disallowed_methods)]

mod against_evidence;
mod amounts;
mod budget;
mod claims;
mod coherence;
mod denied_parts;
mod dense;
mod details;
mod detect;
mod detok;
mod dialogue;
mod disputed;
mod entities;
mod evidence;
mod fitted;
mod follow_ups;
mod forms;
mod grounding;
mod guard;
mod hedges;
mod held;
mod history;
mod kb;
mod kb_readings;
mod letters;
mod lexicon;
mod logits;
mod monitor;
mod normal;
mod occasions;
mod patterns;
mod policy;
mod profile;
mod qualified;
mod reading;
mod rows;
mod rule_readings;
mod schedules;
mod scopes;
mod score;
mod segment;
mod senses;
mod session;
mod siblings;
mod standing_on;
mod stretches;
mod taxonomy;
mod tier;
mod told;
mod truths;
mod values;
mod verb_senses;
mod visible;

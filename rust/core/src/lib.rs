//! The streaming core of groundwire: follows a language model's tokens while they are
//! generated and says what in them is unknown, unsupported or contradicted.
//!
//! No I/O, no clock, no threads of its own: everything comes in as arguments.
//!
//! Begin with [`monitor::Monitor`] (compiled once, shared), open a [`session::Session`] for each
//! stream over a [`session::Context`], push tokens or text, and read the
//! [`session::Report`]. [`guard::Guard`] wraps a session and says what the reader gets, and when.
//! The other rooms stand alone too: [`detok`], [`patterns`], [`entities`], [`segment`],
//! [`logits`] and [`budget`] need no monitor.
//!
//! ```
//! use groundwire_core::monitor::Monitor;
//! use groundwire_core::session::{Context, Push, Session};
//!
//! # fn main() -> groundwire_core::error::Result<()> {
//! let monitor = Monitor::builder().build()?;
//! let mut session = Session::new(&monitor, Context::new(&monitor, &[], &[], None));
//! session.push_text("Studies show that cof", Push::default())?;
//! session.push_text("fee adds 40 % to a life.", Push::default())?;
//! session.finish()?;
//! assert_eq!(session.report().findings[0].kind, "stream.unsourced_authority");
//! # Ok(())
//! # }
//! ```
//!
//! All offsets are bytes of decoded text, counted from the start of the stream.

/// The text of a table of the language that is compiled in: a folder of `data/`.
macro_rules! table {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/en/", $name))
    };
}

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

/// The examples of the README, tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

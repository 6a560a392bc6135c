//! The binding: translates between Python and groundwire-core; never decides.

mod budget;
mod buffers;
mod detok;
mod entities;
mod errors;
mod guard;
mod guards;
mod input;
mod kb;
mod logits;
mod mail;
mod monitor;
mod patterns;
mod push;
mod segments;
mod session;
mod step;
mod support;
mod table;
mod text;

use mimalloc::MiMalloc;
use pyo3::prelude::*;

// A tenth of a token's time went into the platform's allocator.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    budget::register(module)?;
    detok::register(module)?;
    entities::register(module)?;
    guard::register(module)?;
    kb::register(module)?;
    logits::register(module)?;
    monitor::register(module)?;
    patterns::register(module)?;
    segments::register(module)?;
    session::register(module)?;
    support::register(module)?;
    table::register(module)?;
    text::register(module)?;
    Ok(())
}

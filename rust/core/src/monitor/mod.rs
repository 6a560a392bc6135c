//! Everything compiled once, immutable, shared by streams and threads.

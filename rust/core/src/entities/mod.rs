//! An index over names, and mentions of them in a stream.

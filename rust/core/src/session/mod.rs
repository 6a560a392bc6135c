//! One stream's state; the only room that drives all others.

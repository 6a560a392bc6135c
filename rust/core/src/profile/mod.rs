//! The exact rules of each system on top of the one model.

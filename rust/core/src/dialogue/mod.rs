//! Turns of the conversation so far.

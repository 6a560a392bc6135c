//! Hold-back, release and rewriting of one stream: a state machine without I/O or clock.

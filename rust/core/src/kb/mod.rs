//! Facts about entities: an immutable base and a mutable overlay.

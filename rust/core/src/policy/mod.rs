//! Which action a tier leads to.

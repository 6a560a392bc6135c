//! Token ids to bytes, bytes to finished text.

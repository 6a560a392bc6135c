//! What a closed sentence asserts.

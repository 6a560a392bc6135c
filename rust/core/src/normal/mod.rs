//! Normalisation of names, words and case.

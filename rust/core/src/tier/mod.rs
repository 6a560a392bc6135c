//! Risk tiers and their cut-offs.

//! Information budgets: how much of a claim the evidence pays for, in bits.

//! How bad a finding is, given what else is known (S0-066).

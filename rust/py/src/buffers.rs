//! Borrows rows of logits through the buffer protocol and DLPack; the binding's only unsafe code.

"""Each system under its own names: what its document calls things, over the shared model."""

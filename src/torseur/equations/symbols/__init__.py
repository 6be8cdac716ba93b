"""A mechanism in symbols: its tree and its state, its places, texts in its names."""

"""English words by a key."""

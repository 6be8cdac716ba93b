"""Many motions at once: one in each lane of vectors, with its own time, step and error."""

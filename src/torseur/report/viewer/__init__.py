"""Pages on which mechanisms move."""

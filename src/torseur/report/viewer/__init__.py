"""Pages on which mechanisms move, and curves of runs."""

"""The library of forces: one file for each, all by the same protocol."""

"""Vectors, rotations, poses, torseurs and inertias, on floats and on expressions alike."""

"""Recursions over the tree of bodies, in the coordinates of joints."""

"""Kernels of collision: shapes placed, pairs that are near, contacts of two shapes."""

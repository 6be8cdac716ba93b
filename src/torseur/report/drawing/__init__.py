"""Drawings in SVG: a mechanism, a moment of a run, the joint graph."""

"""Motions that a web page computes: what a page needs of a motion, and what it cannot compute."""

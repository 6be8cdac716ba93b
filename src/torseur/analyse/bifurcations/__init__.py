"""Branches of equilibria and steady motions as a parameter changes."""

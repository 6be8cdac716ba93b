"""Stability of small motions about a state: eigenvalues, potentials, verdicts."""

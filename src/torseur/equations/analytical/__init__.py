"""Analytical mechanics: Lagrangians, Hamilton, Routh."""

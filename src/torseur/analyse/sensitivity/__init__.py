"""Derivatives of a motion by parameters and initial values."""

"""Mobility, over-constraint, singular configurations, diagnosis."""

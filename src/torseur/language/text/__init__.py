"""Expressions, numbers and units as text, and where each piece of text stands."""

"""Comparison of several formalisms on one mechanism."""

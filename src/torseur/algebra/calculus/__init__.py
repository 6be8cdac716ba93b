"""Derivatives, antiderivatives, Taylor expansions and bounds of expressions."""

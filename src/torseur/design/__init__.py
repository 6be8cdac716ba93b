"""Mechanisms by design: dimensions, masses and ratios found for what a mechanism shall do."""

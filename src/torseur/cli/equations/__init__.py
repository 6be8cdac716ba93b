"""Commands that write equations: derived, exported, first integrals, bodies to isolate."""

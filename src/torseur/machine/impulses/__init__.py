"""Impulses of contacts: one solver for steps of mechanisms and of piles."""

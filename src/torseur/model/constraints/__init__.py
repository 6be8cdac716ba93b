"""Constraints of a mechanism besides its joints: entries, rows and words of each."""

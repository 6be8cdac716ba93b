"""Torseurs and mass geometry of bodies, impulses and powers."""

"""Torseurs of bodies, and what imposed motions need."""

"""Collision: contacts between the shapes of placed bodies, found by one text for all engines."""

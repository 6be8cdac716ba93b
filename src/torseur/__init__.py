"""Torseur: from the description of a mechanism to its equations, its model and its motion."""

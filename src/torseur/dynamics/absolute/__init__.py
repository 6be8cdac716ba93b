"""The general method in absolute coordinates: six for every body, and every joint a constraint.

Llibre (2009), chapter 4, with the errata E0-21 to E0-33.
"""

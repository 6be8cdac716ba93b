"""Normalised kinematic schemes (ISO 3952): line symbols of joints, on paper and in TikZ."""

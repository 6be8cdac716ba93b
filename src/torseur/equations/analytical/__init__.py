"""Analytical mechanics: Lagrangians, and the functions of Hamilton and Routh made of them."""

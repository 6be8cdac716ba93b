"""Formulas as people write them: plain text, LaTeX, Mathematica or SymPy, read into one tree."""

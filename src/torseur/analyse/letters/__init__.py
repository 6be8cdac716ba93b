"""Answers in letters: equilibria, steady motions, pulsations and critical values as formulas."""

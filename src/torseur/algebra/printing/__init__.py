"""Printers: expressions as text, LaTeX and MathML."""

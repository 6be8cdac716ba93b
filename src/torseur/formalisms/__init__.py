"""Formalisms of mechanics: each turns a mechanism into the same kind of equations."""

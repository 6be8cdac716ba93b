"""Other forms of expressions: polynomials, programs, readable formulas, their dimensions."""

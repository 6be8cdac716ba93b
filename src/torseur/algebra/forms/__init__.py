"""Forms of expressions: polynomials, programs and their listings, readable formulas, dimensions."""

"""How a mechanism can move: mobility, over-constraint, singular places, diagnosis."""

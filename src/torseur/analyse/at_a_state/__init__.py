"""A mechanism at one state, in numbers: how it can move, what keeps it, exact derivatives."""

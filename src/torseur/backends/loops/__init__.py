"""Loop kernels: the recursions over arrays of bodies, for systems too large for straight-line code."""

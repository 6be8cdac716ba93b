"""Integrators as machine code: one motion or many, by functions that are called by address.

The methods are Python functions that numba turns into LLVM IR, as the loop kernels, on vectors of
one or several lanes. All that an integrator remembers is in arrays that Python owns, so that a run
may pause after any step.
"""

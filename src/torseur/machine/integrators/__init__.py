"""Integrators as machine code: they call a compiled right-hand side by its address.

The methods are Python functions that numba turns into LLVM IR, as the loop kernels. All that an
integrator remembers is in arrays that Python owns, so that a run may pause after any step.
"""

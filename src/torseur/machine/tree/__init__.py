"""Loop kernels: the recursions over arrays of bodies, for systems too large for straight-line code.

The kernels are Python functions that numba turns into LLVM IR. They work on bare addresses, so that
nothing is counted, checked or allocated while they run, and their machine code needs no Python.
"""

"""The general method as loop kernels: bodies in absolute coordinates, joints as sparse rows.

The kernels are Python functions that numba turns into LLVM IR, as the loop kernels of trees. One
kernel does every task, so that only one is compiled; it serves every mechanism.
"""

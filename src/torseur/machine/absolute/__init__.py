"""The general method as loop kernels: bodies in absolute coordinates, joints as sparse rows."""

"""What compiled loops need: kernels made by numba and kept, vectors, records, memory."""

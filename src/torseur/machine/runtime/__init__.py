"""What compiled loops need: bitcode of kernels, vectors, records, memory."""

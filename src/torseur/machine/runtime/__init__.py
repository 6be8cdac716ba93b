"""Parts of compiled loops: bitcode of kernels, vectors, records, memory."""

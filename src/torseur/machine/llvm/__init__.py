"""Machine code through LLVM: IR written from the nodes, one state or four at a time."""

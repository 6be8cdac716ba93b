"""Machine code through LLVM: IR written from the nodes, one state or several at a time."""

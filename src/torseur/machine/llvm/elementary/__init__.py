"""Elementary functions in LLVM IR: the same bits in every width, on every processor."""

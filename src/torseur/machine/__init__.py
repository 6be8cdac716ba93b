"""Machine code: straight-line code by LLVM, loops over bodies, integrators, compiled models."""

"""WebAssembly: modules of straight-line functions and of kernels, and code of a Pyodide process."""

"""Machine code of a motion for a web page: modules of WebAssembly, and the image of its memory."""

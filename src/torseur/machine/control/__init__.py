"""Control in the loop: what is measured, commanded and held between samples, as machine code."""

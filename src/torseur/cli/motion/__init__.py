"""Commands that let a mechanism move: runs, their derivatives, chaos, spectra."""

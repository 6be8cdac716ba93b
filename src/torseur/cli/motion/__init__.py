"""Commands that compute motions: runs, inverse dynamics, sensitivities, chaos, spectra, studies."""

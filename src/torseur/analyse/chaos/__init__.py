"""Divergence of neighbouring motions, sections, spectra, phase portraits."""

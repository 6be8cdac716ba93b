"""Whether small motions about a state stay small: eigenvalues, potentials, verdicts."""

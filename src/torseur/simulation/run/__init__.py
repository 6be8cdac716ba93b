"""The result of a simulation: samples by name, reactions, files, its own checks."""

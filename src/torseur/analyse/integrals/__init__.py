"""First integrals, which are constant in every motion, and their drift along a run."""

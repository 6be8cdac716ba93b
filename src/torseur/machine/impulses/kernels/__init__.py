"""The solver of impulses: laws of cones, Newton's method, sweeps, the smallest impulses."""

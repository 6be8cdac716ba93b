"""What a designer asks of the equations: mobility, over-constraint."""

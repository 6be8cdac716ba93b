"""What becomes of motions that start close together, and how motions look as a whole."""

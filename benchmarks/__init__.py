"""What Torseur costs and what its code is worth, measured beside the other engines."""

"""What stays constant in every motion, and how well a run keeps it."""

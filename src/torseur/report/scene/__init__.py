"""What is seen of a mechanism: bodies, joints and ties as solids, where they are, how they move."""

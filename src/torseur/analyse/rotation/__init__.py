"""Rotation of one body (free, gyroscopic, tumbling), and the balancing of rotors."""

"""What acts on a system: forces, inertia forces, energies, what passes through joints."""

"""Actions on a system: forces, inertia forces, energies, efforts in joints."""

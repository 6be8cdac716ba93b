"""Commands on rest and vibration: equilibria, small motions, bifurcations, rotors."""

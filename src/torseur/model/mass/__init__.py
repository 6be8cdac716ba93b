"""Mass geometry: mass, centre of mass and inertia of bodies, from parts, solids and domains."""

"""Points and frames of a motion, read by name: relative motions, composition, contact points."""

"""From a mechanism to its equations: what acts on it, its constraints, formalisms, functions."""

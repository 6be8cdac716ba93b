"""How equilibria and steady motions change with a parameter."""

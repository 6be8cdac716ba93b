"""Events of contacts: shocks, modes from there on, shares of forces, notes of what happened."""

"""Motion: assembly of closed mechanisms, and what follows from it."""

"""How a motion depends on parameters and on its start."""

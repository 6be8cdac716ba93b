"""Output for people: pages, drawings, animations, curves, tables, and plain data for JSON."""

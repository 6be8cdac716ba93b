"""Commands on robots: identification, exciting motions, tracking."""

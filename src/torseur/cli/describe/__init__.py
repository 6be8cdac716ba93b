"""Commands that describe a mechanism: errors, mobility, masses, schemes, dimensions, the app."""

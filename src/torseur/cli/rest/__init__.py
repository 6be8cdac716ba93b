"""Commands on rest and steady motion: where, what holds it, small motions, what changes."""

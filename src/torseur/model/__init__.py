"""The immutable description of a mechanism."""

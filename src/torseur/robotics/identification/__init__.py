"""Identification: base parameters, exciting motions, estimates from logs, consistent inertias."""

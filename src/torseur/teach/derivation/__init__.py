"""Derivations step by step, one file for each formalism."""

"""Contacts, stops and frictions of a mechanism, element by element."""

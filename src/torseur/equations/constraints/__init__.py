"""Constraints of a system, row by row: joints, contacts, relations, imposed motions."""

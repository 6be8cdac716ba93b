"""Contacts as machine code: one small system of rows, of which modes say which act."""

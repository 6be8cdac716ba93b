"""Contacts as machine code: the small system of those that act is solved by numbers, modes a mask."""

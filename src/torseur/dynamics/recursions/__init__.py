"""The recursions over a tree of bodies, one text for numbers, for expressions and for machine code.

The text stands on functions of vectors (`spatial/triples.py`) and on what `rows.py` says of a body,
its joint and its room to work in. `machine/tree` compiles the same text on rows of memory.
"""

"""The joints (liaisons): what each lets move and what each can carry.

A joint is one declaration: its fields, names, words, keys and elementary freedoms (`library`). All
else follows from them (`composed`). A rod, a joint of the user's own and a joint crossed backwards
answer the same questions (`protocol`) by methods.
"""

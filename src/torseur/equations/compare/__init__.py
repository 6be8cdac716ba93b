"""The same mechanism by several formalisms, and whether they agree."""

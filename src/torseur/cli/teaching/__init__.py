"""Commands for teaching: derivations, checked answers, exercises."""

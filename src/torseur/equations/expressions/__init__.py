"""What formalisms do with expressions: linear systems, samples, collected terms, series."""

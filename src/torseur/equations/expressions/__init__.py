"""What formalisms do with expressions: linear systems, closed forms, samples, collected terms."""

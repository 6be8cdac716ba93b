"""Operations on expressions: linear systems, closed forms, samples, collected terms."""

"""Many motions of one mechanism: what each starts from, all moved at once, their results."""

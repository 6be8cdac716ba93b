"""Many motions of one mechanism: what each starts from, all of them moved at once, their results."""

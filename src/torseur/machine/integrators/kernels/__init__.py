"""Steps, events, samples and acts of motions in the lanes of vectors; a single one has one lane."""

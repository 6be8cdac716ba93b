"""Steps, events, samples and acts of the motions in the lanes of vectors; one motion has one lane."""

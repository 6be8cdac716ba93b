"""One catalogue of words: sentences by their English template, headings and labels by a key."""

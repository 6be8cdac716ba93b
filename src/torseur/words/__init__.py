"""Words for the user: sentences by their English, headings by a key, one catalogue a language."""

"""What notebooks show of values: pieces of pages, LaTeX and drawings."""

"""Display of values in notebooks: fragments of pages, LaTeX and drawings."""

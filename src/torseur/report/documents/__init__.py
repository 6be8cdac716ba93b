"""Documents of typed parts, written as one HTML page, as LaTeX and, by Typst, as PDF."""

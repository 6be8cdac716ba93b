"""The YAML form and the phrase for editors: entries, values, units and words of each language."""

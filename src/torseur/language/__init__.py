"""From text to a mechanism: expressions, the description phrase and the YAML form."""

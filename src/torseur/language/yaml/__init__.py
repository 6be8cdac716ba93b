"""The YAML form of a model, section by section."""

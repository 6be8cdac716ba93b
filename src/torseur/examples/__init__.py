"""The mechanisms that come with Torseur, as YAML files."""

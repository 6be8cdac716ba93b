"""Common parts of robot files: XML, links and joints, and the YAML form made of them."""

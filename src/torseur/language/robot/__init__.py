"""What files of robots have in common: XML, links and joints, and the YAML form made of them."""

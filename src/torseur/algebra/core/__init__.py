"""Hash-consed expressions: nodes, the rules by which they are made, walks over their graph."""

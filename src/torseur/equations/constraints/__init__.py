"""What restrains a system, row after row: joints, contacts, relations, imposed motions."""

"""Pages and tables that are read: equations, listings, diagnoses."""

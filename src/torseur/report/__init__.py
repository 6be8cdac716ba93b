"""What people read: pages, drawings, animations, curves, tables, and plain data for JSON."""

"""Where a motion starts: loops closed, bodies placed, rows that hold."""

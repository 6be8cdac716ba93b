"""Commands that write files and pages: examples, the demonstration, reports, animations."""

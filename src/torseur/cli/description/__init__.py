"""Commands that show a mechanism: its faults, mobility and graph, its page, the examples."""

"""Commands on robots: their parameters from logs, and motions that show them."""

"""The kernel of piles: bodies placed, contacts found, impulses solved for, step after step."""

"""Contacts in motion: which of them act, what shocks do, where modes change."""

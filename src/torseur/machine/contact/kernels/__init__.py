"""The kernel of contacts: one function for every task, so that only one is compiled."""

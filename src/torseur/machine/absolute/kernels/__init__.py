"""The kernel of the general method: one function for every task, so that only one is compiled."""

"""The kernel of control: one sample, whatever the law is."""

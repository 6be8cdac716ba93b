"""Control in the loop: laws that are sampled, what they see, and motion step by step."""

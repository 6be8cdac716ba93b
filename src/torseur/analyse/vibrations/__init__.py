"""Small motions: modes, responses, root loci."""

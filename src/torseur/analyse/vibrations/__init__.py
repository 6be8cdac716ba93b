"""Small motions with inputs and outputs: modes, responses, root loci."""

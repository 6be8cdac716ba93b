"""What is said in French: words by a key, sentences by their English template."""

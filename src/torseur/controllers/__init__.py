"""Ready controllers: laws that know a model, as machine code in the loop, as functions, as source."""

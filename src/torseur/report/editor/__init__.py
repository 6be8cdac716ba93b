"""The page of the app: a description on one side, what follows from it on the other."""

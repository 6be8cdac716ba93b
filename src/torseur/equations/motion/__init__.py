"""The equations of motion as expressions: their matrices, other variables, what is ill-posed."""

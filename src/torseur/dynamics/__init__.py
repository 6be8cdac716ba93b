"""The recursions of rigid-body dynamics, each written once for floats and for expressions."""

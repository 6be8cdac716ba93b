"""The coefficients of the Radau IIA method of three stages, from its definition.

Collocation at the nodes of Radau on (0, 1], of which the last is the end of the step. T makes the
inverse of its matrix A block diagonal: a real eigenvalue and a complex pair.

Reference: Hairer and Wanner (1996), Solving Ordinary Differential Equations II, sections IV.5
(the method) and IV.8 (T, the error estimate).
"""

import numpy as np

NODES = np.array([(4 - np.sqrt(6)) / 10, (4 + np.sqrt(6)) / 10, 1.0])

# each stage integrates the polynomials of degree 2 exactly: A c^k = c^(k + 1) / (k + 1)
_POWERS = NODES[:, np.newaxis] ** np.arange(3)
A = (_POWERS * NODES[:, np.newaxis] / np.arange(1, 4)) @ np.linalg.inv(_POWERS)

_values, _vectors = np.linalg.eig(np.linalg.inv(A))
_real, _upper = int(np.abs(_values.imag).argmin()), int(_values.imag.argmax())
REAL = float(_values[_real].real)
PAIR = complex(_values[_upper])  # α + iβ
# with v the eigenvector of α − iβ, T = [eigenvector of REAL, Re v, Im v] turns the pair into
# [[α, −β], [β, α]], which is α + iβ on w₂ + i w₃
_v = _vectors[:, _upper].conj()
T = np.column_stack([_vectors[:, _real].real, _v.real, _v.imag])
T_INVERSE = np.linalg.inv(T)

# weights of the stages in the estimate of the error, those of a method of order 3
ERROR = np.array([-13 - 7 * np.sqrt(6), -13 + 7 * np.sqrt(6), -1.0]) / 3

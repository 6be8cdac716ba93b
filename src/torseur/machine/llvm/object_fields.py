"""Where CPython and NumPy keep the fields of tuples and arrays, checked before it is relied on.

These offsets are part of the binary interfaces that compiled extensions are built on. Generated
code reads them directly, which saves the cost of asking for addresses at every call. On an
interpreter that keeps its objects otherwise the check fails and the ordinary way is taken.
"""

import ctypes
from functools import cache

import numpy as np

POINTER = 8
TUPLE_SIZE, TUPLE_ITEMS = 16, tuple.__basicsize__  # from 3.14 on, a hash stands before the items
OBJECT_TYPE = 8
ARRAY_DATA, ARRAY_NDIM, ARRAY_SHAPE, ARRAY_STRIDES, ARRAY_DTYPE = 16, 24, 32, 40, 56


def _word(address: int) -> int:
    return ctypes.c_int64.from_address(address).value


@cache
def is_known() -> bool:
    """Whether objects of this interpreter look as expected."""
    import platform

    if platform.python_implementation() != "CPython" or ctypes.sizeof(ctypes.c_void_p) != POINTER:
        return False
    sample = np.arange(24.0).reshape(2, 3, 4)[:, 1:, ::2]
    pair = (sample, None)
    at = id(sample)
    shape, strides = _word(at + ARRAY_SHAPE), _word(at + ARRAY_STRIDES)
    return (
        _word(id(pair) + TUPLE_SIZE) == 2
        and _word(id(pair) + TUPLE_ITEMS) == at
        and _word(at + OBJECT_TYPE) == id(np.ndarray)
        and _word(at + ARRAY_DATA) == sample.ctypes.data
        and ctypes.c_int32.from_address(at + ARRAY_NDIM).value == sample.ndim
        and _word(at + ARRAY_DTYPE) == id(np.dtype(float))
        and tuple(_word(shape + POINTER * k) for k in range(3)) == sample.shape
        and tuple(_word(strides + POINTER * k) for k in range(3)) == sample.strides
    )

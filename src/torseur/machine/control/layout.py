"""What the kernel knows of a loop of control: one record of counts and addresses."""

import numpy as np

_COUNTS = (
    "size",  # numbers of a state
    "first",  # where the commanded forces stand in it
    "inputs",  # how many they are
    "measured",  # numbers at the head of a state that are measured: coordinates and speeds
    "sensed",  # numbers that are measured besides, by a function of the state
    "memory",  # numbers that the law remembers from one sample to the next
    "whole",  # samples that a command waits before it acts
    "waits",  # 1 where it waits a part of a sample besides
    "waiting",  # 1 between a measurement and the instant at which a command acts
    "taken",  # measurements so far
    "noises",  # rows of noise, which are used one after the other
    "law",  # the address of a compiled function of what is measured and of the time
    "law_table",  # and of its table: [constants, measured, t, output]
    "sensor",  # the address of the function that gives what is sensed, of the state and the time
    "sensor_table",  # and of its table
)
_ARRAYS = (
    "seen",  # (size + sensed + memory,): the state as measured, what is sensed and remembered
    "output",  # (inputs + memory,): commands, then what is to be remembered
    "pipe",  # (whole + 1, inputs): the commands, the newest first
    "low",  # (inputs,): the least command that is given on
    "high",  # (inputs,): the largest
    "quantum",  # (measured + sensed,): the steps in which a number is measured; 0: it is as it is
    "noise",  # (noises, measured + sensed): what is added to the measured numbers
)

LOOP = np.dtype([(name, np.int64) for name in (*_COUNTS, *_ARRAYS)], align=True)

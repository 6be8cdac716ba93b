"""Record of a loop of control: counts, functions and arrays."""

from torseur.machine.runtime.memory import Layout

_COUNTS = (
    "state",  # numbers at the head of the state that is integrated, which a sample copies
    "first",  # where the commanded forces stand in it
    "inputs",  # how many they are
    "size",  # numbers of the state as the law sees it
    "measured",  # numbers at its head that are measured: coordinates and speeds
    "sensed",  # numbers that are measured besides, by a function of the state
    "memory",  # numbers that the law remembers from one sample to the next
    "whole",  # samples that a command waits before it acts
    "waits",  # 1 where it waits a part of a sample besides
    "waiting",  # 1 between a measurement and the instant at which a command acts
    "taken",  # measurements so far
    "noises",  # rows of noise, which are used one after the other
)
_FUNCTIONS = (
    "law",  # of what is measured and of the time
    "view",  # the state as the law sees it, of the one that is integrated and the time; 0: that one
    "sensor",  # gives what is sensed, of the state as it is seen; 0: the view gives it, if any
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

LOOP = Layout(counts=_COUNTS, functions=_FUNCTIONS, arrays=_ARRAYS)

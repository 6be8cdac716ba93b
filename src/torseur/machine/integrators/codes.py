"""Why an integrator returned."""

from enum import IntEnum


class Code(IntEnum):
    """Reasons why a call of an integrator ended."""

    PAUSED = 0  # the budget of steps is spent, or the table of events is full
    DONE = 1  # every sample is filled
    TERMINAL_EVENT = 2
    STEP_TOO_SMALL = 3  # the error stays too large however short the step
    NOT_FINITE = 4  # the derivative is infinite or undefined however short the step
    LOOP_OPEN = 5  # the projection does not bring the loops together
    INTERRUPTED = 6  # from the keyboard, between two calls
    STEP_TOO_LONG = 7  # the equations of a step of fixed length are not solved
    STIFF = 8  # stability, not accuracy, keeps the steps short; the run may go on
    UNSETTLED = 9  # somebody acted on the state, and how it goes on is not told by machine code


# plain numbers, for the kernels
PAUSED, DONE, TERMINAL_EVENT, STEP_TOO_SMALL, NOT_FINITE, LOOP_OPEN = range(6)
STEP_TOO_LONG, STIFF, UNSETTLED = (int(code) for code in list(Code)[7:])

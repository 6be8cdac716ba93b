"""One sample of a loop of control: measure, ask the law, limit, wait, act."""

from torseur.machine.control.control_record import LOOP
from torseur.machine.runtime.access import METHOD, evaluate, numbers, record_at, wholes
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart, whole

SIGNATURE = METHOD
ENTRIES = ("sample",)
loop_at = record_at(LOOP)


def sample(place):
    """The state with the commands that act from now on; a function of [record, y, t, output]."""
    listed = wholes(place)
    loop, y, into = loop_at(listed[0]), numbers(listed[1]), numbers(listed[3])
    copy(loop.state, y, into)
    if loop.waiting == 0:
        _measure(loop, y, numbers(listed[2])[0])
        evaluate(loop.law, loop.law_table, numbers(listed[2])[0], loop.seen, loop.output)
        _command(loop)
        if loop.waits != 0:
            loop.waiting = 1
            return 0
    loop.waiting = 0
    acting = address(loop.pipe, loop.whole * loop.inputs)
    copy(loop.inputs, acting, address(into, loop.first))
    return 0


@apart
def _measure(loop, y, t):
    """Seen ← the state and what is sensed besides, with noise, rounded to their quanta."""
    values, quantum = loop.seen, loop.quantum
    if loop.view != 0:
        evaluate(loop.view, loop.view_table, t, y, values)
    else:
        copy(loop.size, y, values)
    if loop.sensor != 0:
        state = values if loop.view != 0 else y  # y may be longer
        evaluate(loop.sensor, loop.sensor_table, t, state, address(values, loop.size))
    count = loop.measured + loop.sensed
    row = (loop.taken % loop.noises) * count if loop.noises > 0 else 0
    for k in range(count):
        at = k if k < loop.measured else k - loop.measured + loop.size
        if loop.noises > 0:
            values[at] += loop.noise[row + k]
        if quantum[k] > 0.0:
            values[at] = _nearest(values[at] / quantum[k]) * quantum[k]
    loop.taken += 1


@apart
def _nearest(x):
    """The nearest whole number; one that is too large for that stays as it is."""
    if not abs(x) < 4e15:
        return x
    below = float(whole(x + 0.5))
    return below - 1.0 if below > x + 0.5 else below


@apart
def _command(loop):
    """The newest command, within its limits, goes to the head of the pipe; memory is kept."""
    n, output, pipe = loop.inputs, loop.output, loop.pipe
    for row in range(loop.whole, 0, -1):
        copy(n, address(pipe, (row - 1) * n), address(pipe, row * n))
    for k in range(n):
        pipe[k] = max(loop.low[k], min(loop.high[k], output[k]))
    copy(loop.memory, address(output, n), address(loop.seen, loop.size + loop.sensed))

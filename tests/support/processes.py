"""Limits of processor time for the programs that tests start.

A program that hangs is ended by its own clock, which counts what it computes: a busy machine, or
one that has to compile everything first, changes nothing.
"""

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

SECONDS = 600  # of the processor, far beyond what any of them takes


def limit_processor_time() -> None:
    """End this process once it has computed for `SECONDS`."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


LIMITED = {"preexec_fn": limit_processor_time} if resource else {}  # options of `subprocess`

"""The command `torseur` from its start to its exit code, whatever happens on the way.

Everything is imported inside `main`, so that an interruption of the imports is met here too.
"""

from __future__ import annotations

import _thread
import errno
import os
import signal
import sys
import threading
from contextlib import suppress
from typing import Any, NoReturn

DONE, FAILED, WRONG_INPUT, INTERRUPTED = 0, 1, 2, 130
_SOON = 0.01  # s
_OF_WRITING = (errno.ENOSPC, errno.EBADF, errno.EIO, errno.EFBIG)  # what a stream says


def main() -> NoReturn:
    """Run a command; exit 0 when done, 1 when a computation failed, 2 when the input is wrong.

    130 after an interruption from the keyboard: what there was by then has been saved.
    """
    try:
        keyboard = _Keyboard()
        from torseur.words.language import of_line, speaking

        with speaking(of_line(sys.argv[1:])):
            code = _finish(keyboard)
    except KeyboardInterrupt:
        code = INTERRUPTED
    _leave(code)


def __getattr__(name: str) -> Any:
    """The group of all commands, imported on first use."""
    if name != "commands":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from torseur.cli.commands import commands

    return commands


class _Keyboard:
    """Remembers that Ctrl-C was pressed, which a run that was cut short does not tell."""

    def __init__(self) -> None:
        self.pressed = False
        try:
            signal.signal(signal.SIGINT, self._note)
        except ValueError:  # not the main thread: nothing can be noticed there
            return
        sys.unraisablehook = _again

    def _note(self, *_: Any) -> None:
        self.pressed = True
        raise KeyboardInterrupt


def _again(lost: Any) -> None:
    """An interruption that came where Python can only print it, as in a finaliser, comes again."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        threading.Timer(_SOON, _interrupt).start()
    else:
        sys.__unraisablehook__(lost)


def _interrupt() -> None:
    """An interruption of the main thread, which also ends what it waits for where signals do."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _finish(keyboard: _Keyboard) -> int:
    """The exit code, once all that was said is out."""
    _replace_closed_streams()
    try:
        code = _run(keyboard)
        sys.stdout.flush()
    except OSError as error:  # of standard output itself
        return _unsaid(error)
    return INTERRUPTED if keyboard.pressed else code


def _replace_closed_streams() -> None:
    """Stand in for streams that whoever started us has closed: writing an answer there fails."""
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "a", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "a", encoding="utf-8")


def _run(keyboard: _Keyboard) -> int:
    """The exit code of the command; what went wrong has been said."""
    from torseur.cli.frame.encoding import degrade

    degrade()
    try:
        return _command()
    except (KeyboardInterrupt, BrokenPipeError):
        raise
    except MemoryError:
        from torseur.words.sentence import worded

        return _say(worded("Not enough memory."), FAILED)
    except OSError as error:
        if error.filename is None and error.errno in _OF_WRITING:
            raise  # files are told with their names
        from torseur.output import reason

        return _say(f"{error.filename or 'torseur'}: {reason(error)}.", FAILED)
    except Exception as error:
        if keyboard.pressed:  # what a library made of the interruption
            raise KeyboardInterrupt from None
        from torseur.cli.frame.crash import crash_message

        return _say(crash_message(error), FAILED)


def _command() -> int:
    import rich_click as click

    from torseur.cli.commands import commands
    from torseur.errors import SolveError, TorseurError
    from torseur.words.language import spoken

    try:
        commands(prog_name="torseur", standalone_mode=False)
    except TorseurError as error:
        code = FAILED if isinstance(error, SolveError) else WRONG_INPUT
        return _say(error.said(spoken()), code)
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except SystemExit as left:  # click says so of a pipe that nobody reads any more
        if isinstance(left.__context__, BrokenPipeError):
            raise left.__context__ from None
        return left.code if isinstance(left.code, int) else FAILED
    return DONE


def _say(message: str, code: int) -> int:
    print(message, file=sys.stderr)
    return code


def _unsaid(error: OSError) -> int:
    """The exit code when standard output fails: its reader has gone, or the disk is full."""
    if isinstance(error, BrokenPipeError):
        return DONE
    from torseur.output import reason
    from torseur.words.sentence import say, worded

    if error.errno == errno.EBADF:
        return _say(worded("standard output is closed: the result cannot be printed."), FAILED)
    return _say(say("standard output: {reason}.", reason(error)), FAILED)


def _leave(code: int) -> NoReturn:
    """Exit; what could not be printed is dropped without a word, and so is a late interruption."""
    with suppress(ValueError):  # not the main thread
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    if code == INTERRUPTED:  # Python would kill itself, were an `exec` interrupted on the way
        os._exit(code)
    sys.exit(code)

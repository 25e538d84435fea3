"""The edge of every command: an error becomes one clear message on standard error and an exit code."""

import sys
import traceback
from collections.abc import Callable
from enum import IntEnum
from importlib.metadata import version

_REPORT = "This is a fault of Intelli, not yours. Please report it with the lines above, `intelli --version` and what you did."


class ExitCode(IntEnum):
    """How a command ended."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    NOT_FOUND = 3
    REFUSED = 4
    FAULT = 70
    UNAVAILABLE = 75
    INTERRUPTED = 130


def guard(command: Callable[[], object]) -> int:
    """Run a command to its exit code. Only a fault of ours shows a traceback."""
    try:
        command()
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except Exception as error:  # noqa: BLE001  # the edge of every command
        return _tell(error)
    return ExitCode.DONE


def _tell(error: Exception) -> int:
    known = _known(error)
    if known is not None:
        message, code = known
        _say(message)
        return code
    traceback.print_exception(error)
    _say(f"{_REPORT}\nIntelli {version('intelli')}, Python {sys.version.split()[0]}, {sys.platform}")
    return ExitCode.FAULT


def _known(error: Exception) -> tuple[str, ExitCode] | None:
    """What to say and how to end for an error that can be expected; None for a fault of ours."""
    # Imported here, for a command that fails early should also fail quickly.
    from intelli.kit import errors
    from intelli.settings import SettingsError

    match error:
        case ExceptionGroup(exceptions=[Exception() as only]):
            return _known(only)
        case SettingsError():
            return "\n".join(error.problems), ExitCode.USAGE
        case errors.Invalid():
            return str(error), ExitCode.USAGE
        case errors.NotFound():
            return str(error), ExitCode.NOT_FOUND
        case errors.Unavailable() | errors.Throttled():
            return str(error), ExitCode.UNAVAILABLE
        case errors.Conflict() | errors.Forbidden() | errors.PreconditionFailed():
            return str(error), ExitCode.REFUSED
        case errors.IntelliError():
            return str(error), ExitCode.FAILED
        case OSError() if error.errno is not None:
            where = f"{error.filename}: " if error.filename else ""
            return f"{where}{error.strerror}.", ExitCode.FAILED
        case _:
            return None


def _say(message: str) -> None:
    sys.stderr.write(f"intelli: {message}\n")

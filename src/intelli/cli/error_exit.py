"""The edge of every command: an error becomes one clear message on standard error and an exit code."""

import sys
import traceback
from collections.abc import Callable
from enum import IntEnum

_REPORT = "This is a fault of Intelli, not yours. Please report it: the lines above, these, and what you did."
_NO_RIGHT = "42501"
_DATABASE_AWAY = {
    "08": "The connection to the database broke. Try again.",
    "53": "The database is out of disk space, memory or connections. See its log, make room and try again.",
    "57": "The database is shutting down or starting. Try again in a moment.",
}


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
        return _interrupted()
    except SystemExit as ended:
        # What Typer makes of Ctrl-C.
        if ended.code == ExitCode.INTERRUPTED:
            return _interrupted()
        raise
    except Exception as error:  # noqa: BLE001  # the edge of every command
        return _tell(error)
    return ExitCode.DONE


def _interrupted() -> int:
    sys.stderr.write("intelli: Stopped.\n")
    return ExitCode.INTERRUPTED


def _tell(error: Exception) -> int:
    if isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        return _tell(error.exceptions[0])
    expected = _refusal(error) or _words_of_the_database(error) or _words_of_the_system(error)
    if expected is not None:
        message, code = expected
        sys.stderr.write(f"intelli: {message}\n")
        return code
    from importlib.metadata import version

    traceback.print_exception(error)
    sys.stderr.write(f"{_REPORT}\nIntelli {version('intelli')}, Python {sys.version.split()[0]}, {sys.platform}\n")
    return ExitCode.FAULT


def _refusal(error: Exception) -> tuple[str, ExitCode] | None:
    # Imported here, so that `intelli --help` need not wait for it.
    from intelli.kit import errors
    from intelli.settings import SettingsError

    kinds: dict[type[errors.IntelliError], ExitCode] = {
        SettingsError: ExitCode.USAGE,
        errors.Invalid: ExitCode.USAGE,
        errors.NotFound: ExitCode.NOT_FOUND,
        errors.Conflict: ExitCode.REFUSED,
        errors.Forbidden: ExitCode.REFUSED,
        errors.Unavailable: ExitCode.UNAVAILABLE,
        errors.IntelliError: ExitCode.FAILED,
    }
    return next(((str(error), code) for kind, code in kinds.items() if isinstance(error, kind)), None)


def _words_of_the_database(error: Exception) -> tuple[str, ExitCode] | None:
    """What a driver's error means, told by its SQLSTATE; the drivers themselves are not known here."""
    cause = getattr(error, "orig", None) or error
    sqlstate = getattr(cause, "sqlstate", None)
    if sqlstate == _NO_RIGHT:
        reason = str(cause).partition("\n")[0]
        advice = "Set INTELLI_DATABASE_ADMIN_URL to a role that may change the schema."
        return f"The database refuses: {reason}. {advice}", ExitCode.REFUSED
    if isinstance(sqlstate, str) and sqlstate[:2] in _DATABASE_AWAY:
        return _DATABASE_AWAY[sqlstate[:2]], ExitCode.UNAVAILABLE
    return None


def _words_of_the_system(error: Exception) -> tuple[str, ExitCode] | None:
    if not isinstance(error, OSError) or not error.strerror:
        return None
    return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}.", ExitCode.FAILED

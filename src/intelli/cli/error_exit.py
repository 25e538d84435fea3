"""Error handling of every command: prints an error as one message on standard error and returns an exit code."""

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
    """Exit codes of commands."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    NOT_FOUND = 3
    REFUSED = 4
    FAULT = 70
    UNAVAILABLE = 75
    INTERRUPTED = 130


def guard(command: Callable[[], object]) -> int:
    """Run a command and return its exit code. A traceback is only printed for unexpected errors."""
    try:
        command()
    except KeyboardInterrupt:
        return _report_interrupt()
    except SystemExit as ended:
        # Typer converts Ctrl-C to this.
        if ended.code == ExitCode.INTERRUPTED:
            return _report_interrupt()
        raise
    except Exception as error:  # noqa: BLE001  # the edge of every command
        return _report(error)
    return ExitCode.DONE


def _report_interrupt() -> int:
    sys.stderr.write("intelli: Stopped.\n")
    return ExitCode.INTERRUPTED


def _report(error: Exception) -> int:
    if isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        return _report(error.exceptions[0])
    expected = _explain_refusal(error) or _explain_database_error(error) or _explain_os_error(error)
    if expected is not None:
        message, code = expected
        sys.stderr.write(f"intelli: {message}\n")
        return code
    from importlib.metadata import version

    traceback.print_exception(error)
    sys.stderr.write(f"{_REPORT}\nIntelli {version('intelli')}, Python {sys.version.split()[0]}, {sys.platform}\n")
    return ExitCode.FAULT


def _explain_refusal(error: Exception) -> tuple[str, ExitCode] | None:
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


def _explain_database_error(error: Exception) -> tuple[str, ExitCode] | None:
    """Explain a database error by its SQLSTATE, without importing the drivers; None for other errors."""
    cause = getattr(error, "orig", None) or error
    sqlstate = getattr(cause, "sqlstate", None)
    if sqlstate == _NO_RIGHT:
        reason = str(cause).partition("\n")[0]
        advice = "Set INTELLI_DATABASE_ADMIN_URL to a role that may change the schema."
        return f"The database refuses: {reason}. {advice}", ExitCode.REFUSED
    if isinstance(sqlstate, str) and sqlstate[:2] in _DATABASE_AWAY:
        return _DATABASE_AWAY[sqlstate[:2]], ExitCode.UNAVAILABLE
    return None


def _explain_os_error(error: Exception) -> tuple[str, ExitCode] | None:
    if not isinstance(error, OSError) or not error.strerror:
        return None
    return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}.", ExitCode.FAILED

"""The command that installs a model on this server, as a person is to type it."""

import shlex
from pathlib import Path

from intelli.kit import setting_types

_COMMAND = "intelli models install"


def build_command(data: Path) -> str:
    """Return the command; it names the data directory unless that is the one commands take by themselves."""
    return (
        _COMMAND
        if data == setting_types.absolute(setting_types.DEFAULT_DATA)
        else f"{_COMMAND} --data {shlex.quote(str(data))}"
    )

"""Standard output of commands: tables and lines for people, JSON for programs."""

import os
import re
import sys
from collections.abc import Iterable, Mapping
from datetime import datetime

# Rich folds tables to 80 columns without a terminal; a pipe should get whole lines.
_PIPE_COLUMNS = 250
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def write_json(value: object) -> None:
    """Write a value as one line of JSON."""
    from pydantic_core import to_json

    write(to_json(value).decode() + "\n")


def line(text: str) -> None:
    """Write a line of text, without control characters."""
    write(f"{strip_controls(text)}\n")


def write(text: str) -> None:
    """Write and flush text. Once the reader has closed the pipe (`| head`), discard output; the command goes on."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def strip_controls(text: str) -> str:
    """Remove control characters that a terminal would obey: quoted documents are not trusted."""
    return _CONTROLS.sub("", text)


def table(columns: Iterable[str], rows: Iterable[Iterable[object]], *, colours: Mapping[str, str] = {}) -> None:
    """Write rows under their columns. A cell whose text is in `colours` takes that colour on a terminal."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    shown = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in columns:
        shown.add_column(column, overflow="fold")
    for row in rows:
        cells = [_cell(value) for value in row]
        shown.add_row(*(Text(cell, style=colours.get(cell, "")) for cell in cells))
    Console(width=None if sys.stdout.isatty() else _PIPE_COLUMNS, highlight=False).print(shown)


def _cell(value: object) -> str:
    match value:
        case None:
            return "-"
        case datetime():
            return value.astimezone().strftime("%Y-%m-%d %H:%M:%S")
        case list() | tuple():
            return ", ".join(str(item) for item in value)
        case _:
            return str(value)

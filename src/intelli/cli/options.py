"""Options that every command takes, before its name or after it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer


def _values_above(context: typer.Context, name: str) -> Iterator[object]:
    """Yield the values of an option given to the groups above a command, nearest group first."""
    above = context.parent
    while above is not None:
        yield above.params.get(name)
        above = above.parent


def _data(context: typer.Context, given: Path | None) -> Path | None:
    earlier = (value for value in _values_above(context, "data") if isinstance(value, Path))
    return given or next(earlier, None)


def _as_json(context: typer.Context, given: bool) -> bool:
    return given or any(_values_above(context, "as_json"))


Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="Directory of the embedded database, the blobs and intelli.toml; INTELLI_DATA or ~/.intelli if not given.",
        readable=False,  # our own message says more
        callback=_data,
        show_default=False,
    ),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Write JSON, and nothing else, to standard output.", callback=_as_json)
]
Email = Annotated[str, typer.Option(help="E-mail address of the account.", show_default=False)]

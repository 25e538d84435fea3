"""`intelli db`: migrates the database schema forward and back, and shows its revision."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from intelli.cli import output
from intelli.cli.error_exit import ExitCode
from intelli.cli.options import AsJson, Data

app = typer.Typer(no_args_is_help=True, help="Look after the version of the database's schema.")


@app.command()
def upgrade(
    revision: Annotated[str, typer.Argument(help="Revision to go to.")] = "head",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Bring the schema forward, making an embedded database if there is none.

    `intelli serve` does this by itself when the database is embedded. With INTELLI_DATABASE_URL, run it
    before the first start and after each upgrade of Intelli; INTELLI_DATABASE_ADMIN_URL names a role that may.
    """
    from intelli.cli import local, prepare_database
    from intelli.engine import open_engine

    with open_engine(local.load(data)) as engine:
        before = prepare_database.current_revision(engine)
        prepare_database.upgrade(engine, revision)
        _print_move(before, prepare_database.current_revision(engine), as_json=as_json)


@app.command()
def downgrade(
    revision: Annotated[str, typer.Argument(help="Revision to go back to, such as 0002 or -1.", show_default=False)],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Take the schema back to a revision. What later revisions keep is deleted."""
    from intelli.cli import local, prepare_database

    if not yes and not as_json and sys.stdin.isatty():
        typer.confirm("What later revisions keep will be deleted. Go on?", abort=True)
    with local.existing_engine(local.load(data)) as engine:
        before = prepare_database.current_revision(engine)
        prepare_database.downgrade(engine, revision)
        _print_move(before, prepare_database.current_revision(engine), as_json=as_json)


@app.command()
def current(data: Data = None, as_json: AsJson = False) -> None:
    """Show the revision the database is at, and the newest one this version knows."""
    found, head = _state(data)
    _print_state(found, head, as_json=as_json)


@app.command()
def check(data: Data = None, as_json: AsJson = False) -> None:
    """End with 1 when migrations wait to be run; `intelli db upgrade` runs them."""
    found, head = _state(data)
    _print_state(found, head, as_json=as_json)
    if found != head:
        raise typer.Exit(ExitCode.FAILED)


def _state(data: Path | None) -> tuple[str | None, str]:
    from intelli.cli import local, prepare_database
    from intelli.migrations import schema

    with local.existing_engine(local.load(data)) as engine:
        return prepare_database.current_revision(engine), schema.head_revision()


def _print_state(found: str | None, head: str, *, as_json: bool) -> None:
    if as_json:
        output.write_json({"current": found, "head": head, "pending": found != head})
        return
    advice = "It is up to date." if found == head else "Run `intelli db upgrade`."
    output.line(f"The database is at {found or 'nothing'}, the newest revision is {head}. {advice}")


def _print_move(before: str | None, after: str | None, *, as_json: bool) -> None:
    if as_json:
        output.write_json({"before": before, "after": after})
    elif before == after:
        output.line(f"The database is at {after or 'nothing'} already.")
    else:
        output.line(f"The database went from {before or 'nothing'} to {after or 'nothing'}.")

"""The program `intelli`: its commands and global options."""

import sys
from typing import Annotated

import typer

from intelli.cli import approvals, config, db, deliverable_commands, error_exit, jobs, keys, memory, models, runs, users
from intelli.cli.add import add
from intelli.cli.ask import ask
from intelli.cli.card import card
from intelli.cli.check import check
from intelli.cli.doctor import doctor
from intelli.cli.gc import gc
from intelli.cli.options import AsJson, Data
from intelli.cli.recheck import recheck
from intelli.cli.reindex import reindex
from intelli.cli.replay import replay
from intelli.cli.research import research
from intelli.cli.search import search
from intelli.cli.serve import serve
from intelli.cli.tables import tables
from intelli.cli.verify import verify
from intelli.cli.worker import worker

app = typer.Typer(
    name="intelli",
    help="A self-hosted research workbench for people whose work must be checkable.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    serve,
    research,
    ask,
    check,
    add,
    search,
    card,
    tables,
    worker,
    doctor,
    verify,
    recheck,
    gc,
    reindex,
    replay,
):
    app.command()(command)
for name, group in (
    ("approvals", approvals),
    ("config", config),
    ("db", db),
    ("jobs", jobs),
    ("keys", keys),
    ("memory", memory),
    ("models", models),
    ("deliverables", deliverable_commands),
    ("runs", runs),
    ("users", users),
):
    app.add_typer(group.app, name=name)


def _show_version(wanted: bool) -> None:
    if not wanted:
        return
    from importlib.metadata import version

    typer.echo(f"intelli {version('intelli')}")
    raise typer.Exit


@app.callback()
def _globally(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    pass


def main() -> None:
    """Run the given command and exit with its code."""
    sys.exit(error_exit.guard(app))

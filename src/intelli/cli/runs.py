"""`intelli runs`: lists runs, and deletes one with its results."""

import asyncio
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import typer

from intelli.cli import output
from intelli.cli.approvals import Key, Server
from intelli.cli.options import AsJson, Data

app = typer.Typer(name="runs", help="List the questions you asked, and delete them.", no_args_is_help=True)

Json = dict[str, Any]
RunId = Annotated[UUID, typer.Argument(metavar="ID", help="The run, by the id that `list` shows.")]
_QUESTION_CHARS = 80


@app.command("list")
def list_runs(*, server: Server = None, key: Key = None, data: Data = None, as_json: AsJson = False) -> None:
    """Show your newest runs."""
    found = asyncio.run(_list(data, server, key))
    if as_json:
        output.write_json({"items": found})
        return
    if not found:
        output.line("There are no runs.")
    for each in found:
        output.line(f"{each['id']}  {each['status']:<10}  {' '.join(each['question'].split())[:_QUESTION_CHARS]}")


@app.command()
def delete(run: RunId, *, server: Server = None, key: Key = None, data: Data = None, as_json: AsJson = False) -> None:
    """Delete a run with all that it found and made; one that is at work is stopped first."""
    asyncio.run(_delete(data, (server, key), run))
    if as_json:
        output.write_json({"deleted": str(run)})
    else:
        output.line(f"Run {run} is deleted. What it had stored is removed once its grace is over.")


async def _list(data: Path | None, server: str | None, key: str | None) -> list[Json]:
    from intelli.cli import remote
    from intelli.cli.ask import get_address

    async with remote.connect(*get_address(data, server, key)) as client:
        page: Json = remote.parse_response(await client.get("runs"))
        return list(page["items"])


async def _delete(data: Path | None, given: tuple[str | None, str | None], run: UUID) -> None:
    from intelli.cli import remote
    from intelli.cli.ask import get_address

    async with remote.connect(*get_address(data, *given)) as client:
        response = await client.delete(f"runs/{run}")
        if not response.is_success:
            remote.parse_response(response)

"""`intelli approvals`: lists changes that runs ask to make, and approves or rejects them."""

import asyncio
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import typer

from intelli.cli import diffs, output
from intelli.cli.options import AsJson, Data

app = typer.Typer(name="approvals", help="Decide on what runs want to change.", no_args_is_help=True)

Json = dict[str, Any]
Server = Annotated[
    str | None, typer.Option(metavar="URL", help="Address of the server; INTELLI_CLIENT__SERVER if not given.")
]
Key = Annotated[str | None, typer.Option(help="API key for the server; INTELLI_CLIENT__KEY if not given.")]
Interaction = Annotated[UUID, typer.Argument(metavar="ID", help="The change, by the id that `list` shows.")]


@app.command("list")
def list_pending(*, server: Server = None, key: Key = None, data: Data = None, as_json: AsJson = False) -> None:
    """Show the changes that wait for a decision, each with its diff."""
    waiting = asyncio.run(_list(data, server, key))
    if as_json:
        output.write_json({"items": waiting})
        return
    if not waiting:
        output.line("Nothing waits for a decision.")
    for each in waiting:
        output.line(f"{each['id']}  {each['proposal']['summary']}")
        diffs.print_diff(each["proposal"]["diff"], each["conflicts"])


@app.command()
def approve(
    interaction: Interaction,
    *,
    server: Server = None,
    key: Key = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Agree to a change; its run makes it if the document is still what it was."""
    _print_decided(
        asyncio.run(_decide(data, (server, key), f"interactions/{interaction}/approve", {})), as_json=as_json
    )


@app.command()
def reject(
    interaction: Interaction,
    *,
    reason: Annotated[str | None, typer.Option(help="Why; the run is told.")] = None,
    server: Server = None,
    key: Key = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Refuse a change; its run goes on without it."""
    body = {"reason": reason} if reason else {}
    _print_decided(
        asyncio.run(_decide(data, (server, key), f"interactions/{interaction}/reject", body)), as_json=as_json
    )


async def _list(data: Path | None, server: str | None, key: str | None) -> list[Json]:
    from intelli.cli import remote
    from intelli.cli.ask import get_address

    found: list[Json] = []
    query: dict[str, str] = {"confirmation_status": "pending"}
    async with remote.connect(*get_address(data, server, key)) as client:
        while True:
            page = remote.parse_response(await client.get("interactions", params=query))
            found += page["items"]
            if page["next_cursor"] is None:
                return found
            query = {**query, "cursor": page["next_cursor"]}


async def _decide(data: Path | None, given: tuple[str | None, str | None], path: str, body: Json) -> Json:
    from intelli.cli import remote
    from intelli.cli.ask import get_address

    async with remote.connect(*get_address(data, *given)) as client:
        decided: Json = remote.parse_response(await client.post(path, json=body or None))
        return decided


def _print_decided(decided: Json, *, as_json: bool) -> None:
    if as_json:
        output.write_json(decided)
    else:
        goes_on = " Its run goes on; the answer says what came of it." if decided["status"] == "running" else ""
        output.line(f"{decided['proposal']['summary']}: {decided['confirmation_status']}.{goes_on}")

"""`intelli memory`: adds messages to memory, searches, shows and forgets."""

import asyncio
import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from intelli.cli import output
from intelli.cli.options import AsJson, Data

app = typer.Typer(name="memory", help="Remember, recall, look at and forget what was said.", no_args_is_help=True)

Json = dict[str, Any]
Server = Annotated[str | None, typer.Option(metavar="URL", help="Address of a server; this machine's if not given.")]
Key = Annotated[str | None, typer.Option(help="API key for the server; INTELLI_CLIENT__KEY if not given.")]
Account = Annotated[
    str | None, typer.Option("--email", help="Account to act for on this machine; sees its own group too.")
]
Group = Annotated[str, typer.Option("--group", "-g", help="The group: a graph of its own.")]
Moment = Annotated[datetime | None, typer.Option(help="A time, such as 2024-05-01 or 2024-05-01T12:00:00.")]
_SHOWN = 200


@app.command()
def add(  # noqa: PLR0913  # one for each of its options
    content: Annotated[str, typer.Argument(help="What was said; - reads it from standard input.")],
    *,
    group: Group,
    role: Annotated[str | None, typer.Option(help="Who said it.")] = None,
    role_type: Annotated[str, typer.Option(help="user, assistant or system.")] = "user",
    at: Moment = None,
    server: Server = None,
    key: Key = None,
    email: Account = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Have something remembered. It waits its turn; `show` tells when it is there."""
    text = sys.stdin.read() if content == "-" else content
    message = {"content": text, "role": role, "role_type": role_type, **({"timestamp": _isoformat(at)} if at else {})}
    asyncio.run(_add(data, (server, key, email), {"group_id": group, "messages": [message]}))
    if as_json:
        output.write_json({"group_id": group, "messages": 1})
    else:
        output.line(f"It waits to be remembered in {group}.")


@app.command()
def search(  # noqa: PLR0913  # one for each of its options
    query: Annotated[str, typer.Argument(help="What to remember, in words or as a question.")],
    *,
    group: Annotated[list[str], typer.Option("--group", "-g", help="A group to look in; can be given again.")],
    as_of: Moment = None,
    known_at: Moment = None,
    ended: Annotated[bool, typer.Option("--ended", help="Facts that ended too.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Most facts, nodes and episodes, each.")] = 10,
    server: Server = None,
    key: Key = None,
    email: Account = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Find the facts, nodes and episodes that bear on a query, as they held and were known at a time."""
    times = {"as_of": _isoformat(as_of), "known_at": _isoformat(known_at)}
    body = {"group_ids": group, "query": query, "include_ended": ended, "limit": limit}
    found = asyncio.run(_search(data, (server, key, email), {**body, **{n: t for n, t in times.items() if t}}))
    if as_json:
        output.write_json(found)
        return
    for fact in found["facts"]:
        output.line(f"{fact['relevance']:.2f}  {fact['statement']}  [{_period(fact)}]  {fact['id']}")
    for episode in found["episodes"]:
        later = "  (updated later)" if episode.get("updated_by") else ""
        text = f"{episode['valid_at'][:10]}  {_short(episode['content'])}{later}"
        output.line(f"{episode['relevance']:.2f}  {text}  {episode['id']}")
    output.line(f"{len(found['facts'])} facts, {len(found['nodes'])} nodes, {len(found['episodes'])} episodes.")


@app.command("show")
def show_one(
    name: Annotated[str, typer.Argument(help="The id of a fact, a node or an episode, or the name of a group.")],
    *,
    server: Server = None,
    key: Key = None,
    email: Account = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Show a fact with its proof, a node with its history, an episode, or a group with what waits for it."""
    kind, shown = asyncio.run(_show(data, (server, key, email), name))
    if as_json:
        output.write_json(shown)
    else:
        _print_item(kind, shown)


@app.command()
def forget(
    name: Annotated[str, typer.Argument(help="The id of a fact, a node or an episode, or the name of a group.")],
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do it. Without this, only what would be gone is told.")] = False,
    server: Server = None,
    key: Key = None,
    email: Account = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Forget something for good, with all that only it said; what it had ended holds again."""
    gone = asyncio.run(_forget(data, (server, key, email), name, dry_run=not yes))
    if as_json:
        output.write_json({**gone, "is_done": yes})
        return
    counts = f"{gone['episodes']} episodes, {gone['facts']} facts and {gone['nodes']} nodes"
    output.line(f"{counts} {'are gone' if yes else 'would be gone'}; {gone['reopened']} facts hold again.")
    if gone["copies"]:
        output.line(f"Answers that cite it keep {gone['copies']} copies; delete their conversations to remove these.")
    if not yes:
        output.line("Nothing was changed. Give --yes to do it.")


Where = tuple[str | None, str | None, str | None]


async def _add(data: Path | None, where: Where, body: Json) -> None:
    from intelli.cli import memory_client

    async with memory_client.open_client(data, server=where[0], key=where[1], email=where[2]) as memory:
        await memory.add(body)


async def _search(data: Path | None, where: Where, body: Json) -> Json:
    from intelli.cli import memory_client

    async with memory_client.open_client(data, server=where[0], key=where[1], email=where[2]) as memory:
        return await memory.search(body)


async def _show(data: Path | None, where: Where, name: str) -> tuple[str, Json]:
    from intelli.cli import memory_client

    async with memory_client.open_client(data, server=where[0], key=where[1], email=where[2]) as memory:
        return await memory_client.get_item(memory, name)


async def _forget(data: Path | None, where: Where, name: str, *, dry_run: bool) -> Json:
    from intelli.cli import memory_client

    async with memory_client.open_client(data, server=where[0], key=where[1], email=where[2]) as memory:
        kind, _ = await memory_client.get_item(memory, name)
        return await memory.forget(kind, name, dry_run=dry_run)


def _print_item(kind: str, shown: Json) -> None:
    match kind:
        case "facts":
            output.line(f"{shown['statement']}  [{_period(shown)}]")
            for proof in shown["proof"]:
                output.line(f"  {proof['valid_at'][:10]}  {proof['says']}: {_short(proof['quote'])}  {proof['id']}")
            _print_facts(shown["history"])
        case "nodes":
            names = ", ".join(alias["name"] for alias in shown["aliases"])
            output.line(
                f"{shown['name']} ({', '.join(shown['labels']) or 'thing'}){f', also {names}' if names else ''}"
            )
            _print_facts(shown["facts"])
        case "episodes":
            output.line(f"{shown['valid_at'][:19]}  {shown['group_id']}")
            output.line(shown["content"] or "Its words were not kept.")
            _print_facts(shown["facts"])
        case _:
            output.line(
                f"{shown['group_id']}: {shown['episodes']} episodes, {shown['queued']} wait, {shown['failed']} failed."
            )
            for letter in shown["dead_letters"]:
                output.line(f"  {letter['failed_at'][:19]}  {letter['reason']}")


def _print_facts(facts: list[Json]) -> None:
    for fact in facts:
        output.line(f"  [{_period(fact)}]  {fact['statement']}  {fact['id']}")


def _period(fact: Json) -> str:
    begins = (fact["valid_at"] or "")[:10] or "…"
    ends = f"{fact['invalid_at'][:10]}, {fact['end_reason']}" if fact["invalid_at"] else "now"
    return f"{begins} to {ends}"


def _short(text: str | None) -> str:
    words = " ".join((text or "(words not kept)").split())
    return f"{words[:_SHOWN]}…" if len(words) > _SHOWN else words


def _isoformat(moment: datetime | None) -> str | None:
    return moment.astimezone().isoformat() if moment else None

"""`intelli deliverables`: lists what was made, exports, edits, renames, takes back, deletes and restores it."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from intelli.cli import deliverables, output
from intelli.cli.approvals import Key, Server
from intelli.cli.options import AsJson, Data
from intelli.deliverables.forms import FORMS, Edition

if TYPE_CHECKING:
    import httpx

app = typer.Typer(name="deliverables", help="List, export and change what was made of answers.", no_args_is_help=True)

Json = dict[str, Any]
DeliverableId = Annotated[UUID, typer.Argument(metavar="ID", help="The deliverable, by the id that `list` shows.")]
_TITLE_CHARS = 80


@app.command("list")
def list_deliverables(
    *,
    trash: Annotated[bool, typer.Option("--trash", help="Those in the trash instead.")] = False,
    server: Server = None,
    key: Key = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Show your newest deliverables."""
    page = _call((data, server, key), "GET", f"deliverables?is_deleted={str(trash).lower()}")
    if as_json:
        output.write_json({"items": page["items"]})
        return
    if not page["items"]:
        output.line("The trash is empty." if trash else "Nothing has been made.")
    for each in page["items"]:
        output.line(_line(each))


@app.command()
def versions(
    deliverable: DeliverableId, *, server: Server = None, key: Key = None, data: Data = None, as_json: AsJson = False
) -> None:
    """Show the versions of a deliverable, the newest first."""
    found = _call((data, server, key), "GET", f"deliverables/{deliverable}/versions")
    if as_json:
        output.write_json({"items": found})
        return
    for each in found:
        output.line(_line(each))


@app.command()
def export(  # noqa: PLR0913  # one for each of its options
    deliverable: DeliverableId,
    file: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Write to this file.")],
    *,
    form: Annotated[
        str | None,
        typer.Option("--format", metavar="NAME", help=f"The form, whatever the file is called: {', '.join(FORMS)}."),
    ] = None,
    edition: Annotated[
        Edition, typer.Option(help="For readers, or as proof: with the verdict, identifier and hash of each source.")
    ] = Edition.CLEAN,
    server: Server = None,
    key: Key = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Write a deliverable to a file, in the form that the file's ending says."""
    asked = deliverables.parse_export(file, form, edition)
    asyncio.run(_connected((data, server, key), lambda client: deliverables.export(client, str(deliverable), asked)))
    if as_json:
        output.write_json({"exported": str(deliverable), "format": asked.form, "file": str(file)})


@app.command()
def edit(
    deliverable: DeliverableId,
    file: Annotated[Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="Its text as GML, edited.")],
    *,
    server: Server = None,
    key: Key = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Make a new version with an edited text: export it as .gml, edit that, and give it here."""
    made = _revise((data, server, key), deliverable, {"gml": file.read_text(encoding="utf-8")})
    _tell(made, "Saved as", as_json=as_json)


@app.command()
def rename(
    deliverable: DeliverableId,
    title: Annotated[str, typer.Argument(help="Its new title.")],
    *,
    server: Server = None,
    key: Key = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Give a deliverable another title, as a new version."""
    _tell(_revise((data, server, key), deliverable, {"title": title}), "Renamed in", as_json=as_json)


@app.command("take-back")
def take_back(
    deliverable: DeliverableId, *, server: Server = None, key: Key = None, data: Data = None, as_json: AsJson = False
) -> None:
    """Make an earlier version the newest again; those after it are kept."""
    _tell(_revise((data, server, key), deliverable, {}), "Taken back by", as_json=as_json)


@app.command()
def delete(
    deliverable: DeliverableId, *, server: Server = None, key: Key = None, data: Data = None, as_json: AsJson = False
) -> None:
    """Move a deliverable to the trash, where it stays for 30 days."""
    _call((data, server, key), "DELETE", f"deliverables/{deliverable}")
    if as_json:
        output.write_json({"deleted": str(deliverable)})
    else:
        output.line(f"In the trash for 30 days. Take it out with: intelli deliverables restore {deliverable}")


@app.command()
def restore(
    deliverable: DeliverableId, *, server: Server = None, key: Key = None, data: Data = None, as_json: AsJson = False
) -> None:
    """Take a deliverable out of the trash."""
    made = _call((data, server, key), "POST", f"deliverables/{deliverable}/restore")
    _tell(made, "Restored:", as_json=as_json)


_Place = tuple[Path | None, str | None, str | None]


def _revise(place: _Place, deliverable: UUID, body: Json) -> Json:
    made: Json = _call(place, "POST", f"deliverables/{deliverable}/versions", body)
    return made


def _tell(made: Json, done: str, *, as_json: bool) -> None:
    if as_json:
        output.write_json(made)
    else:
        output.line(f"{done} {_line(made)}")


def _line(made: Json) -> str:
    title = " ".join(made["title"].split())[:_TITLE_CHARS]
    return f"{made['id']}  {made['kind'].lower():<9} version {made['version']}  {made['status']:<10}  {title}"


def _call(place: _Place, method: str, path: str, body: Json | None = None) -> Any:
    async def send(client: "httpx.AsyncClient") -> Any:
        from intelli.cli import remote

        response = await client.request(method, path, json=body)
        return None if response.status_code == 204 else remote.parse_response(response)

    return asyncio.run(_connected(place, send))


async def _connected(place: _Place, act: Any) -> Any:
    from intelli.cli import remote
    from intelli.cli.ask import get_address

    async with remote.connect(*get_address(*place)) as client:
        return await act(client)

"""`intelli check`: checks a text against a folder of files or a server's library, statement by statement."""

import asyncio
import sys
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from intelli.cli import output as cli_output
from intelli.cli.error_exit import ExitCode
from intelli.cli.options import AsJson, Data
from intelli.kit.errors import Conflict, Invalid, NotFound

if TYPE_CHECKING:
    import httpx

_FORMS = {".docx": "docx", ".html": "html", ".json": "json"}
_STDIN = "-"
_REJECTED = ("not_supported", "contradicted")
_PAGE = 200
Json = dict[str, Any]


class NotChecked(Conflict):
    """The text could not be checked."""

    code = "not_checked"


def check(  # one for each of its options
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The text to check, in any format that can be read; - reads it here.")
    ],
    *,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="A directory of documents to check against; with a server, a folder of its library."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the result to this file: .docx, .html or .json."),
    ] = None,
    server: Annotated[str | None, typer.Option(metavar="URL", help="Address of a server to check with.")] = None,
    key: Annotated[str | None, typer.Option(help="API key for the server; INTELLI_CLIENT__KEY if not given.")] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Check each statement of a text against documents; end with 1 when one is not supported or is contradicted.

    Shows what is not supported, with the reason and the passages. It ends with 0 when nothing was rejected, and with 4
    when the text could not be checked. With a directory it needs nothing running, as `intelli research` does; without
    one it asks the server, or the one that INTELLI_CLIENT__SERVER names.
    """
    _check_output(output)
    asked = _Asked(file, _read(file), against, output, quiet=as_json)
    # A directory on this machine needs no server, unless one was asked for.
    is_here = server is None and against is not None and Path(against).exists()
    done = asyncio.run(_check_here(asked, data, Path(against or "")) if is_here else _check(asked, data, server, key))
    if as_json:
        cli_output.write_json(done)
    else:
        _print(done)
    if any(done["counts"][each] for each in _REJECTED):
        raise typer.Exit(ExitCode.FAILED)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What to check, against what, and where to write it."""

    file: str
    content: bytes
    against: str | None
    output: Path | None
    quiet: bool

    @property
    def name(self) -> str:
        """The name under which the text is sent."""
        return "text.md" if self.file == _STDIN else Path(self.file).name


def _read(file: str) -> bytes:
    if file == _STDIN:
        return sys.stdin.buffer.read()
    path = Path(file)
    if not path.exists():
        raise NotFound(f"There is no file {path}.")
    if path.is_dir():
        raise Invalid(f"{path} is a directory. Name the file to check, and documents to check it against by --against.")
    return path.read_bytes()


def _check_output(output: Path | None) -> None:
    from intelli.cli.deliverables import check_writable

    if output is None:
        return
    if output.suffix.lower() not in _FORMS:
        raise Invalid(f"{output} should end in {', '.join(_FORMS)}: its end says how it is written.")
    check_writable(output)


async def _check(asked: _Asked, data: Path | None, server: str | None, key: str | None) -> Json:
    """Check with a server, against its library or a folder of it."""
    from intelli.cli import local, remote

    address = remote.find_address(local.load(data), server, key)
    if address is None and asked.against is not None:
        raise NotFound(f"There is nothing at {asked.against}.")
    if address is None:
        raise Invalid("Say what to check against: give --against with a directory of documents, or --server.")
    async with remote.connect(*address) as client:
        folder_id = await _find_folder(client, asked.against) if asked.against else None
        return await _check_with(client, asked, folder_id)


async def _check_here(asked: _Asked, data: Path | None, against: Path) -> Json:
    """Check against a directory of this machine, with the private server; it keeps nothing of the text."""
    from intelli.cli import own_outputs, own_server, remote, sync_folder

    directory = sync_folder.get_directory(data)
    files = sync_folder.list_files(directory, against)
    if not asked.quiet:
        typer.echo(f"Checking {asked.file} against {len(files)} file{'s' * (len(files) != 1)}.", err=True)
    async with own_server.ensure_running(directory) as own, remote.connect(*own) as client:
        folder = sync_folder.library_folder_of(files)
        await sync_folder.sync(client, files, folder, quiet=asked.quiet)
        done = await _check_with(client, asked, await _find_folder(client, folder))
        (await client.delete(f"checks/{done['id']}")).raise_for_status()
    if asked.output is not None and asked.output.is_file():
        own_outputs.record(directory, asked.output)
    return done


async def _check_with(client: "httpx.AsyncClient", asked: _Asked, folder_id: str | None) -> Json:
    from intelli.cli import remote
    from intelli.cli.deliverables import download

    sent = {"file": (asked.name, asked.content)}
    begun = await client.post("checks/file", files=sent, data={"folder_id": folder_id} if folder_id else {})
    check_id = UUID(remote.parse_response(begun)["id"])
    await _follow(client, check_id, quiet=asked.quiet)
    done: Json = remote.parse_response(await client.get(f"checks/{check_id}"))
    if done["status"] != "completed":
        raise NotChecked((done["error"] or {}).get("message") or f"The check was {done['status']}.")
    if asked.output is not None:
        form = _FORMS[asked.output.suffix.lower()]
        await download(client, f"checks/{check_id}/export?format={form}", asked.output)
    return done


async def _follow(client: "httpx.AsyncClient", check_id: UUID, *, quiet: bool) -> None:
    """Show the progress of a check until it ends."""
    from intelli.cli import follow_run
    from intelli.cli.progress_bar import ProgressBar

    done = 0
    with ProgressBar(quiet=quiet) as bar:
        bar.begin("Reading the text", 1)
        async with aclosing(follow_run.events_of_check(client, check_id)) as events:
            async for event in events:
                if event["type"] == "status":
                    bar.advance(1)
                    bar.begin("Checking", event["total"] or 1)
                elif event["type"] == "progress":
                    bar.advance(event["done"] - done)
                    done = event["done"]


async def _find_folder(client: "httpx.AsyncClient", path: str) -> str:
    """Return the id of a folder of the library; raise NotFound when there is none at this path."""
    from intelli.cli import remote

    wanted, cursor = "/" + path.strip("/"), dict[str, str]()
    while True:
        page = remote.parse_response(await client.get("folders", params={"limit": _PAGE, **cursor}))
        found = next((each["id"] for each in page["items"] if each["path"] == wanted), None)
        if found is not None:
            return str(found)
        if page["next_cursor"] is None:
            raise NotFound(f"There is no directory here and no folder in the library at {path}.")
        cursor = {"cursor": page["next_cursor"]}


def _print(done: Json) -> None:
    from intelli.cli import wrap

    for statement in done["statements"]:
        if statement["verdict"] != "supported":
            for line in wrap.fold(_lines(statement), wrap.line_width()):
                cli_output.line(line)
    if done["message"]:
        cli_output.line(f"Note: {done['message']}")
    cli_output.line(_counts(done))


def _lines(statement: Json) -> list[str]:
    from intelli.citations.marks import SIGNS, WORDS

    verdict = statement["verdict"]
    lines = [f"{SIGNS[verdict]} {WORDS[verdict]}: {' '.join(statement['text'].split())}"]
    if statement["reason"]:
        lines.append(f"    {statement['reason']}")
    return [*lines, *(f"    {_passage(each)}" for each in statement["citations"]), ""]


def _passage(citation: Json) -> str:
    place = f", page {citation['page']}" if citation["page"] else ""
    quote = " ".join(citation["quote"].split())
    return f"{citation['stance']}: {citation['file_name']}{place}" + (f": \u201c{quote}\u201d" if quote else "")


def _counts(done: Json) -> str:
    from intelli.citations.marks import WORDS

    told = [f"{number} {WORDS[verdict].lower()}" for verdict, number in done["counts"].items() if number]
    total = len(done["statements"])
    return f"{total} statement{'s' * (total != 1)}" + (f": {', '.join(told)}." if told else ".")

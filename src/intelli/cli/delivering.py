"""Deliverables from the terminal: which kind a file name asks for, waiting for it, and writing it down."""

import asyncio
import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from intelli.kit.errors import Conflict, IntelliError, Invalid

if TYPE_CHECKING:
    import httpx

_PAUSE_S = 0.3
_LONGEST_S = 900.0
# What a file is the export of, and which kind of deliverable suits it when none is named.
_FORMS = {
    ".pdf": ("pdf", "DOCUMENT"),
    ".docx": ("docx", "DOCUMENT"),
    ".pptx": ("pptx", "SLIDES"),
    ".html": ("html", "REPORT"),
    ".md": ("md", "REPORT"),
    ".bib": ("bib", "REPORT"),
    ".gml": ("gml", "REPORT"),
}
# Those that hold the plain answer when no kind is named.
_ANSWERS = (".md", ".html", ".json")
_BUNDLE, _BRIEF = ".zip", ".json"
_ENDED = ("completed", "failed", "cancelled")
Json = dict[str, Any]


class NotDelivered(IntelliError):
    """The deliverable could not be made."""

    code = "not_delivered"


class KindOption(StrEnum):
    """The kinds of deliverables as the terminal names them."""

    REPORT = "report"
    WEBSITE = "website"
    SLIDES = "slides"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to ask a run for, and what to write down of it. Without a kind it is the answer alone."""

    output: Path | None
    kind: str | None

    @property
    def deliverable_type(self) -> str:
        """What the run is asked for."""
        return self.kind or "STANDARD"

    @property
    def is_answer(self) -> bool:
        """True when the conversation itself is written down."""
        return self.kind is None and self.output is not None and self.output.suffix.lower() in _ANSWERS


def wanted(output: Path | None, kind: KindOption | None) -> Wanted:
    """What a file name and a kind ask for; refused before any work is done when it cannot be written."""
    named = kind.upper() if kind else None
    if output is None:
        return Wanted(None, named)
    suffix = output.suffix.lower()
    known = dict.fromkeys((*_ANSWERS, *_FORMS, _BUNDLE))
    if suffix not in known:
        raise Invalid(f"{output} should end in {', '.join(known)}: its end says how it is written.")
    if not output.parent.is_dir():
        raise Invalid(f"There is no directory {output.parent}. Make it first.")
    if named is None and suffix not in _ANSWERS and suffix in _FORMS:
        named = _FORMS[suffix][1]
    return Wanted(output, named)


async def deliver(client: "httpx.AsyncClient", message: Json, asked: Wanted, *, quiet: bool) -> None:
    """Wait for what a run delivers, and write down what was wanted."""
    output, suffix = asked.output, asked.output.suffix.lower() if asked.output else ""
    if asked.kind is None:
        if output is not None:
            await _save(client, f"messages/{message['id']}/bundle", output)
        return
    made = await _made(client, message["run_id"], asked.kind, quiet=quiet)
    if output is None:
        return
    if suffix == _BUNDLE:
        await _save(client, f"deliverables/{made['id']}/bundle", output)
    elif suffix == _BRIEF:
        await _save(client, f"deliverables/{made['id']}/brief", output)
    else:
        await _export(client, made["id"], _FORMS[suffix][0], output)


async def _made(client: "httpx.AsyncClient", run_id: str, kind: str, *, quiet: bool) -> Json:
    """The deliverable of a run, once it has ended."""
    from intelli.cli import remote
    from intelli.cli.bar import Bar

    told = 0
    with Bar(quiet=quiet) as bar:
        bar.begin(f"Making the {kind.lower()}", 100)
        async with asyncio.timeout(_LONGEST_S):
            while True:
                answer = await client.get("deliverables", params={"run_id": run_id, "kind": kind})
                items: list[Json] = remote.answer(answer)["items"]
                if not items:
                    raise NotDelivered("Nothing was delivered: the sources do not answer the question.")
                bar.advance(int(items[0]["progress"] * 100) - told)
                told = int(items[0]["progress"] * 100)
                if items[0]["status"] in _ENDED:
                    return _whole(items[0])
                await asyncio.sleep(_PAUSE_S)


def _whole(made: Json) -> Json:
    if made["status"] != "completed":
        raise NotDelivered((made["error"] or {}).get("message") or f"The deliverable was {made['status']}.")
    return made


async def _export(client: "httpx.AsyncClient", deliverable_id: str, form: str, output: Path) -> None:
    from intelli.cli import remote

    begun: Json = remote.answer(await client.post(f"deliverables/{deliverable_id}/exports", json={"format": form}))
    async with asyncio.timeout(_LONGEST_S):
        while begun["status"] not in _ENDED:
            await asyncio.sleep(_PAUSE_S)
            listed: list[Json] = remote.answer(await client.get(f"deliverables/{deliverable_id}/exports"))
            begun = next(each for each in listed if each["id"] == begun["id"])
    if begun["status"] != "completed":
        raise Conflict(begun["error"] or "The file could not be made.")
    await _save(client, f"deliverables/{deliverable_id}/files/{quote(begun['file']['name'], safe='')}", output)


async def _save(client: "httpx.AsyncClient", path: str, output: Path) -> None:
    """Write an answer to a file as it comes."""
    from intelli.cli import remote

    async with client.stream("GET", path) as response:
        if not response.is_success:
            await response.aread()
            remote.answer(response)
        with output.open("wb") as file:
            async for piece in response.aiter_bytes():
                await asyncio.to_thread(file.write, piece)
    sys.stderr.write(f"Written to {output}\n")

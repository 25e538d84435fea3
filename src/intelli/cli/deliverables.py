"""Deliverables from the terminal: which kind a file name asks for, waiting for it, and writing it down."""

import asyncio
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import quote

from intelli.deliverable_kinds import KINDS
from intelli.deliverables.forms import FORMS
from intelli.kit.errors import Conflict, IntelliError, Invalid

if TYPE_CHECKING:
    import httpx

_PAUSE_S = 0.3
_LONGEST_S = 900.0
_BUNDLE, _BRIEF = ".zip", ".json"
# Endings that say the form by themselves; a site and slides for the browser are zips, as the evidence is.
_ENDINGS = {f".{form.extension}": form.name for form in FORMS.values() if f".{form.extension}" != _BUNDLE}
# Those that hold the plain answer when no kind is named.
_ANSWERS = (".md", ".html", ".json")
_ENDED = ("completed", "failed", "cancelled")
Json = dict[str, Any]


class NotDelivered(IntelliError):
    """The deliverable could not be made."""

    code = "not_delivered"


class KindOption(StrEnum):
    """The kinds of deliverables as the terminal names them."""

    vars().update({kind.name: kind.name.lower() for kind in KINDS})


@dataclass(frozen=True, slots=True)
class DeliveryOptions:
    """What to ask a run for, and what to write down of it, in which form. Without a kind it is the answer alone."""

    output: Path | None
    kind: str | None
    form: str | None = None

    @property
    def deliverable_type(self) -> str:
        """What the run is asked for."""
        return self.kind or "STANDARD"

    @property
    def is_answer(self) -> bool:
        """True when the conversation itself is written down."""
        return self.kind is None and self.output is not None and _ending(self.output) in _ANSWERS


def wanted(output: Path | None, kind: KindOption | None, form: str | None = None) -> DeliveryOptions:
    """What a file name, a kind and a form ask for; refused before any work is done when it cannot be written."""
    named = kind.upper() if kind else None
    if form is not None and form not in FORMS:
        raise Invalid(f"There is no format {form}. Use one of {', '.join(FORMS)}.")
    if output is None:
        if form is not None:
            raise Invalid(f"Say with -o which file to write as {form}.")
        return DeliveryOptions(None, named)
    ending = _ending(output)
    known = dict.fromkeys((*_ANSWERS, *_ENDINGS, _BUNDLE))
    if form is None and ending not in known:
        raise Invalid(
            f"{output} should end in {', '.join(known)}: its end says how it is written. "
            f"Or say it with --format: {', '.join(FORMS)}."
        )
    _insist_on_place(output)
    is_answer = form is None and named is None and ending in _ANSWERS
    said = form or (None if is_answer else _ENDINGS.get(ending))
    return DeliveryOptions(output, named or (FORMS[said].kind if said else None), said)


def _insist_on_place(output: Path) -> None:
    if not output.parent.is_dir():
        raise Invalid(f"There is no directory {output.parent}. Make it first.")
    if output.is_dir():
        raise Invalid(f"{output} is a directory. Name a file with -o.")
    if not os.access(output if output.exists() else output.parent, os.W_OK):
        raise Invalid(f"{output} may not be written. Name another file with -o.")


def _ending(output: Path) -> str:
    whole = output.name.lower()
    return next((ending for ending in _ENDINGS if whole.endswith(ending)), output.suffix.lower())


async def deliver(client: "httpx.AsyncClient", message: Json, asked: DeliveryOptions, *, quiet: bool) -> None:
    """Wait for what a run delivers, and write down what was wanted."""
    output = asked.output
    if asked.kind is None:
        if output is not None:
            await _save(client, f"messages/{message['id']}/bundle", output)
        return
    made = await _made(client, message["run_id"], asked.kind, quiet=quiet)
    if output is None:
        return
    if asked.form is not None:
        await _export(client, made["id"], asked.form, output)
    else:
        part = "brief" if _ending(output) == _BRIEF else "bundle"
        await _save(client, f"deliverables/{made['id']}/{part}", output)


async def _made(client: "httpx.AsyncClient", run_id: str, kind: str, *, quiet: bool) -> Json:
    """The deliverable of a run, once it has ended."""
    from intelli.cli import remote
    from intelli.cli.progress_bar import ProgressBar

    told = 0
    with ProgressBar(quiet=quiet) as bar:
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
    """Write an answer to a file as it comes; what was there before stays until all of it has."""
    from intelli.cli import remote

    async with client.stream("GET", path) as response:
        if not response.is_success:
            await response.aread()
            remote.answer(response)
        with _replacing(output) as file:
            async for piece in response.aiter_bytes():
                await asyncio.to_thread(file.write, piece)
    sys.stderr.write(f"Written to {output}\n")


@contextmanager
def _replacing(output: Path) -> Iterator[IO[bytes]]:
    """A file to write that takes the place of the output once all is written; a pipe is written as it is."""
    if output.exists() and not output.is_file():
        with output.open("wb") as pipe:
            yield pipe
        return
    target = output.resolve()
    half = target.with_name(f".{secrets.token_hex(8)}.half")
    try:
        with half.open("xb") as file:
            yield file
        half.replace(target)
    finally:
        half.unlink(missing_ok=True)

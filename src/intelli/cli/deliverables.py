"""Deliverables on the command line: choose kind and format by file name, wait for the deliverable, and download it."""

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
from intelli.deliverables.forms import FORMS, Edition
from intelli.kit.errors import Conflict, IntelliError, Invalid

if TYPE_CHECKING:
    import httpx

_POLL_S = 0.3
_LONGEST_S = 900.0
_BUNDLE, _BRIEF = ".zip", ".json"
# Endings that determine the form; .zip does not, since sites, browser slides and the evidence bundle share it.
_ENDINGS = {f".{form.extension}": form.name for form in FORMS.values() if f".{form.extension}" != _BUNDLE}
# Endings that mean the plain answer when no kind is given.
_ANSWERS = (".md", ".html", ".json")
_ENDED = ("completed", "failed", "cancelled")
Json = dict[str, Any]


class NotDelivered(IntelliError):
    """The deliverable could not be made."""

    code = "not_delivered"


class KindOption(StrEnum):
    """Kinds of deliverables as values of `--kind`."""

    vars().update({kind.name: kind.name.lower() for kind in KINDS})


@dataclass(frozen=True, slots=True)
class DeliveryOptions:
    """Deliverable to request from a run, and the file and form to write it as. Without a kind, only the answer."""

    output: Path | None
    kind: str | None
    form: str | None = None
    edition: Edition = Edition.CLEAN

    @property
    def deliverable_type(self) -> str:
        """Return the deliverable type of the request to the API."""
        return self.kind or "STANDARD"

    @property
    def is_answer(self) -> bool:
        """True when the output is an export of the conversation itself."""
        return self.kind is None and self.output is not None and _ending(self.output) in _ANSWERS


def parse_options(
    output: Path | None, kind: KindOption | None, form: str | None = None, edition: Edition = Edition.CLEAN
) -> DeliveryOptions:
    """Derive the deliverable from file name, kind and form; raise Invalid when it cannot be written."""
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
    check_writable(output)
    is_answer = form is None and named is None and ending in _ANSWERS
    chosen = form or (None if is_answer else _ENDINGS.get(ending))
    return DeliveryOptions(output, named or (FORMS[chosen].kind if chosen else None), chosen, edition)


def parse_export(output: Path, form: str | None, edition: Edition) -> DeliveryOptions:
    """Derive the form of an export from a file name, or from its name; raise Invalid when it cannot be written."""
    known = form or _ENDINGS.get(_ending(output))
    if known not in FORMS:
        raise Invalid(
            f"{output} should end in {', '.join(_ENDINGS)}: its end says how it is written. "
            f"Or say it with --format: {', '.join(FORMS)}."
        )
    check_writable(output)
    return DeliveryOptions(output, None, known, edition)


def check_writable(output: Path) -> None:
    """Raise Invalid when a file cannot be written."""
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
    """Wait for the deliverable of a run and write it, or the evidence bundle of its answer, to the output file."""
    output = asked.output
    if asked.kind is None:
        if output is not None:
            await download(client, f"messages/{message['id']}/bundle", output)
        return
    made = await _wait_for_deliverable(client, message["run_id"], asked.kind, quiet=quiet)
    if output is None:
        return
    if asked.form is not None:
        await export(client, made["id"], asked)
    else:
        part = "brief" if _ending(output) == _BRIEF else "bundle"
        await download(client, f"deliverables/{made['id']}/{part}", output)


async def _wait_for_deliverable(client: "httpx.AsyncClient", run_id: str, kind: str, *, quiet: bool) -> Json:
    """Poll until the deliverable of a run has ended; raise NotDelivered unless it is completed."""
    from intelli.cli import remote
    from intelli.cli.progress_bar import ProgressBar

    shown = 0
    with ProgressBar(quiet=quiet) as bar:
        bar.begin(f"Making the {kind.lower()}", 100)
        async with asyncio.timeout(_LONGEST_S):
            while True:
                answer = await client.get("deliverables", params={"run_id": run_id, "kind": kind})
                items: list[Json] = remote.parse_response(answer)["items"]
                if not items:
                    raise NotDelivered("Nothing was delivered: the sources do not answer the question.")
                bar.advance(int(items[0]["progress"] * 100) - shown)
                shown = int(items[0]["progress"] * 100)
                if items[0]["status"] in _ENDED:
                    return _check_completed(items[0])
                await asyncio.sleep(_POLL_S)


def _check_completed(made: Json) -> Json:
    if made["status"] != "completed":
        raise NotDelivered((made["error"] or {}).get("message") or f"The deliverable was {made['status']}.")
    return made


async def export(client: "httpx.AsyncClient", deliverable_id: str, asked: DeliveryOptions) -> None:
    """Have a deliverable rendered in a form and edition, wait for it, and download it."""
    assert asked.output is not None, "a file is named"
    from intelli.cli import remote

    begun: Json = remote.parse_response(
        await client.post(
            f"deliverables/{deliverable_id}/exports", json={"format": asked.form, "edition": asked.edition}
        )
    )
    async with asyncio.timeout(_LONGEST_S):
        while begun["status"] not in _ENDED:
            await asyncio.sleep(_POLL_S)
            listed: list[Json] = remote.parse_response(await client.get(f"deliverables/{deliverable_id}/exports"))
            begun = next(each for each in listed if each["id"] == begun["id"])
    if begun["status"] != "completed":
        raise Conflict(begun["error"] or "The file could not be made.")
    await download(client, f"deliverables/{deliverable_id}/files/{quote(begun['file']['name'], safe='')}", asked.output)


async def download(client: "httpx.AsyncClient", path: str, output: Path) -> None:
    """Download a response to a file; an existing file is only replaced when the download is complete."""
    from intelli.cli import remote

    async with client.stream("GET", path) as response:
        if not response.is_success:
            await response.aread()
            remote.parse_response(response)
        with _open_atomically(output) as file:
            async for piece in response.aiter_bytes():
                await asyncio.to_thread(file.write, piece)
    sys.stderr.write(f"Written to {output}\n")


@contextmanager
def _open_atomically(output: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file that replaces the output when the block ends without error; a pipe is written directly."""
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

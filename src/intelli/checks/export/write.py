"""Write a check in one of the forms. Word and HTML are made in a process of their own: the text is untrusted."""

import base64
from contextlib import suppress

from intelli.checks import wire
from intelli.checks.export import html, word
from intelli.kit.compute import ComputationFailed, Compute
from intelli.kit.compute.errors import RemoteError

MEDIA_TYPES = {
    wire.CheckForm.DOCX: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    wire.CheckForm.HTML: "text/html; charset=utf-8",
    wire.CheckForm.JSON: "application/json",
}


async def write(check: wire.TextCheck, form: wire.CheckForm, *, original: bytes | None, compute: Compute) -> bytes:
    """Write a check. `original` is the Word file that was checked: a copy of it is annotated where that can be done."""
    match form:
        case wire.CheckForm.JSON:
            return check.model_dump_json(indent=2).encode() + b"\n"
        case wire.CheckForm.HTML:
            return (await compute.run(html.write, check)).encode()
        case wire.CheckForm.DOCX:
            return base64.b64decode(await _write_word(check, original, compute))


async def _write_word(check: wire.TextCheck, original: bytes | None, compute: Compute) -> str:
    if original is not None:
        # A file that the library could read may still be too odd to be written again.
        with suppress(ComputationFailed, RemoteError):
            return await compute.run(word.annotate, check, original)
    return await compute.run(word.write, check)

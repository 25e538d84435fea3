"""Bytes in and out over HTTP, for every room that takes or gives files: one way to receive, one way to serve."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Header, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.requests import ClientDisconnect

from intelli.content import file_names, media_types
from intelli.content.errors import UploadInterrupted
from intelli.content.ports import ArtifactStored
from intelli.content.settings import ContentSettings
from intelli.kit import ranges
from intelli.kit.blobs import Blobs
from intelli.kit.errors import RangeNotSatisfiable
from intelli.kit.http import part, problem
from intelli.kit.ranges import ByteRange

Settings = Annotated[ContentSettings, Depends(part(ContentSettings))]
BlobStore = Annotated[Blobs, Depends(part(Blobs))]
OnStoring = Annotated[ArtifactStored, Depends(part(ArtifactStored))]

# Never run, framed or let loose: bytes of strangers are served from the address that people are signed in to.
_INERT = "default-src 'none'; sandbox"
_PLAIN = "default-src 'none'"
BYTES: dict[int | str, dict[str, object]] = {
    200: {"content": {"application/octet-stream": {}}},
    206: {"description": "The part that was asked for.", "content": {"application/octet-stream": {}}},
    304: {"description": "The caller has it already."},
}


@dataclass(frozen=True, slots=True)
class ServedFile:
    """Stored bytes, and what to call them."""

    sha256: str
    media_type: str
    size_bytes: int
    name: str

    @property
    def tag(self) -> str:
        """What a cache knows these bytes by."""
        return f'"{self.sha256}"'


@dataclass(frozen=True, slots=True)
class RangeRequest:
    """Which part of a file a request wants, and what its sender has already; HEAD wants the headers alone."""

    range: str | None
    if_none_match: str | None
    if_range: str | None
    is_head: bool = False

    def has(self, file: ServedFile) -> bool:
        """True when the sender has these very bytes."""
        return ranges.is_unchanged(self.if_none_match, file.tag)

    def wanted(self, file: ServedFile) -> ByteRange | None:
        """The part that is asked for; None for the whole."""
        if self.is_head:
            return None
        return ranges.requested(self.range if ranges.is_same(self.if_range, file.tag) else None, file.size_bytes)

    def is_reading(self, file: ServedFile) -> bool:
        """True when the answer begins with the first byte; a viewer then goes on part by part, which is one reading."""
        if self.is_head:
            return False
        try:
            wanted = self.wanted(file)
        except RangeNotSatisfiable:
            return False
        return not self.has(file) and (wanted is None or wanted.start == 0)


def _asked(
    request: Request,
    range: Annotated[str | None, Header(description="A part, as `bytes=0-99`.")] = None,
    if_none_match: Annotated[str | None, Header(description="The ETag of what the caller has.")] = None,
    if_range: Annotated[str | None, Header(description="The ETag that the part must be of.")] = None,
) -> RangeRequest:
    return RangeRequest(range, if_none_match, if_range, is_head=request.method == "HEAD")


Asking = Annotated[RangeRequest, Depends(_asked)]


async def serve(blobs: Blobs, tenant_id: UUID, file: ServedFile, asked: RangeRequest) -> Response:
    """The bytes of a file, or a part of them. What a browser could run is only ever offered for saving."""
    headers = _headers(file)
    if asked.has(file):
        return Response(status_code=304, headers=headers)
    try:
        wanted = asked.wanted(file)
    except RangeNotSatisfiable as error:
        return _unsatisfiable(error, file.size_bytes)
    start, end = (wanted.start, wanted.end) if wanted else (0, file.size_bytes)
    headers |= {"Content-Type": file.media_type, "Content-Length": str(end - start)}
    if asked.is_head:
        return Response(headers=headers)
    content = await blobs.get(tenant_id, file.sha256, start=start, end=end)
    if wanted:
        headers["Content-Range"] = wanted.content_range(file.size_bytes)
    return StreamingResponse(content, status_code=206 if wanted else 200, headers=headers)


async def body(request: Request) -> AsyncIterator[bytes]:
    """The body of a request as it arrives."""
    try:
        async for chunk in request.stream():
            yield chunk
    except ClientDisconnect as error:
        raise UploadInterrupted("The upload was cut off. Send it again.") from error


def _headers(file: ServedFile) -> dict[str, str]:
    safe = safe_headers(file.media_type, file.name)
    return {"ETag": file.tag, "Accept-Ranges": "bytes", **safe}


def safe_headers(media_type: str, name: str) -> dict[str, str]:
    """Headers under which bytes of strangers can do no harm."""
    is_shown = media_types.is_shown(media_type)
    return {
        "Cache-Control": "private, no-cache",
        "Content-Disposition": file_names.disposition("inline" if is_shown else "attachment", name),
        "Content-Security-Policy": _PLAIN if is_shown else _INERT,
        "Cross-Origin-Resource-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
    }


def _unsatisfiable(error: RangeNotSatisfiable, size_bytes: int) -> JSONResponse:
    answer = problem(error)
    answer.headers["Content-Range"] = f"bytes */{size_bytes}"
    return answer
